/* bulk_copy.c - see bulk_copy.h; validation/fragments/rules/bulk.py and tensor.py have the same, slowly. */
#include "sim/rules/bulk_copy.h"

#include "sim/rules/lanes.h"
#include "sim/rules/sectors.h"

enum { HALF_LOG2 = 4, BANK_WORD_BYTES = 4, UPPER = 2, LOWER = 1, WANTED = 4 };

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* The parts that count: of a load all of a row of which any is inside, else of a row as if it went to an aligned place; of a store what
 * is inside. */
static void begin_row(struct bulk_pieces *p)
{
    const struct bulk_copy *c = p->copy;
    const int64_t element = c->element, bytes = (int64_t)c->box[0] * element;
    int64_t offset = c->at[0] * element;
    p->inside = true;
    for (unsigned d = 1; d < c->rank; d++) {
        const int64_t place = (int64_t)c->at[d] + p->at[d];
        p->inside &= place >= 0 && place < (int64_t)c->size[d];
        offset += place * (int64_t)c->pitch[d];
    }
    const int64_t left = ((int64_t)c->size[0] - c->at[0]) * element;
    const int64_t begins = c->at[0] < 0 ? -c->at[0] * element : 0,
                  ends = left < bytes ? left : bytes;
    p->inside &= begins < ends;
    p->global = p->base + (uint64_t)offset;
    p->shared = c->shared + p->row * (c->swizzle ? c->swizzle : (uint64_t)bytes);
    p->first = p->loads || !p->inside ? 0 : (uint32_t)begins;
    p->end = p->loads ? (uint32_t)bytes : p->inside ? (uint32_t)ends : 0;
    p->done = p->first;
}

static void next_row(struct bulk_pieces *p)
{
    unsigned d = 1;
    for (; d < p->copy->rank && ++p->at[d] == p->copy->box[d]; d++)
        p->at[d] = 0;
    p->has_row = d < p->copy->rank;
    p->row++;
    if (p->has_row)
        begin_row(p);
}

void bulk_pieces_start(struct bulk_pieces *pieces, const struct warp_access *a)
{
    *pieces = (struct bulk_pieces){.copy = a->bulk,
                                   .loads = a->op == OP_LOAD,
                                   .base = access_addr(a, lanes_lowest(a->active)),
                                   .has_row = true};
    begin_row(pieces);
}

bool bulk_pieces_next(struct bulk_pieces *p, struct bulk_piece *piece)
{
    while (p->has_row && p->done >= p->end)
        next_row(p);
    if (!p->has_row)
        return false;
    const bool outside = !p->inside;
    const uint64_t shared = outside ? p->done : p->shared + p->done;
    const uint32_t room = LINE_BYTES - (uint32_t)(shared % LINE_BYTES), left = p->end - p->done;
    *piece = (struct bulk_piece){.global = outside ? p->done : p->global + p->done,
                                 .shared = shared,
                                 .bytes = left < room ? left : room,
                                 .is_outside = outside};
    p->done += piece->bytes;
    return true;
}

/* ---- Counts ---------------------------------------------------------------------------------------- */

static uint64_t spanned(const struct bulk_piece *piece, unsigned log2)
{
    return ((piece->global + piece->bytes - 1) >> log2) - (piece->global >> log2) + 1;
}

/* Sectors of one line that are wanted alike (whole, the lower half, the upper half) are a request. */
static uint64_t read_requests(const struct bulk_piece *piece)
{
    const uint64_t first = piece->global >> HALF_LOG2,
                   last = (piece->global + piece->bytes - 1) >> HALF_LOG2;
    uint64_t requests = 0, line = UINT64_MAX;
    uint32_t seen = 0;
    for (uint64_t sector = first / 2; sector <= last / 2; sector++) {
        const uint32_t wanted =
            (2 * sector >= first ? LOWER : 0U) | (2 * sector + 1 <= last ? UPPER : 0U);
        if (sector / LINE_SECTORS != line)
            seen = 0;
        line = sector / LINE_SECTORS;
        requests += !(seen >> wanted & 1);
        seen |= 1U << wanted;
    }
    return requests;
}

struct bulk_counts bulk_copy_count(const struct warp_access *a)
{
    const bool loads = a->op == OP_LOAD;
    struct bulk_counts n = {0};
    struct bulk_pieces pieces;
    struct bulk_piece piece;
    bulk_pieces_start(&pieces, a);
    while (bulk_pieces_next(&pieces, &piece)) {
        n.sectors += spanned(&piece, SECTOR_LOG2);
        n.requests += loads ? read_requests(&piece) : spanned(&piece, LINE_LOG2);
        n.bank_words += piece.bytes;
        n.bytes += piece.is_outside ? 0 : piece.bytes;
    }
    n.bank_words /= BANK_WORD_BYTES;
    n.ideal_sectors = (n.bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    return n;
}

uint64_t bulk_copy_bytes(const struct bulk_copy *copy)
{
    uint64_t bytes = copy->element;
    for (unsigned d = 0; d < copy->rank; d++)
        bytes *= copy->box[d];
    return bytes;
}
