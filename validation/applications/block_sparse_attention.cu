// Attention: a block of 16 queries sees few blocks of 16 keys, its neighbours, the first and some at random.
// Scores, softmax and weighted values one after another, plainly and by shared tiles; all in one kernel.
#include "common.h"
#include <cuda_fp16.h>

#define BLOCK 16
#define DIM 64
#define FOURS (DIM / 4)
#define AREA (BLOCK * BLOCK)

// The key blocks of each query block, and of each of these pairs its query block; the same for all heads.
struct Layout {
    const int *start, *column, *row;
    int blocks, pairs;
};

__global__ void scores_plain(const float *q, const float *k, float *scores, Layout layout, float scale)
{
    int pair = blockIdx.x, head = blockIdx.y;
    int n = layout.blocks * BLOCK;
    int i = layout.row[pair] * BLOCK + threadIdx.y;
    int j = layout.column[pair] * BLOCK + threadIdx.x;
    float sum = 0;
    for (int d = 0; d < DIM; d++)
        sum += q[(head * n + i) * DIM + d] * k[(head * n + j) * DIM + d];
    scores[((head * layout.pairs + pair) * BLOCK + threadIdx.y) * BLOCK + threadIdx.x] = sum * scale;
}

// Both tiles in shared memory; a thread has four scores of a column.
__global__ void __launch_bounds__(64)
    scores_tiled(const float4 *__restrict__ q, const float4 *__restrict__ k, float *__restrict__ scores,
                 Layout layout, float scale)
{
    __shared__ float query[BLOCK][DIM + 4], key[BLOCK][DIM + 4];
    const int pair = blockIdx.x, head = blockIdx.y, n = layout.blocks * BLOCK;
    const float4 *from = q + (head * n + layout.row[pair] * BLOCK) * FOURS,
                 *with = k + (head * n + layout.column[pair] * BLOCK) * FOURS;
#pragma unroll
    for (int e = threadIdx.x; e < BLOCK * FOURS; e += 64) {
        *(float4 *)&query[e / FOURS][e % FOURS * 4] = from[e];
        *(float4 *)&key[e / FOURS][e % FOURS * 4] = with[e];
    }
    __syncthreads();
    const int column = threadIdx.x % BLOCK, group = threadIdx.x / BLOCK;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 4
    for (int d = 0; d < DIM; d += 4) {
        const float4 b = *(const float4 *)&key[column][d];
#pragma unroll
        for (int r = 0; r < 4; r++) {
            const float4 a = *(const float4 *)&query[group * 4 + r][d];
            sum[r] += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        }
    }
    float *out = scores + (size_t)(head * layout.pairs + pair) * AREA;
#pragma unroll
    for (int r = 0; r < 4; r++)
        out[(group * 4 + r) * BLOCK + column] = sum[r] * scale;
}

// A thread a row of queries; its scores lie in pieces of BLOCK, one in each of the pairs.
__global__ void softmax_plain(const float *scores, float *weights, Layout layout)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, head = blockIdx.y;
    if (i >= layout.blocks * BLOCK)
        return;
    int first = head * layout.pairs + layout.start[i / BLOCK];
    int last = head * layout.pairs + layout.start[i / BLOCK + 1];
    float best = -INFINITY, sum = 0;
    for (int pair = first; pair < last; pair++)
        for (int j = 0; j < BLOCK; j++)
            best = fmaxf(best, scores[(pair * BLOCK + i % BLOCK) * BLOCK + j]);
    for (int pair = first; pair < last; pair++)
        for (int j = 0; j < BLOCK; j++)
            sum += expf(scores[(pair * BLOCK + i % BLOCK) * BLOCK + j] - best);
    for (int pair = first; pair < last; pair++)
        for (int j = 0; j < BLOCK; j++) {
            int at = (pair * BLOCK + i % BLOCK) * BLOCK + j;
            weights[at] = expf(scores[at] - best) / sum;
        }
}

// A warp a row: two pairs at a time. What a lane has seen it keeps in registers, up to PAIRS pairs a row.
template <int PAIRS>
__global__ void softmax_warp(const float *__restrict__ scores, float *__restrict__ weights, Layout layout)
{
    const int lane = threadIdx.x, i = blockIdx.x * blockDim.y + threadIdx.y, head = blockIdx.y;
    const int first = layout.start[i / BLOCK], count = layout.start[i / BLOCK + 1] - first;
    const int at = (head * layout.pairs + first + lane / BLOCK) * AREA + i % BLOCK * BLOCK + lane % BLOCK;
    float value[PAIRS / 2], best = -INFINITY, sum = 0.0f;
#pragma unroll
    for (int p = 0; p < PAIRS / 2; p++) {
        value[p] = 2 * p + lane / BLOCK < count ? scores[at + 2 * p * AREA] : -INFINITY;
        best = fmaxf(best, value[p]);
    }
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2)
        best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, mask));
