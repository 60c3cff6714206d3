/* causes.c - the table, and what its finders share. */
#include "advise/causes.h"

#include <stdarg.h>
#include <string.h>

const struct cause cause_table[] = {
    {"interleaved", "interleaved addressing of shared memory", find_interleaved},
    {"struct", "array of structs", find_structs},
    {"stride", "strided access", find_strides},
    {"misaligned", "misaligned access", find_misaligned},
    {"column", "column-wise access", find_columns},
    {"bank-conflicts", "bank conflicts", find_bank_conflicts},
    {"atomics", "atomics on one word", find_atomics},
    {"managed", "pages that fault", find_managed},
    {"camping", "partition camping", find_camping},
    {"few-blocks", "fewer blocks than SMs", find_few_blocks},
    {"small-blocks", "small blocks", find_small_blocks},
    {"block-shape", "narrow blocks", find_block_shape},
    {"many-blocks", "starts of blocks", find_many_blocks},
    {"tail", "a last wave of few blocks", find_tail},
    {"vectors", "narrow words", find_vectors},
    {"divergent", "lanes with unequal work", find_divergent},
    {"rows", "a row for each lane", find_rows},
    {"reuse", "data loaded again and again", find_reuse},
    {"occupancy", "too few warps", find_occupancy},
    {"loads-alone", "loads waited for one at a time", find_loads_alone},
    {"scattered", "scattered access", find_scattered},
    {"narrow", "narrow access", find_narrow},
};
const size_t cause_count = sizeof cause_table / sizeof cause_table[0];

struct candidate *findings_add(struct findings *f, const char *remedy, size_t object)
{
    if (f->count == CANDIDATES_MAX)
        return NULL;
    struct candidate *c = &f->candidates[f->count++];
    *c = (struct candidate){.cause = f->cause,
                            .remedy = remedy,
                            .object = (uint16_t)object,
                            .staging = {.object = NO_OBJECT}};
    if (object < f->observed->object_count) {
        c->map.base = f->observed->objects[object].base;
        c->map.bytes = f->observed->objects[object].bytes;
    }
    return c;
}

struct candidate *findings_add_regrouping(struct findings *f, const char *remedy, size_t object,
                                          const struct kernel_seen *kernel,
                                          struct regrouping regrouping)
{
    struct candidate *c = f->has_warp_sums ? NULL : findings_add(f, remedy, object);
    if (c == NULL)
        return NULL;
    c->regrouping = regrouping;
    c->regrouping.kernel = kernel->name;
    memcpy(c->regrouping.block, kernel->block, sizeof kernel->block);
    c->is_alone = c->needs_time = true;
    return c;
}

double findings_time_share(const struct findings *f, const struct kernel_seen *kernel)
{
    double sum = 0;
    for (size_t i = 0; i < f->result->launch_count; i++) {
        const struct result_launch *launch = &f->result->launches[i];
        if (strncmp(launch->kernel, kernel->name, RESULT_KERNEL_BYTES - 1) == 0 &&
            memcmp(launch->block, kernel->block, sizeof launch->block) == 0)
            sum += (double)launch->counters.elapsed_cycles;
    }
    return sum > 0 ? sum / (double)f->result->total.elapsed_cycles : 0;
}

void findings_add_untried(struct findings *f, const char *format, ...)
{
    va_list arguments;
    if (f->untried_count == UNTRIED_MAX)
        return;
    struct advice_untried *untried = &f->untried[f->untried_count++];
    untried->cause = f->cause->name;
    va_start(arguments, format);
    vsnprintf(untried->text, sizeof untried->text, format, arguments);
    va_end(arguments);
}

const char *findings_name(const struct object *object)
{
    if (object->name[0])
        return object->name;
    return object->space == SPACE_SHARED ? "shared memory" : "global memory";
}
