// Sums an array: template parameters give the block size and type, so that the loop is unrolled.
#include <cstdio>
#include <cstdlib>

template <class T> struct SharedMemory {
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};

template <class T, unsigned int blockSize> __global__ void reduce(const T *g_in, T *g_out, unsigned n)
{
    T *sdata = SharedMemory<T>();
    unsigned tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid;
    unsigned gridSize = blockSize * 2 * gridDim.x;
    T sum = 0;
    while (i < n) {
        sum += g_in[i];
        if (i + blockSize < n)
            sum += g_in[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = sum;
    __syncthreads();
    if (blockSize >= 256) {
        if (tid < 128)
            sdata[tid] = sum = sum + sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            sdata[tid] = sum = sum + sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        volatile T *smem = sdata;
        smem[tid] = sum = sum + smem[tid + 32];
        smem[tid] = sum = sum + smem[tid + 16];
        smem[tid] = sum = sum + smem[tid + 8];
        smem[tid] = sum = sum + smem[tid + 4];
        smem[tid] = sum = sum + smem[tid + 2];
        smem[tid] = sum = sum + smem[tid + 1];
    }
    if (tid == 0)
        g_out[blockIdx.x] = sdata[0];
}

template <class T> bool run(int n, int threads, int blocks)
{
    T *h = (T *)malloc(n * sizeof(T)), *partial = (T *)malloc(blocks * sizeof(T)), expected = 0;
    for (int i = 0; i < n; i++) {
        h[i] = (T)(i % 10);
        expected += h[i];
    }
    T *d_in, *d_out;
    cudaMalloc((void **)&d_in, n * sizeof(T));
    cudaMalloc((void **)&d_out, blocks * sizeof(T));
    cudaMemcpy(d_in, h, n * sizeof(T), cudaMemcpyHostToDevice);
    int smem = threads * sizeof(T);
    switch (threads) {
    case 256:
        reduce<T, 256><<<blocks, threads, smem>>>(d_in, d_out, n);
        break;
    case 128:
        reduce<T, 128><<<blocks, threads, smem>>>(d_in, d_out, n);
        break;
    case 64:
        reduce<T, 64><<<blocks, threads, smem>>>(d_in, d_out, n);
        break;
    }
    cudaMemcpy(partial, d_out, blocks * sizeof(T), cudaMemcpyDeviceToHost);
    T total = 0;
    for (int i = 0; i < blocks; i++)
        total += partial[i];
    cudaFree(d_in);
    cudaFree(d_out);
    free(h);
    free(partial);
    return total == expected;
}

int main(int argc, char **argv)
{
    bool ok = true;
    for (int threads = 64; threads <= 256; threads *= 2) {
        ok = ok && run<int>(10000, threads, 8);
        ok = ok && run<double>(5001, threads, 3);
    }
    printf("%s\n", ok ? "PASSED" : "FAILED");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
