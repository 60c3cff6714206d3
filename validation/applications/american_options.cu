// American puts by finite differences in the logarithm of the price, 32 points by 32 steps: explicit (a thread an option,
// a block, a warp) and implicit, whose tridiagonal systems a thread solves in global memory or registers, or a warp.
#include "common.h"

#define POINTS 32
#define STEPS 32
#define MIDDLE (POINTS / 2)
#define RATE 0.04f

// An option's grid: the lowest price, the factor from point to point, and the weights of a step: what comes from below,
// from above, and is lost at a point itself.
struct Scheme {
    float lowest, factor, strike, down, up, loss;
};

// From the price today, the strike, the volatility and the time to maturity: four deviations to each side.
__device__ inline Scheme make_scheme(float4 terms)
{
    const float dt = terms.w / STEPS, dx = 8.0f * terms.z * sqrtf(terms.w) / (POINTS - 1);
    const float spread = 0.5f * terms.z * terms.z * dt / (dx * dx);
    const float drift = 0.5f * (RATE - 0.5f * terms.z * terms.z) * dt / dx;
    Scheme s;
    s.lowest = terms.x * expf(-MIDDLE * dx);
    s.factor = expf(dx);
    s.strike = terms.y;
    s.down = spread - drift;
    s.up = spread + drift;
    s.loss = 2.0f * spread + RATE * dt;
    return s;
}

// A thread an option; point j of all options together in global memory, replaced step by step.
__global__ void explicit_global(const float4 *terms, float *values, float *prices, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Scheme s = make_scheme(terms[i]);
    float price = s.lowest;
    for (int j = 0; j < POINTS; j++) {
        values[j * n + i] = fmaxf(s.strike - price, 0);
        price *= s.factor;
    }
    for (int step = 0; step < STEPS; step++) {
        float below = values[i], here = values[n + i];
        price = s.lowest;
        for (int j = 1; j < POINTS - 1; j++) {
            float above = values[(j + 1) * n + i];
            price *= s.factor;
            float held = s.down * below + (1 - s.loss) * here + s.up * above;
            values[j * n + i] = fmaxf(held, s.strike - price);
            below = here;
            here = above;
        }
    }
    prices[i] = values[MIDDLE * n + i];
}

// A thread a point, OPTIONS options a block, the values in shared memory twice.
template <int OPTIONS>
__global__ void __launch_bounds__(POINTS *OPTIONS)
    explicit_block(const float4 *__restrict__ terms, float *__restrict__ prices, int n)
{
    __shared__ float values[2][OPTIONS][POINTS];
    const int j = threadIdx.x, row = threadIdx.y, i = blockIdx.x * OPTIONS + row;
    const Scheme s = make_scheme(terms[min(i, n - 1)]);
    const float payoff = fmaxf(s.strike - s.lowest * powf(s.factor, (float)j), 0.0f);
    values[0][row][j] = payoff;
    values[1][row][j] = payoff;
    __syncthreads();
    for (int step = 0; step < STEPS; step++) {
        const float *now = values[step % 2][row];
        if (j > 0 && j < POINTS - 1)
            values[1 - step % 2][row][j] =
                fmaxf(s.down * now[j - 1] + (1.0f - s.loss) * now[j] + s.up * now[j + 1], payoff);
        __syncthreads();
    }
    if (j == MIDDLE && i < n)
        prices[i] = values[STEPS % 2][row][j];
}

// A warp an option, a lane a point; neighbours' values come by shuffles.
__global__ void explicit_warp(const float4 *__restrict__ terms, float *__restrict__ prices, int n)
{
    const int j = threadIdx.x % 32, i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (i >= n)
        return;
    const Scheme s = make_scheme(terms[i]);
    const float payoff = fmaxf(s.strike - s.lowest * powf(s.factor, (float)j), 0.0f);
    const bool edge = j == 0 || j == POINTS - 1;
    const float down = edge ? 0.0f : s.down, up = edge ? 0.0f : s.up,
                stay = edge ? 1.0f : 1.0f - s.loss;
    float value = payoff;
#pragma unroll 4
    for (int step = 0; step < STEPS; step++) {
        const float below = __shfl_up_sync(0xffffffffu, value, 1),
                    above = __shfl_down_sync(0xffffffffu, value, 1);
        value = fmaxf(down * below + stay * value + up * above, payoff);
    }
    if (j == MIDDLE)
        prices[i] = value;
}

