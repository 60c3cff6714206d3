/* progress.c - the state, and the thread that shows it. */
#define _GNU_SOURCE
#include "text/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text/progress_line.h"
#include "text/seconds.h"

/* The last column stays empty: a terminal may go to the next line behind it. */
enum { COLUMNS_UNKNOWN = 80, TITLE_BYTES = 256, NOTE_BYTES = 128, KERNEL_BYTES = 80 };
#define FIRST_SECONDS 1.0
#define NEXT_SECONDS 0.2

static struct {
    bool is_on; /* written while no other thread is there to read it */
    pthread_mutex_t mutex;
    pthread_cond_t wakes;
    pthread_t thread;
    bool ends, has_line;
    double began, job_done, launch_began, next; /* seconds; next: when the line is drawn */
    const char *hint;
    char title[TITLE_BYTES], note[NOTE_BYTES], kernel[KERNEL_BYTES];
    size_t jobs_done, jobs, gpus;
    uint64_t launch, blocks, bytes;
    atomic_uint_fast64_t blocks_done, bytes_read; /* blocks_done: by each of the GPUs */
} progress = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* ---- The line -------------------------------------------------------------------------------------- */

static size_t columns_of_terminal(void)
{
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return (known ? size.ws_col : COLUMNS_UNKNOWN) - 1U;
}

static void put(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        progress.ends = true; /* the terminal is gone */
}

static void draw(double now)
{
    char text[PROGRESS_LINE_BYTES], drawn[PROGRESS_LINE_BYTES + 16];
    const struct progress_line line = {
        .title = progress.title,
        .jobs_done = progress.jobs_done,
        .jobs = progress.jobs,
        .note = progress.note,
        .launch = progress.launch,
        .kernel = progress.kernel,
        .blocks_done = progress.gpus ? atomic_load(&progress.blocks_done) / progress.gpus : 0,
        .blocks = progress.blocks,
        .hint = progress.hint,
        .bytes_read = atomic_load(&progress.bytes_read),
        .bytes = progress.bytes,
        .seconds = now - progress.began,
        .jobs_seconds = progress.job_done - progress.began,
        .launch_seconds = now - progress.launch_began,
    };
    progress_line_text(&line, columns_of_terminal(), text);
    snprintf(drawn, sizeof drawn, "\r%s\033[K", text);
    put(drawn);
    progress.has_line = true;
}

static void erase(void)
{
    if (progress.has_line)
        put("\r\033[K");
    progress.has_line = false;
}

static struct timespec time_of(double seconds)
{
    const time_t whole = (time_t)seconds;
    return (struct timespec){whole, (long)(1e9 * (seconds - (double)whole))};
}

static void *show(void *unused)
{
    pthread_mutex_lock(&progress.mutex);
    while (!progress.ends) {
        const struct timespec next = time_of(progress.next);
        pthread_cond_timedwait(&progress.wakes, &progress.mutex, &next);
        const double now = seconds_now();
        if (progress.ends || now < progress.next)
            continue;
        draw(now);
        progress.next = now + NEXT_SECONDS;
    }
    pthread_mutex_unlock(&progress.mutex);
    return unused;
}

/* ---- For the command line -------------------------------------------------------------------------- */

/* In a process that was forked: its parent's thread is not there. */
static void turn_off(void)
{
    progress.is_on = false;
}

static bool is_shown(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

/* Signals are for the threads that were there before. */
static bool start_thread(void)
{
    static bool knows_forks;
    pthread_condattr_t on_clock;
    sigset_t all, before;
    knows_forks = knows_forks || pthread_atfork(NULL, NULL, turn_off) == 0;
    if (!knows_forks || pthread_condattr_init(&on_clock) != 0)
        return false;
    pthread_condattr_setclock(&on_clock, CLOCK_MONOTONIC);
    pthread_cond_init(&progress.wakes, &on_clock);
    pthread_condattr_destroy(&on_clock);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool fine = pthread_create(&progress.thread, NULL, show, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return fine;
}

void progress_start(const char *title)
{
    if (progress.is_on || !is_shown())
        return;
    progress.began = progress.job_done = seconds_now();
    progress.next = progress.began + FIRST_SECONDS;
    progress.ends = progress.has_line = false;
    progress.jobs_done = progress.jobs = 0;
    progress.note[0] = '\0';
    progress.is_on = true;
    progress_job(title);
    progress.is_on = start_thread();
}

void progress_hide(void)
{
    if (!progress.is_on)
        return;
    pthread_mutex_lock(&progress.mutex);
    erase();
    if (progress.next < seconds_now() + NEXT_SECONDS)
        progress.next = seconds_now() + NEXT_SECONDS;
    pthread_mutex_unlock(&progress.mutex);
}

void progress_end(void)
{
    if (!progress.is_on)
        return;
    pthread_mutex_lock(&progress.mutex);
    progress.ends = true;
    pthread_cond_signal(&progress.wakes);
    pthread_mutex_unlock(&progress.mutex);
    pthread_join(progress.thread, NULL);
    pthread_cond_destroy(&progress.wakes);
    erase();
    progress.is_on = false;
}

/* ---- For those who work ---------------------------------------------------------------------------- */

void progress_job(const char *title)
{
    if (!progress.is_on)
        return;
    pthread_mutex_lock(&progress.mutex);
    snprintf(progress.title, sizeof progress.title, "%s", title);
    progress.launch = progress.bytes = 0;
    progress.hint = NULL;
    atomic_store(&progress.bytes_read, 0);
    pthread_mutex_unlock(&progress.mutex);
}

void progress_jobs_done(size_t done, size_t jobs)
{
    if (!progress.is_on)
        return;
    pthread_mutex_lock(&progress.mutex);
    if (done != progress.jobs_done)
        progress.job_done = seconds_now();
    progress.jobs_done = done;
    progress.jobs = jobs;
    pthread_mutex_unlock(&progress.mutex);
}

void progress_note(const char *note)
{
    if (!progress.is_on)
        return;
    pthread_mutex_lock(&progress.mutex);
    snprintf(progress.note, sizeof progress.note, "%s", note);
    pthread_mutex_unlock(&progress.mutex);
}

void progress_launch(uint64_t number, const char *kernel, uint64_t blocks, size_t gpus)
{
    if (!progress.is_on)
        return;
    pthread_mutex_lock(&progress.mutex);
    snprintf(progress.kernel, sizeof progress.kernel, "%s", kernel);
    progress.launch = number;
    progress.launch_began = seconds_now();
    progress.blocks = blocks;
    progress.gpus = gpus;
    atomic_store(&progress.blocks_done, 0);
    pthread_mutex_unlock(&progress.mutex);
}

void progress_hint(const char *hint)
{
    if (!progress.is_on)
        return;
    pthread_mutex_lock(&progress.mutex);
    progress.hint = hint;
    pthread_mutex_unlock(&progress.mutex);
}

void progress_block_done(size_t gpus)
{
    if (progress.is_on)
        atomic_fetch_add_explicit(&progress.blocks_done, gpus, memory_order_relaxed);
}

void progress_file(uint64_t bytes)
{
    if (!progress.is_on)
        return;
    pthread_mutex_lock(&progress.mutex);
    progress.bytes = bytes;
    atomic_store(&progress.bytes_read, 0);
    pthread_mutex_unlock(&progress.mutex);
}

void progress_read(uint64_t bytes)
{
    if (progress.is_on)
        atomic_fetch_add_explicit(&progress.bytes_read, bytes, memory_order_relaxed);
}
