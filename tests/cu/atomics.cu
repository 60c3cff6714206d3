// atomics.cu - every atomic function: what it returns, what it leaves, and which function a call means.
#include "check.h"

// A program's own atomicAdd for double is the one that is called, as before sm_60.
__device__ int own_calls;
__device__ double atomicAdd(double *address, double value)
{
    atomicAdd(&own_calls, 1);
    unsigned long long *bits = (unsigned long long *)address, old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(value + __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}

static __inline__ __device__ float atomicMax(float *address, float value)
{
    int *bits = (int *)address, old = *bits;
    while (__int_as_float(old) < value) {
        int seen = old;
        old = atomicCAS(bits, seen, __float_as_int(value));
        if (old == seen)
            break;
    }
    return __int_as_float(old);
}

struct totals {
    int sum, difference, least, most, both, either, one_of, last;
    unsigned up, down, unsigned_sum;
    unsigned long long wide, wide_max;
    long long signed_min;
    float f, f_max;
    double d;
};

__global__ void all(totals *t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&t->sum, i);
    atomicSub(&t->difference, 1);
    atomicMin(&t->least, -i);
    atomicMax(&t->most, i);
    atomicAnd(&t->both, ~(1 << i % 8));
    atomicOr(&t->either, 1 << i % 32);
    atomicXor(&t->one_of, i);
    atomicExch(&t->last, 7);
    atomicInc(&t->up, 9);
    atomicDec(&t->down, 9);
    atomicAdd(&t->unsigned_sum, 1);
    atomicAdd(&t->wide, 1ull << 33);
    atomicMax(&t->wide_max, (unsigned long long)i);
    atomicMin(&t->signed_min, (long long)-i);
    atomicAdd(&t->f, 0.5f);
    atomicMax(&t->f_max, (float)i);
    atomicAdd(&t->d, 0.25);
}

__global__ void scopes(int *p)
{
    atomicAdd_block(p, 2);
    atomicAdd_system(p + 1, 3);
    atomicCAS_block(p + 2, 0, 5);
}

__global__ void tickets(unsigned *next, int *taken)
{
    taken[atomicAdd(next, 1u)]++;
}

// A lock that lanes of one warp take one after another.
__global__ void locked(int *lock, int *counter)
{
    bool waits = true;
    while (waits) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile int *)counter += 1;
            __threadfence();
            atomicExch(lock, 0);
            waits = false;
        }
    }
}

__global__ void in_shared(int *out)
{
    __shared__ int count[4];
    if (threadIdx.x < 4)
        count[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&count[threadIdx.x % 4], 1);
    __syncthreads();
    if (threadIdx.x < 4)
        out[threadIdx.x] = count[threadIdx.x];
}

int main()
{
    totals host = {}, *device;
    host.both = -1;
    CHECK_CALL(cudaMalloc(&device, sizeof host));
    CHECK_CALL(cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice));
    all<<<2, 64>>>(device);
    CHECK_CALL(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_THAT(host.sum == 127 * 128 / 2 && host.difference == -128);
    CHECK_THAT(host.least == -127 && host.most == 127 && host.last == 7);
    CHECK_THAT(host.both == ~0xff && host.either == -1 && host.one_of == 0);
    CHECK_THAT(host.up == 128 % 10 && host.down == 2);
    CHECK_THAT(host.unsigned_sum == 128 && host.wide == 128ull << 33 && host.wide_max == 127);
    CHECK_THAT(host.signed_min == -127 && host.f == 64.0f && host.f_max == 127.0f);
    CHECK_THAT(host.d == 32.0);
    int calls;
    CHECK_CALL(cudaMemcpyFromSymbol(&calls, own_calls, sizeof calls));
    CHECK_THAT(calls == 128);

    int *p, h[128] = {0};
    CHECK_CALL(cudaMalloc(&p, sizeof h));
    CHECK_CALL(cudaMemset(p, 0, sizeof h));
    scopes<<<1, 32>>>(p);
    CHECK_CALL(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    CHECK_THAT(h[0] == 64 && h[1] == 96 && h[2] == 5);

    unsigned *next;
    CHECK_CALL(cudaMallocManaged(&next, sizeof *next));
    *next = 0;
    CHECK_CALL(cudaMemset(p, 0, sizeof h));
    tickets<<<4, 32>>>(next, p);
    CHECK_CALL(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    CHECK_THAT(*next == 128);
    for (int i = 0; i < 128; i++)
        CHECK_THAT(h[i] == 1);

    CHECK_CALL(cudaMemset(p, 0, sizeof h));
    locked<<<3, 32>>>(p, p + 1);
    in_shared<<<1, 96>>>(p + 2);
    CHECK_CALL(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    CHECK_THAT(h[0] == 0 && h[1] == 96 && h[2] == 24 && h[5] == 24);
    printf("PASSED\n");
}
