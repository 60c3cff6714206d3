/* names.c - how reports spell numbers, parameters and changes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "text/style.h"
#include "text/text.h"

bool report_has_counter(const struct result *r, const struct counter_info *counter)
{
    return r->usage || counter->basis == BASIS_RULE;
}

void report_put_sentence(const char *sentence, unsigned indent, FILE *out)
{
    char prefix[8];
    snprintf(prefix, sizeof prefix, "%*s", (int)indent, "");
    fputs(style_begin(STYLE_STRONG), out);
    text_print_wrapped(out, prefix, indent, sentence);
    fprintf(out, "%s\n", style_end(STYLE_STRONG));
}

bool report_names_counters(const char *wanted)
{
    return wanted && strcmp(wanted, "all") != 0;
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

const char *report_fixed(double value, char text[REPORT_NUMBER_BYTES])
{
    char whole[REPORT_NUMBER_BYTES], digits[REPORT_NUMBER_BYTES];
    const double size = value < 0 ? -value : value;
    snprintf(digits, sizeof digits, "%.2f", size);
    if (size >= 1e15 || size != size) {
        snprintf(text, REPORT_NUMBER_BYTES, "%.2f", value);
        return text;
    }
    snprintf(text, REPORT_NUMBER_BYTES, "%s%s%s", value < 0 ? "-" : "",
             report_number(strtoull(digits, NULL, 10), whole),
             digits + strlen(digits) - 3); /* a comma in some locales */
    return text;
}

const char *report_value(double value, char text[REPORT_NUMBER_BYTES])
{
    if (value >= 0 && value < 1e15 && value == (double)(uint64_t)value)
        return report_number((uint64_t)value, text);
    return report_fixed(value, text);
}

const char *report_rounded(double value, char text[REPORT_NUMBER_BYTES])
{
    if (value >= 999.95 && value < 1e15)
        return report_number((uint64_t)(value + 0.5), text);
    snprintf(text, REPORT_NUMBER_BYTES, "%.4g", value);
    return text;
}

/* Three digits and a unit, each 1,000 times the one before. */
static const char *scaled(double value, const char *const *units, size_t count,
                          char text[REPORT_NUMBER_BYTES])
{
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < count) {
        value /= 1000;
        unit++;
    }
    snprintf(text, REPORT_NUMBER_BYTES, "%.3g%s%s", value, units[unit][0] ? " " : "", units[unit]);
    return text;
}

const char *report_bytes(double bytes, char text[REPORT_NUMBER_BYTES])
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    return scaled(bytes, units, sizeof units / sizeof units[0], text);
}

const char *report_time(double ns, char text[REPORT_NUMBER_BYTES])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return scaled(ns, units, sizeof units / sizeof units[0], text);
}

const char *report_amount(double count, char text[REPORT_NUMBER_BYTES])
{
    static const char *const units[] = {"", "thousand", "million", "billion"};
    if (count < 1e6)
        return report_number((uint64_t)count, text);
    return scaled(count, units, sizeof units / sizeof units[0], text);
}

double report_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
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

bool report_has_changes(const struct result *r)
{
    size_t index = 0;
    return r->cold_launches || report_next_change(r, &index) != NULL;
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
    if (r->cold_launches)
        fprintf(out, "%scache_control=all", blank);
}
