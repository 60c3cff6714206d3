/* cuda_matrix_calls.h - matrix fragments: the runtime's functions behind ldmatrix, stmatrix, mma and nvcuda::wmma.
 *
 * A fragment is what a warp's 32 lanes hold of a matrix: each the same number of elements. Elements go to functions and come
 * back in words of 8 bytes, the first element in the lowest bits, so that what a GPU has in registers is nowhere in memory.
 * All 32 lanes of the warp come to each of these functions; otherwise the launch ends.
 */
#ifndef WARPLENS_CUDA_MATRIX_CALLS_H
#define WARPLENS_CUDA_MATRIX_CALLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum wl_matrix_use { WL_MATRIX_A, WL_MATRIX_B, WL_ACCUMULATOR };
enum wl_element {
    WL_F16,
    WL_BF16,
    WL_TF32,
    WL_F32,
    WL_F64,
    WL_S8,
    WL_U8,
    WL_S32,
    WL_E4M3,
    WL_E5M2
};

/* One of the matrices of D = A B + C, where A is m x k, B k x n, C and D m x n. */
struct wl_fragment {
    unsigned char use; /* enum wl_matrix_use */
    unsigned char m, n, k;
    unsigned char bytes;      /* of an element */
    unsigned char by_columns; /* in memory */
    unsigned char plain;      /* the GPU has no ldmatrix */
};

struct wl_product {
    unsigned char m, n, k;
    unsigned char a, b, c, d; /* enum wl_element */
    unsigned char saturates;  /* of integers: sums end at the ends of their range */
};

/* Two words of the lane's fragment, or of its first half. */
struct wl_words {
    uint64_t low, high;
};

/* `count` matrices of 8 rows of 16 bytes in shared memory: lane 8 k + i names row i of matrix k. What comes back, and is
 * stored, is a word of 4 bytes for each matrix. */
struct wl_words wl_ldmatrix(unsigned count, unsigned transposed, const void *row);
void wl_stmatrix(unsigned count, unsigned transposed, void *row, uint64_t low, uint64_t high);

/* Says the lane's elements of a matrix for the function that follows. */
void wl_fragment_give(unsigned use, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3);
/* The same of registers of 4 bytes, the first in the lower half of the first word. */
void wl_fragment_give_registers(unsigned use, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3);
/* The second half of what the lane's last function has given back. */
struct wl_words wl_fragment_rest(void);

struct wl_words wl_mma(const struct wl_product *product);
/* `ld`: elements from a row's beginning to the next's, or a column's; `file` and `line` are where the accesses are. */
struct wl_words wl_fragment_load(const struct wl_fragment *fragment, const void *from, unsigned ld,
                                 const char *file, int line);
void wl_fragment_store(const struct wl_fragment *fragment, void *to, unsigned ld, const char *file,
                       int line);

/* ---- wgmma: a product of a warpgroup, four warps -------------------------------------------------------- */

/* D = A B + D: A is 64 x k, B k x n; k elements are 32 bytes. */
struct wl_warpgroup_product {
    unsigned short n;
    unsigned char k;
    unsigned char a, b, d; /* enum wl_element */
    unsigned char saturates;
    unsigned char a_in_registers; /* given as WL_MATRIX_A */
};
enum wl_warpgroup_flags {
    WL_ADDS = 1, /* D is 0 otherwise */
    WL_MINUS_A = 2,
    WL_MINUS_B = 4,
    WL_A_BY_COLUMNS = 8, /* MN-major in shared memory */
    WL_B_BY_COLUMNS = 16,
};

/* The lane's registers of D from number `first` on; and one of them. Floats by themselves, and one by one: what this computer would need
 * to take them apart, or move them between its kinds of registers, is no instruction of a GPU. */
void wl_warpgroup_give(unsigned first, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3)
    __attribute__((nothrow));
void wl_warpgroup_give_floats(unsigned first, float r0, float r1, float r2, float r3)
    __attribute__((nothrow));
uint32_t wl_warpgroup_take(unsigned number) __attribute__((nothrow));
float wl_warpgroup_take_float(unsigned number) __attribute__((nothrow));
/* a, b: descriptors of matrices in shared memory; flags: of enum wl_warpgroup_flags, all ones where the program's scales are neither 1 nor -1. */
void wl_warpgroup_mma(const struct wl_warpgroup_product *product, uint64_t a, uint64_t b,
                      unsigned flags) __attribute__((nothrow));
/* wgmma.fence: an instruction. */
void wl_warpgroup_fence(void) __attribute__((nothrow));
void wl_warpgroup_commit(void) __attribute__((nothrow));
/* wgmma.wait_group: until the other warps of the warpgroup have made what this one has. */
void wl_warpgroup_wait(unsigned left) __attribute__((nothrow));

#ifdef __cplusplus
}
#endif

#endif
