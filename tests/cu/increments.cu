// increments.cu - additions to 4-byte words: which of them are ATOMS.POPC.INC or RED of the constant 1 to nvcc. The
// comment behind each says what it is (tests/cu_increments.py); functions say it at their own line.
#include "check.h"

__device__ __forceinline__ void bump(int *p, int v) { atomicAdd(p, v); } // increment
__device__ void bump_by(int *p, int v) { atomicAdd(p, v); } // plain
__device__ int fetch(int *p, int v)
{
    return atomicAdd(p, v); // increment and plain
}
template <class T> __device__ T fetch_any(T *p, T v)
{
    return atomicAdd(p, v); // increment
}

__global__ void all(int *out, int one, int never)
{
    __shared__ int s[64];
    __shared__ unsigned u[64];
    __shared__ unsigned long long wide[2];
    __shared__ float f[2];
    const int t = threadIdx.x, w = t % 4 * 16;
    s[t] = s[t + 32] = 0;
    u[t] = u[t + 32] = 0;
    wide[t % 2] = 0;
    f[t % 2] = 0;
    __syncthreads();
    atomicAdd(&s[w], 1); // increment
    atomicAdd(&u[w], 1u); // increment
    (void)atomicAdd(&s[w], 1); // increment
    atomicAdd_block(&u[w], 1u); // increment
    atomicAdd_system(&s[w], 1); // increment
    if (t < 10)
        atomicAdd(&s[w], 1); // increment
    if (t & 1)
        atomicAdd(&s[w], 1); // increment
    else
        atomicAdd(&s[w + 1], // increment
                  1);
    for (int i = 0; i < 3; i++)
        atomicAdd(&s[w + i], 1); // increment
    bump(&s[w], 1);
    fetch(&s[w], 1);
    fetch_any(&s[w], 1);
    out[t] = atomicAdd(&s[w], 1); // plain
    int old = atomicAdd(&s[w], 1); // plain
    if (never)
        out[t] += old;
    out[t] += one ? atomicAdd(&s[w], 1) : 0; // plain
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += atomicAdd(&s[w], 1); // plain
    out[t] += sum + atomicAdd(&s[w], 1) + (int)atomicAdd(&u[w], 1u); // plain
    if (fetch(&s[w], 1) > 1000)
        out[t]++;
    bump_by(&s[w], one + 1);
    atomicAdd(&s[w], one); // plain
    atomicAdd(&s[w], 2); // plain
    atomicAdd(&s[w], -1); // plain
    atomicSub(&s[w], 1); // plain
    atomicAdd(&wide[t % 2], 1ull); // plain
    atomicAdd(&f[t % 2], 1.0f); // plain
    atomicAdd(&out[32 + t % 2], 1); // increment
    __syncthreads();
    if (t == 0)
        out[34] = s[0] + s[1] + s[2];
}

int main()
{
    int *device, host[64];
    CHECK_CALL(cudaMalloc(&device, sizeof host));
    CHECK_CALL(cudaMemset(device, 0, sizeof host));
    all<<<1, 32>>>(device, 1, 0);
    CHECK_CALL(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_THAT(host[32] == 16 && host[33] == 16);
    // Eight lanes have word 0, three of them below 10 and none of them odd: 3 times 8 and 3 in front of the loop, 8 by
    // the branch, 24 in the loop, 24 by functions, 8 + 8 + 8 + 24 + 8 + 8 with results, 16 + 8 + 16 - 8 - 8.
    CHECK_THAT(host[34] == 27 + 8 + 24 + 24 + 64 + 24);
    printf("PASSED\n");
}
