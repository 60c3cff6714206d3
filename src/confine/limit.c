/* limit.c - the table of limits, and what the kernel is told of them. */
#define _DEFAULT_SOURCE
#include "confine/limit.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static const struct limit {
    const char *name, *what;
    size_t at; /* of the int64_t in struct confinement */
    int64_t usual, from, to;
} limits[] = {
#define LIMIT(name, field, usual, from, to, what)                                                  \
    {name, what, offsetof(struct confinement, field), usual, from, to},
#include "confine/limits.def"
#undef LIMIT
};
enum { LIMIT_COUNT = sizeof limits / sizeof limits[0] };

static int64_t *value_of(struct confinement *how, const struct limit *limit)
{
    return (int64_t *)(void *)((char *)how + limit->at);
}

struct confinement confinement_usual(void)
{
    struct confinement how = {0};
    for (size_t i = 0; i < LIMIT_COUNT; i++)
        *value_of(&how, &limits[i]) = limits[i].usual;
    return how;
}

const char *confinement_set_limit(struct confinement *how, const char *name, int64_t value)
{
    static char allowed[256];
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        const struct limit *limit = &limits[i];
        if (strcmp(limit->name, name) != 0)
            continue;
        *value_of(how, limit) = value;
        snprintf(allowed, sizeof allowed, "%lld to %lld (%s)", (long long)limit->from,
                 (long long)limit->to, limit->what);
        return value >= limit->from && value <= limit->to ? NULL : allowed;
    }
    return "read=PATH, memory=SIZE, seconds=N or disk=SIZE";
}

bool limits_enter(const struct confinement *how)
{
    enum { FILES = 256 };
    const struct {
        int resource;
        rlim_t soft, hard;
    } rows[] = {
        {RLIMIT_AS, (rlim_t)how->memory_bytes, (rlim_t)how->memory_bytes},
        {RLIMIT_CPU, (rlim_t)how->cpu_s, (rlim_t)how->cpu_s + 1}, /* SIGXCPU, then SIGKILL */
        {RLIMIT_FSIZE, (rlim_t)how->disk_bytes, (rlim_t)how->disk_bytes},
        {RLIMIT_NOFILE, FILES, FILES},
        {RLIMIT_CORE, 0, 0},
        {RLIMIT_MEMLOCK, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rlimit now, limit = {rows[i].soft, rows[i].hard};
        if (getrlimit(rows[i].resource, &now) != 0)
            return false;
        limit.rlim_max = limit.rlim_max < now.rlim_max ? limit.rlim_max : now.rlim_max;
        limit.rlim_cur = limit.rlim_cur < limit.rlim_max ? limit.rlim_cur : limit.rlim_max;
        if (setrlimit(rows[i].resource, &limit) != 0)
            return false;
    }
    return true;
}

const char *confine_explain(const struct confinement *how, int status, double cpu_s,
                            bool filled_folder)
{
    static char text[256];
    const double mib = 1 << 20;
    if (filled_folder || status == 128 + SIGXFSZ)
        snprintf(text, sizeof text,
                 "it wrote more than %.0f MB of files (--allow disk=SIZE allows more)",
                 (double)how->disk_bytes / mib);
    else if (status == 128 + SIGXCPU || (status == 128 + SIGKILL && cpu_s >= (double)how->cpu_s))
        snprintf(text, sizeof text,
                 "it took more than %lld s of processor time (--allow seconds=N allows more)",
                 (long long)how->cpu_s);
    else if (status == 128 + SIGSYS)
        snprintf(text, sizeof text,
                 "it tried what confinement does not allow (docs/confinement.md)");
    else
        return NULL;
    return text;
}
