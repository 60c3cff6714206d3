// Launches that others depend on: what is not traced still runs, in lockstep, and memory that it writes is written.
#include <cstdio>

__global__ void writes(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void reads(const int *p, int *q) { q[threadIdx.x] = p[threadIdx.x] + 1; }
__global__ void sums(const int *p, int *q)
{
    __shared__ int part[4];
    int v = p[threadIdx.x];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        v += __shfl_down_sync(0xffffffff, v, lanes);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        *q = part[0] + part[1] + part[2] + part[3];
}
__global__ void locks(int *lock, int *sum)
{
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            *sum = *(volatile int *)sum + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}
namespace space { template <class T> __global__ void typed(T *p) { p[threadIdx.x] = 1; } }

int main()
{
    int *p, *q, host[3];
    cudaMalloc(&p, 128 * sizeof *p);
    cudaMalloc(&q, 128 * sizeof *q);
    writes<<<1, 128>>>(p);
    sums<<<1, 128>>>(p, q);
    cudaMemcpy(host, q, sizeof *q, cudaMemcpyDeviceToHost);
    cudaMemset(q, 0, 2 * sizeof *q);
    locks<<<2, 64>>>(q, q + 1);
    cudaMemcpy(host + 1, q + 1, sizeof *q, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 3; i++)
        reads<<<1, 128>>>(p, q);
    cudaMemcpy(host + 2, q + 100, sizeof *q, cudaMemcpyDeviceToHost);
    space::typed<float><<<1, 32>>>((float *)p);
    printf("%d %d %d\n", host[0], host[1], host[2]);
    return !(host[0] == 8128 && host[1] == 128 && host[2] == 101);
}
