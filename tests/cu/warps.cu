// warps.cu - what lanes of a warp or a block find out from each other: shuffles, votes, matches,
// reductions, barriers that count.
#include "check.h"

#define ALL 0xffffffffu

template <typename T> __global__ void shuffles(T *out)
{
    int lane = threadIdx.x;
    T mine = (T)(lane * 3 + 1);
    out[lane] = __shfl_sync(ALL, mine, 5);
    out[32 + lane] = __shfl_up_sync(ALL, mine, 1);
    out[64 + lane] = __shfl_down_sync(ALL, mine, 2, 8);
    out[96 + lane] = __shfl_xor_sync(ALL, mine, 16);
}

template <typename T> void check_shuffles()
{
    T host[128], *device;
    CHECK_CALL(cudaMalloc((void **)&device, sizeof host));
    shuffles<T><<<1, 32>>>(device);
    CHECK_CALL(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) {
        CHECK_THAT(host[i] == (T)16);
        CHECK_THAT(host[32 + i] == (T)((i ? i - 1 : 0) * 3 + 1));
        CHECK_THAT(host[64 + i] == (T)((i % 8 < 6 ? i + 2 : i) * 3 + 1));
        CHECK_THAT(host[96 + i] == (T)((i ^ 16) * 3 + 1));
    }
    CHECK_CALL(cudaFree(device));
}

__inline__ __device__ int warp_sum(int value)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(ALL, value, offset);
    return value;
}

__global__ void votes(unsigned *out)
{
    unsigned lane = threadIdx.x;
    unsigned even = __ballot_sync(ALL, lane % 2 == 0);
    int any = __any_sync(ALL, lane == 31), all = __all_sync(ALL, lane < 31);
    unsigned same = __match_any_sync(ALL, lane / 8);
    int agree;
    __match_all_sync(ALL, 5, &agree);
    unsigned sum = __reduce_add_sync(ALL, lane), most = __reduce_max_sync(ALL, lane);
    int least = __reduce_min_sync(ALL, -(int)lane), bits = __reduce_or_sync(ALL, 1 << lane % 4);
    int total = warp_sum((int)lane);
    __syncwarp();
    if (lane < 4)
        out[10] = __activemask();
    if (lane == 9) {
        out[0] = even;
        out[1] = any;
        out[2] = all;
        out[3] = same;
        out[4] = agree;
        out[5] = sum;
        out[6] = most;
        out[7] = (unsigned)-least;
        out[8] = (unsigned)bits;
    }
    if (lane == 0)
        out[9] = (unsigned)total;
}

__global__ void barriers(int *out)
{
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        int count = __syncthreads_count(t % 3 == i);
        int any = __syncthreads_or(t == 64 + i), all = __syncthreads_and(t >= i);
        if (t == 95) {
            out[3 * i] = count;
            out[3 * i + 1] = any;
            out[3 * i + 2] = all;
        }
    }
}

int main()
{
    check_shuffles<int>();
    check_shuffles<unsigned>();
    check_shuffles<long long>();
    check_shuffles<unsigned long long>();
    check_shuffles<float>();
    check_shuffles<double>();

    unsigned *v, found[11];
    CHECK_CALL(cudaMalloc(&v, sizeof found));
    votes<<<1, 32>>>(v);
    CHECK_CALL(cudaMemcpy(found, v, sizeof found, cudaMemcpyDeviceToHost));
    const unsigned expected[] = {0x55555555, 1, 0, 0xff00, 1, 496, 31, 31, 15, 496, 15};
    for (int i = 0; i < 11; i++)
        CHECK_THAT(found[i] == expected[i]);

    int *b, counts[9];
    CHECK_CALL(cudaMalloc(&b, sizeof counts));
    barriers<<<1, 96>>>(b);
    CHECK_CALL(cudaMemcpy(counts, b, sizeof counts, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; i++)
        CHECK_THAT(counts[3 * i] == 32 && counts[3 * i + 1] == 1 && counts[3 * i + 2] == (i == 0));
    printf("PASSED\n");
}