// Thomas' algorithm, a thread an option; the values and the inverted pivots in global memory.
__global__ void implicit_global(const float4 *__restrict__ terms, float *values, float *pivots,
                                float *__restrict__ prices, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Scheme s = make_scheme(terms[i]);
    float price = s.lowest, pivot = 0.0f;
    for (int j = 0; j < POINTS; j++) {
        values[j * n + i] = fmaxf(s.strike - price, 0.0f);
        pivots[j * n + i] = pivot;
        pivot = 1.0f / (1.0f + s.loss - s.down * s.up * pivot);
        price *= s.factor;
    }
    const float highest = price / s.factor, shrink = 1.0f / s.factor;
    for (int step = 0; step < STEPS; step++) {
        float d = values[i];
#pragma unroll 5
        for (int j = 1; j < POINTS - 1; j++) {
            d = (values[j * n + i] + s.down * d) * pivots[j * n + i];
            values[j * n + i] = d;
        }
        float x = values[(POINTS - 1) * n + i];
        price = highest;
        for (int j = POINTS - 2; j > 0; j--) {
            price *= shrink;
            x = values[j * n + i] + s.up * pivots[j * n + i] * x;
            values[j * n + i] = fmaxf(x, s.strike - price);
        }
    }
    prices[i] = values[MIDDLE * n + i];
}

// The same with all in registers: every loop over points is unrolled.
template <int N>
__global__ void __launch_bounds__(64)
    implicit_registers(const float4 *__restrict__ terms, float *__restrict__ prices, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Scheme s = make_scheme(terms[i]);
    float value[N], pivot[N], payoff[N], price = s.lowest;
#pragma unroll
    for (int j = 0; j < N; j++) {
        value[j] = payoff[j] = fmaxf(s.strike - price, 0.0f);
        pivot[j] = j == 0 ? 0.0f : 1.0f / (1.0f + s.loss - s.down * s.up * pivot[j - 1]);
        price *= s.factor;
    }
#pragma unroll 1
    for (int step = 0; step < STEPS; step++) {
#pragma unroll
        for (int j = 1; j < N - 1; j++)
            value[j] = (value[j] + s.down * value[j - 1]) * pivot[j];
        float x = value[N - 1];
#pragma unroll
        for (int j = N - 2; j > 0; j--) {
            x = value[j] + s.up * pivot[j] * x;
            value[j] = fmaxf(x, payoff[j]);
        }
    }
    prices[i] = value[N / 2];
}

// A warp an option: cyclic reduction in parallel, whose factors are the same in all steps.
__global__ void implicit_reduction(const float4 *__restrict__ terms, float *__restrict__ prices,
                                   int n)
{
    const int j = threadIdx.x % 32, i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (i >= n)
        return;
    const Scheme s = make_scheme(terms[i]);
    const float payoff = fmaxf(s.strike - s.lowest * powf(s.factor, (float)j), 0.0f);
    const bool edge = j == 0 || j == POINTS - 1;
    float a = edge ? 0.0f : -s.down, b = edge ? 1.0f : 1.0f + s.loss, c = edge ? 0.0f : -s.up;
    float low[5], high[5];
#pragma unroll
    for (int k = 0; k < 5; k++) {
        const int far = 1 << k;
        const float b_low = __shfl_up_sync(0xffffffffu, b, far),
                    b_high = __shfl_down_sync(0xffffffffu, b, far);
        low[k] = j >= far ? -a / b_low : 0.0f;
        high[k] = j + far < 32 ? -c / b_high : 0.0f;
        const float a_low = __shfl_up_sync(0xffffffffu, a, far),
                    c_low = __shfl_up_sync(0xffffffffu, c, far),
                    a_high = __shfl_down_sync(0xffffffffu, a, far),
                    c_high = __shfl_down_sync(0xffffffffu, c, far);
        b += low[k] * c_low + high[k] * a_high;
        a = low[k] * a_low;
        c = high[k] * c_high;
    }
    const float inverse = 1.0f / b;
    float value = payoff;
    for (int step = 0; step < STEPS; step++) {
#pragma unroll
        for (int k = 0; k < 5; k++) {
            const float below = __shfl_up_sync(0xffffffffu, value, 1 << k),
                        above = __shfl_down_sync(0xffffffffu, value, 1 << k);
            value += low[k] * below + high[k] * above;
        }
        value = fmaxf(value * inverse, payoff);
    }
    if (j == MIDDLE)
        prices[i] = value;
}

