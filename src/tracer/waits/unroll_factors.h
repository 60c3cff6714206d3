/* unroll_factors.h - how often a program's loops are to be unrolled, by its #pragma unroll N. */
#ifndef WARPLENS_TRACER_UNROLL_FACTORS_H
#define WARPLENS_TRACER_UNROLL_FACTORS_H

#include <assert.h>

#include "machine_code/lineinfo.h"

/* Of one directive: a static variable that src/cu/unroll_factors.c writes behind the program's text, all of them in one section, at
 * multiples of what one takes: compilers align variables as they like else. A program without them has neither end of the section. */
struct wl_unroll {
    const char *file; /* without folders */
    unsigned long first,
        last; /* lines of the loop's condition: a for's parentheses, those behind a while */
    unsigned long times; /* 1 or more */
};
static_assert(sizeof(struct wl_unroll) == 32, "unroll_factors.c aligns them by it");
extern const struct wl_unroll __start_wl_unrolls[] __attribute__((weak));
extern const struct wl_unroll __stop_wl_unrolls[] __attribute__((weak));

/* `jump`: the line of a loop's jump back. 0: nothing is said of the loop. */
unsigned unroll_factors_find(struct lineinfo_line jump);

#endif
