/* test_layouts.c - do layouts, compositions and swizzles of expressions mean what CuTe's documentation says, and does each
 * mistake in one get the message that names it, its column and what is allowed?
 *
 * What is expected is either printed in CUTLASS's documentation of CuTe or worked out here by nested loops and bit by bit,
 * not by the division and the shifts of the code.
 */
#include "expression/expression.h"
#include "test_support.h"

#include <stdio.h>
#include <string.h>

static struct expression parsed;

static const struct expression *parse(const char *text)
{
    char error[256];
    if (!expression_parse(text, &parsed, error, sizeof error))
        fail_msg("'%s': %s", text, error);
    return &parsed;
}

/* Both make the same addresses for the same lanes. */
static void assert_same(const char *text, const char *other)
{
    struct expression first;
    memcpy(&first, parse(text), sizeof first);
    parse(other);
    assert_int_equal(first.access.active, parsed.access.active);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (first.addr[lane] != parsed.addr[lane])
            fail_msg("%s / %s: lane %u is at %llu / %llu", text, other, lane,
                     (unsigned long long)first.addr[lane], (unsigned long long)parsed.addr[lane]);
}

/* ((2,4),8):((s0,s1),s2), coordinate by coordinate: the first mode runs fastest. */
static void nested_modes_run_from_the_left(void **state)
{
    (void)state;
    static const unsigned strides[][3] = {{1, 16, 2}, {4, 1, 32}, {0, 3, 7}, {1, 2, 8}};
    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
        char text[128];
        uint64_t expected[64];
        unsigned at = 0;
        for (unsigned k = 0; k < 8; k++)
            for (unsigned j = 0; j < 4; j++)
                for (unsigned i = 0; i < 2; i++)
                    expected[at++] = i * strides[s][0] + j * strides[s][1] + k * strides[s][2];
        for (unsigned step = 1; step <= 2; step++) {
            snprintf(text, sizeof text, "ld.shared.f32 layout=((2,4),8):((%u,%u),%u) o 32:%u",
                     strides[s][0], strides[s][1], strides[s][2], step);
            parse(text);
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                assert_int_equal(parsed.addr[lane], 4 * expected[lane * step]);
        }
    }
}

/* media/docs/cpp/cute/02_layout_algebra.md, "Composition": its examples, with their results. */
static void published_compositions(void **state)
{
    (void)state;
    assert_same("ld.shared.u8 mask=0xfff layout=(6,2):(8,2) o (4,3):(3,1)",
                "ld.shared.u8 mask=0xfff layout=((2,2),3):((24,2),8)");
    assert_same("ld.shared.u8 mask=0xfffff layout=20:2 o (5,4):(4,1)",
                "ld.shared.u8 mask=0xfffff layout=(5,4):(8,2)");
    assert_same("ld.shared.u8 mask=0xfffff layout=(10,2):(16,4) o (5,4):(1,5)",
                "ld.shared.u8 mask=0xfffff layout=(5,(2,2)):(16,(80,4))");
}

static void forms_of_the_same(void **state)
{
    (void)state;
    static const char tile[] = "ldmatrix.x4 layout=(16,64):(72,1)";
    assert_same(tile, "ldmatrix.x4 layout=16x64+8");
    assert_same(tile, "ldmatrix.x4 layout=(16,64):(64+8,1)");
    assert_same(tile, "ldmatrix.x4 layout=(_16,_64):(_72,_1) bf16");
    assert_same(tile, "ldmatrix.x4 layout=( 16, 64 ):(72, 1) b16");
    assert_same(tile, "ldmatrix.x4 layout=(16,64):(72,1) o (16,2):(1,128)");
    assert_same(tile, "ldmatrix.x4 layout=(16,64):(72,1)o(16,2):(1,128)");
    assert_same(tile, "ldmatrix.x4 layout=(16,128):(144,1) u8");
    assert_same("ld.shared.f32 layout=(8,4)", "ld.shared.f32 layout=(8,4):(1,8)");
    assert_same("ld.shared.f32 layout=(8,4)", "ld.shared.f32 stride=4");
    assert_same("ld.shared.v4.f32 layout=32x32 o (8,4):(128,1)",
                "ld.shared.b128 f32 layout=32x32 o (8,4):(128,1)");
    assert_same("ld.shared.f32 layout=32:2 base=64 perm=xor:1 lane=3:0x400",
                "ld.shared.f32 stride=8 base=64 perm=xor:1 lane=3:0x400");
    assert_same("ld.shared.f64 [tx*3] f16 mask=0x11", "ld.shared.f64 addr=0,-,-,-,24 mask=0x11");
}

