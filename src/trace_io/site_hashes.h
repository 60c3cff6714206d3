/* site_hashes.h - numbers for the places in a kernel that a trace file names.
 *
 * A site is told apart by a 64-bit hash of what it is, so that the table's memory is bounded; two
 * sites with one hash, which nobody meets by chance, would be counted together.
 */
#ifndef WARPLENS_TRACE_IO_SITE_HASHES_H
#define WARPLENS_TRACE_IO_SITE_HASHES_H

#include "stream/input.h"
#include "stream/stream.h"

enum { SITE_HASHES_MAX = 1 << 14 };

struct site_hashes {
    uint64_t *hashes; /* 2 * SITE_HASHES_MAX; 0: empty */
    uint32_t *numbers;
    uint32_t count;
};

bool site_hashes_start(struct site_hashes *table);
void site_hashes_free(struct site_hashes *table);

/* The number of a site, which the sink hears of when it is new. False with a message, or without
 * one when the sink wants no more. */
bool site_hashes_find(struct site_hashes *table, struct trace_input *input,
                      const struct trace_sink *sink, const struct trace_site *site,
                      uint32_t *number);

#endif
