// ptx_memory.cu - accesses by inline PTX: do values go where they should, in vectors, through 32-bit addresses of shared
// memory, atomically, under predicates; what lanes do together; special registers; floating point.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "check.h"

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            *wrong = __LINE__;                                                                     \
    } while (0)

__device__ __forceinline__ unsigned shared_address(const void *p)
{
    unsigned at;
    asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(at) : "l"(p));
    return at;
}

__global__ void vectors(const float4 *in, float4 *out, const unsigned char *bytes, int *wrong)
{
    __shared__ __align__(16) float tile[32 * 4];
    unsigned t = threadIdx.x, at = shared_address(&tile[4 * t]);
    float x, y, z, w;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                 : "l"(in + t));
    asm volatile("st.shared.v2.f32 [%0+8], {%1, %2};" ::"r"(at), "f"(x), "f"(y) : "memory");
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};\n\tbar.sync 0;" ::"r"(at), "f"(z), "f"(w) : "memory");
    EXPECT(tile[4 * (31 - t)] == in[31 - t].z && tile[4 * (31 - t) + 3] == in[31 - t].y);
    unsigned low, high;
    asm volatile("ld.shared.v2.b32 {_, %0}, [%2]; ld.shared.b32 %1, [%2 + 8];"
                 : "=r"(low), "=r"(high)
                 : "r"(at)
                 : "memory");
    asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(out + t), "f"(w), "f"(z), "f"(y), "f"(x)
                 : "memory");
    int narrow, wide;
    short half;
    asm("ld.global.s8 %0, [%1];" : "=r"(narrow) : "l"(bytes + 1));
    asm("ld.u8 %0, [%1+1];" : "=r"(wide) : "l"(bytes));
    asm("ld.global.b16 %0, [%1+2];" : "=h"(half) : "l"(bytes));
    EXPECT(narrow == -2 && wide == 254 && half == (short)0xfbfc);
    EXPECT(low == __float_as_uint(w) && high == __float_as_uint(x));
    unsigned long long packed;
    asm("ld.global.v2.b64 {%0, _}, [%1];" : "=l"(packed) : "l"(in + t));
    EXPECT(packed == ((unsigned long long)__float_as_uint(y) << 32 | __float_as_uint(x)));
}

__global__ void atomics(unsigned *counters, unsigned long long *wide, float *sum, int *wrong)
{
    __shared__ unsigned bins[32];
    unsigned t = threadIdx.x, old, at = shared_address(&bins[t % 4]);
    bins[t] = 0;
    asm volatile("barrier.sync 0;" ::: "memory");
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(t) : "memory");
    asm volatile("atom.global.max.u32 %0, [%1], %2;" : "=r"(old) : "l"(counters), "r"(t) : "memory");
    EXPECT(old <= 31);
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(sum), "f"(0.5f) : "memory");
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 3; @p red.global.or.b32 [%0], %2; }" ::"l"(counters + 1),
                 "r"(t), "r"(1u << t) : "memory");
    unsigned long long was = 1;
    asm volatile("atom.add.acq_rel.gpu.u64 %0, [%1], %2;" : "=l"(was) : "l"(wide), "l"(1ULL << 40) : "memory");
    EXPECT(was == (unsigned long long)t << 40);
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(counters + 2), "r"(t), "r"(t + 1) : "memory");
    asm volatile("atom.global.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(counters + 3) : "memory");
    EXPECT(old <= 9);
    __syncthreads();
    EXPECT(t >= 4 || bins[t] == 8 * t + 4 * 28);
}

__global__ void ordered(unsigned *flag, unsigned *data, int *wrong)
{
    unsigned seen;
    if (threadIdx.x == 0) {
        asm volatile("st.relaxed.gpu.global.u32 [%0], 7;" ::"l"(data) : "memory");
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    }
    __syncwarp();
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    EXPECT(seen == 1);
    asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(seen) : "l"(data) : "memory");
    EXPECT(seen == 7);
    asm volatile("membar.gl; fence.acq_rel.gpu; prefetch.global.L2 [%0];" ::"l"(data) : "memory");
}