/* Lanes name rows: down the tile, then on by 16 bytes, whatever the element. */
static void rows_of_matrices(void **state)
{
    (void)state;
    parse("ldmatrix.x4 layout=16x64 f16");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(parsed.addr[lane], lane % 16 * 128 + lane / 16 * 16);
    parse("ldmatrix.x4 layout=8x32 f32");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(parsed.addr[lane], lane % 8 * 128 + lane / 8 * 16);
    parse("stmatrix.x2 layout=64x64 f16");
    for (unsigned lane = 0; lane < 16; lane++)
        assert_int_equal(parsed.addr[lane], lane * 128);
    parse("ldmatrix.x4 layout=32:64");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(parsed.addr[lane], lane * 128);
}

/* include/cute/swizzle.hpp: AA = ZZ xor YY, one bit after the other. */
static uint64_t swizzled(unsigned bits, unsigned base, int shift, uint64_t index)
{
    uint64_t out = index;
    for (unsigned i = 0; i < bits; i++) {
        const unsigned from = base + i + (shift > 0 ? (unsigned)shift : 0);
        const unsigned to = base + i + (shift < 0 ? (unsigned)-shift : 0);
        if (index >> from & 1)
            out ^= UINT64_C(1) << to;
    }
    return out;
}

static void swizzles_bit_by_bit(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits <= 4; bits++)
        for (unsigned base = 0; base <= 4; base++)
            for (int shift = -5; shift <= 5; shift++) {
                const struct swizzle s = {(uint8_t)bits, (uint8_t)base, (int8_t)shift};
                static unsigned seen[8192 * 64];
                memset(seen, 0, sizeof seen);
                if ((unsigned)(shift < 0 ? -shift : shift) < bits)
                    continue;
                for (uint64_t index = 0; index < 4096; index++) {
                    assert_int_equal(swizzle_apply(s, index), swizzled(bits, base, shift, index));
                    assert_int_equal(seen[swizzle_apply(s, index)]++, 0); /* a place of its own */
                }
            }
}

/* Indices, elements and bytes: what the swizzle counts is what the words count. */
static void what_a_swizzle_counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned unit, base;
    } cases[] = {
        {"ldmatrix.x4 layout=64x64 f16 swizzle=3,3,3 base=1024", 2, 1024},
        {"ldmatrix.x4 stride=128 base=1024 swizzle=3,4,3", 1, 1024},
        {"ldmatrix.x4 stride=128 f16 base=1024 swizzle=3,3,3", 2, 1024},
        {"ldmatrix.x4 [tx*64] f16 base=1024 swizzle=3,3,3", 2, 1024},
        {"ldmatrix.x4 [tx*8] base=1024 swizzle=3,0,3", 16, 1024},
        {"ldmatrix.x4 layout=64x128 u8 swizzle=3,4,3 base=1024", 1, 1024},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parse(cases[i].text);
        assert_int_equal(parsed.tile.unit_bytes, cases[i].unit);
        assert_int_equal(parsed.tile.base, cases[i].base);
        assert_int_equal(parsed.tile.swizzle.bits, 3);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            assert_int_equal(parsed.tile.offset[lane], 128 * lane);
            assert_int_equal(parsed.addr[lane], 1024 + 128 * lane + 16 * (lane % 8));
        }
    }
    parse("ld.shared.f32 addr=0,128,256 swizzle=5,2,5");
    assert_int_equal(parsed.addr[1], 132);
    assert_int_equal(parsed.addr[2], 264);
}

static void lengths_of_rows(void **state)
{
    (void)state;
    parse("ldmatrix.x4 layout=(16,64):(64,1)");
    assert_int_equal(parsed.tile.pitches, 1);
    assert_int_equal(parsed.tile.pitch_bytes[0], 128);
    assert_true(parsed.tile.is_laid_out);
    parse("ld.shared.f32 layout=((8,4),(8,4)):((8,256),(1,64))");
    assert_int_equal(parsed.tile.pitches, 3);
    assert_int_equal(parsed.tile.pitch_bytes[0], 32);
    assert_int_equal(parsed.tile.pitch_bytes[2], 1024);
    parse("ld.shared.f32 stride=128");
    assert_false(parsed.tile.is_laid_out);
}

