/* messages.c - what went wrong, in one line with file, line, block and thread; the first error of a
 * run is its message, warnings go to standard error at once.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "machine_code/lineinfo.h"

enum { WARNINGS_MAX = 64 };

static uintptr_t warned[WARNINGS_MAX];
static unsigned warned_count;

static void message_start(const char *kernel, uintptr_t pc)
{
    struct lineinfo_line where = sites_line(pc);
    engine.failed = true;
    if (engine.error == cudaSuccess)
        engine.error = cudaErrorLaunchFailure;
    snprintf(engine.message, sizeof engine.message, "%s:%u: in %s: ", where.file,
             (unsigned)where.line, kernel);
}

static void message_add(const char *format, va_list arguments)
{
    size_t used = strlen(engine.message);
    vsnprintf(engine.message + used, sizeof engine.message - used, format, arguments);
}

static void message_thread(const struct lane *lane)
{
    size_t used = strlen(engine.message);
    snprintf(engine.message + used, sizeof engine.message - used,
             " [block (%u,%u,%u), thread (%u,%u,%u)]", wl_indices.block.x, wl_indices.block.y,
             wl_indices.block.z, lane->thread.x, lane->thread.y, lane->thread.z);
}

void engine_fail_lane(uintptr_t pc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_start(engine.kernel, pc);
    message_add(format, arguments);
    va_end(arguments);
    message_thread(engine.current);
    lane_stop(LANE_ENDED, pc); /* the launch is over: nobody switches back */
    __builtin_unreachable();
}

void tracer_fail(const char *format, ...)
{
    if (engine.failed)
        return;
    engine.failed = true;
    engine.error = cudaErrorLaunchFailure;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(engine.message, sizeof engine.message, format, arguments);
    va_end(arguments);
}

void engine_heed(bool sink_goes_on)
{
    if (!sink_goes_on)
        tracer_fail("stopped by the sink");
}

void engine_fail_barrier(const struct lane *waiting, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_start(engine.kernel, waiting->context->stopped_at);
    message_add(format, arguments);
    va_end(arguments);
    message_thread(waiting);
}

void engine_warn_barrier(const struct lane *waiting, const struct lane *ended)
{
    engine_warn(
        waiting->context->stopped_at,
        "barrier that thread (%u,%u,%u) of block (%u,%u,%u) does not reach, as it has returned "
        "from the kernel: undefined in CUDA; it counts as arrived here, as on GPUs",
        ended->thread.x, ended->thread.y, ended->thread.z, wl_indices.block.x, wl_indices.block.y,
        wl_indices.block.z);
}

void engine_fail_host(uintptr_t pc, const char *format, ...)
{
    struct lineinfo_line where = sites_line(pc);
    if (engine.failed)
        return;
    engine.failed = true;
    engine.error = cudaErrorIllegalAddress;
    snprintf(engine.message, sizeof engine.message, "%s:%u: ", where.file, (unsigned)where.line);
    va_list arguments;
    va_start(arguments, format);
    message_add(format, arguments);
    va_end(arguments);
    if (engine.program) /* a fault ends a program on a real machine, too */
        exit(HOST_FAULT_STATUS);
}

void engine_warn(uintptr_t pc, const char *format, ...)
{
    for (unsigned i = 0; i < warned_count; i++)
        if (warned[i] == pc)
            return;
    if (warned_count == WARNINGS_MAX)
        return;
    warned[warned_count++] = pc;
    struct lineinfo_line where = sites_line(pc);
    fprintf(stderr, "warplens: %s:%u: in %s: ", where.file, (unsigned)where.line, engine.kernel);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void engine_forget_warnings(void)
{
    warned_count = 0;
}

const char *tracer_error(void)
{
    return engine.failed ? engine.message : NULL;
}