// The put's price in doubles, by explicit (0) or implicit (1) steps; the systems by elimination of the lower diagonal.
static float price_host(float4 terms, int implicit)
{
    const double sigma = terms.z, dt = terms.w / STEPS,
                 dx = 8 * sigma * sqrt(terms.w) / (POINTS - 1);
    const double spread = sigma * sigma * dt / (2 * dx * dx),
                 drift = (RATE - sigma * sigma / 2) * dt / (2 * dx);
    const double l = spread - drift, u = spread + drift, m = -2 * spread - RATE * dt;
    std::vector<double> v(POINTS), payoff(POINTS), right(POINTS), diagonal(POINTS);
    for (int j = 0; j < POINTS; j++)
        v[j] = payoff[j] = std::max(terms.y - terms.x * exp((j - MIDDLE) * dx), 0.0);
    for (int step = 0; step < STEPS; step++) {
        right = v;
        diagonal.assign(POINTS, 1);
        for (int j = 1; j < POINTS - 1; j++) {
            const double share = 1 - implicit, lower = j > 1 ? -implicit * u : 0;
            const double ratio = -implicit * l / diagonal[j - 1];
            right[j] =
                v[j] + share * (l * v[j - 1] + m * v[j] + u * v[j + 1]) - ratio * right[j - 1];
            diagonal[j] = 1 - implicit * m - ratio * lower;
        }
        for (int j = POINTS - 2; j > 0; j--)
            right[j] = (right[j] + implicit * u * right[j + 1]) / diagonal[j];
        for (int j = 1; j < POINTS - 1; j++)
            v[j] = std::max(right[j], payoff[j]);
    }
    return (float)v[MIDDLE];
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64), rounds = argument(argc, argv, 2, 1);
    std::vector<float4> terms(n);
    std::vector<float> want[2];
    for (int i = 0; i < n; i++) {
        terms[i] = make_float4(50 + 100 * unit(4 * i), 50 + 100 * unit(4 * i + 1),
                               0.1f + 0.4f * unit(4 * i + 2), 0.1f + 2 * unit(4 * i + 3));
        for (int k = 0; k < 2; k++)
            want[k].push_back(price_host(terms[i], k));
    }
    const float4 *dterms = to_device(terms);
    float *values = device_zeros<float>((size_t)POINTS * n),
          *pivots = device_zeros<float>((size_t)POINTS * n), *prices[6];
    for (int k = 0; k < 6; k++)
        prices[k] = device_zeros<float>(n);
    const int threads = ceil_div(n, 64), warps = ceil_div(n, 4);
    for (int round = 0; round < rounds; round++) {
        explicit_global<<<threads, 64>>>(dterms, values, prices[0], n);
        explicit_block<4><<<warps, dim3(POINTS, 4)>>>(dterms, prices[1], n);
        explicit_warp<<<warps, 128>>>(dterms, prices[2], n);
        implicit_global<<<threads, 64>>>(dterms, values, pivots, prices[3], n);
        implicit_registers<POINTS><<<threads, 64>>>(dterms, prices[4], n);
        implicit_reduction<<<warps, 128>>>(dterms, prices[5], n);
    }
    expect("explicit_global", prices[0], want[0], 3e-4);
    expect("explicit_block", prices[1], want[0], 3e-4);
    expect("explicit_warp", prices[2], want[0], 3e-4);
    expect("implicit_global", prices[3], want[1], 3e-4);
    expect("implicit_registers", prices[4], want[1], 3e-4);
    expect("implicit_reduction", prices[5], want[1], 3e-4);
    return verdict();
}
