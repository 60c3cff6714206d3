// ptx.cu - is inline PTX what the PTX ISA says? Integer instructions against references that go bit by bit, or digit by
// digit, in host code; the operands are random words and corners.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

static const int N = 512;
struct operands {
    uint64_t a, b, c, d;
};
static std::vector<operands> inputs;
static operands *device_inputs;
static uint64_t *device_results;
static uint64_t results[N];

static uint64_t state = 20260611;
static uint64_t random_word()
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dULL;
}

static uint64_t corner()
{
    static const uint64_t corners[] = {0, 1, 2, 31, 32, 33, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff, ~0ULL,
        0x7fffffffffffffffULL, 0x8000000000000000ULL, 0x7fff, 0x8000, 0xffff, 0x123456789abcdef0ULL};
    uint64_t word = random_word();
    return word & 1 ? word >> 8 : word & 2 ? (word >> 8) & 0x3f : corners[(word >> 8) % 18];
}

#define CHECK_OP(name, expected)                                                                           \
    do {                                                                                                   \
        name<<<1, N>>>(device_inputs, device_results);                                                     \
        CHECK_CALL(cudaMemcpy(results, device_results, sizeof results, cudaMemcpyDeviceToHost));           \
        for (int i = 0; i < N; i++) {                                                                      \
            const uint64_t a = inputs[i].a, b = inputs[i].b, c = inputs[i].c, d = inputs[i].d;             \
            const uint64_t want = (expected);                                                              \
            (void)a, (void)b, (void)c, (void)d;                                                            \
            if (results[i] != want) {                                                                      \
                printf("FAILED: %s of %llx %llx %llx %llx: %llx, not %llx\n", #name, (long long)a,         \
                       (long long)b, (long long)c, (long long)d, (long long)results[i], (long long)want);  \
                exit(1);                                                                                   \
            }                                                                                              \
        }                                                                                                  \
    } while (0)

// Kernels: registers of 32 bits, of 64, and of both.
#define OP(name, type, letter, text)                                                                       \
    __global__ void name(const operands *in, uint64_t *out)                                                \
    {                                                                                                      \
        const operands o = in[threadIdx.x];                                                                \
        type result = 0;                                                                                   \
        asm(text : "+" letter(result) : letter((type)o.a), letter((type)o.b), letter((type)o.c), "r"((unsigned)o.d)); \
        out[threadIdx.x] = result;                                                                         \
    }
#define OP32(name, text) OP(name, unsigned, "r", text)
#define OP64(name, text) OP(name, unsigned long long, "l", text)
#define OP16(name, text) OP(name, unsigned short, "h", text)
#define OP_WIDE(name, text)                                                                                \
    __global__ void name(const operands *in, uint64_t *out)                                                \
    {                                                                                                      \
        const operands o = in[threadIdx.x];                                                                \
        unsigned long long result;                                                                         \
        asm(text : "=l"(result) : "r"((unsigned)o.a), "r"((unsigned)o.b), "l"((unsigned long long)o.c));   \
        out[threadIdx.x] = result;                                                                         \
    }

