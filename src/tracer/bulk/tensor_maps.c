/* tensor_maps.c - cuTensorMapEncodeTiled: what the driver API's reference allows ("Tensor Map Object Management", CUDA 13.0) and
 * warplens has; it answers CUDA_ERROR_INVALID_VALUE for the rest, which it also says why for.
 */
#include "tracer/bulk/tensor_maps.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tracer/engine.h"
#include "tracer/shared_faults.h"
#include "tracer/spaces.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

enum { DONE = 0, INVALID_VALUE = 1 }; /* CUresult */
enum { BOX_MAX = 256, PITCH_UNIT = 16, STRIDE_MAX = 8 };
#define PITCH_END (1ULL << 40)

/* As the program's call has them (warplens/cuda_tensor_map.h). */
struct tensor_request {
    unsigned type, rank;
    void *address;
    const unsigned long long *sizes, *pitches;
    const unsigned *box, *strides;
    unsigned interleave, swizzle, promotion, fill;
};

int wl_tensor_map_encode(struct tensor_map *map, const struct tensor_request *request);

/* By CUtensorMapDataType: u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32 flushed, tf32, tf32 flushed. */
static const uint8_t element_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
static const uint8_t swizzle_bytes[] = {0, 32, 64, 128};

static bool fill_sizes(struct tensor_map *map, const struct tensor_request *r)
{
    for (unsigned d = 0; d < r->rank; d++) {
        const uint64_t pitch = d ? r->pitches[d - 1] : map->element;
        if (r->sizes[d] == 0 || r->sizes[d] > 1ULL << 32 || r->box[d] == 0 || r->box[d] > BOX_MAX ||
            r->strides[d] == 0 || r->strides[d] > STRIDE_MAX ||
            (d && (pitch % PITCH_UNIT || pitch >= PITCH_END)))
            return false;
        map->pitch[d] = pitch;
        map->size[d] = (uint32_t)(r->sizes[d] > UINT32_MAX ? UINT32_MAX : r->sizes[d]);
        map->box[d] = (uint16_t)r->box[d];
    }
    return true;
}

static bool is_other_form(const struct tensor_request *r)
{
    for (unsigned d = 0; d < r->rank; d++)
        if (r->strides[d] > 1)
            return true;
    return r->interleave || r->fill || r->swizzle >= sizeof swizzle_bytes;
}

static uint64_t sum_of(const struct tensor_map *map)
{
    enum { WORDS = (sizeof *map - offsetof(struct tensor_map, pitch)) / sizeof(uint64_t) };
    uint64_t words[WORDS], sum = (uintptr_t)map->base;
    memcpy(words, map->pitch, sizeof words);
    for (unsigned i = 0; i < WORDS; i++)
        sum = (sum ^ words[i]) * 0x100000001b3ULL; /* FNV-1a's prime */
    return sum;
}

WORK_COST_1 int wl_tensor_map_encode(struct tensor_map *map, const struct tensor_request *r)
{
    struct tensor_map made = {.tag = TENSOR_MAP_TAG, .base = r->address, .rank = (uint8_t)r->rank};
    if (map == NULL || r->type >= sizeof element_bytes || r->rank == 0 || r->rank > BULK_RANK_MAX ||
        r->sizes == NULL || r->box == NULL || r->strides == NULL ||
        (r->rank > 1 && r->pitches == NULL) || (uintptr_t)r->address % 16)
        return INVALID_VALUE;
    made.element = element_bytes[r->type];
    if (!fill_sizes(&made, r))
        return INVALID_VALUE;
    if (is_other_form(r))
        engine_fail_host(RETURN_ADDRESS,
                         "a tensor map with an interleaved layout, element strides above 1, a fill "
                         "of NaN or another swizzle than of 32, 64 and 128 bytes cannot run under "
                         "warplens: make one without");
    else
        made.swizzle = swizzle_bytes[r->swizzle];
    const unsigned inner = made.box[0] * made.element;
    if (inner % 16 || (made.swizzle && inner > made.swizzle))
        return INVALID_VALUE;
    made.sum = sum_of(&made);
    memset(map, 0, 128);
    memcpy(map, &made, sizeof made);
    return DONE;
}

const struct tensor_map *tensor_map_at(const void *pointer, unsigned rank, uintptr_t pc)
{
    const struct tensor_map *map = pointer;
    spaces_place(pointer, ACCESS_BYTES_MAX, OP_LOAD, pc); /* a place that a kernel can read */
    if (map->tag != TENSOR_MAP_TAG)
        engine_fail_lane(pc, "a tensor copy by a tensor map that cuTensorMapEncodeTiled has not "
                             "made: hand it to the kernel as a const __grid_constant__ "
                             "CUtensorMap parameter");
    if (map->sum != sum_of(map))
        engine_fail_lane(pc, "a tensor copy by a tensor map whose bytes the program has changed, "
                             "which are others here than on a GPU: make another map with "
                             "cuTensorMapEncodeTiled");
    if (map->rank != rank)
        engine_fail_lane(pc, "a tensor copy of %u dimensions by a tensor map of %u", rank,
                         map->rank);
    return map;
}
