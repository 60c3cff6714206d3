/* spaces.h - the inside of the tracer: variables of the program, and which space a host address is in. */
#ifndef WARPLENS_TRACER_SPACES_H
#define WARPLENS_TRACER_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/rules/access.h"

/* variables.c: the program's __device__, __managed__ and __constant__ variables. */
void variables_start(void);
bool variables_is_constant(const void *pointer, uint64_t *offset);
const void *variables_constant_bytes(uint64_t offset);
/* The bytes of constant variables, which lie in two pieces: 0 and 1. */
const char *variables_constants(unsigned piece, size_t *bytes);

/* spaces.c: the thread-local block, for hooks: which of its bytes are a shared array of this launch. */
enum { SHARED_GRANULE_BYTES = 256 };
struct shared_granule {
    uint64_t
        end; /* of its array, in the block; 0: it is no array's, or no lane has touched that yet */
    uint64_t ahead; /* simulated addresses are so far ahead of offsets in the block */
};
extern struct shared_window {
    uintptr_t base, bytes;
    struct shared_granule *granules;
    uint8_t *state; /* of each byte BYTE_WRITTEN, or 0 when no lane of the block has stored there */
} shared_window;

/* spaces.c. A kernel's parameters are in constant memory on a GPU, which counts no access of them. */
#define SPACE_PARAMETER SPACE_COUNT
/* Another block's shared memory, in places and events alone, and the same of a store or reduction that nobody waits for; accesses have
 * SPACE_SHARED and flags of it. */
#define SPACE_CLUSTER (SPACE_COUNT + 1)
#define SPACE_CLUSTER_ASYNC (SPACE_COUNT + 2)
static inline enum mem_space space_of_event(unsigned space)
{
    return space > SPACE_PARAMETER ? SPACE_SHARED : (enum mem_space)space;
}
struct place {
    enum mem_space space;
    uint64_t addr;
};
void spaces_start(void);
/* A block begins: nothing of its shared memory is written. */
void spaces_block(void);
/* What the block's shared memory takes when it is set aside; to there; and back, all in the block's turn. */
size_t spaces_aside_bytes(void);
void spaces_set_aside(char *to);
void spaces_bring_back(const char *from);
/* The same of a cluster's blocks: at the offsets of the thread-local block, bytes and their states. And these states as of nothing written. */
void spaces_copy_out(char *bytes, uint8_t *states);
void spaces_copy_in(const char *bytes, const uint8_t *states);
void spaces_clear_states(uint8_t *states);
/* Where an offset in the thread-local block is in shared memory; fails the launch where there is no such array. */
struct place spaces_place_shared(uint64_t offset, unsigned width, enum mem_op op, uintptr_t pc);
/* Whether an address is in the program's read-only data, where the compiler keeps initial values.
 */
bool spaces_is_program_constant(const void *pointer);
void spaces_launch(void);
/* The program's variables that may be __device__ ones, sorted by their addresses as linked. */
struct lineinfo_variable;
const struct lineinfo_variable *spaces_variables(size_t *count);
/* Where a host address outside the arena is for the current lane; fails the launch when nowhere. */
struct place spaces_place(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc);
/* The symbol of the function that holds the code there; NULL: unknown. */
const char *spaces_function(uintptr_t address);
/* Where that function's code is, [*low, *high); false when unknown. */
bool spaces_function_code(uintptr_t address, uintptr_t *low, uintptr_t *high);
/* The name and range of the shared array at a simulated shared address. */
const char *spaces_shared_array(uint64_t addr, uint64_t *begin, uint64_t *end);
uint64_t spaces_shared_bytes(void);
/* The bytes at a simulated address, as they are now; NULL when there are none, or they were never
 * written, or the memory is local. */
const void *spaces_bytes(enum mem_space space, uint64_t addr, unsigned width);

#endif