__global__ void lanes(int *wrong)
{
    unsigned t = threadIdx.x + blockDim.x * threadIdx.y, lane, warp, got, mask, in_range;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %warpid;" : "=r"(warp));
    EXPECT(lane == t % 32 && warp < 64); // of the SM, on a GPU
    asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 4, 0x1f, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(in_range)
                 : "r"(t));
    EXPECT(got == (lane < 28 ? t + 4 : t) && in_range == (lane < 28));
    // Segments of 8: 0x18 in the mask's place.
    asm volatile("shfl.sync.up.b32 %0, %1, 3, 0x1800, -1;" : "=r"(got) : "r"(t));
    EXPECT(got == (lane % 8 >= 3 ? t - 3 : t));
    asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, -1;" : "=r"(got) : "r"(t));
    EXPECT(got == (t ^ 5));
    asm volatile("shfl.sync.idx.b32 %0, %1, 2, 0x181f, -1;" : "=r"(got) : "r"(t));
    EXPECT(got == t - lane % 8 + 2);
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(mask)
                 : "r"(lane));
    EXPECT(mask == 31);
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 3; vote.ballot.sync.b32 %0, p, -1; vote.any.sync.pred q, p, -1; @q add.u32 %0, %0, 100; }"
                 : "=r"(mask)
                 : "r"(lane));
    EXPECT(mask == 107);
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 3; vote.all.sync.pred q, p, -1; selp.u32 %0, 1, 0, q; }"
                 : "=r"(mask)
                 : "r"(lane));
    EXPECT(mask == 0);
    asm volatile("{ .reg .pred p, q; setp.ge.u32 p, %1, 0; vote.sync.all.pred q, p, -1; selp.u32 %0, 1, 0, q; }"
                 : "=r"(mask)
                 : "r"(lane));
    EXPECT(mask == 1);
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    EXPECT(mask == 0xffffffffu);
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(lane));
    EXPECT(got == 496);
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(lane % 2));
    EXPECT(got == (lane % 2 ? 0xaaaaaaaau : 0x55555555u));
    unsigned lt, le, gt, ge, eq;
    asm("mov.u32 %0, %%lanemask_lt; mov.u32 %1, %%lanemask_le; mov.u32 %2, %%lanemask_gt;"
        "mov.u32 %3, %%lanemask_ge; mov.u32 %4, %%lanemask_eq;"
        : "=r"(lt), "=r"(le), "=r"(gt), "=r"(ge), "=r"(eq));
    for (unsigned i = 0; i < 32; i++)
        EXPECT((lt >> i & 1) == (i < lane) && (le >> i & 1) == (i <= lane) && (gt >> i & 1) == (i > lane) &&
               (ge >> i & 1) == (i >= lane) && (eq >> i & 1) == (i == lane));
    unsigned x, y, nx, bx, gx, sm, sms;
    asm("mov.u32 %0, %%tid.x; mov.u32 %1, %%tid.y; mov.u32 %2, %%ntid.x; mov.u32 %3, %%ctaid.x; mov.u32 %4, %%nctaid.x;"
        : "=r"(x), "=r"(y), "=r"(nx), "=r"(bx), "=r"(gx));
    EXPECT(x == threadIdx.x && y == threadIdx.y && nx == blockDim.x && bx == blockIdx.x && gx == gridDim.x);
    asm volatile("mov.u32 %0, %%smid; mov.u32 %1, %%nsmid;" : "=r"(sm), "=r"(sms));
    EXPECT(sm < sms);
    long long before, after;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(before));
    asm volatile("bar.warp.sync 0xffffffff;");
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
    EXPECT(after > before);
}

__global__ void reals(int *wrong)
{
    float f;
    double d;
    int i;
    unsigned u;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(1.0f + 0x1p-12f), "f"(1.0f + 0x1p-12f), "f"(-1.0f));
    EXPECT(f == 0x1p-11f + 0x1p-24f); // exact: a product rounded before would lose the last bit
    asm("add.rn.ftz.f32 %0, %1, 0f00000001;" : "=f"(f) : "f"(0x1p-149f));
    EXPECT(f == 0.0f);
    asm("add.f32 %0, %1, 0f00000001;" : "=f"(f) : "f"(0x1p-149f));
    EXPECT(f == 0x1p-148f);
    asm("mul.sat.f32 %0, %1, 0f40000000;" : "=f"(f) : "f"(3.0f));
    EXPECT(f == 1.0f);
    asm("min.f32 %0, %1, %2;" : "=f"(f) : "f"(NAN), "f"(2.0f));
    EXPECT(f == 2.0f);
    asm("max.f32 %0, %1, %2;" : "=f"(f) : "f"(-0.0f), "f"(0.0f));
    EXPECT(!signbit(f));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(3.0f));
    EXPECT(f == 8.0f);
    asm("rcp.approx.f32 %0, %1;" : "=f"(f) : "f"(4.0f));
    EXPECT(f == 0.25f);
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(f) : "f"(16.0f));
    EXPECT(f == 0.25f);
    asm("sqrt.rn.f64 %0, %1;" : "=d"(d) : "d"(2.0));
    EXPECT(d == sqrt(2.0));
    asm("lg2.approx.f32 %0, %1;" : "=f"(f) : "f"(1024.0f));
    EXPECT(f == 10.0f);
    asm("tanh.approx.f32 %0, %1;" : "=f"(f) : "f"(100.0f));
    EXPECT(f == 1.0f);
    asm("abs.f32 %0, %1;" : "=f"(f) : "f"(-2.5f));
    EXPECT(f == 2.5f);
    asm("{ .reg .pred p; setp.ltu.f32 p, %1, 0f00000000; selp.u32 %0, 1, 0, p; }" : "=r"(u) : "f"(NAN));
    EXPECT(u == 1);
    asm("{ .reg .pred p; setp.ne.f32 p, %1, 0f00000000; selp.u32 %0, 1, 0, p; }" : "=r"(u) : "f"(NAN));
    EXPECT(u == 0);
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(2.5f));
    EXPECT(i == 2);
    asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.5f));
    EXPECT(i == -3);
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(u) : "f"(-7.0f));
    EXPECT(u == 0);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(NAN));
    EXPECT(i == 0);
    asm("cvt.rzi.s32.f64 %0, %1;" : "=r"(i) : "d"((double)NAN));
    EXPECT(i == INT_MIN);
    asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(u) : "f"(300.0f));
    EXPECT(u == 255);
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(16777217));
    EXPECT(f == 16777216.0f);
    asm("cvt.rz.f32.f64 %0, %1;" : "=f"(f) : "d"(1.0 + 0x1.8p-23));
    EXPECT(f == 1.0f + 0x1p-23f);
    asm("cvt.rp.f32.f64 %0, %1;" : "=f"(f) : "d"(1.0 + 0x1p-30));
    EXPECT(f == 1.0f + 0x1p-23f);
    asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(f) : "f"(2.25f));
    EXPECT(f == 3.0f);
    asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(0.1f));
    EXPECT(d == (double)0.1f);
    asm("mov.b32 %0, %1;" : "=r"(u) : "f"(1.0f));
    EXPECT(u == 0x3f800000);
    asm("mov.f64 %0, 0d3FF0000000000000;" : "=d"(d));
    EXPECT(d == 1.0);
}

