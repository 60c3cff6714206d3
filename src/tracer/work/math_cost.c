/* math_cost.c - how many GPU instructions a call of a function of mathematics stands for.
 *
 * The program calls the C library through a stub of its own, which jumps to where a table of addresses says.
 */
#define _GNU_SOURCE
#include "tracer/work/math_cost.h"

#include <dlfcn.h>
#include <string.h>

enum { DEFAULT_COST = 1 };

static struct {
    const char *name;
    unsigned cost;
    void *address; /* of the function; NULL: the C library has none */
} functions[] = {
#define MATH_COST(name, cost) {#name, cost, NULL},
#include "tracer/work/math_cost.def"
#undef MATH_COST
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static void find_functions(void)
{
    static int are_found;
    for (unsigned i = 0; i < FUNCTIONS && !are_found; i++)
        functions[i].address = dlsym(RTLD_DEFAULT, functions[i].name);
    are_found = 1;
}

#if defined(__x86_64__)
/* endbr64, bnd: left out where they are; then jmp *distance(%rip). */
static uintptr_t stub_target(uintptr_t stub)
{
    static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa}, jump[] = {0xff, 0x25};
    const unsigned char *at = (const unsigned char *)stub;
    int32_t distance;
    uintptr_t target;
    if (memcmp(at, endbr64, sizeof endbr64) == 0)
        at += sizeof endbr64;
    if (*at == 0xf2)
        at++;
    if (memcmp(at, jump, sizeof jump) != 0)
        return stub;
    memcpy(&distance, at + sizeof jump, sizeof distance);
    memcpy(&target, at + sizeof jump + sizeof distance + distance, sizeof target);
    return target;
}
#else
static uintptr_t stub_target(uintptr_t stub)
{
    return stub;
}
#endif

unsigned math_cost(uintptr_t function)
{
    find_functions();
    const uintptr_t target = stub_target(function);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (functions[i].address && (uintptr_t)functions[i].address == target)
            return functions[i].cost;
    return DEFAULT_COST;
}

bool math_is_mathematics(uintptr_t function)
{
    Dl_info in;
    const char *name = NULL;
    if (dladdr((const void *)stub_target(function), &in) && in.dli_fname)
        name = strrchr(in.dli_fname, '/');
    return name && strncmp(name, "/libm.", sizeof "/libm." - 1) == 0;
}
