/* messages.c - what went wrong, in one line with file, line, block and thread; the first error of a
 * run is its message.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "machine_code/lineinfo.h"

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

static void message_thread(const struct lane *lane, uintptr_t pc)
{
    faults_stop_at(pc, (const uint32_t[]){lane->thread.x, lane->thread.y, lane->thread.z});
    size_t used = strlen(engine.message);
    snprintf(engine.message + used, sizeof engine.message - used,
             " [block (%u,%u,%u), thread (%u,%u,%u)]", engine_indices.block.x,
             engine_indices.block.y, engine_indices.block.z, lane->thread.x, lane->thread.y,
             lane->thread.z);
}

void engine_fail_lane(uintptr_t pc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_start(engine.kernel, pc);
    message_add(format, arguments);
    va_end(arguments);
    message_thread(engine.current, pc);
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
    engine.sink_is_done |= !sink_goes_on;
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
    message_thread(waiting, waiting->context->stopped_at);
}

void engine_fail_place(uintptr_t pc, uint3 thread, const char *format, ...)
{
    const struct lane lane = {.thread = thread};
    va_list arguments;
    va_start(arguments, format);
    message_start(engine.kernel, pc);
    message_add(format, arguments);
    va_end(arguments);
    message_thread(&lane, pc);
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
    faults_stop_is(&(struct trace_fault){.kind = FAULT_STOPPED});
    faults_stop_at(pc, (const uint32_t[3]){0});
    if (engine.program && engine.sink)
        faults_give();
    if (engine.program) /* a fault ends a program on a real machine, too */
        exit(HOST_FAULT_STATUS);
}

const char *tracer_error(void)
{
    return engine.failed ? engine.message : NULL;
}
