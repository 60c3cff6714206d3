/* curand.c - random numbers for the host's calls of cuRAND: the distributions are cuRAND's, the numbers are not.
 *
 * Number i of a seed is a hash of both (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014:
 * splitmix64), whatever the type of the generator; so an offset costs nothing. Quasi-random numbers are cuRAND's own
 * (curand_quasi.c).
 */
#include "libraries/curand_generator.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "warplens/cuda.h"
#include "warplens/cuda_libraries.h"

static const double TWO_PI = 6.283185307179586476925286766559;

/* ---- Numbers ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

static uint64_t draw(curandGenerator_t g)
{
    return mix(mix(g->seed ^ 0x5851f42d4c957f2dULL) + ++g->next * 0x9e3779b97f4a7c15ULL);
}

/* In (0, 1], as cuRAND's are; of float in steps of 2^-24. */
static double uniform(curandGenerator_t g)
{
    return ldexp((double)(draw(g) >> 11) + 1, -53);
}

static float uniform_float(curandGenerator_t g)
{
    return ldexpf((float)((draw(g) >> 40) + 1), -24);
}

/* Two at a time (Box and Muller, 1958). */
static void normal_pair(curandGenerator_t g, double pair[2])
{
    const double radius = sqrt(-2 * log(uniform(g))), angle = TWO_PI * uniform(g);
    pair[0] = radius * cos(angle);
    pair[1] = radius * sin(angle);
}

/* How many exponential times fit into lambda (Knuth), in parts whose exponentials are no denormals. */
static unsigned poisson(curandGenerator_t g, double lambda)
{
    unsigned count = 0;
    while (lambda > 0) {
        const double part = lambda < 64 ? lambda : 64, end = exp(-part);
        for (double product = uniform(g); product > end; product *= uniform(g))
            count++;
        lambda -= part;
    }
    return count;
}

/* In (0, 1], in cuRAND's steps. */
static float quasi_float(uint64_t bits)
{
    return ldexpf((float)(uint32_t)(bits >> 32), -32) + ldexpf(1, -33);
}

static double quasi_double(uint64_t bits, bool wide)
{
    return wide ? ldexp((double)(bits >> 11), -53) + ldexp(1, -54)
                : ldexp((double)(bits >> 32) + 1, -32);
}

/* ---- Generators ------------------------------------------------------------------------------- */

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool for_host)
{
    *generator = NULL;
    const bool pseudo = type >= CURAND_RNG_PSEUDO_DEFAULT && type < CURAND_RNG_QUASI_DEFAULT;
    const curandRngType_t named =
        type == CURAND_RNG_QUASI_DEFAULT ? CURAND_RNG_QUASI_SOBOL32 : type;
    if (!pseudo && named != CURAND_RNG_QUASI_SOBOL32 && named != CURAND_RNG_QUASI_SOBOL64) {
        fprintf(stderr,
                "warplens: curandCreateGenerator: type %d is not there: pseudo-random generators "
                "and Sobol sequences that are not scrambled are (answered with "
                "CURAND_STATUS_TYPE_ERROR)\n",
                (int)type);
        return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = calloc(1, sizeof **generator);
    if (*generator == NULL)
        return CURAND_STATUS_ALLOCATION_FAILED;
    (*generator)->type = named;
    (*generator)->for_host = for_host;
    (*generator)->dimensions = !pseudo;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, true);
}

static curandStatus_t is_there(curandGenerator_t generator)
{
    return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    const curandStatus_t status = is_there(generator);
    free(generator);
    return status;
}

curandStatus_t curandGetVersion(int *version)
{
    *version = 10300;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (generator)
        generator->stream = stream;
    return is_there(generator);
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed)
{
    if (generator == NULL || generator->dimensions)
        return generator ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
    generator->seed = seed;
    generator->next = 0;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
    if (generator)
        generator->next = offset;
    return is_there(generator);
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
    (void)order;
    return is_there(generator);
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    return is_there(generator);
}

/* ---- Arrays of numbers ------------------------------------------------------------------------ */

