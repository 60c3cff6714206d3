/* bulk_copies.c - cp.async.bulk and its tensor forms: one thread asks for a copy between global and shared memory, of a row of bytes
 * or of a box of a tensor.
 *
 * Decision. As with cp.async, the bytes are copied when the lane asks for them: results are those of a program that waits where it
 * must. A wait for a phase does not end before its bytes have been asked for (mbarriers.c).
 */
#include <string.h>

#include "tracer/bulk/bulk_events.h"
#include "tracer/bulk/mbarriers.h"
#include "tracer/bulk/bulk_parts.h"
#include "tracer/bulk/tensor_maps.h"
#include "stream/limits.h"
#include "tracer/grid/cluster.h"
#include "tracer/shared_faults.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

enum { UNIT = 16, TENSOR_ALIGNMENT = 128, SWIZZLE_ROW_LOG2 = 7, UNIT_LOG2 = 4 };

unsigned long long wl_shared_address(const void *pointer); /* ptx.c */
void wl_bulk_load(void *to, const void *from, unsigned bytes, void *barrier, const char *file,
                  int line);
void wl_bulk_store(void *to, const void *from, unsigned bytes, const char *file, int line);
void wl_bulk_add(void *to, const void *from, unsigned bytes, unsigned type, const char *file,
                 int line);
/* Coordinates by value: an array of them would be in local memory, where no GPU has it. */
void wl_tensor_load(void *to, const void *map, unsigned rank, int c0, int c1, int c2, int c3,
                    int c4, void *barrier, const char *file, int line);
void wl_tensor_store(const void *map, const void *from, unsigned rank, int c0, int c1, int c2,
                     int c3, int c4, const char *file, int line);
void wl_bulk_commit(void);
void wl_bulk_wait(unsigned left);
void wl_bulk_wait_read(unsigned left);

/* ---- One row of bytes --------------------------------------------------------------------------- */

static void check_alignment(const void *pointer, unsigned alignment, const char *what,
                            enum mem_op op, uintptr_t pc)
{
    if ((uintptr_t)pointer % alignment == 0)
        return;
    engine.error = cudaErrorMisalignedAddress;
    faults_stop_is(
        &(struct trace_fault){.kind = FAULT_MISALIGNED, .op = (uint8_t)op, .width = UNIT});
    engine_fail_lane(pc, "misaligned bulk copy: its %s is no multiple of %u", what, alignment);
}

uint64_t bulk_shared_place(const void *pointer, unsigned bytes, enum mem_op op, uintptr_t pc)
{
    const struct place place = spaces_place(pointer, bytes, op, pc);
    const bool others = cluster_holds(pointer);
    if (place.space != SPACE_SHARED && !(others && op == OP_STORE))
        engine_fail_lane(pc, "a bulk copy whose %s is not in shared memory%s",
                         op == OP_STORE ? "destination" : "source",
                         others ? " of the block that asks for it" : "");
    (others ? cluster_check : shared_check)(pointer, bytes, op, pc);
    return place.addr;
}

static uint64_t global_place(const void *pointer, unsigned bytes, enum mem_op op, uintptr_t pc)
{
    const uint64_t addr = hooks_check_part(pointer, UNIT_LOG2, op, pc);
    for (unsigned at = UNIT; at < bytes; at += UNIT)
        hooks_check_part((const char *)pointer + at, UNIT_LOG2, op, pc);
    if (addr == MEMORY_NOWHERE)
        engine_fail_lane(pc, "a bulk copy whose %s is not in global memory",
                         op == OP_LOAD ? "source" : "destination");
    return addr;
}

static void begin(const char *file, int line, uintptr_t pc)
{
    if (file)
        call_lines_say(pc, file, (unsigned)line);
}

struct bulk_copy bulk_row_of(uint64_t shared, unsigned bytes)
{
    return (struct bulk_copy){
        .shared = shared, .rank = 1, .element = 1, .box = {bytes}, .size = {bytes}, .pitch = {1}};
}

void bulk_check_row(const void *to, const void *from, unsigned bytes, uintptr_t pc)
{
    if (bytes == 0 || bytes % UNIT)
        engine_fail_lane(pc, "a bulk copy of %u bytes; allowed: multiples of %d from %d on", bytes,
                         UNIT, UNIT);
    check_alignment(to, UNIT, "destination", OP_STORE, pc);
    check_alignment(from, UNIT, "source", OP_LOAD, pc);
}

/* Bytes come to a barrier of the block that they are written to, which may be another one of the cluster: the stream has no phase of it. */
static void tell_load(struct bulk_copy *copy, uint64_t source, uint32_t bytes, void *barrier,
                      uintptr_t pc)
{
    const struct mbarrier *b = mbarriers_at(barrier, pc);
    const bool own = mbarriers_is_own(b);
    copy->shared %= CLUSTER_BLOCK_BYTES;
    copy->barrier = own ? mbarriers_address(barrier, pc) : OTHERS_BARRIER_ADDRESS;
    copy->phase = own ? b->phase : 0;
    bulk_events_copy(copy, source, OP_LOAD, pc);
    mbarriers_complete(barrier, bytes, pc);
}

