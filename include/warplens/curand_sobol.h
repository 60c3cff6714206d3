/* curand_sobol.h - Sobol sequences in kernels: cuRAND's states, and its functions of them but the scrambled ones. A number is one
 * load of a direction vector, wherever the compiler has the state.
 */
#ifndef WARPLENS_CURAND_SOBOL_H
#define WARPLENS_CURAND_SOBOL_H
#pragma GCC system_header

#include "warplens/cuda.h"
#include "warplens/cuda_kernel.h"
#include "warplens/curand_host.h"

struct curandStateSobol32 {
    unsigned i, x, c; /* the next point's number, the point; c is only used where it is scrambled */
    unsigned direction_vectors[32];
};
typedef curandStateSobol32 curandStateSobol32_t;
struct curandStateSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};
typedef curandStateSobol64 curandStateSobol64_t;

/* Points are in Gray's order: from one to the next one bit changes, that of the lowest 0. */
#define WL_SOBOL(state_type, word, bits)                                                           \
    WL_INLINE word curand(state_type *state)                                                       \
    {                                                                                              \
        const word point = state->x;                                                               \
        state->x ^=                                                                                \
            state->direction_vectors[~state->i ? __builtin_ctzll(~(unsigned long long)state->i)    \
                                               : 0];                                               \
        state->i++;                                                                                \
        return point;                                                                              \
    }                                                                                              \
    WL_INLINE void wl_sobol_go(state_type *state, word to)                                         \
    {                                                                                              \
        const word gray = to ^ to >> 1;                                                            \
        state->i = to;                                                                             \
        state->x = 0;                                                                              \
        for (unsigned k = 0; k < bits; k++)                                                        \
            if (gray >> k & 1)                                                                     \
                state->x ^= state->direction_vectors[k];                                           \
    }                                                                                              \
    WL_INLINE void skipahead(word count, state_type *state)                                        \
    {                                                                                              \
        wl_sobol_go(state, state->i + count);                                                      \
    }                                                                                              \
    WL_INLINE void curand_init(word *vectors, word offset, state_type *state)                      \
    {                                                                                              \
        for (unsigned k = 0; k < bits; k++)                                                        \
            state->direction_vectors[k] = vectors[k];                                              \
        state->c = 0;                                                                              \
        wl_sobol_go(state, offset);                                                                \
    }
WL_SOBOL(curandStateSobol32, unsigned, 32)
WL_SOBOL(curandStateSobol64, unsigned long long, 64)
#undef WL_SOBOL

/* In (0, 1]. */
WL_INLINE float curand_uniform(curandStateSobol32 *state)
{
    return (float)curand(state) * 0x1p-32f + 0x1p-33f;
}
WL_INLINE float curand_uniform(curandStateSobol64 *state)
{
    return (float)(unsigned)(curand(state) >> 32) * 0x1p-32f + 0x1p-33f;
}
WL_INLINE double curand_uniform_double(curandStateSobol32 *state)
{
    return (double)curand(state) * 0x1p-32 + 0x1p-32;
}
WL_INLINE double curand_uniform_double(curandStateSobol64 *state)
{
    return (double)(curand(state) >> 11) * 0x1p-53 + 0x1p-54;
}

/* By the inverse of the distribution: one number for one, so that dimensions stay what they are. */
template <class State> WL_INLINE double wl_sobol_normal(State *state)
{
    const double p = curand_uniform_double(state);
    return normcdfinv(p < 1 ? p : 1 - 0x1p-53);
}
#define WL_SOBOL_NORMAL(state_type)                                                                \
    WL_INLINE float curand_normal(state_type *state)                                               \
    {                                                                                              \
        return (float)wl_sobol_normal(state);                                                      \
    }                                                                                              \
    WL_INLINE double curand_normal_double(state_type *state)                                       \
    {                                                                                              \
        return wl_sobol_normal(state);                                                             \
    }                                                                                              \
    WL_INLINE float curand_log_normal(state_type *state, float mean, float deviation)              \
    {                                                                                              \
        return std::exp(mean + deviation * curand_normal(state));                                  \
    }
WL_SOBOL_NORMAL(curandStateSobol32)
WL_SOBOL_NORMAL(curandStateSobol64)
#undef WL_SOBOL_NORMAL

#endif
