// Counts bytes: each block in shared memory first.
#include <stdio.h>

#define NUM_BINS 256
#define CUDA_CHECK(ans)                                                                            \
    {                                                                                              \
        gpuAssert((ans), __FILE__, __LINE__);                                                      \
    }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort)
            exit(code);
    }
}

__global__ void histogram(unsigned char *buffer, long size, unsigned int *histo)
{
    __shared__ unsigned int temp[NUM_BINS];
    temp[threadIdx.x] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&temp[buffer[i]], 1);
        i += stride;
    }
    __syncthreads();
    atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}

int main()
{
    const long size = 20000;
    static unsigned char data[size];
    unsigned int expected[NUM_BINS] = {0}, found[NUM_BINS];
    for (long i = 0; i < size; i++) {
        data[i] = (unsigned char)(i * i / 7);
        expected[data[i]]++;
    }
    unsigned char *dev_buffer;
    unsigned int *dev_histo;
    CUDA_CHECK(cudaMalloc((void **)&dev_buffer, size));
    CUDA_CHECK(cudaMemcpy(dev_buffer, data, size, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMalloc((void **)&dev_histo, NUM_BINS * sizeof(int)));
    CUDA_CHECK(cudaMemset(dev_histo, 0, NUM_BINS * sizeof(int)));
    cudaDeviceProp prop;
    CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
    int blocks = prop.multiProcessorCount < 8 ? prop.multiProcessorCount : 8;
    histogram<<<blocks * 2, 256>>>(dev_buffer, size, dev_histo);
    CUDA_CHECK(cudaPeekAtLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(found, dev_histo, sizeof found, cudaMemcpyDeviceToHost));
    for (int i = 0; i < NUM_BINS; i++)
        if (found[i] != expected[i]) {
            printf("wrong: bin %d\n", i);
            return 1;
        }
    printf("PASSED\n");
}
