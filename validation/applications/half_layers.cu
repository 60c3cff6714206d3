// Elementwise layers of half-precision inference, rows of 2048: bias and GELU one number at a time, by __half2 and by
// eight numbers of 16 bytes; residual sums of two and of three tensors; the gate SiLU(a) * b with __half2 arithmetic
// and with eight numbers a thread in a grid-stride loop.
#include "common.h"
#include <cuda_fp16.h>

#define HIDDEN 2048

__device__ __forceinline__ float gelu_tanh(float x)
{
    const float inner = 0.7978845608f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + tanhf(inner));
}

__device__ __forceinline__ float silu(float x)
{
    return x / (1.0f + __expf(-x));
}

__global__ void bias_gelu_plain(const __half *x, const __half *bias, __half *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = __half2float(x[i]) + __half2float(bias[i % HIDDEN]);
    out[i] = __float2half(0.5f * v * (1.0f + erff(v * 0.70710678f)));
}

// In place, a block a row.
__global__ void bias_gelu_half2(__half2 *x, const __half2 *__restrict__ bias)
{
    __half2 *row = x + (size_t)blockIdx.x * (HIDDEN / 2);
    for (int k = threadIdx.x; k < HIDDEN / 2; k += blockDim.x) {
        const float2 v = __half22float2(__hadd2(row[k], bias[k]));
        row[k] = __floats2half2_rn(gelu_tanh(v.x), gelu_tanh(v.y));
    }
}

// Eight numbers as the 16 bytes in which they are loaded and stored.
union Eight {
    uint4 bits;
    __half2 pairs[4];
    __device__ Eight()
    {
    }
};

__global__ void __launch_bounds__(256)
    bias_gelu_eight(const uint4 *__restrict__ x, const uint4 *__restrict__ bias,
                    uint4 *__restrict__ out, int count)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= count)
        return;
    Eight v, b;
    v.bits = x[i];
    b.bits = __ldg(&bias[i % (HIDDEN / 8)]);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float2 a = __half22float2(v.pairs[k]), c = __half22float2(b.pairs[k]);
        v.pairs[k] = __floats2half2_rn(gelu_tanh(a.x + c.x), gelu_tanh(a.y + c.y));
    }
    out[i] = v.bits;
}

__global__ void residual_add(__half2 *residual, const __half2 *x, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        residual[i] = __hadd2(residual[i], x[i]);
}

// residual + attention + mlp + bias of a model with parallel layers; EACH times 16 bytes a thread.
template <int EACH>
__global__ void residual_add_three(const uint4 *__restrict__ residual,
                                   const uint4 *__restrict__ attention,
                                   const uint4 *__restrict__ mlp, const uint4 *__restrict__ bias,
                                   uint4 *__restrict__ out, int count)
{
    const int first = blockIdx.x * blockDim.x * EACH + threadIdx.x;
#pragma unroll
    for (int m = 0; m < EACH; m++) {
        const int i = first + m * blockDim.x;
        if (i >= count)
            break;
        Eight r, a, f, b;
        r.bits = residual[i];
        a.bits = attention[i];
        f.bits = mlp[i];
        b.bits = bias[i % (HIDDEN / 8)];
#pragma unroll
        for (int k = 0; k < 4; k++)
            r.pairs[k] = __hadd2(__hadd2(r.pairs[k], a.pairs[k]), __hadd2(f.pairs[k], b.pairs[k]));
        out[i] = r.bits;
    }
}

// A row of input has the gate's HIDDEN numbers and then the other factor's.
__global__ void silu_gate_half2(const __half2 *__restrict__ both, __half2 *__restrict__ out)
{
    const __half2 *gate = both + (size_t)blockIdx.x * HIDDEN, *up = gate + HIDDEN / 2;
    const __half2 one = __float2half2_rn(1.0f);
    for (int k = threadIdx.x; k < HIDDEN / 2; k += blockDim.x) {
        const __half2 g = gate[k];
        const __half2 sigmoid = h2rcp(__hadd2(one, h2exp(__hneg2(g))));
        out[(size_t)blockIdx.x * (HIDDEN / 2) + k] = __hmul2(__hmul2(g, sigmoid), up[k]);
    }
}

__global__ void silu_gate_eight(const uint4 *__restrict__ both, uint4 *__restrict__ out, int tokens)
{
    const int row_fours = HIDDEN / 8, count = tokens * row_fours;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const int row = i / row_fours, k = i % row_fours;
        Eight g, u;
        g.bits = both[2 * row * row_fours + k];
        u.bits = both[(2 * row + 1) * row_fours + k];
#pragma unroll
        for (int m = 0; m < 4; m++) {
            const float2 a = __half22float2(g.pairs[m]), b = __half22float2(u.pairs[m]);
            g.pairs[m] = __floats2half2_rn(silu(a.x) * b.x, silu(a.y) * b.y);
        }
        out[i] = g.bits;
    }
}

