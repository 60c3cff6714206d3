/* async_copy_pieces.c - past the L1: the pieces in which data go from the crossbar to shared memory.
 *
 * A 32-byte sector of the source goes to one of shared memory, straight or with its halves of 16 bytes swapped, all of it or
 * one half. Sectors of one source line that go to one line of shared memory in the same manner are one piece if a symmetry
 * of the square does it: sector s goes to c + s, or to c - s, modulo 4. First fit, in the order of the lanes.
 */
#include "sim/rules/async_copy.h"
#include "sim/rules/lanes.h"

/* A sector on its way. */
struct move {
    uint64_t from, to; /* sector numbers */
    bool swapped;
    uint8_t halves; /* of the destination that are written: bits */
};

struct piece {
    uint64_t from, to; /* line numbers */
    bool swapped;
    uint8_t halves;
    uint8_t symmetries; /* that are left: bit c is s to c + s, bit 4 + c is s to c - s */
    uint8_t sectors;    /* of the source line: bits */
};

/* Of lanes with the same destination the first counts. */
static bool is_hidden(const struct warp_access *a, uint32_t lane, bool zeros_hide)
{
    for (uint32_t left = a->active & ((1U << lane) - 1); left != 0; left &= left - 1) {
        const uint32_t earlier = lanes_lowest(left);
        if (a->copy->to[earlier] == a->copy->to[lane] && (zeros_hide || a->copy->bytes[earlier]))
            return true;
    }
    return false;
}

static struct move move_of(const struct warp_access *a, uint32_t lane)
{
    const uint64_t from = access_addr(a, lane), to = a->copy->to[lane];
    return (struct move){.from = from >> SECTOR_LOG2,
                         .to = to >> SECTOR_LOG2,
                         .swapped = ((to ^ from) & 16) != 0,
                         .halves = (uint8_t)(1U << (to >> 4 & 1))};
}

static uint32_t find_moves(const struct warp_access *a, bool zeros_hide,
                           struct move moves[WARP_LANES])
{
    uint32_t count = 0;
    for (uint32_t left = a->active; left != 0; left &= left - 1) {
        const uint32_t lane = lanes_lowest(left);
        const struct move m = move_of(a, lane);
        uint32_t i = 0;
        if (a->copy->bytes[lane] == 0 || is_hidden(a, lane, zeros_hide))
            continue;
        while (i < count &&
               (moves[i].from != m.from || moves[i].to != m.to || moves[i].swapped != m.swapped))
            i++;
        if (i == count)
            moves[count++] = m;
        else
            moves[i].halves |= m.halves;
    }
    return count;
}

static struct piece piece_of(const struct move *m)
{
    const uint32_t s = m->from & 3, to = m->to & 3;
    return (struct piece){
        .from = m->from >> 2,
        .to = m->to >> 2,
        .swapped = m->swapped,
        .halves = m->halves,
        .symmetries = (uint8_t)(1U << ((to - s) & 3) | 16U << ((to + s) & 3)),
        .sectors = (uint8_t)(1U << s),
    };
}

static bool may_join(const struct piece *piece, const struct piece *more)
{
    return piece->from == more->from && piece->to == more->to && piece->swapped == more->swapped &&
           piece->halves == more->halves && (piece->symmetries & more->symmetries) &&
           !(piece->sectors & more->sectors);
}

static void find_pieces(const struct move *moves, uint32_t move_count,
                        struct async_copy_pieces *out)
{
    struct piece pieces[WARP_LANES];
    out->count = 0;
    for (uint32_t m = 0; m < move_count; m++) {
        const struct piece more = piece_of(&moves[m]);
        uint32_t i = 0;
        while (i < out->count && !may_join(&pieces[i], &more))
            i++;
        if (i == out->count) {
            pieces[out->count++] = more;
        } else {
            pieces[i].symmetries &= more.symmetries;
            pieces[i].sectors |= more.sectors;
        }
    }
    for (uint32_t i = 0; i < out->count; i++) {
        out->line[i] = pieces[i].from;
        out->in_line[i] = pieces[i].sectors;
    }
}

void async_copy_find_pieces(const struct warp_access *a, bool zeros_hide,
                            struct async_copy_pieces *out)
{
    struct move moves[WARP_LANES];
    out->sectors = find_moves(a, zeros_hide, moves);
    out->halves = 0;
    for (uint32_t i = 0; i < out->sectors; i++)
        out->halves += moves[i].halves == 3 ? 2 : 1;
    find_pieces(moves, out->sectors, out);
}