OP32(add_u32, "add.u32 %0, %1, %2;")
OP64(add_s64, "add.s64 %0, %1, %2;")
OP16(add_u16, "add.u16 %0, %1, %2;")
OP32(add_sat, "add.sat.s32 %0, %1, %2;")
OP32(sub_sat, "sub.sat.s32 %0, %1, %2;")
OP32(sub_s32, "sub.s32 %0, %1, %2;")
OP32(mul_lo_s32, "mul.lo.s32 %0, %1, %2;")
OP32(mul_hi_s32, "mul.hi.s32 %0, %1, %2;")
OP32(mul_hi_u32, "mul.hi.u32 %0, %1, %2;")
OP64(mul_hi_u64, "mul.hi.u64 %0, %1, %2;")
OP64(mul_hi_s64, "mul.hi.s64 %0, %1, %2;")
OP_WIDE(mul_wide_s32, "mul.wide.s32 %0, %1, %2;")
OP_WIDE(mad_wide_u32, "mad.wide.u32 %0, %1, %2, %3;")
OP32(mad_lo, "mad.lo.u32 %0, %1, %2, %3;")
OP32(mad_hi, "mad.hi.s32 %0, %1, %2, %3;")
OP32(mul24_lo_s32, "mul24.lo.s32 %0, %1, %2;")
OP32(mul24_hi_u32, "mul24.hi.u32 %0, %1, %2;")
OP32(sad_s32, "sad.s32 %0, %1, %2, %3;")
OP32(vabsdiff4_u32, "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;")
OP32(vabsdiff4_s32, "vabsdiff4.s32.s32.s32.add %0, %1, %2, %3;")
OP32(min_s32, "min.s32 %0, %1, %2;")
OP64(max_u64, "max.u64 %0, %1, %2;")
OP32(abs_s32, "abs.s32 %0, %1;")
OP64(neg_s64, "neg.s64 %0, %1;")
OP32(not_b32, "not.b32 %0, %1;")
OP32(cnot_b32, "cnot.b32 %0, %1;")
OP64(and_b64, "and.b64 %0, %1, %2;")
OP32(xor_b32, "xor.b32 %0, %1, %2;")
OP32(lop3_e8, "lop3.b32 %0, %1, %2, %3, 0xe8;")
OP32(lop3_1b, "lop3.b32 %0, %1, %2, %3, 27;")
OP32(shl_b32, "shl.b32 %0, %1, %4;")
OP64(shl_b64, "shl.b64 %0, %1, %4;")
OP32(shr_u32, "shr.u32 %0, %1, %4;")
OP32(shr_s32, "shr.s32 %0, %1, %4;")
OP64(shr_s64, "shr.s64 %0, %1, %4;")
OP32(shf_l_wrap, "shf.l.wrap.b32 %0, %1, %2, %4;")
OP32(shf_l_clamp, "shf.l.clamp.b32 %0, %1, %2, %4;")
OP32(shf_r_wrap, "shf.r.wrap.b32 %0, %1, %2, %4;")
OP32(shf_r_clamp, "shf.r.clamp.b32 %0, %1, %2, %4;")
OP32(prmt, "prmt.b32 %0, %1, %2, %3;")
OP32(prmt_f4e, "prmt.b32.f4e %0, %1, %2, %3;")
OP32(prmt_rc16, "prmt.b32.rc16 %0, %1, %2, %3;")
OP32(bfe_u32, "bfe.u32 %0, %1, %2, %4;")
OP32(bfe_s32, "bfe.s32 %0, %1, %2, %4;")
__global__ void bfe_s64(const operands *in, uint64_t *out)
{
    const operands o = in[threadIdx.x];
    long long result;
    asm("bfe.s64 %0, %1, %2, %3;" : "=l"(result) : "l"((long long)o.a), "r"((unsigned)o.b), "r"((unsigned)o.d));
    out[threadIdx.x] = result;
}
OP32(bfi_b32, "bfi.b32 %0, %1, %2, %3, %4;")
OP32(bmsk_clamp, "bmsk.clamp.b32 %0, %1, %4;")
OP32(bmsk_wrap, "bmsk.wrap.b32 %0, %1, %4;")
OP32(popc, "popc.b32 %0, %1;")
OP32(clz, "clz.b32 %0, %1;")
OP32(brev, "brev.b32 %0, %1;")
OP64(brev64, "brev.b64 %0, %1;")
OP32(bfind_u32, "bfind.u32 %0, %1;")
OP32(bfind_s32, "bfind.s32 %0, %1;")
OP32(bfind_amount, "bfind.shiftamt.u32 %0, %1;")
OP32(dp4a_uu, "dp4a.u32.u32 %0, %1, %2, %3;")
OP32(dp4a_su, "dp4a.s32.u32 %0, %1, %2, %3;")
OP32(dp2a_hi_ss, "dp2a.hi.s32.s32 %0, %1, %2, %3;")
// Three words and their carries.
__global__ void add_128(const operands *in, uint64_t *out)
{
    const operands o = in[threadIdx.x];
    unsigned r0, r1, r2;
    asm volatile("add.cc.u32 %0, %3, %5;\n\taddc.cc.u32 %1, %4, %6;\n\taddc.u32 %2, 0, 0;"
        : "=r"(r0), "=r"(r1), "=r"(r2) : "r"((unsigned)o.a), "r"((unsigned)(o.a >> 32)), "r"((unsigned)o.b),
          "r"((unsigned)(o.b >> 32)));
    out[threadIdx.x] = (((uint64_t)r1 << 32 | r0) * 2) ^ r2;
}
// A borrow that goes from one statement to the next.
__global__ void sub_chain(const operands *in, uint64_t *out)
{
    const operands o = in[threadIdx.x];
    unsigned long long low, high, none;
    asm volatile("sub.cc.u64 %0, %1, %2;" : "=l"(low) : "l"(o.a), "l"(o.b));
    asm volatile("subc.cc.u64 %0, %1, %2;" : "=l"(high) : "l"(o.c), "l"(o.d));
    asm volatile("subc.u64 %0, 0, 0;" : "=l"(none));
    out[threadIdx.x] = low ^ high * 3 ^ none * 5;
}
__global__ void mad_chain(const operands *in, uint64_t *out)
{
    const operands o = in[threadIdx.x];
    unsigned low, high;
    asm volatile("mad.lo.cc.u32 %0, %2, %3, %4;\n"
                 "madc.hi.u32 %1, %2, %3, %5;"
                 : "=&r"(low), "=&r"(high)
                 : "r"((unsigned)o.a), "r"((unsigned)o.b), "r"((unsigned)o.c), "r"((unsigned)(o.c >> 32)));
    out[threadIdx.x] = (uint64_t)high << 32 | low;
}
OP32(pick, "{ .reg .pred p, q; setp.lt.s32 p|q, %1, %2; @q add.u32 %0, %3, 1; @!q sub.u32 %0, %3, 1;\n"
           "  selp.u32 %0, %0, 7, p; }")
