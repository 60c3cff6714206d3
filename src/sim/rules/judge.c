/* judge.c - which rule counts what.
 *
 * Decisions. An access is counted at its site under the generation's rules; bytes requested are
 * lanes times width, bytes used are distinct bytes, bytes moved are those of the transactions.
 * Read-only loads count as global loads except where the hardware has a path apart (sm_30 to
 * sm_37). Partition = address / width of a partition, modulo their number, for the GPUs whose
 * guides say so.
 */
#include "sim/rules/judge_fully.h"

#include <stdlib.h>
#include <string.h>

#include "sim/rules/address_map.h"
#include "sim/rules/banks.h"
#include "sim/rules/coalesce_lines.h"
#include "sim/rules/l1stage.h"
#include "sim/rules/transfers.h"

bool judge_init(struct judge *judge, const struct arch *arch, uint32_t block_count)
{
    *judge = (struct judge){.arch = *arch, .partitions.block_count = block_count, .launch = 1};
    if (!rules_for(arch, &judge->rules))
        return false;
    if (arch->partition_hashed)
        return true;
    const uint32_t count = judge->partitions.count = (uint32_t)arch->dram_partitions;
    judge->partition_shift = address_map_for(arch).chunk_log2;
    judge->partition_inverse = UINT32_MAX / count + 1;
    judge->partition_short = (uint64_t)(UINT32_MAX / count) << judge->partition_shift;
    const size_t rows = (size_t)block_count + 2;
    judge->partitions.rows = calloc(rows * count, sizeof *judge->partitions.rows);
    judge->rows_before = calloc(rows * count, sizeof *judge->rows_before);
    if (judge->partitions.rows == NULL || judge->rows_before == NULL)
        judge_free(judge);
    return judge->partitions.rows != NULL;
}

void judge_free(struct judge *judge)
{
    free(judge->sites);
    free(judge->repeats);
    free(judge->repeat_of);
    free(judge->met_in);
    free(judge->touched);
    free(judge->before);
    free(judge->rows_before);
    free(judge->partitions.rows);
    judge->sites = judge->before = NULL;
    judge->repeats = NULL;
    judge->repeat_of = judge->met_in = NULL;
    judge->touched = NULL;
    judge->partitions.rows = judge->rows_before = NULL;
}

/* One of the arrays by site gets room for `room` items; false, with what there was, when memory is short. */
static bool grow(void *array, size_t room, size_t item_bytes)
{
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, room * item_bytes);
    if (grown)
        memcpy(array, &grown, sizeof grown);
    return grown != NULL;
}

static bool grow_sites(struct judge *judge, size_t room)
{
    if (!grow(&judge->sites, room, sizeof *judge->sites) ||
        !grow(&judge->repeat_of, room, sizeof *judge->repeat_of) ||
        !grow(&judge->met_in, room, sizeof *judge->met_in) ||
        !grow(&judge->touched, room, sizeof *judge->touched))
        return false;
    judge->site_room = room;
    return true;
}

bool judge_reserve_sites(struct judge *judge, size_t count)
{
    const size_t had = judge->site_count;
    if (count <= had)
        return true;
    if (count > judge->site_room && !grow_sites(judge, count < 32 ? 64 : 2 * count))
        return false;
    memset(&judge->sites[had], 0, (count - had) * sizeof *judge->sites);
    memset(&judge->repeat_of[had], 0, (count - had) * sizeof *judge->repeat_of);
    memset(&judge->met_in[had], 0, (count - had) * sizeof *judge->met_in);
    judge->site_count = count;
    return true;
}

/* Adds transfers to one field of the partitions of the kernel and of a row. A row for blocks
 * outside the range saves a branch a transfer: 1.24 times as fast at 32 transfers.
 *
 * Partition number without a division: chunk * (1 / count) in 32-bit fixed point, exact while
 * chunk * count < 2^32, that is up to 137 GB with 8 partitions of 256 bytes (Lemire, Kaser and
 * Kurz, "Faster remainder by direct computation", 2019). Whether it is exact is asked once an
 * access, not once a transfer: 1.2 times as fast. */
