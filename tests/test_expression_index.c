/* test_expression_index.c - does an index give each lane the address that the C compiler would, and each
 * mistake the message that names its place?
 *
 * Usage: test_expression_index [SEED].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "expression/expression.h"
#include "test_support.h"

enum { TEXT_BYTES = 512, CASES = 400, NOISE_CASES = 20000 };

static uint64_t seed = 20260401;

static void parse(const char *text, struct expression *out)
{
    char error[256];
    if (!expression_parse(text, out, error, sizeof error))
        fail_msg("'%s': %s", text, error);
}

static void assert_error(const char *text, const char *expected)
{
    struct expression out;
    char error[256];
    assert_false(expression_parse(text, &out, error, sizeof error));
    assert_string_equal(error, expected);
}

static void the_example_of_the_manual(void **state)
{
    (void)state;
    struct expression e;
    parse("ld.global.f32 [ (threadIdx.x*stride + off) % n ] stride=2 off=1 n=48", &e);
    assert_int_equal(e.access.active, UINT32_MAX);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(e.addr[lane], (lane * 2 + 1) % 48 * 4);
}

static void elements_are_as_wide_as_the_type_and_begin_at_base(void **state)
{
    (void)state;
    struct expression e;
    parse("st.global.v4.f32 base=0x1000 [lane]", &e);
    assert_int_equal(e.addr[31], 0x1000 + 31 * 16);
    parse("ld.shared.u8 [31-tx]base=7", &e);
    assert_int_equal(e.addr[0], 38);
    assert_int_equal(e.addr[31], 7);
}

static void a_warp_lies_in_a_block_that_lies_in_a_grid(void **state)
{
    (void)state;
    struct expression e;
    parse(
        "ld.global.f32 [(by*blockDim.y+ty)*gridDim.x*blockDim.x + bx*blockDim.x + tx] block=16x16 "
        "grid=4x2 blockIdx=3x1 warp=2",
        &e);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned tx = lane % 16, ty = 4 + lane / 16;
        assert_int_equal(e.addr[lane], ((16 + ty) * 64 + 48 + tx) * 4);
    }
    parse("ld.global.f32 [threadIdx.z*100+warp*10+warpSize] block=2,4,8 warp=1", &e);
    assert_int_equal(e.addr[0], (400 + 10 + 32) * 4);
    assert_int_equal(e.addr[31], (700 + 10 + 32) * 4);
}

static void conditions_and_ends_of_blocks_turn_lanes_off(void **state)
{
    (void)state;
    struct expression e;
    parse("ld.global.f32 [100/tx] if=(tx % 2 != 0 && tx < n) n=9 mask=0xfe", &e);
    assert_int_equal(e.access.active, 0xaa);
    assert_int_equal(e.addr[7], 14 * 4);
    parse("ld.global.f32 stride=8 if=lane>=30", &e);
    assert_int_equal(e.access.active, 0xc0000000);
    assert_int_equal(e.addr[31], 31 * 8);
    parse("ld.global.f32 [tx] block=40 warp=1", &e);
    assert_int_equal(e.access.active, 0xff);
    assert_int_equal(e.addr[7], 39 * 4);
}

static void lanes_are_permuted_and_overridden_as_without_an_index(void **state)
{
    (void)state;
    struct expression e;
    parse("ld.global.f32 [100/(lane-1)+200] perm=xor:1 if=lane lane=2:0 block=256 mask=0x6", &e);
    assert_int_equal(e.access.active, 6);
    assert_int_equal(e.addr[1], 400);
    assert_int_equal(e.addr[2], 0);
    parse("ld.global.f32 [lane] perm=xor:1", &e);
    assert_int_equal(e.addr[0], 4);
}

/* The same text for this program and for the compiler. */
#define EXPRESSIONS(X)                                                                             \
    X(tx *a + b)                                                                                   \
    X(tx / (b * b + 1) - -a)                                                                       \
    X((tx * a + b) % (c * c + 1))                                                                  \
    X(a - b - c - tx)                                                                              \
    X(tx << 2 | (a & 3))                                                                           \
    X((tx ^ a) & 255 | c * 2)                                                                      \
    X(((a | b) >> 2) + (tx ^ b & c))                                                               \
    X(a<b == tx> c)                                                                                \
    X(a <= b != (tx >= c))                                                                         \
    X(tx<16 ? tx * 2 : a> 0 ? b : -c)                                                              \
    X(a &&b || !c && tx)                                                                           \
    X(a ? b ? 1 : 2 : c ? 3 : 4)                                                                   \
    X(~tx + !a * 3 - -+b)                                                                          \
    X(min(tx, a) + max(b, min(c, tx)))                                                             \
    X(-tx % 7 * 8 / 3)                                                                             \
    X(tx == 0 || a / tx > b)                                                                       \
    X(tx & 1 ? a >> 1 : ~(b >> 3))                                                                 \
    X(a *b *c - 0x10 * tx % 32)

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#if defined __clang__
#pragma GCC diagnostic ignored "-Wlogical-op-parentheses"
#pragma GCC diagnostic ignored "-Wbitwise-op-parentheses"
#else
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#endif
#define COMPUTED(expression) (int64_t)(expression),
#define TEXT(expression) #expression,
enum { EXPRESSION_BASE = 1 << 26 };

