/* test_explain.c - does an explanation say what happens to the access?
 *
 * Key lines and sentences, for patterns whose transactions are published (CUDA C Programming Guide
 * 5.5, figure 16), for each rule's own words, and for columns read from shared memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explain_output.h"

static void segment_rule_step_by_step(void **state)
{
    (void)state;
    explain_text(GTX280, "ld.global.f32 base=0x84 stride=4 mask=0xfffffff7");
    assert_line(
        "load of 4 bytes by 31 lanes, addresses 0x84 to 0x100, stride 4, on GeForce GTX 280 "
        "(sm_13)");
    assert_line("0x0080 | ..   0   1   2  ..   4   5   6 |  7   8   9  10  11  12  13  14 |");
    assert_line("        <-------------------------- T1: 128 B ---------------------------");
    assert_line("0x00c0 | 15  16  17  18  19  20  21  22 | 23  24  25  26  27  28  29  30 |");
    assert_line("        --------------------------- T1: 128 B -------------------------->");
    assert_line("        <--------------------------- T2: 64 B -------------------------->");
    assert_line("0x0100 | 31  ..  ..  ..  ..  ..  ..  .. |                                |");
    assert_line("        <---------- T3: 32 B ---------->");
    assert_line("  T1       1 x 128 bytes  0x80-0xff, 60 used, lanes 0-2,4-15");
    assert_line(
        "  rides in   T1   T1   T1   --   T1   T1   T1   T1   T1   T1   T1   T1   T1   T1   "
        "T1   T1");
    assert_sentence("1. half-warp 0: lowest unserved lane 0 wants 0x84; its 128-byte segment is "
                    "0x80-0xff; lanes 0-2,4-15 lie in it; both halves are used, stays 128 bytes; "
                    "transaction T1 2. half-warp 1: ");
    assert_sentence("half-warp 1: lowest unserved lane 31 wants 0x100; its 128-byte segment is "
                    "0x100-0x17f; lane 31 lies in it; only the lower half 0x100-0x13f is used, "
                    "shrinks to 64 bytes; only the lower half 0x100-0x11f is used, shrinks to 32 "
                    "bytes; transaction T3");
    assert_line("Counts: requests 2, transactions 3, sectors 7 (ideal 4)");
    assert_line("        bytes asked for 124, used 124, moved 224; efficiency 55.4 %");
    assert_sentence("Verdict: misaligned by 4 bytes: 3 transactions (224 bytes), but 2 (128 bytes) "
                    "if it started at a multiple of 64");
}

/* The four patterns of the guide's figure on the paths of its table. */
static void published_patterns(void **state)
{
    (void)state;
    static const char aligned[] = "ld.global.f32 base=128",
                      swapped[] = "ld.global.f32 base=128 "
                                  "perm=xor:1",
                      shifted[] = "ld.global.f32 base=132", one[] = "ld.global.f32 stride=0";
    static const struct {
        enum part part;
        const char *text, *line;
    } cases[] = {
        {FX5600, aligned, "Counts: requests 2, transactions 2, sectors 4 (ideal 4)"},
        {FX5600, swapped, "Counts: requests 2, transactions 32, sectors 32 (ideal 4)"},
        {FX5600, swapped, "  T9-T16   8 x  32 bytes  0xa0-0xbf, 32 used, lanes 8-15"},
        {FX5600, shifted, "  T1-T7    7 x  32 bytes  0x80-0x9f, 28 used, lanes 0-6"},
        {FX5600, shifted, "  T32      1 x  32 bytes  0x100-0x11f, 4 used, lane 31"},
        {FX5600, one, "Counts: requests 2, transactions 32, sectors 32 (ideal 1)"},
        {GTX280, aligned, "  T2       1 x  64 bytes  0xc0-0xff, 64 used, lanes 16-31"},
        {GTX280, swapped, "Counts: requests 2, transactions 2, sectors 4 (ideal 4)"},
        {GTX280, shifted, "  T2       1 x  64 bytes  0xc0-0xff, 60 used, lanes 16-30"},
        {GTX280, one, "  T1-T2    2 x  32 bytes  0x0-0x1f, 4 used, lanes 0-31"},
        {M2090_L1, aligned, "Counts: requests 1, transactions 1, sectors 4 (ideal 4)"},
        {M2090_L1, swapped, "Counts: requests 1, transactions 1, sectors 4 (ideal 4)"},
        {M2090_L1, shifted, "  T2       1 x 128 bytes  0x100-0x17f, 4 used, lane 31"},
        {M2090_L1, one, "        utilization 3.1 % (used / moved)"},
        {M2090_L2, shifted, "  T5       1 x  32 bytes  0x100-0x11f, 4 used, lane 31"},
        {M2090_L2, one, "        utilization 12.5 % (used / moved)"},
        {GTX1080TI, shifted, "Counts: requests 4, transactions 5, sectors 5 (ideal 4)"},
        {GTX1080TI, one, "Counts: requests 4, transactions 1, sectors 1 (ideal 1)"},
        {H200, shifted,
         "Counts: requests 1, transactions 5, sectors 5 (ideal 4), tag wavefronts "
         "1, data passes 1"},
        {H200, swapped, "Verdict: no layout moves these 128 bytes in fewer sectors"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        explain_text(cases[i].part, cases[i].text);
        assert_line(cases[i].line);
    }
}

static void strict_rule_names_the_failed_test(void **state)
{
    (void)state;
    explain_text(FX5600, "ld.global.u16");
    assert_sentence("1. half-warp 0: test 1, words of 4, 8 or 16 bytes: failed, they have 2 bytes");
    explain_text(FX5600, "ld.global.f32 base=132");
    assert_sentence(
        "2. half-warp 0: test 2, all lanes in one aligned segment of 64 bytes: failed "
        "first by lane 15 at 0xc0; the segment set by lane 0 is 0x80-0xbf 3. half-warp "
        "0: not coalesced: 32 bytes for each of 16 active lanes, transactions T1 to T16");
    explain_text(FX5600, "ld.global.f32 base=128 lane=3:0x90 lane=4:0x8c");
    assert_sentence("3. half-warp 0: test 3, lane k takes word k: failed first by lane 3, which "
                    "takes word 4 of its segment, not word 3");
    assert_sentence("8. half-warp 1: coalesced: 64 bytes, transaction T17");
    explain_text(FX5600, "ld.global.v4.f32 base=0x100 mask=0xff00");
    assert_sentence("2. half-warp 0: test 2, each eight lanes in one aligned segment of 128 bytes: "
                    "passed, the segment of lane 8 is 0x180-0x1ff 3. half-warp 0: test 3, lane k "
                    "takes word k: passed 4. half-warp 0: coalesced: 128 bytes, transaction T1");
    explain_text(FX5600, "atom.global.add.u32");
    assert_sentence("1. half-warp 0: an atomic: 32 bytes for each of 16 active lanes, transactions "
                    "T1 to T16");
}

static void requests_lines_and_sectors(void **state)
{
    (void)state;
    explain_text(M2090_L1, "ld.global.f64 base=0x88");
    assert_sentence("2. request 1, lanes 0-15, touch 2 lines: T1 0x80-0xff, T2 0x100-0x17f");
    explain_text(M2090_L1, "st.global.f32 base=0x84");
    assert_sentence("3. line 0x80-0xff, segments 0-3 of 4: T1, 128 bytes at 0x80");
    assert_sentence("4. line 0x100-0x17f, segment 0 of 4: T2, 32 bytes at 0x100");
    explain_text(M2090_L1, "st.global.f32 addr=0x20,0x40,0x60");
    assert_sentence(
        "3. line 0x0-0x7f, segments 1-3 of 4: T1-T2, 32 bytes at 0x20, 64 bytes at 0x40");
    explain_text(GTX1080TI, "st.global.f32 base=0x84");
    assert_sentence("3. request 2, lanes 8-15, touch 2 sectors: T3 0xa0-0xbf, T4 0xc0-0xdf");
    assert_sentence("6. 32 lanes touch 5 distinct 32-byte sectors; as groups do not share, 8 are "
                    "sent");
    explain_text(GTX1080TI, "ld.global.f32 base=0x84");
    assert_sentence(
        "5. nvprof's gld_transactions shows 16 for this load as for every load of 32-bit "
        "words on these GPUs");
    explain_text(K20X, "ld.global.nc.f32");
    assert_sentence("(texture and read-only path)");
    explain_text(H200, "atom.global.add.u32 stride=0");
    assert_sentence(
        "4. the L2 performs atomics one at a time for one address: here at most 32 in a "
        "row");
}

static void l1_stages_of_later_parts(void **state)
{
    (void)state;
    explain_text(H200, "ld.global.f32 stride=128");
    assert_sentence("; 8 tag wavefronts 8. L1 data stage: ");
    assert_line("Counts: requests 1, transactions 32, sectors 32 (ideal 4), tag wavefronts 8, data "
                "passes 32");
    assert_sentence("wavefront 1 (lanes 0-3) in 4 passes");
    explain_text(H200, "st.global.u8 stride=128");
    assert_sentence("batch 1 (lanes 0-15) in 16 passes, batch 2 (lanes 16-19) in 4 passes");
    assert_sentence("; 7 of them are made again; 39 data passes (approximate for this store: see");
    explain_text(H200, "st.global.u32 stride=128");
    assert_sentence("; 32 data passes");
    assert_absent("approximate");
    explain_text(V100, "ld.global.f32");
    assert_sentence("1 tag wavefront (measured on sm_90, applied here)");
    explain_text(H200, "ld.tex.f32");
    assert_absent("tag stage");
}

static void atomics_take_rounds(void **state)
{
    (void)state;
    explain_text(H200, "atom.global.add.u32 stride=0");
    assert_line("Counts: requests 1, transactions 32, sectors 32 (ideal 1)");
    assert_sentence("32 lanes touch 1 distinct 32-byte sector; lanes that want one address take a "
                    "round each, and as rounds do not share, 32 are counted");
    explain_text(GTX1080TI, "atom.global.add.u32 stride=0");
    assert_absent("round");
}

static void scattered_lanes_fit_on_a_page(void **state)
{
    (void)state;
    explain_text(H200, "ld.global.f32 addr=0x1000,0x40,0x1040");
    assert_piece("\n  :\n0x1000 |  0 ");
    assert_absent("\n  :\n0x1040 |  2 ");
    explain_text(M2090_L1, "ld.global.f32 stride=128");
    assert_line("0x0f80 | 31  ..  ..  ..  ..  ..  ..  .. | ..  ..  ..  ..  ..  ..  ..  .. | T32");
    assert_line("32 more rows are moved without being used and are not drawn.");
    explain_text(FX5600, "ld.global.f32 stride=0");
    assert_line("0x0000 | **  ..  ..  ..  ..  ..  ..  .. |                                |");
    assert_line("        <------ T1-T32: 32 x 32 B ----->");
    explain_text(H200, "ld.global.u8 base=0x43");
    assert_line("0x0040 |    0      1-4     5-8    9-12    13-16   17-20   21-24   25-28 |");
}

static void verdicts_follow_from_trials(void **state)
{
    (void)state;
    explain_text(H200, "ld.global.f32 base=0x84");
    assert_sentence("if it started at a multiple of 32");
    explain_text(M2090_L1, "ld.global.f32 base=0x84");
    assert_sentence("but 1 (128 bytes) if it started at a multiple of 128");
    explain_text(FX5600, "ld.global.f32 perm=xor:1");
    assert_sentence("Verdict: the lanes are out of order: 32 transactions (1024 bytes), but 2 ");
    explain_text(GTX280, "ld.global.f32 stride=8");
    assert_sentence("Verdict: a stride of 8 bytes spreads the words: 2 transactions (256 bytes)");
    explain_text(FX5600, "ld.global.f32 stride=0");
    assert_absent("Verdict");
    explain_text(GTX280, "ld.shared.u8");
    assert_absent("Verdict");
}

/* Stride of a column of float tiles: [32][32], [32][33], [16][16] and doubles. */
static void columns_of_shared_memory(void **state)
{
    (void)state;
    static const struct {
        enum part part;
        const char *text, *line;
    } cases[] = {
        {H200, "ld.shared.f32 stride=128",
         "Counts: passes 32, ideal 1, conflicts 31; at worst 32-way"},
        {M2090_L1, "ld.shared.f32 stride=128",
         "Counts: passes 32, ideal 1, conflicts 31; at worst 32-way"},
        {K20X, "ld.shared.f32 stride=128",
         "Counts: passes 16, ideal 1, conflicts 15; at worst 16-way"},
        {K20X_8, "ld.shared.f32 stride=128",
         "Counts: passes 16, ideal 1, conflicts 15; at worst 16-way"},
        {GTX280, "ld.shared.f32 stride=128",
         "Counts: passes 32, ideal 2, conflicts 30; at worst 16-way"},
        {H200, "ld.shared.f32 stride=132",
         "Counts: passes 1, ideal 1, conflicts 0; at worst 1-way"},
        {H200, "ld.shared.f32 stride=128",
         "Verdict: a stride of 128 bytes takes 32 passes; padded by 4 bytes to 132 it would take "
         "1"},
        {H200, "ld.shared.f32 stride=8", "Counts: passes 2, ideal 1, conflicts 1; at worst 2-way"},
        {K20X, "ld.shared.f32 stride=8", "Counts: passes 1, ideal 1, conflicts 0; at worst 1-way"},
        {GTX280, "ld.shared.f64", "Counts: passes 8, ideal 4, conflicts 4; at worst 2-way"},
        {GTX280, "ld.shared.u8", "Counts: passes 8, ideal 2, conflicts 6; at worst 4-way"},
        {M2090_L1, "ld.shared.f64", "Counts: passes 2, ideal 2, conflicts 0; at worst 1-way"},
        {M2090_L1, "ld.shared.v4.f32", "Counts: passes 8, ideal 4, conflicts 4; at worst 2-way"},
        {H200, "ld.shared.f32 stride=0", "Verdict: no bank conflict"},
        {H200, "atom.shared.add.u32 stride=0",
         "Counts: passes 32, ideal 1, conflicts 31; at worst 32-way"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        explain_text(cases[i].part, cases[i].text);
        assert_line(cases[i].line);
    }
}

static void banks_drawn_and_put_into_words(void **state)
{
    (void)state;
    explain_text(GTX280, "ld.shared.u8");
    assert_line(" 1: **  4  8 12  .  .  .  .  .  .  .  .  .  .  .  .");
    assert_line(
        "  3. half-warp 0, step 1: lane 0 picks the broadcast word 0x0 (bank 0), it goes to "
        "lanes 0-3; every");
    explain_text(GTX280, "ld.shared.f64 mask=0xff");
    assert_line("   lanes 0 to 15, 4-byte part 2 of 2");
    assert_line(" 2:  .  0  .  1  .  2  .  3  .  4  .  5  .  6  .  7");
    explain_text(H200, "ld.shared.f32 addr=0,0x80,0x100,4");
    assert_line(
        " 1:  0  3  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  "
        ".  .  .  .  .  .");
    assert_sentence("3. lanes 0 to 31: the busiest bank is bank 0, asked by lanes 0-2 for 3 words "
                    "that cannot share a pass (0x0, 0x80, 0x100): 3 passes");
    explain_text(H200, "ld.shared.f64 perm=xor:1 lane=0:0 lane=1:0 mask=3");
    assert_sentence("(groups are doubled: all lanes t and t ^ 1 agree on their addresses)");
    explain_text(H200, "ld.shared.v4.f32");
    assert_sentence("(groups do not merge: ");
    explain_text(H200, "st.shared.v4.f32");
    assert_sentence("(stores never merge groups)");
    explain_text(M2090_L1, "ld.shared.v4.f32");
    assert_line(" 2: the additional pass of 16-byte words");
}

static void constant_memory(void **state)
{
    (void)state;
    explain_text(H200, "ld.const.f32 addr=0,4,4,0");
    assert_line("  pass  1  0x0000  lanes 0,3");
    assert_line("Counts: passes 2, ideal 1");
    explain_text(GTX280, "ld.const.f32 stride=0");
    assert_line("  pass  2  0x0000  lanes 16-31");
    assert_line("Verdict: the best case: one address for all lanes");
}

static void json_names_each_rule(void **state)
{
    (void)state;
    static const struct {
        enum part part;
        const char *text, *rule;
    } cases[] = {
        {FX5600, "ld.global.f32", "\"rule\":\"half_warp_strict\""},
        {FX5600, "atom.global.u32", "\"rule\":\"lane\""},
        {M2090_L1, "ld.global.f32", "\"rule\":\"line_128\""},
        {M2090_L2, "ld.global.f32", "\"rule\":\"segment_32\""},
        {M2090_L2, "ld.local.f32", "\"rule\":\"line_128\""},
        {K20X_8, "ld.global.nc.f32", "\"rule\":\"segment_32\""},
        {K20X, "st.global.f32", "\"rule\":\"store_124\""},
        {GTX980, "ld.global.f32", "\"rule\":\"sector_split_requests\""},
        {GTX980, "st.global.f32", "\"rule\":\"sector_grouped\""},
        {V100, "ld.tex.f32", "\"rule\":\"sector\""},
        {GTX280, "ld.shared.f32", "\"rule\":\"banks_half_warp_16\""},
        {M2090_L1, "ld.shared.f32", "\"rule\":\"banks_fermi_32\""},
        {K20X, "ld.shared.f32", "\"rule\":\"banks_kepler_4\""},
        {K20X_8, "ld.shared.f32", "\"rule\":\"banks_kepler_8\""},
        {GTX980, "ld.shared.f32", "\"rule\":\"banks_grouped_32\""},
        {V100, "ld.shared.f32", "\"rule\":\"banks_paired_32\""},
        {GTX280, "ld.const.f32", "\"rule\":\"constant_half_warp\""},
        {V100, "ld.const.f32", "\"rule\":\"constant_warp\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        explain_json(cases[i].part, cases[i].text);
        assert_piece(cases[i].rule);
    }
}

static void gpus_without_rules(void **state)
{
    (void)state;
    const uint64_t addr[WARP_LANES] = {0};
    const struct warp_access a = {.addr = addr, .active = 1, .width = 4};
    struct arch arch;
    const struct gpu_model *model = part_choose(H200, &arch);
    arch.sm = 40;
    assert_string_equal(output_text(&a, model, &arch),
                        "H200: there are no access rules for sm_40\n");
    output_json(&a, model, &arch);
    assert_piece(",\"sm\":40,\"rule\":null}");
}

static void json_holds_transactions_and_passes(void **state)
{
    (void)state;
    explain_json(GTX280, "ld.global.f32 base=0x84 mask=3");
    assert_piece(
        "{\"access\":{\"op\":\"load\",\"space\":\"global\",\"width\":4,\"read_only\":false,"
        "\"active\":\"0x00000003\",\"addresses\":[132,136,null,");
    assert_piece("\"rules\":\"sm_12, sm_13\",\"rule\":\"half_warp_segment\",");
    assert_piece("\"transactions\":[{\"addr\":128,\"bytes\":32,\"lanes\":\"0x00000003\","
                 "\"used_bytes\":8,\"partition\":0}]");
    explain_json(GTX280, "ld.global.f32 base=0xf00 mask=1"); /* 0xf00 / 256 mod 8 partitions */
    assert_piece("\"used_bytes\":4,\"partition\":7}]");
    explain_json(H200, "ld.global.f32 base=0xf00 mask=1"); /* hashed, nobody says how */
    assert_absent("partition");
    explain_json(K20X, "ld.shared.f32 addr=0,128");
    assert_piece(
        "\"passes\":[{\"first_lane\":0,\"first_part\":0,\"parts\":1,\"banks\":[{\"bank\":0,"
        "\"words\":[0,128],\"lanes\":\"0x00000003\"}]}]");
    assert_piece("\"verdict\":\"no bank conflict\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segment_rule_step_by_step),
        cmocka_unit_test(published_patterns),
        cmocka_unit_test(strict_rule_names_the_failed_test),
        cmocka_unit_test(requests_lines_and_sectors),
        cmocka_unit_test(l1_stages_of_later_parts),
        cmocka_unit_test(atomics_take_rounds),
        cmocka_unit_test(scattered_lanes_fit_on_a_page),
        cmocka_unit_test(verdicts_follow_from_trials),
        cmocka_unit_test(columns_of_shared_memory),
        cmocka_unit_test(banks_drawn_and_put_into_words),
        cmocka_unit_test(constant_memory),
        cmocka_unit_test(json_names_each_rule),
        cmocka_unit_test(gpus_without_rules),
        cmocka_unit_test(json_holds_transactions_and_passes),
    };
    if (!output_open())
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    output_close();
    return failed;
}
