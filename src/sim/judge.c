/* judge.c - which rule counts what.
 *
 * Decisions. An access is counted at its site under the generation's rules; bytes requested are lanes
 * times width, bytes used are distinct bytes, bytes moved are those of the transactions. Read-only
 * loads count as global loads except where the hardware has a path apart (sm_30 to sm_37). Partition =
 * address / width of a partition, modulo their number, for the GPUs whose guides say so.
 */
#include "sim/judge.h"

#include <stdlib.h>
#include <string.h>

#include "sim/l1stage.h"

static uint32_t log2_of(uint64_t value)
{
    return (uint32_t)(63 - __builtin_clzll(value));
}

bool judge_init(struct judge *judge, const struct arch *arch, uint32_t block_first,
                uint32_t block_count)
{
    *judge = (struct judge){.arch = *arch, .block_first = block_first, .block_count = block_count};
    if (!rules_for(arch, &judge->rules))
        return false;
    if (arch->partition_hashed)
        return true;
    judge->partition_count = (uint32_t)arch->dram_partitions;
    judge->partition_shift = log2_of((uint64_t)arch->partition_bytes);
    judge->partition_inverse = UINT32_MAX / judge->partition_count + 1;
    judge->partitions = calloc(((size_t)block_count + 1) * judge->partition_count,
                               sizeof *judge->partitions);
    return judge->partitions != NULL;
}

void judge_free(struct judge *judge)
{
    free(judge->sites);
    free(judge->partitions);
    judge->sites = NULL;
    judge->partitions = NULL;
}

bool judge_reserve_sites(struct judge *judge, size_t count)
{
    if (count > judge->site_room) {
        size_t room = count < 32 ? 64 : 2 * count;
        struct counters *grown = realloc(judge->sites, room * sizeof *grown);
        if (grown == NULL)
            return false;
        judge->sites = grown;
        judge->site_room = room;
    }
    if (count > judge->site_count) {
        memset(&judge->sites[judge->site_count], 0,
               (count - judge->site_count) * sizeof *judge->sites);
        judge->site_count = count;
    }
    return true;
}

/* Partition number without a division: chunk * (1 / count) in 32-bit fixed point, exact while
 * chunk * count < 2^32, that is up to 137 GB with 8 partitions of 256 bytes (Lemire, Kaser and Kurz,
 * "Faster remainder by direct computation", 2019). */
static uint32_t partition_of(const struct judge *judge, uint64_t addr)
{
    uint64_t chunk = addr >> judge->partition_shift;
    if (chunk * judge->partition_count > UINT32_MAX)
        return (uint32_t)(chunk % judge->partition_count);
    uint32_t fraction = judge->partition_inverse * (uint32_t)chunk;
    return (uint32_t)((uint64_t)fraction * judge->partition_count >> 32);
}

static void count_partitions(struct judge *judge, const struct warp_access *a,
                             const struct coalesced *moved)
{
    struct partition_bytes *kernel = judge->partitions, *block = NULL;
    if (a->block - judge->block_first < judge->block_count)
        block = kernel + (size_t)(a->block - judge->block_first + 1) * judge->partition_count;
    for (uint32_t i = 0; i < moved->transactions; i++) {
        uint32_t p = partition_of(judge, moved->list[i].addr);
        uint64_t read = a->op == OP_STORE ? 0 : moved->list[i].bytes;
        uint64_t written = a->op == OP_LOAD ? 0 : moved->list[i].bytes;
        kernel[p].read += read;
        kernel[p].written += written;
        if (block) {
            block[p].read += read;
            block[p].written += written;
        }
    }
}

static uint32_t full_split(const struct judge *judge, const struct warp_access *a)
{
    if (judge->rules.profiler != PROFILER_N5)
        return 0;
    return a->width <= 4 ? 4 : a->width;
}

/* Transactions by size: their number and the bytes they move give two equations, a look at the list
 * the third; on most rules all have one size. */
static void count_sizes(const struct coalesced *moved, uint64_t *b32, uint64_t *b64, uint64_t *b128)
{
    uint32_t n = moved->transactions;
    if (moved->bytes_moved == 32 * n)
        *b32 += n;
    else if (moved->bytes_moved == 128 * n)
        *b128 += n;
    else
        for (uint32_t i = 0; i < n; i++)
            *(moved->list[i].bytes == 32 ? b32 : moved->list[i].bytes == 64 ? b64 : b128) += 1;
}

