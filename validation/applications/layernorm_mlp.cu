// The small MLP of a transformer's block, 64 wide with 256 hidden values: bias and GELU in float, float4 and half2, the
// residual with its layer norm, the second layer with its epilogue, and both layers fused.
#include "common.h"
#include <cuda_fp16.h>

#define WIDTH 64
#define HIDDEN 256
#define TOKENS 16

__device__ inline float gelu(float x)
{
    return 0.5f * x * (1.0f + erff(x * 0.70710678f));
}

__device__ inline float gelu_tanh(float x)
{
    return 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

// A thread a value.
__global__ void bias_gelu(const float *x, const float *bias, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = gelu(x[i] + bias[i % HIDDEN]);
}

// A thread four values, GELU by tanh.
__global__ void bias_gelu_vector(const float4 *__restrict__ x, const float4 *__restrict__ bias,
                                 float4 *__restrict__ out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count / 4)
        return;
    const float4 v = x[i], b = bias[i % (HIDDEN / 4)];
    out[i] = make_float4(gelu_tanh(v.x + b.x), gelu_tanh(v.y + b.y), gelu_tanh(v.z + b.z),
                         gelu_tanh(v.w + b.w));
}

// A thread eight halves in one load; sums in half, GELU in float.
__global__ void bias_gelu_half2(const uint4 *__restrict__ x, const __half2 *__restrict__ bias,
                                uint4 *__restrict__ out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count / 8)
        return;
    uint4 eight = x[i];
    __half2 *pairs = reinterpret_cast<__half2 *>(&eight);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float2 v = __half22float2(__hadd2(pairs[k], bias[i % (HIDDEN / 8) * 4 + k]));
        pairs[k] = __floats2half2_rn(gelu_tanh(v.x), gelu_tanh(v.y));
    }
    out[i] = eight;
}

__device__ inline float warp_sum(float sum)
{
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    return sum;
}

