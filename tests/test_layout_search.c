/* test_layout_search.c - are the layouts that explain names free of conflicts, are they the cheapest, and is none left out?
 *
 * Passes are counted here by a slow oracle of their own, from the rule's text (docs/model.md, 4 and 4.1): lanes in groups
 * of 32, 16 or 8 for 4, 8 and 16 bytes, in each the most distinct words that one of 32 banks is asked for. What is named is
 * written back into the expression, read again and counted. The known cases are those of CuTe's layouts of tiles of halves
 * for ldmatrix (include/cute/atom/mma_traits_sm90_gmma.hpp and the rows of 128 and 64 bytes there).
 */
#include "explain/layouts.h"
#include "expression/expression.h"
#include "models/models.h"
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES_MOST = 512 };

static struct arch h200;
static const struct gpu_model *model;

/* ---- The oracle ---------------------------------------------------------------------------------------- */

/* The most distinct 4-byte words in one bank, over the lanes [first, first + lanes). */
static unsigned oracle_group(const uint64_t *addr, uint32_t active, unsigned width, unsigned first,
                             unsigned lanes)
{
    unsigned most = 0;
    for (unsigned bank = 0; bank < 32; bank++) {
        uint64_t words[WARP_LANES * 4];
        unsigned count = 0;
        for (unsigned lane = first; lane < first + lanes; lane++)
            for (unsigned byte = 0; (active >> lane & 1U) != 0 && byte < width; byte++) {
                const uint64_t word = (addr[lane] + byte) / 4;
                unsigned known = 0;
                while (known < count && words[known] != word)
                    known++;
                if (word % 32 == bank && known == count)
                    words[count++] = word;
            }
        most = count > most ? count : most;
    }
    return most;
}

/* Loads and stores whose groups do not merge. */
static unsigned oracle_passes(const struct expression *e)
{
    const unsigned width = e->access.width, lanes = width <= 4 ? 32 : 128 / width;
    unsigned passes = 0;
    for (unsigned first = 0; first < WARP_LANES; first += lanes)
        passes += oracle_group(e->addr, e->access.active, width, first, lanes);
    return passes;
}

/* .ca: of each group the most lanes that share a place within 128 bytes with one lane, in source or destination. */
static unsigned oracle_copy(const struct expression *e)
{
    const unsigned width = e->access.width, lanes = 128 / width;
    unsigned passes = 0;
    for (unsigned first = 0; first < WARP_LANES; first += lanes) {
        unsigned most = 0;
        for (unsigned lane = first; lane < first + lanes; lane++) {
            unsigned with = 0;
            for (unsigned other = first; other < first + lanes; other++)
                with += e->copy.to[other] % 128 == e->copy.to[lane] % 128 ||
                        e->addr[other] % 128 == e->addr[lane] % 128;
            most = with > most ? with : most;
        }
        passes += most;
    }
    return passes;
}

/* ---- Asking ---------------------------------------------------------------------------------------------- */

static struct expressions all;

static bool search(const char *text, struct layouts *found)
{
    static struct explain_part parts[EXPRESSIONS_MOST];
    static struct explain_subject subject;
    struct explained x;
    char error[256];
    if (!expressions_parse(text, &all, error, sizeof error))
        fail_msg("%s: %s", text, error);
    for (size_t i = 0; i < all.count; i++)
        parts[i] = (struct explain_part){&all.item[i].access, &all.item[i].tile};
    subject = (struct explain_subject){.access = parts[all.count - 1].access,
                                       .model = model,
                                       .arch = &h200,
                                       .tile = parts[all.count - 1].tile,
                                       .parts = parts,
                                       .part_count = all.count};
    assert_true(explained_make(&subject, &x));
    return layouts_find(&x, found);
}

static unsigned passes_of(const char *text)
{
    struct expression e;
    char error[256];
    if (!expression_parse(text, &e, error, sizeof error))
        fail_msg("%s: %s", text, error);
    return e.access.copy ? oracle_copy(&e) : oracle_passes(&e);
}

