// names.cu - what CUB has had until CUDA 13, which its later versions leave out: operators, iterators, numbers of lanes.
#include <cub/cub.cuh>

#include "device.h"

struct square {
    __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};

__global__ void positions(unsigned *lanes, unsigned *warps)
{
    const unsigned i = threadIdx.x + blockDim.x * threadIdx.y;
    lanes[i] = cub::LaneId();
    warps[i] = cub::WarpId();
    cub::CTA_SYNC();
}

static void check_positions()
{
    on_device<unsigned> lanes(96), warps(96);
    positions<<<1, dim3(24, 4)>>>(lanes.data, warps.data);
    const auto lane = lanes.get(), warp = warps.get();
    int wrong = 0;
    for (unsigned i = 0; i < 96; i++)
        wrong += lane[i] != i % 32 || warp[i] != i / 32;
    CHECK_THAT(wrong == 0);
}

/* Values that an iterator computes, and operators by their names. */
static void iterators(const std::vector<int> &in)
{
    on_device<int> d(in), out(1), sums(N), keys(N), count(1);
    on_device<long long> wide(1);
    long long squares = 0;
    for (int x : in)
        squares += (long long)x * x;
    cub::TransformInputIterator<long long, square, int *> squared(d.data, square());
    run([&](void *s, size_t &b) { return cub::DeviceReduce::Reduce(s, b, squared, wide.data, N, cub::Sum(), 5LL); });
    CHECK_THAT(wide.get()[0] == squares + 5);
    cub::CountingInputIterator<int> counting(5);
    run([&](void *s, size_t &b) { return cub::DeviceReduce::Reduce(s, b, counting, out.data, 100, cub::Max(), 3); });
    CHECK_THAT(out.get()[0] == 104);
    std::vector<int> repeated(N), lengths;
    for (int i = 0; i < N; i++) {
        repeated[i] = (in[i] & 0x30) >> 4;
        if (i == 0 || repeated[i] != repeated[i - 1])
            lengths.push_back(0);
        lengths.back()++;
    }
    on_device<int> r(repeated);
    cub::ConstantInputIterator<int> two(2);
    cub::DiscardOutputIterator<> nowhere;
    run([&](void *s, size_t &b) {
        return cub::DeviceReduce::ReduceByKey(s, b, r.data, nowhere, two, sums.data, count.data, cub::Sum(), N);
    });
    const auto sum = sums.get();
    int wrong = count.get()[0] != (int)lengths.size();
    for (size_t i = 0; i < lengths.size(); i++)
        wrong += sum[i] != 2 * lengths[i];
    CHECK_THAT(wrong == 0);
}

static void allocator()
{
    cub::CachingDeviceAllocator cached;
    void *memory = nullptr, *again = nullptr;
    CHECK_CALL(cached.DeviceAllocate(&memory, 1000));
    CHECK_CALL(cudaMemset(memory, 0, 1000));
    CHECK_CALL(cached.DeviceFree(memory));
    CHECK_CALL(cached.DeviceAllocate(&again, 900));
    CHECK_THAT(again == memory);
    CHECK_CALL(cached.DeviceFree(again));
}

int main()
{
    static_assert(cub::DivideAndRoundUp(7, 2) == 4, "");
    CHECK_THAT(cub::Min()(3, 4) == 3 && cub::Difference()(3, 4) == -1 && cub::Equality()(3, 3) && cub::Inequality()(3, 4));
    check_positions();
    iterators(numbers(N, 601));
    allocator();
    puts("PASSED");
}
