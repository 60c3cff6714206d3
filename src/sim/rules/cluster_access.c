/* cluster_access.c - see cluster_access.h; validation/fragments/rules/cluster.py and bulk.py have the same, slowly.
 *
 * An access goes through the tag stage of the L1 by the lines of shared memory, as one of global memory does by its own (l1stage.h).
 * Shared memory of a kernel begins behind what the system keeps of a block, 1024 bytes, on which the tag banks of lines depend.
 *
 * Modelling decisions:
 * - A line has one entry. Of st.async and red.async an entry has an address once: a lane joins the first entry of its line that does not
 *   hold its address and is among the last 8 wavefronts of its bank, or opens one in the bank's next wavefront.
 * - Lines of different blocks are different lines, in tag banks of their own addresses: of seven patterns with several blocks that an
 *   H100 counted all are equal (tests/test_cluster_accesses.c).
 * - An atomic is asked and answered. Whether `red` is answered was not measured: it counts as atom does.
 * - Words of 1 and 2 bytes were not measured: they take the 4 bytes that they lie in.
 */
#include "sim/rules/cluster_access.h"

#include "sim/rules/bulk_copy.h"
#include "sim/rules/coalesce.h"
#include "sim/rules/l1stage.h"
#include "sim/rules/lanes.h"
#include "sim/rules/sectors.h"
#include "sim/rules/tag_stage.h"

enum {
    SYSTEM_BYTES = 1024,
    RANK_LINE_BIT = 24 - LINE_LOG2,
    WINDOW = 8,
    BANKS = 32,
    BANK_LOG2 = 2,
    GROUP_BYTES = 128
};

/* Lanes that go through the tags together. */
struct entry {
    uint64_t line;
    uint32_t bank, wavefront, lanes;
};
struct entries {
    const struct warp_access *access;
    bool once;
    uint32_t count, used[TAG_BANKS];
    struct entry of[WARP_LANES];
};

static uint64_t address_of(const struct warp_access *a, unsigned lane)
{
    return access_addr(a, lane) + SYSTEM_BYTES;
}

static bool holds(const struct entries *e, const struct entry *entry, unsigned lane)
{
    for (uint32_t left = entry->lanes; left; left &= left - 1)
        if (access_addr(e->access, lanes_lowest(left)) == access_addr(e->access, lane))
            return true;
    return false;
}

static bool takes(const struct entries *e, const struct entry *entry, uint64_t line, unsigned lane)
{
    return entry->line == line && (!e->once || (e->used[entry->bank] - entry->wavefront <= WINDOW &&
                                                !holds(e, entry, lane)));
}

/* The rank is in bits 24 and up of the hardware's address. */
static uint32_t tag_bank(uint64_t line)
{
    const uint64_t lines = CLUSTER_BLOCK_BYTES / LINE_BYTES;
    return l1stage_tag_bank(line / lines << RANK_LINE_BIT | line % lines);
}

static void add_lane(struct entries *e, unsigned lane)
{
    const uint64_t line = address_of(e->access, lane) >> LINE_LOG2;
    uint32_t i = 0;
    while (i < e->count && !takes(e, &e->of[i], line, lane))
        i++;
    if (i == e->count) {
        const uint32_t bank = tag_bank(line);
        e->of[e->count++] =
            (struct entry){.line = line, .bank = bank, .wavefront = e->used[bank]++};
    }
    e->of[i].lanes |= 1U << lane;
}

static void find_entries(struct entries *e, const struct warp_access *a)
{
    *e = (struct entries){.access = a, .once = (a->flags & ACCESS_CLUSTER_ASYNC) != 0};
    for (uint32_t left = a->active; left; left &= left - 1)
        add_lane(e, lanes_lowest(left));
}

/* Bits of the 32 words of a line that a lane takes. */
static uint32_t words_of(const struct warp_access *a, unsigned lane)
{
    const uint32_t words = a->width >> BANK_LOG2;
    return ((1U << (words ? words : 1)) - 1) << (address_of(a, lane) % LINE_BYTES >> BANK_LOG2);
}

static uint32_t words_of_entry(const struct warp_access *a, const struct entry *entry)
{
    uint32_t words = 0;
    for (uint32_t left = entry->lanes; left; left &= left - 1)
        words |= words_of(a, lanes_lowest(left));
    return words;
}

