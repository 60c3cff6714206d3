// simd.cu - functions on the lanes of a word against a loop over arrays of lanes, for random words and corners. Each
// function is one kernel; references are written on the lanes' values as mathematics has them.
#include <algorithm>
#include <cstdint>

#include "check.h"

static const int N = 1024;
struct words {
    unsigned a, b, c;
};
static words inputs[N], *device_inputs;
static unsigned results[N], *device_results;

// Lanes of `bits` bits, and back: what does not fit is cut off.
static long lane(unsigned word, int i, int bits, bool sign)
{
    long value = word >> i * bits & ((1L << bits) - 1);
    return sign && value >> (bits - 1) ? value - (1L << bits) : value;
}
template <class F> static unsigned each_lane(words w, int bits, bool sign, F f)
{
    unsigned result = 0;
    for (int i = 0; i < 32 / bits; i++)
        result |= (unsigned)((unsigned long)f(lane(w.a, i, bits, sign), lane(w.b, i, bits, sign), lane(w.c, i, bits, sign)) &
                             ((1UL << bits) - 1))
                  << i * bits;
    return result;
}
static long clamped(long x, int bits, bool sign)
{
    long low = sign ? -(1L << (bits - 1)) : 0;
    return std::clamp(x, low, low + (1L << bits) - 1);
}
// Half of a sum, rounded to the nearest; halves away from zero.
static long average(long sum) { return sum >= 0 ? (sum + 1) / 2 : -((-sum + 1) / 2); }

