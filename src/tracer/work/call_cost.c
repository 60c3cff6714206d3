/* call_cost.c - functions of the runtime are in sections that say what they cost. */
#include "tracer/work/call_cost.h"

#include <stddef.h>

#include "tracer/work/lag.h"
#include "tracer/work/math_cost.h"
#include "tracer/work/work.h"

/* Sections of functions whose calls have a cost of their own. A program need not have all of them. */
#define SECTIONS(X)                                                                                \
    X(cost_0, 0, false)                                                                            \
    X(cost_1, 1, false)                                                                            \
    X(cost_2, 2, false)                                                                            \
    X(arithmetic_0, 0, true)                                                                       \
    X(arithmetic_1, 1, true)                                                                       \
    X(arithmetic_2, 2, true)                                                                       \
    X(arithmetic_3, 3, true)                                                                       \
    X(arithmetic_4, 4, true)                                                                       \
    X(arithmetic_5, 5, true)                                                                       \
    X(arithmetic_7, 7, true)                                                                       \
    X(arithmetic_8, 8, true)                                                                       \
    X(arithmetic_10, 10, true)                                                                     \
    X(arithmetic_11, 11, true)                                                                     \
    X(arithmetic_12, 12, true)                                                                     \
    X(arithmetic_15, 15, true)                                                                     \
    X(arithmetic_17, 17, true)                                                                     \
    X(arithmetic_19, 19, true)                                                                     \
    X(arithmetic_23, 23, true)                                                                     \
    X(arithmetic_29, 29, true)                                                                     \
    X(arithmetic_36, 36, true)                                                                     \
    X(arithmetic_57, 57, true)
#define BOUNDS(name, cost, is_arithmetic)                                                          \
    extern const char name##_begin[] __asm__("__start_warplens_" #name) __attribute__((weak));     \
    extern const char name##_end[] __asm__("__stop_warplens_" #name) __attribute__((weak));
SECTIONS(BOUNDS)
#undef BOUNDS
static const struct section {
    const char *begin, *end;
    int cost;
    bool is_arithmetic;
} sections[] = {
#define SECTION(name, cost, is_arithmetic) {name##_begin, name##_end, cost, is_arithmetic},
    SECTIONS(SECTION)
#undef SECTION
};

static const struct section *section_of(uintptr_t function)
{
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (function - (uintptr_t)sections[i].begin <
            (uintptr_t)sections[i].end - (uintptr_t)sections[i].begin)
            return &sections[i];
    return NULL;
}

bool call_is_arithmetic(uintptr_t function)
{
    const struct section *section = section_of(function);
    return section && section->is_arithmetic;
}

int call_cost(uintptr_t function)
{
    const struct section *section = section_of(function);
    return section ? section->cost : -1;
}

unsigned call_cost_of_other(uintptr_t function)
{
    const uintptr_t room = work_table.slot_count * WORK_SLOT_BYTES;
    return function - work_table.code_begin < room ? math_cost(function) : 1;
}

unsigned call_lag(uintptr_t function)
{
    return section_of(function) == NULL && call_cost_of_other(function) > 1 ? LAG_FUNCTION : 0;
}
