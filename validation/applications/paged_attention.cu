// Attention of one query a sequence over a key-value cache in pages of 16 tokens, 16 heads of which four share keys
// and values: with all scores in shared memory, a warp a token, four heads on a page in shared memory, in partitions.
#include "common.h"
#include <cuda_fp16.h>

#define HEADS 16
#define KV_HEADS 4
#define SHARE (HEADS / KV_HEADS)
#define D 64
#define PAGE 16
#define MOST 1024
#define PARTITION 256
#define SCALE 0.125f

// A page holds, for each head of the cache, 16 tokens of D values.
__device__ inline size_t cell(const int *table, int sequence, int head, int token)
{
    const int page = table[sequence * (MOST / PAGE) + token / PAGE];
    return (((size_t)page * KV_HEADS + head) * PAGE + token % PAGE) * D;
}

// The new token of each sequence, which is its last one.
__global__ void append_token(const __half *new_keys, const __half *new_values, __half *keys,
                             __half *values, const int *table, const int *lengths)
{
    int sequence = blockIdx.x, head = threadIdx.x / D, d = threadIdx.x % D;
    size_t to = cell(table, sequence, head, lengths[sequence] - 1) + d;
    keys[to] = new_keys[sequence * KV_HEADS * D + threadIdx.x];
    values[to] = new_values[sequence * KV_HEADS * D + threadIdx.x];
}

// A thread a token for the scores, a thread a dimension and half of the tokens for the values.
__global__ void paged_plain(const float *q, const __half *keys, const __half *values,
                            const int *table, const int *lengths, float *out)
{
    __shared__ float score[MOST], query[D], s[128];
    const int t = threadIdx.x, head = blockIdx.x, sequence = blockIdx.y, length = lengths[sequence];
    if (t < D)
        query[t] = q[(sequence * HEADS + head) * D + t] * SCALE;
    __syncthreads();
    float most = -1e30f, sum = 0.0f;
    for (int k = t; k < length; k += 128) {
        const __half *key = keys + cell(table, sequence, head / SHARE, k);
        float dot = 0.0f;
        for (int d = 0; d < D; d++)
            dot += query[d] * __half2float(key[d]);
        score[k] = dot;
        most = fmaxf(most, dot);
    }
    s[t] = most;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step)
            s[t] = fmaxf(s[t], s[t + step]);
        __syncthreads();
    }
    most = s[0];
    __syncthreads();
    for (int k = t; k < length; k += 128) {
        score[k] = expf(score[k] - most);
        sum += score[k];
    }
    s[t] = sum;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        __syncthreads();
    }
    sum = s[0];
    __syncthreads();
    float value = 0.0f;
    for (int k = t / D; k < length; k += 2)
        value += score[k] * __half2float(values[cell(table, sequence, head / SHARE, k) + t % D]);
    s[t] = value;
    __syncthreads();
    if (t < D)
        out[(sequence * HEADS + head) * D + t] = (s[t] + s[t + D]) / sum;
}

