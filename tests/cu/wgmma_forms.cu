/* wgmma_forms.cu - products of a warpgroup whose results show what stands in the instruction: sums of integers that end at the ends of their range or go
 * round, scale-d as a number, a predicate of several instructions, and a D that is rounded once to half.
 */
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include "check.h"

#define D4 "{%0, %1, %2, %3}"
#define OUT4(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define WAIT "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
#define INTEGERS(types, d, a, b)                                                                                        \
    asm volatile("wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k32." types " " D4 ", %4, %5, 1;" WAIT      \
                 : OUT4(d) : "l"(a), "l"(b))

/* Rows without a swizzle: units of a row `leading` apart. */
static __device__ uint64_t describe(const void *matrix, int leading)
{
    return (uint64_t)(uint32_t)__cvta_generic_to_shared(matrix) >> 4 | (uint64_t)(leading >> 4) << 16 | (uint64_t)(128 >> 4) << 32;
}

__global__ void integers(int *out)
{
    __shared__ alignas(128) unsigned char a[64 * 32], b[8 * 32];
    for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x)
        a[i] = b[i % (8 * 32)] = 100;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const uint64_t of_a = describe(a, 1024), of_b = describe(b, 128);
    int d[4] = {INT_MAX, 5, INT_MAX - 320000, 0}, e[4] = {INT_MAX, 5, INT_MAX - 320000, 0}, f[4] = {INT_MAX, 5, INT_MAX - 320000, 0};
    INTEGERS("s32.s8.u8", d, of_a, of_b);
    INTEGERS("s32.s8.u8.satfinite", e, of_a, of_b);
    INTEGERS("satfinite.s32.u8.s8", f, of_a, of_b);
    for (int i = 0; i < 4; i++)
        out[12 * threadIdx.x + i] = d[i], out[12 * threadIdx.x + 4 + i] = e[i], out[12 * threadIdx.x + 8 + i] = f[i];
}

/* 2048 + 16 x 1, in halves: 2048 + 1 is 2048. */
__global__ void halves(uint32_t *out, int adds)
{
    __shared__ alignas(128) half a[64 * 16], b[8 * 16];
    for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x)
        a[i] = b[i % (8 * 16)] = (half)1.0f;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    uint32_t d[2] = {0x68006800, 0x68006800};
    asm volatile("{\n.reg .pred p, q;\n"
                 "setp.ne.b32 q, %4, 0;\n"
                 "not.pred p, q;\n"
                 "not.pred p, p;\n"
                 "wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, p, 1, 1, 0, 0;\n"
                 WAIT "\n}"
                 : "+r"(d[0]), "+r"(d[1])
                 : "l"(describe(a, 1024)), "l"(describe(b, 128)), "r"(adds));
    out[2 * threadIdx.x] = d[0];
    out[2 * threadIdx.x + 1] = d[1];
}

int main()
{
    enum { THREADS = 256, PRODUCT = 32 * 100 * 100 }; /* two warpgroups */
    static int h[12 * THREADS];
    int *out;
    CHECK_CALL(cudaMalloc(&out, sizeof h));
    integers<<<1, THREADS>>>(out);
    CHECK_CALL(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int t = 0; t < THREADS; t++)
        for (int form = 0; form < 3; form++) {
            const int *d = &h[12 * t + 4 * form];
            CHECK_THAT(d[0] == (form ? INT_MAX : (int)((unsigned)INT_MAX + PRODUCT)));
            CHECK_THAT(d[1] == PRODUCT + 5 && d[2] == INT_MAX && d[3] == PRODUCT);
        }
    for (int adds = 0; adds < 2; adds++) {
        halves<<<1, THREADS>>>((uint32_t *)out, adds);
        CHECK_CALL(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 2 * THREADS; i++)
            CHECK_THAT(h[i] == (adds ? 0x68086808 : 0x4c004c00)); /* 2064, 16 */
    }
    puts("PASSED");
    return 0;
}
