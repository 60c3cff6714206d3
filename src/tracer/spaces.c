/* spaces.c - which memory space a host address is, when it is not in the device arena.
 *
 * Shared memory is the program's thread-local segment: its symbols are the kernels' __shared__
 * arrays, and each gets an offset in the block's shared memory when a launch first touches it, in
 * that order, at multiples of 256 bytes, so that offsets (and banks) do not depend on what else the
 * program holds. Constant memory is the section that __constant__ names (variables.c). Local memory is the
 * current lane's stack; hardware interleaves it so that the lanes of a warp at one local offset are
 * contiguous, and so do the addresses given here, by words of the access's own width.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "tracer/grid/cluster.h"
#include "tracer/shared_faults.h"
#include "machine_code/lineinfo.h"
#include "machine_code/source_name.h"
#include "warplens/cuda.h"

enum { DYNAMIC_SHARED_BYTES = 228 * 1024 };

/* What extern __shared__ names: C++ programs declare arrays of any type at this symbol. */
extern _Thread_local char warplens_dynamic_shared[];
_Thread_local _Alignas(1024) char warplens_dynamic_shared[DYNAMIC_SHARED_BYTES];

/* An address less than this before device memory is meant to be in its first array. */
enum { BELOW_BYTES = 65536 };

#define LOCAL_BASE_ADDRESS 0x1000000000ULL
_Static_assert(LOCAL_WARP_BYTES == (uint64_t)LANE_STACK_BYTES * WARP_LANES, "a lane's whole stack");

struct shared_window shared_window;
static struct lineinfo *program;
static uintptr_t tls_base;
static uint64_t tls_bytes;
static struct {
    uintptr_t begin, end;
} read_only[8]; /* segments of the program; linkers make two or three */
static unsigned read_only_count;
static struct shared_array *shared_arrays;
static size_t shared_count;
static uint16_t
    *granule_owner;           /* by TLS granule: 1 + index of the array that begins at or before */
static uint16_t placed[1024]; /* arrays in the order of their addresses */
static size_t placed_count;
static uint64_t placed_end;
static uint64_t shared_bytes; /* the sum of the touched arrays' sizes */
static unsigned
    uneven_count; /* of the touched ones, those whose sizes are no multiples of ACCESS_BYTES_MAX */
static const char *dynamic_name = "", *file_scope_name = "";

static void find_read_only(uintptr_t base, const ElfW(Phdr) * segment)
{
    /* Behind relocation tables of virtual functions are read only, too. */
    if (!(segment->p_type == PT_LOAD && !(segment->p_flags & PF_W)) &&
        segment->p_type != PT_GNU_RELRO)
        return;
    if (read_only_count == sizeof read_only / sizeof read_only[0])
        return;
    read_only[read_only_count].begin = base + segment->p_vaddr;
    read_only[read_only_count].end = base + segment->p_vaddr + segment->p_memsz;
    read_only_count++;
}

bool spaces_is_program_constant(const void *pointer)
{
    for (unsigned i = 0; i < read_only_count; i++)
        if ((uintptr_t)pointer >= read_only[i].begin && (uintptr_t)pointer < read_only[i].end)
            return true;
    return false;
}

static int find_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    engine.image_base = info->dlpi_addr;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        find_read_only(info->dlpi_addr, &info->dlpi_phdr[i]);
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            tls_base = (uintptr_t)info->dlpi_tls_data;
            tls_bytes = info->dlpi_phdr[i].p_memsz;
        }
    }
    return 1; /* the first object is the program itself */
}

/* False: no memory, and nothing was taken. */
static bool shared_make_room(size_t arrays, size_t granules)
{
    shared_arrays = calloc(arrays, sizeof *shared_arrays);
    shared_window.granules = calloc(granules, sizeof *shared_window.granules);
    granule_owner = calloc(granules, sizeof *granule_owner);
    shared_window.state = calloc(tls_bytes + 16, 1);
    if (shared_arrays && shared_window.granules && granule_owner && shared_window.state)
        return true;
    free(shared_window.state);
    shared_window.state = NULL;
    free(shared_arrays);
    free(shared_window.granules);
    free(granule_owner);
    shared_window.granules = NULL;
    return false;
}

/* gcc guards static arrays of classes whose default constructor is written down, even as `= default` (half2): nvcc's shared
 * arrays have no guard. The state of its bytes says so. */
enum { GUARD_STATE = 0xff };
static bool is_guard(const struct lineinfo_variable *symbol)
{
    return strncmp(symbol->name, "_ZGV", 4) == 0 && symbol->offset + symbol->size <= tls_bytes;
}

