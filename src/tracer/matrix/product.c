/* product.c - D = A B + C of a warp, from its lanes' elements to its lanes' elements.
 *
 * What a tensor core does with the bits below a float's is not documented; the order and the rounding are decided here (matrices.h).
 * Products of halves, bfloat16 and tf32 are exact in float, so that a product and its sum are rounded once whatever the compiler
 * makes of them; those of doubles are rounded once, too.
 */
#include <math.h>

#include "tracer/matrix/elements.h"
#include "tracer/matrix/fragment.h"
#include "tracer/matrix/matrices.h"

enum { SIDE_MAX = 32 };

unsigned product_element_bytes(const struct wl_product *product)
{
    return element_bytes(product->a);
}

struct matrices {
    double a[SIDE_MAX][SIDE_MAX], b[SIDE_MAX][SIDE_MAX], c[SIDE_MAX][SIDE_MAX];
};

/* Between a matrix and the lanes' words. */
static void gather(const struct wl_fragment *f, enum wl_element type,
                   const struct matrix_lane lanes[WARP_LANES], double to[SIDE_MAX][SIDE_MAX])
{
    const unsigned held = fragment_held(f), tiles = fragment_tiles(f);
    for (unsigned tile = 0; tile < tiles; tile++) {
        const struct fragment_place base = fragment_tile(f, tile);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const char *words = (const char *)lanes[lane].given[f->use] + f->bytes * held * tile;
            for (unsigned i = 0; i < held; i++) {
                const struct fragment_place in = fragment_within(f, lane, i);
                to[base.row + in.row][base.column + in.column] =
                    element_read(type, words + f->bytes * i);
            }
        }
    }
}

static void scatter(const struct wl_fragment *f, enum wl_element type,
                    const double from[SIDE_MAX][SIDE_MAX], struct matrix_lane lanes[WARP_LANES])
{
    const unsigned held = fragment_held(f), tiles = fragment_tiles(f);
    for (unsigned tile = 0; tile < tiles; tile++) {
        const struct fragment_place base = fragment_tile(f, tile);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            char *words = (char *)lanes[lane].back + f->bytes * held * tile;
            for (unsigned i = 0; i < held; i++) {
                const struct fragment_place in = fragment_within(f, lane, i);
                element_write(type, words + f->bytes * i,
                              from[base.row + in.row][base.column + in.column]);
            }
        }
    }
}

static float dot_floats(const struct matrices *m, unsigned row, unsigned column, unsigned depth)
{
    float sum = (float)m->c[row][column];
    for (unsigned k = 0; k < depth; k++)
        sum += (float)m->a[row][k] * (float)m->b[k][column];
    return sum;
}

static double dot_doubles(const struct matrices *m, unsigned row, unsigned column, unsigned depth)
{
    double sum = m->c[row][column];
    for (unsigned k = 0; k < depth; k++)
        sum = fma(m->a[row][k], m->b[k][column], sum);
    return sum;
}

/* Without .satfinite sums go round; a double holds them exactly before. */
static double dot_integers(const struct matrices *m, unsigned row, unsigned column, unsigned depth,
                           bool saturates)
{
    double sum = dot_doubles(m, row, column, depth);
    if (saturates)
        return sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
    return (int32_t)(uint32_t)(int64_t)sum;
}

void product_make(const struct wl_product *p, struct matrix_lane lanes[WARP_LANES])
{
    static struct matrices m;
    static double d[SIDE_MAX][SIDE_MAX];
    struct wl_fragment f = {.m = p->m, .n = p->n, .k = p->k};
    f.use = WL_MATRIX_A;
    f.bytes = (unsigned char)element_bytes(p->a);
    gather(&f, p->a, lanes, m.a);
    f.use = WL_MATRIX_B;
    gather(&f, p->b, lanes, m.b);
    f.use = WL_ACCUMULATOR;
    f.bytes = (unsigned char)element_bytes(p->c);
    gather(&f, p->c, lanes, m.c);
    for (unsigned row = 0; row < p->m; row++)
        for (unsigned column = 0; column < p->n; column++)
            d[row][column] = p->d == WL_F64   ? dot_doubles(&m, row, column, p->k)
                             : p->d == WL_S32 ? dot_integers(&m, row, column, p->k, p->saturates)
                                              : dot_floats(&m, row, column, p->k);
    f.bytes = (unsigned char)element_bytes(p->d);
    scatter(&f, p->d, (const double(*)[SIDE_MAX])d, lanes);
}
