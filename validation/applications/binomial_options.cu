// European and American options by binomial trees of 128 steps: a thread an option with its tree in local and in shared
// memory, a block an option with a barrier a step, a warp an option with the tree in registers.
#include "common.h"

#define STEPS 128
#define EACH (STEPS / 32)

struct Option {
    float spot, strike, years, unused;
};

struct Market {
    float rate, volatility;
};

// What a step does: the discounted probabilities of up and down, and the logarithm of up.
struct Step {
    float up, down, log_up;
};

__device__ __forceinline__ Step step_of(const Option &option, Market market)
{
    const float dt = option.years / STEPS, log_up = market.volatility * sqrtf(dt);
    const float grow = expf(market.rate * dt), u = expf(log_up), d = expf(-log_up);
    const float p = (grow - d) / (u - d), discount = expf(-market.rate * dt);
    return {discount * p, discount * (1.0f - p), log_up};
}

// The price after ups of them and downs of the others.
__device__ __forceinline__ float price(const Option &option, float log_up, int difference)
{
    return option.spot * expf(log_up * difference);
}

// Calls, the leaves in an array of the thread's own.
__global__ void calls_local(const Option *options, Market market, float *values, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    Option option = options[i];
    Step step = step_of(option, market);
    float v[STEPS + 1];
    for (int k = 0; k <= STEPS; k++)
        v[k] = fmaxf(price(option, step.log_up, 2 * k - STEPS) - option.strike, 0.0f);
    for (int left = STEPS; left > 0; left--)
        for (int k = 0; k < left; k++)
            v[k] = step.up * v[k + 1] + step.down * v[k];
    values[i] = v[0];
}

// A column of shared memory a thread.
__global__ void __launch_bounds__(64)
    calls_columns(const float4 *__restrict__ options, Market market, float *__restrict__ values,
                  int count)
{
    __shared__ float v[STEPS + 1][64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i >= count)
        return;
    const float4 word = options[i];
    const Option option = {word.x, word.y, word.z, word.w};
    const Step step = step_of(option, market);
    for (int k = 0; k <= STEPS; k++)
        v[k][t] = fmaxf(price(option, step.log_up, 2 * k - STEPS) - option.strike, 0.0f);
    for (int left = STEPS; left > 0; left--) {
        float low = v[0][t];
#pragma unroll 4
        for (int k = 0; k < left; k++) {
            const float high = v[k + 1][t];
            v[k][t] = step.up * high + step.down * low;
            low = high;
        }
    }
    values[i] = v[0][t];
}

// Two buffers change places, so that a step takes one barrier. American puts look at the price of each node.
template <bool AMERICAN>
__global__ void __launch_bounds__(STEPS)
    options_block(const Option *__restrict__ options, Market market, float *__restrict__ values)
{
    __shared__ float v[2][STEPS + 1];
    const int t = threadIdx.x;
    const Option option = options[blockIdx.x];
    const Step step = step_of(option, market);
    const float sign = AMERICAN ? -1.0f : 1.0f;
    for (int k = t; k <= STEPS; k += STEPS)
        v[0][k] = fmaxf(sign * (price(option, step.log_up, 2 * k - STEPS) - option.strike), 0.0f);
    __syncthreads();
    int from = 0;
    for (int left = STEPS; left > 0; left--) {
        if (t < left) {
            float value = step.up * v[from][t + 1] + step.down * v[from][t];
            if (AMERICAN)
                value = fmaxf(value, option.strike - price(option, step.log_up, 2 * t - left + 1));
            v[from ^ 1][t] = value;
        }
        from ^= 1;
        __syncthreads();
    }
    if (t == 0)
        values[blockIdx.x] = v[from][0];
}

