/* host_calls.c - functions of the C library that kernels have, too: cuda_program.h gives these names
 * to them. Called by host code they are the library's.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tracer/engine.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

int wl_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int wl_puts(const char *text);
int wl_putchar(int character);
_Noreturn void wl_assert_fail(const char *assertion, const char *file, unsigned line,
                              const char *function);
_Noreturn void wl_trap(void);
_Noreturn void wl_refuse(const char *what);
_Noreturn void wl_refuse_at(const char *what, const char *file, int line);

/* Lanes that print come together first: then they print in the order of their numbers. */
static void line_up(uintptr_t pc)
{
    engine.depends_on_more = true;
    if (engine.current)
        warp_op_run(pc, (struct warp_op){.kind = WARP_OP_SYNC});
}

WORK_COST_1 int wl_printf(const char *format, ...)
{
    va_list arguments;
    line_up(RETURN_ADDRESS);
    va_start(arguments, format);
    int printed = vprintf(format, arguments);
    va_end(arguments);
    return printed;
}

WORK_COST_1 int wl_puts(const char *text)
{
    line_up(RETURN_ADDRESS);
    return puts(text);
}

WORK_COST_1 int wl_putchar(int character)
{
    line_up(RETURN_ADDRESS);
    return putchar(character);
}

WORK_COST_1 void wl_assert_fail(const char *assertion, const char *file, unsigned line,
                                const char *function)
{
    if (engine.current) {
        engine.error = cudaErrorAssert;
        engine_fail_lane(RETURN_ADDRESS, "assertion `%s' failed", assertion);
    }
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, assertion);
    abort();
}

WORK_COST_1 void wl_trap(void)
{
    if (engine.current == NULL)
        abort();
    engine.error = cudaErrorLaunchFailure;
    engine_fail_lane(RETURN_ADDRESS, "__trap() was reached");
}

/* The same for a function of a header, at the program's own line. */
WORK_COST_1 void wl_refuse_at(const char *what, const char *file, int line)
{
    if (engine.current == NULL)
        abort();
    call_lines_say(RETURN_ADDRESS, file, (unsigned)line);
    engine.error = cudaErrorLaunchFailure;
    engine_fail_lane(RETURN_ADDRESS, "%s", what);
}

/* PTX of a library's header, which is refused where it runs (src/cu/ptx.c). */
WORK_COST_1 void wl_refuse(const char *what)
{
    if (engine.current == NULL)
        abort();
    engine.error = cudaErrorLaunchFailure;
    engine_fail_lane(RETURN_ADDRESS, "%s", what);
}