static void copies_have_two_sides(void **state)
{
    (void)state;
    parse("cp.async.cg.16 [tx*8 + ld*ty] f16 ld=1024 block=8x32 to layout=64x64 o (8,4):(512,1) "
          "f16 swizzle=3,3,3 base=2048");
    assert_true(parsed.access.copy == &parsed.copy);
    assert_true(parsed.copy.past_l1);
    assert_int_equal(parsed.access.space, SPACE_GLOBAL);
    assert_int_equal(parsed.access.width, 16);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        assert_int_equal(parsed.addr[lane], 2048 * (lane / 8) + 16 * (lane % 8));
        assert_int_equal(parsed.copy.to[lane],
                         2048 + 128 * (lane / 8) + 16 * (lane % 8 ^ lane / 8));
        assert_int_equal(parsed.copy.bytes[lane], 16);
    }
    parse("cp.async.ca.shared::cta.global.4 stride=8 if=tx<2 to addr=4,8,12,16");
    assert_int_equal(parsed.access.active, 3);
    assert_int_equal(parsed.copy.to[1], 8);
    assert_int_equal(parsed.copy.bytes[2], 0);
    assert_false(parsed.copy.past_l1);
    parse("cp.async.ca.8 [tx*k] k=2 to [tx*k]");
    assert_int_equal(parsed.copy.to[31], 31 * 16);
    parse("cp.async.ca.8 stride=16 to [tx*stride]");
    assert_int_equal(parsed.copy.to[2], 2 * 16 * 8);
}

static void several_accesses(void **state)
{
    (void)state;
    static struct expressions all;
    char error[256];
    assert_true(expressions_parse(" st.shared.f32 layout=32x32 o 32:32 ; ld.shared.f32 [tx*32]\n",
                                  &all, error, sizeof error));
    assert_int_equal(all.count, 2);
    assert_int_equal(all.text[0].length, strlen("st.shared.f32 layout=32x32 o 32:32"));
    assert_memory_equal(all.text[1].s, "ld.shared.f32 [tx*32]", all.text[1].length);
    assert_int_equal(all.item[0].access.op, OP_STORE);
    assert_int_equal(all.item[1].addr[2], 256);
}