// Spaces, both ways, and a branch on the host's side of a function for both.
__global__ void spaces(int *p, int *wrong)
{
    __shared__ int s[2];
    unsigned is;
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(s));
    EXPECT(is == 1 && __isShared(s) && !__isGlobal(s));
    asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));
    EXPECT(is == 1 && __isGlobal(p) && !__isShared(p));
    int *generic;
    asm("{ .reg .u64 a; cvt.u64.u32 a, %1; cvta.shared.u64 %0, a; }" : "=l"(generic) : "r"(shared_address(s + 1)));
    EXPECT(generic == s + 1);
    EXPECT(__cvta_shared_to_generic(__cvta_generic_to_shared(s)) == s);
}

static int *wrong;
static void check(const char *kernel)
{
    int line;
    CHECK_CALL(cudaMemcpy(&line, wrong, sizeof line, cudaMemcpyDeviceToHost));
    if (line) {
        printf("FAILED: %s, line %d\n", kernel, line);
        exit(1);
    }
}

int main()
{
    float4 *in, *out, host[32], back[32];
    unsigned char bytes[4] = {255, 254, 0xfc, 0xfb}, *device_bytes;
    unsigned *counters, host_counters[4] = {0, 0, 5, 0};
    unsigned long long *wide, host_wide = 0;
    float *sum, host_sum = 0;
    for (int i = 0; i < 32; i++)
        host[i] = make_float4(i + 0.5f, i + 100, -i, 3 * i);
    cudaMalloc(&in, sizeof host), cudaMalloc(&out, sizeof host), cudaMalloc(&device_bytes, 4);
    cudaMalloc(&counters, sizeof host_counters), cudaMalloc(&wide, 8), cudaMalloc(&sum, 4), cudaMalloc(&wrong, 4);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(device_bytes, bytes, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(counters, host_counters, sizeof host_counters, cudaMemcpyHostToDevice);
    cudaMemset(wide, 0, 8), cudaMemset(sum, 0, 4), cudaMemset(wrong, 0, 4);

    vectors<<<1, 32>>>(in, out, device_bytes, wrong);
    check("vectors");
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        CHECK_THAT(back[i].x == host[i].w && back[i].y == host[i].z && back[i].z == host[i].y && back[i].w == host[i].x);

    atomics<<<1, 32>>>(counters, wide, sum, wrong);
    check("atomics");
    cudaMemcpy(host_counters, counters, sizeof host_counters, cudaMemcpyDeviceToHost);
    cudaMemcpy(&host_wide, wide, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(&host_sum, sum, 4, cudaMemcpyDeviceToHost);
    CHECK_THAT(host_counters[0] == 31 && host_counters[1] == 7 && host_counters[3] == 2);
    CHECK_THAT(host_counters[2] > 5 && host_wide == 32ULL << 40 && host_sum == 16);

    cudaMemset(counters, 0, 8);
    ordered<<<1, 32>>>(counters, counters + 1, wrong);
    check("ordered");
    lanes<<<3, dim3(16, 4)>>>(wrong);
    check("lanes");
    reals<<<1, 1>>>(wrong);
    check("reals");
    spaces<<<1, 1>>>((int *)in, wrong);
    check("spaces");
    asm volatile("" ::: "memory"); // the host's own
    printf("PASSED\n");
}
