// nv_atomics.cu - nvcc's atomic loads and stores: their values, and that lanes of a warp see what those before them have stored.
#include "check.h"

struct pair { short a, b; };

__global__ void k(int *x, double *y, unsigned char *z, pair *p)
{
    __nv_atomic_store_n(x + threadIdx.x, __nv_atomic_load_n(x, __NV_ATOMIC_ACQUIRE) + (int)threadIdx.x, __NV_ATOMIC_RELAXED,
                        __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_store_n(y, 2.5, __NV_ATOMIC_RELEASE);
    y[1] = __nv_atomic_load_n(y, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) + 1;
    __nv_atomic_store_n(z, 200, __NV_ATOMIC_SEQ_CST);
    const pair old = __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED);
    __nv_atomic_store_n(p + 1, pair{old.b, old.a}, __NV_ATOMIC_RELAXED);
}

int main()
{
    int *x;
    double *y;
    unsigned char *z;
    pair *p;
    CHECK_CALL(cudaMallocManaged(&x, 128));
    CHECK_CALL(cudaMallocManaged(&y, 16));
    CHECK_CALL(cudaMallocManaged(&z, 1));
    CHECK_CALL(cudaMallocManaged(&p, 2 * sizeof *p));
    x[0] = 7;
    p[0] = {3, 4};
    k<<<1, 32>>>(x, y, z, p);
    CHECK_CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        CHECK_THAT(x[i] == 7 + i);
    CHECK_THAT(y[0] == 2.5 && y[1] == 3.5 && *z == 200 && p[1].a == 4 && p[1].b == 3);
    printf("PASSED\n");
}
