/* checker.h - `warplens check`: a sink that finds what memory order hides. docs/check.md says what is found. */
#ifndef WARPLENS_CHECK_CHECKER_H
#define WARPLENS_CHECK_CHECKER_H

#include "check/copies.h"
#include "check/hazard.h"
#include "check/order.h"
#include "check/shadow.h"
#include "result/run_info.h"
#include "stream/stream.h"

/* What the report says of the run besides its findings. */
struct check_limits {
    bool no_barriers, no_syncs; /* the trace's form has none */
    bool out_of_step;           /* its order of warps hides barriers */
    bool no_values;             /* stores whose values are not known */
    bool memory_full;           /* words beyond the first ones touched were not looked at */
    bool releases_full;         /* more synchronisation than can be followed */
    bool time_is_up;            /* a launch of more than 4 billion steps */
};

struct check_site {
    const char *file, *array; /* of the run's info */
    uint32_t line;
    uint8_t space, op, width;
    bool is_copy;    /* an asynchronous one: a store of shared memory, too */
    bool is_guess;   /* of loads: the lane compares and swaps the word then */
    uint64_t lowest; /* shared memory: address of an access in this launch; UINT64_MAX: none */
};

/* A __syncwarp that some of the named lanes have not come to yet. */
struct pending_sync {
    uint32_t lanes, named, mask; /* that have come; that run and are named; as the call has it */
    const struct check_place *place;
};
struct check_place {
    char *file; /* owned */
    uint32_t line;
};
enum { PENDING_SYNCS = 4, PLACES_MAX = 4096 };

struct checker {
    struct order order;
    struct shadow shared, global;
    struct check_site *sites;
    size_t site_count, site_room;
    struct check_place **places; /* of syncs */
    size_t place_count;
    struct pending_sync pending[BLOCK_WARPS_MAX][PENDING_SYNCS];
    uint32_t has_pending;      /* warps, by bit */
    struct launch_info launch; /* the running one */
    uint32_t launches;
    bool in_launch, in_block;
    uint32_t block;
    struct {
        uint32_t time, block;
    } * block_starts; /* of the launch, for the names of earlier blocks */
    size_t block_count, block_room;
    struct {
        uint16_t kind, first, second, finding; /* finding: 1 + number; 0: free */
    } recent[256];                             /* pairs of sites */
    struct check_copies copies;
    struct findings findings;
    struct check_limits limits;
    uint64_t accesses, blocks;
    struct run_info *info; /* notes, sites and faults; the caller may add texts of source files */
    bool no_memory;
};

/* False when memory is short; checker_free in any case. */
bool checker_start(struct checker *checker);
void checker_free(struct checker *checker);
struct trace_sink checker_sink(struct checker *checker);
/* Once, after the run: leaves out what another finding says better. */
void checker_finish(struct checker *checker);

/* ---- Inside ------------------------------------------------------------------------------------ */

/* accesses.c */
void checker_access(struct checker *checker, const struct warp_access *access);
/* copies.c */
bool copies_take(struct checker *checker, const struct trace_copy *copy);
void copies_access(struct checker *checker, const struct warp_access *access);
void copies_block(struct checker *checker);
void copies_free(struct checker *checker);
/* bulk.c: a step of bulk copies, or of a barrier in shared memory. */
bool checker_bulk(struct checker *checker, const struct trace_copy *copy);
/* masks.c */
void checker_sync(struct checker *checker, const struct trace_sync *sync);
void checker_end_pending(struct checker *checker, uint32_t warp);

/* findings.c. A meeting of two accesses; the first one's lane was `other`, of the warp and time of `touch`. */
struct meeting {
    enum hazard_kind kind;
    unsigned lanes_run;
    const struct touch *touch;
    unsigned other;
    uint16_t first_site, second_site;
    bool is_same_instruction, has_values_unknown;
    uint32_t warp;
    unsigned lane;
    uint64_t address;
    struct cell *cell; /* NULL: none */
};
void findings_meet(struct checker *checker, const struct meeting *meeting);
void findings_mask(struct checker *checker, unsigned lanes_run, const struct check_place *place,
                   uint32_t warp, unsigned lane, const char *text);
/* A launch ends: elements of shared arrays get their offsets. */
void findings_end_launch(struct checker *checker);

#endif