OP32(joined, "{ .reg .pred %p, %q; setp.eq.u32 %p, %1, %2; setp.ge.and.u32 %q, %3, %1, !%p;\n"
             "  xor.pred %p, %p, %q; selp.b32 %0, 5, 6, %p; }")
OP32(set_le, "set.le.u32.s32 %0, %1, %2;")
OP64(packed, "{ .reg .b32 low, high; mov.b64 {low, high}, %1; mov.b64 %0, {high, low}; }")
OP32(halves, "{ .reg .u16 low, high; mov.b32 {low, high}, %1; add.u16 low, low, high; mov.b32 %0, {high, low}; }")
OP32(cvt_s8, "cvt.s32.s8 %0, %1;")
OP32(cvt_u16, "cvt.u32.u16 %0, %1;")
OP32(cvt_sat, "cvt.sat.u8.s32 %0, %1;")

static uint64_t low32(uint64_t x) { return x & 0xffffffffu; }
static int s(uint64_t x) { return (int)(uint32_t)x; }
static uint64_t bit(uint64_t x, unsigned i) { return x >> i & 1; }

static uint64_t shifted(uint64_t a, int by, int bits, bool sign) // by > 0: to the left
{
    uint64_t result = 0;
    for (int i = 0; i < bits; i++) {
        long from = (long)i - by;
        uint64_t source = from < 0 ? 0 : from < bits ? bit(a, from) : sign ? bit(a, bits - 1) : 0;
        result |= source << i;
    }
    return result;
}
template <class Byte> static uint64_t bytes_apart(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        const int difference = (Byte)(a >> 8 * i) - (Byte)(b >> 8 * i);
        sum += (uint64_t)(difference < 0 ? -difference : difference);
    }
    return sum;
}
static int amount(uint64_t d) { return low32(d) > 100 ? 100 : (int)low32(d); }

static uint64_t field(uint64_t a, unsigned at, unsigned length, unsigned bits, bool sign)
{
    at &= 255, length &= 255;
    unsigned msb = bits - 1, last = at + length - 1 < msb ? at + length - 1 : msb;
    uint64_t fill = sign && length ? bit(a, last) : 0, result = 0;
    for (unsigned i = 0; i < bits; i++)
        result |= (i < length && at + i <= msb ? bit(a, at + i) : fill) << i;
    return result;
}

static uint64_t insert(uint64_t a, uint64_t b, unsigned at, unsigned length, unsigned bits)
{
    at &= 255, length &= 255;
    for (unsigned i = 0; i < length && at + i < bits; i++)
        b = (b & ~(1ULL << (at + i))) | bit(a, i) << (at + i);
    return b;
}

static uint64_t permuted(uint64_t a, uint64_t b, uint64_t selector)
{
    uint8_t bytes[8];
    uint32_t words[2] = {(uint32_t)a, (uint32_t)b}, result = 0;
    memcpy(bytes, words, 8);
    for (int i = 0; i < 4; i++) {
        unsigned digit = selector >> 4 * i & 15;
        uint8_t byte = bytes[digit & 7];
        if (digit & 8)
            byte = byte & 0x80 ? 0xff : 0;
        result |= (uint32_t)byte << 8 * i;
    }
    return result;
}

static uint64_t looked_up(uint64_t a, uint64_t b, uint64_t c, unsigned table)
{
    uint64_t result = 0;
    for (int i = 0; i < 32; i++)
        result |= (uint64_t)(table >> (bit(a, i) << 2 | bit(b, i) << 1 | bit(c, i)) & 1) << i;
    return result;
}

