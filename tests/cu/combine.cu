// combine.cu - atomics whose lanes nvcc combines, and others: the comment behind each says how many lanes of the warp carry
// it out (tests/cu_combine.py). nvcc 13.0 for sm_90 has it so, but where "here" stands.
#include "check.h"

__device__ int counted;
__device__ float measured;

__global__ void constants(int *c, unsigned *u, int *out)
{
    const int t = threadIdx.x;
    atomicAdd(c, 1); // one
    if (t % 3)
        atomicAdd(c, 1); // one
    out[atomicAdd(c + 1, 1)] = t; // one
    atomicAdd(&c[blockIdx.x], 5); // one
    atomicSub(c, 1); // one
    atomicAdd(u, 3u); // one
    atomicAdd(&counted, 1); // one
}

__global__ void values(int *c, unsigned *u, int *out)
{
    const int t = threadIdx.x;
    atomicAdd(c, t); // one
    out[t] = atomicAdd(c, t); // one
    atomicMax(c, t); // one
    atomicMin(u, 7u * t); // one
    atomicOr(u, 1u << t % 32); // one
    atomicAnd(c, ~t); // one
    atomicXor(c, t); // one
    out[t] += atomicMax(c, t); // all
    out[t] += atomicXor(c, t); // all
}

__global__ void others(int *c, unsigned *u, float *f, double *d, unsigned long long *l)
{
    const int t = threadIdx.x;
    atomicAdd(f, 1.0f); // all
    atomicAdd(&measured, 1.0f); // all
    atomicAdd(d, 1.0); // all
    atomicAdd(l, (unsigned long long)t); // all
    atomicMax(l, (unsigned long long)t); // all
    atomicExch(c, t); // all
    atomicInc(u, 100u); // all
    atomicAdd(&c[t % 1 + 1], 1); // one
    atomicAdd(&c[t / 32], 1); // all
    atomicAdd(&c[c[2] % 4], 1); // all, here: nvcc sees that it is loaded from one address
}

__global__ void shared(int *out, int *c)
{
    __shared__ int sum, rows[4];
    const int t = threadIdx.x;
    if (t < 4)
        rows[t] = sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1); // all: ATOMS.POPC.INC
    const int place = atomicAdd(&sum, 1); // one
    atomicAdd(&rows[2], t); // one
    atomicMax(&rows[1], t); // one
    atomicAdd(&rows[t % 4], t); // all
    __syncthreads();
    out[t] = sum + rows[1] + rows[2] + place;
}

int main()
{
    int *c, *out;
    unsigned *u;
    float *f;
    double *d;
    unsigned long long *l;
    CHECK_CALL(cudaMalloc(&c, 256));
    CHECK_CALL(cudaMalloc(&u, 256));
    CHECK_CALL(cudaMalloc(&out, 4096));
    CHECK_CALL(cudaMalloc(&f, 8));
    CHECK_CALL(cudaMalloc(&d, 8));
    CHECK_CALL(cudaMalloc(&l, 8));
    cudaMemset(c, 0, 256), cudaMemset(u, 0, 256), cudaMemset(out, 0, 4096);
    cudaMemset(f, 0, 8), cudaMemset(d, 0, 8), cudaMemset(l, 0, 8);
    constants<<<2, 64>>>(c, u, out);
    int have[2];
    cudaMemcpy(have, c, sizeof have, cudaMemcpyDeviceToHost);
    CHECK_THAT(have[1] == 128 + 64 * 5);
    values<<<1, 64>>>(c, u, out);
    others<<<1, 64>>>(c, u, f, d, l);
    shared<<<1, 64>>>(out, c);
    int host[64];
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_THAT(host[1] > host[0]); // each has a place of its own
    printf("PASSED\n");
}
