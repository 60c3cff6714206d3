/* managed.h - managed (unified) memory: which pages are on the GPU, who waits for the others, and
 * what the driver moves. A state machine without a clock: callers tell the time.
 *
 * An access to a page that is elsewhere faults. Faults are collected into a group; the driver reads
 * the group, moves pages, and lets every SM try again (the replay). Before sm_60 nothing faults:
 * pages move when a kernel is launched.
 */
#ifndef WARPLENS_SIM_TIME_MANAGED_H
#define WARPLENS_SIM_TIME_MANAGED_H

#include "sim/rules/access.h"
#include "models/arch.h"
#include "sim/rules/judge.h"
#include "stream/managed_range.h"

enum {
    MANAGED_BASIC_PAGES = 16, /* 64 KB: the least that moves */
    MANAGED_GROUP_MAX = 256,  /* faults the driver reads at once */
};

struct managed_parameters {
    bool faults;          /* sm_60 and later */
    uint64_t lock_ticks;  /* after a fault its SM's accesses are translated for this long */
    uint64_t read_ticks;  /* from the first fault of a group until the driver reads the group */
    uint64_t group_ticks; /* from then until the replay; pages and transfers come on top */
    uint64_t page_ticks;  /* for each faulted page of the group, by whichever SMs */
    uint64_t transfer_ticks, kilobyte_ticks; /* of each transfer; of each KB of it */
    uint32_t prefetch_percent; /* of a region: when more is wanted or there, all of it comes */
    int64_t clock_khz;         /* what a tick is 1/256 cycle of */
};

struct managed_parameters managed_parameters_for(const struct arch *arch);

enum managed_place { MANAGED_NOWHERE, MANAGED_ON_HOST, MANAGED_ON_GPU, MANAGED_COMING };

struct managed_array {
    uint64_t first_page, page_count; /* first_page: address / 4 KB */
    uint8_t *place;                  /* enum managed_place, by page */
};

struct managed_fault {
    uint64_t page;
    uint32_t sm, site;
};

enum managed_phase { MANAGED_IDLE, MANAGED_COLLECTING, MANAGED_SERVING };

struct managed {
    struct managed_parameters parameters;
    struct managed_array *arrays;
    size_t array_count, array_room;
    uint64_t *locked_at; /* by SM, ticks; UINT64_MAX: not locked */
    uint32_t sm_count;
    enum managed_phase phase;
    struct managed_fault group[MANAGED_GROUP_MAX];
    uint32_t fault_count;
    uint64_t opened_at, read_at, replay_at; /* ticks */
    uint64_t busy_ticks;                    /* of PCIe, by all transfers so far */
    uint64_t smallest_bytes, largest_bytes; /* of a transfer so far */
};

/* False when memory is short. */
bool managed_init(struct managed *managed, const struct managed_parameters *parameters,
                  uint32_t sm_count);
void managed_free(struct managed *managed);

/* Before a launch: all arrays, new ones and those that are known, and what the host did to them. What
 * prefetches move is counted in `c`. False when memory is short. */
bool managed_update(struct managed *managed, const struct managed_range *ranges, size_t count,
                    struct counters *c);

/* A launch begins. Before sm_60 every page goes to the GPU now; returns the ticks that takes. */
uint64_t managed_launch(struct managed *managed, struct counters *c);

struct managed_answer {
    uint64_t again;  /* ticks: when to ask again; 0: all pages are there */
    bool translated; /* the SM looked the pages up, and went on to the next access after that */
};

/* An access with ACCESS_MANAGED by SM `sm`, in the order of time; `judge` has the counters. */
struct managed_answer managed_access(struct managed *managed, uint32_t sm,
                                     const struct warp_access *access, uint64_t now,
                                     struct judge *judge);

#endif