static uint64_t count(uint64_t a, int bits)
{
    uint64_t n = 0;
    for (int i = 0; i < bits; i++)
        n += bit(a, i);
    return n;
}
/* Bit by bit: wide numbers, which nothing leaves. */
static uint64_t ones(uint64_t position, uint64_t length)
{
    uint64_t result = 0;
    for (uint64_t i = 0; i < 32; i++)
        result |= (uint64_t)(i >= position && i < position + length) << i;
    return result;
}
static int highest(uint64_t a, int bits)
{
    int i = bits - 1;
    while (i >= 0 && !bit(a, i))
        i--;
    return i;
}
static uint64_t reversed(uint64_t a, int bits)
{
    uint64_t result = 0;
    for (int i = 0; i < bits; i++)
        result |= bit(a, i) << (bits - 1 - i);
    return result;
}
static uint64_t clamped(int64_t x, int64_t low, int64_t high) { return low32(x < low ? low : x > high ? high : x); }
static int64_t byte_of(uint64_t x, int i, bool sign) { return sign ? (int8_t)(x >> 8 * i) : (uint8_t)(x >> 8 * i); }
static uint64_t dot4(uint64_t a, uint64_t b, uint64_t c, bool sign_a, bool sign_b)
{
    for (int i = 0; i < 4; i++)
        c += byte_of(a, i, sign_a) * byte_of(b, i, sign_b);
    return low32(c);
}
static uint64_t three_words(uint64_t a, uint64_t b)
{
    u128 sum = (u128)a + b;
    return (uint64_t)sum * 2 ^ (uint64_t)(sum >> 64);
}
static uint64_t borrowed(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    bool first = a < b;
    u128 high = (u128)c - d - first;
    return (a - b) ^ (uint64_t)high * 3 ^ ((high >> 64) ? ~0ULL : 0ULL) * 5;
}

