/* stage.h - a sink in front of a sink, that takes the accesses of one array through shared memory: lanes
 * of a block exchange what they load or store so that neighbours have neighbouring words.
 *
 * For each access that all warps of a block make to the array, the block's addresses are sorted; thread
 * t takes the t-th of them. A load becomes that load, a store to the tile, a barrier, and a load from the
 * tile; a store becomes a store to the tile, a barrier, a load from the tile, and that store.
 */
#ifndef WARPLENS_ADVISE_STAGE_H
#define WARPLENS_ADVISE_STAGE_H

#include "advise/change.h"
#include "stream/filter.h"

struct stage_step;

struct stage {
    struct trace_filter filter; /* first: the context of its functions */
    const struct staging *staging;
    const struct observed *observed; /* of the run that comes in */
    struct stage_step *steps;        /* of the block that comes in; owned */
    size_t step_count, step_room;
    uint32_t block_threads, row_threads;
    uint32_t first_site; /* of the tile: a store, a load */
    uint32_t site_count;
    uint64_t tile_base, tile_bytes; /* behind what the block uses */
    uint8_t width;
    bool is_announced;
};

void stage_start(struct stage *stage, const struct staging *staging,
                 const struct observed *observed, const struct trace_sink *next);
void stage_stop(struct stage *stage);
struct trace_sink stage_sink(struct stage *stage);

#endif
