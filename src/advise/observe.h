/* observe.h - what the accesses of a run show, array by array: which words lanes that lie side by side
 * want, which parts of an element are used, where warps begin. Two passes: the second knows how far
 * apart elements are.
 */
#ifndef WARPLENS_ADVISE_OBSERVE_H
#define WARPLENS_ADVISE_OBSERVE_H

#include "advise/observe_kernels.h"
#include "sim/rules/sectors.h"
#include "stream/stream.h"

enum { OBJECT_FIELDS_MAX = 8, OBJECT_STEPS_MAX = 8, OBJECTS_MAX = 256, NO_OBJECT = UINT16_MAX };

/* How often some distance was seen. */
struct seen_step {
    uint64_t bytes, times;
};

/* A part of each element, by its offset from the element's beginning. */
struct object_field {
    uint64_t offset;
    uint8_t width;
    uint64_t accesses;
};

/* An array, or what stands in for one where its bounds are not known: the accesses of one name. */
struct object {
    const char *name;   /* "" when it has none; the run's */
    const char *kernel; /* shared memory: of which kernel */
    uint8_t space, home;
    uint8_t width;     /* of all accesses; 0: they differ */
    bool is_known;     /* base and bytes are the array's; otherwise those of what is accessed */
    bool is_irregular; /* some access has no rows of lanes (pattern.h) */
    bool is_mixed;     /* a site of it also accesses something else */
    uint64_t base, bytes;
    uint64_t low, high; /* accessed: [low, high) */
    uint64_t accesses, stores, atomics;
    const char *atomic_kernel; /* whose atomics; "": nobody's, or several kernels' */
    bool returns_used;         /* what an atomic returned was an index: observe_atomics.h */
    uint64_t lane_step; /* bytes from each lane to the next one, where all accesses agree; or 0 */
    bool lane_steps_differ;
    struct seen_step steps[OBJECT_STEPS_MAX]; /* between lanes and between rows of lanes */
    size_t step_count;
    uint64_t pitch; /* what divides all distances between a block's warps at a site; 0: unknown */
    /* How often a warp came to a site of it again, one warp a block; of those, how often less than
     * SECTOR_BYTES from where it was. */
    uint64_t returns, near_returns;
    /* Of accesses by two lanes or more: the lowest address of one, and the bits in which others'
     * differ from it; modulo LINE_BYTES. */
    uint32_t start, start_differs;
    bool has_start;
    /* The second pass. */
    struct object_field fields[OBJECT_FIELDS_MAX]; /* by offset; of elements of lane_step bytes */
    size_t field_count;
    bool has_more_fields;
    /* Global loads: sectors of each access, and of each block. */
    uint64_t sectors_loaded, sectors_by_block;
};

struct observed {
    struct object *objects;
    size_t object_count;
    struct trace_site *sites; /* their texts are the run's */
    uint16_t *object_of_site; /* by site; NO_OBJECT: never seen */
    uint16_t *kernel_of_site; /* by site: 1 + its index; 0: never seen; SEVERAL_KERNELS */
    size_t site_count, site_room;
    uint32_t grid[3], block[3]; /* of the first launch */
    struct kernel_seen *kernels;
    size_t kernel_count, kernel_room;
    size_t kernel; /* the current launch's */
    uint64_t launches;
    bool arrays_overlap; /* in different launches: memory that was used again */
};

/* NO_OBJECT for a site that was not there. */
static inline uint16_t observed_object(const struct observed *observed, uint32_t site)
{
    return site < observed->site_count ? observed->object_of_site[site] : NO_OBJECT;
}

struct surveyor;

/* NULL without memory. Names of kernels, arrays and files that a run gives must outlive `observed`. */
struct surveyor *surveyor_new(struct observed *observed);
void surveyor_free(struct surveyor *surveyor);
void observed_free(struct observed *observed);

/* The run goes to the sink of pass 1, then to that of pass 2. A sink that wants no more is out of
 * memory. */
struct trace_sink surveyor_first_pass(struct surveyor *surveyor);
struct trace_sink surveyor_second_pass(struct surveyor *surveyor);

#endif
