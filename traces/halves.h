/* halves.h - what products of half-precision matrices have in common: C = A * B^T, A m x k, B n x k, both by rows, C m x n.
 *
 * A block of 4 warps makes TILE x TILE elements. Halves are kept as unsigned shorts; sums are halves, and values small enough for
 * them to be exact.
 */
#ifndef WARPLENS_HALVES_H
#define WARPLENS_HALVES_H

#include "gallery.h"

enum { TILE = 64, HALVES_THREADS = 128 };

/* Exact up to 2048. */
static inline unsigned short half_of(int value)
{
    const unsigned size = (unsigned)(value < 0 ? -value : value);
    unsigned exponent = 0;
    if (size == 0)
        return 0;
    while (size >> exponent > 1)
        exponent++;
    return (unsigned short)((value < 0 ? 0x8000u : 0) + ((exponent + 15) << 10) +
                            ((size << 10 >> exponent) & 0x3ff));
}

static inline void fill_halves(unsigned short *device, unsigned short *host, int count, int by)
{
    for (int i = 0; i < count; i++)
        host[i] = half_of(i * by % 5 - 2);
    cudaMemcpy(device, host, (size_t)count * sizeof *host, cudaMemcpyHostToDevice);
}

typedef void halves_launcher(dim3 grid, dim3 block, size_t shared, const unsigned short *A,
                             const unsigned short *B, unsigned short *C, int n, int k);

/* Fills, launches and checks. */
static inline void run_halves(const struct gallery_args *args, halves_launcher *launch)
{
    const int m = gallery_int(args, "m"), n = gallery_int(args, "n"), k = gallery_int(args, "k");
    GALLERY_OUTPUT(unsigned short, A, m *k);
    GALLERY_OUTPUT(unsigned short, B, n *k);
    GALLERY_OUTPUT(unsigned short, C, m *n);
    fill_halves(A, A_host, m * k, 7);
    fill_halves(B, B_host, n * k, 3);
    launch(make_dim3(n / TILE, m / TILE, 1), make_dim3(HALVES_THREADS, 1, 1), 0, A, B, C, n, k);
    for (int i = 0; i < m * n; i++) {
        int sum = 0;
        for (int j = 0; j < k; j++)
            sum += ((i / n * k + j) * 7 % 5 - 2) * ((i % n * k + j) * 3 % 5 - 2);
        C_host[i] = half_of(sum);
    }
    GALLERY_CHECK(C, m * n);
    GALLERY_FREE(C);
    GALLERY_FREE(B);
    GALLERY_FREE(A);
}

#define HALVES_SIZES                                                                               \
    {                                                                                              \
        {"m", 128, TILE, 2048, TILE, "rows of A and C"},                                           \
            {"n", 128, TILE, 2048, TILE, "rows of B, columns of C"},                               \
        {                                                                                          \
            "k", 128, TILE, 512, TILE, "columns of A and B"                                        \
        }                                                                                          \
    }

#endif
