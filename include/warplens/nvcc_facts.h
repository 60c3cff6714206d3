/* nvcc_facts.h - what NVIDIA's compiler has made of a program's kernels, as --nvcc links it with the program.
 *
 * Written by src/cu/device_code_write.c, read by src/tracer/made/. A program without it has neither symbol.
 */
#ifndef WARPLENS_NVCC_FACTS_H
#define WARPLENS_NVCC_FACTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of its machine code: src/nvcc/kernels.h says what each is. */
struct wl_nvcc_loop {
    unsigned instructions, rounds;
};
struct wl_nvcc_line {
    const char *file; /* without folders */
    unsigned line, loop, load_bytes, store_bytes;
};

struct wl_nvcc_kernel {
    const char *symbol; /* as nvcc mangles it */
    unsigned registers; /* of a thread, 1 to 255 */
    unsigned loop_count, line_count;
    const struct wl_nvcc_loop
        *loops; /* loop 0 is what is in no loop; none when the code is not known */
    const struct wl_nvcc_line *lines;
};

/* `wl_nvcc_kernel_count` of them. */
extern const struct wl_nvcc_kernel wl_nvcc_kernels[] __attribute__((weak));
extern const unsigned wl_nvcc_kernel_count __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