static void compare(const char *name, void (*kernel)(const words *, unsigned *), unsigned (*reference)(words))
{
    kernel<<<N / 256, 256>>>(device_inputs, device_results);
    CHECK_CALL(cudaMemcpy(results, device_results, sizeof results, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        if (results[i] != reference(inputs[i])) {
            printf("FAILED: %s of %08x %08x %08x: %08x, not %08x\n", name, inputs[i].a, inputs[i].b, inputs[i].c,
                   results[i], reference(inputs[i]));
            exit(1);
        }
}

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL(name, call)                                                                         \
    __global__ void k##name(const words *in, unsigned *out)                                        \
    {                                                                                              \
        const words w = in[INDEX];                                                                 \
        out[INDEX] = (unsigned)(call);                                                             \
    }
#define LANES(name, call, bits, sign, expression)                                                  \
    KERNEL(name, call)                                                                             \
    static unsigned r##name(words w)                                                               \
    {                                                                                              \
        return each_lane(w, bits, sign, [](long a, long b, long c) -> long { return (void)b, (void)c, expression; }); \
    }
#define WORD(name, call, expression)                                                               \
    KERNEL(name, call)                                                                             \
    static unsigned r##name(words w) { return (unsigned)(expression); }
#define TWO(name, bits, sign, expression) LANES(name, name(w.a, w.b), bits, sign, expression)
#define THREE(name, bits, sign, expression) LANES(name, name(w.a, w.b, w.c), bits, sign, expression)
#define ONE(name, bits, sign, expression) LANES(name, name(w.a), bits, sign, expression)

#define SIGNED_AND_NOT(n, bits, s, sign)                                                           \
    TWO(__vcmpge##s##n, bits, sign, a >= b ? -1 : 0)                                               \
    TWO(__vcmpgt##s##n, bits, sign, a > b ? -1 : 0)                                                \
    TWO(__vcmple##s##n, bits, sign, a <= b ? -1 : 0)                                               \
    TWO(__vcmplt##s##n, bits, sign, a < b ? -1 : 0)                                                \
    TWO(__vsetge##s##n, bits, sign, a >= b)                                                        \
    TWO(__vsetgt##s##n, bits, sign, a > b)                                                         \
    TWO(__vsetle##s##n, bits, sign, a <= b)                                                        \
    TWO(__vsetlt##s##n, bits, sign, a < b)                                                         \
    TWO(__vmax##s##n, bits, sign, std::max(a, b))                                                  \
    TWO(__vmin##s##n, bits, sign, std::min(a, b))                                                  \
    TWO(__vabsdiff##s##n, bits, sign, std::labs(a - b))                                            \
    WORD(__vsad##s##n, __vsad##s##n(w.a, w.b), sum_of_differences(w, bits, sign))
static unsigned sum_of_differences(words w, int bits, bool sign)
{
    long sum = 0;
    for (int i = 0; i < 32 / bits; i++)
        sum += std::labs(lane(w.a, i, bits, sign) - lane(w.b, i, bits, sign));
    return (unsigned)sum;
}
#define ALL(n, bits)                                                                               \
    TWO(__vadd##n, bits, false, a + b)                                                             \
    TWO(__vaddss##n, bits, true, clamped(a + b, bits, true))                                       \
    TWO(__vaddus##n, bits, false, clamped(a + b, bits, false))                                     \
    TWO(__vsub##n, bits, false, a - b)                                                             \
    TWO(__vsubss##n, bits, true, clamped(a - b, bits, true))                                       \
    TWO(__vsubus##n, bits, false, clamped(a - b, bits, false))                                     \
    TWO(__vavgs##n, bits, true, average(a + b))                                                    \
    TWO(__vavgu##n, bits, false, average(a + b))                                                   \
    TWO(__vhaddu##n, bits, false, (a + b) / 2)                                                     \
    ONE(__vabs##n, bits, true, std::labs(a))                                                       \
    ONE(__vabsss##n, bits, true, clamped(std::labs(a), bits, true))                                \
    ONE(__vneg##n, bits, true, -a)                                                                 \
    ONE(__vnegss##n, bits, true, clamped(-a, bits, true))                                          \
    TWO(__vcmpeq##n, bits, false, a == b ? -1 : 0)                                                 \
    TWO(__vcmpne##n, bits, false, a != b ? -1 : 0)                                                 \
    TWO(__vseteq##n, bits, false, a == b)                                                          \
    TWO(__vsetne##n, bits, false, a != b)                                                          \
    SIGNED_AND_NOT(n, bits, s, true)                                                               \
    SIGNED_AND_NOT(n, bits, u, false)
ALL(2, 16)
ALL(4, 8)

THREE(__vimax3_s16x2, 16, true, std::max({a, b, c}))
THREE(__vimin3_u16x2, 16, false, std::min({a, b, c}))
THREE(__vimax3_s16x2_relu, 16, true, std::max({a, b, c, 0L}))
TWO(__vimin_s16x2_relu, 16, true, std::max(std::min(a, b), 0L))
static long wrapped(long x) { return lane((unsigned)x & 0xffff, 0, 16, true); }
THREE(__viaddmax_s16x2, 16, true, std::max(wrapped(a + b), c))
THREE(__viaddmin_u16x2, 16, false, std::min((a + b) & 0xffff, c))
THREE(__viaddmax_s16x2_relu, 16, true, std::max({wrapped(a + b), c, 0L}))
WORD(__vimax3_s32, __vimax3_s32(w.a, w.b, w.c), std::max({(int)w.a, (int)w.b, (int)w.c}))
WORD(__viaddmin_u32, __viaddmin_u32(w.a, w.b, w.c), std::min(w.a + w.b, w.c))
WORD(__viaddmax_s32_relu, __viaddmax_s32_relu(w.a, w.b, w.c), std::max({(int)(w.a + w.b), (int)w.c, 0}))
__device__ unsigned max_and_which(unsigned a, unsigned b)
{
    bool high, low;
    unsigned most = __vibmax_s16x2(a, b, &high, &low);
    return most ^ (unsigned)high << 7 ^ (unsigned)low << 3;
}
WORD(max_and_which, max_and_which(w.a, w.b),
     each_lane(w, 16, true, [](long a, long b, long) { return std::max(a, b); }) ^
         (unsigned)((short)(w.a >> 16) >= (short)(w.b >> 16)) << 7 ^ (unsigned)((short)w.a >= (short)w.b) << 3)

static unsigned dot(words w, int bits, int from, bool sign)
{
    long sum = w.c;
    for (int i = 0; i < 32 / bits; i++)
        sum += lane(w.a, i, bits, sign) * lane(w.b, from + i, 8, sign);
    return (unsigned)sum;
}
WORD(__dp4a, __dp4a(w.a, w.b, w.c), dot(w, 8, 0, false))
WORD(dp4a_signed, __dp4a((int)w.a, (int)w.b, (int)w.c), dot(w, 8, 0, true))
WORD(__dp2a_lo, __dp2a_lo(w.a, w.b, w.c), dot(w, 16, 0, false))
WORD(__dp2a_hi, __dp2a_hi((int)w.a, (int)w.b, (int)w.c), dot(w, 16, 2, true))
static uint64_t both(words w) { return (uint64_t)w.b << 32 | w.a; }
WORD(__funnelshift_l, __funnelshift_l(w.a, w.b, w.c), both(w) << w.c % 32 >> 32)
WORD(__funnelshift_r, __funnelshift_r(w.a, w.b, w.c), both(w) >> w.c % 32)
WORD(__funnelshift_lc, __funnelshift_lc(w.a, w.b, w.c), both(w) << std::min(w.c, 32u) >> 32)
WORD(__funnelshift_rc, __funnelshift_rc(w.a, w.b, w.c), both(w) >> std::min(w.c, 32u))
WORD(__byte_perm, __byte_perm(w.a, w.b, w.c & 0x7777),
     (both(w) >> 8 * (w.c & 7) & 255) | (both(w) >> 8 * (w.c >> 4 & 7) & 255) << 8 |
         (both(w) >> 8 * (w.c >> 8 & 7) & 255) << 16 | (both(w) >> 8 * (w.c >> 12 & 7) & 255) << 24)
static long floored_half(long x) { return (x - (x % 2 != 0 && x < 0)) / 2; }
WORD(__hadd, __hadd((int)w.a, (int)w.b), floored_half((long)(int)w.a + (int)w.b))
WORD(__rhadd, __rhadd((int)w.a, (int)w.b), floored_half((long)(int)w.a + (int)w.b + 1))
WORD(__uhadd, __uhadd(w.a, w.b), ((uint64_t)w.a + w.b) / 2)
WORD(__urhadd, __urhadd(w.a, w.b), ((uint64_t)w.a + w.b + 1) / 2)
WORD(__sad, __sad((int)w.a, (int)w.b, w.c), std::labs((long)(int)w.a - (int)w.b) + w.c)
WORD(__usad, __usad(w.a, w.b, w.c), std::labs((long)w.a - (long)w.b) + w.c)

#define RUN(name) compare(#name, k##name, r##name);
#define RUN_ORDER(n, s)                                                                            \
    RUN(__vcmpge##s##n) RUN(__vcmpgt##s##n) RUN(__vcmple##s##n) RUN(__vcmplt##s##n)                \
    RUN(__vsetge##s##n) RUN(__vsetgt##s##n) RUN(__vsetle##s##n) RUN(__vsetlt##s##n)                \
    RUN(__vmax##s##n) RUN(__vmin##s##n) RUN(__vabsdiff##s##n) RUN(__vsad##s##n)
#define RUN_ALL(n)                                                                                 \
    RUN(__vadd##n) RUN(__vaddss##n) RUN(__vaddus##n) RUN(__vsub##n) RUN(__vsubss##n)               \
    RUN(__vsubus##n) RUN(__vavgs##n) RUN(__vavgu##n) RUN(__vhaddu##n) RUN(__vabs##n)               \
    RUN(__vabsss##n) RUN(__vneg##n) RUN(__vnegss##n) RUN(__vcmpeq##n) RUN(__vcmpne##n)             \
    RUN(__vseteq##n) RUN(__vsetne##n) RUN_ORDER(n, s) RUN_ORDER(n, u)

static uint64_t state = 4711;
static unsigned random_word()
{
    static const unsigned corners[] = {0, 0x80008000, 0x80808080, 0x7fff7fff, 0x7f7f7f7f, 0xffffffff, 0x00010001, 0x0001ffff};
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return state >> 62 == 0 ? corners[state >> 40 & 7] : state >> 62 == 1 ? (unsigned)(state >> 33 & 63) : (unsigned)(state >> 29);
}

int main()
{
    printf("seed %llu\n", (unsigned long long)state);
    for (words &w : inputs)
        w = {random_word(), random_word(), random_word()};
    CHECK_CALL(cudaMalloc(&device_inputs, sizeof inputs));
    CHECK_CALL(cudaMalloc(&device_results, sizeof results));
    CHECK_CALL(cudaMemcpy(device_inputs, inputs, sizeof inputs, cudaMemcpyHostToDevice));
    RUN_ALL(2)
    RUN_ALL(4)
    RUN(__vimax3_s16x2) RUN(__vimin3_u16x2) RUN(__vimax3_s16x2_relu) RUN(__vimin_s16x2_relu)
    RUN(__viaddmax_s16x2) RUN(__viaddmin_u16x2) RUN(__viaddmax_s16x2_relu) RUN(__vimax3_s32)
    RUN(__viaddmin_u32) RUN(__viaddmax_s32_relu) RUN(max_and_which)
    RUN(__dp4a) RUN(dp4a_signed) RUN(__dp2a_lo) RUN(__dp2a_hi)
    RUN(__funnelshift_l) RUN(__funnelshift_r) RUN(__funnelshift_lc) RUN(__funnelshift_rc) RUN(__byte_perm)
    RUN(__hadd) RUN(__rhadd) RUN(__uhadd) RUN(__urhadd) RUN(__sad) RUN(__usad)
    printf("PASSED\n");
}
