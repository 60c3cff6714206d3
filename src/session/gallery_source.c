/* gallery_source.c - notes of what runs, then the kernel's host code. */
#include "session/gallery_source.h"

#include <stdio.h>

#include "gallery_list.h"
#include "tracer/tracer.h"

static bool note_params(const struct gallery_run *run, const struct trace_sink *sink)
{
    const struct gallery_param *params = run->kernel->params;
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && params[i].name; i++) {
        char key[80], value[32];
        snprintf(key, sizeof key, "param.%s", params[i].name);
        snprintf(value, sizeof value, "%lld", run->args->values[i]);
        if (!sink_note(sink, key, value))
            return false;
    }
    return true;
}

static const char *run_gallery(void *context, const struct trace_sink *sink)
{
    const struct gallery_run *run = context;
    if (!sink_note(sink, "kernel", run->kernel->name) ||
        !sink_note(sink, "summary", run->kernel->summary) ||
        !sink_note(sink, "compiler", tracer_compiler()) || !note_params(run, sink))
        return NULL;
    tracer_start(sink);
    bool has_symbols = tracer_has_symbols();
    if (has_symbols && !tracer_error())
        gallery_run_kernel(run->kernel, run->args);
    tracer_stop();
    if (has_symbols || tracer_error())
        return tracer_error();
    return "this warplens was stripped of its symbols, and does not know its kernels' arrays and "
           "lines: install it unstripped";
}

struct trace_source gallery_source(struct gallery_run *run)
{
    return (struct trace_source){.context = run, .run = run_gallery};
}
