/* warpgroup_product.c - see warpgroup.h.
 *
 * D lies in the lanes of a warp as four accumulators of mma.m16n8 do, side by side: PTX ISA, "Register Fragments" of wgmma.
 */
#include <math.h>

#include "tracer/matrix/elements.h"
#include "tracer/matrix/fragment.h"
#include "tracer/matrix/shared_matrix.h"
#include "tracer/matrix/warpgroup.h"

/* 8-bit integers are exact as floats; their sums are made in double. */
static float a_rows[WARP_ROWS][DEPTH_BYTES], b_rows[DEPTH_BYTES][COLUMNS_MAX];

static void gather_registers(const struct wl_warpgroup_product *p,
                             const struct matrix_lane given[WARP_LANES])
{
    const unsigned bytes = element_bytes(p->a);
    const struct wl_fragment f = {
        .use = WL_MATRIX_A, .m = WARP_ROWS, .k = p->k, .bytes = (unsigned char)bytes};
    const unsigned held = fragment_held(&f), tiles = fragment_tiles(&f);
    for (unsigned tile = 0; tile < tiles; tile++) {
        const struct fragment_place base = fragment_tile(&f, tile);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const char *words = (const char *)given[lane].given[WL_MATRIX_A] + bytes * held * tile;
            for (unsigned i = 0; i < held; i++) {
                const struct fragment_place in = fragment_within(&f, lane, i);
                a_rows[base.row + in.row][base.column + in.column] =
                    (float)element_read(p->a, words + (size_t)bytes * i);
            }
        }
    }
}

static float element_at(const struct shared_matrix *m, bool by_columns, enum wl_element type,
                        unsigned mn, unsigned k)
{
    return (float)element_read(
        type, warpgroup_bytes(shared_matrix_at(m, by_columns, element_bytes(type), mn, k)));
}

static void gather(const struct wl_warpgroup_product *p, unsigned rank,
                   const struct matrix_lane given[WARP_LANES], const struct warpgroup_lane *lane)
{
    const struct shared_matrix a = shared_matrix_read(lane->a), b = shared_matrix_read(lane->b);
    if (p->a_in_registers)
        gather_registers(p, given);
    for (unsigned k = 0; k < p->k; k++) {
        for (unsigned row = 0; row < WARP_ROWS && !p->a_in_registers; row++)
            a_rows[row][k] = element_at(&a, (lane->flags & WL_A_BY_COLUMNS) != 0, p->a,
                                        WARP_ROWS * rank + row, k);
        for (unsigned column = 0; column < p->n; column++)
            b_rows[k][column] =
                element_at(&b, (lane->flags & WL_B_BY_COLUMNS) != 0, p->b, column, k);
    }
}

static void add_floats(float *restrict sum, const float *restrict b, float a, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sum[i] += a * b[i];
}

static void add_integers(double *restrict sum, const float *restrict b, double a, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sum[i] += a * (double)b[i];
}

/* Without .satfinite sums go round. */
static double integer_of(double sum, bool saturates)
{
    if (saturates)
        return fmin(fmax(sum, INT32_MIN), INT32_MAX);
    return (int32_t)(uint32_t)(int64_t)sum;
}

/* The element of D that number `i` of a lane's is. */
static struct fragment_place place_of(unsigned lane, unsigned i)
{
    return (struct fragment_place){lane / 4 + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2};
}

enum { BEFORE, BEHIND };

/* One row between the lanes' registers and `sum`. */
static void move_row(const struct wl_warpgroup_product *p, unsigned row, double sum[COLUMNS_MAX],
                     struct warpgroup_lane lanes[WARP_LANES], int when)
{
    const unsigned bytes = element_bytes(p->d);
    for (unsigned lane = row % 8 * 4; lane < row % 8 * 4 + 4; lane++)
        for (unsigned i = row / 8 * 2; i < p->n / 2; i += i % 2 ? 3 : 1) {
            char *at = (char *)lanes[lane].d + (size_t)bytes * i;
            double *element = &sum[place_of(lane, i).column];
            if (when == BEFORE)
                *element = element_read(p->d, at);
            else
                element_write(p->d, at, *element);
        }
}

static void make_row(const struct wl_warpgroup_product *p, unsigned row, bool minus,
                     double sum[COLUMNS_MAX])
{
    static float floats[COLUMNS_MAX];
    if (p->d == WL_S32) {
        for (unsigned k = 0; k < p->k; k++)
            add_integers(sum, b_rows[k], (double)a_rows[row][k], p->n);
        for (unsigned i = 0; i < p->n; i++)
            sum[i] = integer_of(sum[i], p->saturates);
        return;
    }
    for (unsigned i = 0; i < p->n; i++)
        floats[i] = (float)sum[i];
    for (unsigned k = 0; k < p->k; k++)
        add_floats(floats, b_rows[k], minus ? -a_rows[row][k] : a_rows[row][k], p->n);
    for (unsigned i = 0; i < p->n; i++)
        sum[i] = (double)floats[i];
}

void warpgroup_make(const struct wl_warpgroup_product *p, unsigned rank,
                    const struct matrix_lane given[WARP_LANES],
                    struct warpgroup_lane lanes[WARP_LANES])
{
    static double sum[COLUMNS_MAX];
    const unsigned flags = lanes[0].flags;
    const bool minus = ((flags & WL_MINUS_A) != 0) != ((flags & WL_MINUS_B) != 0);
    gather(p, rank, given, &lanes[0]);
    for (unsigned row = 0; row < WARP_ROWS; row++) {
        if (flags & WL_ADDS)
            move_row(p, row, sum, lanes, BEFORE);
        else
            for (unsigned i = 0; i < p->n; i++)
                sum[i] = 0;
        make_row(p, row, minus, sum);
        move_row(p, row, sum, lanes, BEHIND);
    }
}