/* One function for each operation: the counters' names differ, the code does not. */
#define COUNT_GLOBAL(kind)                                                                         \
    static void count_global_##kind(struct judge *judge, const struct warp_access *a,              \
                                    struct counters *c)                                            \
    {                                                                                              \
        struct coalesced moved;                                                                    \
        coalesce(judge->rules.global[a->op], a, &moved);                                           \
        uint32_t used = coalesce_distinct_bytes(a);                                                \
        c->global_##kind##_requests += 1;                                                          \
        c->global_##kind##_split_requests += moved.requests;                                       \
        c->global_##kind##_full_split_requests += full_split(judge, a);                            \
        c->global_##kind##_transactions += moved.transactions;                                     \
        count_sizes(&moved, &c->global_##kind##_transactions_32b,                                  \
                    &c->global_##kind##_transactions_64b, &c->global_##kind##_transactions_128b);  \
        c->global_##kind##_sectors += moved.bytes_moved / 32;                                      \
        c->global_##kind##_ideal_sectors += coalesce_ideal_sectors(used);                          \
        c->global_##kind##_bytes_requested +=                                                      \
            (uint32_t)__builtin_popcount(a->active) * (uint32_t)a->width;                          \
        c->global_##kind##_bytes_used += used;                                                     \
        c->global_##kind##_bytes_moved += moved.bytes_moved;                                       \
        if (judge->rules.l1_stages && a->op != OP_ATOMIC) {                                        \
            struct l1_wavefronts wavefronts = l1stage_count(a);                                    \
            c->global_##kind##_tag_wavefronts += wavefronts.tag;                                   \
            c->global_##kind##_data_passes += wavefronts.data;                                     \
        }                                                                                          \
        if (judge->partition_count)                                                                \
            count_partitions(judge, a, &moved);                                                    \
    }
COUNT_GLOBAL(load)
COUNT_GLOBAL(store)
COUNT_GLOBAL(atomic)

#define COUNT_SHARED(kind, count_passes)                                                           \
    static void count_shared_##kind(const struct judge *judge, const struct warp_access *a,        \
                                    struct counters *c)                                            \
    {                                                                                              \
        struct bank_passes passes = count_passes(judge->rules.banks, a);                           \
        c->shared_##kind##_requests += 1;                                                          \
        c->shared_##kind##_passes += passes.passes;                                                \
        c->shared_##kind##_ideal_passes += passes.ideal;                                           \
        c->shared_##kind##_conflicts += passes.passes - passes.ideal;                              \
        c->shared_##kind##_bytes_requested +=                                                      \
            (uint32_t)__builtin_popcount(a->active) * (uint32_t)a->width;                          \
        c->serialized_accesses += passes.passes > passes.ideal;                                    \
    }
COUNT_SHARED(load, banks_count)
COUNT_SHARED(store, banks_count)
COUNT_SHARED(atomic, banks_count_atomic)

static void count_read_only(struct judge *judge, const struct warp_access *a, struct counters *c)
{
    struct coalesced moved;
    coalesce(judge->rules.read_only, a, &moved);
    c->read_only_load_requests += 1;
    c->read_only_load_sectors += moved.bytes_moved / 32;
    c->read_only_load_ideal_sectors += coalesce_ideal_sectors(coalesce_distinct_bytes(a));
    c->read_only_load_bytes_requested +=
        (uint32_t)__builtin_popcount(a->active) * (uint32_t)a->width;
    if (judge->partition_count)
        count_partitions(judge, a, &moved);
}

static void count_local(struct judge *judge, const struct warp_access *a, struct counters *c)
{
    struct coalesced moved;
    coalesce(judge->rules.local[a->op], a, &moved);
    c->local_load_requests += a->op == OP_LOAD;
    c->local_load_sectors += a->op == OP_LOAD ? moved.bytes_moved / 32 : 0;
    c->local_store_requests += a->op == OP_STORE;
    c->local_store_sectors += a->op == OP_STORE ? moved.bytes_moved / 32 : 0;
}

static void count_constant(const struct judge *judge, const struct warp_access *a,
                           struct counters *c)
{
    uint32_t passes = banks_constant_passes(a, judge->rules.constant_half_warp);
    uint32_t ideal = judge->rules.constant_half_warp && (a->active & 0xffff) && a->active >> 16 ? 2 : 1;
    c->constant_load_requests += 1;
    c->constant_load_passes += passes;
    c->serialized_accesses += passes > ideal;
}

static void count_global(struct judge *judge, const struct warp_access *a, struct counters *c)
{
    if (a->op == OP_LOAD && (a->flags & ACCESS_READ_ONLY) && judge->rules.read_only_apart)
        count_read_only(judge, a, c);
    else if (a->op == OP_LOAD)
        count_global_load(judge, a, c);
    else if (a->op == OP_STORE)
        count_global_store(judge, a, c);
    else
        count_global_atomic(judge, a, c);
}

static void count_shared(const struct judge *judge, const struct warp_access *a, struct counters *c)
{
    if (a->op == OP_LOAD)
        count_shared_load(judge, a, c);
    else if (a->op == OP_STORE)
        count_shared_store(judge, a, c);
    else
        count_shared_atomic(judge, a, c);
}

void judge_access(struct judge *judge, const struct warp_access *access)
{
    struct counters *c = &judge->sites[access->site];
    c->warp_accesses += 1;
    c->divergent_accesses += access->active != access->resident;
    c->thread_accesses += (uint32_t)__builtin_popcount(access->active);
    switch ((enum mem_space)access->space) {
    case SPACE_GLOBAL:
        count_global(judge, access, c);
        break;
    case SPACE_SHARED:
        count_shared(judge, access, c);
        break;
    case SPACE_LOCAL:
        count_local(judge, access, c);
        break;
    case SPACE_CONSTANT:
        count_constant(judge, access, c);
        break;
    case SPACE_TEXTURE:
        count_read_only(judge, access, c);
        break;
    case SPACE_COUNT:
        break;
    }
}
