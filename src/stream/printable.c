/* printable.c - copies of notes', sites' and faults' texts live for the call, those of a launch until the next one; names that
 * are printable, which all but a few traces have, are not copied. */
#include "stream/printable.h"

#include <stdlib.h>
#include <string.h>

#include "text/characters.h"
#include "text/memory.h"

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

static bool on_sync(void *context, const struct trace_sync *sync)
{
    struct printable *p = context;
    struct trace_sync shown = *sync;
    char *copy;
    shown.file = show(p, sync->file, &copy);
    const bool goes_on = !p->failed && sink_sync(p->filter.next, &shown);
    free(copy);
    return goes_on;
}

static bool arrays_are_printable(const struct launch_info *launch)
{
    for (size_t i = 0; i < launch->array_count; i++)
        if (!text_is_printable(launch->arrays[i].name))
            return false;
    return true;
}

void printable_stop(struct printable *p)
{
    for (size_t i = 0; p->names && i < p->name_count; i++)
        free(p->names[i]);
    free(p->names);
    free(p->arrays);
    free(p->kernel);
    p->names = NULL;
    p->arrays = NULL;
    p->kernel = NULL;
}

/* Gives the launch's arrays other names. */
static void name_anew(struct printable *p, struct launch_info *launch)
{
    p->name_count = launch->array_count;
    p->arrays = memory_take(p->name_count, sizeof *p->arrays);
    p->names = memory_take(p->name_count, sizeof *p->names);
    p->failed |= p->arrays == NULL || p->names == NULL;
    for (size_t i = 0; i < p->name_count && !p->failed; i++) {
        p->arrays[i] = launch->arrays[i];
        p->arrays[i].name = show(p, launch->arrays[i].name, &p->names[i]);
    }
    launch->arrays = p->arrays;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct printable *p = context;
    struct launch_info shown = *launch;
    printable_stop(p); /* what the launch before had */
    shown.kernel = show(p, launch->kernel, &p->kernel);
    if (!arrays_are_printable(launch))
        name_anew(p, &shown);
    return !p->failed && sink_launch_begin(p->filter.next, &shown);
}

static bool on_launch_left_out(void *context, const struct trace_left_out *launch)
{
    struct printable *p = context;
    struct trace_left_out shown = *launch;
    char *copy;
    shown.kernel = show(p, launch->kernel, &copy);
    const bool goes_on = !p->failed && sink_launch_left_out(p->filter.next, &shown);
    free(copy);
    return goes_on;
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct printable *p = context;
    struct trace_fault shown = *fault;
    char *copies[3];
    shown.file = show(p, fault->file, &copies[0]);
    shown.array = show(p, fault->array, &copies[1]);
    shown.text = show(p, fault->text, &copies[2]);
    const bool goes_on = !p->failed && sink_fault(p->filter.next, &shown);
    for (size_t i = 0; i < 3; i++)
        free(copies[i]);
    return goes_on;
}

struct trace_sink printable_sink(struct printable *printable)
{
    struct trace_sink sink = filter_sink(&printable->filter);
    sink.context = printable;
    sink.note = on_note;
    sink.site = on_site;
    sink.launch_begin = on_launch_begin;
    sink.fault = on_fault;
    sink.sync = on_sync;
    sink.launch_left_out = on_launch_left_out;
    return sink;
}