static bool shared_open(void)
{
    size_t count = 0;
    const struct lineinfo_variable *symbols = lineinfo_tls_symbols(program, &count);
    if (!shared_make_room(count + 1, tls_bytes / SHARED_GRANULE_BYTES + 1))
        return false;
    shared_window.base = tls_base;
    shared_window.bytes = tls_bytes;
    for (size_t i = 0; i < count; i++) {
        if (is_guard(&symbols[i]))
            memset(shared_window.state + symbols[i].offset, GUARD_STATE, symbols[i].size);
        if (is_guard(&symbols[i]) || symbols[i].offset % SHARED_GRANULE_BYTES ||
            symbols[i].offset + symbols[i].size > tls_bytes)
            continue; /* not made by __shared__, which aligns */
        shared_arrays[shared_count++] =
            (struct shared_array){symbols[i].name, symbols[i].offset, symbols[i].size, UNPLACED};
        for (uint64_t g = symbols[i].offset / SHARED_GRANULE_BYTES;
             g < tls_bytes / SHARED_GRANULE_BYTES + 1; g++)
            granule_owner[g] = (uint16_t)shared_count;
    }
    return true;
}

void spaces_start(void)
{
    if (program)
        return;
    read_only_count = 0;
    dl_iterate_phdr(find_program, NULL);
    program = lineinfo_open("/proc/self/exe");
    if (program ? shared_open() : errno != ENOMEM)
        return;
    tracer_fail("no memory for the program's symbols");
    lineinfo_close(program);
    program = NULL;
}

bool tracer_has_symbols(void)
{
    return program && lineinfo_function(program, (uintptr_t)spaces_start - engine.image_base);
}

const struct lineinfo_variable *spaces_variables(size_t *count)
{
    *count = 0;
    return program ? lineinfo_objects(program, count) : NULL;
}

const char *spaces_function(uintptr_t address)
{
    return program ? lineinfo_function(program, address - engine.image_base) : NULL;
}

bool spaces_function_code(uintptr_t address, uintptr_t *low, uintptr_t *high)
{
    uint64_t begin, end;
    if (program == NULL ||
        !lineinfo_function_code(program, address - engine.image_base, &begin, &end))
        return false;
    *low = engine.image_base + begin;
    *high = engine.image_base + end;
    return true;
}

const char *wl_function_name(const void *function)
{
    static char name[256];
    const char *symbol = spaces_function((uintptr_t)function);
    source_name_of_function(symbol ? symbol : "?", name, sizeof name);
    return name;
}

struct lineinfo_line sites_line(uintptr_t pc)
{
    struct lineinfo_line none = {"?", 0}, line = call_lines_find(pc);
    if (line.file == NULL && program)
        line = lineinfo_find(program, pc - engine.image_base);
    return line.file ? line : none;
}

/* Gives an array its address, or takes it away, for hooks as well. */
static void shared_show(struct shared_array *array, uint64_t addr)
{
    array->addr = addr;
    for (uint64_t at = 0; at < array->bytes && shared_window.granules; at += SHARED_GRANULE_BYTES)
        shared_window.granules[(array->tls_offset + at) / SHARED_GRANULE_BYTES] =
            (struct shared_granule){.end = addr == UNPLACED ? 0 : array->tls_offset + array->bytes,
                                    .ahead = addr - array->tls_offset};
}

void spaces_block(void)
{
    for (size_t i = 0; i < placed_count && shared_window.bytes; i++) {
        const struct shared_array *array = &shared_arrays[placed[i]];
        memset(shared_window.state + array->tls_offset, 0, array->bytes);
    }
}

size_t spaces_aside_bytes(void)
{
    size_t bytes = sizeof placed_count;
    for (size_t i = 0; i < placed_count; i++)
        bytes += 2 * shared_arrays[placed[i]].bytes;
    return bytes;
}

void spaces_set_aside(char *to)
{
    memcpy(to, &placed_count, sizeof placed_count);
    to += sizeof placed_count;
    for (size_t i = 0; i < placed_count; i++) {
        const struct shared_array *array = &shared_arrays[placed[i]];
        memcpy(to, (const char *)tls_base + array->tls_offset, array->bytes);
        memcpy(to + array->bytes, shared_window.state + array->tls_offset, array->bytes);
        to += 2 * array->bytes;
    }
}

/* Arrays that only other blocks have touched are not written in this one. */
void spaces_bring_back(const char *from)
{
    size_t count;
    memcpy(&count, from, sizeof count);
    from += sizeof count;
    spaces_block();
    for (size_t i = 0; i < count; i++) {
        const struct shared_array *array = &shared_arrays[placed[i]];
        memcpy((char *)tls_base + array->tls_offset, from, array->bytes);
        memcpy(shared_window.state + array->tls_offset, from + array->bytes, array->bytes);
        from += 2 * array->bytes;
    }
}

