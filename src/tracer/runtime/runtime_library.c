/* runtime_library.c - calls of libraries (cuBLAS, ...) that the host computes: counted by name, and told as
 * notes when the program ends, since nothing of them is in the trace.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stream/managed_range.h"
#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"
#include "warplens/cuda_libraries.h"

enum { FUNCTIONS_MAX = 256, FUNCTION_NAME_BYTES = 64 };

static struct {
    char name[FUNCTION_NAME_BYTES];
    uint64_t calls;
} functions[FUNCTIONS_MAX];
static size_t function_count;

void wl_library_call(const char *name)
{
    size_t i = 0;
    if (engine.current) /* a thread of a kernel computes it by itself, and is traced */
        return;
    while (i < function_count && strcmp(functions[i].name, name) != 0)
        i++;
    if (i == FUNCTIONS_MAX)
        return;
    if (i == function_count)
        snprintf(functions[function_count++].name, FUNCTION_NAME_BYTES, "%.63s", name);
    functions[i].calls++;
}

void runtime_libraries_give(void)
{
    for (size_t i = 0; engine.sink && i < function_count; i++) {
        char key[FUNCTION_NAME_BYTES + sizeof NOTE_LIBRARY], calls[24];
        snprintf(key, sizeof key, NOTE_LIBRARY "%.63s", functions[i].name);
        snprintf(calls, sizeof calls, "%" PRIu64, functions[i].calls);
        engine_heed(sink_note(engine.sink, key, calls));
    }
    function_count = 0;
}

/* The host's memory is none of a library's on the device; zero bytes are nobody's. */
bool wl_library_reads(const char *function, const char *what, const void *pointer, size_t bytes)
{
    if (bytes == 0 || memory_holds(pointer, bytes))
        return true;
    runtime_refuse(cudaErrorInvalidValue, "%s: %s (%zu bytes) is outside every device array",
                   function, what, bytes);
    return false;
}

bool wl_library_writes(const char *function, const char *what, void *pointer, size_t bytes)
{
    if (bytes == 0 || !wl_library_reads(function, what, pointer, bytes))
        return bytes == 0;
    memory_touch(pointer, bytes, MANAGED_SET);
    return memory_write(pointer, bytes);
}

void *wl_library_allocate(const char *name, size_t bytes)
{
    void *pointer = NULL;
    if (wl_cuda_malloc(&pointer, bytes, name) != cudaSuccess || pointer == NULL)
        return NULL;
    memory_array_at(memory_offset(pointer))->host_may_touch = true;
    memory_write(pointer, bytes);
    return pointer;
}

void wl_library_copy(void *to, const void *from, size_t bytes)
{
    if (bytes == 0)
        return;
    memory_write(to, bytes);
    memmove(to, from, bytes);
}

void wl_library_enter(void)
{
    memory_library_depth += engine.current == NULL;
}

void wl_library_leave(void)
{
    memory_library_depth -= engine.current == NULL;
}
