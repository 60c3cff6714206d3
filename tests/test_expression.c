/* test_expression.c - does an expression become the access it says, and does each mistake get the
 * message that names it, its column and what is allowed?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "access_cases.h"
#include "expression/expression.h"

enum { NOISE_CASES = 20000 };

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
    parse("ld.global.f32 base=0x84 stride=4 mask=0xfffffff7", &e);
    assert_ptr_equal(e.access.addr, e.addr);
    assert_int_equal(e.access.op, OP_LOAD);
    assert_int_equal(e.access.space, SPACE_GLOBAL);
    assert_int_equal(e.access.width, 4);
    assert_int_equal(e.access.flags, 0);
    assert_int_equal(e.access.active, 0xfffffff7);
    assert_int_equal(e.access.resident, 0xfffffff7);
    assert_int_equal(e.addr[0], 0x84);
    assert_int_equal(e.addr[3], 0);
    assert_int_equal(e.addr[31], 0x100);
}

static void matrices_have_rows(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned op, active;
    } cases[] = {
        {"ldmatrix.x1", OP_LOAD, 0xff},
        {"ldmatrix.x2.trans base=32", OP_LOAD, 0xffff},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 stride=80", OP_LOAD, UINT32_MAX},
        {"stmatrix.x1 mask=0x7", OP_STORE, 7},
        {"stmatrix.x4.shared::cta addr=0,16,-,48", OP_STORE, 0xb},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expression e;
        parse(cases[i].text, &e);
        assert_true(access_is_matrix(&e.access));
        assert_int_equal(e.access.op, cases[i].op);
        assert_int_equal(e.access.width, 16);
        assert_int_equal(e.access.active, cases[i].active);
    }
    assert_error("ldmatrix.trans",
                 "column 1: how many matrices is missing; allowed: one of x1, x2, "
                 "x4, as in ldmatrix.x4");
    assert_error("stmatrix.x1 mask=0x100",
                 "column 18: lanes that the block does not have; allowed: lanes of 0xff");
    assert_error("ldmatrix.x4 base=8",
                 "column 18: lane 0 is at 0x8, which is misaligned; allowed: multiples of 16, the "
                 "bytes a lane takes");
}

static void operations_spaces_and_types(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned op, space, width, flags;
    } cases[] = {
        {"ld.shared.u8", OP_LOAD, SPACE_SHARED, 1, 0},
        {"ld.const.s16", OP_LOAD, SPACE_CONSTANT, 2, 0},
        {"st.local.b64", OP_STORE, SPACE_LOCAL, 8, 0},
        {"ld.tex.f16", OP_LOAD, SPACE_TEXTURE, 2, 0},
        {"ld.global.v4.f32", OP_LOAD, SPACE_GLOBAL, 16, 0},
        {"ld.global.nc.v2.f64", OP_LOAD, SPACE_GLOBAL, 16, ACCESS_READ_ONLY},
        {"st.shared.v2.u8", OP_STORE, SPACE_SHARED, 2, 0},
        {"ld.global.b128", OP_LOAD, SPACE_GLOBAL, 16, 0},
        {"atom.shared.u32", OP_ATOMIC, SPACE_SHARED, 4, 0},
        {"atom.global.add.f64", OP_ATOMIC, SPACE_GLOBAL, 8, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expression e;
        parse(cases[i].text, &e);
        assert_int_equal(e.access.op, cases[i].op);
        assert_int_equal(e.access.space, cases[i].space);
        assert_int_equal(e.access.width, cases[i].width);
        assert_int_equal(e.access.flags, cases[i].flags);
        assert_int_equal(e.access.active, UINT32_MAX);
        assert_int_equal(e.addr[31], 31 * cases[i].width);
    }
}

static void strides_may_be_negative_or_zero(void **state)
{
    (void)state;
    struct expression e;
    parse("  ld.global.f32\tstride=-0x10 base=496 ", &e);
    assert_int_equal(e.addr[0], 496);
    assert_int_equal(e.addr[31], 0);
    parse("ld.global.f32 stride=0 base=4", &e);
    assert_int_equal(e.addr[31], 4);
}

static void lists_leave_the_other_lanes_off(void **state)
{
    (void)state;
    struct expression e;
    parse("ld.global.f32 addr=0,8,0x100", &e);
    assert_int_equal(e.access.active, 7);
    assert_int_equal(e.addr[2], 0x100);
    parse("ld.global.f32 addr=0,8,0x100 mask=5", &e);
    assert_int_equal(e.access.active, 5);
    parse("ld.global.f32 addr=0,8,0x100 perm=xor:1", &e);
    assert_int_equal(e.access.active, 0xb);
    assert_int_equal(e.addr[0], 8);
    assert_int_equal(e.addr[3], 0x100);
    parse("ld.global.f32 addr=-,8,-,16,-", &e);
    assert_int_equal(e.access.active, 0xa);
    assert_int_equal(e.addr[3], 16);
    parse("ld.global.f32 addr=0 lane=31:64", &e);
    assert_int_equal(e.access.active, 0x80000001);
    assert_int_equal(e.addr[31], 64);
}

static void lanes_are_permuted_then_overridden(void **state)
{
    (void)state;
    struct expression e;
    parse("ld.global.f32 lane=0:0x1000 perm=xor:3 lane=5:0 base=0x80", &e);
    assert_int_equal(e.addr[0], 0x1000);
    assert_int_equal(e.addr[1], 0x80 + 2 * 4);
    assert_int_equal(e.addr[5], 0);
    assert_int_equal(e.addr[31], 0x80 + 28 * 4);
}

static void masked_lanes_need_no_valid_address(void **state)
{
    (void)state;
    struct expression e;
    parse("ld.global.f64 base=0xfffffffffff8 mask=1", &e);
    assert_int_equal(e.addr[0], 0xfffffffffff8);
    parse("ld.global.f32 stride=3 mask=0x11", &e);
    assert_int_equal(e.addr[4], 12);
}

static void mistakes_in_the_first_word(void **state)
{
    (void)state;
    static const char types[] =
        "allowed: u8, s8, b8, u16, s16, b16, f16, bf16, u32, s32, b32, f32, "
        "tf32, u64, s64, b64, f64, b128";
    char expected[256];
    assert_error(
        "", "column 1: the operation is missing; allowed: ld, st, atom, ldmatrix, stmatrix, cp");
    assert_error(
        "  ", "column 3: the operation is missing; allowed: ld, st, atom, ldmatrix, stmatrix, cp");
    assert_error("lod.global.f32", "column 1: unknown operation 'lod', nearest 'ld'; allowed: ld, "
                                   "st, atom, ldmatrix, stmatrix, cp");
    assert_error("load.global.f32", "column 1: unknown operation 'load', nearest 'ld'; allowed: "
                                    "ld, st, atom, ldmatrix, stmatrix, cp");
    assert_error("ld",
                 "column 3: the space is missing; allowed: global, shared, const, local, tex");
    assert_error("ld.globl.f32", "column 4: unknown space 'globl', nearest 'global'; allowed: "
                                 "global, shared, const, local, tex");
    assert_error("st.const.f32",
                 "column 4: nothing is stored in 'const'; allowed: global, shared, local");
    assert_error("atom.local.u32",
                 "column 6: there are no atomics in 'local'; allowed: global, shared");
    snprintf(expected, sizeof expected, "column 10: the type is missing; %s", types);
    assert_error("ld.global base=4", expected);
    snprintf(expected, sizeof expected, "column 11: the type is missing; %s", types);
    assert_error("ld.global. base=4", expected);
    snprintf(expected, sizeof expected, "column 11: unknown type 'f31', nearest 'f32'; %s", types);
    assert_error("ld.global.f31", expected);
    snprintf(expected, sizeof expected, "column 11: unknown type 'b36', nearest 'b16' or 'b32'; %s",
             types);
    assert_error("ld.global.b36", expected);
    assert_error("ld.global.nv.f32",
                 "column 11: unknown qualifier 'nv', nearest 'nc'; allowed: v2, v4, nc");
    assert_error("ld.global.v2.v2.f32",
                 "column 14: a vector is given twice; allowed: one of v2, v4");
    assert_error("ld.global.v4.f64",
                 "column 14: v4 of 8 bytes each is 32 bytes; allowed: at most 16");
    assert_error("ld.shared.nc.f32",
                 "column 11: 'nc' does not go with this; allowed: ld.global.nc");
    assert_error("st.global.nc.f32",
                 "column 11: 'nc' does not go with this; allowed: ld.global.nc");
    assert_error("atom.global.v2.f32", "column 13: unknown qualifier of an atomic 'v2'; allowed: "
                                       "add, min, max, inc, dec, and, or, xor, exch, cas, "
                                       "increment");
    assert_error("atom.shared.increment.u64",
                 "column 23: an increment is of 4-byte integers; allowed: u32, s32, b32");
    assert_error("atom.shared.increment.f32",
                 "column 23: an increment is of 4-byte integers; allowed: u32, s32, b32");
    assert_error("atom.global.u8",
                 "column 13: there are no atomics on 1 byte; allowed: 2, 4, 8 or 16");
}

static void mistakes_in_the_other_words(void **state)
{
    (void)state;
    static const char words[] = "allowed: base, stride, mask, addr, perm, lane, layout, swizzle, "
                                "if, block, grid, blockIdx, warp";
    char expected[256];
    snprintf(expected, sizeof expected, "column 15: unknown word 'bse', nearest 'base'; %s", words);
    assert_error("ld.global.f32 bse=4", expected);
    snprintf(expected, sizeof expected, "column 15: unknown word '??[31m'; %s", words);
    assert_error("ld.global.f32 \x9b\x1b[31m", expected);
    assert_error("ld.global.f32 base", "column 19: 'base' has no value; allowed: base=...");
    assert_error("ld.global.f32 base=", "column 20: a number is missing; allowed: decimal (128) or "
                                        "hexadecimal (0x80)");
    assert_error("ld.global.f32 base=4k", "column 20: '4k' is not a number; allowed: decimal (128) "
                                          "or hexadecimal (0x80)");
    assert_error("ld.global.f32 base=0x", "column 20: '0x' is not a number; allowed: decimal (128) "
                                          "or hexadecimal (0x80)");
    assert_error("ld.global.f32 base=-4", "column 20: '-4' is not a number; allowed: decimal (128) "
                                          "or hexadecimal (0x80)");
    assert_error("ld.global.f32 base=4 base=8", "column 27: base= is given twice; allowed: once");
    assert_error("ld.global.f32 stride=4 stride=8",
                 "column 31: stride= is given twice; allowed: once");
    assert_error("ld.global.f32 mask=1 mask=1", "column 27: mask= is given twice; allowed: once");
    assert_error("ld.global.f32 perm=xor:1 perm=xor:1",
                 "column 31: perm= is given twice; allowed: once");
    assert_error("ld.global.f32 addr=4 addr=8", "column 27: addr= is given twice; allowed: once");
    assert_error("ld.global.f32 lane=4:8 lane=4:16",
                 "column 29: the same lane= is given twice; allowed: once");
    assert_error("ld.global.f32 mask=0",
                 "column 20: the mask turns every lane off; allowed: 1 to 0xffffffff");
    assert_error("ld.global.f32 mask=0x100000000",
                 "column 20: '0x100000000' is too large; allowed: 0 to 0xffffffff");
    assert_error("ld.global.f32 perm=rot:1",
                 "column 20: unknown permutation 'rot', nearest 'xor'; allowed: xor");
    assert_error("ld.global.f32 perm=xor",
                 "column 23: the lane distance is missing; allowed: xor:0 to xor:31");
    assert_error("ld.global.f32 perm=xor:32", "column 24: '32' is too large; allowed: 0 to 0x1f");
    assert_error("ld.global.f32 lane=32:0", "column 20: '32' is too large; allowed: 0 to 0x1f");
    assert_error("ld.global.f32 lane=3", "column 21: the address is missing; allowed: lane=3:0x80");
    assert_error("ld.global.f32 addr=0,,4", "column 22: a number is missing; allowed: decimal "
                                            "(128) or hexadecimal (0x80)");
    assert_error("ld.global.f32 addr=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
                 "0,4",
                 "column 84: more than 32 addresses; allowed: 1 to 32");
    assert_error("ld.global.f32 addr=0 stride=8", "column 29: base= and stride= do not go with "
                                                  "addr=; allowed: one or the other");
}

static void mistakes_in_the_addresses(void **state)
{
    (void)state;
    assert_error("ld.global.f32 base=0x1000000000000",
                 "column 20: '0x1000000000000' is too large; allowed: 0 to 0xffffffffffff");
    assert_error("ld.global.f32 base=99999999999999999999999999",
                 "column 20: '99999999999999999999...' is too large; allowed: 0 to 0xffffffffffff");
    assert_error("ld.global.f32 stride=-0x1000000000000",
                 "column 23: '0x1000000000000' is too large; allowed: 0 to 0xffffffffffff");
    assert_error("ld.global.f32 base=0xfffffffffffc",
                 "column 20: lane 1 is at 0x1000000000000; allowed: 0 to 0xfffffffffffc");
    assert_error("ld.global.f32 stride=0xfffffffffffc",
                 "column 22: lane 2 is at 0x1fffffffffff8; allowed: 0 to 0xfffffffffffc");
    assert_error("ld.global.f32 stride=-4",
                 "column 22: lane 1 is at -0x4; allowed: 0 to 0xfffffffffffc");
    assert_error("ld.shared.f32 base=0x40000",
                 "column 20: lane 0 is at 0x40000; allowed: 0 to 0x3fffc");
    assert_error("ld.const.f64 base=0x10000",
                 "column 19: lane 0 is at 0x10000; allowed: 0 to 0xfff8");
    assert_error("ld.global.f32 base=0x82",
                 "column 20: lane 0 is at 0x82, which is misaligned; allowed: multiples of 4, the "
                 "bytes a lane takes");
    assert_error("ld.global.v4.f32 stride=8",
                 "column 25: lane 1 is at 0x8, which is misaligned; allowed: multiples of 16, the "
                 "bytes a lane takes");
    assert_error("ld.global.f64 addr=0,8,4",
                 "column 24: lane 2 is at 0x4, which is misaligned; allowed: multiples of 8, the "
                 "bytes a lane takes");
    assert_error("ld.global.f64 lane=7:1",
                 "column 20: lane 7 is at 0x1, which is misaligned; allowed: multiples of 8, the "
                 "bytes a lane takes");
    assert_error("ld.global.f32 mask=1 lane=3:4",
                 "column 27: lane 3 has an address but is masked off; allowed: lanes in the mask, "
                 "0x1");
    assert_error("ld.global.f32 addr=4 mask=2",
                 "column 27: no lane is left; allowed: at least one lane in the mask that has an "
                 "address");
}

static void short_buffers_are_respected(void **state)
{
    (void)state;
    struct expression out;
    char error[12] = "???????????";
    assert_false(expression_parse("lod", &out, error, 8));
    assert_string_equal(error, "column ");
    assert_int_equal(error[8], '?');
    assert_false(expression_parse("lod", &out, NULL, 0));
}

/* Words and signs in any order: either an access that keeps the promises of access.h, or a message
 * of one printable line. */
