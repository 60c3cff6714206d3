/* curand_kernel.h - random numbers in kernels: cuRAND's functions with a generator of the same kind
 * (Marsaglia's xorwow, "Xorshift RNGs", 2003) and size, but another seeding: the numbers are as good,
 * always the same, and not cuRAND's.
 */
#ifndef WARPLENS_COMPAT_CURAND_KERNEL_H
#define WARPLENS_COMPAT_CURAND_KERNEL_H
#pragma GCC system_header

#include "warplens/cuda.h"
#include "warplens/cuda_kernel.h"
#include "curand.h" /* as cuRAND's own has it */
#include "warplens/curand_sobol.h"

struct curandStateXORWOW {
    unsigned d, v[5];
    int has_normal, has_normal_double;
    float normal, unused; /* no padding: a copy of a state loads all of it */
    double normal_double;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;

/* The other generators of cuRAND: the same one here. */
struct curandStatePhilox4_32_10 : curandStateXORWOW {
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateMRG32k3a : curandStateXORWOW {
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

WL_INLINE uint64_t wl_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

WL_INLINE unsigned curand(curandStateXORWOW *state)
{
    unsigned t = state->v[0] ^ state->v[0] >> 2;
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = (state->v[4] ^ state->v[4] << 4) ^ (t ^ t << 1);
    state->d += 362437;
    return state->v[4] + state->d;
}

/* Sequences of one seed are far apart in the seed's hash; an offset is skipped number by number. */
WL_INLINE void curand_init(unsigned long long seed, unsigned long long sequence,
                           unsigned long long offset, curandStateXORWOW *state)
{
    uint64_t key = wl_mix(seed + 0x9e3779b97f4a7c15ULL) ^ wl_mix(~sequence);
    for (unsigned i = 0; i < 5; i++)
        state->v[i] = (unsigned)wl_mix(key + i * 0x9e3779b97f4a7c15ULL) | (i == 0);
    state->d = (unsigned)(key >> 32);
    state->has_normal = state->has_normal_double = 0;
    state->normal = state->unused = 0;
    state->normal_double = 0;
    for (; offset > 0; offset--)
        curand(state);
}

WL_INLINE void skipahead(unsigned long long count, curandStateXORWOW *state)
{
    for (; count > 0; count--)
        curand(state);
}

/* In (0, 1]. */
WL_INLINE float curand_uniform(curandStateXORWOW *state)
{
    return (float)curand(state) * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}
WL_INLINE double curand_uniform_double(curandStateXORWOW *state)
{
    uint64_t high = curand(state), bits = (high << 21) ^ curand(state);
    return ((double)(bits & ((1ULL << 53) - 1)) + 1.0) * 1.1102230246251565e-16;
}

/* Two by Box and Muller's method. */
WL_INLINE double2 curand_normal2_double(curandStateXORWOW *state)
{
    double radius = std::sqrt(-2.0 * std::log(curand_uniform_double(state)));
    double angle = 6.283185307179586 * curand_uniform_double(state);
    return make_double2(radius * std::sin(angle), radius * std::cos(angle));
}
WL_INLINE float2 curand_normal2(curandStateXORWOW *state)
{
    float radius = std::sqrt(-2.0f * std::log(curand_uniform(state)));
    float angle = 6.2831853f * curand_uniform(state);
    return make_float2(radius * std::sin(angle), radius * std::cos(angle));
}
WL_INLINE float curand_normal(curandStateXORWOW *state)
{
    state->has_normal = !state->has_normal;
    if (!state->has_normal)
        return state->normal;
    float2 pair = curand_normal2(state);
    state->normal = pair.y;
    return pair.x;
}
WL_INLINE double curand_normal_double(curandStateXORWOW *state)
{
    state->has_normal_double = !state->has_normal_double;
    if (!state->has_normal_double)
        return state->normal_double;
    double2 pair = curand_normal2_double(state);
    state->normal_double = pair.y;
    return pair.x;
}
WL_INLINE float curand_log_normal(curandStateXORWOW *state, float mean, float deviation)
{
    return std::exp(mean + deviation * curand_normal(state));
}
WL_INLINE double curand_log_normal_double(curandStateXORWOW *state, double mean, double deviation)
{
    return std::exp(mean + deviation * curand_normal_double(state));
}
WL_INLINE uint4 curand4(curandStateXORWOW *state)
{
    return make_uint4(curand(state), curand(state), curand(state), curand(state));
}
WL_INLINE float4 curand_uniform4(curandStateXORWOW *state)
{
    float a = curand_uniform(state), b = curand_uniform(state), c = curand_uniform(state);
    return make_float4(a, b, c, curand_uniform(state));
}
WL_INLINE float4 curand_normal4(curandStateXORWOW *state)
{
    float2 a = curand_normal2(state), b = curand_normal2(state);
    return make_float4(a.x, a.y, b.x, b.y);
}
/* Knuth's method, in logarithms; for the means of books' programs. */
WL_INLINE unsigned curand_poisson(curandStateXORWOW *state, double mean)
{
    unsigned events = 0;
    for (double left = mean + std::log(curand_uniform_double(state)); left > 0; events++)
        left += std::log(curand_uniform_double(state));
    return events;
}

#endif
