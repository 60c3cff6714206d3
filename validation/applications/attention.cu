// Attention of one head of 64 columns: scores, softmax and weighted values as three kernels, and as one that
// goes over keys and values in tiles with a running maximum.
#include "common.h"

#define D 64
#define TILE 32

__global__ void scores_naive(const float *q, const float *k, float *s, int n, float scale)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float sum = 0.0f;
    for (int c = 0; c < D; c++)
        sum += q[i * D + c] * k[j * D + c];
    s[i * n + j] = sum * scale;
}

__global__ void softmax_row(float *s, int n)
{
    __shared__ float part[128];
    float *row = s + blockIdx.x * n;
    const int t = threadIdx.x;
    float top = -1e30f;
    for (int j = t; j < n; j += blockDim.x)
        top = fmaxf(top, row[j]);
    part[t] = top;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step)
            part[t] = fmaxf(part[t], part[t + step]);
        __syncthreads();
    }
    top = part[0];
    __syncthreads();
    float sum = 0.0f;
    for (int j = t; j < n; j += blockDim.x) {
        row[j] = expf(row[j] - top);
        sum += row[j];
    }
    part[t] = sum;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        __syncthreads();
    }
    for (int j = t; j < n; j += blockDim.x)
        row[j] /= part[0];
}

__global__ void weighted_values(const float *s, const float *v, float *out, int n)
{
    const int i = blockIdx.x * blockDim.y + threadIdx.y, c = threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int j = 0; j < n; j++)
        sum += s[i * n + j] * v[j * D + c];
    out[i * D + c] = sum;
}

// A thread keeps one query and its sums; the block shares a tile of keys and values.
__global__ void __launch_bounds__(64)
    attention_tiled(const float *__restrict__ q, const float *__restrict__ k,
                    const float *__restrict__ v, float *__restrict__ out, int n, float scale)
{
    __shared__ float ks[TILE][D], vs[TILE][D];
    const int i = blockIdx.x * 64 + threadIdx.x;
    float query[D], sum[D];
#pragma unroll
    for (int c = 0; c < D; c++) {
        query[c] = i < n ? q[i * D + c] : 0.0f;
        sum[c] = 0.0f;
    }
    float top = -1e30f, total = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        for (int w = threadIdx.x; w < TILE * D; w += 64) {
            const int j = first + w / D;
            ks[w / D][w % D] = j < n ? k[j * D + w % D] : 0.0f;
            vs[w / D][w % D] = j < n ? v[j * D + w % D] : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < TILE && first + j < n; j++) {
            float score = 0.0f;
#pragma unroll
            for (int c = 0; c < D; c++)
                score += query[c] * ks[j][c];
            score *= scale;
            const float higher = fmaxf(top, score);
            const float shrink = expf(top - higher), weight = expf(score - higher);
            total = total * shrink + weight;
#pragma unroll
            for (int c = 0; c < D; c++)
                sum[c] = sum[c] * shrink + weight * vs[j][c];
            top = higher;
        }
        __syncthreads();
    }
    if (i < n)
        for (int c = 0; c < D; c++)
            out[i * D + c] = sum[c] / total;
}

static std::vector<float> reference(const std::vector<float> &q, const std::vector<float> &k,
                                    const std::vector<float> &v, int n, float scale)
{
    std::vector<float> out(n * D), s(n);
    for (int i = 0; i < n; i++) {
        float total = 0;
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int c = 0; c < D; c++)
                sum += q[i * D + c] * k[j * D + c];
            total += s[j] = expf(sum * scale);
        }
        for (int j = 0; j < n; j++)
            for (int c = 0; c < D; c++)
                out[i * D + c] += s[j] / total * v[j * D + c];
    }
    return out;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1);
    const float scale = 1.0f / 8.0f;
    const std::vector<float> q = units(n * D, 1), k = units(n * D, 2), v = units(n * D, 3);
    float *dq = to_device(q), *dk = to_device(k), *dv = to_device(v);
    float *s = device_zeros<float>((size_t)n * n), *out = device_zeros<float>(n * D);
    float *tiled = device_zeros<float>(n * D);
    for (int round = 0; round < rounds; round++) {
        scores_naive<<<dim3(ceil_div(n, 32), ceil_div(n, 8)), dim3(32, 8)>>>(dq, dk, s, n, scale);
        softmax_row<<<n, 128>>>(s, n);
        weighted_values<<<ceil_div(n, 4), dim3(D, 4)>>>(s, dv, out, n);
        attention_tiled<<<ceil_div(n, 64), 64>>>(dq, dk, dv, tiled, n, scale);
    }
    const std::vector<float> want = reference(q, k, v, n, scale);
    expect("three kernels", out, want, 1e-4);
    expect("attention_tiled", tiled, want, 1e-4);
    return verdict();
}