#pragma unroll
    for (int p = 0; p < PAIRS / 2; p++) {
        value[p] = __expf(value[p] - best);
        sum += value[p];
    }
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    const float factor = 1.0f / sum;
#pragma unroll
    for (int p = 0; p < PAIRS / 2; p++)
        if (2 * p + lane / BLOCK < count)
            weights[at + 2 * p * AREA] = value[p] * factor;
}

__global__ void values_plain(const float *weights, const float *v, float *out, Layout layout)
{
    int block = blockIdx.x, head = blockIdx.y, d = threadIdx.x;
    int n = layout.blocks * BLOCK;
    for (int r = threadIdx.y; r < BLOCK; r += blockDim.y) {
        float sum = 0;
        for (int pair = layout.start[block]; pair < layout.start[block + 1]; pair++)
            for (int j = 0; j < BLOCK; j++)
                sum += weights[((head * layout.pairs + pair) * BLOCK + r) * BLOCK + j] *
                       v[(head * n + layout.column[pair] * BLOCK + j) * DIM + d];
        out[(head * n + block * BLOCK + r) * DIM + d] = sum;
    }
}

__device__ __forceinline__ void add_scaled(float4 &sum, float a, float4 b)
{
    sum.x = fmaf(a, b.x, sum.x);
    sum.y = fmaf(a, b.y, sum.y);
    sum.z = fmaf(a, b.z, sum.z);
    sum.w = fmaf(a, b.w, sum.w);
}

// A query block's weights of a pair are transposed into shared memory; 2 rows x 4 columns a thread.
__global__ void __launch_bounds__(128)
    values_tiled(const float4 *__restrict__ weights, const float4 *__restrict__ v, float4 *__restrict__ out,
                 Layout layout)
{
    __shared__ float weight[BLOCK][BLOCK + 2];
    const int block = blockIdx.x, head = blockIdx.y, t = threadIdx.x, n = layout.blocks * BLOCK;
    const int d = t % FOURS, r = t / FOURS * 2, end = layout.start[block + 1];
    float4 up = make_float4(0.0f, 0.0f, 0.0f, 0.0f), low = up;
    for (int pair = layout.start[block]; pair < end; pair++) {
        if (t < AREA / 4) {
            const float4 four = weights[(head * layout.pairs + pair) * (AREA / 4) + t];
            weight[t % 4 * 4 + 0][t / 4] = four.x;
            weight[t % 4 * 4 + 1][t / 4] = four.y;
            weight[t % 4 * 4 + 2][t / 4] = four.z;
            weight[t % 4 * 4 + 3][t / 4] = four.w;
        }
        __syncthreads();
        const float4 *values = v + (head * n + layout.column[pair] * BLOCK) * FOURS + d;
#pragma unroll
        for (int j = 0; j < BLOCK; j++) {
            const float4 b = values[j * FOURS];
            const float2 a = *(const float2 *)&weight[j][r];
            add_scaled(up, a.x, b);
            add_scaled(low, a.y, b);
        }
        __syncthreads();
    }
    out[(head * n + block * BLOCK + r) * FOURS + d] = up;
    out[(head * n + block * BLOCK + r + 1) * FOURS + d] = low;
}

// No scores in memory, but running maxima: eight threads a query, of which each has two of a pair's keys and
// eight of the columns. Keys and values are halves.
__global__ void __launch_bounds__(128)
    attention_fused(const float *__restrict__ q, const uint4 *__restrict__ k, const uint4 *__restrict__ v,
                    float *__restrict__ out, Layout layout, float scale)
{
    __shared__ float query[BLOCK][DIM + 1];
    __shared__ __align__(16) __half2 key[BLOCK][DIM / 2 + 4], value[BLOCK][DIM / 2 + 4];
    const int block = blockIdx.x, head = blockIdx.y, t = threadIdx.x, n = layout.blocks * BLOCK;
    const int r = t / 8, part = t % 8, end = layout.start[block + 1];
    for (int e = t; e < BLOCK * DIM; e += 128)
        query[e / DIM][e % DIM] = q[(head * n + block * BLOCK) * DIM + e] * scale;
    float best = -INFINITY, sum = 0.0f, mine[8] = {};
    for (int pair = layout.start[block]; pair < end; pair++) {
        __syncthreads();
        const int from = (head * n + layout.column[pair] * BLOCK) * (DIM / 8);
        *(uint4 *)&key[t / 8][t % 8 * 4] = k[from + t];
        *(uint4 *)&value[t / 8][t % 8 * 4] = v[from + t];
        __syncthreads();
        float score[2] = {0.0f, 0.0f};
#pragma unroll 8
        for (int d = 0; d < DIM / 2; d++) {
            const float2 a = __half22float2(key[part][d]), b = __half22float2(key[part + 8][d]);
            score[0] += query[r][2 * d] * a.x + query[r][2 * d + 1] * a.y;
            score[1] += query[r][2 * d] * b.x + query[r][2 * d + 1] * b.y;
        }
        float top = fmaxf(best, fmaxf(score[0], score[1]));
#pragma unroll
        for (int mask = 4; mask > 0; mask /= 2)
            top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, mask, 8));
        const float less = __expf(best - top);
        best = top;
        score[0] = __expf(score[0] - top);
        score[1] = __expf(score[1] - top);
        sum = sum * less + score[0] + score[1];
