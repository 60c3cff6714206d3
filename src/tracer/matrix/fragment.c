/* fragment.c - see fragment.h. The accesses are those that nvcc 13.0 makes for sm_90 of wmma's m16n16k16 of half and float
 * (validation/fragments/README.md, 5):
 *
 * - A and B of 2-byte elements in shared memory: ldmatrix, by columns or rows.
 * - Elsewhere, and accumulators of half: words of 4 bytes along memory, in registers transposed where they lie across.
 * - Others: the lane's neighbours as one word where they are neighbours in memory, otherwise one by one.
 *
 * For other shapes and types, the same is an assumption.
 */
#include "tracer/matrix/fragment.h"

enum { MATRIX_ROWS = 8, LANES_OF_A_ROW = 4, MATRICES_MAX = 4, ROW_BYTES = 16 };

unsigned fragment_held(const struct wl_fragment *f)
{
    if (f->use == WL_ACCUMULATOR)
        return 2;
    return f->bytes >= 4 ? 1 : 4U / f->bytes;
}

/* The other side of a tile than its 8 rows. */
static unsigned tile_depth(const struct wl_fragment *f)
{
    return LANES_OF_A_ROW * fragment_held(f);
}

/* Tiles along the side that comes first, and in all. */
static unsigned first_tiles(const struct wl_fragment *f)
{
    return f->use == WL_MATRIX_B ? f->k / tile_depth(f) : f->m / MATRIX_ROWS;
}

unsigned fragment_tiles(const struct wl_fragment *f)
{
    const unsigned second = f->use == WL_MATRIX_A ? f->k / tile_depth(f) : f->n / MATRIX_ROWS;
    return first_tiles(f) * second;
}

struct fragment_place fragment_tile(const struct wl_fragment *f, unsigned tile)
{
    const unsigned first = tile % first_tiles(f), second = tile / first_tiles(f);
    if (f->use == WL_MATRIX_B)
        return (struct fragment_place){first * tile_depth(f), second * MATRIX_ROWS};
    return (struct fragment_place){first * MATRIX_ROWS, second * tile_depth(f)};
}

struct fragment_place fragment_within(const struct wl_fragment *f, unsigned lane, unsigned which)
{
    const unsigned row = lane / LANES_OF_A_ROW;
    const unsigned along = lane % LANES_OF_A_ROW * fragment_held(f) + which;
    return f->use == WL_MATRIX_B ? (struct fragment_place){along, row}
                                 : (struct fragment_place){row, along};
}

/* Whether a lane's neighbours are neighbours in memory. */
static bool lies_along(const struct wl_fragment *f)
{
    return (f->use == WL_MATRIX_B) == (f->by_columns != 0);
}

struct fragment_plan fragment_plan(const struct wl_fragment *f, bool in_shared, bool load)
{
    const unsigned tiles = fragment_tiles(f), held = fragment_held(f);
    if (f->bytes == 2 && f->use != WL_ACCUMULATOR && in_shared && load && !f->plain)
        return (struct fragment_plan){
            .count = (tiles + MATRICES_MAX - 1) / MATRICES_MAX,
            .width = ROW_BYTES,
            .is_matrix = true,
            .lanes = MATRIX_ROWS * (tiles < MATRICES_MAX ? tiles : MATRICES_MAX),
        };
    if (f->bytes == 2 || lies_along(f))
        return (struct fragment_plan){.count = tiles, .width = held * f->bytes, .lanes = 32};
    return (struct fragment_plan){.count = tiles * held, .width = f->bytes, .lanes = 32};
}

static uint64_t offset_of(const struct wl_fragment *f, struct fragment_place at, unsigned major,
                          unsigned minor, uint64_t ld)
{
    const uint64_t row = (f->by_columns ? at.column : at.row) + (uint64_t)major;
    return row * ld + (f->by_columns ? at.row : at.column) + minor;
}

uint64_t fragment_offset(const struct wl_fragment *f, const struct fragment_plan *plan,
                         unsigned access, unsigned lane, uint64_t ld)
{
    const unsigned row = lane / LANES_OF_A_ROW, held = fragment_held(f);
    const unsigned along = lane % LANES_OF_A_ROW * held;
    if (plan->is_matrix) {
        const unsigned tile = access * MATRICES_MAX + lane % plan->lanes / MATRIX_ROWS;
        return offset_of(f, fragment_tile(f, tile), lane % MATRIX_ROWS, 0, ld);
    }
    if (f->bytes == 2 || lies_along(f))
        return offset_of(f, fragment_tile(f, access), row, along, ld);
    return offset_of(f, fragment_tile(f, access / held), along + access % held, row, ld);
}
