/* managed.c - page faults of managed memory, and the driver that serves them.
 *
 * What follows public sources:
 *   - faults go to a buffer that the driver reads 256 at a time; it sorts them, serves one 2 MB
 *     block after another, drops faults that arrived meanwhile and replays (NVIDIA's
 *     open-gpu-kernel-modules, nvidia-uvm/uvm_gpu_replayable_faults.c: policy "batch flush");
 *   - a fault makes its 64 KB region wanted; then the largest aligned region, up to the block, of
 *     which more than 51 % is wanted or there comes as a whole (uvm_perf_prefetch.c);
 *   - one transfer is a run of neighbouring pages with one cause: faulted pages and pages that come
 *     along are copied apart (uvm_va_block.c). A lone fault moves 4 KB and 60 KB;
 *   - pages that nobody has touched are made on the GPU and moved from nowhere;
 *   - an SM whose access faulted translates no new ones until the replay (N. Sakharnykh,
 *     "Maximizing Unified Memory Performance in CUDA", 2017; said of the P100);
 *   - before Pascal nothing faults, and a launch moves what the host has touched (M. Harris,
 *     "Unified Memory for CUDA Beginners", 2017), in pieces that end at 2 MB.
 *
 * What is fitted, to a GTX 1080 Ti's profiles of stream_thread (2.32 ms for 24 groups) and
 * stream_warp (1.11 ms for 3): how soon the lock falls, so that the eight warps of one block still
 * fault together and the next block's do not; and the driver's times. docs/model.md says how other
 * measurements come out.
 *
 * Decisions. Every SM has a TLB of its own. Arrays that are not managed are not held up by a lock:
 * their translations count as cached. The GPU's memory has room for everything. Transfers do not
 * compete with zero-copy traffic. A fault is counted once for each SM and page.
 */
#include "sim/time/managed.h"

#include <stdlib.h>
#include <string.h>

#include "models/capabilities.h"
#include "sim/time/managed_block.h"
#include "sim/time/ticks.h"

enum {
    PREFETCH_PERCENT = 51,
};

struct managed_parameters managed_parameters_for(const struct arch *arch)
{
    int64_t clock = arch->sm_clock_khz;
    return (struct managed_parameters){
        .faults = capability_find(arch->sm)->managed_faults,
        .lock_ticks = ticks_of_cycles(arch->fault_lock_cycles),
        .read_ticks = ticks_of_ps(1000 * arch->fault_read_ns, clock),
        .group_ticks = ticks_of_ps(1000 * arch->fault_group_ns, clock),
        .page_ticks = ticks_of_ps(1000 * arch->fault_page_ns, clock),
        .transfer_ticks = ticks_of_ps(1000 * arch->fault_transfer_ns, clock),
        .kilobyte_ticks = ticks_of_kilobyte(arch->pcie_megabytes_per_s, 1, clock),
        .prefetch_percent = PREFETCH_PERCENT,
        .clock_khz = clock,
    };
}

static void unlock_all(struct managed *managed)
{
    for (uint32_t i = 0; i < managed->sm_count; i++)
        managed->locked_at[i] = UINT64_MAX;
}

bool managed_init(struct managed *managed, const struct managed_parameters *parameters,
                  uint32_t sm_count)
{
    memset(managed, 0, sizeof *managed);
    managed->parameters = *parameters;
    managed->sm_count = sm_count;
    managed->smallest_bytes = UINT64_MAX;
    managed->locked_at = malloc(sm_count * sizeof *managed->locked_at);
    if (managed->locked_at == NULL)
        return false;
    unlock_all(managed);
    return true;
}

