/* gallery.c - what the gallery's host code shares: parameters, test data, comparison of results. */
#include <stdio.h>
#include <string.h>

#include "gallery.h"
#include "trace/tracer.h"

int gallery_int(const struct gallery_args *args, const char *name)
{
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && args->params[i].name; i++)
        if (strcmp(args->params[i].name, name) == 0)
            return (int)args->values[i];
    fprintf(stderr, "warplens: a gallery kernel asks for a parameter \"%s\" it does not declare\n",
            name);
    abort();
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

void *gallery_host(size_t bytes)
{
    void *p = calloc(bytes ? bytes : 1, 1);
    if (p == NULL) {
        fprintf(stderr, "warplens: no memory for %zu bytes of host data\n", bytes);
        exit(1);
    }
    return p;
}

int gallery_require(int possible, const char *message)
{
    if (!possible)
        tracer_fail("impossible parameters: %s", message);
    return possible;
}

void gallery_check(const char *name, const void *device, const void *expected, size_t elements,
                   size_t element_bytes)
{
    if (tracer_error())
        return;
    const char *got = (const char *)device, *want = (const char *)expected;
    if (memcmp(got, want, elements * element_bytes) == 0)
        return;
    size_t i = 0;
    while (memcmp(got + i * element_bytes, want + i * element_bytes, element_bytes) == 0)
        i++;
    char text[128];
    int used = 0;
    const unsigned char *a = (const unsigned char *)got + i * element_bytes;
    const unsigned char *b = (const unsigned char *)want + i * element_bytes;
    for (size_t k = element_bytes; k-- > 0 && used < 40;)
        used += snprintf(text + used, sizeof text - (size_t)used, "%02x", a[k]);
    used += snprintf(text + used, sizeof text - (size_t)used, ", expected ");
    for (size_t k = element_bytes; k-- > 0 && used < 100;)
        used += snprintf(text + used, sizeof text - (size_t)used, "%02x", b[k]);
    tracer_fail("wrong result: element %zu of the checked part of %s is 0x%s", i, name, text);
}