static curandStatus_t begin(curandGenerator_t g, const char *function, void *out, size_t bytes)
{
    if (g == NULL)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (cudaDeviceSynchronize() != cudaSuccess)
        return CURAND_STATUS_PREEXISTING_FAILURE;
    if (g->for_host)
        return CURAND_STATUS_SUCCESS;
    if (!wl_library_may_run(function, g->stream) ||
        !wl_library_writes(function, "the output", out, bytes))
        return CURAND_STATUS_LAUNCH_FAILURE;
    wl_library_call(function);
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t begin_each(curandGenerator_t g, const char *function, void *out, size_t n,
                                 size_t element_bytes, bool wide)
{
    const curandStatus_t status = g ? quasi_allows(g, n, wide) : CURAND_STATUS_NOT_INITIALIZED;
    return status ? status : begin(g, function, out, n * element_bytes);
}

/* `pseudo` of a random number of the generator, or `quasi` of `bits`, a fraction of 2^64. */
#define EACH(name, parameters, wide, pseudo, quasi)                                                \
    curandStatus_t name parameters                                                                 \
    {                                                                                              \
        const curandStatus_t status = begin_each(generator, #name, out, n, sizeof *out, wide);     \
        for (size_t i = 0; i < n && status == CURAND_STATUS_SUCCESS; i++) {                        \
            const uint64_t bits = generator->dimensions ? quasi_number(generator, i, n) : 0;       \
            out[i] = generator->dimensions ? (quasi) : (pseudo);                                   \
        }                                                                                          \
        if (status == CURAND_STATUS_SUCCESS && generator->dimensions)                              \
            generator->next += n / generator->dimensions;                                          \
        return status;                                                                             \
    }
EACH(curandGenerate, (curandGenerator_t generator, unsigned *out, size_t n), false,
     (unsigned)(draw(generator) >> 32), (unsigned)(bits >> 32))
EACH(curandGenerateLongLong, (curandGenerator_t generator, unsigned long long *out, size_t n), true,
     draw(generator), bits)
EACH(curandGenerateUniform, (curandGenerator_t generator, float *out, size_t n), false,
     uniform_float(generator), quasi_float(bits))
EACH(curandGenerateUniformDouble, (curandGenerator_t generator, double *out, size_t n), false,
     uniform(generator), quasi_double(bits, generator->type == CURAND_RNG_QUASI_SOBOL64))

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *out, size_t n,
                                     double lambda)
{
    if (!(lambda > 0 && lambda <= 400000))
        return CURAND_STATUS_OUT_OF_RANGE;
    if (generator && generator->dimensions)
        return quasi_refuse("curandGeneratePoisson");
    const curandStatus_t status = begin(generator, "curandGeneratePoisson", out, n * sizeof *out);
    for (size_t i = 0; i < n && status == CURAND_STATUS_SUCCESS; i++)
        out[i] = poisson(generator, lambda);
    return status;
}

/* Pairs: cuRAND refuses an odd count. */
#define PAIRS(name, type, value)                                                                   \
    curandStatus_t name(curandGenerator_t generator, type *out, size_t n, type mean,               \
                        type deviation)                                                            \
    {                                                                                              \
        double pair[2];                                                                            \
        if (generator && generator->dimensions)                                                    \
            return quasi_refuse(#name);                                                            \
        if (n % 2)                                                                                 \
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;                                              \
        const curandStatus_t status = begin(generator, #name, out, n * sizeof *out);               \
        for (size_t i = 0; i < n && status == CURAND_STATUS_SUCCESS; i++) {                        \
            if (i % 2 == 0)                                                                        \
                normal_pair(generator, pair);                                                      \
            const double number = (double)mean + (double)deviation * pair[i % 2];                  \
            out[i] = (type)(value);                                                                \
        }                                                                                          \
        return status;                                                                             \
    }
PAIRS(curandGenerateNormal, float, number)
PAIRS(curandGenerateNormalDouble, double, number)
PAIRS(curandGenerateLogNormal, float, exp(number))
PAIRS(curandGenerateLogNormalDouble, double, exp(number))