static void noise_is_refused_or_valid(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "ld",     "st",       "atom",   ".global",  ".shared",
        ".const", ".f32",     ".u8",    ".v4",      ".b128",
        " base=", " stride=", " mask=", " addr=",   " perm=xor:",
        " lane=", "0x",       "-",      ",",        ":",
        "4",      "17",       "128",    "ffffffff", "99999999999999999999",
        "\x1b",   "=",        " ",      ".",        "\xff"};
    const size_t count = sizeof pieces / sizeof *pieces;
    for (uint64_t number = 0; number < NOISE_CASES; number++) {
        struct random_bits random = random_start(4, number);
        struct expression out;
        char text[512] = "", error[256] = "";
        if (number % 2 == 0)
            strcat(text, "ld.global.f32");
        for (uint64_t left = random_below(&random, 16); left != 0; left--)
            strcat(text, pieces[random_below(&random, count)]);
        bool is_good = expression_parse(text, &out, error, sizeof error);
        assert_int_equal(is_good, error[0] == '\0');
        assert_true(strlen(error) < sizeof error - 1);
        for (const char *c = error; *c != '\0'; c++)
            assert_in_range(*c, ' ', '~');
        for (unsigned lane = 0; is_good && lane < WARP_LANES; lane++)
            assert_int_equal(out.addr[lane] % out.access.width, 0);
        assert_true(!is_good || out.access.active != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_manual),
        cmocka_unit_test(operations_spaces_and_types),
        cmocka_unit_test(matrices_have_rows),
        cmocka_unit_test(strides_may_be_negative_or_zero),
        cmocka_unit_test(lists_leave_the_other_lanes_off),
        cmocka_unit_test(lanes_are_permuted_then_overridden),
        cmocka_unit_test(masked_lanes_need_no_valid_address),
        cmocka_unit_test(mistakes_in_the_first_word),
        cmocka_unit_test(mistakes_in_the_other_words),
        cmocka_unit_test(mistakes_in_the_addresses),
        cmocka_unit_test(short_buffers_are_respected),
        cmocka_unit_test(noise_is_refused_or_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
