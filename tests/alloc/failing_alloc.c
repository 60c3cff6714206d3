/* failing_alloc.c - to be preloaded: allocations are counted by their call stack, and those of one stack fail.
 *
 * The environment says what to do; it is taken away at once, so that a compiler or a user's program, started from
 * here, runs as ever. A forked process of warplens itself shares the counts.
 *   ALLOC_TABLE  a file of zeros, as large as struct table: stacks are noted there, as alloc_failures.py reads them
 *   ALLOC_STACK  the stack that is to fail, its key in hex; 0 or none: nothing fails
 *   ALLOC_CALL   which of its calls, from 1
 *   ALLOC_LATER  "ever": from then on every allocation fails; else that one alone
 * A key is of offsets within executable and libraries, so that it is the same in every run.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FRAMES = 30, STACKS = 1 << 13, MODULES = 16 };

struct stack {
    _Atomic uint64_t key, calls; /* key 0: a free place */
    uint64_t frames
        [FRAMES]; /* from failing_alloc.c outwards: the module's number << 48 | offset; 0: no more */
};

struct table {
    _Atomic uint64_t failed, lost; /* calls that failed; calls of stacks that found no place */
    struct stack stacks[STACKS];
};

static struct {
    struct table *table;
    uint64_t stack, call;
    bool is_for_ever;
    struct {
        uintptr_t begin, end;
    } modules[MODULES];
    size_t module_count;
} setup;

/* backtrace() may not count what it allocates itself. */
static _Thread_local bool is_inside __attribute__((tls_model("initial-exec")));

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t each);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static int note_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    uintptr_t end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz > end)
            end = info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (setup.module_count < MODULES && end) {
        setup.modules[setup.module_count].begin = info->dlpi_addr;
        setup.modules[setup.module_count++].end = info->dlpi_addr + end;
    }
    return 0;
}

static uint64_t place_of(const void *address)
{
    const uintptr_t a = (uintptr_t)address;
    for (size_t i = 0; i < setup.module_count; i++)
        if (a >= setup.modules[i].begin && a < setup.modules[i].end)
            return (uint64_t)(i + 1) << 48 | (a - setup.modules[i].begin);
    return (uint64_t)1 << 63; /* code that was made at run time */
}

/* A compiler driver and a program start with the environment that is left. */
__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("ALLOC_TABLE"), *stack = getenv("ALLOC_STACK");
    const char *call = getenv("ALLOC_CALL"), *later = getenv("ALLOC_LATER");
    const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *frames[2],
        *memory = mmap(NULL, sizeof(struct table), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    setup.stack = stack ? strtoull(stack, NULL, 16) : 0;
    setup.call = call ? strtoull(call, NULL, 10) : 0;
    setup.is_for_ever = later && strcmp(later, "ever") == 0;
    unsetenv("LD_PRELOAD");
    unsetenv("ALLOC_TABLE");
    unsetenv("ALLOC_STACK");
    unsetenv("ALLOC_CALL");
    unsetenv("ALLOC_LATER");
    dl_iterate_phdr(note_module, NULL);
    backtrace(frames, 2); /* its first call loads a library */
    if (memory != MAP_FAILED)
        setup.table = memory;
}

static uint64_t mix(uint64_t key, uint64_t value)
{
    key = (key ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

/* The place of a stack, which is noted when it is new. NULL: the table is full. */
static struct stack *find(uint64_t key, const uint64_t *frames)
{
    for (uint64_t i = 0; i < STACKS; i++) {
        struct stack *s = &setup.table->stacks[(key + i) % STACKS];
        uint64_t was = 0;
        if (atomic_compare_exchange_strong(&s->key, &was, key)) {
            memcpy(s->frames, frames, sizeof s->frames);
            return s;
        }
        if (was == key)
            return s;
    }
    atomic_fetch_add(&setup.table->lost, 1);
    return NULL;
}

static bool is_the_one(void)
{
    void *at[FRAMES];
    uint64_t frames[FRAMES] = {0}, key = 1;
    const int depth = backtrace(at, FRAMES);
    for (int i = 0; i < depth; i++)
        key = mix(key, frames[i] = place_of(at[i]));
    struct stack *s = find(key, frames);
    const uint64_t call = s ? atomic_fetch_add(&s->calls, 1) + 1 : 0;
    return s && key == setup.stack && call == setup.call;
}

/* Whether this allocation fails. */
__attribute__((noinline)) static bool fails(void)
{
    if (setup.table == NULL || is_inside)
        return false;
    is_inside = true;
    const bool now = (setup.is_for_ever && atomic_load(&setup.table->failed)) || is_the_one();
    is_inside = false;
    if (now) {
        atomic_fetch_add(&setup.table->failed, 1);
        errno = ENOMEM;
    }
    return now;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t each)
{
    return fails() ? NULL : __libc_calloc(count, each);
}

void *realloc(void *block, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(block, bytes);
}

void *reallocarray(void *block, size_t count, size_t each)
{
    const bool fits = each == 0 || count <= SIZE_MAX / each;
    return fails() || !fits ? NULL : __libc_realloc(block, count * each);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes);
void *memalign(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    void *memory = fails() ? NULL : __libc_memalign(alignment, bytes);
    if (memory)
        *block = memory;
    return memory ? 0 : ENOMEM;
}

/* What the C library maps for itself does not come through here. */
void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (fails())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
}
