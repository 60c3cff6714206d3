/* unroll_factors.c - looks up what the program says of its loops. */
#include "tracer/waits/unroll_factors.h"

#include <string.h>

unsigned unroll_factors_find(struct lineinfo_line jump)
{
    for (const struct wl_unroll *u = __start_wl_unrolls; jump.file && u != __stop_wl_unrolls; u++)
        if (jump.line >= u->first && jump.line <= u->last && strcmp(jump.file, u->file) == 0)
            return (unsigned)u->times;
    return 0;
}
