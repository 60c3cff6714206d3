/* program_faults.c - signals that a wrong program gets, with the place in its source.
 *
 * The handler has a stack of its own, since the one that faults may be full. It writes a line and
 * ends the process as the signal would have, so that the driver and shells see which it was. A fault
 * in a library is told with the last place in the program's own code.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "cu/program.h"
#include "tracer/engine.h"
#include "machine_code/lineinfo.h"

enum { STACK_BYTES = 64 * 1024, TEXT_BYTES = 512 };
static char handler_stack[STACK_BYTES];

static uintptr_t fault_pc(const void *context)
{
    const ucontext_t *u = context;
#if defined(__x86_64__)
    return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)u->uc_mcontext.pc;
#endif
}

/* Whether an address is below the stack of the running lane, where its guard page is. */
static bool below_lane_stack(uintptr_t address)
{
    uintptr_t stack = (uintptr_t)lane_stack(engine.current->context);
    return address - (stack - LANE_STACK_BYTES) < LANE_STACK_BYTES;
}

static const char *describe(int number, const siginfo_t *info, enum fault_kind *kind)
{
    *kind = FAULT_STOPPED;
    if (number == SIGFPE)
        return "integer division by zero";
    if (number == SIGILL || number == SIGTRAP) /* __builtin_trap() on x86-64; on arm64 */
        return "a trap";
    if (engine.current && below_lane_stack((uintptr_t)info->si_addr))
        return "the thread's stack of 64 KB is full: recursion too deep, or local arrays too large";
    *kind = FAULT_OUT_OF_BOUNDS;
    if ((uintptr_t)info->si_addr < 65536)
        return "access through a null pointer";
    return "access outside of all memory";
}

/* "file.cu:12", or where the program called what faulted. */
static void put_place(char *text, size_t room, uintptr_t pc)
{
    struct lineinfo_line line = sites_line(pc + 1);
    const char *near_word = "";
    if (line.line == 0) {
        near_word = "near ";
        line = sites_line(engine.last_pc);
    }
    snprintf(text, room, "%s%s:%u", near_word, line.file, (unsigned)line.line);
}

/* What ends the program goes into its trace: the reader has it, and all launches before. */
static void give_fault(enum fault_kind kind, uintptr_t pc, const char *text)
{
    const struct lane *lane = engine.current;
    uint32_t thread[3] = {0};
    if (lane)
        memcpy(thread, (const uint32_t[]){lane->thread.x, lane->thread.y, lane->thread.z},
               sizeof thread);
    faults_stop_is(&(struct trace_fault){.kind = (uint8_t)kind});
    faults_stop_at(pc, thread);
    tracer_fail("%s", text);
    if (engine.sink)
        faults_give();
    program_end_trace();
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    char place[TEXT_BYTES], thread[128] = "", text[2 * TEXT_BYTES];
    enum fault_kind kind;
    if (engine.current == NULL) /* host code that goes on with what a failed kernel left */
        program_tell_error();
    put_place(place, sizeof place, fault_pc(context));
    if (engine.current)
        snprintf(thread, sizeof thread, " [block (%u,%u,%u), thread (%u,%u,%u)]",
                 engine_indices.block.x, engine_indices.block.y, engine_indices.block.z,
                 engine.current->thread.x, engine.current->thread.y, engine.current->thread.z);
    snprintf(text, sizeof text, "%s: in %s: %s%s", place,
             engine.current ? engine.kernel : "host code", describe(number, info, &kind), thread);
    ssize_t written = write(STDERR_FILENO, "warplens: ", 10);
    written += write(STDERR_FILENO, text, strlen(text));
    written += write(STDERR_FILENO, "\n", 1);
    (void)written; /* the signal below says as much as can be said */
    give_fault(kind, fault_pc(context) + 1, text);
    signal(number, SIG_DFL);
    raise(number);
}

/* What an error check that aborts was about; or the kernel that does. */
static void on_abort(int number)
{
    char text[2 * TEXT_BYTES];
    if (engine.current) {
        snprintf(text, sizeof text, "in %s: abort() was called", engine.kernel);
        give_fault(FAULT_STOPPED, engine.last_pc, text);
    }
    program_tell_error();
    program_end_trace();
    signal(number, SIG_DFL);
    raise(number);
}

void program_catch_faults(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction stop = {.sa_handler = on_abort, .sa_flags = SA_ONSTACK};
    sigemptyset(&fault.sa_mask);
    sigemptyset(&stop.sa_mask);
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigaction(faults[i], &fault, NULL);
    sigaction(SIGABRT, &stop, NULL);
}