void managed_free(struct managed *managed)
{
    for (size_t i = 0; i < managed->array_count; i++)
        free(managed->arrays[i].place);
    free(managed->arrays);
    free(managed->locked_at);
    memset(managed, 0, sizeof *managed);
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

static struct managed_array *find_array(struct managed *managed, uint64_t page)
{
    for (size_t i = 0; i < managed->array_count; i++)
        if (page - managed->arrays[i].first_page < managed->arrays[i].page_count)
            return &managed->arrays[i];
    return NULL;
}

static struct managed_array *add_array(struct managed *managed, uint64_t first, uint64_t count)
{
    if (managed->array_count == managed->array_room) {
        size_t room = managed->array_room ? 2 * managed->array_room : 8;
        struct managed_array *grown = realloc(managed->arrays, room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        managed->arrays = grown;
        managed->array_room = room;
    }
    uint8_t *place = calloc(count, 1);
    if (place == NULL)
        return NULL;
    struct managed_array *array = &managed->arrays[managed->array_count++];
    *array = (struct managed_array){first, count, place};
    return array;
}

/* ---- Prefetches and launches ----------------------------------------------------------------- */

/* All of a block that is not there, or the pages whose byte in `touched` has the bit. */
static uint64_t move_pages(struct managed *managed, struct managed_array *array,
                           const uint8_t *touched, uint8_t bit, struct counters *c)
{
    uint64_t ticks = 0;
    uint64_t end = array->first_page + array->page_count;
    for (uint64_t page = array->first_page; page < end;) {
        struct managed_block block = managed_block_of(array, page);
        for (uint32_t i = block.first; i < block.end; i++) {
            bool wanted = !touched || (touched[block.page + i - array->first_page] & bit);
            if (wanted && *managed_block_place(&block, i) != MANAGED_ON_GPU)
                block.cause[i] = MANAGED_CAUSE_COMES_ALONG;
        }
        ticks += managed_block_move(managed, &block, MANAGED_ON_GPU, c);
        page = block.page + block.end;
    }
    return ticks;
}

static bool update_array(struct managed *managed, const struct managed_range *range,
                         struct counters *c)
{
    const uint8_t *touched = range->touched;
    uint64_t first = range->address >> MANAGED_PAGE_LOG2;
    uint64_t last = (range->address + range->bytes - 1) >> MANAGED_PAGE_LOG2;
    struct managed_array *array = find_array(managed, first);
    if (array == NULL)
        array = add_array(managed, first, last + 1 - first);
    if (array == NULL)
        return false;
    for (uint64_t i = 0; touched && i < array->page_count && i <= last - first; i++) {
        if (touched[i] & MANAGED_SET)
            array->place[i] = MANAGED_ON_GPU;
        if (touched[i] & MANAGED_TOUCHED)
            array->place[i] = MANAGED_ON_HOST;
    }
    if (touched)
        move_pages(managed, array, touched, MANAGED_PREFETCHED, c);
    return true;
}

bool managed_update(struct managed *managed, const struct managed_range *ranges, size_t count,
                    struct counters *c)
{
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
        done = update_array(managed, &ranges[i], c);
    return done;
}

uint64_t managed_launch(struct managed *managed, struct counters *c)
{
    uint64_t ticks = 0;
    for (size_t i = 0; i < managed->array_count && !managed->parameters.faults; i++)
        ticks += move_pages(managed, &managed->arrays[i], NULL, 0, c);
    return ticks;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static int compare_faults(const void *a, const void *b)
{
    const struct managed_fault *x = a, *y = b;
    if (x->page != y->page)
        return x->page < y->page ? -1 : 1;
    return (x->sm > y->sm) - (x->sm < y->sm);
}

/* Serves the faults of one block, which begin at `i`; returns where the next block's begin. */
static uint32_t serve_block(struct managed *managed, uint32_t i, struct judge *judge,
                            uint64_t *ticks)
{
    const struct managed_fault *first = &managed->group[i];
    struct managed_block block = managed_block_of(find_array(managed, first->page), first->page);
    for (; i < managed->fault_count; i++) {
        uint64_t at = managed->group[i].page - block.page;
        if (at < block.first || at >= block.end)
            break;
        *ticks += block.cause[at] == MANAGED_CAUSE_NONE ? managed->parameters.page_ticks : 0;
        block.cause[at] = MANAGED_CAUSE_FAULT;
    }
    managed_block_prefetch(&block, managed->parameters.prefetch_percent);
    *ticks += managed_block_move(managed, &block, MANAGED_COMING, judge_site(judge, first->site));
    return i;
}

/* The driver reads the group; from now until the replay it serves it. */
static void serve_group(struct managed *managed, struct judge *judge)
{
    const struct managed_parameters *p = &managed->parameters;
    uint64_t ticks = p->group_ticks;
    struct counters *opener = judge_site(judge, managed->group[0].site);
    qsort(managed->group, managed->fault_count, sizeof managed->group[0], compare_faults);
    for (uint32_t i = 0; i < managed->fault_count;)
        i = serve_block(managed, i, judge, &ticks);
    managed->replay_at = managed->read_at + ticks;
    managed->phase = MANAGED_SERVING;
    opener->fault_groups++;
    opener->fault_group_ns += (managed->replay_at - managed->opened_at) * 1000000 /
                              ((uint64_t)p->clock_khz * TICKS_PER_CYCLE);
}

/* The replay: what was coming is there, and every SM translates again. */
static void replay(struct managed *managed)
{
    for (uint32_t i = 0; i < managed->fault_count; i++) {
        uint64_t page = managed->group[i].page;
        if (i > 0 && managed->group[i - 1].page / MANAGED_BLOCK_PAGES == page / MANAGED_BLOCK_PAGES)
            continue;
        struct managed_block block = managed_block_of(find_array(managed, page), page);
        for (uint32_t k = block.first; k < block.end; k++)
            if (*managed_block_place(&block, k) == MANAGED_COMING)
                *managed_block_place(&block, k) = MANAGED_ON_GPU;
    }
    managed->fault_count = 0;
    managed->phase = MANAGED_IDLE;
    unlock_all(managed);
}

static void go_on(struct managed *managed, uint64_t now, struct judge *judge)
{
    if (managed->phase == MANAGED_COLLECTING && now >= managed->read_at)
        serve_group(managed, judge);
    if (managed->phase == MANAGED_SERVING && now >= managed->replay_at)
        replay(managed);
}

/* ---- Accesses -------------------------------------------------------------------------------- */

static bool is_in_group(const struct managed *managed, uint32_t sm, uint64_t page)
{
    for (uint32_t i = 0; i < managed->fault_count; i++)
        if (managed->group[i].page == page && managed->group[i].sm == sm)
            return true;
    return false;
}

/* A page is missing. While the driver serves a group it looks at no new faults, and drops them. */
static void fault(struct managed *managed, uint32_t sm, uint64_t page, uint32_t site, uint64_t now,
                  struct judge *judge)
{
    if (managed->locked_at[sm] == UINT64_MAX)
        managed->locked_at[sm] = now + managed->parameters.lock_ticks;
    if (managed->phase == MANAGED_IDLE) {
        managed->phase = MANAGED_COLLECTING;
        managed->opened_at = now;
        managed->read_at = now + managed->parameters.read_ticks;
    }
    if (managed->phase == MANAGED_SERVING || managed->fault_count == MANAGED_GROUP_MAX ||
        is_in_group(managed, sm, page))
        return;
    managed->group[managed->fault_count++] = (struct managed_fault){page, sm, site};
    judge_site(judge, site)->page_faults++;
}

static bool is_missing(struct managed *managed, uint64_t page)
{
    struct managed_array *array = find_array(managed, page);
    return array && array->place[page - array->first_page] != MANAGED_ON_GPU;
}

struct managed_answer managed_access(struct managed *managed, uint32_t sm,
                                     const struct warp_access *access, uint64_t now,
                                     struct judge *judge)
{
    if (!managed->parameters.faults)
        return (struct managed_answer){0, true};
    go_on(managed, now, judge);
    const bool locked = now >= managed->locked_at[sm];
    bool waits = locked;
    uint64_t before = UINT64_MAX;
    for (uint32_t rest = locked ? 0 : access->active; rest != 0; rest &= rest - 1) {
        uint64_t page = access_addr(access, (unsigned)__builtin_ctz(rest)) >> MANAGED_PAGE_LOG2;
        if (page == before)
            continue;
        before = page;
        if (!is_missing(managed, page))
            continue;
        waits = true;
        fault(managed, sm, page, access->site, now, judge);
    }
    uint64_t again = managed->phase == MANAGED_COLLECTING ? managed->read_at : managed->replay_at;
    return (struct managed_answer){waits ? again : 0, !locked};
}
