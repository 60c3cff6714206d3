/* recorder.h - the addresses that a launch's warps access, recorded on the GPU.
 *
 * tools/cuda/instrument_ptx.py puts a call of wl_record in front of every access of the kernels. The
 * first lane of those that make the call together takes the next place in the list of its warp, and
 * every lane writes its address there: a list is in the order in which the warp came to its accesses.
 * The first warps of the first blocks are recorded (address_text.h says how many).
 *
 * Text, for each launch:
 *
 *     launch transpose grid 4,2,1 block 16,16,1
 *     warp 0 0                                   (linear block index, warp in the block)
 *     ld.global.32 transpose.c:33 idata+0x80 stride=4 mask=ffffffff
 *
 * Global addresses count from the start of the array (harness_arrays), shared ones from the start of
 * the shared array, constant and local ones from the lowest that the recorded warps of the launch access,
 * each lane's local memory for itself. Texture addresses are offsets from the texture's start.
 */
#ifndef WARPLENS_RECORDER_H
#define WARPLENS_RECORDER_H

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

/* What the instrumented code records with the number of the site. op "array": where the shared array
 * `name` lies. */
struct recorder_site {
    uint32_t number;
    const char *file;
    uint32_t line;
    const char *op, *space;
    uint32_t width; /* bytes a lane */
    int read_only;
    const char *name;
};

/* Every site of the build, in the order of their numbers. */
extern const recorder_site recorder_sites[];
extern const size_t recorder_site_count;

/* Before a launch: empties the lists. Ends the program when the GPU has no room for them. */
void recorder_begin(const char *kernel, dim3 grid, dim3 block);

/* After it: waits for the launch and writes its text. What went wrong fails the run (tracer_fail) and
 * stands in the text as a line that begins with "error". */
void recorder_end(FILE *out);

#endif
