// check: sm_60 nothing
// check: sm_90 nothing
// Every thread takes the lock for itself, in a loop that all lanes of its warp are in: one lane at a time is behind it.
#include <cstdio>

__device__ int lock, total;

__global__ void add_up(const int *values)
{
    int mine = values[threadIdx.x];
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            total += mine;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}

int main()
{
    int *values, host[64], sum = 0;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&values, sizeof host);
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    add_up<<<1, 64>>>(values);
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    printf("%d\n", sum);
    return 0;
}
