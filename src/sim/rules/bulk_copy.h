/* bulk_copy.h - bulk copies (cp.async.bulk, TMA): what one of them counts, and the pieces in which it goes.
 *
 * A box of a tensor is copied row by row; a row is cut at the 128-byte lines of shared memory, and every piece counts by itself. Found in,
 * and held to, what an H200 and an H100 count (validation/fragments, 3 and 4; docs/model.md, 7.2).
 */
#ifndef WARPLENS_SIM_RULES_BULK_COPY_H
#define WARPLENS_SIM_RULES_BULK_COPY_H

#include "sim/rules/access.h"

struct bulk_counts {
    uint64_t sectors;       /* 32 bytes, of global memory */
    uint64_t requests;      /* to L2 */
    uint64_t bank_words;    /* 4 bytes: written by a load, read by a store or a reduction */
    uint64_t bytes;         /* that lie inside the tensor */
    uint64_t ideal_sectors; /* of as many bytes in one piece that is aligned */
};

/* Of the access's bulk copy. */
struct bulk_counts bulk_copy_count(const struct warp_access *access);

/* Bytes that come to a load's barrier. */
uint64_t bulk_copy_bytes(const struct bulk_copy *copy);

/* A copy's pieces, one after another: within a line of shared memory, and of one row. */
struct bulk_pieces {
    const struct bulk_copy *copy;
    bool loads;
    uint64_t base;               /* of the tensor, in global memory */
    uint64_t row;                /* how many rows lie before this one */
    uint32_t at[BULK_RANK_MAX];  /* the row's place in the box */
    uint64_t global, shared;     /* where the row begins */
    uint32_t bytes, first, done; /* of the row: all, those in front of what counts, those given */
    uint32_t end;
    bool inside, has_row;
};
struct bulk_piece {
    uint64_t global, shared;
    uint32_t bytes;  /* 1 to 128 */
    bool is_outside; /* of a row that lies outside the tensor, whose place is none */
};
void bulk_pieces_start(struct bulk_pieces *pieces, const struct warp_access *access);
/* False when there are no more. */
bool bulk_pieces_next(struct bulk_pieces *pieces, struct bulk_piece *piece);

#endif
