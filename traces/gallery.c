/* gallery.c - what the gallery's host code shares: parameters, test data, comparison of results. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "gallery.h"
#include "gallery_list.h"
#include "tracer/tracer.h"

long long gallery_int64(const struct gallery_args *args, const char *name)
{
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && args->params[i].name; i++)
        if (strcmp(args->params[i].name, name) == 0)
            return args->values[i];
    fprintf(stderr, "warplens: a gallery kernel asks for a parameter \"%s\" it does not declare\n",
            name);
    abort();
}

int gallery_int(const struct gallery_args *args, const char *name)
{
    return (int)gallery_int64(args, name);
}

/* 0 to 15, without a pattern that a wrong index could reproduce. */
static unsigned fill_value(size_t i, uint64_t seed)
{
    uint64_t x = ((uint64_t)i + seed) * 0x9e3779b97f4a7c15ULL;
    x ^= x >> 32;
    return (unsigned)(x * 0x9e3779b97f4a7c15ULL >> 60);
}

static uint64_t name_seed(const char *name)
{
    uint64_t seed = 0;
    while (*name)
        seed = seed * 31 + (unsigned char)*name++;
    return seed;
}

#define FILL(type)                                                                                 \
    void gallery_fill_##type(type *p, size_t n, const char *name)                                  \
    {                                                                                              \
        uint64_t seed = name_seed(name);                                                           \
        for (size_t i = 0; i < n; i++)                                                             \
            p[i] = (type)fill_value(i, seed);                                                      \
    }
FILL(char)
FILL(short)
FILL(int)
FILL(float)
FILL(double)

/* A kernel's host code has no way to hand a failure up: without memory it is left as it is. */
#ifdef __CUDACC__
#define GIVE_UP() (fputs("no memory for host data\n", stderr), exit(1))
#else
static jmp_buf way_out;

void gallery_run_kernel(const struct gallery_kernel *kernel, const struct gallery_args *args)
{
    if (setjmp(way_out) == 0)
        kernel->run(args);
}
#define GIVE_UP() longjmp(way_out, 1)
#endif

void *gallery_host(size_t bytes)
{
    void *p = calloc(bytes ? bytes : 1, 1);
    if (p == NULL) {
        tracer_fail("no memory for %zu bytes of host data", bytes);
        GIVE_UP();
    }
    return p;
}

int gallery_require(int possible, const char *message)
{
    if (!possible)
        tracer_fail("impossible parameters: %s", message);
    return possible;
}

int gallery_whole_blocks(int n, int block)
{
    if (n >= block && n % block == 0)
        return 1;
    tracer_fail("impossible parameters: n=%d is no multiple of block=%d", n, block);
    return 0;
}

/* One value: its bytes, and what they are as a number. */
static void put_value(char *text, size_t text_bytes, const unsigned char *p, size_t bytes)
{
    size_t used = (size_t)snprintf(text, text_bytes, "0x");
    for (size_t k = bytes; k-- > 0 && used + 3 < text_bytes;)
        used += (size_t)snprintf(text + used, text_bytes - used, "%02x", p[k]);
    if (bytes == 4) {
        int32_t i;
        float f;
        memcpy(&i, p, 4);
        memcpy(&f, p, 4);
        snprintf(text + used, text_bytes - used, " (int %d, float %g)", (int)i, (double)f);
    } else if (bytes == 8) {
        double d;
        memcpy(&d, p, 8);
        snprintf(text + used, text_bytes - used, " (double %g)", d);
    }
}

/* Device memory as the host can read it. */
#ifdef __CUDACC__
static const char *host_copy(const void *device, size_t bytes)
{
    void *copy = gallery_host(bytes);
    cudaMemcpy(copy, device, bytes, cudaMemcpyDefault);
    return (const char *)copy;
}
#define done_with(copy) free((void *)(copy))
#else
#define host_copy(device, bytes) ((const char *)(device))
#define done_with(copy) ((void)0)
#endif

static void fail_at_first_difference(const char *name, const char *got, const char *want,
                                     size_t element_bytes)
{
    size_t i = 0;
    while (memcmp(got + i * element_bytes, want + i * element_bytes, element_bytes) == 0)
        i++;
    char is[96], should_be[96];
    put_value(is, sizeof is, (const unsigned char *)got + i * element_bytes, element_bytes);
    put_value(should_be, sizeof should_be, (const unsigned char *)want + i * element_bytes,
              element_bytes);
    tracer_fail("wrong result: element %zu of the checked part of %s is %s, expected %s", i, name,
                is, should_be);
}

void gallery_check(const char *name, const void *device, const void *expected, size_t elements,
                   size_t element_bytes)
{
    if (tracer_error())
        return;
    const char *got = host_copy(device, elements * element_bytes);
    if (memcmp(got, expected, elements * element_bytes) != 0)
        fail_at_first_difference(name, got, (const char *)expected, element_bytes);
    done_with(got);
}

const struct gallery_kernel *gallery_find(const char *name)
{
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++)
            if (strcmp(gallery_topics[t]->kernels[i].name, name) == 0)
                return &gallery_topics[t]->kernels[i];
    return NULL;
}
