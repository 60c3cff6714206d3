// small_floats.cu - half, bfloat16 and the formats of 8 bits. All their numbers come back from float as they were; every
// conversion is the nearest number of all the numbers that there are, found by looking for it in double, and so are sums,
// products and quotients.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "check.h"

// 113 bits: on arm64 that is long double, and the other name is not there.
#ifdef __SIZEOF_FLOAT128__
typedef __float128 quad;
#else
typedef long double quad;
static_assert(LDBL_MANT_DIG == 113, "sums are not exact");
#endif

// What the bits of a format mean, by its definition: sign, exponent, mantissa.
static double value_of(unsigned bits, int exponent_bits, int mantissa_bits)
{
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1);
    const double mantissa = bits & ((1 << mantissa_bits) - 1);
    const double one = exp2(mantissa_bits);
    const double size = exponent ? ldexp(1 + mantissa / one, exponent - bias) : ldexp(mantissa / one, 1 - bias);
    return bits >> (exponent_bits + mantissa_bits) ? -size : size;
}

// The bits of the nearest number, of two that are as near the one whose last bit is 0: by bisection in all of them.
struct format {
    int exponent_bits, mantissa_bits;
    unsigned most;     // the largest number's bits
    unsigned infinity; // what is beyond it
    unsigned nearest(double x) const
    {
        const unsigned sign = std::signbit(x) ? 1U << (exponent_bits + mantissa_bits) : 0;
        unsigned low = 0, high = most + 1; // the number behind the largest, as if there were one
        x = fabs(x);
        if (x >= at(high))
            return sign | infinity;
        while (high - low > 1) {
            unsigned middle = (low + high) / 2;
            (at(middle) <= x ? low : high) = middle;
        }
        const double below = x - at(low), above = at(high) - x;
        unsigned found = below < above || (below == above && low % 2 == 0) ? low : high;
        return sign | (found > most ? infinity : found);
    }
    double at(unsigned bits) const
    {
        const int exponent = bits >> mantissa_bits;
        const double mantissa = bits & ((1 << mantissa_bits) - 1), one = 1 << mantissa_bits;
        const int bias = (1 << (exponent_bits - 1)) - 1;
        return exponent ? ldexp(1 + mantissa / one, exponent - bias) : ldexp(mantissa / one, 1 - bias);
    }
};
static const format half_format = {5, 10, 0x7bff, 0x7c00}, bf16_format = {8, 7, 0x7f7f, 0x7f80};
static const format e4m3 = {4, 3, 0x7e, 0x7f}, e5m2 = {5, 2, 0x7b, 0x7c};

static uint64_t state = 99;
static uint64_t random_word()
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return state ^ state >> 29;
}

// What is done to one input, by kernels of all formats.
struct outputs {
    unsigned short half, bf16, half_down, half_up, half_zero, bf16_up;
    unsigned char e4m3, e5m2, e4m3_not, e5m2_not;
};
__global__ void convert(const double *in, outputs *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i];
    float f = (float)x;
    out[i].half = __half_as_ushort(__double2half(x));
    out[i].bf16 = __bfloat16_as_ushort(__double2bfloat16(x));
    out[i].half_down = __half_as_ushort(__float2half_rd(f));
    out[i].half_up = __half_as_ushort(__float2half_ru(f));
    out[i].half_zero = __half_as_ushort(__float2half_rz(f));
    out[i].bf16_up = __bfloat16_as_ushort(__float2bfloat16_ru(f));
    out[i].e4m3 = __nv_fp8_e4m3(x).__x;
    out[i].e5m2 = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2);
    out[i].e4m3_not = __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E4M3);
    out[i].e5m2_not = __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E5M2);
}

template <class T> struct results {
    T sum, difference, product, quotient, fused;
};
template <class T> __global__ void compute(const T *a, const T *b, const T *c, results<T> *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = {__hadd(a[i], b[i]), __hsub(a[i], b[i]), __hmul(a[i], b[i]), __hdiv(a[i], b[i]), __hfma(a[i], b[i], c[i])};
}

