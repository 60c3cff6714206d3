/* sim_feed.h - feeds the model of time with synthetic kernels: chases, streams, copies, strides,
 * random lines, and mixes of them.
 *
 * A kernel is a grid of equal warps. Each warp runs its parts one after another, and that again for
 * every round. Several kernels can run on one GPU in turn: L2 keeps what the earlier ones left.
 */
#ifndef WARPLENS_TESTS_SIM_FEED_H
#define WARPLENS_TESTS_SIM_FEED_H

#include "models/models.h"
#include "sim/time/sim.h"

enum feed_shape {
    FEED_STREAM,  /* gapless: round r of all warps together, then round r + 1 */
    FEED_STRIDED, /* the same order, `stride` bytes from one lane to the next */
    FEED_RANDOM,  /* every eight lanes in a line of their own */
    FEED_CHASE,   /* one address after another for all warps, `stride` bytes apart or from a list */
    FEED_BARRIER,
};

struct feed_part {
    enum feed_shape shape;
    uint8_t space, op, flags;
    uint8_t width;        /* bytes a lane; 0: 4 */
    bool waits;           /* its address is what the load before brings */
    uint16_t work;        /* instructions */
    uint32_t active;      /* lanes; 0: all */
    uint64_t base, bytes; /* addresses; after `bytes` they begin again, 0: never */
    int64_t stride;
    const uint64_t *list; /* FEED_CHASE: NULL, or list_count addresses */
    uint32_t list_count;
};

struct feed_kernel {
    const struct feed_part *parts;
    uint32_t part_count, rounds;
    uint32_t blocks; /* 0: as many as the GPU holds */
    uint32_t warps;  /* of a block; 0: 8 */
    uint32_t idle;   /* the first so many blocks do nothing */
    uint64_t seed;
    const uint8_t *lane_of; /* NULL, or a permutation: lane i does what lane lane_of[i] would */
};

struct feed {
    struct judge judge;
    struct sim sim;
    struct step_store store;
    uint64_t launches;
};

struct feed_result {
    uint64_t ticks;
    struct counters counters;
};

/* A GPU. A test in which memory is short fails. */
void feed_open(struct feed *feed, const struct arch *arch, const struct sim_options *options);
void feed_close(struct feed *feed);

/* One launch. */
void feed_run(struct feed *feed, const struct feed_kernel *kernel);

/* One launch of which a block is watched: feed->sim.timeline->kept. */
void feed_watch(struct feed *feed, const struct feed_kernel *kernel, uint32_t block);

/* Sums over the launches so far. */
struct feed_result feed_total(const struct feed *feed);

/* A kernel alone on a GPU. */
struct feed_result feed_alone(const struct arch *arch, const struct feed_kernel *kernel);

/* Blocks of so many warps that the GPU holds at once. */
uint32_t feed_resident_blocks(const struct arch *arch, uint32_t warps);

/* Models that stand for all others in suites that take long: the default chip of each compute capability, and one of
 * each further kind of memory, way of writing parts of sectors and number of L2 sides that there is with it. What others
 * differ in is numbers. With the variable ALL_GPUS in the environment: all of them. */
enum { FEED_MODELS_MAX = 128 };
struct feed_models {
    const struct gpu_model *items[FEED_MODELS_MAX];
    size_t count;
};
struct feed_models feed_models(void);

/* Calls a check with the table of each of these models. */
typedef void feed_check(const char *name, const struct arch *arch);
void feed_each_model(feed_check *check);

/* A permutation of the lanes that keeps each lane within its group of `group` lanes. */
void feed_permutation(uint8_t lane_of[WARP_LANES], uint32_t group, uint64_t seed);

/* Megabytes a second: what `bytes` in `ticks` of the GPU's clock are. */
double feed_megabytes_per_s(const struct arch *arch, uint64_t bytes, uint64_t ticks);

#endif
