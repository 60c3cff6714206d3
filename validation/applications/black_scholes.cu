// Prices of European options by Black and Scholes: options as structures and as arrays, four a thread, in a grid-stride
// loop with the fast functions, in doubles, and the volatility back from a price by Newton's method.
#include "common.h"

#define RATE 0.02f
#define STEPS 5

struct Option {
    float spot, strike, years, sigma;
};

// The normal distribution, as by Abramowitz and Stegun.
__device__ __forceinline__ float normal(float d)
{
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float poly =
        k * (0.31938153f +
             k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float tail = 0.39894228f * __expf(-0.5f * d * d) * poly;
    return d > 0.0f ? 1.0f - tail : tail;
}

__device__ __forceinline__ void price(float spot, float strike, float years, float sigma,
                                      float &call, float &put)
{
    const float root = sigma * sqrtf(years);
    const float d1 = (__logf(spot / strike) + (RATE + 0.5f * sigma * sigma) * years) / root;
    const float discounted = strike * __expf(-RATE * years), n1 = normal(d1),
                n2 = normal(d1 - root);
    call = spot * n1 - discounted * n2;
    put = discounted * (1.0f - n2) - spot * (1.0f - n1);
}

__global__ void price_structures(const Option *options, float *calls, float *puts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Option o = options[i];
    const float root = o.sigma * sqrtf(o.years);
    const float d1 = (logf(o.spot / o.strike) + (RATE + 0.5f * o.sigma * o.sigma) * o.years) / root;
    const float discounted = o.strike * expf(-RATE * o.years);
    const float n1 = 0.5f * erfcf(-d1 * 0.70710678f), n2 = 0.5f * erfcf((root - d1) * 0.70710678f);
    calls[i] = o.spot * n1 - discounted * n2;
    puts[i] = discounted * (1.0f - n2) - o.spot * (1.0f - n1);
}

__global__ void price_arrays(const float *__restrict__ spot, const float *__restrict__ strike,
                             const float *__restrict__ years, const float *__restrict__ sigma,
                             float *__restrict__ calls, float *__restrict__ puts, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float call, put;
        price(spot[i], strike[i], years[i], sigma[i], call, put);
        calls[i] = call;
        puts[i] = put;
    }
}

__global__ __launch_bounds__(128) void price_fours(const float4 *__restrict__ spot,
                                                   const float4 *__restrict__ strike,
                                                   const float4 *__restrict__ years,
                                                   const float4 *__restrict__ sigma,
                                                   float4 *__restrict__ calls,
                                                   float4 *__restrict__ puts, int fours)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fours)
        return;
    const float4 s = spot[i], k = strike[i], t = years[i], v = sigma[i];
    float4 c, p;
    price(s.x, k.x, t.x, v.x, c.x, p.x);
    price(s.y, k.y, t.y, v.y, c.y, p.y);
    price(s.z, k.z, t.z, v.z, c.z, p.z);
    price(s.w, k.w, t.w, v.w, c.w, p.w);
    calls[i] = c;
    puts[i] = p;
}

__global__ void price_doubles(const Option *options, double *calls, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double spot = options[i].spot, strike = options[i].strike, years = options[i].years,
                 sigma = options[i].sigma, root = sigma * sqrt(years);
    const double d1 = (log(spot / strike) + ((double)RATE + 0.5 * sigma * sigma) * years) / root;
    calls[i] = spot * 0.5 * erfc(-d1 * M_SQRT1_2) -
               strike * exp(-(double)RATE * years) * 0.5 * erfc((root - d1) * M_SQRT1_2);
}

// From the call's price to the volatility, with a fixed number of steps.
__global__ void volatility(const float *spot, const float *strike, const float *years,
                           const float *calls, float *sigma, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float s = spot[i], k = strike[i], t = years[i], want = calls[i], root = sqrtf(t);
    float v = 0.3f;
    for (int step = 0; step < STEPS; step++) {
        float call, put;
        price(s, k, t, v, call, put);
        const float d1 = (__logf(s / k) + (RATE + 0.5f * v * v) * t) / (v * root);
        const float vega = s * root * 0.39894228f * __expf(-0.5f * d1 * d1);
        v = fminf(fmaxf(v - (call - want) / vega, 0.02f), 2.0f);
    }
    sigma[i] = v;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 16) * 1024, rounds = argument(argc, argv, 2, 1);
    std::vector<Option> options(n);
    std::vector<float> spot(n), strike(n), years(n), sigma(n), call(n), put(n);
    std::vector<double> exact(n);
    for (int i = 0; i < n; i++) {
        spot[i] = 20.0f + 10.0f * unit(4 * i);
        strike[i] = 20.0f + 10.0f * unit(4 * i + 1);
        years[i] = 1.0f + 2.0f * unit(4 * i + 2);
        sigma[i] = 0.2f + 0.3f * unit(4 * i + 3);
        options[i] = {spot[i], strike[i], years[i], sigma[i]};
        const double root = sigma[i] * sqrt((double)years[i]), rate = RATE,
                     d1 = (log((double)spot[i] / strike[i]) +
                           (rate + 0.5 * sigma[i] * sigma[i]) * years[i]) /
                          root,
                     discounted = strike[i] * exp(-rate * years[i]),
                     n1 = 0.5 * erfc(-d1 * M_SQRT1_2), n2 = 0.5 * erfc((root - d1) * M_SQRT1_2);
        exact[i] = spot[i] * n1 - discounted * n2;
        call[i] = (float)exact[i];
        put[i] = (float)(discounted * (1 - n2) - spot[i] * (1 - n1));
    }
    Option *doptions = to_device(options);
    float *s = to_device(spot), *k = to_device(strike), *t = to_device(years),
          *v = to_device(sigma), *known = to_device(call), *back = device_zeros<float>(n),
          *calls[3], *puts[3];
    for (int m = 0; m < 3; m++) {
        calls[m] = device_zeros<float>(n);
        puts[m] = device_zeros<float>(n);
    }
    double *fine = device_zeros<double>(n);
    for (int round = 0; round < rounds; round++) {
        price_structures<<<ceil_div(n, 256), 256>>>(doptions, calls[0], puts[0], n);
        price_arrays<<<std::min(480, ceil_div(n, 128)), 128>>>(s, k, t, v, calls[1], puts[1], n);
        price_fours<<<ceil_div(n / 4, 128), 128>>>((float4 *)s, (float4 *)k, (float4 *)t,
                                                   (float4 *)v, (float4 *)calls[2],
                                                   (float4 *)puts[2], n / 4);
        price_doubles<<<ceil_div(n, 256), 256>>>(doptions, fine, n);
        volatility<<<ceil_div(n, 192), 192>>>(s, k, t, known, back, n);
    }
    const char *names[3] = {"price_structures", "price_arrays", "price_fours"};
    for (int m = 0; m < 3; m++) {
        expect(names[m], calls[m], call, 2e-4);
        expect(names[m], puts[m], put, 2e-4);
    }
    expect("price_doubles", fine, exact, 1e-10);
    expect("volatility", back, sigma, 2e-3);
    return verdict();
}
