/* select.c - decisions. As in ncu, launches whose kernel has another name count for nothing: --launch-skip and
 * --launch-count count the others. A name is the function's alone, without namespaces and template arguments, as is
 * usual in ncu (--kernel-name-base function); an expression matches any part of it.
 */
#include "stream/select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 256 };
#define REGEX "regex:"

static bool is_regex(const char *kernel)
{
    return kernel && strncmp(kernel, REGEX, strlen(REGEX)) == 0;
}

bool launch_choice_is_all(const struct launch_choice *choice)
{
    return choice->kernel == NULL && choice->skip == 0 && choice->count < 0 &&
           choice->per_kernel < 0;
}

const char *launch_choice_error(const struct launch_choice *choice)
{
    static _Thread_local char text[128];
    regex_t regex;
    if (!is_regex(choice->kernel))
        return NULL;
    const int error = regcomp(&regex, choice->kernel + strlen(REGEX), REG_EXTENDED | REG_NOSUB);
    if (error == 0)
        regfree(&regex);
    else
        regerror(error, &regex, text, sizeof text);
    return error ? text : NULL;
}

bool launch_choice_write(const struct launch_choice *choice, char text[LAUNCH_CHOICE_BYTES])
{
    const int bytes =
        snprintf(text, LAUNCH_CHOICE_BYTES, "%" PRId64 " %" PRId64 " %" PRId64 " %s", choice->skip,
                 choice->count, choice->per_kernel, choice->kernel ? choice->kernel : "");
    return bytes > 0 && bytes < LAUNCH_CHOICE_BYTES;
}

bool launch_choice_read(struct launch_choice *choice, const char *text)
{
    int at = 0;
    *choice = (struct launch_choice){.count = -1, .per_kernel = -1};
    if (sscanf(text, "%" SCNd64 " %" SCNd64 " %" SCNd64 "%n", &choice->skip, &choice->count,
               &choice->per_kernel, &at) != 3 ||
        text[at] != ' ')
        return false;
    choice->kernel = text[at + 1] ? text + at + 1 : NULL;
    return launch_choice_error(choice) == NULL;
}

void launch_select_start(struct launch_select *select, const struct launch_choice *choice)
{
    *select = (struct launch_select){.choice = *choice};
    if (is_regex(choice->kernel))
        select->has_regex =
            regcomp(&select->regex, choice->kernel + strlen(REGEX), REG_EXTENDED | REG_NOSUB) == 0;
}

void launch_select_free(struct launch_select *select)
{
    if (select->has_regex)
        regfree(&select->regex);
    free(select->kinds);
    *select = (struct launch_select){0};
}

/* "space::kernel<int>" is `kernel`. */
static void function_of(const char *kernel, char name[NAME_BYTES])
{
    const size_t length = strcspn(kernel, "<(");
    size_t begin = length;
    while (begin > 0 && kernel[begin - 1] != ':' && kernel[begin - 1] != ' ')
        begin--;
    snprintf(name, NAME_BYTES, "%.*s", (int)(length - begin), kernel + begin);
}

static bool name_matches(const struct launch_select *select, const char *kernel)
{
    char name[NAME_BYTES];
    if (select->choice.kernel == NULL)
        return true;
    function_of(kernel, name);
    if (select->has_regex)
        return regexec(&select->regex, name, 0, NULL, 0) == 0;
    return strcmp(name, select->choice.kernel) == 0;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    while (count-- > 0)
        hash = (hash ^ *at++) * UINT64_C(0x100000001b3); /* FNV-1a */
    return hash;
}

static uint64_t kind_of(const struct launch_info *launch)
{
    uint64_t hash =
        hash_bytes(UINT64_C(0xcbf29ce484222325), launch->kernel, strlen(launch->kernel));
    hash = hash_bytes(hash, launch->grid, sizeof launch->grid);
    hash = hash_bytes(hash, launch->block, sizeof launch->block);
    return hash_bytes(hash, &launch->dynamic_shared_bytes, sizeof launch->dynamic_shared_bytes);
}

uint64_t launch_select_count(struct launch_select *select, const struct launch_info *launch)
{
    const uint64_t hash = kind_of(launch);
    for (size_t i = 0; i < select->kind_count; i++)
        if (select->kinds[i].hash == hash)
            return ++select->kinds[i].count;
    if (select->kind_count == select->kind_room) {
        const size_t room = select->kind_room ? 2 * select->kind_room : 16;
        struct launch_kind *grown = realloc(select->kinds, room * sizeof *grown);
        if (grown == NULL)
            return 1; /* counted the next time */
        select->kinds = grown;
        select->kind_room = room;
    }
    select->kinds[select->kind_count++] = (struct launch_kind){hash, 1};
    return 1;
}

