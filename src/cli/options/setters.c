/* setters.c - from the text behind an option to a field of struct options. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/formats.h"
#include "cli/options/table.h"
#include "figures/figures.h"
#include "text/nearest.h"
#include "text/number.h"
#include "text/text.h"
#include "trace_io/format.h"

/* ---- By type ----------------------------------------------------------------------------------------- */

static void *field_of(struct options *o, const struct option *option)
{
    return (char *)o + option->at;
}

const char *take_flag(struct options *o, const struct option *option, const char *value)
{
    (void)value;
    *(bool *)field_of(o, option) = true;
    return NULL;
}

const char *take_text(struct options *o, const struct option *option, const char *value)
{
    *(const char **)field_of(o, option) = value;
    return *value ? NULL : option->allowed;
}

const char *take_number(struct options *o, const struct option *option, const char *value)
{
    static char range[64];
    int64_t *number = field_of(o, option);
    if (text_number(value, number) && *number >= option->least && *number <= option->most)
        return NULL;
    snprintf(range, sizeof range, "%lld to %lld", (long long)option->least,
             (long long)option->most);
    return option->allowed ? option->allowed : range;
}

const char *take_real(struct options *o, const struct option *option, const char *value)
{
    char *end;
    const double number = strtod(value, &end);
    *(double *)field_of(o, option) = number;
    bool fine =
        value[0] >= '0' && value[0] <= '9' && *end == '\0' && number <= (double)option->most;
    return fine ? NULL : option->allowed;
}

static const char *at_most_times(int64_t times)
{
    static char text[32];
    snprintf(text, sizeof text, "at most %lld times", (long long)times);
    return text;
}

const char *take_word(struct options *o, const struct option *option, const char *value)
{
    struct word_list *list = field_of(o, option);
    if (list->count == (size_t)option->most)
        return at_most_times(option->most);
    list->items[list->count++] = value;
    return *value ? NULL : option->allowed;
}

const char *take_setting(struct options *o, const struct option *option, const char *value)
{
    struct setting_list *list = field_of(o, option);
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value || equals[1] == '\0')
        return "name=value";
    if ((size_t)(equals - value) >= sizeof list->items[0].name)
        return "a name of at most 63 characters";
    if (list->count == OPTION_LIST_MAX)
        return at_most_times(OPTION_LIST_MAX);
    struct setting *setting = &list->items[list->count++];
    snprintf(setting->name, sizeof setting->name, "%.*s", (int)(equals - value), value);
    setting->value = equals + 1;
    return NULL;
}

/* ---- Of tables --------------------------------------------------------------------------------------- */

const char *take_format(struct options *o, const struct option *option, const char *value)
{
    o->has_format = format_find(value, option->commands, &o->format);
    return o->has_format ? NULL : format_names(option->commands, false, ", ", " or ");
}

const char *take_color(struct options *o, const struct option *option, const char *value)
{
    static const char *const names[] = {
        [STYLES_AUTO] = "auto", [STYLES_ALWAYS] = "always", [STYLES_NEVER] = "never"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(value, names[i]) == 0) {
            o->color = (enum style_choice)i;
            return NULL;
        }
    return option->allowed;
}

const char *take_confine(struct options *o, const struct option *option, const char *value)
{
    o->confine = strcmp(value, "yes") == 0 ? CONFINE_YES : CONFINE_NO;
    return o->confine == CONFINE_YES || strcmp(value, "no") == 0 ? NULL : option->allowed;
}

const char *take_accesses(struct options *o, const struct option *option, const char *value)
{
    o->accesses = strcmp(value, "source") == 0 ? ACCESSES_SOURCE : ACCESSES_NVCC;
    return o->accesses == ACCESSES_SOURCE || strcmp(value, "nvcc") == 0 ? NULL : option->allowed;
}

const char *take_fmad(struct options *o, const struct option *option, const char *value)
{
    o->fmad = strcmp(value, "yes") == 0;
    return o->fmad || strcmp(value, "no") == 0 ? NULL : option->allowed;
}

