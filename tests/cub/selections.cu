// selections.cu - do CUB's algorithms for the device that choose, count and go by segments give the host's results?
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>

#include "device.h"

/* ---- Segments ---------------------------------------------------------------------------------- */

static void segments(const std::vector<int> &in)
{
    const int segment_count = 7;
    const std::vector<int> begins = {0, 5, 5, 300, 1000, 1001, 2500, N};
    on_device<int> d(in), offsets(begins), sums(segment_count), sorted(N);
    run([&](void *s, size_t &b) {
        return cub::DeviceSegmentedReduce::Sum(s, b, d.data, sums.data, segment_count, offsets.data, offsets.data + 1);
    });
    const auto sum = sums.get();
    std::vector<int> expected(in);
    for (int i = 0; i < segment_count; i++) {
        int all = 0;
        for (int k = begins[i]; k < begins[i + 1]; k++)
            all += in[k];
        CHECK_THAT(sum[i] == all);
        std::sort(expected.begin() + begins[i], expected.begin() + begins[i + 1]);
    }
    run([&](void *s, size_t &b) {
        return cub::DeviceSegmentedRadixSort::SortKeys(s, b, d.data, sorted.data, N, segment_count, offsets.data,
                                                       offsets.data + 1);
    });
    CHECK_THAT(sorted.get() == expected);
}

/* ---- Selections -------------------------------------------------------------------------------- */

static void selections(const std::vector<int> &in)
{
    on_device<int> d(in), out(N), count(1), runs(N);
    std::vector<int> even, odd, chosen, first;
    std::vector<char> flags(N);
    for (int i = 0; i < N; i++) {
        flags[i] = i % 3 == 0;
        (is_even()(in[i]) ? even : odd).push_back(in[i]);
        if (flags[i])
            chosen.push_back(in[i]);
    }
    run([&](void *s, size_t &b) { return cub::DeviceSelect::If(s, b, d.data, out.data, count.data, N, is_even()); });
    CHECK_THAT(count.get()[0] == (int)even.size());
    auto all = out.get();
    CHECK_THAT(std::equal(even.begin(), even.end(), all.begin()));
    on_device<char> wanted(flags);
    run([&](void *s, size_t &b) {
        return cub::DeviceSelect::Flagged(s, b, d.data, wanted.data, out.data, count.data, N);
    });
    all = out.get();
    CHECK_THAT(count.get()[0] == (int)chosen.size() && std::equal(chosen.begin(), chosen.end(), all.begin()));
    run([&](void *s, size_t &b) { return cub::DevicePartition::If(s, b, d.data, out.data, count.data, N, is_even()); });
    all = out.get();
    CHECK_THAT(count.get()[0] == (int)even.size() && std::equal(even.begin(), even.end(), all.begin()));
    CHECK_THAT(std::equal(odd.rbegin(), odd.rend(), all.begin() + even.size())); /* from behind */

    std::vector<int> few(in);
    for (int &x : few)
        x = (x & 0x30) >> 4;
    std::vector<int> lengths;
    for (int i = 0; i < N; i++) {
        if (i == 0 || few[i] != few[i - 1]) {
            first.push_back(few[i]);
            lengths.push_back(0);
        }
        lengths.back()++;
    }
    on_device<int> repeated(few);
    run([&](void *s, size_t &b) { return cub::DeviceSelect::Unique(s, b, repeated.data, out.data, count.data, N); });
    all = out.get();
    CHECK_THAT(count.get()[0] == (int)first.size() && std::equal(first.begin(), first.end(), all.begin()));
    run([&](void *s, size_t &b) {
        return cub::DeviceRunLengthEncode::Encode(s, b, repeated.data, out.data, runs.data, count.data, N);
    });
    all = runs.get();
    CHECK_THAT(count.get()[0] == (int)lengths.size() && std::equal(lengths.begin(), lengths.end(), all.begin()));
}

/* ---- Histograms -------------------------------------------------------------------------------- */

static void histograms(const std::vector<int> &in)
{
    const int LEVELS = 11, LOW = -100, HIGH = 200;
    on_device<int> d(in), bins(LEVELS - 1);
    std::vector<int> counts(LEVELS - 1);
    for (int x : in)
        if (x >= LOW && x < HIGH)
            counts[(x - LOW) / ((HIGH - LOW) / (LEVELS - 1))]++;
    run([&](void *s, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(s, b, d.data, bins.data, LEVELS, LOW, HIGH, N);
    });
    CHECK_THAT(bins.get() == counts);
}

int main()
{
    const auto in = numbers(N, 601);
    segments(in);
    selections(in);
    histograms(in);
    puts("PASSED");
}
