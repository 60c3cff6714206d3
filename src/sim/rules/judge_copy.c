/* judge_copy.c - what an asynchronous copy counts, and what it asks for beyond the L1; a bulk copy; an access of another block's shared
 * memory; a product of a warpgroup. */
#include "sim/rules/judge_fully.h"

#include <string.h>

#include "sim/rules/async_copy.h"
#include "sim/rules/bulk_copy.h"
#include "sim/rules/cluster_access.h"
#include "sim/rules/coalesce.h"
#include "sim/rules/coalesce_lines.h"
#include "sim/rules/lanes.h"

/* The lines that lanes read, past the L1 once for each piece; none when no lane does. */
static void fill_copy_footprint(const struct warp_access *a, const struct async_copy_counts *n,
                                const struct async_copy_pieces *asked, struct footprint *footprint)
{
    struct warp_access reads = *a;
    struct warp_lines lines;
    reads.active = async_copy_reading(a);
    reads.copy = NULL;
    footprint->count = 0;
    footprint->passes = n->tag_wavefronts;
    footprint->data_passes = a->copy->past_l1 ? n->passes : n->data_passes;
    if (a->copy->past_l1) {
        footprint->count = asked->count;
        memcpy(footprint->line, asked->line, sizeof asked->line);
        memcpy(footprint->sectors, asked->in_line, sizeof asked->in_line);
    } else if (reads.active) {
        coalesce_lines_start(&lines, &reads);
        footprint_of_lines(footprint, &lines, false);
    }
}

void judge_copy(const struct warp_access *a, struct counters *c, struct footprint *footprint)
{
    struct async_copy_pieces asked;
    const struct async_copy_counts n = async_copy_count(a, &asked);
    const bool past_l1 = a->copy->past_l1;
    c->async_copies += 1;
    c->async_copies_past_l1 += past_l1;
    c->async_copy_requests += n.requests;
    c->async_copy_sectors += n.sectors;
    c->async_copy_past_l1_sectors += past_l1 ? n.sectors : 0;
    c->async_copy_ideal_sectors += n.ideal_sectors;
    c->async_copy_bytes_requested += n.bytes_read;
    c->async_copy_passes += n.passes;
    c->async_copy_ideal_passes += n.passes - n.conflicts;
    c->async_copy_conflicts += n.conflicts;
    c->async_copy_tag_wavefronts += past_l1 ? 0 : n.tag_wavefronts;
    c->async_copy_past_l1_tag_wavefronts += past_l1 ? n.tag_wavefronts : 0;
    c->async_copy_data_passes += n.data_passes;
    c->async_copy_bank_writes += n.bank_writes;
    c->async_copy_l2_requests += n.l2_requests;
    if (footprint)
        fill_copy_footprint(a, &n, &asked, footprint);
}

#define ADD_BULK(kind, bank)                                                                       \
    static void add_bulk_##kind(const struct bulk_counts *n, struct counters *c)                   \
    {                                                                                              \
        c->bulk_##kind##s += 1;                                                                    \
        c->bulk_##kind##_sectors += n->sectors;                                                    \
        c->bulk_##kind##_ideal_sectors += n->ideal_sectors;                                        \
        c->bulk_##kind##_bytes += n->bytes;                                                        \
        c->bulk_##kind##_l2_requests += n->requests;                                               \
        c->bulk_##kind##_##bank += n->bank_words;                                                  \
    }
ADD_BULK(load, bank_writes)
ADD_BULK(store, bank_reads)
ADD_BULK(reduction, bank_reads)

static void add_bulk_peer(const struct warp_access *a, const struct bulk_counts *n,
                          struct counters *c)
{
    c->bulk_peer_copies += 1;
    c->bulk_peer_sectors += cluster_copy_sectors(a);
    c->bulk_peer_ideal_sectors += n->ideal_sectors;
    c->bulk_peer_bytes += n->bytes;
    c->bulk_peer_bank_reads += n->bank_words;
    c->bulk_peer_bank_writes += n->bank_words;
}

void judge_bulk_copy(const struct warp_access *a, struct counters *c, struct footprint *footprint)
{
    struct bulk_counts n = bulk_copy_count(a);
    const uint64_t blocks = 1U + a->bulk->more; /* each gets all of it; L2 is asked once */
    n.sectors *= blocks;
    n.ideal_sectors *= blocks;
    n.bytes *= blocks;
    n.bank_words *= blocks;
    if (access_is_remote(a))
        add_bulk_peer(a, &n, c);
    else if (a->op == OP_LOAD)
        add_bulk_load(&n, c);
    else if (a->op == OP_STORE)
        add_bulk_store(&n, c);
    else
        add_bulk_reduction(&n, c);
    if (footprint)
        *footprint = (struct footprint){.passes = 1, .data_passes = 1};
}

/* ---- Other blocks' shared memory --------------------------------------------------------------------- */

void judge_cluster(const struct warp_access *a, struct counters *c, struct footprint *footprint)
{
    const struct cluster_counts n = cluster_count(a);
    c->cluster_requests += 1;
    c->cluster_sectors += n.sectors;
    c->cluster_ideal_sectors += coalesce_ideal_sectors(n.distinct_bytes);
    c->cluster_bytes_requested += lanes_count(a->active) * a->width;
    c->cluster_tag_wavefronts += n.tag_wavefronts;
    c->cluster_sent_sectors += n.sent_sectors;
    c->cluster_data_passes += n.data_passes;
    if (footprint)
        *footprint = (struct footprint){.passes = n.tag_wavefronts, .data_passes = n.sent_sectors};
}

/* ---- Products of warpgroups -------------------------------------------------------------------------- */

void judge_product(struct warpgroup_product product, uint32_t warp, struct counters *c)
{
    c->product_requests += 1;
    c->product_passes += warpgroup_product_passes(product, warp % WARPGROUP_WARPS);
}