const char *take_nvcc(struct options *o, const struct option *option, const char *value)
{
    o->nvcc = strcmp(value, "off") == 0 ? NULL : value;
    return *value ? NULL : option->allowed;
}

const char *take_cache_control(struct options *o, const struct option *option, const char *value)
{
    o->cache_control = strcmp(value, "all") == 0 ? CACHES_ALL : CACHES_NONE;
    return o->cache_control == CACHES_ALL || strcmp(value, "none") == 0 ? NULL : option->allowed;
}

const char *option_argument(const struct option *option)
{
    return option->take == take_format ? format_names(option->commands, false, "|", "|")
                                       : option->argument;
}

const char *take_trace_format(struct options *o, const struct option *option, const char *value)
{
    static struct text names;
    *(const char **)field_of(o, option) = value;
    text_start(&names);
    for (size_t i = 0; i < trace_format_count; i++)
        text_add(&names, "%s%s", i ? ", " : "", trace_formats[i].name);
    return trace_format_named(value) ? NULL : names.s;
}

/* "lines, arrays, ...", and what is near. */
const char *take_figure(struct options *o, const struct option *option, const char *value)
{
    static struct text names;
    char near[NEAREST_TEXT_BYTES];
    struct nearest nearest = nearest_start(value);
    (void)option;
    text_start(&names);
    for (size_t i = 0; i < figure_count; i++) {
        text_add(&names, "%s%s", i ? ", " : "", figures[i].name);
        nearest_offer(&nearest, figures[i].name);
    }
    text_add(&names, "%s", nearest_text(&nearest, near));
    o->figure = figure_named(value);
    return o->figure ? NULL : names.s;
}

/* ---- Of one option ----------------------------------------------------------------------------------- */

/* "FIRST-LAST" or "FIRST/LAST"; what is behind the mark is `otherwise` when there is no mark. */
static bool read_pair(const char *value, char mark, const char *otherwise, int64_t *first,
                      int64_t *last)
{
    char begin[32];
    const char *at = strchrnul(value, mark), *end = *at ? at + 1 : otherwise;
    const size_t length = (size_t)(at - value);
    if (length >= sizeof begin || end == NULL)
        return false;
    snprintf(begin, sizeof begin, "%.*s", (int)length, value);
    return text_number(begin, first) && text_number(end, last);
}

const char *take_blocks(struct options *o, const struct option *option, const char *value)
{
    (void)option;
    const size_t length = strcspn(value, "-");
    if (length == 0 || length >= 32)
        return "first-last, such as 0-63";
    if (!read_pair(value, '-', value, &o->block_first, &o->block_last) || o->block_first < 0 ||
        o->block_last < o->block_first || o->block_last - o->block_first >= 1 << 20 ||
        o->block_last > UINT32_MAX)
        return "first-last, such as 0-63, at most 1048576 blocks";
    return NULL;
}

const char *take_shard(struct options *o, const struct option *option, const char *value)
{
    bool fine = read_pair(value, '/', NULL, &o->shard, &o->shards) && o->shard >= 1 &&
                o->shard <= o->shards && o->shards <= 1000000;
    return fine ? NULL : option->allowed;
}

/* The compiler takes letter and value in one word. */
const char *take_compiler_option(struct options *o, const struct option *option, const char *value)
{
    struct word_list *list = &o->compiler_options;
    char *word;
    if (*value == '\0')
        return option->allowed;
    if (list->count == OPTION_LIST_MAX)
        return at_most_times(OPTION_LIST_MAX);
    if (asprintf(&word, "%s%s", option->short_name, value) < 0)
        return "less memory in use";
    list->items[list->count++] = word; /* freed by options_free */
    return NULL;
}

/* Of --min and --max. */
const char *take_limit(struct options *o, const struct option *option, const char *value)
{
    if (o->limit_count == OPTION_LIST_MAX)
        return "at most 64 times, --min and --max together";
    o->limits[o->limit_count++] =
        (struct option_limit){.text = value, .is_least = option->least != 0};
    return *value ? NULL : option->allowed;
}
