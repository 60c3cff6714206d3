/* runtime_kernels_work.c - kernels for the tests of work: the compiler cannot change, move or drop
 * the instructions that are counted, and every kernel of a kind is compiled alike. */
#include "runtime_kernels.h"

#include "runtime_host.h"

#define TEN(text) text text text text text text text text text text
#if defined(__x86_64__)
#define ADDS() __asm__ volatile(TEN("addl $1, %0\n\t") : "+r"(x)::"cc", "memory")
#define NOPS() __asm__ volatile(TEN("nop\n\t") "nopw 8(%%rax,%%rax)" ::: "memory")
#define DIVISION() __asm__ volatile("divl %1" : "+a"(x) : "r"(3), "d"(0) : "cc", "memory")
#define SQUARE_ROOT() __asm__ volatile("sqrtss %%xmm1, %%xmm0" ::: "xmm0", "memory")
#else
#define ADDS() __asm__ volatile(TEN("add %w0, %w0, #1\n\t") : "+r"(x)::"memory")
#define NOPS() __asm__ volatile(TEN("nop\n\t")::: "memory")
#define DIVISION() __asm__ volatile("udiv %w0, %w0, %w1" : "+r"(x) : "r"(3) : "memory")
#define SQUARE_ROOT() __asm__ volatile("fsqrt s0, s1" ::: "v0", "memory")
#endif

/* One of them, on a variable that is in a register before and after. */
#define EXTRA(extra)                                                                               \
    int x = 1;                                                                                     \
    __asm__ volatile("" : "+r"(x)::"memory");                                                      \
    if (extra == EXTRA_ADDS)                                                                       \
        ADDS();                                                                                    \
    if (extra == EXTRA_NOPS)                                                                       \
        NOPS();                                                                                    \
    if (extra == EXTRA_DIVISION)                                                                   \
        DIVISION();                                                                                \
    if (extra == EXTRA_SQUARE_ROOT)                                                                \
        SQUARE_ROOT();                                                                             \
    __asm__ volatile("" : "+r"(x)::"memory")

#define EXTRA_KERNELS(name, extra)                                                                 \
    __global__ void extraBeforeStore##name(int *out)                                               \
    {                                                                                              \
        out[threadIdx.x] = 1;                                                                      \
        EXTRA(extra);                                                                              \
        out[threadIdx.x] = 2;                                                                      \
    }                                                                                              \
    KERNEL_LAUNCHER(extraBeforeStore##name, int *)                                                 \
    HOST_OUTPUT(extraBeforeStore##name, int, 1)                                                    \
    __global__ void extraBeforeBarrier##name(int *out)                                             \
    {                                                                                              \
        out[threadIdx.x] = 1;                                                                      \
        EXTRA(extra);                                                                              \
        __syncthreads();                                                                           \
        out[threadIdx.x] = 2;                                                                      \
    }                                                                                              \
    KERNEL_LAUNCHER(extraBeforeBarrier##name, int *)                                               \
    HOST_OUTPUT(extraBeforeBarrier##name, int, 1)                                                  \
    __global__ void extraBeforeEnd##name(int *out)                                                 \
    {                                                                                              \
        out[threadIdx.x] = 1;                                                                      \
        EXTRA(extra);                                                                              \
    }                                                                                              \
    KERNEL_LAUNCHER(extraBeforeEnd##name, int *)                                                   \
    HOST_OUTPUT(extraBeforeEnd##name, int, 1)
RUNTIME_EXTRAS(EXTRA_KERNELS)

/* Kernels with a loop or a branch get n as an argument. */
#define HOST_COUNTED(name)                                                                         \
    KERNEL_LAUNCHER(name, int *, int)                                                              \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        int *out;                                                                                  \
        cudaMalloc(&out, 64 * sizeof(int));                                                        \
        launch_##name(host_grid(args), host_block(args), 0, out, args->n);                         \
    }

__global__ void quietLoop(int *out, int n)
{
    int x = 0;
    for (int i = 0; i < n; i++)
        ADDS();
    out[threadIdx.x] = x;
}
HOST_COUNTED(quietLoop)

__global__ void unevenLoop(int *out, int n)
{
    int x = 0, trips = threadIdx.x < (n > EVEN_TRIPS ? 32 : 16) ? n % EVEN_TRIPS : 1;
    for (int i = 0; i < trips; i++)
        ADDS();
    out[threadIdx.x] = x;
}
HOST_COUNTED(unevenLoop)

__global__ void twoSides(int *out, int n)
{
    int x = 0, t = threadIdx.x;
    ADDS();
    if (t < n) {
        ADDS();
        ADDS();
        out[t] = x;
        DISTINCT();
    } else {
        ADDS();
        out[t + 32] = x;
        DISTINCT();
    }
}
HOST_COUNTED(twoSides)

__global__ void skippedSide(int *out, int n)
{
    int x = 0, t = threadIdx.x;
    ADDS();
    if (t < n)
        out[t] = x;
    out[t + 32] = x;
}
HOST_COUNTED(skippedSide)