void spaces_copy_out(char *bytes, uint8_t *states)
{
    for (size_t i = 0; i < placed_count; i++) {
        const struct shared_array *array = &shared_arrays[placed[i]];
        memcpy(bytes + array->tls_offset, (const char *)tls_base + array->tls_offset, array->bytes);
        memcpy(states + array->tls_offset, shared_window.state + array->tls_offset, array->bytes);
    }
}

void spaces_copy_in(const char *bytes, const uint8_t *states)
{
    for (size_t i = 0; i < placed_count; i++) {
        const struct shared_array *array = &shared_arrays[placed[i]];
        memcpy((char *)tls_base + array->tls_offset, bytes + array->tls_offset, array->bytes);
        memcpy(shared_window.state + array->tls_offset, states + array->tls_offset, array->bytes);
    }
}

void spaces_clear_states(uint8_t *states)
{
    for (size_t i = 0; i < placed_count; i++)
        memset(states + shared_arrays[placed[i]].tls_offset, 0, shared_arrays[placed[i]].bytes);
}

void spaces_launch(void)
{
    spaces_block();
    for (size_t i = 0; i < placed_count; i++)
        shared_show(&shared_arrays[placed[i]], UNPLACED);
    dynamic_name = "";
    placed_count = 0;
    placed_end = 0;
    shared_bytes = 0;
    uneven_count = 0;
}

uint64_t spaces_shared_bytes(void)
{
    return shared_bytes + engine.dynamic_shared_bytes;
}

WORK_COST_0 void *wl_dynamic_shared(const char *name)
{
    dynamic_name = name;
    return warplens_dynamic_shared;
}

/* Kernels name the same bytes differently: the first name of a launch is that launch's. One at file
 * scope is given before main, for launches in which no lane gives another. */
WORK_COST_0 int wl_name_dynamic_shared(const char *name)
{
    if (engine.current == NULL)
        file_scope_name = name;
    else if (dynamic_name[0] == '\0')
        dynamic_name = name;
    return 0;
}

static const char *name_of_dynamic(void)
{
    return dynamic_name[0] ? dynamic_name : file_scope_name;
}

static bool is_dynamic(const struct shared_array *array)
{
    return tls_base + array->tls_offset == (uintptr_t)warplens_dynamic_shared;
}

const char *spaces_shared_name(const struct shared_array *array)
{
    return is_dynamic(array) ? name_of_dynamic() : array->name;
}

struct shared_array *spaces_shared_owner(uint64_t tls_offset)
{
    const unsigned owner = granule_owner[tls_offset / SHARED_GRANULE_BYTES];
    return owner ? &shared_arrays[owner - 1] : NULL;
}

static bool is_uneven(const struct shared_array *array)
{
    return !is_dynamic(array) && array->bytes % ACCESS_BYTES_MAX;
}

static void shared_place(struct shared_array *array)
{
    if (is_dynamic(array))
        array->bytes = engine.dynamic_shared_bytes;
    else
        shared_bytes += array->bytes;
    uneven_count += is_uneven(array);
    if (placed_count < sizeof placed / sizeof placed[0])
        placed[placed_count++] = (uint16_t)(array - shared_arrays);
    shared_show(array, placed_end);
    placed_end +=
        (array->bytes + SHARED_GRANULE_BYTES - 1) / SHARED_GRANULE_BYTES * SHARED_GRANULE_BYTES;
}

const char *spaces_shared_array(uint64_t addr, uint64_t *begin, uint64_t *end)
{
    for (size_t i = placed_count; i-- > 0;) {
        const struct shared_array *array = &shared_arrays[placed[i]];
        if (array->addr <= addr) {
            *begin = array->addr;
            *end = array->addr + array->bytes;
            return spaces_shared_name(array);
        }
    }
    *begin = *end = addr;
    return "";
}

bool spaces_shared_is_uneven(void)
{
    return uneven_count > 0;
}

bool spaces_shared_is_aligned(uint64_t addr)
{
    if (uneven_count == 0)
        return true;
    for (size_t i = placed_count; i-- > 0;) {
        const struct shared_array *array = &shared_arrays[placed[i]];
        if (array->addr <= addr)
            return is_dynamic(array) || (uneven_count == 1 && is_uneven(array));
    }
    return false;
}

static const void *shared_bytes_at(uint64_t addr, unsigned width)
{
    for (size_t i = placed_count; i-- > 0;) {
        const struct shared_array *array = &shared_arrays[placed[i]];
        uint64_t at = addr - array->addr;
        if (array->addr <= addr)
            return at + width <= array->bytes ? (const void *)(tls_base + array->tls_offset + at)
                                              : NULL;
    }
    return NULL;
}