/* ---- Known cases ----------------------------------------------------------------------------------------- */

static void known_layouts_of_tiles(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned passes;
    } cases[] = {
        {"ldmatrix.x4 layout=(64,64):(64,1) f16", 32},
        {"ldmatrix.x4 layout=(64,64):(64,1) f16 swizzle=3,3,3", 4},
        {"ldmatrix.x4 layout=(64,64):(64,1) bf16 swizzle=2,3,3", 8},
        {"ldmatrix.x4 layout=(64,64):(64,1) f16 swizzle=1,3,3", 16},
        {"ldmatrix.x4 layout=(64,128):(128,1) u8 swizzle=3,4,3", 4},
        {"ldmatrix.x4 layout=(64,32):(32,1) f16", 16},
        {"ldmatrix.x4 layout=(64,32):(32,1) f16 swizzle=2,3,3", 4},
        {"ldmatrix.x4 layout=(64,16):(16,1) f16", 8},
        {"ldmatrix.x4 layout=(64,16):(16,1) f16 swizzle=1,3,3", 4},
        {"ldmatrix.x4 layout=64x64+8 f16", 4},
        {"ldmatrix.x4 layout=64x32+8 f16", 4},
        {"ldmatrix.x4 layout=64x64+16 f16", 8},
        {"ld.shared.f32 layout=32x32 o 32:1", 32},
        {"ld.shared.f32 layout=32x32+1 o 32:1", 1},
        {"ld.shared.f32 layout=32x32 o 32:1 swizzle=5,0,5", 1},
        {"ld.shared.f16 layout=64x64 o 32:1 swizzle=5,1,5", 1},
        {"ld.shared.f16 layout=64x64+2 o 32:1", 1},
        {"ld.shared.f16 layout=64x64+1 o 32:1", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expression e;
        struct explain_figures figures;
        char error[256];
        assert_true(expression_parse(cases[i].text, &e, error, sizeof error));
        const struct explain_subject subject = {
            .access = &e.access, .model = model, .arch = &h200, .tile = &e.tile};
        assert_true(explain_count(&subject, &figures));
        if (figures.count != cases[i].passes || oracle_passes(&e) != cases[i].passes)
            fail_msg("%s: %u passes, oracle %u, known %u", cases[i].text, figures.count,
                     oracle_passes(&e), cases[i].passes);
    }
}

static void answers_to_known_questions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct swizzle swizzle; /* of bytes */
        unsigned pad;
    } cases[] = {
        {"ldmatrix.x4 layout=64x64 f16", {3, 4, 3}, 16},
        {"ldmatrix.x4 layout=64x32 f16", {2, 4, 3}, 16},
        {"ldmatrix.x4 layout=64x16 f16", {1, 4, 3}, 16},
        {"ldmatrix.x4 stride=128", {3, 4, 3}, 16},
        {"ldmatrix.x4 layout=64x128 f16", {3, 4, 4}, 16},
        {"ld.shared.f32 layout=32x32 o 32:1", {5, 2, 5}, 4},
        {"ld.shared.f32 [tx*32]", {5, 2, 5}, 4},
        {"ld.shared.f16 layout=64x64 o 32:1", {5, 2, 5}, 4},
        {"st.shared.f32 layout=32x32 o 32:32 ; ld.shared.f32 layout=32x32 o 32:1", {5, 2, 5}, 4},
        {"ldmatrix.x4 layout=64x64 f16 swizzle=2,3,3", {3, 4, 3}, 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct layouts found;
        const struct swizzle *wanted = &cases[i].swizzle, *got = &found.swizzle[0].swizzle;
        assert_true(search(cases[i].text, &found));
        assert_in_range(found.swizzles, 1, SWIZZLES_KEPT);
        assert_int_equal(found.paddings, 1);
        if (got->bits != wanted->bits || got->base != wanted->base || got->shift != wanted->shift ||
            found.swizzle[0].conflicts != 0)
            fail_msg("%s: %u,%u,%d", cases[i].text, got->bits, got->base, got->shift);
        assert_int_equal(found.padding[0].pad_bytes, cases[i].pad);
        assert_int_equal(found.padding[0].conflicts, 0);
    }
}