static void add_transfers(struct judge *judge, const struct transfers *moved, uint32_t row,
                          size_t field)
{
    const uint32_t fields = sizeof(struct partition_bytes) / sizeof(uint64_t);
    const uint32_t count = judge->partitions.count, shift = judge->partition_shift;
    uint64_t *kernel = (uint64_t *)judge->partitions.rows + field / sizeof(uint64_t);
    uint64_t *block = kernel + (size_t)row * count * fields;
    const bool is_short = moved->any_addr < judge->partition_short;
    for (uint32_t i = 0; i < moved->count; i++) {
        uint64_t chunk = moved->addr[i] >> shift;
        uint32_t fraction = judge->partition_inverse * (uint32_t)chunk;
        uint64_t p = is_short ? (uint64_t)fraction * count >> 32 : chunk % count;
        kernel[fields * p] += moved->bytes[i];
        block[fields * p] += moved->bytes[i];
    }
}

static void count_partitions(struct judge *judge, const struct warp_access *a,
                             const struct transfers *moved)
{
    const uint32_t blocks = judge->partitions.block_count;
    const uint32_t row = 1 + (a->block < blocks ? a->block : blocks);
    if (a->op != OP_STORE)
        add_transfers(judge, moved, row, offsetof(struct partition_bytes, read));
    if (a->op != OP_LOAD)
        add_transfers(judge, moved, row, offsetof(struct partition_bytes, written));
}

static uint32_t full_split(const struct judge *judge, const struct warp_access *a)
{
    if (judge->rules.profiler != PROFILER_N5)
        return 0;
    return a->width <= 4 ? 4 : a->width;
}

/* What one global access adds to the counters of its operation. */
struct global_counts {
    struct coalesce_counts moved;
    struct l1_wavefronts wavefronts;
    uint32_t full_split_requests;
    uint32_t bytes_requested;
};

/* Whether a rule treats the warp as a whole: its lines are then what moves. */
static bool whole_warp(enum coalesce_rule rule, const struct warp_access *a)
{
    switch (rule) {
    case COALESCE_SECTOR:
    case COALESCE_SECTOR_ROUNDS:
    case COALESCE_SECTOR_SPLIT_REQUESTS:
    case COALESCE_STORE_124:
        return true;
    case COALESCE_LINE_128:
    case COALESCE_SEGMENT_32:
        return a->width <= 4;
    default:
        return false;
    }
}

static inline void count_moved(struct judge *judge, enum coalesce_rule rule,
                               const struct warp_access *a, struct warp_lines *lines,
                               struct coalesce_counts *counts, struct footprint *footprint)
{
    struct transfers transfers;
    const bool whole = whole_warp(rule, a), listed = footprint && !whole;
    coalesce_lines_start(lines, a);
    coalesce_count(rule, lines, counts, judge->partitions.count || listed ? &transfers : NULL);
    if (judge->partitions.count)
        count_partitions(judge, a, &transfers);
    if (footprint == NULL)
        return;
    if (whole)
        footprint_of_lines(footprint, lines, rule == COALESCE_LINE_128);
    else
        footprint_of_transfers(footprint, &transfers, judge->partitions.count == 0);
    footprint->passes = footprint->count;
    footprint->data_passes = 1;
}

static void count_global_access(struct judge *judge, const struct warp_access *a,
                                struct global_counts *n, struct footprint *footprint)
{
    struct warp_lines lines;
    count_moved(judge, judge->rules.global[a->op], a, &lines, &n->moved, footprint);
    n->full_split_requests = full_split(judge, a);
    n->bytes_requested = lanes_count(a->active) * a->width;
    n->wavefronts = (struct l1_wavefronts){0, 0};
    if (judge->rules.l1_stages && a->op != OP_ATOMIC)
        n->wavefronts = l1stage_count_lines(&lines);
    if (footprint && n->wavefronts.tag) {
        footprint->passes = n->wavefronts.tag;
        footprint->data_passes = n->wavefronts.data;
    }
}

