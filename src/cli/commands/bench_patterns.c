/* bench_patterns.c - made-up kernels: loads alone, a copy, and two that have shared memory and barriers, as a
 * product of matrices and a reduction usually are written.
 *
 * Nothing is computed. Loads are asynchronous; a store waits for the loads in front of it. What is computed
 * between accesses is in their `work`, roughly as many instructions as a compiler makes of it.
 */
#include "cli/commands/bench_patterns.h"

enum {
    WARP_BYTES = WARP_LANES * 4, /* a word a lane */
    LOADS = 16,                  /* of a warp, in patterns of loads alone */
    HALF = WARP_LANES / 2,
    TILE_SIDE = 16, /* elements; as wide as half a warp */
    TILE_BYTES = TILE_SIDE * TILE_SIDE * 4,
    ROW_BYTES = TILE_SIDE * 4,      /* of a tile */
    TILES = 16,                     /* of a row of a matrix, */
    PITCH_BYTES = TILES * ROW_BYTES /* from one row of it to the next */
};

/* Arrays are 4 GB apart. */
static uint64_t array(uint64_t number)
{
    return 0x2a0000000ULL + (number << 32);
}

/* ---- Single steps ---------------------------------------------------------------------------- */

/* An access of 4 bytes a lane, by all lanes unless it says which. */
static void add(struct pattern_warp *warp, struct warp_access access)
{
    access.warp = warp->warp;
    access.resident = UINT32_MAX;
    access.active = access.active ? access.active : UINT32_MAX;
    access.width = 4;
    access.work = access.work ? access.work : 1;
    access.loads_left = access.op == OP_LOAD ? NEEDS_NO_LOAD : 0;
    step_block_add_access(warp->block, &access);
    warp->accesses++;
}

static void add_barrier(struct pattern_warp *warp)
{
    step_block_add(warp->block, warp->warp, STEP_BARRIER, 1);
}

/* The first 16 lanes are `lane_bytes` apart from `access.base` on, the others so, too, `half_bytes` behind. */
static void add_halves(struct pattern_warp *warp, struct warp_access access, uint64_t half_bytes,
                       uint64_t lane_bytes)
{
    uint64_t addr[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = access.base + lane / HALF * half_bytes + lane % HALF * lane_bytes;
    access.addr = addr;
    add(warp, access);
}

/* ---- Loads alone ----------------------------------------------------------------------------- */

/* The number, among all loads of the run, of the warp's first one. */
static uint64_t first_load(const struct pattern_warp *warp)
{
    return (warp->number * PATTERN_WARPS + warp->warp) * LOADS;
}

/* Load n is n % `count` * `apart` bytes into the array. */
static void add_loads(struct pattern_warp *warp, uint64_t count, uint64_t apart, int64_t stride)
{
    const uint64_t first = first_load(warp);
    for (uint64_t n = first; n < first + LOADS; n++)
        add(warp, (struct warp_access){.base = array(0) + n % count * apart, .stride = stride});
}

static void add_stream(struct pattern_warp *warp)
{
    add_loads(warp, 1 << 24, WARP_BYTES, 4);
}

static void add_resident(struct pattern_warp *warp)
{
    add_loads(warp, 256, WARP_BYTES, 4);
}

static void add_strided(struct pattern_warp *warp)
{
    add_loads(warp, 1 << 19, WARP_LANES * 128, 128);
}

static void add_scattered(struct pattern_warp *warp)
{
    uint64_t addr[WARP_LANES];
    for (int load = 0; load < LOADS; load++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            *warp->random = *warp->random * 6364136223846793005ULL + 1442695040888963407ULL;
            addr[lane] = array(0) + (*warp->random >> 33) % (1U << 24) * 4;
        }
        add(warp, (struct warp_access){.addr = addr});
    }
}

/* ---- A copy ---------------------------------------------------------------------------------- */

/* out[i] = in[i], a word a thread. */
static void add_copy(struct pattern_warp *warp)
{
    const uint64_t at = (warp->number * PATTERN_WARPS + warp->warp) % (1 << 24) * WARP_BYTES;
    add(warp, (struct warp_access){.base = array(0) + at, .stride = 4, .work = 4});
    add(warp, (struct warp_access){
                  .base = array(1) + at, .stride = 4, .op = OP_STORE, .site = 1, .work = 2});
}

/* ---- C = A B through tiles of 16x16 in shared memory ------------------------------------------ */

/* A warp is two rows of 16 threads. A's tile is at 0 of shared memory, B's behind it. */
static void add_tile_loads(struct pattern_warp *warp, uint64_t a, uint64_t b)
{
    const uint64_t rows = (uint64_t)warp->warp * 2 * ROW_BYTES; /* of its threads, in a tile */
    const struct warp_access stored = {.space = SPACE_SHARED, .op = OP_STORE, .stride = 4};
    struct warp_access to_a = stored, to_b = stored;
    to_a.base = rows;
    to_a.site = 1;
    to_b.base = TILE_BYTES + rows;
    to_b.site = 3;
    add_halves(warp, (struct warp_access){.base = a, .work = 4}, PITCH_BYTES, 4);
    add(warp, to_a);
    add_halves(warp, (struct warp_access){.base = b, .site = 2, .work = 2}, PITCH_BYTES, 4);
    add(warp, to_b);
}

