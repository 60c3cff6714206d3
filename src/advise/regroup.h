/* regroup.h - a sink in front of a sink, that gives a run's work to other threads: recorded blocks are
 * taken apart into what each of their threads does, and given out as other warps and blocks.
 *
 * Lanes of a new warp whose threads come to a site for the same time since the last barrier make one
 * access. What a warp does next: an access for which all its lanes are ready that will ever take part in
 * it; of several, the one that was recorded first. Where none is (lanes come to two sites in different
 * orders), the one recorded first, with the lanes that are there; the others make theirs later. So
 * each thread keeps its own order, and threads that all do the same do it together.
 *
 * An access has the most work of its lanes' and waits for the most loads. Where a thread takes several neighbours
 * with one wide access, what it works out behind its first access it does for each of them. Warps of a block come one after
 * another. A group of more than REGROUP_RECORDS_MAX accesses and events is refused, and so is one that
 * the change does not fit.
 */
#ifndef WARPLENS_ADVISE_REGROUP_H
#define WARPLENS_ADVISE_REGROUP_H

#include "advise/observe.h"
#include "advise/regroup_group.h"
#include "advise/regrouping.h"
#include "stream/filter.h"

struct regroup {
    struct trace_filter filter; /* first: the context of its functions */
    const struct regrouping *regrouping;
    const struct observed *observed; /* of the run that comes in */
    struct launch_shape from, to;    /* of the launch */
    bool is_on;                      /* the launch changes */
    uint32_t next_block;             /* recorded, and ... */
    uint32_t new_block;              /* of the changed launch */
    uint32_t group_first;            /* recorded block with which the group begins */
    struct group group;
    uint8_t *widths; /* by site, of what is given out; owned */
    size_t site_count, site_room;
    const char *refusal; /* NULL; or why the change cannot be made: the sink wants no more then */
};

/* All pointers must outlive the regroup. */
void regroup_start(struct regroup *regroup, const struct regrouping *regrouping,
                   const struct observed *observed, const struct trace_sink *next);
void regroup_stop(struct regroup *regroup);
struct trace_sink regroup_sink(struct regroup *regroup);

#endif