/* One function for each operation: the counters' names differ, the code does not. */
#define ADD_GLOBAL(kind)                                                                           \
    static void add_global_##kind(const struct global_counts *n, struct counters *c)               \
    {                                                                                              \
        c->global_##kind##_requests += 1;                                                          \
        c->global_##kind##_split_requests += n->moved.requests;                                    \
        c->global_##kind##_full_split_requests += n->full_split_requests;                          \
        c->global_##kind##_transactions += n->moved.transactions;                                  \
        c->global_##kind##_transactions_32b += n->moved.transactions_32b;                          \
        c->global_##kind##_transactions_64b += n->moved.transactions_64b;                          \
        c->global_##kind##_transactions_128b += n->moved.transactions_128b;                        \
        c->global_##kind##_sectors += n->moved.bytes_moved / SECTOR_BYTES;                         \
        c->global_##kind##_ideal_sectors += coalesce_ideal_sectors(n->moved.bytes_used);           \
        c->global_##kind##_bytes_requested += n->bytes_requested;                                  \
        c->global_##kind##_bytes_used += n->moved.bytes_used;                                      \
        c->global_##kind##_bytes_moved += n->moved.bytes_moved;                                    \
    }
ADD_GLOBAL(load)
ADD_GLOBAL(store)
ADD_GLOBAL(atomic)

#define COUNT_SHARED(kind, count_passes)                                                           \
    static void count_shared_##kind(const struct judge *judge, const struct warp_access *a,        \
                                    struct counters *c, struct footprint *footprint)               \
    {                                                                                              \
        struct bank_passes passes = count_passes(judge, a);                                        \
        if (footprint)                                                                             \
            footprint->passes = passes.passes;                                                     \
        c->shared_##kind##_requests += 1;                                                          \
        c->shared_##kind##_passes += passes.passes;                                                \
        c->shared_##kind##_ideal_passes += passes.ideal;                                           \
        c->shared_##kind##_conflicts += passes.passes - passes.ideal;                              \
        c->shared_##kind##_bytes_requested += lanes_count(a->active) * a->width;                   \
        c->serialized_accesses += passes.passes > passes.ideal;                                    \
    }
#define COUNT_BY_WORD(judge, a) banks_count((judge)->rules.banks, a)
#define COUNT_BY_RULES(judge, a) banks_count_shared(&(judge)->rules, a)
COUNT_SHARED(load, COUNT_BY_WORD)
COUNT_SHARED(store, COUNT_BY_WORD)
COUNT_SHARED(atomic, COUNT_BY_RULES)

/* ldmatrix and stmatrix: among the loads and stores, and once more by themselves. */
#define COUNT_MATRIX(kind)                                                                         \
    static void count_matrix_##kind(const struct judge *judge, const struct warp_access *a,        \
                                    struct counters *c, struct footprint *footprint)               \
    {                                                                                              \
        const uint64_t passes = c->shared_##kind##_passes, over = c->shared_##kind##_conflicts;    \
        count_shared_##kind(judge, a, c, footprint);                                               \
        c->shared_matrix_##kind##_requests += 1;                                                   \
        c->shared_matrix_##kind##_passes += c->shared_##kind##_passes - passes;                    \
        c->shared_matrix_##kind##_conflicts += c->shared_##kind##_conflicts - over;                \
    }
COUNT_MATRIX(load)
COUNT_MATRIX(store)

static void count_read_only(struct judge *judge, const struct warp_access *a, struct counters *c,
                            struct footprint *footprint)
{
    struct warp_lines lines;
    struct coalesce_counts n;
    count_moved(judge, judge->rules.read_only, a, &lines, &n, footprint);
    c->read_only_load_requests += 1;
    c->read_only_load_sectors += n.bytes_moved / SECTOR_BYTES;
    c->read_only_load_ideal_sectors += coalesce_ideal_sectors(n.bytes_used);
    c->read_only_load_bytes_requested += lanes_count(a->active) * a->width;
}

