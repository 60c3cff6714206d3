/* arch_file_write.c - writes a model as a user's file, and what such files and the lists of fields
 * share. The titles of the groups come from arch_fields.def, so there is no second list of fields. */
#include "cli/inputs/arch_file.h"

#include <string.h>

#include "models/models.h"

const char *arch_file_group(const struct arch_field *field)
{
    static const char *const rows[] = {
#define GROUP(title) title,
#define FIELD(name, unit, min, max, meaning) NULL,
#include "models/arch_fields.def"
#undef FIELD
    };
    size_t index = (size_t)(field - arch_fields);
    const char *title = NULL;
    for (size_t row = 0;; row++) {
        if (rows[row] == NULL && index-- == 0)
            return title;
        title = rows[row];
    }
}

const char *arch_file_tag(const struct model_value *value)
{
    return value->source == SOURCE_NONE ? "[user]" : arch_source_tag(value->source);
}

/* 208K for 212992 bytes. */
static void put_number(const struct arch_field *field, int64_t value, char *text, size_t size)
{
    bool bytes = strcmp(field->unit, "bytes") == 0 && value != 0;
    if (bytes && value % (1024 * 1024) == 0)
        snprintf(text, size, "%lldM", (long long)(value / (1024 * 1024)));
    else if (bytes && value % 1024 == 0)
        snprintf(text, size, "%lldK", (long long)(value / 1024));
    else
        snprintf(text, size, "%lld", (long long)value);
}

void arch_file_write(const struct gpu_model *model, FILE *out)
{
    bool own = models_find(model->name) == model;
    fprintf(out,
            "# %s. Change what differs on your GPU; lines left out come from `base = NAME` when\n"
            "# there is one. warplens run KERNEL --arch-file THIS-FILE\n"
            "# With a base of the same compute capability these ten lines make another chip:\n"
            "# sm_count, sm_clock_khz, memory_clock_khz, memory_bus_bits, memory_mebibytes,\n"
            "# peak_megabytes_per_s, dram_partitions, l2_bytes, l2_slices, l2_megabytes_per_s.\n"
            "name = %s%s\ntitle = %s\n",
            model->title, own ? "my-" : "", model->name, model->title);
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct arch_field *field = &arch_fields[i];
        const struct model_value *value = arch_model_value(model, field);
        char number[32];
        put_number(field, value->value, number, sizeof number);
        if (arch_file_group(field))
            fprintf(out, "\n# %s\n", arch_file_group(field));
        fprintf(out, "%-27s = %-10s # %s: %s %s\n", field->name, number, field->unit,
                field->meaning, arch_file_tag(value));
    }
}
