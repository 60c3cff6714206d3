/* program_confined.c - a confined program (confine/confine.h) that makes a system call which it does not have says what
 * it tried, and ends by the signal: warplens says the rest. A program that catches the signal itself goes on
 * without the call. */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "confine/numbers.h"
#include "cu/program.h"

static const char *words_of(int number)
{
    static const struct {
        int number;
        const char *words;
    } denied[] = {
#define DENIED(number, who, when, words) {(int)(number), words},
#include "confine/denied.def"
#undef DENIED
    };
    for (size_t i = 0; i < sizeof denied / sizeof denied[0]; i++)
        if (denied[i].number == number)
            return denied[i].words;
    return "use the operating system";
}

static void on_denied(int number, siginfo_t *info, void *context)
{
    char text[256];
    (void)context;
    int n =
        snprintf(text, sizeof text,
                 "warplens: the program was stopped: it tried to %s, which confinement does not "
                 "allow\n",
                 words_of(info->si_syscall));
    ssize_t written = write(STDERR_FILENO, text, (size_t)n);
    (void)written;
    signal(number, SIG_DFL);
    raise(number);
}

void program_catch_denied(void)
{
    struct sigaction denied = {.sa_sigaction = on_denied, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&denied.sa_mask);
    sigaction(SIGSYS, &denied, NULL);
}