static void nothing_is_asked_without_conflicts(void **state)
{
    (void)state;
    struct layouts found;
    assert_false(search("ldmatrix.x4 layout=64x64 f16 swizzle=3,3,3", &found));
    assert_false(search("ld.shared.f32", &found));
    assert_false(search("ld.global.f32 stride=128", &found));
    assert_false(search("cp.async.cg.16 to stride=16", &found));
}

/* Padding of 16 bytes serves ldmatrix, but rows of 144 bytes take what cp.async.cg brings apart; the swizzle serves both. */
static void a_copy_and_its_reader(void **state)
{
    (void)state;
    struct layouts found;
    assert_true(search("cp.async.cg.16 [tx*8] f16 to layout=64x64 o (8,4):(512,1) f16 ; "
                       "ldmatrix.x4 layout=64x64 f16",
                       &found));
    assert_int_equal(found.parts, 2);
    assert_int_equal(found.passes, 4 + 32);
    assert_int_equal(found.conflicts, 28);
    assert_int_equal(found.swizzle[0].swizzle.bits, 3);
    assert_int_equal(found.swizzle[0].conflicts, 0);
    assert_int_equal(found.swizzle[0].passes, 4 + 4);
    assert_true(found.padding[0].conflicts > 0);
}

/* ---- All others ------------------------------------------------------------------------------------------- */

static uint32_t random_state = 1;

static unsigned draw(unsigned below)
{
    random_state = random_state * 1664525U + 1013904223U;
    return (random_state >> 8) % below;
}

/* Whether any smaller swizzle, and any smaller padding, would do: all of them, through the expression. */
static void hold_to_all(const char *op, unsigned rows, unsigned columns, const char *rest,
                        unsigned bytes)
{
    char text[TEXT_BYTES_MOST];
    struct layouts found;
    unsigned fewest = UINT32_MAX;
    snprintf(text, sizeof text, "%s layout=%ux%u %s", op, rows, columns, rest);
    const unsigned now = passes_of(text);
    if (!search(text, &found))
        return;
    assert_int_equal(found.passes, now);
    const unsigned ideal = found.passes - found.conflicts, access = all.item[0].access.width;
    for (unsigned bits = 1; bits <= 5; bits++)
        for (unsigned base = 0; base <= 7; base++)
            for (unsigned shift = bits; shift <= 12; shift++) {
                if (bytes << base < access || bytes << (base + bits) > columns * bytes ||
                    bytes << (base + bits) > 128)
                    continue;
                snprintf(text, sizeof text, "%s layout=%ux%u %s swizzle=%u,%u,%u", op, rows,
                         columns, rest, bits, base, shift);
                const unsigned passes = passes_of(text);
                fewest = passes < fewest ? passes : fewest;
                /* fewer bits than what was named are never as good */
                if (found.swizzles && bits < found.swizzle[0].swizzle.bits)
                    assert_true(passes > found.swizzle[0].passes);
            }
    if (found.swizzles) {
        assert_int_equal(found.swizzle[0].passes, fewest);
        assert_int_equal(found.swizzle[0].conflicts, fewest - ideal);
    } else if (fewest != UINT32_MAX)
        assert_true(fewest >= now);
    fewest = now;
    for (unsigned pad = access > bytes ? access / bytes : 1; pad * bytes <= 128;
         pad += access > bytes ? access / bytes : 1) {
        snprintf(text, sizeof text, "%s layout=%ux%u+%u %s", op, rows, columns, pad, rest);
        const unsigned passes = passes_of(text);
        if (found.paddings && pad * bytes == found.padding[0].pad_bytes)
            assert_int_equal(passes, found.padding[0].passes);
        if (found.paddings && pad * bytes < found.padding[0].pad_bytes)
            assert_true(passes > found.padding[0].passes);
        fewest = passes < fewest ? passes : fewest;
    }
    assert_int_equal(found.paddings ? found.padding[0].passes : now, fewest);
}

