/* curand_quasi.c - quasi-random generators of cuRAND: Sobol sequences by the numbers that cuRAND uses (sobol_directions.def),
 * not scrambled. The first point is the origin.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libraries/curand_generator.h"
#include "libraries/sobol.h"

curandStatus_t quasi_refuse(const char *function)
{
    fprintf(stderr,
            "warplens: %s: not of a quasi-random generator: uniform numbers and bits are (answered "
            "with CURAND_STATUS_TYPE_ERROR)\n",
            function);
    return CURAND_STATUS_TYPE_ERROR;
}

curandStatus_t quasi_allows(const struct curandGenerator_st *generator, size_t n, bool wide)
{
    const bool has_wide = generator->type == CURAND_RNG_QUASI_SOBOL64;
    if (wide && !has_wide)
        return CURAND_STATUS_TYPE_ERROR;
    if (generator->dimensions && n % generator->dimensions)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return CURAND_STATUS_SUCCESS;
}

uint64_t quasi_number(const struct curandGenerator_st *generator, size_t i, size_t n)
{
    const size_t points = n / generator->dimensions;
    const uint64_t point =
        sobol_point((unsigned)(i / points), generator->next + (uint64_t)(i % points));
    return generator->type == CURAND_RNG_QUASI_SOBOL64 ? point : point >> 32 << 32;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned dimensions)
{
    if (generator == NULL)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->dimensions == 0)
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions < 1 || dimensions > SOBOL_CURAND_DIMENSIONS)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (dimensions > SOBOL_DIMENSIONS) {
        fprintf(stderr,
                "warplens: curandSetQuasiRandomGeneratorDimensions: %u dimensions are not there: 1 "
                "to %d are (answered with CURAND_STATUS_OUT_OF_RANGE)\n",
                dimensions, SOBOL_DIMENSIONS);
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    generator->dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
}

/* ---- Direction vectors for kernels ------------------------------------------------------------ */

/* As much room as cuRAND's table has, of which only what there is can be touched: a program that goes further ends there. */
static void *table_allocate(size_t row_bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t used = (SOBOL_DIMENSIONS * row_bytes + page - 1) / page * page;
    char *table = mmap(NULL, SOBOL_CURAND_DIMENSIONS * row_bytes + page, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED || mprotect(table, used, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    return table + used - SOBOL_DIMENSIONS * row_bytes;
}

static curandStatus_t refuse_set(const char *function, int set)
{
    fprintf(stderr,
            "warplens: %s: set %d is not there: the vectors of Joe and Kuo that are not scrambled "
            "are (answered with CURAND_STATUS_OUT_OF_RANGE)\n",
            function, set);
    return CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    static curandDirectionVectors32_t *table;
    if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6)
        return refuse_set("curandGetDirectionVectors32", (int)set);
    if (table == NULL && (table = table_allocate(sizeof *table)) == NULL)
        return CURAND_STATUS_ALLOCATION_FAILED;
    for (unsigned d = 0; d < SOBOL_DIMENSIONS; d++)
        for (unsigned i = 0; i < 32; i++)
            table[d][i] = (unsigned)(sobol_vectors(d)[i] >> 32);
    *vectors = table;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    static curandDirectionVectors64_t *table;
    if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6)
        return refuse_set("curandGetDirectionVectors64", (int)set);
    if (table == NULL && (table = table_allocate(sizeof *table)) == NULL)
        return CURAND_STATUS_ALLOCATION_FAILED;
    for (unsigned d = 0; d < SOBOL_DIMENSIONS; d++)
        for (unsigned i = 0; i < SOBOL_BITS; i++)
            table[d][i] = sobol_vectors(d)[i];
    *vectors = table;
    return CURAND_STATUS_SUCCESS;
}
