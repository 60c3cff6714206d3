/* sobol.c - direction vectors from the initial numbers (Bratley and Fox, "Algorithm 659", 1988): with a polynomial of degree s
 * vector i is that of i - s, shifted by s, and the sum without carry of those before that the polynomial names.
 */
#include "libraries/sobol.h"

enum { DEGREE_MAX = 10 };

static const struct {
    unsigned degree, polynomial, m[DEGREE_MAX];
} initial[] = {
#define DIRECTIONS(degree, polynomial, ...) {degree, polynomial, {__VA_ARGS__}},
#include "libraries/sobol_directions.def"
#undef DIRECTIONS
};
_Static_assert(sizeof initial / sizeof initial[0] == SOBOL_DIMENSIONS - 1,
               "the first dimension has no polynomial");

static void fill(unsigned which, uint64_t vectors[SOBOL_BITS])
{
    const unsigned s = initial[which].degree;
    for (unsigned i = 0; i < SOBOL_BITS; i++) {
        if (i < s) {
            vectors[i] = (uint64_t)initial[which].m[i] << (SOBOL_BITS - 1 - i);
            continue;
        }
        vectors[i] = vectors[i - s] ^ vectors[i - s] >> s;
        for (unsigned k = 1; k < s; k++)
            if (initial[which].polynomial >> (s - 1 - k) & 1)
                vectors[i] ^= vectors[i - k];
    }
}

const uint64_t *sobol_vectors(unsigned dimension)
{
    static uint64_t vectors[SOBOL_DIMENSIONS][SOBOL_BITS];
    if (vectors[0][0] == 0) {
        for (unsigned i = 0; i < SOBOL_BITS; i++)
            vectors[0][i] = 1ULL << (SOBOL_BITS - 1 - i);
        for (unsigned d = 1; d < SOBOL_DIMENSIONS; d++)
            fill(d - 1, vectors[d]);
    }
    return vectors[dimension];
}

uint64_t sobol_point(unsigned dimension, uint64_t index)
{
    const uint64_t *vectors = sobol_vectors(dimension);
    uint64_t point = 0;
    for (uint64_t gray = index ^ index >> 1; gray; gray &= gray - 1)
        point ^= vectors[__builtin_ctzll(gray)];
    return point;
}