static const char *const texts[] = {EXPRESSIONS(TEXT)};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static int64_t computed(size_t which, int64_t tx, int64_t a, int64_t b, int64_t c)
{
    const int64_t values[] = {EXPRESSIONS(COMPUTED)};
    return values[which];
}
#pragma GCC diagnostic pop

static void any_index_is_what_the_compiler_makes_of_it(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        struct random_bits random = random_start(seed, number);
        const int64_t a = (int64_t)random_below(&random, 400) - 200;
        const int64_t b = (int64_t)random_below(&random, 400) - 200;
        const int64_t c = (int64_t)random_below(&random, 400) - 200;
        const size_t which = number % TEXTS;
        struct expression e;
        char text[TEXT_BYTES];
        snprintf(text, sizeof text, "ld.global.u8 base=%d a=%d b=%d [%s] c=%d", EXPRESSION_BASE,
                 (int)a, (int)b, texts[which], (int)c);
        /* All three have to be used. */
        strcat(text, " if=(a|b|c|1)");
        parse(text, &e);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            assert_int_equal(e.addr[lane], EXPRESSION_BASE + computed(which, lane, a, b, c));
    }
}

static void mistakes_in_the_index(void **state)
{
    (void)state;
    static const char operand[] =
        "a number or a name is missing; allowed: a number, a name, '(', '+', '-', "
        "'~', '!', min(a, b), max(a, b)";
    static const char operators[] =
        "allowed: + - * / % << >> & ^ | < <= > >= == != && || ?:, or the "
        "end";
    char expected[256];
    snprintf(expected, sizeof expected, "column 16: %s", operand);
    assert_error("ld.global.f32 []", expected);
    snprintf(expected, sizeof expected, "column 19: %s", operand);
    assert_error("ld.global.f32 [tx*]", expected);
    snprintf(expected, sizeof expected, "column 19: ')' cannot stand here; %s", operators);
    assert_error("ld.global.f32 [tx ) + (1]", expected);
    snprintf(expected, sizeof expected, "column 18: '=' cannot stand here; %s", operators);
    assert_error("ld.global.f32 [tx=1]", expected);
    assert_error("ld.global.f32 [(tx]", "column 19: ')' is missing; allowed: ')' or an operator");
    assert_error("ld.global.f32 [tx?1]", "column 20: ':' is missing; allowed: ':' or an operator");
    assert_error("ld.global.f32 [min(tx)]",
                 "column 22: ',' is missing; allowed: ',' or an operator");
    assert_error("ld.global.f32 [abs(tx)]", "column 16: unknown function 'abs'; allowed: min, max");
    assert_error("ld.global.f32 [tx*2", "column 20: ']' is missing; allowed: [index]");
    assert_error("ld.global.f32 [tx] [ty]", "column 20: a second index; allowed: one [index]");
    assert_error("ld.global.f32 [2k]",
                 "column 16: '2k' is not a number; allowed: decimal (128) or hexadecimal (0x80)");
    assert_error(
        "ld.global.f32 [threadidx.x]",
        "column 16: unknown name 'threadidx.x', nearest 'threadIdx.x'; allowed: threadIdx, "
        "blockIdx, blockDim and gridDim with .x .y .z, tx ty tz bx by bz, lane, warp, "
        "warpSize, and what a word name=number gives");
    assert_error("ld.global.f32 [gridDim.x]",
                 "column 16: the grid's size is not given; allowed: with "
                 "grid=64 or grid=32x8");
}

static void mistakes_in_the_words_of_an_index(void **state)
{
    (void)state;
    assert_error("ld.global.f32 [tx*s] s=two",
                 "column 24: 'two' is not a number; allowed: decimal (128) or hexadecimal (0x80)");
    assert_error("ld.global.f32 [tx*s] s=2 s=3",
                 "column 26: this name is given twice; allowed: once");
    assert_error(
        "ld.global.f32 [tx] bas=4",
        "column 20: unknown word 'bas', nearest 'base'; allowed: base, stride, mask, addr, "
        "perm, lane, layout, swizzle, if, block, grid, blockIdx, warp");
    assert_error("ld.global.f32 [tx] stride=8",
                 "column 20: the index does not use stride; allowed: "
                 "without it, or [...*stride]");
    assert_error("ld.global.f32 [tx] tx=8", "column 20: tx is worked out; allowed: block=, grid=, "
                                            "blockIdx= and warp= say which warp it is");
    assert_error("ld.global.f32 [tx] addr=8",
                 "column 25: addr= does not go with an index; allowed: one or the other");
    assert_error("ld.global.f32 [tx] block=64x0",
                 "column 29: block= has a 0; allowed: 1 or more, as in 32x8");
    assert_error("ld.global.f32 [tx] block=64x32",
                 "column 26: a block of that many threads; allowed: "
                 "1024 in all, 64 in z");
    assert_error("ld.global.f32 [tx] block=1x1x1x1",
                 "column 32: block= has a fourth part; allowed: 32x8x1");
    assert_error("ld.global.f32 [tx] warp=8",
                 "column 25: the block has no such warp; allowed: 0 to 7");
    assert_error("ld.global.f32 [tx] grid=4 blockIdx=4",
                 "column 36: the grid has no such block; allowed: below grid=, from 0 on");
    assert_error("ld.global.f32 [tx] if=tx>99", "column 23: no lane is left; allowed: at least one "
                                                "lane in the mask that has an address");
}

