/* fault_points.c - blocks are kept in a list that a mutex guards, since sessions have threads. */
#include "fault_points.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS_MAX = 1 << 14 };

static struct {
    pthread_mutex_t mutex;
    bool on, failed, no_threads;
    uint64_t left; /* calls until the one that fails; 0: none does */
    void *blocks[BLOCKS_MAX];
    size_t count;
} faults = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t each);
void *__real_realloc(void *block, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *block);
FILE *__real_tmpfile(void);
FILE *__real_open_memstream(char **text, size_t *bytes);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *context);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t each);
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *block);
char *__wrap_strdup(const char *text);
FILE *__wrap_tmpfile(void);
FILE *__wrap_open_memstream(char **text, size_t *bytes);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *context);

void faults_begin(uint64_t failing)
{
    faults.on = true;
    faults.failed = false;
    faults.left = failing;
    faults.count = 0;
}

bool faults_end(void)
{
    faults.on = false;
    return faults.failed;
}

size_t faults_blocks_left(void)
{
    return faults.count;
}

void faults_refuse_threads(bool refuse)
{
    faults.no_threads = refuse;
}

/* Whether this call is the one. */
static bool fails(void)
{
    pthread_mutex_lock(&faults.mutex);
    bool now = faults.on && faults.left && --faults.left == 0;
    faults.failed |= now;
    pthread_mutex_unlock(&faults.mutex);
    if (now)
        errno = ENOMEM;
    return now;
}

static void *keep(void *block)
{
    pthread_mutex_lock(&faults.mutex);
    if (block && faults.on && faults.count < BLOCKS_MAX)
        faults.blocks[faults.count++] = block;
    pthread_mutex_unlock(&faults.mutex);
    return block;
}

/* Blocks of before the beginning, and of the C library, are not in the list. */
static void forget(const void *block)
{
    pthread_mutex_lock(&faults.mutex);
    for (size_t i = faults.count; block && i-- > 0;)
        if (faults.blocks[i] == block) {
            faults.blocks[i] = faults.blocks[--faults.count];
            break;
        }
    pthread_mutex_unlock(&faults.mutex);
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : keep(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t each)
{
    return fails() ? NULL : keep(__real_calloc(count, each));
}

void *__wrap_realloc(void *block, size_t bytes)
{
    if (fails())
        return NULL;
    forget(block);
    return keep(__real_realloc(block, bytes));
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : keep(__real_aligned_alloc(alignment, bytes));
}

void __wrap_free(void *block)
{
    forget(block);
    __real_free(block);
}

char *__wrap_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = __wrap_malloc(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

FILE *__wrap_tmpfile(void)
{
    return fails() ? NULL : __real_tmpfile();
}

FILE *__wrap_open_memstream(char **text, size_t *bytes)
{
    return fails() ? NULL : __real_open_memstream(text, bytes);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *context)
{
    return faults.no_threads ? EAGAIN : __real_pthread_create(thread, attributes, run, context);
}