static std::vector<__half> halves(const std::vector<float> &values)
{
    std::vector<__half> out(values.size());
    for (size_t i = 0; i < values.size(); i++)
        out[i] = __float2half(values[i]);
    return out;
}

static void expect_half(const char *what, const __half *device, const std::vector<float> &want,
                        double tolerance)
{
    std::vector<float> got;
    for (const __half v : to_host(device, want.size()))
        got.push_back(__half2float(v));
    float *again = to_device(got);
    expect(what, again, want, tolerance);
    CHECK(cudaFree(again));
}

// Multiples of 1/128 between -4 and 4, which are exact as halves.
static std::vector<float> inputs(size_t count, unsigned seed)
{
    std::vector<float> values = units(count, seed);
    for (float &v : values)
        v = floorf(v * 1024.0f) / 128.0f - 4.0f;
    return values;
}

int main(int argc, char **argv)
{
    const int tokens = argument(argc, argv, 1, 16), rounds = argument(argc, argv, 2, 1),
              n = tokens * HIDDEN, pairs = n / 2, eights = n / 8;
    const std::vector<float> x = inputs(n, 1), more = inputs(n, 2), third = inputs(n, 3),
                             bias = inputs(HIDDEN, 4), both = inputs(2 * (size_t)n, 5);
    std::vector<float> gelu(n), two(n), three(n), gate(n);
    for (int i = 0; i < n; i++) {
        const double v = x[i] + bias[i % HIDDEN];
        const float g = both[(size_t)(i / HIDDEN) * 2 * HIDDEN + i % HIDDEN],
                    u = both[((size_t)(i / HIDDEN) * 2 + 1) * HIDDEN + i % HIDDEN];
        gelu[i] = (float)(0.5 * v * (1 + erf(v * sqrt(0.5))));
        two[i] = x[i] + more[i];
        three[i] = x[i] + more[i] + third[i] + bias[i % HIDDEN];
        gate[i] = (float)(g / (1 + exp(-(double)g)) * u);
    }
    const __half *dx = to_device(halves(x)), *dmore = to_device(halves(more)),
                 *dthird = to_device(halves(third)), *dbias = to_device(halves(bias)),
                 *dboth = to_device(halves(both));
    __half *out[7];
    for (int k = 0; k < 7; k++)
        out[k] = to_device(std::vector<__half>(n));
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(eights, 256), 256>>>((uint4 *)out[1], (const uint4 *)dx, eights);
        copy_array<<<ceil_div(eights, 256), 256>>>((uint4 *)out[3], (const uint4 *)dx, eights);
        bias_gelu_plain<<<ceil_div(n, 256), 256>>>(dx, dbias, out[0], n);
        bias_gelu_half2<<<tokens, 256>>>((__half2 *)out[1], (const __half2 *)dbias);
        bias_gelu_eight<<<ceil_div(eights, 256), 256>>>((const uint4 *)dx, (const uint4 *)dbias,
                                                        (uint4 *)out[2], eights);
        residual_add<<<ceil_div(pairs, 256), 256>>>((__half2 *)out[3], (const __half2 *)dmore,
                                                    pairs);
        residual_add_three<2><<<ceil_div(eights, 512), 256>>>(
            (const uint4 *)dx, (const uint4 *)dmore, (const uint4 *)dthird, (const uint4 *)dbias,
            (uint4 *)out[4], eights);
        silu_gate_half2<<<tokens, 512>>>((const __half2 *)dboth, (__half2 *)out[5]);
        silu_gate_eight<<<std::min(ceil_div(eights, 256), 1056), 256>>>((const uint4 *)dboth,
                                                                        (uint4 *)out[6], tokens);
    }
    expect_half("bias_gelu_plain", out[0], gelu, 1e-3);
    expect_half("bias_gelu_half2", out[1], gelu, 4e-3);
    expect_half("bias_gelu_eight", out[2], gelu, 4e-3);
    expect_half("residual_add", out[3], two, 1e-3);
    expect_half("residual_add_three", out[4], three, 1e-3);
    expect_half("silu_gate_half2", out[5], gate, 1e-2);
    expect_half("silu_gate_eight", out[6], gate, 2e-3);
    return verdict();
}
