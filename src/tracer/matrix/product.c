/* product.c - D = A B + C of a warp, from its lanes' elements to its lanes' elements.
 *
 * What a tensor core does with the bits below a float's is not documented; the order and the rounding are decided here (matrices.h).
 * Products of halves, bfloat16 and tf32 are exact in float, so that a product and its sum are rounded once whatever the compiler
 * makes of them; those of doubles are rounded once, too. tf32 has the upper 19 bits of a float: the others are left out.
 */
#include <math.h>
#include <string.h>

#include "tracer/matrix/fragment.h"
#include "tracer/matrix/matrices.h"

enum { SIDE_MAX = 32, FRAGMENT_BYTES = 8 * FRAGMENT_WORDS };

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Halves below 2^-14 have no exponent: they are multiples of 2^-24. */
static float half_value(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;
    if (rest >= 0x7c00)
        return float_of(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest < 0x400)
        return (sign ? -1.0F : 1.0F) * (float)rest * 0x1p-24F;
    return float_of(sign | ((rest << 13) + 0x38000000));
}

/* Rounded to nearest, ties to even. */
static uint16_t half_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000)
        return 0x7fff;
    if (bits >= 0x477ff000) /* halfway from the largest half to the one that would follow */
        return sign | 0x7c00;
    if (bits < 0x38800000)
        return (uint16_t)(sign | (uint16_t)lrintf(float_of(bits) * 0x1p24F));
    bits += 0xfff + (bits >> 13 & 1);
    return (uint16_t)(sign | (uint16_t)((bits - 0x38000000) >> 13));
}

static unsigned element_bytes(enum wl_element type)
{
    switch (type) {
    case WL_F64:
        return 8;
    case WL_F16:
    case WL_BF16:
        return 2;
    case WL_S8:
    case WL_U8:
        return 1;
    default:
        return 4;
    }
}

unsigned product_element_bytes(const struct wl_product *product)
{
    return element_bytes(product->a);
}

/* Integers and what is a float are exact as doubles. */
static double read_element(enum wl_element type, const void *at)
{
    uint64_t bits = 0;
    memcpy(&bits, at, element_bytes(type));
    double value;
    switch (type) {
    case WL_F16:
        return half_value((uint16_t)bits);
    case WL_BF16:
        return float_of((uint32_t)bits << 16);
    case WL_TF32:
        return float_of((uint32_t)bits & 0xffffe000);
    case WL_F32:
        return float_of((uint32_t)bits);
    case WL_S8:
        return (int8_t)bits;
    case WL_U8:
        return (uint8_t)bits;
    case WL_S32:
        return (int32_t)bits;
    default:
        memcpy(&value, &bits, sizeof value);
        return value;
    }
}

static void write_element(enum wl_element type, void *at, double value)
{
    if (type == WL_F64) {
        memcpy(at, &value, sizeof value);
    } else if (type == WL_F16) {
        const uint16_t half = half_of((float)value);
        memcpy(at, &half, sizeof half);
    } else if (type == WL_S32) {
        const int32_t integer = (int32_t)value;
        memcpy(at, &integer, sizeof integer);
    } else {
        const float single = (float)value;
        memcpy(at, &single, sizeof single);
    }
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
                    read_element(type, words + f->bytes * i);
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
                write_element(type, words + f->bytes * i,
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