/* A sector that is written in part is sent for each 16-byte half that it touches. */
static uint32_t stored_sectors(uint32_t words)
{
    uint32_t sent = 0;
    for (; words; words >>= 8) {
        const uint32_t sector = words & 0xff;
        const bool lower = sector & 0xf, upper = sector >> 4;
        sent += (uint32_t)lower + (sector != 0xff && upper);
    }
    return sent;
}

static uint32_t touched_sectors(uint32_t words)
{
    uint32_t sectors = 0;
    for (; words; words >>= 8)
        sectors += (words & 0xff) != 0;
    return sectors;
}

/* ---- Passes: by tag wavefronts, in groups of lanes of 128 bytes together, as loads of global memory make them ------------ */

/* In a bank go one after another: words that differ; of an atomic lanes. The lines of a wavefront are in different tag banks. */
static uint32_t most_in_bank(const struct entries *e, uint32_t wavefront, uint32_t group,
                             bool by_lane)
{
    uint8_t in_bank[BANKS] = {0}, most = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        const struct entry *entry = &e->of[i];
        uint32_t seen = 0;
        if (entry->wavefront != wavefront)
            continue;
        for (uint32_t left = entry->lanes & group; left; left &= left - 1) {
            const uint32_t words = words_of(e->access, lanes_lowest(left));
            for (uint32_t w = by_lane ? words : words & ~seen; w; w &= w - 1)
                in_bank[__builtin_ctz(w)]++;
            seen |= words;
        }
    }
    for (unsigned bank = 0; bank < BANKS; bank++)
        most = in_bank[bank] > most ? in_bank[bank] : most;
    return most;
}

static uint32_t data_passes(const struct entries *e, uint32_t wavefronts)
{
    const struct warp_access *a = e->access;
    const uint32_t lanes = a->width > 4 ? (uint32_t)GROUP_BYTES / a->width : WARP_LANES;
    const uint32_t first = UINT32_MAX >> (WARP_LANES - lanes);
    uint32_t passes = 0;
    for (uint32_t wavefront = 0; wavefront < wavefronts; wavefront++)
        for (uint32_t from = 0; from < WARP_LANES; from += lanes)
            passes += most_in_bank(e, wavefront, first << from, a->op == OP_ATOMIC);
    return a->op == OP_ATOMIC ? 2 * passes : passes;
}

struct cluster_counts cluster_count(const struct warp_access *a)
{
    struct cluster_counts n = {.distinct_bytes = coalesce_distinct_bytes(a)};
    struct entries e;
    find_entries(&e, a);
    for (uint32_t i = 0; i < e.count; i++) {
        const uint32_t words = words_of_entry(a, &e.of[i]);
        n.sectors += touched_sectors(words);
        n.sent_sectors += a->op == OP_STORE ? stored_sectors(words) : touched_sectors(words);
        n.tag_wavefronts =
            e.of[i].wavefront >= n.tag_wavefronts ? e.of[i].wavefront + 1 : n.tag_wavefronts;
    }
    if (e.once)
        return n;
    n.sent_sectors *= a->op == OP_ATOMIC ? 2 : 1;
    n.data_passes = data_passes(&e, n.tag_wavefronts);
    return n;
}

/* ---- Bulk copies ---------------------------------------------------------------------------------------- */

/* A piece that crosses a line of the destination goes in two parts, each of a sector more than it has whole ones. */
uint64_t cluster_copy_sectors(const struct warp_access *a)
{
    struct bulk_pieces pieces;
    struct bulk_piece piece;
    uint64_t sectors = 0;
    bulk_pieces_start(&pieces, a);
    while (bulk_pieces_next(&pieces, &piece)) {
        const uint64_t last = piece.global + piece.bytes - 1;
        const uint32_t first = LINE_BYTES - (uint32_t)(piece.global % LINE_BYTES);
        if (first >= piece.bytes)
            sectors += (last >> SECTOR_LOG2) - (piece.global >> SECTOR_LOG2) + 1;
        else
            sectors += (first >> SECTOR_LOG2) + ((piece.bytes - first) >> SECTOR_LOG2) + 2;
    }
    return sectors;
}