__global__ void decode(float *half, float *bf16, float *four, float *five)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    half[i] = __half2float(__ushort_as_half((unsigned short)i));
    bf16[i] = __bfloat162float(__ushort_as_bfloat16((unsigned short)i));
    if (i < 256) {
        __nv_fp8_e4m3 a;
        __nv_fp8_e5m2 b;
        a.__x = b.__x = (unsigned char)i;
        four[i] = (float)a;
        five[i] = (float)b;
    }
}

// What an H200 makes of it: of a double the sign and the highest bits stay, of a float all bits are 1.
static void check_no_number(double x, const outputs &out)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const unsigned sign = bits >> 63;
    CHECK_THAT(out.half == (sign << 15 | 0x7e00 | (bits >> 42 & 0x3ff)));
    CHECK_THAT(out.bf16 == (sign << 15 | 0x7fc0 | (bits >> 45 & 0x7f)));
    CHECK_THAT(out.half_down == 0x7fff && out.half_up == 0x7fff && out.bf16_up == 0x7fff);
    CHECK_THAT(out.e4m3 == (sign << 7 | 0x7f) && out.e5m2 == 0x7f);
    CHECK_THAT(out.e5m2_not == (sign << 7 | 0x7e | (bits >> 50 & 3)));
}

template <class T> static T *device_copy(const std::vector<T> &host)
{
    T *p;
    CHECK_CALL(cudaMalloc(&p, host.size() * sizeof(T)));
    CHECK_CALL(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}
template <class T> static std::vector<T> host_copy(const T *device, size_t count)
{
    std::vector<T> host(count);
    CHECK_CALL(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

static void check_decoding()
{
    std::vector<float> zero(65536);
    float *half = device_copy(zero), *bf16 = device_copy(zero), *four = device_copy(zero), *five = device_copy(zero);
    decode<<<256, 256>>>(half, bf16, four, five);
    auto h = host_copy(half, 65536), b = host_copy(bf16, 65536), x = host_copy(four, 256), y = host_copy(five, 256);
    for (unsigned i = 0; i < 65536; i++) {
        if ((i & 0x7fff) < 0x7c00)
            CHECK_THAT(h[i] == value_of(i, 5, 10) && std::signbit(h[i]) == (i >> 15));
        else
            CHECK_THAT((i & 0x3ff) ? std::isnan(h[i]) : std::isinf(h[i]));
        if ((i & 0x7fff) < 0x7f80)
            CHECK_THAT(b[i] == value_of(i, 8, 7));
        else
            CHECK_THAT((i & 0x7f) ? std::isnan(b[i]) : std::isinf(b[i]));
    }
    for (unsigned i = 0; i < 256; i++) {
        CHECK_THAT((i & 0x7f) == 0x7f ? std::isnan(x[i]) : x[i] == value_of(i, 4, 3));
        CHECK_THAT((i & 0x7f) > 0x7c ? std::isnan(y[i]) : (i & 0x7f) == 0x7c ? std::isinf(y[i]) : y[i] == value_of(i, 5, 2));
    }
}

// Every number of each format, the middles between neighbours, and a little to both sides; random ones.
static std::vector<double> inputs()
{
    std::vector<double> in = {0.0, -0.0, 1e300, -1e300, INFINITY, -INFINITY, NAN, -NAN, 1e-300, 5e-324};
    const uint64_t payload = 0xfff4123456789abc;
    in.push_back(0);
    memcpy(&in.back(), &payload, sizeof payload);
    for (const format &f : {half_format, bf16_format, e4m3, e5m2})
        for (unsigned i = 0; i <= f.most; i += f.exponent_bits == 8 ? 3 : 1) {
            const double x = f.at(i), middle = (x + f.at(i + 1)) / 2;
            for (double y : {x, middle, nextafter(middle, 0), nextafter(middle, INFINITY), nextafter(x, INFINITY)})
                in.push_back(i % 2 ? y : -y);
        }
    for (int i = 0; i < 4096; i++)
        in.push_back(ldexp((double)(int64_t)random_word(), (int)(random_word() % 60) - 90));
    return in;
}

static void check_conversions()
{
    const std::vector<double> in = inputs();
    const int n = (int)in.size();
    outputs *device = device_copy(std::vector<outputs>(n));
    convert<<<(n + 255) / 256, 256>>>(device_copy(in), device, n);
    const auto out = host_copy(device, n);
    for (int i = 0; i < n; i++) {
        const double x = in[i], f = (float)x;
        if (std::isnan(x)) {
            check_no_number(x, out[i]);
            continue;
        }
        CHECK_THAT(out[i].half == half_format.nearest(x));
        CHECK_THAT(out[i].bf16 == bf16_format.nearest(x));
        const unsigned a = e4m3.nearest(x), b = e5m2.nearest(f), c = e5m2.nearest(x);
        CHECK_THAT(out[i].e4m3_not == a && out[i].e5m2_not == c);
        CHECK_THAT(out[i].e4m3 == ((a & 0x7f) == 0x7f ? (a & 0x80) | 0x7e : a));
        CHECK_THAT(out[i].e5m2 == ((b & 0x7f) == 0x7c ? (b & 0x80) | 0x7b : b));
        if (fabs(f) > 65504)
            continue;
        // Directed ones are neighbours, on their own side.
        const double down = value_of(out[i].half_down, 5, 10), up = value_of(out[i].half_up, 5, 10);
        CHECK_THAT(out[i].half_down == 0x7c00 || out[i].half_up == 0xfc00 || (down <= f && f <= up));
        CHECK_THAT(out[i].half_zero == (std::signbit(x) ? out[i].half_up : out[i].half_down));
        CHECK_THAT((down == f) == (up == f) && (down == f || half_format.nearest(down) + 1 == half_format.nearest(up) ||
                                               half_format.nearest(up) + 1 == half_format.nearest(down) || (down == 0 || up == 0)));
        CHECK_THAT(value_of(out[i].bf16_up, 8, 7) >= f);
    }
}

template <class T> static unsigned bits(T x)
{
    unsigned short b;
    memcpy(&b, &x, 2);
    return b;
}
template <class T> static void check_arithmetic(const format &f)
{
    const int n = 8192;
    std::vector<T> a(n), b(n), c(n);
    auto number = [&] {
        unsigned short bits = (unsigned short)(random_word() % (f.most + 1) | (random_word() % 2 << 15));
        T x;
        memcpy(&x, &bits, 2);
        return x;
    };
    for (int i = 0; i < n; i++) {
        a[i] = number(), b[i] = number(), c[i] = number();
        if (i % 4 == 1) // near each other: sums that cancel, and bits that a float loses
            b[i] = (T)((float)a[i] * (1.0f + (float)(random_word() % 8) * 0.01f));
        if (i % 4 == 2)
            c[i] = (T)(-(float)a[i] * (float)b[i]);
        if (i % 4 == 3) { // a product just beside a middle, and what is far below it
            a[i] = (T)(1.0f + 0.0078125f * (float)(random_word() % 32));
            b[i] = (T)(1.0f + 0.0078125f * (float)(random_word() % 32));
            c[i] = (T)ldexpf(random_word() % 2 ? 1.0f : -1.0f, -(int)(random_word() % 24));
        }
    }
    results<T> *device = device_copy(std::vector<results<T>>(n));
    compute<<<n / 256, 256>>>(device_copy(a), device_copy(b), device_copy(c), device);
    const auto out = host_copy(device, n);
    int fused = 0;
    for (int i = 0; i < n; i++) {
        const double x = (float)a[i], y = (float)b[i], z = (float)c[i];
        CHECK_THAT(bits(out[i].sum) == f.nearest(x + y) || x + y == 0);
        CHECK_THAT(bits(out[i].difference) == f.nearest(x - y) || x - y == 0);
        CHECK_THAT(bits(out[i].product) == f.nearest(x * y));
        CHECK_THAT(y == 0 || bits(out[i].quotient) == f.nearest(x / y));
        const int apart = abs(ilogb(x * y) - ilogb(z));
        if (x * y == 0 || z == 0 || apart > 50)
            continue; // beyond that a sum is not exact in 113 bits
        const quad exact = (quad)x * y + z;
        double near = (double)exact;
        const quad rest = exact - near;
        const double above = nextafter(near, INFINITY), below = nextafter(near, -INFINITY);
        if (rest != 0 && f.nearest(above) != f.nearest(below)) // in the middle of two: the rest decides
            near = rest > 0 ? above : below;
        CHECK_THAT(bits(out[i].fused) == f.nearest(near) || near == 0);
        fused++;
    }
    CHECK_THAT(fused > n / 3);
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            *wrong = __LINE__;                                                                     \
    } while (0)
template <class T, class T2> __device__ void functions(T *at, T2 *at_2, int *wrong)
{
    const T one = (T)1.0f, two = (T)2.0f, none = (T)(0.0f / 0.0f), low = (T)-3.5f;
    EXPECT(__heq(one, one) && !__heq(one, none) && __hequ(one, none) && !__hne(one, none) && __hneu(one, none));
    EXPECT(__hlt(one, two) && !__hlt(none, two) && __hltu(none, two) && __hge(two, two) && __hgeu(low, none));
    EXPECT(__hisnan(none) && !__hisnan(one) && __hisinf((T)1e38f * (T)1e38f) == 1 && __hisinf(-((T)1e38f * (T)1e38f)) == -1);
    EXPECT((float)__hmax(one, none) == 1 && __hisnan(__hmax_nan(one, none)) && (float)__hmin(low, two) == -3.5f);
    EXPECT((float)__hneg(two) == -2 && (float)__habs(low) == 3.5f && (float)__hadd_sat(one, two) == 1);
    EXPECT((float)__hfma_relu(low, two, one) == 0 && (float)hsqrt((T)16.0f) == 4 && (float)hrcp(two) == 0.5f);
    EXPECT((float)hexp2((T)3.0f) == 8 && (float)hlog2((T)8.0f) == 3 && (float)hfloor(low) == -4 && (float)hrint((T)2.5f) == 2);
    EXPECT((float)htrunc(low) == -3 && (float)hceil(low) == -3 && (float)hrsqrt((T)4.0f) == 0.5f && (float)htanh((T)20.0f) == 1);
    const T2 ab = {one, two}, ba = {two, one}, with_none = {one, none};
    T2 sum = ab + ba;
    EXPECT(__low2float(sum) == 3 && __high2float(sum) == 3 && __low2float(__hgt2(ba, ab)) == 1 && __high2float(__hgt2(ba, ab)) == 0);
    EXPECT(__hgt2_mask(ba, ab) == 0xffffu && __hgtu2_mask(with_none, ab) == 0xffff0000u && __hbeq2(ab, ab) && !__hbeq2(ab, with_none));
    EXPECT(__hbneu2(with_none, ba) && ab == ab && ab != ba && __high2float(__hisnan2(with_none)) == 1);
    sum = __hfma2(ab, ba, ab);
    EXPECT(__low2float(sum) == 3 && __high2float(sum) == 4 && __low2float(__lowhigh2highlow(ab)) == 2);
    sum = __hcmadd(ab, ba, {one, one}); // (1 + 2i)(2 + i) + 1 + i
    EXPECT(__low2float(sum) == 1 && __high2float(sum) == 6 && __high2float(__hmax2(ab, ba)) == 2 && __low2float(-ab) == -1);
    const int lane = threadIdx.x % 32;
    EXPECT((float)__shfl_down_sync(~0u, (T)(float)lane, 1) == (float)(lane < 31 ? lane + 1 : lane));
    EXPECT(__high2float(__shfl_xor_sync(~0u, T2{one, (T)(float)lane}, 1)) == (float)(lane ^ 1));
    atomicAdd(at, one);
    atomicAdd(at_2, ab);
    __syncthreads();
    EXPECT((float)*at == 64 && __low2float(*at_2) == 64 && __high2float(*at_2) == 128);
}
__global__ void halves(__half *at, __half2 *at_2, int *wrong)
{
    functions<__half, __half2>(at, at_2, wrong);
    EXPECT(__half2int_rn(__float2half(2.5f)) == 2 && __half2int_ru(__float2half(2.25f)) == 3 && __half2uint_rz(__float2half(-3.0f)) == 0);
    EXPECT(__half2short_rd(__float2half(-2.5f)) == -3 && __half2ll_rn(__float2half(65504.0f)) == 65504 && __half2int_rz(__ushort_as_half(0x7fff)) == 0);
    EXPECT(__half2float(__int2half_rn(2049)) == 2048 && __half2float(__int2half_ru(2049)) == 2050 && __half2float(__uint2half_rz(65535)) == 65504);
    EXPECT(isinf(__half2float(__uint2half_rn(65535))) && __half2float(__ll2half_rn(-7)) == -7 && __half2uchar_rz(__float2half(300.0f)) == 255);
}
__global__ void bfloats(__nv_bfloat16 *at, __nv_bfloat162 *at_2, int *wrong)
{
    functions<__nv_bfloat16, __nv_bfloat162>(at, at_2, wrong);
    EXPECT(__bfloat162float(__int2bfloat16_rn(257)) == 256 && __bfloat162float(__int2bfloat16_ru(257)) == 258);
    // Halfway between two, and a little more that a double of 53 bits does not have.
    EXPECT(__bfloat162float(__ull2bfloat16_rn((0x101ULL << 55) + 1)) == 0x102 * 0x1p55f);
    EXPECT(__bfloat162float(__ll2bfloat16_rn(-((0x101LL << 53) + 1))) == -0x102 * 0x1p53f);
    float2 back = __bfloat1622float2(__floats2bfloat162_rn(1.5f, -2.0f));
    EXPECT(back.x == 1.5f && back.y == -2.0f);
}
__global__ void complexes(int *wrong)
{
    const cuFloatComplex a = make_cuFloatComplex(1, 2), b = make_cuFloatComplex(3, -1);
    const cuFloatComplex p = cuCmulf(a, b), q = cuCdivf(p, b), s = cuCaddf(a, cuConjf(b));
    EXPECT(cuCrealf(p) == 5 && cuCimagf(p) == 5 && fabsf(q.x - 1) < 1e-6f && fabsf(q.y - 2) < 1e-6f && s.x == 4 && s.y == 3);
    const cuDoubleComplex d = cuCfma(make_cuDoubleComplex(0, 1), make_cuDoubleComplex(0, 1), make_cuDoubleComplex(4, 4));
    EXPECT(cuCreal(d) == 3 && cuCimag(d) == 4 && cuCabs(d) == 5 && cuCabsf(cuComplexDoubleToFloat(d)) == 5);
}

// From one type of 16 bits to the other: through float, rounded once.
__global__ void convert(__nv_bfloat16 *to, __half *back, const __half *from)
{
    to[threadIdx.x] = static_cast<__nv_bfloat16>(from[threadIdx.x]);
    back[threadIdx.x] = static_cast<__half>(to[threadIdx.x]);
}

static void test_types()
{
    __half *from, *back;
    __nv_bfloat16 *to;
    cudaMallocManaged(&from, 256 * sizeof *from);
    cudaMallocManaged(&back, 256 * sizeof *back);
    cudaMallocManaged(&to, 256 * sizeof *to);
    for (unsigned i = 0; i < 256; i++)
        from[i] = __ushort_as_half(i * 124); // up to 31620: finite
    convert<<<1, 256>>>(to, back, from);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < 256; i++) {
        const unsigned short nearest = bf16_format.nearest(value_of(i * 124, 5, 10));
        CHECK_THAT(__bfloat16_as_ushort(to[i]) == nearest);
        CHECK_THAT(__half_as_ushort(back[i]) == half_format.nearest(value_of(nearest, 8, 7)));
    }
}

int main()
{
    test_types();
    printf("seed %llu\n", (unsigned long long)state);
    check_decoding();
    check_conversions();
    check_arithmetic<__half>(half_format);
    check_arithmetic<__nv_bfloat16>(bf16_format);
    int *wrong = device_copy(std::vector<int>(1));
    unsigned *at = device_copy(std::vector<unsigned>(4));
    halves<<<1, 64>>>((__half *)at, (__half2 *)(at + 1), wrong);
    bfloats<<<1, 64>>>((__nv_bfloat16 *)(at + 2), (__nv_bfloat162 *)(at + 3), wrong);
    complexes<<<1, 1>>>(wrong);
    if (int line = host_copy(wrong, 1)[0]) {
        printf("FAILED: line %d\n", line);
        return 1;
    }
    printf("PASSED\n");
}