static void mistakes_of_single_lanes_name_them(void **state)
{
    (void)state;
    assert_error("ld.global.f32 [8/(tx-3)]",
                 "column 17: lane 3 divides by 0; allowed: any other number");
    assert_error("ld.global.f32 [8%(tx-3)]",
                 "column 17: lane 3 divides by 0; allowed: any other number");
    assert_error("ld.global.f32 [1<<(60+tx)>>60]",
                 "column 17: the value of lane 3 does not fit 64 bits; allowed: -2^63 to 2^63-1");
    assert_error("ld.global.f32 [0>>(62+tx)]",
                 "column 17: lane 2 shifts by 64 bits; allowed: 0 to 63");
    assert_error("ld.global.f32 [0<<(tx-1)]",
                 "column 17: lane 0 shifts by -1 bits; allowed: 0 to 63");
    assert_error("ld.global.f32 [0*(0x7ffffffffffffffc+tx)]",
                 "column 37: the value of lane 4 does not fit 64 bits; allowed: -2^63 to 2^63-1");
    assert_error("ld.global.f32 [(-0x7fffffffffffffff-1)/(tx-1)*0]",
                 "column 39: the value of lane 0 does not fit 64 bits; allowed: -2^63 to 2^63-1");
    assert_error("ld.global.f32 [0x2000000000000000]",
                 "column 15: the address of lane 0 does not fit 64 bits; allowed: below 2^48");
    assert_error("ld.global.f32 [0x400000000000-1+tx]",
                 "column 15: lane 1 is at 0x1000000000000; allowed: 0 to 0xfffffffffffc");
    assert_error("ld.global.f32 [tx-1]",
                 "column 15: lane 0 is at -0x4; allowed: 0 to 0xfffffffffffc");
    assert_error("ld.global.f32 [tx] base=2",
                 "column 15: lane 0 is at 0x2, which is misaligned; allowed: multiples of 4, the "
                 "bytes a lane takes");
}

/* Pieces of indices in any order: an access that keeps the promises of access.h, or one line. */
static void noise_is_refused_or_valid(void **state)
{
    (void)state;
    static const char *const pieces[] = {"[",
                                         "]",
                                         "(",
                                         ")",
                                         "tx",
                                         "lane",
                                         "n",
                                         "+",
                                         "-",
                                         "*",
                                         "/",
                                         "%",
                                         "<<",
                                         ">>",
                                         "&",
                                         "|",
                                         "^",
                                         "?",
                                         ":",
                                         "==",
                                         "<",
                                         "&&",
                                         "!",
                                         "~",
                                         " ",
                                         ",",
                                         "min(",
                                         "max(",
                                         "63",
                                         "1",
                                         "0x7fffffffffffffff",
                                         " n=",
                                         " if=",
                                         " block=",
                                         "x",
                                         "\x1b",
                                         "\xff"};
    const size_t count = sizeof pieces / sizeof *pieces;
    for (uint64_t number = 0; number < NOISE_CASES; number++) {
        struct random_bits random = random_start(seed, number);
        struct expression out;
        char text[TEXT_BYTES] = "ld.global.u8 [", error[256] = "";
        for (uint64_t left = random_below(&random, 12); left != 0; left--)
            strcat(text, pieces[random_below(&random, count)]);
        if (number % 2)
            strcat(text, "] n=3");
        bool is_good = expression_parse(text, &out, error, sizeof error);
        assert_int_equal(is_good, error[0] == '\0');
        assert_true(strlen(error) < sizeof error - 1);
        for (const char *c = error; *c != '\0'; c++)
            assert_in_range(*c, ' ', '~');
        assert_true(!is_good || out.access.active != 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_manual),
        cmocka_unit_test(elements_are_as_wide_as_the_type_and_begin_at_base),
        cmocka_unit_test(a_warp_lies_in_a_block_that_lies_in_a_grid),
        cmocka_unit_test(conditions_and_ends_of_blocks_turn_lanes_off),
        cmocka_unit_test(lanes_are_permuted_and_overridden_as_without_an_index),
        cmocka_unit_test(any_index_is_what_the_compiler_makes_of_it),
        cmocka_unit_test(mistakes_in_the_index),
        cmocka_unit_test(mistakes_in_the_words_of_an_index),
        cmocka_unit_test(mistakes_of_single_lanes_name_them),
        cmocka_unit_test(noise_is_refused_or_valid),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