#pragma unroll
        for (int c = 0; c < 8; c++)
            mine[c] *= less;
#pragma unroll
        for (int j = 0; j < BLOCK; j++) {
            const float weight = __shfl_sync(0xffffffffu, score[j / 8], j % 8, 8);
#pragma unroll
            for (int c = 0; c < 4; c++) {
                const float2 two = __half22float2(value[j][part * 4 + c]);
                mine[2 * c] += weight * two.x;
                mine[2 * c + 1] += weight * two.y;
            }
        }
    }
#pragma unroll
    for (int mask = 4; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, mask, 8);
    float4 *to = (float4 *)&out[(head * n + block * BLOCK + r) * DIM + part * 8];
    to[0] = make_float4(mine[0] / sum, mine[1] / sum, mine[2] / sum, mine[3] / sum);
    to[1] = make_float4(mine[4] / sum, mine[5] / sum, mine[6] / sum, mine[7] / sum);
}

int main(int argc, char **argv)
{
    const int blocks = argument(argc, argv, 1, 4), rounds = argument(argc, argv, 2, 1), heads = 2,
              n = blocks * BLOCK, count = heads * n * DIM;
    const float scale = 0.125f;
    std::vector<int> start(1), column, row;
    for (int b = 0; b < blocks; b++) {
        std::vector<int> seen = {0, b - 1, b, b + 1};
        for (int k = 0; k < 1 + b % 3; k++)
            seen.push_back(hash32(b * 8 + k) % blocks);
        std::sort(seen.begin(), seen.end());
        seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
        for (int c : seen)
            if (c >= 0 && c < blocks) {
                column.push_back(c);
                row.push_back(b);
            }
        start.push_back((int)column.size());
    }
    const int pairs = (int)column.size(), area = heads * pairs * AREA;
    std::vector<float> q = units(count, 1), k = units(count, 2), v = units(count, 3), want(count);
    std::vector<__half> half_k(count), half_v(count);
    for (int e = 0; e < count; e++) {
        q[e] = 4 * q[e] - 2;
        half_k[e] = __float2half(2 * k[e] - 1);
        half_v[e] = __float2half(v[e]);
        k[e] = __half2float(half_k[e]); // so that all kernels see the same numbers
        v[e] = __half2float(half_v[e]);
    }
    for (int i = 0; i < heads * n; i++) {
        const int head = i / n, b = i % n / BLOCK;
        double sum = 0, mean[DIM] = {};
        for (int p = start[b]; p < start[b + 1]; p++)
            for (int j = 0; j < BLOCK; j++) {
                const int at = (head * n + column[p] * BLOCK + j) * DIM;
                double score = 0;
                for (int d = 0; d < DIM; d++)
                    score += (double)q[i * DIM + d] * k[at + d];
                const double weight = exp(score * scale);
                sum += weight;
                for (int d = 0; d < DIM; d++)
                    mean[d] += weight * v[at + d];
            }
        for (int d = 0; d < DIM; d++)
            want[i * DIM + d] = (float)(mean[d] / sum);
    }
    const Layout layout = {to_device(start), to_device(column), to_device(row), blocks, pairs};
    const float *dq = to_device(q), *dk = to_device(k), *dv = to_device(v);
    const uint4 *hk = (const uint4 *)to_device(half_k), *hv = (const uint4 *)to_device(half_v);
    float *scores[2], *weights[2], *out[3];
    for (int s = 0; s < 3; s++) {
        if (s < 2) {
            scores[s] = device_zeros<float>(area);
            weights[s] = device_zeros<float>(area);
        }
        out[s] = device_zeros<float>(count);
    }
    const dim3 each(pairs, heads), whole(blocks, heads);
    for (int round = 0; round < rounds; round++) {
        scores_plain<<<each, dim3(BLOCK, BLOCK)>>>(dq, dk, scores[0], layout, scale);
        softmax_plain<<<dim3(ceil_div(n, 64), heads), 64>>>(scores[0], weights[0], layout);
        values_plain<<<whole, dim3(DIM, 4)>>>(weights[0], dv, out[0], layout);
        scores_tiled<<<each, 64>>>((const float4 *)dq, (const float4 *)dk, scores[1], layout, scale);
        softmax_warp<8><<<dim3(n / 4, heads), dim3(32, 4)>>>(scores[1], weights[1], layout);
        values_tiled<<<whole, 128>>>((const float4 *)weights[1], (const float4 *)dv, (float4 *)out[1],
                                     layout);
        attention_fused<<<whole, 128>>>(dq, hk, hv, out[2], layout, scale);
    }
    expect("plain", out[0], want, 1e-5);
    expect("tiled", out[1], want, 1e-5);
    expect("attention_fused", out[2], want, 1e-5);
    return verdict();
}