// What four warps have of the tokens from first on: maximum, sum and values, put together in warp 0.
__device__ void attend(const float *__restrict__ query, const __half *__restrict__ keys,
                       const __half *__restrict__ values, const int *__restrict__ table,
                       int sequence, int head, int first, int end, float &most, float &sum,
                       float2 &value)
{
    __shared__ float mosts[4], sums[4];
    __shared__ float2 parts[4][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float2 mine = ((const float2 *)query)[lane];
    most = -1e30f;
    sum = 0.0f;
    value = make_float2(0.0f, 0.0f);
    for (int k = first + warp; k < end; k += 4) {
        const size_t at = cell(table, sequence, head / SHARE, k);
        const float2 key = __half22float2(((const __half2 *)(keys + at))[lane]);
        float dot = mine.x * key.x + mine.y * key.y;
#pragma unroll
        for (int mask = 16; mask > 0; mask /= 2)
            dot += __shfl_xor_sync(0xffffffffu, dot, mask);
        dot *= SCALE;
        const float next = fmaxf(most, dot), shrink = __expf(most - next), p = __expf(dot - next);
        const float2 v = __half22float2(((const __half2 *)(values + at))[lane]);
        sum = sum * shrink + p;
        value.x = value.x * shrink + p * v.x;
        value.y = value.y * shrink + p * v.y;
        most = next;
    }
    if (lane == 0) {
        mosts[warp] = most;
        sums[warp] = sum;
    }
    parts[warp][lane] = value;
    __syncthreads();
    most = fmaxf(fmaxf(mosts[0], mosts[1]), fmaxf(mosts[2], mosts[3]));
    sum = 0.0f;
    value = make_float2(0.0f, 0.0f);
    for (int w = 0; w < 4; w++) {
        const float weight = __expf(mosts[w] - most);
        sum += weight * sums[w];
        value.x += weight * parts[w][lane].x;
        value.y += weight * parts[w][lane].y;
    }
}

__global__ void __launch_bounds__(128)
    paged_warp(const float *__restrict__ q, const __half *__restrict__ keys,
               const __half *__restrict__ values, const int *__restrict__ table,
               const int *__restrict__ lengths, float2 *__restrict__ out)
{
    const int head = blockIdx.x, sequence = blockIdx.y, row = sequence * HEADS + head;
    float most, sum;
    float2 value;
    attend(q + row * D, keys, values, table, sequence, head, 0, lengths[sequence], most, sum,
           value);
    if (threadIdx.x < 32)
        out[row * 32 + threadIdx.x] = make_float2(value.x / sum, value.y / sum);
}

__global__ void __launch_bounds__(128)
    paged_partition(const float *__restrict__ q, const __half *__restrict__ keys,
                    const __half *__restrict__ values, const int *__restrict__ table,
                    const int *__restrict__ lengths, float2 *__restrict__ scales,
                    float2 *__restrict__ parts)
{
    const int head = blockIdx.x, sequence = blockIdx.y, first = blockIdx.z * PARTITION,
              length = lengths[sequence], row = sequence * HEADS + head;
    if (first >= length)
        return;
    float most, sum;
    float2 value;
    attend(q + row * D, keys, values, table, sequence, head, first, min(first + PARTITION, length),
           most, sum, value);
    const int part = row * (MOST / PARTITION) + blockIdx.z;
    if (threadIdx.x < 32)
        parts[part * 32 + threadIdx.x] = value;
    if (threadIdx.x == 0)
        scales[part] = make_float2(most, sum);
}

__global__ void combine(const float2 *scales, const float *parts, const int *lengths, float *out)
{
    const int row = blockIdx.x, d = threadIdx.x;
    const int count = (lengths[row / HEADS] + PARTITION - 1) / PARTITION;
    float most = -1e30f, sum = 0.0f, value = 0.0f;
    for (int p = 0; p < count; p++)
        most = fmaxf(most, scales[row * (MOST / PARTITION) + p].x);
    for (int p = 0; p < count; p++) {
        const int part = row * (MOST / PARTITION) + p;
        const float weight = expf(scales[part].x - most);
        sum += weight * scales[part].y;
        value += weight * parts[part * D + d];
    }
    out[row * D + d] = value / sum;
}

// A warp a query head, and the four that share a page of the cache are a block.
__global__ void paged_group(const float *__restrict__ q, const __half2 *__restrict__ keys,
                            const __half2 *__restrict__ values, const int *__restrict__ table,
                            const int *__restrict__ lengths, float2 *__restrict__ out)
{
    __shared__ __half2 key[PAGE][D / 2 + 1], value[PAGE][D / 2];
    __shared__ float2 query[SHARE][D / 2];
    const int lane = threadIdx.x, warp = threadIdx.y, sequence = blockIdx.y;
    const int row = sequence * HEADS + blockIdx.x * SHARE + warp, length = lengths[sequence];
    query[warp][lane] = ((const float2 *)q)[row * 32 + lane];
    float most = -1e30f, sum = 0.0f;
    float2 all = make_float2(0.0f, 0.0f);
    for (int first = 0; first < length; first += PAGE) {
        const size_t at = cell(table, sequence, blockIdx.x, first) / 2;
        __syncthreads();
#pragma unroll
        for (int k = warp; k < PAGE; k += SHARE) {
            key[k][lane] = keys[at + k * 32 + lane];
            value[k][lane] = values[at + k * 32 + lane];
        }
        __syncthreads();
        // Two lanes a token, each half of the dimensions.
        float dot = 0.0f;
#pragma unroll
        for (int d = 0; d < D / 4; d++) {
            const float2 a = query[warp][lane / 16 * 16 + d],
                         b = __half22float2(key[lane % 16][lane / 16 * 16 + d]);
            dot += a.x * b.x + a.y * b.y;
        }
        dot += __shfl_xor_sync(0xffffffffu, dot, 16);
        dot = first + lane % 16 < length ? dot * SCALE : -1e30f;
        float next = fmaxf(most, dot);
        for (int mask = 8; mask > 0; mask /= 2)
            next = fmaxf(next, __shfl_xor_sync(0xffffffffu, next, mask));
        const float p = __expf(dot - next), shrink = __expf(most - next);
        float page_sum = p;
        for (int mask = 8; mask > 0; mask /= 2)
            page_sum += __shfl_xor_sync(0xffffffffu, page_sum, mask);
        sum = sum * shrink + page_sum;
        all.x *= shrink;
        all.y *= shrink;
#pragma unroll
        for (int k = 0; k < PAGE; k++) {
            const float weight = __shfl_sync(0xffffffffu, p, k);
            const float2 v = __half22float2(value[k][lane]);
            all.x += weight * v.x;
            all.y += weight * v.y;
        }
        most = next;
    }
    out[row * 32 + lane] = make_float2(all.x / sum, all.y / sum);
}

int main(int argc, char **argv)
{
    const int sequences = argument(argc, argv, 1, 4), rounds = argument(argc, argv, 2, 1);
    const int width = MOST / PAGE, rows = sequences * HEADS, entry = KV_HEADS * D;
    std::vector<int> lengths(sequences), table(sequences * width);
    std::vector<float> q = units(rows * D, 1), want(rows * D);
    int pages = 0;
    for (int s = 0; s < sequences; s++) {
        lengths[s] = 128 + hash32(s + 11) % (MOST - 127);
        pages += ceil_div(lengths[s], PAGE);
    }
    // Pages lie in any order: the n-th taken is page n * 7919 modulo their number.
    for (int s = 0, n = 0; s < sequences; s++)
        for (int p = 0; p < ceil_div(lengths[s], PAGE); p++, n++)
            table[s * width + p] = (int)(n * 7919ll % pages);
    std::vector<__half> keys((size_t)pages * PAGE * entry), values(keys.size()),
        new_keys(sequences * entry), new_values(new_keys.size());
    for (size_t i = 0; i < keys.size(); i++) {
        keys[i] = __float2half(unit((unsigned)i) - 0.5f);
        values[i] = __float2half(unit((unsigned)i + 99) - 0.5f);
    }
    const __half *old_keys = to_device(keys), *old_values = to_device(values);
    const auto place = [&](int s, int head, int k) {
        return (((size_t)table[s * width + k / PAGE] * KV_HEADS + head) * PAGE + k % PAGE) * D;
    };
    for (int s = 0; s < sequences; s++)
        for (int h = 0; h < entry; h++) {
            const size_t at = place(s, h / D, lengths[s] - 1) + h % D;
            keys[at] = new_keys[s * entry + h] = __float2half(unit(s * entry + h + 5));
            values[at] = new_values[s * entry + h] = __float2half(unit(s * entry + h + 6));
        }
    for (int row = 0; row < rows; row++) {
        const int s = row / HEADS;
        double sum = 0;
        std::vector<double> value(D);
        for (int k = 0; k < lengths[s]; k++) {
            const size_t at = place(s, row % HEADS / SHARE, k);
            float dot = 0;
            for (int d = 0; d < D; d++)
                dot += q[row * D + d] * __half2float(keys[at + d]);
            const double p = exp(dot * SCALE);
            sum += p;
            for (int d = 0; d < D; d++)
                value[d] += p * __half2float(values[at + d]);
        }
        for (int d = 0; d < D; d++)
            want[row * D + d] = (float)(value[d] / sum);
    }
    const float *dq = to_device(q);
    const int *dtable = to_device(table), *dlengths = to_device(lengths);
    const __half *dnew_keys = to_device(new_keys), *dnew_values = to_device(new_values);
    __half *k = device_zeros<__half>(keys.size()), *v = device_zeros<__half>(keys.size());
    float *out[4], *parts = device_zeros<float>((size_t)rows * (MOST / PARTITION) * D);
    float2 *scales = device_zeros<float2>(rows * (MOST / PARTITION));
    for (int i = 0; i < 4; i++)
        out[i] = device_zeros<float>(rows * D);
    const int words = (int)(keys.size() / 8);
    const dim3 grid(HEADS, sequences), split(HEADS, sequences, MOST / PARTITION);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(words, 256), 256>>>((int4 *)k, (const int4 *)old_keys, words);
        copy_array<<<ceil_div(words, 256), 256>>>((int4 *)v, (const int4 *)old_values, words);
        append_token<<<sequences, entry>>>(dnew_keys, dnew_values, k, v, dtable, dlengths);
        paged_plain<<<grid, 128>>>(dq, k, v, dtable, dlengths, out[0]);
        paged_warp<<<grid, 128>>>(dq, k, v, dtable, dlengths, (float2 *)out[1]);
        paged_partition<<<split, 128>>>(dq, k, v, dtable, dlengths, scales, (float2 *)parts);
        combine<<<rows, D>>>(scales, parts, dlengths, out[2]);
        paged_group<<<dim3(KV_HEADS, sequences), dim3(32, SHARE)>>>(
            dq, (const __half2 *)k, (const __half2 *)v, dtable, dlengths, (float2 *)out[3]);
    }
    expect("paged_plain", out[0], want, 1e-3);
    expect("paged_warp", out[1], want, 1e-3);
    expect("paged_partition", out[2], want, 1e-3);
    expect("paged_group", out[3], want, 1e-3);
    return verdict();
}