static const struct {
    const char *text, *error;
} mistakes[] = {
    {"ldmatrix.x4 layout=(16,64):(64)",
     "column 28: the strides do not have the form of the shape; allowed: a stride for each "
     "number of the shape, in the same parentheses"},
    {"ldmatrix.x4 layout=(16,64):(64,1",
     "column 33: ')' is missing in the layout; allowed: ',' or ')'"},
    {"ldmatrix.x4 layout=(16,a):(64,1)",
     "column 24: a number is missing in the layout; allowed: SHAPE:STRIDES, such as "
     "(16,64):(64,1), or 16x64+8"},
    {"ldmatrix.x4 layout=(16,0):(64,1)", "column 20: a shape of 0; allowed: 1 or more"},
    {"ldmatrix.x4 layout=(1024,1025)",
     "column 20: the shape has too many coordinates; allowed: 1048576"},
    {"ldmatrix.x4 layout=9999999:1", "column 20: '9999999' is too large; allowed: 0 to 0x100000"},
    {"ldmatrix.x4 layout=1048576+1:1", "column 20: the sum is too large; allowed: 1048576"},
    {"ldmatrix.x4 layout=(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)",
     "column 53: more than 16 modes; allowed: 16"},
    {"ldmatrix.x4 layout=(((((((((1)))))))))", "column 29: nested too deeply; allowed: 8 levels"},
    {"ldmatrix.x4 layout=(8,8)x8",
     "column 26: no rows and columns; allowed: ROWSxCOLUMNS, such as 16x64 or 16x64+8"},
    {"ldmatrix.x4 layout=8x8!",
     "column 23: '!' cannot stand in a layout; allowed: SHAPE:STRIDES, such as "
     "(16,64):(64,1), 'o' between two of them, or the end"},
    {"ldmatrix.x4 layout=1o1o1o1o1", "column 28: more than 4 layouts in a composition; allowed: 4"},
    {"ldmatrix.x4 layout=8x8", "column 20: lane 8 takes coordinate 64 of the layout, which has "
                               "64; allowed: a layout with it, "
                               "or mask= without the lane"},
    {"ld.shared.f32 layout=8x8 o 32:4", "column 22: lane 16 takes coordinate 64 of the first "
                                        "layout, which has 64; allowed: a layout with "
                                        "it, or mask= without the lane"},
    {"ldmatrix.x4 layout=16x64+4", "column 20: lane 1 is at 0x88, which is misaligned; "
                                   "allowed: multiples of 16, the bytes a lane takes"},
    {"ldmatrix.x4 layout=64x64 swizzle=3,2,4",
     "column 20: lane 1 is at 0x88, which is misaligned; allowed: "
     "multiples of 16, the bytes a lane takes"},
    {"ldmatrix.x4 layout=16x64 layout=16x64", "column 33: layout= is given twice; allowed: once"},
    {"ldmatrix.x4 layout=16x64 stride=128",
     "column 33: stride= does not go with layout=; allowed: base=, "
     "perm= and lane= do"},
    {"ldmatrix.x4 layout=16x64 addr=0,16",
     "column 31: addr= does not go with layout=; allowed: base=, perm= "
     "and lane= do"},
    {"ldmatrix.x4 layout=16x64 [tx]",
     "column 26: an index does not go with layout=; allowed: one or the other"},
    {"ldmatrix.x4 layout=16x64 f16 f32", "column 30: a second type; allowed: one, of an element"},
    {"ldmatrix.x4 stride=128 f16",
     "column 24: the type of an element goes with layout=, swizzle= or an index; "
     "allowed: without it, as addresses are bytes"},
    {"ldmatrix.x4 swizzle=3,3",
     "column 24: the swizzle has three numbers; allowed: swizzle=B,M,S as CuTe's "
     "Swizzle<B,M,S>, such as 3,3,3"},
    {"ldmatrix.x4 swizzle=3,3,3,3", "column 27: the swizzle has three numbers; allowed: B,M,S"},
    {"ldmatrix.x4 swizzle=3,3,-2",
     "column 21: swizzle=3,3,-2 would change the bits that it reads; allowed: an S "
     "of at least B, 3, or of at most -B"},
    {"ldmatrix.x4 swizzle=17,3,17", "column 21: '17' is too large; allowed: 0 to 0x10"},
    {"ld.shared.f32 [tx-1] base=4 swizzle=1,0,1",
     "column 15: the swizzle of lane 0 would be of -4; allowed: "
     "from 0 on, with base= for where the tile begins"},
    {"ld.shared.f32 ; ld.shared.f32", "column 15: a second access; allowed: one"},
    {"cp.sync.ca.4 to",
     "column 4: cp is no operation; allowed: cp.async.ca.4, cp.async.ca.8, cp.async.ca.16, "
     "cp.async.cg.16"},
    {"cp.async.cg.4 to",
     "column 13: past the L1 a copy is of 16 bytes; allowed: cp.async.cg.16, or cp.async.ca.4"},
    {"cp.async.ca.4 stride=8",
     "column 1: where the copy goes is missing; allowed: 'to' and words for addresses in "
     "shared memory, as in to stride=16"},
    {"cp.async.ca.4 to mask=1",
     "column 18: mask= is about both sides of the copy; allowed: in front of 'to'"},
    {"cp.async.ca.4 to to", "column 18: a second 'to'; allowed: one"},
    {"cp.async.ca.4 to addr=0",
     "column 15: lane 1 copies to nowhere; allowed: an address behind 'to' for each lane "
     "that copies"},
    {"cp.async.ca.16 to base=8",
     "column 24: lane 0 is at 0x8, which is misaligned; allowed: multiples of 16, the "
     "bytes a lane takes"},
    {"cp.async.ca.4 to [tx*stride] stride=2",
     "column 37: stride= behind 'to' does not go with an index there; "
     "allowed: another name, or stride= in front of 'to'"},
    {"ld.shared.f32 to stride=4",
     "column 15: unknown word 'to'; allowed: base, stride, mask, addr, perm, lane, "
     "layout, swizzle, if, block, grid, blockIdx, warp"},
};

static void mistakes_say_where_and_what(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct expression e;
        char error[256];
        if (expression_parse(mistakes[i].text, &e, error, sizeof error))
            fail_msg("'%s' is taken", mistakes[i].text);
        assert_string_equal(error, mistakes[i].error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_modes_run_from_the_left),
        cmocka_unit_test(published_compositions),
        cmocka_unit_test(forms_of_the_same),
        cmocka_unit_test(rows_of_matrices),
        cmocka_unit_test(swizzles_bit_by_bit),
        cmocka_unit_test(what_a_swizzle_counts),
        cmocka_unit_test(lengths_of_rows),
        cmocka_unit_test(copies_have_two_sides),
        cmocka_unit_test(several_accesses),
        cmocka_unit_test(mistakes_say_where_and_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
