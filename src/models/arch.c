/* arch.c - the field table of a GPU, and access to values through it.
 *
 * arch_fields.def makes struct arch and struct gpu_model (arch.h) and the table below, which adds
 * name, unit, range and offsets. All code that must treat every field alike (--set, reports, tests)
 * walks the table, so a new field needs no further code. Ranges are checked when a value is set by
 * hand; the values of the models are checked by the tests.
 */
#include "models/arch.h"

#include "models/capabilities.h"

#include <string.h>

const struct arch_field arch_fields[] = {
#define FIELD(name, unit, min, max, meaning)                                                       \
    {#name, unit, meaning, min, max, offsetof(struct arch, name), offsetof(struct gpu_model, name)},
#include "models/arch_fields.def"
#undef FIELD
};

const size_t arch_field_count = sizeof arch_fields / sizeof arch_fields[0];

const struct arch_field *arch_find_field(const char *name)
{
    for (size_t i = 0; i < arch_field_count; i++) {
        if (strcmp(arch_fields[i].name, name) == 0) {
            return &arch_fields[i];
        }
    }
    return NULL;
}

int64_t arch_get(const struct arch *arch, const struct arch_field *field)
{
    int64_t value;

    memcpy(&value, (const char *)arch + field->offset, sizeof value);
    return value;
}

bool arch_set(struct arch *arch, const struct arch_field *field, int64_t value)
{
    if (value < field->min || value > field->max) {
        return false;
    }
    memcpy((char *)arch + field->offset, &value, sizeof value);
    return true;
}

void arch_from_model(const struct gpu_model *model, struct arch *arch)
{
#define FIELD(name, unit, min, max, meaning) arch->name = model->name.value;
#include "models/arch_fields.def"
#undef FIELD
}

const struct model_value *arch_model_value(const struct gpu_model *model,
                                           const struct arch_field *field)
{
    const char *at = (const char *)model + field->model_offset;

    return (const struct model_value *)(const void *)at;
}

struct value_counts arch_count_values(const struct gpu_model *model)
{
    struct value_counts counts = {0};
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct model_value *value = arch_model_value(model, &arch_fields[i]);
        counts.own += !value->inherited;
        counts.inherited += value->inherited;
        counts.unsure += value->source == SOURCE_UNSURE;
    }
    return counts;
}

const char *arch_source_tag(enum source source)
{
    static const char *const tags[] = {
        [SOURCE_NONE] = "[ ]",     [SOURCE_PAPER] = "[W]",  [SOURCE_PUBLISHED] = "[P]",
        [SOURCE_MEASURED] = "[M]", [SOURCE_FITTED] = "[F]", [SOURCE_UNSURE] = "[?]",
    };

    return tags[source];
}

static bool is_power_of_two(int64_t value)
{
    return (value & (value - 1)) == 0;
}

/* Half-warps make transactions of parts of a line, which an L1 that fetches whole lines has no rule for: no GPU
 * had both. */
static const char *l1_contradiction(const struct arch *arch)
{
    const struct capability *capability = capability_find(arch->sm);
    if (arch->l1_sector_bytes != 32 && arch->l1_sector_bytes != 128)
        return "l1_sector_bytes must be 32 or 128";
    if (capability == NULL || arch->l1_bytes == 0 || arch->l1_sector_bytes == 32)
        return NULL;
    if (capability->rules->global[OP_LOAD] == COALESCE_HALF_WARP_STRICT ||
        capability->rules->global[OP_LOAD] == COALESCE_HALF_WARP_SEGMENT)
        return "an L1 of lines of 128 bytes does not go with coalescing by half-warps: sm must be "
               "20 or more, or "
               "l1_bytes 0, or l1_sector_bytes 32";
    return NULL;
}

static const char *l2_contradiction(const struct arch *arch)
{
    if ((arch->l2_bytes == 0) != (arch->l2_slices == 0))
        return "l2_bytes and l2_slices must both be 0 (no L2) or both be more";
    if (arch->l2_bytes == 0)
        return NULL;
    if (arch->l2_slices % arch->dram_partitions != 0)
        return "l2_slices must be a multiple of dram_partitions";
    if (arch->l2_sides == 2 && arch->l2_slices % 2 != 0)
        return "l2_slices must be even when l2_sides is 2";
    if (arch->l2_group_bytes &&
        (!is_power_of_two(arch->l2_group_bytes) ||
         !is_power_of_two(arch->l2_slices / arch->dram_partitions) ||
         arch->l2_group_bytes < arch->partition_bytes * (arch->l2_slices / arch->dram_partitions)))
        return "l2_group_bytes must be 0, or a power of two that is partition_bytes for each slice "
               "of a partition "
               "or more, and these slices a power of two";
    if (arch->l2_latency_cycles == 0 || arch->l2_megabytes_per_s == 0)
        return "l2_latency_cycles and l2_megabytes_per_s must be more than 0 when there is an L2";
    if (arch->dram_latency_cycles < arch->l2_latency_cycles)
        return "dram_latency_cycles must not be below l2_latency_cycles";
    return NULL;
}

const char *arch_contradiction(const struct arch *arch)
{
    if (!is_power_of_two(arch->partition_bytes) || !is_power_of_two(arch->dram_row_bytes))
        return "partition_bytes and dram_row_bytes must be powers of two";
    if (!is_power_of_two(arch->dram_access_bytes) || arch->dram_access_bytes > 128)
        return "dram_access_bytes must be 32, 64 or 128";
    if (l1_contradiction(arch))
        return l1_contradiction(arch);
    if (arch->dram_row_bytes < arch->partition_bytes)
        return "dram_row_bytes must not be below partition_bytes";
    return l2_contradiction(arch);
}