void bulk_load_row(void *to, const void *from, unsigned bytes, void *barrier, unsigned more,
                   uintptr_t pc)
{
    bulk_check_row(to, from, bytes, pc);
    struct bulk_copy copy = bulk_row_of(bulk_shared_place(to, bytes, OP_STORE, pc), bytes);
    const uint64_t source = global_place(from, bytes, OP_LOAD, pc);
    copy.more = (uint8_t)more;
    memcpy(to, from, bytes);
    tell_load(&copy, source, bytes, barrier, pc);
}

WORK_COST_1 void wl_bulk_load(void *to, const void *from, unsigned bytes, void *barrier,
                              const char *file, int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    if (engine.current == NULL)
        return;
    begin(file, line, pc);
    bulk_load_row(to, from, bytes, barrier, 0, pc);
}

WORK_COST_1 void wl_bulk_store(void *to, const void *from, unsigned bytes, const char *file,
                               int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    if (engine.current == NULL)
        return;
    begin(file, line, pc);
    bulk_check_row(to, from, bytes, pc);
    const struct bulk_copy copy = bulk_row_of(bulk_shared_place(from, bytes, OP_LOAD, pc), bytes);
    const uint64_t target = global_place(to, bytes, OP_STORE, pc);
    memcpy(to, from, bytes);
    bulk_events_copy(&copy, target, OP_STORE, pc);
}

/* ---- Reductions ----------------------------------------------------------------------------------- */

#define ADD(type)                                                                                  \
    for (size_t i = 0; i < bytes / sizeof(type); i++)                                              \
        ((type *)to)[i] += ((const type *)from)[i];                                                \
    break;

/* By enum wl_bulk_type (warplens/cuda_bulk.h). */
static void add(void *to, const void *from, size_t bytes, unsigned type)
{
    switch (type) {
    case 0:
        ADD(uint32_t)
    case 1:
        ADD(uint64_t)
    case 2:
        ADD(float)
    default:
        ADD(double)
    }
}

WORK_COST_1 void wl_bulk_add(void *to, const void *from, unsigned bytes, unsigned type,
                             const char *file, int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    if (engine.current == NULL)
        return;
    begin(file, line, pc);
    bulk_check_row(to, from, bytes, pc);
    const struct bulk_copy copy = bulk_row_of(bulk_shared_place(from, bytes, OP_LOAD, pc), bytes);
    const uint64_t target = global_place(to, bytes, OP_ATOMIC, pc);
    add(to, from, bytes, type);
    bulk_events_copy(&copy, target, OP_ATOMIC, pc);
}

/* ---- Boxes of tensors ---------------------------------------------------------------------------- */

struct box {
    struct bulk_copy copy;
    char *base, *shared; /* host addresses */
    uint32_t rows, pitch, bytes;
    uint64_t swizzle_base; /* the shared address that the swizzle goes by */
};

static struct box box_of(const struct tensor_map *map, const int *at, char *shared, enum mem_op op,
                         uintptr_t pc)
{
    struct box box = {.base = map->base, .shared = shared, .rows = 1};
    struct bulk_copy *copy = &box.copy;
    *copy = (struct bulk_copy){.rank = map->rank, .element = map->element, .swizzle = map->swizzle};
    memcpy(copy->pitch, map->pitch, sizeof copy->pitch);
    memcpy(copy->size, map->size, sizeof copy->size);
    for (unsigned d = 0; d < map->rank; d++) {
        copy->at[d] = at[d];
        copy->box[d] = map->box[d];
        box.rows *= d ? map->box[d] : 1U;
    }
    box.bytes = copy->box[0] * copy->element;
    box.pitch = copy->swizzle ? copy->swizzle : box.bytes;
    check_alignment(shared, TENSOR_ALIGNMENT, "place in shared memory", op, pc);
    if ((int64_t)at[0] * copy->element % UNIT) {
        faults_stop_is(
            &(struct trace_fault){.kind = FAULT_MISALIGNED, .op = (uint8_t)op, .width = UNIT});
        engine_fail_lane(pc,
                         "a tensor copy at innermost coordinate %d, which is no multiple of %d "
                         "bytes: a GPU stops there with an illegal instruction",
                         at[0], UNIT);
    }
    copy->shared =
        bulk_shared_place(shared, box.rows * box.pitch, op == OP_LOAD ? OP_STORE : OP_LOAD, pc);
    box.swizzle_base = wl_shared_address(shared) & ((1U << CLUSTER_RANK_SHIFT) - 1);
    return box;
}

/* Where byte `at` of the box is in shared memory: 16-byte units change places within 8 of them by the number of their line. */
static char *swizzled(const struct box *box, uint64_t at)
{
    const uint64_t units = box->copy.swizzle / UNIT, address = box->swizzle_base + at;
    const uint64_t turned =
        units ? address ^ ((address >> SWIZZLE_ROW_LOG2) % units) << UNIT_LOG2 : address;
    return box->shared + (turned - box->swizzle_base);
}

