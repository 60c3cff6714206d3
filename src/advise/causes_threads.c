/* causes_threads.c - causes that lie in which thread does what: threadIdx.x and y in each other's role. */
#include <inttypes.h>

#include "advise/causes.h"

enum {
    FULL_PERCENT = 75, /* of lanes that take part: more is not worth sorting */
    WIDE_BYTES = 16,
    VISITS_LEAST = 8
};

/* A run does not say whether lanes exchange values. */
#define NO_SHUFFLES "not where lanes exchange values (__shfl_sync)"

static const double share_least = 0.05, latency_least = 0.4, vectors_least = 0.1;

/* ---- Swapped roles --------------------------------------------------------------------------- */

static uint64_t excess_of(const struct findings *f, size_t object)
{
    const struct counters *c = &f->by_object[object];
    return c->global_load_sectors + c->global_store_sectors - c->global_load_ideal_sectors -
           c->global_store_ideal_sectors;
}

/* Whether no other array of the kernel has more sectors that are not needed. */
static bool is_worst(const struct findings *f, const struct kernel_seen *kernel, size_t object)
{
    bool is = true;
    for (size_t i = 0; i < f->observed->object_count; i++)
        is &= i == object || !kernel_has_object(kernel, i) ||
              excess_of(f, i) < excess_of(f, object) ||
              (excess_of(f, i) == excess_of(f, object) && i > object);
    return is;
}

/* "a and b": the kernel's arrays of which at least twice the sectors move that are needed. */
static void name_wasted(const struct findings *f, const struct kernel_seen *kernel,
                        char text[CANDIDATE_WORDS])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < f->observed->object_count && used < CANDIDATE_WORDS; i++) {
        const struct counters *c = &f->by_object[i];
        if (!kernel_has_object(kernel, i) ||
            excess_of(f, i) < c->global_load_ideal_sectors + c->global_store_ideal_sectors ||
            excess_of(f, i) == 0)
            continue;
        used += (size_t)snprintf(text + used, CANDIDATE_WORDS - used, "%s%.40s",
                                 used ? " and " : "", findings_name(&f->observed->objects[i]));
    }
}

static void add_swap(struct findings *f, const struct kernel_seen *kernel, size_t object,
                     bool swaps_grid)
{
    const struct counters *c = &f->by_object[object];
    char names[CANDIDATE_WORDS];
    struct candidate *candidate = findings_add_regrouping(
        f, "swap", object, kernel,
        (struct regrouping){.kind = REGROUP_SWAP, .swaps_grid = swaps_grid});
    if (candidate == NULL)
        return;
    candidate->order.of = swaps_grid ? order_columns : NULL;
    candidate->order.kernel = kernel->name;
    candidate->must_save = true;
    name_wasted(f, kernel, names);
    snprintf(candidate->why, sizeof candidate->why,
             "neighbouring lanes take elements of @ that are far apart: %s sectors move where %s "
             "would do",
             FINDINGS_COUNT(c->global_load_sectors + c->global_store_sectors),
             FINDINGS_COUNT(c->global_load_ideal_sectors + c->global_store_ideal_sectors));
    snprintf(candidate->change, sizeof candidate->change,
             "swap threadIdx.x and threadIdx.y%s where the index is computed, and x and y of the "
             "block%s in the launch: neighbouring lanes then take neighbouring elements of %s",
             swaps_grid ? " (and blockIdx.x and y)" : "", swaps_grid ? " and the grid" : "", names);
    snprintf(candidate->cost, sizeof candidate->cost, NO_SHUFFLES);
}

void add_swaps(struct findings *f, size_t object)
{
    for (size_t i = 0; i < f->observed->kernel_count; i++) {
        const struct kernel_seen *kernel = &f->observed->kernels[i];
        const bool has_columns = kernel->grid[0] > 1 || kernel->grid[1] > 1;
        if (!kernel_has_object(kernel, object) || kernel->is_fixed || kernel->block[1] < 2 ||
            !is_worst(f, kernel, object))
            continue;
        if (has_columns && f->is_whole && !f->has_order)
            add_swap(f, kernel, object, true);
        add_swap(f, kernel, object, false);
    }
}

/* ---- Unequal work ---------------------------------------------------------------------------- */