static void random_tiles_against_all_layouts(void **state)
{
    (void)state;
    static const char *const ops[] = {"ldmatrix.x4",   "stmatrix.x4",   "st.shared.f16",
                                      "st.shared.f32", "st.shared.f64", "st.shared.v4.f32"};
    static const unsigned bytes[] = {2, 2, 2, 4, 8, 4}, lanes[] = {32, 32, 32, 32, 32, 4};
    for (unsigned i = 0; i < 120; i++) {
        const unsigned op = draw(6), columns = 16U << draw(3), rows = 64;
        char rest[64] = "f16";
        if (op >= 2) {
            const unsigned down = 1U << draw(6), across = WARP_LANES / down;
            const unsigned step = lanes[op] == 4 ? 4 : 1;
            if (across * step > columns)
                continue;
            snprintf(rest, sizeof rest, "o (%u,%u):(1,%u)", down, across, rows * step);
        }
        hold_to_all(ops[op], rows, columns, rest, bytes[op]);
    }
}

static void copies_through_the_l1(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        static const unsigned widths[] = {4, 8, 16};
        const unsigned width = widths[draw(3)];
        struct expression e;
        struct explain_figures figures;
        char text[TEXT_BYTES_MOST], error[256];
        snprintf(text, sizeof text, "cp.async.ca.%u stride=%u to layout=64x32 f32 o (%u,%u):(1,%u)",
                 width, width * (1 + draw(9)), 1U << draw(3), 32U, 16 * (1 + draw(3)));
        if (!expression_parse(text, &e, error, sizeof error))
            continue; /* misaligned, or beyond the layout */
        const struct explain_subject subject = {
            .access = &e.access, .model = model, .arch = &h200, .tile = &e.tile};
        assert_true(explain_count(&subject, &figures));
        assert_int_equal(figures.path, PATH_COPY);
        assert_int_equal(figures.count, oracle_copy(&e));
    }
}

/* ---- GPUs that do not have it ------------------------------------------------------------------------------ */

static const char *refusal_of(const char *gpu, const char *text)
{
    static char refusal[EXPLAIN_REFUSAL_BYTES];
    static struct expression e;
    struct arch arch;
    const struct gpu_model *of = models_find(gpu);
    assert_true(expression_parse(text, &e, refusal, sizeof refusal));
    arch_from_model(of, &arch);
    const struct explain_subject subject = {
        .access = &e.access, .model = of, .arch = &arch, .tile = &e.tile};
    return explain_allows(&subject, refusal) ? NULL : refusal;
}

static void first_generations(void **state)
{
    (void)state;
    assert_string_equal(refusal_of("v100", "cp.async.cg.16 to stride=16"),
                        "cp.async needs sm_80 (Ampere) or later, and Tesla V100 is sm_70");
    assert_string_equal(refusal_of("v100", "ldmatrix.x4"),
                        "ldmatrix needs sm_75 (Turing) or later, and Tesla V100 is sm_70");
    assert_string_equal(refusal_of("a100", "stmatrix.x4"),
                        "stmatrix needs sm_90 (Hopper) or later, and A100 40 GB is sm_80");
    assert_null(refusal_of("a100", "cp.async.cg.16 to stride=16"));
    assert_null(refusal_of("a100", "ldmatrix.x4"));
    assert_null(refusal_of("h200", "stmatrix.x4"));
    assert_null(refusal_of("b200", "stmatrix.x4"));
    assert_null(refusal_of("gtx280", "ld.shared.f32"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_layouts_of_tiles),
        cmocka_unit_test(answers_to_known_questions),
        cmocka_unit_test(nothing_is_asked_without_conflicts),
        cmocka_unit_test(a_copy_and_its_reader),
        cmocka_unit_test(random_tiles_against_all_layouts),
        cmocka_unit_test(copies_through_the_l1),
        cmocka_unit_test(first_generations),
    };
    model = models_find("h200");
    arch_from_model(model, &h200);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