/* Where row k begins in global memory; false when it lies outside by an outer coordinate. */
static bool row_at(const struct box *box, uint32_t k, int64_t *offset)
{
    const struct bulk_copy *copy = &box->copy;
    *offset = (int64_t)copy->at[0] * copy->element;
    for (unsigned d = 1; d < copy->rank; k /= copy->box[d], d++) {
        const int64_t place = (int64_t)copy->at[d] + k % copy->box[d];
        if (place < 0 || place >= (int64_t)copy->size[d])
            return false;
        *offset += place * (int64_t)copy->pitch[d];
    }
    return true;
}

/* The bytes of each row that are inside the tensor: [*first, *end). */
static void find_inside(const struct bulk_copy *copy, uint32_t *first, uint32_t *end)
{
    const int64_t begins = copy->at[0] < 0 ? -(int64_t)copy->at[0] : 0;
    const int64_t left = (int64_t)copy->size[0] - copy->at[0];
    const int64_t ends = left < (int64_t)copy->box[0] ? left : (int64_t)copy->box[0];
    *first = (uint32_t)(begins < ends ? begins : 0) * copy->element;
    *end = (uint32_t)(begins < ends ? ends : 0) * copy->element;
}

/* Moves a row in units of 16 bytes, of which some bytes may lie outside the tensor. */
static void move_row(const struct box *box, uint32_t k, enum mem_op op, uintptr_t pc)
{
    uint32_t first, end;
    int64_t offset;
    const bool inside = row_at(box, k, &offset);
    find_inside(&box->copy, &first, &end);
    for (uint32_t at = 0; at < box->bytes; at += UNIT) {
        char *shared = swizzled(box, (uint64_t)k * box->pitch + at);
        const uint32_t from = first > at ? first - at : 0, to = !inside || end <= at ? 0
                                                                : end - at < UNIT    ? end - at
                                                                                     : UNIT;
        if (op == OP_LOAD)
            memset(shared, 0, UNIT);
        if (from >= to)
            continue;
        char *global = box->base + offset + at + from;
        const unsigned log2_part =
            to - from == UNIT ? UNIT_LOG2 : (unsigned)__builtin_ctz(box->copy.element);
        for (uint32_t i = 0; i < to - from; i += 1U << log2_part)
            hooks_check_part(global + i, log2_part, op, pc);
        if (op == OP_LOAD)
            memcpy(shared + from, global, to - from);
        else
            memcpy(global, shared + from, to - from);
    }
}

static uint64_t move_box(const struct box *box, enum mem_op op, uintptr_t pc)
{
    for (uint32_t k = 0; k < box->rows; k++)
        move_row(box, k, op, pc);
    const uint64_t offset = memory_offset(box->base);
    if (offset == MEMORY_NOWHERE)
        engine_fail_lane(pc, "a tensor copy whose tensor is not in global memory");
    return DEVICE_BASE_ADDRESS + offset;
}

uint32_t bulk_load_box(void *to, const void *map, unsigned rank, const int *at, void *barrier,
                       unsigned more, uint32_t *bytes, uintptr_t pc)
{
    struct box box = box_of(tensor_map_at(map, rank, pc), at, to, OP_LOAD, pc);
    const uint64_t source = move_box(&box, OP_LOAD, pc);
    *bytes = box.rows * box.bytes;
    box.copy.more = (uint8_t)more;
    tell_load(&box.copy, source, *bytes, barrier, pc);
    return box.rows * box.pitch;
}

WORK_COST_1 void wl_tensor_load(void *to, const void *map, unsigned rank, int c0, int c1, int c2,
                                int c3, int c4, void *barrier, const char *file, int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    const int at[] = {c0, c1, c2, c3, c4};
    if (engine.current == NULL)
        return;
    begin(file, line, pc);
    uint32_t bytes;
    bulk_load_box(to, map, rank, at, barrier, 0, &bytes, pc);
}

WORK_COST_1 void wl_tensor_store(const void *map, const void *from, unsigned rank, int c0, int c1,
                                 int c2, int c3, int c4, const char *file, int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    const int at[] = {c0, c1, c2, c3, c4};
    if (engine.current == NULL)
        return;
    begin(file, line, pc);
    const struct box box = box_of(tensor_map_at(map, rank, pc), at, (char *)from, OP_STORE, pc);
    bulk_events_copy(&box.copy, move_box(&box, OP_STORE, pc), OP_STORE, pc);
}

/* ---- Groups ---------------------------------------------------------------------------------------- */

WORK_COST_1 void wl_bulk_commit(void)
{
    bulk_events_step(BULK_COMMIT, 0, RETURN_ADDRESS);
}

WORK_COST_1 void wl_bulk_wait(unsigned left)
{
    bulk_events_step(BULK_WAIT, left, RETURN_ADDRESS);
}

WORK_COST_1 void wl_bulk_wait_read(unsigned left)
{
    bulk_events_step(BULK_WAIT_READ, left, RETURN_ADDRESS);
}
