// lanes.cu - threads that return before a barrier, print, assert; and shared memory of several kinds.
#include <assert.h>

#include "check.h"

__global__ void prints(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    printf("first %d\n", i);
    printf("second %d: %.2f %s\n", i, i * 0.5, i % 2 ? "odd" : "even");
}

__global__ void leave_early(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t >= n)
        return;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[n - 1 - t];
}

extern __shared__ unsigned char raw[];
__global__ void two_arrays(float *out, int n)
{
    float *floats = (float *)raw;
    int *ints = (int *)&floats[n];
    int t = threadIdx.x;
    floats[t] = t * 0.5f;
    ints[t] = t * 2;
    __syncthreads();
    out[t] = floats[n - 1 - t] + ints[n - 1 - t];
}

template <typename T> __global__ void typed(T *out)
{
    __shared__ T tile[2][32];
    int t = threadIdx.x;
    tile[t / 32][t % 32] = (T)t;
    __syncthreads();
    assert(tile[1][31] == (T)63);
    out[t] = tile[1 - t / 32][t % 32];
}

__global__ void clocks(long long *out)
{
    clock_t start = clock();
    long long wide = clock64();
    out[1] = 5;
    out[0] = clock() > start && clock64() > wide;
}

int main()
{
    prints<<<2, 2>>>(3);
    CHECK_CALL(cudaDeviceSynchronize());
    int host[64], *in, *out;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    CHECK_CALL(cudaMalloc(&in, sizeof host));
    CHECK_CALL(cudaMalloc(&out, sizeof host));
    CHECK_CALL(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    leave_early<<<1, 64>>>(in, out, 40);
    CHECK_CALL(cudaMemcpy(host, out, 40 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK_THAT(host[0] == 39 && host[39] == 0);

    float *f, host_f[64];
    CHECK_CALL(cudaMalloc(&f, sizeof host_f));
    two_arrays<<<1, 64, 64 * (sizeof(float) + sizeof(int))>>>(f, 64);
    CHECK_CALL(cudaMemcpy(host_f, f, sizeof host_f, cudaMemcpyDeviceToHost));
    CHECK_THAT(host_f[0] == 63 * 2.5f && host_f[63] == 0);

    double *d, host_d[64];
    CHECK_CALL(cudaMalloc(&d, sizeof host_d));
    typed<float><<<1, 64>>>(f);
    typed<double><<<1, 64>>>(d);
    CHECK_CALL(cudaMemcpy(host_d, d, sizeof host_d, cudaMemcpyDeviceToHost));
    CHECK_THAT(host_d[0] == 32 && host_d[63] == 31);

    long long *moved, host_moved[2];
    CHECK_CALL(cudaMalloc(&moved, sizeof host_moved));
    clocks<<<1, 1>>>(moved);
    CHECK_CALL(cudaMemcpy(host_moved, moved, sizeof host_moved, cudaMemcpyDeviceToHost));
    CHECK_THAT(host_moved[0] == 1);
    printf("PASSED\n");
}
