/* promise.h - a sink that aborts when a stream breaks a promise of stream/stream.h or stream/guard.h.
 * Written from those headers alone, so that a mistake of the guard is not made twice.
 */
#ifndef WARPLENS_TESTS_FUZZ_PROMISE_H
#define WARPLENS_TESTS_FUZZ_PROMISE_H

#include "stream/limits.h"

enum { PROMISE_CALLS = 20000 }; /* it wants no more than so many */

struct promise {
    const struct trace_sink *next; /* gets everything too; NULL: nobody */
    uint64_t hash;                 /* of all calls with all their fields */
    uint64_t calls, accesses, launches;
    bool stopped; /* it, or the next sink, wanted no more */
    struct trace_site *sites;
    uint32_t site_count, site_room;
    bool in_launch, in_block, ended[BLOCK_WARPS_MAX];
    uint64_t blocks, next_block;
    uint32_t threads;
};

void promise_start(struct promise *promise, const struct trace_sink *next);
void promise_free(struct promise *promise);
struct trace_sink promise_sink(struct promise *promise);

#endif