/* Element k of each thread's row of A, one for 16 lanes, and row k of B, the same for both halves. */
static void add_tile_product(struct pattern_warp *warp)
{
    struct warp_access of_a = {.space = SPACE_SHARED, .site = 4, .work = 2};
    struct warp_access of_b = {.space = SPACE_SHARED, .site = 5};
    for (uint64_t k = 0; k < TILE_SIDE; k++) {
        of_a.base = (uint64_t)warp->warp * 2 * ROW_BYTES + k * 4;
        of_b.base = TILE_BYTES + k * ROW_BYTES;
        add_halves(warp, of_a, ROW_BYTES, 0);
        add_halves(warp, of_b, 0, 4);
    }
}

/* A and C grow with the number of blocks, up to 256 MB. */
static void add_product(struct pattern_warp *warp)
{
    const uint64_t column = warp->number % TILES, row = warp->number / TILES % (1 << 14);
    const uint64_t first_row = (row * TILE_SIDE + warp->warp * 2) * PITCH_BYTES;
    for (uint64_t tile = 0; tile < TILES; tile++) {
        add_tile_loads(warp, array(0) + first_row + tile * ROW_BYTES,
                       array(1) + (tile * TILE_SIDE + warp->warp * 2) * PITCH_BYTES +
                           column * ROW_BYTES);
        add_barrier(warp);
        add_tile_product(warp);
        add_barrier(warp);
    }
    add_halves(warp,
               (struct warp_access){.base = array(2) + first_row + column * ROW_BYTES,
                                    .op = OP_STORE,
                                    .site = 6,
                                    .work = 2},
               PITCH_BYTES, 4);
}

/* ---- A sum by halves in shared memory --------------------------------------------------------- */

enum { SUMS = PATTERN_WARPS * WARP_LANES };

/* The warp's lanes among the first `threads` of the block. */
static uint32_t lanes_below(const struct pattern_warp *warp, uint32_t threads)
{
    const uint32_t first = warp->warp * WARP_LANES;
    if (threads <= first)
        return 0;
    return threads - first >= WARP_LANES ? UINT32_MAX : (1U << (threads - first)) - 1;
}

/* sums[t] += sums[t + half] */
static void add_half(struct pattern_warp *warp, uint32_t half)
{
    struct warp_access access = {.space = SPACE_SHARED,
                                 .base = (uint64_t)warp->warp * WARP_BYTES,
                                 .stride = 4,
                                 .active = lanes_below(warp, half),
                                 .work = 2};
    if (access.active == 0)
        return;
    struct warp_access other = access, sum = access;
    other.base += (uint64_t)half * 4;
    other.site = 2;
    access.site = 3;
    sum.site = 4;
    sum.op = OP_STORE;
    add(warp, other);
    add(warp, access);
    add(warp, sum);
}

static void add_reduction(struct pattern_warp *warp)
{
    const uint64_t at = (uint64_t)warp->warp * WARP_BYTES;
    const uint64_t first = warp->number % (1 << 21) * SUMS * 4;
    const uint32_t thread_0 = lanes_below(warp, 1);
    add(warp, (struct warp_access){.base = array(0) + first + at, .stride = 4, .work = 4});
    add(warp, (struct warp_access){
                  .space = SPACE_SHARED, .op = OP_STORE, .base = at, .stride = 4, .site = 1});
    add_barrier(warp);
    for (uint32_t half = SUMS / 2; half > 0; half /= 2) {
        add_half(warp, half);
        add_barrier(warp);
    }
    if (thread_0 == 0)
        return;
    add(warp, (struct warp_access){.space = SPACE_SHARED, .active = thread_0, .site = 5});
    add(warp,
        (struct warp_access){
            .base = array(1) + warp->number * 4, .op = OP_STORE, .active = thread_0, .site = 6});
}

/* ---- The table ------------------------------------------------------------------------------- */

const struct bench_pattern bench_patterns[] = {
    {"coalesced stream", 0, add_stream},
    {"coalesced, in L1", 0, add_resident},
    {"stride 128 bytes", 0, add_strided},
    {"scattered over 64 MB", 0, add_scattered},
    {"coalesced copy", 0, add_copy},
    {"product, 16x16 blocks", 2 * TILE_BYTES, add_product},
    {"reduction, a barrier a step", SUMS * 4, add_reduction},
};
const size_t bench_pattern_count = sizeof bench_patterns / sizeof bench_patterns[0];

struct step_block *bench_pattern_block(const struct bench_pattern *pattern,
                                       struct step_store *store, uint32_t number, uint64_t *random,
                                       uint64_t *accesses)
{
    struct step_block *block = step_block_new(store, number, PATTERN_WARPS);
    struct pattern_warp warp = {.block = block, .number = number, .random = random};
    if (block == NULL)
        return NULL;
    for (warp.warp = 0; warp.warp < PATTERN_WARPS; warp.warp++) {
        pattern->add(&warp);
        step_block_add(block, warp.warp, STEP_END, 1);
    }
    step_block_close(block);
    *accesses += warp.accesses;
    return block;
}
