// What a language model does between its matrix products, a row of 2048 a token: RMS norm plainly, with float4 and in
// half precision with the residual added, rotary embedding of 16 heads, and the gate SiLU(a) * b.
#include "common.h"
#include <cuda_fp16.h>

#define HIDDEN 2048
#define HEAD 128
#define CONTEXT 512
#define EPSILON 1e-5f

__global__ void rms_norm_plain(const float *x, const float *weight, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0;
    for (int k = t; k < HIDDEN; k += blockDim.x)
        sum += x[row * HIDDEN + k] * x[row * HIDDEN + k];
    s[t] = sum;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        __syncthreads();
    }
    float scale = rsqrtf(s[0] / HIDDEN + EPSILON);
    for (int k = t; k < HIDDEN; k += blockDim.x)
        out[row * HIDDEN + k] = x[row * HIDDEN + k] * scale * weight[k];
}

template <int BLOCK> __device__ inline float block_sum(float sum)
{
    __shared__ float warps[BLOCK / 32];
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    float all = 0.0f;
#pragma unroll
    for (int w = 0; w < BLOCK / 32; w++)
        all += warps[w];
    return all;
}

// The row stays in registers between its two uses.
template <int BLOCK>
__global__ void rms_norm_vector(const float4 *__restrict__ x, const float4 *__restrict__ weight,
                                float4 *__restrict__ out)
{
    const int EACH = HIDDEN / 4 / BLOCK;
    const float4 *row = x + blockIdx.x * (HIDDEN / 4);
    float4 v[EACH];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        v[k] = row[k * BLOCK + threadIdx.x];
        sum += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    const float scale = rsqrtf(block_sum<BLOCK>(sum) * (1.0f / HIDDEN) + EPSILON);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const float4 w = weight[k * BLOCK + threadIdx.x];
        out[blockIdx.x * (HIDDEN / 4) + k * BLOCK + threadIdx.x] = make_float4(
            v[k].x * scale * w.x, v[k].y * scale * w.y, v[k].z * scale * w.z, v[k].w * scale * w.w);
    }
}

// residual += x, then its norm; the residual changes in place.
__global__ void __launch_bounds__(256)
    add_rms_norm_half(const __half2 *__restrict__ x, __half2 *__restrict__ residual,
                      const __half2 *__restrict__ weight, __half2 *__restrict__ out)
{
    const int base = blockIdx.x * (HIDDEN / 2);
    float2 v[HIDDEN / 512];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < HIDDEN / 512; k++) {
        const int i = base + k * 256 + threadIdx.x;
        const __half2 both = __hadd2(x[i], residual[i]);
        residual[i] = both;
        v[k] = __half22float2(both);
        sum += v[k].x * v[k].x + v[k].y * v[k].y;
    }
    const float scale = rsqrtf(block_sum<256>(sum) / HIDDEN + EPSILON);
#pragma unroll
    for (int k = 0; k < HIDDEN / 512; k++) {
        const int i = k * 256 + threadIdx.x;
        out[base + i] = __hmul2(__floats2half2_rn(v[k].x * scale, v[k].y * scale), weight[i]);
    }
}

// Neighbouring values are a pair, which turns by an angle computed here; in place.
__global__ void rope_pairs(float2 *x, int pairs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs)
        return;
    int token = i / (HIDDEN / 2), pair = i % (HEAD / 2);
    float angle = (token % CONTEXT) * powf(10000.0f, -2.0f * pair / HEAD);
    float sine, cosine;
    sincosf(angle, &sine, &cosine);
    float2 v = x[i];
    x[i] = make_float2(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
}

// Values half a head apart are a pair, and sines and cosines come from tables; a block a token, a warp a head.
__global__ void rope_halves(const float *__restrict__ x, const float *__restrict__ cosines,
                            const float *__restrict__ sines, float *__restrict__ out)
{
    const int lane = threadIdx.x % 32, position = blockIdx.x % CONTEXT;
    for (int head = threadIdx.x / 32; head < HIDDEN / HEAD; head += blockDim.x / 32)
#pragma unroll
        for (int k = lane; k < HEAD / 2; k += 32) {
            const int i = blockIdx.x * HIDDEN + head * HEAD + k;
            const float c = cosines[position * (HEAD / 2) + k],
                        s = sines[position * (HEAD / 2) + k];
            const float a = x[i], b = x[i + HEAD / 2];
            out[i] = a * c - b * s;
            out[i + HEAD / 2] = a * s + b * c;
        }
}

// A row holds the gate's half and then the other factor's.
__global__ void silu_gate(const float *__restrict__ both, float *__restrict__ out, int tokens)
{
    const int stride = gridDim.x * blockDim.x, quarter = HIDDEN / 4;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < tokens * quarter / 2; i += stride) {
        const int row = i / (quarter / 2), k = i % (quarter / 2);
        const float4 a = ((const float4 *)both)[row * quarter + k],
                     b = ((const float4 *)both)[row * quarter + quarter / 2 + k];
        float4 v;
        v.x = a.x / (1.0f + __expf(-a.x)) * b.x;
        v.y = a.y / (1.0f + __expf(-a.y)) * b.y;
        v.z = a.z / (1.0f + __expf(-a.z)) * b.z;
        v.w = a.w / (1.0f + __expf(-a.w)) * b.w;
        ((float4 *)out)[i] = v;
    }
}

