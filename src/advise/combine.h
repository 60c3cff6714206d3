/* combine.h - a sink in front of a sink, in which atomics come together before they are done.
 *
 * MAP_WARP_SUM: of the lanes of an access that want one word the first stays; adding up takes WARP_SUM_WORK
 * instructions a word. MAP_BLOCK_SUM: a block has the object's words in shared memory. They are set to 0 at its
 * beginning, atomics go to them, and at its end they are added to the object, each by one atomic.
 */
#ifndef WARPLENS_ADVISE_COMBINE_H
#define WARPLENS_ADVISE_COMBINE_H

#include "advise/change.h"
#include "stream/filter.h"

enum { WARP_SUM_WORK = 12 }; /* five shuffles and additions; who is first */

struct combine {
    struct trace_filter filter; /* first: the context of its functions */
    const struct change *change;
    const struct observed *observed; /* of the run that comes in */
    uint32_t first_site;             /* of the copies' own accesses, three a copy */
    uint32_t threads;                /* a block */
    uint64_t first_copy;             /* where copies begin in shared memory */
    uint64_t copy_bytes;             /* of all copies in the current launch; 0: there are none */
    const char *kernel;              /* the launch's */
    bool is_announced, in_block;
};

/* Whether the change has atomics to be combined. */
bool combine_is_due(const struct change *change);

void combine_start(struct combine *combine, const struct change *change,
                   const struct observed *observed, const struct trace_sink *next);
struct trace_sink combine_sink(struct combine *combine);

#endif