// Lane l has the nodes from EACH l on; the last one of all is apart. What lies beyond the tree's end is computed, too, and
// reaches no node that counts. The price of a node two steps on is that of the one before it.
template <bool AMERICAN>
__global__ void __launch_bounds__(128)
    options_warp(const Option *__restrict__ options, Market market, float *__restrict__ values,
                 int count)
{
    const int i = (blockIdx.x * 128 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= count)
        return;
    const Option option = options[i];
    const Step step = step_of(option, market);
    const float sign = AMERICAN ? -1.0f : 1.0f, ratio = expf(step.log_up);
    float v[EACH], s[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        s[k] = price(option, step.log_up, 2 * (EACH * lane + k) - STEPS);
        v[k] = fmaxf(sign * (s[k] - option.strike), 0.0f);
    }
    float last = fmaxf(sign * (price(option, step.log_up, STEPS) - option.strike), 0.0f);
    for (int left = STEPS; left > 0; left--) {
        float next = __shfl_down_sync(0xffffffffu, v[0], 1);
        if (lane == 31)
            next = last;
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            v[k] = step.up * (k + 1 < EACH ? v[k + 1] : next) + step.down * v[k];
            if (AMERICAN) {
                s[k] *= ratio;
                v[k] = fmaxf(v[k], option.strike - s[k]);
            }
        }
    }
    if (lane == 0)
        values[i] = v[0];
}

// Black and Scholes' call, to which the tree's price tends.
static double closed_call(const Option &option, Market market)
{
    const double deviation = market.volatility * sqrt(option.years),
                 d1 = log(option.spot / option.strike) / deviation +
                      market.rate * option.years / deviation + deviation / 2,
                 d2 = d1 - deviation;
    return option.spot * 0.5 * erfc(-d1 * M_SQRT1_2) -
           option.strike * exp(-market.rate * option.years) * 0.5 * erfc(-d2 * M_SQRT1_2);
}

static double tree(const Option &option, Market market, bool american)
{
    const double dt = option.years / STEPS, u = exp(market.volatility * sqrt(dt)), d = 1 / u,
                 p = (exp(market.rate * dt) - d) / (u - d), discount = exp(-market.rate * dt);
    double v[STEPS + 1], prices[2 * STEPS + 1];
    for (int k = 0; k <= 2 * STEPS; k++)
        prices[k] = option.spot * pow(u, k - STEPS);
    for (int k = 0; k <= STEPS; k++)
        v[k] = american ? std::max(option.strike - prices[2 * k], 0.0)
                        : std::max(prices[2 * k] - option.strike, 0.0);
    for (int left = STEPS - 1; left >= 0; left--)
        for (int k = 0; k <= left; k++) {
            v[k] = discount * (p * v[k + 1] + (1 - p) * v[k]);
            if (american)
                v[k] = std::max(v[k], option.strike - prices[2 * k - left + STEPS]);
        }
    return v[0];
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64), rounds = argument(argc, argv, 2, 1);
    const Market market = {0.04f, 0.3f};
    std::vector<Option> options(n);
    std::vector<float> calls(n), puts(n);
    for (int i = 0; i < n; i++) {
        options[i] = {5.0f + 25.0f * unit(3 * i), 5.0f + 25.0f * unit(3 * i + 1),
                      0.25f + 2.0f * unit(3 * i + 2), 0.0f};
        calls[i] = (float)tree(options[i], market, false);
        puts[i] = (float)tree(options[i], market, true);
        if (fabs(calls[i] - closed_call(options[i], market)) > 0.02) {
            printf("option %d: the tree has %g\n", i, calls[i]);
            wrong_arrays++;
        }
    }
    const Option *doptions = to_device(options);
    float *out[6];
    for (int k = 0; k < 6; k++)
        out[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        calls_local<<<ceil_div(n, 64), 64>>>(doptions, market, out[0], n);
        calls_columns<<<ceil_div(n, 64), 64>>>((const float4 *)doptions, market, out[1], n);
        options_block<false><<<n, STEPS>>>(doptions, market, out[2]);
        options_warp<false><<<ceil_div(n, 4), 128>>>(doptions, market, out[3], n);
        options_block<true><<<n, STEPS>>>(doptions, market, out[4]);
        options_warp<true><<<ceil_div(n, 4), 128>>>(doptions, market, out[5], n);
    }
    const char *names[6] = {"calls_local", "calls_columns", "options_block<false>",
                            "options_warp<false>", "options_block<true>", "options_warp<true>"};
    for (int k = 0; k < 6; k++)
        expect(names[k], out[k], k < 4 ? calls : puts, 1e-3);
    return verdict();
}