static void expect_half(const char *what, const __half *device, const std::vector<float> &want)
{
    std::vector<float> got;
    for (const __half v : to_host(device, want.size()))
        got.push_back(__half2float(v));
    float *again = to_device(got);
    expect(what, again, want, 4e-3);
    CHECK(cudaFree(again));
}

int main(int argc, char **argv)
{
    const int tokens = argument(argc, argv, 1, 16), rounds = argument(argc, argv, 2, 1),
              n = tokens * HIDDEN;
    const std::vector<float> x = units(n, 1), weight = units(HIDDEN, 2), more = units(n, 3);
    std::vector<float> norm(n), sum(n), sum_norm(n), pairs(n), halves(n), gate(n / 2),
        cosines(CONTEXT * HEAD / 2), sines(cosines.size());
    std::vector<__half> hx(n), hmore(n), hweight(HIDDEN);
    for (size_t k = 0; k < sines.size(); k++) {
        const double angle = k / (HEAD / 2) * pow(10000.0, -2.0 * (k % (HEAD / 2)) / HEAD);
        cosines[k] = (float)cos(angle);
        sines[k] = (float)sin(angle);
    }
    for (int i = 0; i < n; i++) {
        hx[i] = __float2half(x[i]);
        hmore[i] = __float2half(more[i]);
        hweight[i % HIDDEN] = __float2half(weight[i % HIDDEN]);
        sum[i] = x[i] + more[i];
    }
    for (int row = 0; row < tokens; row++) {
        const float *v = &x[(size_t)row * HIDDEN], *w = &sum[(size_t)row * HIDDEN];
        double squares = 0, sum_squares = 0;
        for (int k = 0; k < HIDDEN; k++) {
            squares += v[k] * v[k];
            sum_squares += w[k] * w[k];
        }
        for (int k = 0; k < HIDDEN; k++) {
            const int i = row * HIDDEN + k, pair = k % HEAD / 2, low = k % (HEAD / 2);
            const float *c = &cosines[row % CONTEXT * (HEAD / 2)],
                        *s = &sines[row % CONTEXT * (HEAD / 2)];
            norm[i] = (float)(v[k] / sqrt(squares / HIDDEN + EPSILON) * weight[k]);
            sum_norm[i] = (float)(w[k] / sqrt(sum_squares / HIDDEN + EPSILON) * weight[k]);
            pairs[i] = v[k] * c[pair] + (k % 2 ? v[k - 1] : -v[k + 1]) * s[pair];
            halves[i] = v[k] * c[low] +
                        (k % HEAD >= HEAD / 2 ? v[k - HEAD / 2] : -v[k + HEAD / 2]) * s[low];
            if (k < HIDDEN / 2)
                gate[row * (HIDDEN / 2) + k] = v[k] / (1 + expf(-v[k])) * v[HIDDEN / 2 + k];
        }
    }
    const float *dx = to_device(x), *dweight = to_device(weight), *dcos = to_device(cosines),
                *dsin = to_device(sines);
    const __half *dhx = to_device(hx), *dhmore = to_device(hmore), *dhweight = to_device(hweight);
    float *a = device_zeros<float>(n), *b = device_zeros<float>(n), *c = device_zeros<float>(n),
          *d = device_zeros<float>(n), *e = device_zeros<float>(n / 2);
    __half *residual = to_device(hmore), *f = to_device(hmore);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(n, 256), 256>>>(c, dx, n);
        copy_array<<<ceil_div(n / 2, 256), 256>>>((__half2 *)residual, (const __half2 *)dhmore,
                                                  n / 2);
        rms_norm_plain<<<tokens, 256>>>(dx, dweight, a);
        rms_norm_vector<128>
            <<<tokens, 128>>>((const float4 *)dx, (const float4 *)dweight, (float4 *)b);
        add_rms_norm_half<<<tokens, 256>>>((const __half2 *)dhx, (__half2 *)residual,
                                           (const __half2 *)dhweight, (__half2 *)f);
        rope_pairs<<<ceil_div(n / 2, 256), 256>>>((float2 *)c, n / 2);
        rope_halves<<<tokens, 512>>>(dx, dcos, dsin, d);
        silu_gate<<<std::min(ceil_div(n / 8, 256), 1056), 256>>>(dx, e, tokens);
    }
    expect("rms_norm_plain", a, norm, 1e-5);
    expect("rms_norm_vector", b, norm, 1e-5);
    expect_half("residual", residual, sum);
    expect_half("add_rms_norm_half", f, sum_norm);
    expect("rope_pairs", c, pairs, 1e-3);
    expect("rope_halves", d, halves, 1e-5);
    expect("silu_gate", e, gate, 1e-5);
    return verdict();
}
