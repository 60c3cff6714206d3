/* fuzz_expression.c - the expression of `warplens explain`; one that is right is explained. */
#define _GNU_SOURCE
#include <string.h>

#include "explain/explain.h"
#include "expression/expression.h"
#include "fuzz.h"
#include "models/models.h"

enum { TEXT_BYTES = 4096 };

static void check_access(const struct warp_access *a)
{
    FUZZ_ASSERT(a->active && a->addr && a->space < SPACE_COUNT && a->op < OP_COUNT);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t addr = access_addr(a, lane),
                 end = expression_space_end((enum mem_space)a->space, 0);
        FUZZ_ASSERT(!access_lane_active(a, lane) ||
                    (addr < end && end - addr >= a->width && addr % a->width == 0));
    }
}

/* What a copy writes lies in shared memory. */
static void check_destination(const struct warp_access *a)
{
    const uint64_t end = expression_space_end(SPACE_SHARED, 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t to = a->copy->to[lane];
        FUZZ_ASSERT(!access_lane_active(a, lane) ||
                    (to < end && end - to >= a->width && to % a->width == 0 &&
                     a->copy->bytes[lane] == a->width));
    }
}

static void explain_all(const struct expressions *all, const struct gpu_model *model,
                        const struct arch *arch, FILE *out)
{
    struct explain_part parts[EXPRESSIONS_MOST];
    struct explain_subject subjects[EXPRESSIONS_MOST];
    char refusal[EXPLAIN_REFUSAL_BYTES];
    for (size_t i = 0; i < all->count; i++) {
        parts[i] = (struct explain_part){&all->item[i].access, &all->item[i].tile};
        subjects[i] = (struct explain_subject){.access = parts[i].access,
                                               .model = model,
                                               .arch = arch,
                                               .tile = parts[i].tile,
                                               .parts = parts,
                                               .part_count = all->count};
    }
    for (size_t i = 0; i < all->count; i++) {
        if (!explain_allows(&subjects[i], refusal))
            return;
        explain_subject_text(&subjects[i], out);
        explain_subject_json(&subjects[i], out);
    }
    explain_accesses_svg(subjects, all->count, SVG_ALONE, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_BYTES], error[256], *explained = NULL;
    static struct expressions all;
    struct arch arch;
    size_t bytes;
    if (size >= sizeof text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    if (!expressions_parse(text, &all, error, sizeof error)) {
        fuzz_check_message(error);
        return 0;
    }
    for (size_t i = 0; i < all.count; i++) {
        check_access(&all.item[i].access);
        if (all.item[i].access.copy)
            check_destination(&all.item[i].access);
    }
    const struct gpu_model *model = models[size % model_count];
    arch_from_model(model, &arch);
    FILE *out = open_memstream(&explained, &bytes);
    FUZZ_ASSERT(out != NULL);
    explain_all(&all, model, &arch, out);
    fclose(out);
    free(explained);
    return 0;
}
