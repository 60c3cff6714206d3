/* shared_matrix.c - see shared_matrix.h.
 *
 *   63   62|61  52|51    49|48  46|45       32|31 30|29        16|15 14|13       0|
 *   |swizzle|      |base off|      | stride/16 |     | leading/16 |     | start/16 |
 */
#include "tracer/matrix/shared_matrix.h"

#include "sim/rules/swizzle.h"

enum { UNIT = 16, UNIT_LOG2 = 4, GROUP = 8, LINE = 128, FIELD = 0x3fff };
enum { LEADING_SHIFT = 16, STRIDE_SHIFT = 32, BASE_SHIFT = 49, SWIZZLE_SHIFT = 62 };

static uint32_t field(uint64_t descriptor, unsigned shift)
{
    return (uint32_t)(descriptor >> shift & FIELD) << UNIT_LOG2;
}

struct shared_matrix shared_matrix_read(uint64_t descriptor)
{
    static const uint8_t rows[] = {0, 128, 64, 32};
    return (struct shared_matrix){.start = field(descriptor, 0),
                                  .leading = field(descriptor, LEADING_SHIFT),
                                  .stride = field(descriptor, STRIDE_SHIFT),
                                  .base_offset = descriptor >> BASE_SHIFT & 7,
                                  .row = rows[descriptor >> SWIZZLE_SHIFT]};
}

bool shared_matrix_is_aligned(const struct shared_matrix *m)
{
    return m->row == 0 || m->start % LINE < m->row;
}

/* Before the swizzle, from the matrix's start on. Rows and columns come in groups of 8, bytes in units of 16. */
static uint32_t offset_of(const struct shared_matrix *m, bool by_columns, unsigned bytes,
                          unsigned mn, unsigned k)
{
    const uint32_t at = (by_columns ? mn : k) * bytes; /* along memory */
    const uint32_t across = by_columns ? k : mn;
    const uint32_t along = at % UNIT, unit = at / UNIT;
    const uint32_t row = across % GROUP, group = across / GROUP;
    if (m->row == 0)
        return along + row * UNIT +
               (by_columns ? unit * m->stride + group * m->leading
                           : unit * m->leading + group * m->stride);
    if (!by_columns)
        return at + row * m->row + group * m->stride;
    return at % m->row + at / m->row * m->leading + row * m->row + group * m->stride;
}

uint32_t shared_matrix_at(const struct shared_matrix *m, bool by_columns, unsigned bytes,
                          unsigned mn, unsigned k)
{
    /* Swizzle<1, 4, 3> of 32 bytes a row, <2, 4, 3> of 64, <3, 4, 3> of 128, on addresses. */
    const uint8_t bits = m->row == 128 ? 3 : m->row / 32;
    const struct swizzle swizzle = {.bits = bits, .base = UNIT_LOG2, .shift = 3};
    return (uint32_t)swizzle_apply(swizzle, m->start + offset_of(m, by_columns, bytes, mn, k));
}
