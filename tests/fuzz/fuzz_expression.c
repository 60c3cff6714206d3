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
        uint64_t addr = access_addr(a, lane), end = expression_space_end((enum mem_space)a->space);
        FUZZ_ASSERT(!access_lane_active(a, lane) ||
                    (addr < end && end - addr >= a->width && addr % a->width == 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_BYTES], error[256], *explained = NULL;
    struct expression expression;
    struct arch arch;
    size_t bytes;
    if (size >= sizeof text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    if (!expression_parse(text, &expression, error, sizeof error)) {
        fuzz_check_message(error);
        return 0;
    }
    check_access(&expression.access);
    const struct gpu_model *model = models[size % model_count];
    arch_from_model(model, &arch);
    FILE *out = open_memstream(&explained, &bytes);
    FUZZ_ASSERT(out != NULL);
    explain_access(&expression.access, model, &arch, out);
    explain_access_json(&expression.access, model, &arch, out);
    explain_access_svg(&expression.access, model, &arch, SVG_ALONE, out);
    fclose(out);
    free(explained);
    return 0;
}
