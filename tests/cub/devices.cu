// devices.cu - do CUB's reductions, scans and sorts for the device, as its headers have them, give the host's results?
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "device.h"

struct larger {
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct product {
    __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a * b; }
};

/* ---- Reductions -------------------------------------------------------------------------------- */

static void reductions(const std::vector<int> &in)
{
    on_device<int> d(in), out(1);
    on_device<unsigned> factor(1);
    on_device<cub::KeyValuePair<int, int>> place(1);
    long long sum = 0;
    unsigned all = 3;
    for (int x : in) {
        sum += x;
        all *= (unsigned)x | 1;
    }
    run([&](void *s, size_t &b) { return cub::DeviceReduce::Sum(s, b, d.data, out.data, N); });
    CHECK_THAT(out.get()[0] == (int)sum);
    run([&](void *s, size_t &b) { return cub::DeviceReduce::Min(s, b, d.data, out.data, N); });
    CHECK_THAT(out.get()[0] == *std::min_element(in.begin(), in.end()));
    run([&](void *s, size_t &b) { return cub::DeviceReduce::Max(s, b, d.data, out.data, N); });
    CHECK_THAT(out.get()[0] == *std::max_element(in.begin(), in.end()));
    run([&](void *s, size_t &b) { return cub::DeviceReduce::ArgMax(s, b, d.data, place.data, N); });
    CHECK_THAT(place.get()[0].key == std::max_element(in.begin(), in.end()) - in.begin());
    run([&](void *s, size_t &b) { return cub::DeviceReduce::ArgMin(s, b, d.data, place.data, N); });
    CHECK_THAT(place.get()[0].value == *std::min_element(in.begin(), in.end()));
    std::vector<unsigned> odd(in.begin(), in.end());
    for (unsigned &x : odd)
        x |= 1;
    on_device<unsigned> factors(odd);
    run([&](void *s, size_t &b) {
        return cub::DeviceReduce::Reduce(s, b, factors.data, factor.data, N, product(), 3U);
    });
    CHECK_THAT(factor.get()[0] == all);
}

/* ---- Scans ------------------------------------------------------------------------------------- */

static void scans(const std::vector<int> &in)
{
    on_device<int> d(in), out(N);
    std::vector<int> sums(N), most(N);
    for (int i = 0, sum = 0, largest = -1 << 30; i < N; i++) {
        sums[i] = sum;
        sum += in[i];
        most[i] = largest = std::max(largest, in[i]);
    }
    run([&](void *s, size_t &b) { return cub::DeviceScan::ExclusiveSum(s, b, d.data, out.data, N); });
    CHECK_THAT(out.get() == sums);
    run([&](void *s, size_t &b) { return cub::DeviceScan::InclusiveScan(s, b, d.data, out.data, larger(), N); });
    CHECK_THAT(out.get() == most);
    run([&](void *s, size_t &b) { return cub::DeviceScan::InclusiveSum(s, b, d.data, out.data, N); });
    for (int i = 0; i < N; i++)
        sums[i] += in[i];
    CHECK_THAT(out.get() == sums);
}

/* ---- Sorts ------------------------------------------------------------------------------------- */

/* Few enough for one block, and more: other kernels. */
static void sorts(int n)
{
    const auto in = numbers(n, 601);
    std::vector<float> keys(in.begin(), in.end()), sorted(keys);
    std::vector<int> index(n);
    for (int i = 0; i < n; i++)
        index[i] = i;
    on_device<float> a(keys), other(n);
    on_device<int> b(index), places(n);
    run([&](void *s, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairsDescending(s, bytes, a.data, other.data, b.data, places.data, n);
    });
    std::stable_sort(index.begin(), index.end(), [&](int i, int k) { return keys[i] > keys[k]; });
    std::sort(sorted.rbegin(), sorted.rend());
    CHECK_THAT(other.get() == sorted);
    CHECK_THAT(places.get() == index);

    cub::DoubleBuffer<float> key(a.data, other.data);
    cub::DoubleBuffer<int> value(b.data, places.data);
    run([&](void *s, size_t &bytes) { return cub::DeviceRadixSort::SortPairsDescending(s, bytes, key, value, n); });
    CHECK_THAT((key.Current() == a.data ? a : other).get() == sorted);
    CHECK_THAT((value.Current() == b.data ? b : places).get() == index);
}

int main()
{
    const auto in = numbers(N, 601);
    reductions(in);
    scans(in);
    sorts(N);
    sorts(20000);
    puts("PASSED");
}
