// numbers.cu - mathematical functions, integers, conversions, half precision, constants, random numbers.
#include <algorithm>
#include <cmath>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <math_constants.h>

#include "check.h"

using namespace std;

__device__ bool close_to(double found, double expected, double error = 1e-6)
{
    return fabs(found - expected) <= error * fmax(1.0, fabs(expected));
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            *wrong = __LINE__;                                                                     \
    } while (0)

__global__ void integers(int *wrong)
{
    EXPECT(min(3, -4) == -4 && max(3u, 4u) == 4u && min(2.5f, 1.5f) == 1.5f &&
           max(1.0, 2.0) == 2.0);
    EXPECT(max(7ll, 9ll) == 9 && min((size_t)5, (size_t)6) == 5 && abs(-3) == 3);
    EXPECT(__popc(0xf0f0u) == 8 && __popcll(~0ull) == 64 && __clz(1) == 31 && __clz(0) == 32);
    EXPECT(__clzll(1) == 63 && __ffs(8) == 4 && __ffs(0) == 0 && __ffsll(1ll << 40) == 41);
    EXPECT(__brev(1u) == 0x80000000u && __brevll(1ull) == 1ull << 63);
    EXPECT(__byte_perm(0x33221100u, 0x77665544u, 0x7250) == 0x77225500u);
    EXPECT(__mul24(-3, 5) == -15 && __umul24(1u << 24 | 3, 5) == 15);
    EXPECT(__mulhi(1 << 30, 8) == 2 && __umulhi(1u << 31, 6) == 3);
    EXPECT(__umul64hi(1ull << 63, 4) == 2 && __sad(3, 8, 10) == 15 && __usad(8, 3, 10) == 15);
    EXPECT(__hadd(3, 5) == 4 && __rhadd(3, 4) == 4 && __funnelshift_l(1u << 31, 1, 1) == 3);
    EXPECT(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
    EXPECT(__double2hiint(1.0) == 0x3ff00000 && __hiloint2double(0x40000000, 0) == 2.0);
    EXPECT(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3);
    EXPECT(__float2int_rd(-2.1f) == -3 && __float2int_rz(3e9f) == 2147483647);
    EXPECT(__int2float_rd(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
    EXPECT(__int2float_rz(-16777217) == -16777216.0f && __int2float_rd(-16777217) == -16777218.0f);
    EXPECT(__uint2float_ru(~0u) == 0x1p32f && __uint2float_rz(~0u) == 0x1p32f - 256.0f);
    EXPECT(__ull2float_rd(~0ull) == 0x1p64f - 0x1p40f && __ull2float_ru(~0ull) == 0x1p64f);
    EXPECT(__ll2float_rz(-(1ll << 62) - 1) == -0x1p62f && __ll2float_ru(5) == 5.0f);
    EXPECT(__ll2double_rd((1ll << 53) + 1) == 0x1p53 && __ll2double_ru((1ll << 53) + 1) == 0x1p53 + 2);
    EXPECT(__ull2double_rz(~0ull) == 0x1p64 - 2048 && __ull2double_rn(~0ull) == 0x1p64);
    EXPECT(__float2uint_rz(-5.0f) == 0 && __int2float_rn(7) == 7.0f && __double2int_rn(3.5) == 4);
}

__global__ void reals(int *wrong)
{
    EXPECT(close_to(rsqrtf(4.0f), 0.5) && close_to(rsqrt(16.0), 0.25) && close_to(rcbrt(8.0), 0.5));
    EXPECT(close_to(sinpi(0.5), 1, 0) && close_to(sinpi(1.0), 0, 0) && close_to(cospi(1.0), -1, 0));
    EXPECT(close_to(norm3df(2, 3, 6), 7) && close_to(rhypot(3.0, 4.0), 0.2) && exp10(2.0) > 99.99);
    EXPECT(close_to(erfcinv(erfc(0.7)), 0.7) && close_to(erfinv(erf(-0.3)), -0.3));
    EXPECT(close_to(normcdf(0.0), 0.5) && close_to(normcdfinv(normcdf(1.5)), 1.5));
    EXPECT(close_to(__sinf(0.5f), sin(0.5)) && close_to(__expf(1.5f), exp(1.5), 1e-5));
    EXPECT(close_to(__logf(3.0f), log(3.0)) && close_to(__powf(2.0f, 0.5f), sqrt(2.0)));
    EXPECT(close_to(__log2f(8.0f), 3) && close_to(__log10f(1000.0f), 3) && __saturatef(3.5f) == 1);
    EXPECT(__fdividef(6, 3) == 2 && __frcp_rn(4) == 0.25f && __fsqrt_rn(9) == 3);
    /* 1 and a bit of it, 1/3, the root of 2: the number below and the one above what is exact. */
    EXPECT(__fadd_rd(1, 1e-9f) == 1 && __fadd_ru(1, 1e-9f) == nextafterf(1, 2));
    EXPECT(__fadd_rz(-1, -1e-9f) == -1 && __fsub_rd(-1, 1e-9f) == nextafterf(-1, -2));
    EXPECT(__fdiv_ru(1, 3) == nextafterf(__fdiv_rd(1, 3), 1) && __frcp_rd(3) == __fdiv_rz(1, 3));
    EXPECT((double)__frcp_rd(3) * 3 < 1 && (double)__frcp_ru(3) * 3 > 1);
    EXPECT(__fsqrt_ru(2) == nextafterf(__fsqrt_rd(2), 2) &&
           (double)__fsqrt_rd(2) * __fsqrt_rd(2) < 2);
    EXPECT(__fmul_ru(1 + 1e-6f, 1 + 1e-6f) == nextafterf(__fmul_rd(1 + 1e-6f, 1 + 1e-6f), 2));
    EXPECT(__fmaf_ru(1e10f, 1e10f, 1) == nextafterf(__fmaf_rd(1e10f, 1e10f, 1), INFINITY));
    EXPECT(__dadd_ru(1, 1e-20) == nextafter(1.0, 2.0) && __dmul_rd(0.1, 0.1) < __dmul_ru(0.1, 0.1));
    EXPECT(__dsqrt_ru(2) == nextafter(__dsqrt_rd(2), 2.0) && __fma_rd(0.1, 10, -1) > 0);
    EXPECT(__double2float_rd(0.1) < 0.1 && __double2float_ru(0.1) > 0.1);
    EXPECT(__fmaf_rn(2, 3, 4) == 10 && __fadd_rn(1, 2) == 3 && __fmul_rn(3, 4) == 12);
    EXPECT(close_to(fmodf(7.5f, 2.0f), 1.5) && close_to(fdim(5.0, 3.0), 2) &&
           copysignf(2, -1) == -2);
    EXPECT(close_to(CUDART_PI, acos(-1.0)) && close_to(CUDART_PI_F, CUDART_PI));
    EXPECT(isinf(CUDART_INF_F) && isnan(CUDART_NAN_F));
    float s, c;
    sincosf(1.0f, &s, &c);
    EXPECT(close_to(s * s + c * c, 1));
    EXPECT(tgammaf(5.0f) > 23.9f && lgamma(1.0) < 1e-9 && close_to(cbrtf(27.0f), 3));
}

__global__ void halves(__half *data, int *wrong)
{
    int t = threadIdx.x;
    data[t] = __hadd(__hmul(data[t], __float2half(2.0f)), __float2half(0.5f));
    __half2 pair = __floats2half2_rn(1.5f, -2.0f);
    pair = __hfma2(pair, pair, pair);
    EXPECT(__low2float(pair) == 3.75f && __high2float(pair) == 2.0f);
    EXPECT(__half2float(__float2half(65519.0f)) == 65504.0f &&
           isinf(__half2float(__float2half(65520.0f))));
    EXPECT(__half2float(__float2half(5.9604645e-8f)) == 5.9604645e-8f);
    EXPECT(__half2float(__float2half(2049.0f)) == 2048.0f &&
           __hlt(__float2half(1), __float2half(2)));
}

__global__ void random_sums(curandState *states, float *uniform, float *normal)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(1234, i, 0, &states[i]);
    curandState own = states[i];
    float u = 0, n = 0;
    for (int k = 0; k < 100; k++) {
        float x = curand_uniform(&own);
        u += x > 0.0f && x <= 1.0f ? x : 1e6f;
        n += curand_normal(&own);
    }
    states[i] = own;
    uniform[i] = u / 100;
    normal[i] = n / 100;
}

static double mean(const float *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int main()
{
    int *wrong, host_wrong = 0;
    CHECK_CALL(cudaMalloc(&wrong, sizeof *wrong));
    CHECK_CALL(cudaMemset(wrong, 0, sizeof *wrong));
    __half halves_host[32], *halves_device;
    for (int i = 0; i < 32; i++)
        halves_host[i] = __float2half(i * 0.25f);
    CHECK_CALL(cudaMalloc(&halves_device, sizeof halves_host));
    CHECK_CALL(cudaMemcpy(halves_device, halves_host, sizeof halves_host, cudaMemcpyHostToDevice));
    integers<<<1, 1>>>(wrong);
    reals<<<1, 1>>>(wrong);
    halves<<<1, 32>>>(halves_device, wrong);
    CHECK_CALL(cudaMemcpy(&host_wrong, wrong, sizeof host_wrong, cudaMemcpyDeviceToHost));
    if (host_wrong)
        printf("wrong at line %d\n", host_wrong);
    CHECK_THAT(host_wrong == 0);
    CHECK_CALL(cudaMemcpy(halves_host, halves_device, sizeof halves_host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK_THAT(__half2float(halves_host[i]) == i * 0.5f + 0.5f);

    const int count = 256;
    curandState *states;
    float *uniform, *normal;
    CHECK_CALL(cudaMalloc(&states, count * sizeof *states));
    CHECK_CALL(cudaMallocManaged(&uniform, count * sizeof(float)));
    CHECK_CALL(cudaMallocManaged(&normal, count * sizeof(float)));
    random_sums<<<2, 128>>>(states, uniform, normal);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_THAT(std::abs(mean(uniform, count) - 0.5) < 0.01 && std::abs(mean(normal, count)) < 0.03);
    CHECK_THAT(uniform[0] != uniform[1]);
    printf("PASSED\n");
}
