/* names.c - how reports spell numbers, parameters and changes. */
#include <inttypes.h>

#include "report/report.h"

bool report_has_counter(const struct result *r, const struct counter_info *counter)
{
    return r->usage || counter->basis == BASIS_RULE;
}

const char *report_number(uint64_t value, char text[REPORT_NUMBER_BYTES])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value), out = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[out++] = ',';
        text[out++] = digits[i];
    }
    text[out] = '\0';
    return text;
}

const char *report_value(double value, char text[REPORT_NUMBER_BYTES])
{
    if (value >= 0 && value < 1e15 && value == (double)(uint64_t)value)
        return report_number((uint64_t)value, text);
    snprintf(text, REPORT_NUMBER_BYTES, "%.2f", value);
    return text;
}

const char *report_rounded(double value, char text[REPORT_NUMBER_BYTES])
{
    if (value >= 9999.5 && value < 1e15)
        return report_number((uint64_t)(value + 0.5), text);
    snprintf(text, REPORT_NUMBER_BYTES, "%.4g", value);
    return text;
}

const struct arch_field *report_next_change(const struct result *r, size_t *index)
{
    while (*index < arch_field_count) {
        const struct arch_field *field = &arch_fields[(*index)++];
        if (arch_get(&r->arch, field) != arch_model_value(r->gpu, field)->value)
            return field;
    }
    return NULL;
}

void report_put_params(const struct result *r, FILE *out)
{
    for (size_t i = 0; i < r->info->param_count; i++)
        fprintf(out, "%s%s=%s", i ? " " : "", r->info->params[i].name, r->info->params[i].value);
}

void report_put_changes(const struct result *r, FILE *out)
{
    size_t index = 0;
    const struct arch_field *field;
    const char *blank = "";
    for (; (field = report_next_change(r, &index)) != NULL; blank = " ")
        fprintf(out, "%s%s=%" PRId64, blank, field->name, arch_get(&r->arch, field));
}
