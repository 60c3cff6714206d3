/* select.h - which launches of a run are traced, in the words of ncu: --kernel-name, --launch-skip, --launch-count, and
 * --launches-per-kernel besides. A tracer asks before a launch; a run that is there already goes through a source that
 * leaves launches out.
 */
#ifndef WARPLENS_STREAM_SELECT_H
#define WARPLENS_STREAM_SELECT_H

#include <regex.h>

#include "stream/filter.h"

struct launch_choice {
    const char *
        kernel; /* NULL: all; a name, or "regex:" and an extended regular expression, some part of the name */
    int64_t skip;  /* so many of those are passed over */
    int64_t count; /* so many at most are taken; -1: all */
    int64_t
        per_kernel; /* of each kernel, grid, block and bytes of dynamic shared memory; -1: all */
};

bool launch_choice_is_all(const struct launch_choice *choice);
/* NULL, or what is wrong with the kernel's expression; valid until the next call. */
const char *launch_choice_error(const struct launch_choice *choice);
/* The choice in one line, which launch_choice_read reads; it points into the text. */
enum { LAUNCH_CHOICE_BYTES = 1024 };
bool launch_choice_write(const struct launch_choice *choice, char text[LAUNCH_CHOICE_BYTES]);
bool launch_choice_read(struct launch_choice *choice, const char *text);

struct launch_kind {
    uint64_t hash, count;
};

struct launch_select {
    struct launch_choice choice;
    regex_t regex;
    bool has_regex;
    uint64_t matched, taken;
    struct launch_kind *kinds; /* that launches were counted of */
    size_t kind_count, kind_room;
};

/* The choice must have no error. */
void launch_select_start(struct launch_select *select, const struct launch_choice *choice);
void launch_select_free(struct launch_select *select);
/* Whether the next launch of the run is taken: to be asked once for each, in their order. */
bool launch_select_takes(struct launch_select *select, const struct launch_info *launch);
/* Counts a launch of its kernel and shape; how many there were, this one included. */
uint64_t launch_select_count(struct launch_select *select, const struct launch_info *launch);

/* A run of which only launches that are taken go on. */
struct select_source {
    struct trace_filter filter;
    struct launch_choice choice;
    struct launch_select select;
    struct trace_source source;
    const char *options; /* for the note */
    uint64_t launches, repeatable[REPEATED_LAUNCHES_MAX], repeatable_count;
    bool drops, may_repeat; /* the launch that runs */
    char message[256];
};

/* `options`: as the user gave them, such as "--launch-count 2". All must outlive the source that is returned. */
struct trace_source select_source(struct select_source *select, struct trace_source source,
                                  const struct launch_choice *choice, const char *options);

#endif