int main()
{
    CHECK_CALL(cudaMalloc(&device_inputs, N * sizeof *device_inputs));
    CHECK_CALL(cudaMalloc(&device_results, sizeof results));
    printf("seed %llu\n", (unsigned long long)state);
    for (int i = 0; i < N; i++)
        inputs.push_back({corner(), corner(), corner(), corner()});
    CHECK_CALL(cudaMemcpy(device_inputs, inputs.data(), N * sizeof inputs[0], cudaMemcpyHostToDevice));

    CHECK_OP(add_u32, low32(a + b));
    CHECK_OP(add_s64, a + b);
    CHECK_OP(add_u16, (a + b) & 0xffff);
    CHECK_OP(add_sat, clamped((int64_t)s(a) + s(b), INT32_MIN, INT32_MAX));
    CHECK_OP(sub_sat, clamped((int64_t)s(a) - s(b), INT32_MIN, INT32_MAX));
    CHECK_OP(sub_s32, low32(a - b));
    CHECK_OP(mul_lo_s32, low32(a * b));
    CHECK_OP(mul_hi_s32, low32((uint64_t)(((int64_t)s(a) * s(b)) >> 32)));
    CHECK_OP(mul_hi_u32, low32(a) * low32(b) >> 32);
    CHECK_OP(mul_hi_u64, (uint64_t)((u128)a * b >> 64));
    CHECK_OP(mul_hi_s64, (uint64_t)((s128)(int64_t)a * (int64_t)b >> 64));
    CHECK_OP(mul_wide_s32, (uint64_t)((int64_t)s(a) * s(b)));
    CHECK_OP(mad_wide_u32, low32(a) * low32(b) + c);
    CHECK_OP(mad_lo, low32(a * b + c));
    CHECK_OP(mad_hi, low32((uint64_t)(((int64_t)s(a) * s(b)) >> 32) + c));
    CHECK_OP(mul24_lo_s32, low32((uint64_t)((int64_t)(s(a << 8) >> 8) * (s(b << 8) >> 8))));
    CHECK_OP(mul24_hi_u32, low32((a & 0xffffff) * (b & 0xffffff) >> 16));
    CHECK_OP(sad_s32, low32(c + (s(a) < s(b) ? (uint64_t)s(b) - s(a) : (uint64_t)s(a) - s(b))));
    CHECK_OP(vabsdiff4_u32, low32(c + bytes_apart<uint8_t>(a, b)));
    CHECK_OP(vabsdiff4_s32, low32(c + bytes_apart<int8_t>(a, b)));
    CHECK_OP(min_s32, low32(s(a) < s(b) ? a : b));
    CHECK_OP(max_u64, a > b ? a : b);
    CHECK_OP(abs_s32, low32(s(a) < 0 ? 0 - a : a));
    CHECK_OP(neg_s64, 0 - a);
    CHECK_OP(not_b32, low32(~a));
    CHECK_OP(cnot_b32, low32(a) == 0);
    CHECK_OP(and_b64, a & b);
    CHECK_OP(xor_b32, low32(a ^ b));
    CHECK_OP(lop3_e8, looked_up(a, b, c, 0xe8));
    CHECK_OP(lop3_1b, looked_up(a, b, c, 27));
    CHECK_OP(shl_b32, shifted(low32(a), amount(d), 32, false));
    CHECK_OP(shl_b64, shifted(a, amount(d), 64, false));
    CHECK_OP(shr_u32, shifted(low32(a), -amount(d), 32, false));
    CHECK_OP(shr_s32, shifted(low32(a), -amount(d), 32, true));
    CHECK_OP(shr_s64, shifted(a, -amount(d), 64, true));
    CHECK_OP(shf_l_wrap, shifted(low32(a) | b << 32, d & 31, 64, false) >> 32);
    CHECK_OP(shf_l_clamp, shifted(low32(a) | b << 32, amount(d) < 32 ? amount(d) : 32, 64, false) >> 32);
    CHECK_OP(shf_r_wrap, low32(shifted(low32(a) | b << 32, -(int)(d & 31), 64, false)));
    CHECK_OP(shf_r_clamp, low32(shifted(low32(a) | b << 32, -(amount(d) < 32 ? amount(d) : 32), 64, false)));
    CHECK_OP(prmt, permuted(a, b, c));
    CHECK_OP(prmt_f4e, permuted(a, b, (const unsigned[]){0x3210, 0x4321, 0x5432, 0x6543}[c & 3]));
    CHECK_OP(prmt_rc16, permuted(a, b, (const unsigned[]){0x1010, 0x3232, 0x1010, 0x3232}[c & 3]));
    CHECK_OP(bfe_u32, field(low32(a), b, d, 32, false));
    CHECK_OP(bfe_s32, field(low32(a), b, d, 32, true));
    CHECK_OP(bfe_s64, field(a, b, d, 64, true));
    CHECK_OP(bfi_b32, low32(insert(a, b, c, d, 32)));
    CHECK_OP(bmsk_clamp, ones(low32(a), low32(d)));
    CHECK_OP(bmsk_wrap, ones(a & 31, d & 31));
    CHECK_OP(popc, count(a, 32));
    CHECK_OP(clz, (uint64_t)(31 - highest(a, 32)));
    CHECK_OP(brev, reversed(a, 32));
    CHECK_OP(brev64, reversed(a, 64));
    CHECK_OP(bfind_u32, low32(highest(a, 32)));
    CHECK_OP(bfind_s32, low32(highest(bit(a, 31) ? ~a : a, 32)));
    CHECK_OP(bfind_amount, low32(highest(a, 32) < 0 ? -1 : 31 - highest(a, 32)));
    CHECK_OP(dp4a_uu, dot4(a, b, c, false, false));
    CHECK_OP(dp4a_su, dot4(a, b, c, true, false));
    CHECK_OP(dp2a_hi_ss, low32(c + (int64_t)(int16_t)a * (int8_t)(b >> 16) + (int64_t)(int16_t)(a >> 16) * (int8_t)(b >> 24)));
    CHECK_OP(add_128, three_words(a, b));
    CHECK_OP(sub_chain, borrowed(a, b, c, d));
    CHECK_OP(mad_chain, low32(a) * low32(b) + c);
    CHECK_OP(pick, s(a) < s(b) ? low32(c - 1) : 7);
    CHECK_OP(joined, (low32(a) == low32(b)) != (low32(c) >= low32(a) && low32(a) != low32(b)) ? 5 : 6);
    CHECK_OP(set_le, s(a) <= s(b) ? 0xffffffff : 0);
    CHECK_OP(packed, a << 32 | a >> 32);
    CHECK_OP(halves, (((a & 0xffff) + (a >> 16 & 0xffff)) & 0xffff) << 16 | (a >> 16 & 0xffff));
    CHECK_OP(cvt_s8, low32((uint64_t)(int64_t)(int8_t)a));
    CHECK_OP(cvt_u16, a & 0xffff);
    CHECK_OP(cvt_sat, clamped(s(a), 0, 255));
    printf("PASSED\n");
}