void find_divergent(struct findings *f)
{
    for (size_t i = 0; i < f->observed->kernel_count; i++) {
        const struct kernel_seen *kernel = &f->observed->kernels[i];
        const uint64_t threads = (uint64_t)kernel->block[0] * kernel->block[1] * kernel->block[2];
        if (kernel->is_fixed || kernel->has_barriers || kernel->has_shared || threads <= 32 ||
            kernel->lanes * 100 > kernel->accesses * WARP_LANES * FULL_PERCENT ||
            findings_time_share(f, kernel) < share_least)
            continue;
        struct candidate *c = findings_add_regrouping(f, "sort", NO_OBJECT, kernel,
                                                      (struct regrouping){.kind = REGROUP_SORT});
        if (c == NULL)
            return;
        snprintf(
            c->why, sizeof c->why,
            "of the 32 lanes of a warp %.1f take part in an access on average: the others have "
            "nothing to do",
            (double)kernel->lanes / (double)kernel->accesses);
        snprintf(
            c->change, sizeof c->change,
            "give threads with equally much to do to the same warp: sort what a block's threads "
            "work on by its length, longest first");
        snprintf(c->cost, sizeof c->cost,
                 "a permutation of the indices, to be made and to be read; " NO_SHUFFLES);
    }
}

/* ---- Wider words ----------------------------------------------------------------------------- */

/* Whether all lanes of each access to the array want one and the same word. */
static bool is_broadcast(const struct object *object)
{
    return object->step_count == 0 && !object->is_irregular;
}

/* Whether lanes side by side take words side by side, from a multiple of WIDE_BYTES on. */
static bool is_row(const struct object *object)
{
    return object->space == SPACE_GLOBAL && object->home == HOME_DEVICE && object->atomics == 0 &&
           !object->is_mixed && !object->is_irregular && object->width &&
           !object->lane_steps_differ && object->lane_step == object->width && object->has_start &&
           (object->start | object->start_differs) % WIDE_BYTES == 0;
}

/* The widest word of a kernel's rows; 0 when some array is taken in another way. */
static uint32_t widest_word(const struct findings *f, const struct kernel_seen *kernel)
{
    uint32_t widest = 0;
    bool fine = true;
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        if (!kernel_has_object(kernel, i) || is_broadcast(object))
            continue;
        fine &= is_row(object);
        widest = object->width > widest ? object->width : widest;
    }
    return fine ? widest : 0;
}

static void add_vectors(struct findings *f, const struct kernel_seen *kernel, uint32_t widest,
                        uint32_t factor)
{
    struct candidate *c =
        findings_add_regrouping(f, "wide-words", NO_OBJECT, kernel,
                                (struct regrouping){.kind = REGROUP_VECTOR, .factor = factor});
    if (c == NULL)
        return;
    c->least_saved = vectors_least;
    snprintf(c->why, sizeof c->why,
             "a lane takes %" PRIu32 " bytes at a time, its neighbour the next ones", widest);
    snprintf(c->change, sizeof c->change,
             "let a thread work on %" PRIu32
             " neighbouring elements, taken by one access of %" PRIu32
             " bytes%s, and launch a %s of the threads",
             factor, widest * factor, widest * factor == 16 ? " (float4, int4, double2)" : "",
             factor == 2   ? "half"
             : factor == 4 ? "quarter"
                           : "part");
    snprintf(c->cost, sizeof c->cost,
             "registers; elements behind the last multiple of %" PRIu32
             " go by themselves; " NO_SHUFFLES,
             factor);
}

void find_vectors(struct findings *f)
{
    for (size_t i = 0; i < f->observed->kernel_count; i++) {
        const struct kernel_seen *kernel = &f->observed->kernels[i];
        const uint32_t widest = widest_word(f, kernel);
        if (kernel->is_fixed || kernel->has_barriers || kernel->has_shared || kernel->has_atomics ||
            !f->is_whole || widest == 0 || findings_time_share(f, kernel) < share_least)
            continue;
        for (uint32_t factor = 2; factor * widest <= WIDE_BYTES; factor *= 2)
            if (kernel->grid[0] >= factor)
                add_vectors(f, kernel, widest, factor);
    }
}

/* ---- Loads one at a time --------------------------------------------------------------------- */

void find_loads_alone(struct findings *f)
{
    const struct counters *total = &f->result->total;
    const double latency =
        (double)total->limited_latency_cycles / (double)(total->elapsed_cycles + 1);
    const bool has_warps = f->result->occupancy.warps_per_sm * 2 >= f->result->arch.warps_per_sm;
    for (size_t i = 0; latency >= latency_least && has_warps && i < f->observed->kernel_count;
         i++) {
        const struct kernel_seen *kernel = &f->observed->kernels[i];
        if (kernel->most_visits < VISITS_LEAST || 2 * kernel->waiting_loads < kernel->loads ||
            findings_time_share(f, kernel) < share_least)
            continue;
        findings_add_untried(
            f,
            "%.100s: for %.0f %% of the time nothing is near its limit, and %s of its warps' %s "
            "loads wait for those before them: where their addresses do not come from those, load "
            "what the next iterations need before this one's values are used (a loop with a "
            "constant step is unrolled by the compiler, others by hand)",
            kernel->name, 100 * latency, FINDINGS_COUNT(kernel->waiting_loads),
            FINDINGS_COUNT(kernel->loads));
    }
}
