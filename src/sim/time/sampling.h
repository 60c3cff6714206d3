/* sampling.h - which blocks of a launch are modelled in time, and what time those take that are not.
 *
 * Decisions only: no clock, no counters. Blocks come in order, and a wave is as many as are resident at once. The first
 * SAMPLING_WARM_WAVES are modelled and not measured, then groups of SAMPLING_GROUP_WAVES are. When both halves of a
 * group agree, a stretch of blocks is left out, then modelling goes on in the same way, until the next group agrees.
 * Each stretch takes the mean of the groups on both of its sides. The last waves are modelled in any case: the end of
 * a launch is unlike its middle.
 *
 * This is systematic sampling (Wunderlich, Wenisch, Falsafi and Hoe, "SMARTS", ISCA 2003), without its warming of
 * caches in between: what the first wave behind a stretch takes longer for is part of the error.
 */
#ifndef WARPLENS_SIM_TIME_SAMPLING_H
#define WARPLENS_SIM_TIME_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SAMPLING_WARM_WAVES = 1,
    SAMPLING_GROUP_WAVES = 8,
    SAMPLING_FIRST_STRETCH_WAVES = 16, /* each further one is twice as long */
    SAMPLING_LONGEST_STRETCH_WAVES = 128,
    SAMPLING_SHORTEST_STRETCH_WAVES = 4, /* less is not worth it */
    SAMPLING_LAST_WAVES = SAMPLING_WARM_WAVES + SAMPLING_GROUP_WAVES / 2,
    SAMPLING_KINDS_MAX = 16,
    SAMPLING_TRAFFIC = 4,
};

/* Running figures of a GPU when a wave ends. */
struct sampling_figures {
    uint64_t ticks;                     /* when all that was begun would be through */
    uint64_t traffic[SAMPLING_TRAFFIC]; /* sectors: L1 hits, beyond SMs, DRAM read, DRAM written */
    uint64_t lines, free_lines;         /* of L2; of those that hold nothing yet */
};

/* Blocks of one kind (block_kind.h). */
struct sampling_kind {
    uint64_t kind;
    uint64_t modelled, left_out; /* blocks */
};

struct sampling_mean {
    double ticks, error; /* of a wave; its standard error */
    double drift;        /* how far apart the means of both halves of the group are */
};

/* What is to be done at the end of a wave. */
enum sampling_mark {
    SAMPLING_GOES_ON,
    SAMPLING_GROUP_BEGINS, /* also in place of one that has not settled */
    SAMPLING_GROUP_SETTLED
};

struct sampling {
    uint64_t wave_blocks, blocks; /* of a wave; of the launch */
    uint64_t taken;               /* blocks so far */
    uint64_t modelled;            /* blocks since modelling began, or began again */
    uint64_t stretch_waves;       /* how long the next one may be */
    uint64_t stretch_left;        /* blocks; 0: blocks are modelled */
    uint64_t stretch;             /* blocks left out that no group behind them stands for yet */
    uint64_t left_out;            /* blocks, all of them */
    struct sampling_figures marks[SAMPLING_GROUP_WAVES + 1]; /* of the group so far */
    uint32_t mark_count;
    uint64_t began_ticks;        /* modelling, behind the latest stretch */
    struct sampling_mean before; /* of the group before the stretch */
    struct sampling_kind kinds[SAMPLING_KINDS_MAX];
    uint32_t kind_count;
    bool has_unlike, has_settled; /* more kinds than there is room for; some group has settled */
    double ticks, error_ticks;    /* of the blocks left out, and how far that may be off */
};

/* A launch of so many blocks. */
void sampling_start(struct sampling *sampling, uint64_t wave_blocks, uint64_t blocks);

/* Whether a launch has waves enough for one to be left out. */
bool sampling_is_long(const struct sampling *sampling);

/* Takes the launch's next block: true when it is to be modelled, false when it is left out. */
bool sampling_models(struct sampling *sampling, uint64_t kind);

/* Whether the block that was taken last ends a wave that is modelled: then sampling_note is called once the block has
 * its place on the GPU. */
bool sampling_ends_wave(const struct sampling *sampling);
enum sampling_mark sampling_note(struct sampling *sampling, const struct sampling_figures *now);

/* Behind the last block: `ticks` and `error_ticks` are whole then. */
void sampling_end(struct sampling *sampling);

#endif