const void *spaces_bytes(enum mem_space space, uint64_t addr, unsigned width)
{
    uint64_t offset = addr - DEVICE_BASE_ADDRESS;
    switch (space) {
    case SPACE_GLOBAL:
    case SPACE_TEXTURE:
        if (offset >= device_arena.bytes || width > device_arena.bytes - offset ||
            device_arena.state[offset] != BYTE_WRITTEN)
            return NULL;
        return memory_bytes(memory_array_at(offset), offset);
    case SPACE_SHARED:
        return shared_bytes_at(addr, width);
    case SPACE_CONSTANT:
        return variables_constant_bytes(addr);
    default:
        return NULL;
    }
}

struct place spaces_place_shared(uint64_t offset, unsigned width, enum mem_op op, uintptr_t pc)
{
    struct shared_array *array = spaces_shared_owner(offset);
    if (shared_window.state && shared_window.state[offset] == GUARD_STATE)
        return (struct place){SPACE_PARAMETER, 0};
    if (array == NULL)
        engine_fail_lane(
            pc, "access of %u bytes to thread-local memory that is no __shared__ array", width);
    if (array->addr == UNPLACED)
        shared_place(array);
    uint64_t at = offset - array->tls_offset;
    if (at + width > array->bytes)
        shared_fail_outside(array, offset, width, op, pc);
    return (struct place){SPACE_SHARED, array->addr + at};
}

/* Offsets count from the kernel's frame: what lies above it on the stack is warplens's own, and differs
 * from build to build. */
static struct place place_local(uint64_t stack_offset, unsigned width)
{
    uint64_t offset =
        (stack_offset - engine.frame_offset + LANE_STACK_BYTES / 2) % LANE_STACK_BYTES;
    const struct lane *lane = engine.current;
    uint64_t warp = LOCAL_BASE_ADDRESS + lane->index / WARP_LANES * LOCAL_WARP_BYTES;
    uint64_t row = offset / width * width;
    if (stack_offset >= engine.parameter_offset)
        return (struct place){SPACE_PARAMETER, 0};
    return (struct place){SPACE_LOCAL, warp + row * WARP_LANES + lane->index % WARP_LANES * width};
}

/* Memory that is not the arena's: a __device__ variable, or memory of the host's made known. */
static struct place place_outside(uint64_t offset, unsigned width, enum mem_op op, uintptr_t pc)
{
    const struct device_array *array = memory_array_at(offset);
    if (offset + width > array->offset + array->bytes)
        memory_fail((int64_t)offset, width, op, pc);
    return (struct place){SPACE_GLOBAL, DEVICE_BASE_ADDRESS + offset};
}

static struct place place_constant(uint64_t offset, enum mem_op op, uintptr_t pc)
{
    if (op != OP_LOAD)
        engine_fail_lane(pc, "%s to constant memory, which a kernel cannot write",
                         op == OP_STORE ? "store" : "atomic");
    return (struct place){SPACE_CONSTANT, offset};
}

struct place spaces_place(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc)
{
    uintptr_t p = (uintptr_t)pointer;
    if (p - tls_base < tls_bytes)
        return spaces_place_shared(p - tls_base, width, op, pc);
    uintptr_t stack = (uintptr_t)lane_stack(engine.current->context);
    if (p - stack < LANE_STACK_BYTES)
        return place_local(p - stack, width);
    if (cluster_holds(pointer))
        return cluster_place(pointer, width, op, pc);
    uint64_t offset;
    if (variables_is_constant(pointer, &offset))
        return place_constant(offset, op, pc);
    offset = memory_offset(pointer);
    if (offset != MEMORY_NOWHERE)
        return place_outside(offset, width, op, pc);
    if (op == OP_LOAD && spaces_is_program_constant(pointer)) /* a table of virtual functions */
        return (struct place){SPACE_PARAMETER, 0};
    const uint64_t before = device_arena.base - p;
    if (memory_tolerate_before(before, width, op, pc))
        return (struct place){SPACE_GLOBAL, DEVICE_BASE_ADDRESS - before};
    engine.error = cudaErrorIllegalAddress;
    if (before <= BELOW_BYTES)
        memory_fail(-(int64_t)before, width, op, pc);
    faults_stop_is(&(struct trace_fault){
        .kind = FAULT_OUT_OF_BOUNDS, .op = (uint8_t)op, .width = (uint8_t)width});
    engine_fail_lane(pc, "access of %u bytes outside every array: the address is %s", width,
                     p < 4096 ? "null" : "host memory, which a kernel cannot reach");
}
