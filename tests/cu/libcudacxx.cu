// libcudacxx.cu - do libcu++'s atomic objects, barriers and the names of cuda::std give what they are to give?
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <utility>

#include "check.h"

using device_int = cuda::atomic<int, cuda::thread_scope_device>;
static_assert(sizeof(device_int) == 4 && alignof(cuda::atomic<double>) == 8, "as large as the value");
static_assert(sizeof(cuda::barrier<cuda::thread_scope_block>) == 8, "as on the GPU");
static_assert(cuda::std::is_same<cuda::std::atomic<int>, cuda::atomic<int, cuda::thread_scope_system>>::value, "one type");

__global__ void count(device_int *counters, unsigned *plain, double *sum, int *tickets)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tickets[counters[0].fetch_add(1, cuda::memory_order_relaxed)] = i;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ref(*plain);
    ref.fetch_max((unsigned)i);
    cuda::atomic_ref<double, cuda::thread_scope_system>(*sum).fetch_add(0.5);
    ++counters[1];
    counters[2] += i;
    counters[3].fetch_or(1 << i % 31);
    counters[4].fetch_sub(2);
    int expected = i, wrong = -1;
    if (counters[5].compare_exchange_strong(expected, i + 1)) // of all that meet 0, thread 0 alone
        counters[6] = expected + 100;
    else if (!counters[5].compare_exchange_weak(wrong, 7, cuda::memory_order_acq_rel, cuda::memory_order_acquire))
        counters[7].fetch_min(wrong);
}

// A lock that each lane takes by itself, and a value that is handed from block to block.
__global__ void take_turns(device_int *lock, int *guarded, cuda::atomic<long long> *turn)
{
    while (lock->exchange(1, cuda::memory_order_acquire) != 0)
        ;
    *guarded = *guarded + 1;
    lock->store(0, cuda::memory_order_release);
    if (threadIdx.x == 0) {
        while (turn->load(cuda::memory_order_acquire) != blockIdx.x)
            ;
        turn->store(blockIdx.x + 1);
    }
}

__global__ void reverse_in_steps(int *data, int rounds)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int tile[2][128];
    __shared__ cuda::atomic<int, cuda::thread_scope_block> arrived;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
        arrived = 0;
    }
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        tile[round % 2][threadIdx.x] = data[threadIdx.x] + round;
        auto token = barrier.arrive();
        arrived.fetch_add(1);
        barrier.wait(std::move(token));
        data[threadIdx.x] = tile[round % 2][blockDim.x - 1 - threadIdx.x];
    }
    barrier.arrive_and_wait();
    if (arrived.load() != rounds * (int)blockDim.x)
        data[threadIdx.x] = -1;
}

__global__ void names(cuda::std::array<float, 4> *rows, cuda::std::complex<float> *z, int *most)
{
    cuda::std::array<float, 4> row = rows[threadIdx.x];
    cuda::std::tuple<int, float> pair = cuda::std::make_tuple((int)threadIdx.x, row[1]);
    row[0] = cuda::std::get<0>(pair) + 2 * cuda::std::get<1>(pair);
    rows[threadIdx.x] = row;
    z[threadIdx.x] = z[threadIdx.x] * cuda::std::complex<float>(0, 1);
    if (threadIdx.x == 0)
        *most = cuda::std::numeric_limits<int>::max();
}

template <class T> static T *zeros(size_t count)
{
    T *p;
    CHECK_CALL(cudaMallocManaged(&p, count * sizeof(T)));
    CHECK_CALL(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

int main()
{
    const int n = 4 * 96;
    device_int *counters = zeros<device_int>(8);
    unsigned *plain = zeros<unsigned>(1);
    double *sum = zeros<double>(1);
    int *tickets = zeros<int>(n);
    counters[7] = 1000;
    count<<<4, 96>>>(counters, plain, sum, tickets);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_THAT(counters[0] == n && *plain == n - 1 && *sum == n / 2.0);
    CHECK_THAT(counters[1] == n && counters[2] == n * (n - 1) / 2);
    CHECK_THAT(counters[3] == 0x7fffffff && counters[4] == -2 * n);
    long long all = 0;
    for (int i = 0; i < n; i++)
        all += tickets[i];
    CHECK_THAT(all == (long long)n * (n - 1) / 2);
    // Thread i finds i only if the one before it has been: lanes go in their order, so each does.
    CHECK_THAT(counters[5] == n && counters[6] == n - 1 + 100 && counters[7] == 1000);

    int *guarded = zeros<int>(1);
    auto *turn = zeros<cuda::atomic<long long>>(1);
    take_turns<<<3, 40>>>(zeros<device_int>(1), guarded, turn);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_THAT(*guarded == 120 && turn->load() == 3);

    int *data = zeros<int>(128);
    for (int i = 0; i < 128; i++)
        data[i] = i;
    reverse_in_steps<<<1, 128>>>(data, 3);
    CHECK_CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 128; i++)
        CHECK_THAT(data[i] == 127 - i + 0 + 1 + 2);

    auto *rows = zeros<cuda::std::array<float, 4>>(32);
    auto *z = zeros<cuda::std::complex<float>>(32);
    int *most = zeros<int>(1);
    for (int i = 0; i < 32; i++) {
        rows[i][1] = i / 2.0f;
        z[i] = {(float)i, 1};
    }
    names<<<1, 32>>>(rows, z, most);
    CHECK_CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        CHECK_THAT(rows[i][0] == 2 * i && z[i] == cuda::std::complex<float>(-1, i));
    CHECK_THAT(*most == 0x7fffffff);
    printf("PASSED\n");
}
