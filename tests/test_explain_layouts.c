/* test_explain_layouts.c - does an explanation name the layouts that are free of conflicts, draw the rows of shared memory, and
 * go through a copy step by step? What layouts there are, test_layout_search.c holds to an oracle.
 */
#include "explain_output.h"
#include "test_support.h"

static void layouts_stand_behind_conflicts(void **state)
{
    (void)state;
    explain_text(H200, "ldmatrix.x4 layout=(16,64):(64,1) f16");
    assert_line(
        " 15          15          31           .           .           .           .           "
        ".           .");
    assert_sentence("lanes of one matrix go together: 0-7, 8-15, ...");
    assert_sentence(
        "Layouts: free of conflicts with swizzle=3,3,3, or rows of 144 bytes instead of 128");
    assert_sentence(
        "swizzle=3,3,3 4 passes, no more memory; address bits 7-9 exclusive-ored into bits "
        "4-6 (3,4,3 of bytes)");
    assert_sentence(
        "rows of 144 4 passes, 16 bytes more a row, 12.5 % more memory; 72 elements in place "
        "of 64");
    explain_text(H200, "ldmatrix.x4 layout=(16,64):(64,1) f16 swizzle=3,3,3");
    assert_sentence(
        "1. swizzle=3,3,3: of the index of an element (2 bytes), bits 6-8 are exclusive-ored "
        "into bits 3-5; lane 1: 64 becomes 72, address 0x90");
    assert_line(
        "  1          17           1           .           .           .           .         "
        "  .           .");
    assert_absent("Layouts");
    explain_text(K20X, "ld.shared.f32 stride=8");
    assert_absent("Layouts");
    explain_text(H200, "atom.shared.add.u32 stride=128");
    assert_sentence(
        "Layouts: free of conflicts with swizzle=5,2,5, or a stride of 132 bytes instead of 128");
    explain_json(H200, "ld.shared.f32 layout=32x32 o 32:1");
    assert_piece(
        ",\"layouts\":{\"answer\":\"free of conflicts with swizzle=5,0,5, or rows of 132 bytes "
        "instead of 128\",\"serves\":1,\"passes\":32,\"conflicts\":31,\"swizzles_tried\":95,"
        "\"paddings_tried\":32,\"unit_bytes\":4,\"found\":[{\"swizzle\":[5,0,5],"
        "\"byte_swizzle\":[5,2,5],\"passes\":1,\"conflicts\":0,\"bytes_a_row\":0},"
        "{\"row_bytes\":128,\"padded_row_bytes\":132,\"passes\":1,\"conflicts\":0,"
        "\"bytes_a_row\":4}]}}");
}

static void copies_step_by_step(void **state)
{
    (void)state;
    explain_text(H200, "cp.async.ca.8 to stride=128");
    assert_sentence(
        "asynchronous copy through the L1 of 8 bytes by 32 lanes, addresses 0x0 to 0xf8, "
        "stride 8, to shared memory from 0x0 on, on H200 (sm_90)");
    assert_sentence(
        "5. into shared memory: 8 bytes a lane, so 16 lanes go together; two of them conflict "
        "that lie at the same place within 128 bytes");
    assert_sentence(
        "6. lanes 0-15: the place of lane 0 is also wanted by others: lanes 0-15: 16 passes");
    assert_sentence(
        "Counts: requests 1, sectors 8 (ideal 8), passes into shared memory 32, conflicts 30, "
        "tag wavefronts 1, data passes 32, L2 requests 2 if all miss");
    assert_sentence(
        "Layouts: free of conflicts with swizzle=4,3,4, or a stride of 136 bytes instead of 128");
    explain_text(H200, "cp.async.cg.16 to stride=16 swizzle=3,4,3");
    assert_sentence("8. into shared memory: 16 moves of a 32-byte sector to one there");
    assert_sentence("12. pass 4: sectors 0-3 of the source's line 0x180-0x1ff");
    assert_sentence("Verdict: 4 passes into shared memory, no conflict; no sector too many");
    explain_json(H200, "cp.async.ca.4 mask=3 stride=8 to addr=12,8");
    assert_piece("\"rule\":\"copy_through_l1\"");
    assert_piece(",\"past_l1\":false,\"destinations\":[12,8,null,null,");
    assert_piece("\"counts\":{\"requests\":1,\"sectors\":1,\"ideal_sectors\":1,\"passes\":1,"
                 "\"conflicts\":0,\"tag_wavefronts\":1,\"data_passes\":1,\"l2_requests\":1}");
}

/* Lanes that read nothing, or less than all: docs/model.md, 7.1. Lane 2 writes zeros where lane 0 writes, too. */
static void copies_with_a_source_size(void **state)
{
    (void)state;
    struct async_copy copy = {.past_l1 = false, .sized = true};
    struct warp_access access = {.base = 0x1000,
                                 .stride = 16,
                                 .active = UINT32_MAX,
                                 .resident = UINT32_MAX,
                                 .width = 16,
                                 .op = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .copy = &copy};
    struct arch arch;
    const struct gpu_model *model = part_choose(H200, &arch);
    for (unsigned lane = 0; lane < 32; lane++) {
        copy.to[lane] = 16 * lane;
        copy.bytes[lane] = 16;
    }
    copy.to[2] = 0;
    copy.bytes[2] = copy.bytes[31] = 0;
    copy.bytes[3] = 8;
    output_text(&access, model, &arch);
    assert_sentence(
        "1. lanes 2,31 read nothing: zeros are written; lane 3 reads less than 16 bytes: zeros are "
        "written behind them");
    assert_sentence("lanes 0-7: the place of lane 0 is also wanted by others: lanes 0,2: 2 passes");
    assert_sentence("passes into shared memory 5, conflicts 1");
    copy.past_l1 = true;
    output_text(&access, model, &arch);
    assert_sentence("with a source size lanes count besides as they do through the L1, in groups: "
                    "5 passes more");
    for (unsigned lane = 0; lane < 32; lane++)
        copy.bytes[lane] = 0;
    output_text(&access, model, &arch); /* nothing is read: there is no source to draw */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_stand_behind_conflicts),
        cmocka_unit_test(copies_step_by_step),
        cmocka_unit_test(copies_with_a_source_size),
    };
    if (!output_open())
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    output_close();
    return failed;
}
