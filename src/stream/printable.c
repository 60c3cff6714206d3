/* printable.c - copies live for the call, as all that a stream hands over; names that are printable, which all but
 * a few traces have, are not copied. */
#include "stream/printable.h"

#include <stdlib.h>
#include <string.h>

#include "text/characters.h"

/* The text, or a copy that *copy has to free. */
static const char *show(struct printable *p, const char *text, char **copy)
{
    *copy = text_is_printable(text) ? NULL : text_printable_copy(text);
    p->failed |= *copy == NULL && !text_is_printable(text);
    return *copy ? *copy : text;
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct printable *p = context;
    char *copies[2];
    key = show(p, key, &copies[0]);
    value = show(p, value, &copies[1]);
    const bool goes_on = !p->failed && sink_note(p->filter.next, key, value);
    free(copies[0]);
    free(copies[1]);
    return goes_on;
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct printable *p = context;
    struct trace_site shown = *site;
    char *copies[2];
    shown.file = show(p, site->file, &copies[0]);
    shown.array = show(p, site->array, &copies[1]);
    const bool goes_on = !p->failed && sink_site(p->filter.next, number, &shown);
    free(copies[0]);
    free(copies[1]);
    return goes_on;
}

static bool arrays_are_printable(const struct launch_info *launch)
{
    for (size_t i = 0; i < launch->array_count; i++)
        if (!text_is_printable(launch->arrays[i].name))
            return false;
    return true;
}

/* A launch whose arrays have other names. */
static bool launch_named_anew(struct printable *p, struct launch_info *launch)
{
    const size_t count = launch->array_count;
    struct trace_array *arrays = calloc(count, sizeof *arrays);
    char **copies = calloc(count, sizeof *copies);
    p->failed |= arrays == NULL || copies == NULL;
    for (size_t i = 0; i < count && !p->failed; i++) {
        arrays[i] = launch->arrays[i];
        arrays[i].name = show(p, launch->arrays[i].name, &copies[i]);
    }
    launch->arrays = arrays;
    const bool goes_on = !p->failed && sink_launch_begin(p->filter.next, launch);
    for (size_t i = 0; copies && i < count; i++)
        free(copies[i]);
    free(copies);
    free(arrays);
    return goes_on;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct printable *p = context;
    struct launch_info shown = *launch;
    char *copy;
    shown.kernel = show(p, launch->kernel, &copy);
    const bool goes_on = arrays_are_printable(launch)
                             ? !p->failed && sink_launch_begin(p->filter.next, &shown)
                             : launch_named_anew(p, &shown);
    free(copy);
    return goes_on;
}

struct trace_sink printable_sink(struct printable *printable)
{
    struct trace_sink sink = filter_sink(&printable->filter);
    sink.context = printable;
    sink.note = on_note;
    sink.site = on_site;
    sink.launch_begin = on_launch_begin;
    return sink;
}