bool launch_select_takes(struct launch_select *select, const struct launch_info *launch)
{
    const struct launch_choice *choice = &select->choice;
    if (!name_matches(select, launch->kernel) || select->matched++ < (uint64_t)choice->skip)
        return false;
    if (choice->count >= 0 && select->taken >= (uint64_t)choice->count)
        return false;
    if (choice->per_kernel >= 0 &&
        launch_select_count(select, launch) > (uint64_t)choice->per_kernel)
        return false;
    select->taken++;
    return true;
}

/* ---- A run that is there already ---------------------------------------------------------------- */

static struct select_source *of(void *context)
{
    return context;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct select_source *s = of(context);
    s->launches++;
    s->may_repeat = launch->may_repeat;
    s->drops = !launch_select_takes(&s->select, launch);
    if (!s->drops)
        return sink_launch_begin(s->filter.next, launch);
    struct trace_left_out left_out = {.kernel = launch->kernel,
                                      .dynamic_shared_bytes = launch->dynamic_shared_bytes};
    memcpy(left_out.grid, launch->grid, sizeof left_out.grid);
    memcpy(left_out.block, launch->block, sizeof left_out.block);
    return sink_launch_left_out(s->filter.next, &left_out);
}

static bool on_access(void *context, const struct warp_access *access)
{
    return of(context)->drops || sink_access(of(context)->filter.next, access);
}

static bool on_event(void *context, const struct trace_event *event)
{
    return of(context)->drops || sink_event(of(context)->filter.next, event);
}

static bool on_sync(void *context, const struct trace_sync *sync)
{
    return of(context)->drops || sink_sync(of(context)->filter.next, sync);
}

static bool on_copy(void *context, const struct trace_copy *copy)
{
    return of(context)->drops || sink_copy(of(context)->filter.next, copy);
}

/* What stops a launch stops the run, whether it was taken or not. */
static bool on_fault(void *context, const struct trace_fault *fault)
{
    const bool drops = of(context)->drops && !fault->stops;
    of(context)->drops &= !fault->stops;
    return drops || sink_fault(of(context)->filter.next, fault);
}

static bool on_launch_end(void *context, uint64_t shared_bytes)
{
    struct select_source *s = of(context);
    if (!s->drops && s->may_repeat)
        s->repeatable[s->repeatable_count++ % REPEATED_LAUNCHES_MAX] = s->launches - 1;
    const bool drops = s->drops;
    s->drops = false;
    return drops || sink_launch_end(s->filter.next, shared_bytes);
}

static bool was_taken(const struct select_source *s, uint64_t number)
{
    for (uint64_t i = 0; i < s->repeatable_count && i < REPEATED_LAUNCHES_MAX; i++)
        if (s->repeatable[i] == number)
            return true;
    return false;
}

static bool on_launch_left_out(void *context, const struct trace_left_out *launch)
{
    struct select_source *s = of(context);
    struct trace_left_out left_out = *launch;
    struct launch_info shape = {.kernel = launch->kernel,
                                .dynamic_shared_bytes = launch->dynamic_shared_bytes};
    const uint64_t number = s->launches++;
    memcpy(shape.grid, launch->grid, sizeof shape.grid);
    memcpy(shape.block, launch->block, sizeof shape.block);
    if (!launch_select_takes(&s->select, &shape))
        left_out.repeats = 0;
    if (left_out.repeats == 0 || was_taken(s, number - left_out.repeats))
        return sink_launch_left_out(s->filter.next, &left_out);
    snprintf(s->message, sizeof s->message,
             "launch %" PRIu64 ", of %.64s, only says that it repeats launch %" PRIu64
             ", which is not chosen: record the program with --trace-repeats",
             number + 1, launch->kernel, number + 1 - left_out.repeats);
    return false;
}

static const char *run_selected(void *context, const struct trace_sink *sink)
{
    struct select_source *s = of(context);
    s->filter.next = sink;
    struct trace_sink selected = filter_sink(&s->filter);
    selected.launch_begin = on_launch_begin;
    selected.access = on_access;
    selected.event = on_event;
    selected.fault = on_fault;
    selected.sync = on_sync;
    selected.copy = on_copy;
    selected.launch_end = on_launch_end;
    selected.launch_left_out = on_launch_left_out;
    s->drops = false;
    s->launches = s->repeatable_count = 0;
    s->message[0] = '\0';
    if (!sink_note(sink, NOTE_CHOICE, s->options))
        return NULL;
    launch_select_start(&s->select, &s->choice);
    const char *error = s->source.run(s->source.context, &selected);
    launch_select_free(&s->select);
    return s->message[0] ? s->message : error;
}

struct trace_source select_source(struct select_source *select, struct trace_source source,
                                  const struct launch_choice *choice, const char *options)
{
    *select = (struct select_source){.choice = *choice, .source = source, .options = options};
    return (struct trace_source){.context = select, .run = run_selected};
}
