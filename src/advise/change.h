/* change.h - a change of a program, as far as its accesses show it: where the bytes of each array go, in
 * which order blocks run. Pure: a map takes an address to an address.
 */
#ifndef WARPLENS_ADVISE_CHANGE_H
#define WARPLENS_ADVISE_CHANGE_H

#include "advise/observe.h"
#include "advise/regrouping.h"
#include "advise/spool.h"

enum map_kind {
    MAP_KEEP,
    MAP_PREFETCH,  /* bytes stay; managed memory, whose pages go to the GPU before each launch */
    MAP_WARP_SUM,  /* bytes stay; a warp's atomics on one word become one: combine.h */
    MAP_BLOCK_SUM, /* bytes stay; a block's atomics go to words of its own in shared memory */
    MAP_SHIFT,     /* all bytes go down by `pad` */
    MAP_FIELDS,    /* elements of `pitch` bytes -> an array for each field in use */
    MAP_WIDE,    /* the same elements, `pitch` + `pad` bytes each, taken by one access of a lane */
    MAP_ROWS,    /* rows of `pitch` bytes get `pad` bytes more */
    MAP_SWIZZLE, /* word c of row r of `pitch` bytes -> word c ^ r of the row */
    MAP_HALVES,  /* what lanes take 2^k words apart -> side by side, pairs in two halves */
};

struct field_place {
    uint64_t offset, width; /* in an element; a power of two at most 16 */
    uint64_t place;         /* of the field's own array, from the new base on */
};

/* Where the bytes of one object go. All of them then go on by `move`. */
struct array_map {
    enum map_kind kind;
    uint64_t base, bytes; /* the object */
    uint64_t pitch, pad;  /* MAP_BLOCK_SUM: pad is the bytes of a copy */
    uint32_t unit_bytes;  /* MAP_SWIZZLE, MAP_HALVES: of a word */
    size_t field_count;
    struct field_place fields[OBJECT_FIELDS_MAX];
    uint64_t new_bytes;
    int64_t move;
};

/* A tile in shared memory between a block's lanes and global memory: stage.h. */
struct staging {
    uint16_t object; /* NO_OBJECT: none */
    uint64_t pad_bytes;
    uint64_t tile_bytes; /* of the first launch's blocks */
};

struct change {
    struct array_map *maps; /* by object; owned */
    size_t map_count;
    struct block_order order;
    struct regrouping regrouping; /* of threads: before anything else */
    struct staging staging;
    const char *kernel;     /* whose blocks get more shared memory; NULL: none */
    uint64_t shared_growth; /* bytes a block */
};

/* Changes nothing yet. False when memory is short. */
bool change_start(struct change *change, const struct observed *observed);
void change_free(struct change *change);

/* Sets new_bytes of what has a kind of its own, and moves what is in the way: global arrays are placed
 * anew as the tracer places them (stream/addresses.h); where not all of them are known, or some launches
 * use memory again, what has changed goes behind all others. */
void change_place(struct change *change, const struct observed *observed);

/* Whether all bytes of the array stay where they are. */
static inline bool map_keeps_bytes(const struct array_map *map)
{
    return map->kind <= MAP_BLOCK_SUM;
}

/* Where an address goes. `lane_step`: bytes between neighbouring lanes of its access, without a sign. */
uint64_t map_address(const struct array_map *map, uint64_t addr, uint64_t lane_step);

/* Bytes of global memory that all objects take, after less before. */
int64_t change_global_growth(const struct change *change, const struct observed *observed);

/* Diagonal order of the blocks of a grid with two dimensions or three. */
uint32_t order_diagonal(const struct launch_info *launch, uint32_t place);
/* Columns of blocks first. */
uint32_t order_columns(const struct launch_info *launch, uint32_t place);

#endif