static void count_local(struct judge *judge, const struct warp_access *a, struct counters *c,
                        struct footprint *footprint)
{
    struct warp_lines lines;
    struct coalesce_counts n;
    count_moved(judge, judge->rules.local[a->op], a, &lines, &n, footprint);
    c->local_load_requests += a->op == OP_LOAD;
    c->local_load_sectors += a->op == OP_LOAD ? n.bytes_moved / SECTOR_BYTES : 0;
    c->local_store_requests += a->op == OP_STORE;
    c->local_store_sectors += a->op == OP_STORE ? n.bytes_moved / SECTOR_BYTES : 0;
    c->local_load_ideal_sectors += a->op == OP_LOAD ? coalesce_ideal_sectors(n.bytes_used) : 0;
    c->local_store_ideal_sectors += a->op == OP_STORE ? coalesce_ideal_sectors(n.bytes_used) : 0;
}

static void count_constant(const struct judge *judge, const struct warp_access *a,
                           struct counters *c, struct footprint *footprint)
{
    uint32_t passes = banks_constant_passes(a, judge->rules.constant_half_warp);
    if (footprint) {
        footprint_of_addresses(footprint, a);
        footprint->passes = passes;
    }
    uint32_t ideal =
        judge->rules.constant_half_warp && (a->active & 0xffff) && a->active >> 16 ? 2 : 1;
    c->constant_load_requests += 1;
    c->constant_load_passes += passes;
    c->constant_load_ideal_passes += ideal;
    c->serialized_accesses += passes > ideal;
}

static void count_global(struct judge *judge, const struct warp_access *a, struct counters *c,
                         struct footprint *footprint)
{
    struct global_counts n;
    if (a->op == OP_LOAD && (a->flags & ACCESS_READ_ONLY) && judge->rules.read_only_apart) {
        count_read_only(judge, a, c, footprint);
        return;
    }
    count_global_access(judge, a, &n, footprint);
    if (a->op == OP_LOAD) {
        add_global_load(&n, c);
        c->global_load_tag_wavefronts += n.wavefronts.tag;
        c->global_load_data_passes += n.wavefronts.data;
    } else if (a->op == OP_STORE) {
        add_global_store(&n, c);
        c->global_store_tag_wavefronts += n.wavefronts.tag;
        c->global_store_data_passes += n.wavefronts.data;
    } else {
        add_global_atomic(&n, c);
        c->global_atomic_data_passes += judge->rules.l1_stages ? l1stage_atomic_passes(a) : 0;
    }
}

static void count_shared(const struct judge *judge, const struct warp_access *a, struct counters *c,
                         struct footprint *footprint)
{
    const bool is_matrix = access_is_matrix(a);
    if (a->op == OP_LOAD)
        (is_matrix ? count_matrix_load : count_shared_load)(judge, a, c, footprint);
    else if (a->op == OP_STORE)
        (is_matrix ? count_matrix_store : count_shared_store)(judge, a, c, footprint);
    else
        count_shared_atomic(judge, a, c, footprint);
}

void judge_fully(struct judge *judge, const struct warp_access *access, struct footprint *footprint)
{
    struct counters *c = judge_site(judge, access->site);
    c->warp_accesses += 1;
    c->divergent_accesses +=
        access->active != access->resident && !access_is_matrix(access) && access->bulk == NULL;
    c->thread_accesses += lanes_count(access->active);
    if (access->copy) {
        judge_copy(access, c, footprint);
        return;
    }
    if (access->bulk) {
        judge_bulk_copy(access, c, footprint);
        return;
    }
    switch ((enum mem_space)access->space) {
    case SPACE_GLOBAL:
        count_global(judge, access, c, footprint);
        break;
    case SPACE_SHARED:
        if (access_is_remote(access))
            judge_cluster(access, c, footprint);
        else
            count_shared(judge, access, c, footprint);
        break;
    case SPACE_LOCAL:
        count_local(judge, access, c, footprint);
        break;
    case SPACE_CONSTANT:
        count_constant(judge, access, c, footprint);
        break;
    case SPACE_TEXTURE:
        count_read_only(judge, access, c, footprint);
        break;
    case SPACE_COUNT:
        break;
    }
}