// A warp a row of x + residual: its mean and variance from registers, then the norm with scale and shift.
template <int COLUMNS>
__global__ void __launch_bounds__(128)
    residual_layernorm(const float4 *__restrict__ x, const float4 *__restrict__ residual,
                       const float4 *__restrict__ scale, const float4 *__restrict__ shift,
                       float4 *__restrict__ out, int rows)
{
    const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float4 v[COLUMNS / 128];
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int k = 0; k < COLUMNS / 128; k++) {
        const float4 a = x[row * (COLUMNS / 4) + k * 32 + lane],
                     b = residual[row * (COLUMNS / 4) + k * 32 + lane];
        v[k] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
        sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    const float mean = warp_sum(sum) / COLUMNS;
#pragma unroll
    for (int k = 0; k < COLUMNS / 128; k++) {
        v[k] = make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
        squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    const float factor = rsqrtf(warp_sum(squares) / COLUMNS + 1e-5f);
#pragma unroll
    for (int k = 0; k < COLUMNS / 128; k++) {
        const float4 a = scale[k * 32 + lane], b = shift[k * 32 + lane];
        out[row * (COLUMNS / 4) + k * 32 + lane] =
            make_float4(v[k].x * factor * a.x + b.x, v[k].y * factor * a.y + b.y,
                        v[k].z * factor * a.z + b.z, v[k].w * factor * a.w + b.w);
    }
}

// The second layer in half2 with bias and residual: a warp ROWS tokens, a lane two columns; a sum of 16 products in
// half at most.
template <int ROWS>
__global__ void
linear_residual_half2(const __half2 *__restrict__ hidden, const __half2 *__restrict__ weights,
                      const float2 *__restrict__ bias, const float2 *__restrict__ residual,
                      float2 *__restrict__ out, int tokens)
{
    const int lane = threadIdx.x, first = (blockIdx.x * blockDim.y + threadIdx.y) * ROWS;
    float2 sum[ROWS] = {};
    for (int chunk = 0; chunk < HIDDEN / 2; chunk += 8) {
        __half2 part[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            part[r] = __float2half2_rn(0.0f);
#pragma unroll
        for (int k = chunk; k < chunk + 8; k++) {
            const __half2 even = weights[2 * k * (WIDTH / 2) + lane],
                          odd = weights[(2 * k + 1) * (WIDTH / 2) + lane];
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const __half2 h = hidden[min(first + r, tokens - 1) * (HIDDEN / 2) + k];
                part[r] = __hfma2(__low2half2(h), even, part[r]);
                part[r] = __hfma2(__high2half2(h), odd, part[r]);
            }
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float2 p = __half22float2(part[r]);
            sum[r].x += p.x;
            sum[r].y += p.y;
        }
    }
    for (int r = 0; r < ROWS && first + r < tokens; r++) {
        const int at = (first + r) * (WIDTH / 2) + lane;
        out[at] = make_float2(sum[r].x + bias[lane].x + residual[at].x,
                              sum[r].y + bias[lane].y + residual[at].y);
    }
}

// Both layers of TOKENS tokens a block: the hidden values never leave shared memory.
__global__ void __launch_bounds__(128)
    mlp_fused(const float *__restrict__ x, const float *__restrict__ weights1,
              const float *__restrict__ bias1, const float *__restrict__ weights2,
              const float *__restrict__ bias2, float *__restrict__ out, int tokens)
{
    __shared__ float4 input[TOKENS][WIDTH / 4];
    __shared__ float hidden[TOKENS][HIDDEN];
    const int t = threadIdx.x, first = blockIdx.x * TOKENS;
    for (int i = t; i < TOKENS * WIDTH / 4; i += 128)
        input[i / (WIDTH / 4)][i % (WIDTH / 4)] = first + i / (WIDTH / 4) < tokens
                                                      ? ((const float4 *)x)[first * (WIDTH / 4) + i]
                                                      : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
    for (int column = t; column < HIDDEN; column += 128) {
        float sum[TOKENS] = {};
        for (int k = 0; k < WIDTH; k += 4) {
            const float *w = weights1 + k * HIDDEN + column;
            const float w0 = w[0], w1 = w[HIDDEN], w2 = w[2 * HIDDEN], w3 = w[3 * HIDDEN];
#pragma unroll
            for (int r = 0; r < TOKENS; r++) {
                const float4 v = input[r][k / 4];
                sum[r] += v.x * w0 + v.y * w1 + v.z * w2 + v.w * w3;
            }
        }
#pragma unroll
        for (int r = 0; r < TOKENS; r++)
            hidden[r][column] = gelu(sum[r] + bias1[column]);
    }
    __syncthreads();
    const int column = t % WIDTH, half = t / WIDTH * (TOKENS / 2);
    float sum[TOKENS / 2] = {};
#pragma unroll 4
    for (int k = 0; k < HIDDEN; k++) {
        const float w = weights2[k * WIDTH + column];
#pragma unroll
        for (int r = 0; r < TOKENS / 2; r++)
            sum[r] = fmaf(hidden[half + r][k], w, sum[r]);
    }
    for (int r = half; r < half + TOKENS / 2 && first + r < tokens; r++)
        out[(first + r) * WIDTH + column] =
            sum[r - half] + bias2[column] + ((const float *)input[r])[column];
}

static std::vector<__half> halves(const std::vector<float> &values)
{
    std::vector<__half> result(values.size());
    for (size_t i = 0; i < values.size(); i++)
        result[i] = __float2half(values[i]);
    return result;
}

static std::vector<float> centred(size_t count, unsigned seed, float range)
{
    std::vector<float> values = units(count, seed);
    for (float &value : values)
        value = (value - 0.5f) * range;
    return values;
}

int main(int argc, char **argv)
{
    const int tokens = argument(argc, argv, 1, 32), rounds = argument(argc, argv, 2, 1),
              count = tokens * HIDDEN, small = tokens * WIDTH;
    const std::vector<float> x = centred(small, 1, 2), w1 = centred(WIDTH * HIDDEN, 2, 1),
                             b1 = centred(HIDDEN, 3, 1), w2 = centred(WIDTH * HIDDEN, 4, 0.5f),
                             b2 = centred(WIDTH, 5, 1), wide = centred(count, 6, 6),
                             other = centred(count, 7, 3), scale = units(HIDDEN, 8);
    std::vector<float> want_gelu(count), want_tanh(count), want_norm(count), want_hidden(count),
        want_out(small);
    const std::vector<__half> wide_half = halves(wide), b1_half = halves(b1), w2_half = halves(w2);
    for (int t = 0; t < tokens; t++) {
        double mean = 0, variance = 0;
        for (int h = 0; h < HIDDEN; h++)
            mean += ((double)wide[t * HIDDEN + h] + other[t * HIDDEN + h]) / HIDDEN;
        for (int h = 0; h < HIDDEN; h++) {
            const double d = (double)wide[t * HIDDEN + h] + other[t * HIDDEN + h] - mean;
            variance += d * d / HIDDEN;
        }
        for (int h = 0; h < HIDDEN; h++) {
            const int i = t * HIDDEN + h;
            const double v = (double)wide[i] + b1[h];
            want_gelu[i] = (float)(v / 2 * erfc(-v / sqrt(2.0)));
            want_tanh[i] = (float)(v / (1 + exp(-2 * sqrt(2 / M_PI) * (v + 0.044715 * v * v * v))));
            want_norm[i] =
                (float)((wide[i] + other[i] - mean) / sqrt(variance + 1e-5) * scale[h] + b1[h]);
            double sum = b1[h];
            for (int k = 0; k < WIDTH; k++)
                sum += (double)x[t * WIDTH + k] * w1[k * HIDDEN + h];
            want_hidden[i] = (float)(sum / 2 * erfc(-sum / sqrt(2.0)));
        }
        for (int k = 0; k < WIDTH; k++) {
            double sum = (double)b2[k] + x[t * WIDTH + k];
            for (int h = 0; h < HIDDEN; h++)
                sum += (double)want_hidden[t * HIDDEN + h] * w2[h * WIDTH + k];
            want_out[t * WIDTH + k] = (float)sum;
        }
    }
    const float *dx = to_device(x), *dw1 = to_device(w1), *db1 = to_device(b1),
                *dw2 = to_device(w2), *db2 = to_device(b2), *dwide = to_device(wide),
                *dother = to_device(other), *dscale = to_device(scale);
    const __half *dwide_half = to_device(wide_half), *db1_half = to_device(b1_half),
                 *dw2_half = to_device(w2_half), *dhidden_half = to_device(halves(want_hidden));
    __half *gelu_half = device_zeros<__half>(count);
    float *out[3], *final[2];
    for (int k = 0; k < 3; k++)
        out[k] = device_zeros<float>(count);
    for (int k = 0; k < 2; k++)
        final[k] = device_zeros<float>(small);
    for (int round = 0; round < rounds; round++) {
        bias_gelu<<<ceil_div(count, 256), 256>>>(dwide, db1, out[0], count);
        bias_gelu_vector<<<ceil_div(count / 4, 256), 256>>>(
            (const float4 *)dwide, (const float4 *)db1, (float4 *)out[1], count);
        bias_gelu_half2<<<ceil_div(count / 8, 128), 128>>>(
            (const uint4 *)dwide_half, (const __half2 *)db1_half, (uint4 *)gelu_half, count);
        residual_layernorm<HIDDEN><<<ceil_div(tokens, 4), dim3(32, 4)>>>(
            (const float4 *)dwide, (const float4 *)dother, (const float4 *)dscale,
            (const float4 *)db1, (float4 *)out[2], tokens);
        linear_residual_half2<4><<<ceil_div(tokens, 16), dim3(32, 4)>>>(
            (const __half2 *)dhidden_half, (const __half2 *)dw2_half, (const float2 *)db2,
            (const float2 *)dx, (float2 *) final[0], tokens);
        mlp_fused<<<ceil_div(tokens, TOKENS), 128>>>(dx, dw1, db1, dw2, db2, final[1], tokens);
    }
    expect("bias_gelu", out[0], want_gelu, 1e-5);
    expect("bias_gelu_vector", out[1], want_tanh, 1e-5);
    expect("bias_gelu_half2", gelu_half, halves(want_tanh), 1e-2);
    expect("residual_layernorm", out[2], want_norm, 1e-4);
    expect("linear_residual_half2", final[0], want_out, 2e-2);
    expect("mlp_fused", final[1], want_out, 1e-4);
    return verdict();
}
