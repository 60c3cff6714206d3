// Prefix sums: Blelloch's scan in blocks, then the blocks' sums are scanned and added.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#define THREADS 128
#define ELEMENTS (2 * THREADS)

__global__ void prescan(int *out, const int *in, int *sums, int n)
{
    extern __shared__ int temp[];
    int thid = threadIdx.x, base = blockIdx.x * ELEMENTS, offset = 1;
    temp[2 * thid] = base + 2 * thid < n ? in[base + 2 * thid] : 0;
    temp[2 * thid + 1] = base + 2 * thid + 1 < n ? in[base + 2 * thid + 1] : 0;
    for (int d = ELEMENTS >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) {
        if (sums)
            sums[blockIdx.x] = temp[ELEMENTS - 1];
        temp[ELEMENTS - 1] = 0;
    }
    for (int d = 1; d < ELEMENTS; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    if (base + 2 * thid < n)
        out[base + 2 * thid] = temp[2 * thid];
    if (base + 2 * thid + 1 < n)
        out[base + 2 * thid + 1] = temp[2 * thid + 1];
}

__global__ void addSums(int *out, const int *sums, int n)
{
    int i = blockIdx.x * ELEMENTS + threadIdx.x;
    for (int k = 0; k < 2; k++, i += THREADS)
        if (i < n)
            out[i] += sums[blockIdx.x];
}

int main()
{
    const int n = 3000, blocks = (n + ELEMENTS - 1) / ELEMENTS;
    int h[n], found[n], *d_in, *d_out, *d_sums, *d_scanned;
    for (int i = 0; i < n; i++)
        h[i] = rand() % 100;
    cudaMalloc(&d_in, sizeof h);
    cudaMalloc(&d_out, sizeof h);
    cudaMalloc(&d_sums, blocks * sizeof(int));
    cudaMalloc(&d_scanned, blocks * sizeof(int));
    cudaMemcpy(d_in, h, sizeof h, cudaMemcpyHostToDevice);
    prescan<<<blocks, THREADS, ELEMENTS * sizeof(int)>>>(d_out, d_in, d_sums, n);
    prescan<<<1, THREADS, ELEMENTS * sizeof(int)>>>(d_scanned, d_sums, NULL, blocks);
    addSums<<<blocks, THREADS>>>(d_out, d_scanned, n);
    cudaMemcpy(found, d_out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < n; sum += h[i++])
        if (found[i] != sum) {
            printf("FAILED at %d: %d, not %d\n", i, found[i], sum);
            return 1;
        }
    printf("PASSED\n");
    return 0;
}
