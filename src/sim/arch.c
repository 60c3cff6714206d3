/* arch.c - the field table of a GPU, and access to values through it.
 *
 * arch_fields.def makes struct arch and struct gpu_model (arch.h) and the table below, which adds
 * name, unit, range and offsets. All code that must treat every field alike (--set, reports, tests)
 * walks the table, so a new field needs no further code. Ranges are checked when a value is set by
 * hand; the values of the models are checked by the tests.
 */
#include "sim/arch.h"

#include <string.h>

const struct arch_field arch_fields[] = {
#define FIELD(name, unit, min, max, meaning)                                                       \
    {#name, unit, meaning, min, max, offsetof(struct arch, name), offsetof(struct gpu_model, name)},
#include "sim/arch_fields.def"
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
#include "sim/arch_fields.def"
#undef FIELD
}

const struct model_value *arch_model_value(const struct gpu_model *model,
                                           const struct arch_field *field)
{
    const char *at = (const char *)model + field->model_offset;

    return (const struct model_value *)(const void *)at;
}

const char *arch_source_tag(enum source source)
{
    switch (source) {
    case SOURCE_PAPER:
        return "[W]";
    case SOURCE_PUBLISHED:
        return "[P]";
    case SOURCE_MEASURED:
        return "[M]";
    case SOURCE_FITTED:
        return "[F]";
    case SOURCE_UNSURE:
        return "[?]";
    case SOURCE_NONE:
        break;
    }
    return "[ ]";
}
