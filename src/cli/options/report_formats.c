/* report_formats.c - the table. */
#include "cli/options/report_formats.h"

#include <string.h>

#include "html/html.h"

const struct report_format report_formats[] = {
    {"text", report_text, false, true},
    {"json", report_json, false, true},
    {"csv", report_csv, false, false},
    {"html", report_html, true, true},
};
const size_t report_format_count = sizeof report_formats / sizeof report_formats[0];

const struct report_format *report_format_named(const char *name)
{
    for (size_t i = 0; i < report_format_count; i++)
        if (strcmp(report_formats[i].name, name) == 0)
            return &report_formats[i];
    return NULL;
}

const struct report_format *report_format_chosen(const struct options *options)
{
    return options->report ? options->report : report_formats;
}
