// A mixture of 32 experts between its matrix products: the best two experts of each token and the softmax of the
// two, a thread and a warp a token; counts by atomics in shared memory; places in the order of tokens, from one block;
// rows of 256 numbers copied to their experts, and the two results of each token added with the gate's weights.
#include "common.h"

#define EXPERTS 32
#define HIDDEN 256
#define PAD 8

// The weights of the best two, which add to 1; the first of equal ones is better.
__global__ void gate_plain(const float *logits, int *experts, float *weights, int tokens)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= tokens)
        return;
    float best = -INFINITY, second = -INFINITY;
    int at = 0, after = 0;
    for (int e = 0; e < EXPERTS; e++) {
        float v = logits[i * EXPERTS + e];
        if (v > best) {
            second = best;
            after = at;
            best = v;
            at = e;
        } else if (v > second) {
            second = v;
            after = e;
        }
    }
    float share = 1.0f / (1.0f + expf(second - best));
    experts[2 * i] = at;
    experts[2 * i + 1] = after;
    weights[2 * i] = share;
    weights[2 * i + 1] = 1.0f - share;
}

__device__ __forceinline__ void warp_best(float &value, int &index)
{
#pragma unroll
    for (int mask = EXPERTS / 2; mask > 0; mask /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, value, mask);
        const int place = __shfl_xor_sync(0xffffffffu, index, mask);
        if (other > value || (other == value && place < index)) {
            value = other;
            index = place;
        }
    }
}

// A lane an expert.
__global__ void gate_warp(const float *__restrict__ logits, int2 *__restrict__ experts,
                          float2 *__restrict__ weights, int tokens)
{
    const int lane = threadIdx.x, warps = gridDim.x * blockDim.y;
    for (int i = blockIdx.x * blockDim.y + threadIdx.y; i < tokens; i += warps) {
        const float mine = logits[i * EXPERTS + lane];
        float first = mine;
        int at = lane, after = lane;
        warp_best(first, at);
        float second = lane == at ? -INFINITY : mine;
        warp_best(second, after);
        if (lane == 0) {
            const float weight = 1.0f / (1.0f + __expf(second - first));
            experts[i] = make_int2(at, after);
            weights[i] = make_float2(weight, 1.0f - weight);
        }
    }
}

__global__ void count_experts(const int *__restrict__ experts, int *__restrict__ counts, int pairs)
{
    __shared__ int s[EXPERTS];
    if (threadIdx.x < EXPERTS)
        s[threadIdx.x] = 0;
    __syncthreads();
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < pairs; p += gridDim.x * blockDim.x)
        atomicAdd(&s[experts[p]], 1);
    __syncthreads();
    if (threadIdx.x < EXPERTS && s[threadIdx.x])
        atomicAdd(&counts[threadIdx.x], s[threadIdx.x]);
}

// One block: each thread has a run of pairs and counts them by expert; sums over threads give every pair its place.
// An expert's rows begin at a multiple of PAD.
template <int BLOCK>
__global__ void place_pairs(const int *__restrict__ experts, const int *__restrict__ counts,
                            int *__restrict__ offsets, int *__restrict__ places, int pairs)
{
    __shared__ unsigned short mine[EXPERTS][BLOCK + 2];
    __shared__ int first[EXPERTS];
    const int t = threadIdx.x, run = (pairs + BLOCK - 1) / BLOCK;
    const int begin = min(t * run, pairs), end = min(begin + run, pairs);
    for (int e = 0; e < EXPERTS; e++)
        mine[e][t] = 0;
    for (int p = begin; p < end; p++)
        mine[experts[p]][t]++;
    __syncthreads();
    if (t < EXPERTS) {
        int before = 0;
        for (int k = 0; k < BLOCK; k++) {
            const int count = mine[t][k];
            mine[t][k] = (unsigned short)before;
            before += count;
        }
        const int rows = (counts[t] + PAD - 1) / PAD * PAD;
        int sum = rows;
        for (int step = 1; step < EXPERTS; step *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, sum, step);
            if (t >= step)
                sum += other;
        }
        first[t] = sum - rows;
        offsets[t] = sum - rows;
        if (t == EXPERTS - 1)
            offsets[EXPERTS] = sum;
    }
    __syncthreads();
    for (int p = begin; p < end; p++) {
        const int e = experts[p];
        places[p] = first[e] + mine[e][t]++;
    }
}

// 64 threads a token, a float4 each; a row is read once and written twice.
__global__ void __launch_bounds__(256)
    scatter_rows(const float4 *__restrict__ x, const int2 *__restrict__ places,
                 float4 *__restrict__ sorted, int tokens)
{
    const int k = threadIdx.x % (HIDDEN / 4), i = blockIdx.x * 4 + threadIdx.x / (HIDDEN / 4);
    if (i >= tokens)
        return;
    const float4 v = x[i * (HIDDEN / 4) + k];
    const int2 place = places[i];
    sorted[place.x * (HIDDEN / 4) + k] = v;
    sorted[place.y * (HIDDEN / 4) + k] = v;
}

__global__ void combine_rows(const float *__restrict__ results, const int *__restrict__ places,
                             const float *__restrict__ weights, float *__restrict__ out)
{
    const int i = blockIdx.x;
    const float *a = results + (size_t)places[2 * i] * HIDDEN;
    const float *b = results + (size_t)places[2 * i + 1] * HIDDEN;
    const float wa = weights[2 * i], wb = weights[2 * i + 1];
    for (int k = threadIdx.x; k < HIDDEN; k += blockDim.x)
        out[(size_t)i * HIDDEN + k] = wa * a[k] + wb * b[k];
}

int main(int argc, char **argv)
{
    const int tokens = std::min(argument(argc, argv, 1, 128), 32000), pairs = 2 * tokens,
              rounds = argument(argc, argv, 2, 1), n = tokens * HIDDEN,
              room = pairs + EXPERTS * PAD;
    const std::vector<float> x = units(n, 1);
    std::vector<float> logits = units((size_t)tokens * EXPERTS, 2), weights(pairs), out(n),
                       sorted((size_t)room * HIDDEN);
    std::vector<int> experts(pairs), counts(EXPERTS), offsets(EXPERTS + 1), places(pairs), next;
    for (size_t k = 0; k < logits.size(); k++)
        logits[k] = 8.0f * logits[k] * (k % 7 ? 1.0f : 1.2f);
    for (int i = 0; i < tokens; i++) {
        const float *v = &logits[(size_t)i * EXPERTS];
        const int at = (int)(std::max_element(v, v + EXPERTS) - v);
        int after = at == 0;
        for (int e = 0; e < EXPERTS; e++)
            if (e != at && v[e] > v[after])
                after = e;
        counts[experts[2 * i] = at]++;
        counts[experts[2 * i + 1] = after]++;
        weights[2 * i] = (float)(1 / (1 + exp(v[after] - v[at])));
        weights[2 * i + 1] = 1 - weights[2 * i];
    }
    for (int e = 0; e < EXPERTS; e++)
        offsets[e + 1] = offsets[e] + ceil_div(counts[e], PAD) * PAD;
    next = offsets;
    for (int p = 0; p < pairs; p++) {
        places[p] = next[experts[p]]++;
        for (int k = 0; k < HIDDEN; k++) {
            const float v = x[(size_t)(p / 2) * HIDDEN + k];
            sorted[(size_t)places[p] * HIDDEN + k] = v;
            out[(size_t)(p / 2) * HIDDEN + k] += weights[p] * v;
        }
    }
    const float *dx = to_device(x), *dlogits = to_device(logits);
    int *de[2] = {device_zeros<int>(pairs), device_zeros<int>(pairs)},
        *dcounts = device_zeros<int>(EXPERTS), *doffsets = device_zeros<int>(EXPERTS + 1),
        *dplaces = device_zeros<int>(pairs);
    float *dw[2] = {device_zeros<float>(pairs), device_zeros<float>(pairs)},
          *dsorted = device_zeros<float>(sorted.size()), *dout = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<1, EXPERTS>>>(dcounts, 0, EXPERTS);
        gate_plain<<<ceil_div(tokens, 128), 128>>>(dlogits, de[0], dw[0], tokens);
        gate_warp<<<std::min(ceil_div(tokens, 8), 264), dim3(32, 8)>>>(dlogits, (int2 *)de[1],
                                                                       (float2 *)dw[1], tokens);
        count_experts<<<std::min(ceil_div(pairs, 256), 132), 256>>>(de[0], dcounts, pairs);
        place_pairs<512><<<1, 512>>>(de[0], dcounts, doffsets, dplaces, pairs);
        scatter_rows<<<ceil_div(tokens, 4), 256>>>((const float4 *)dx, (const int2 *)dplaces,
                                                   (float4 *)dsorted, tokens);
        combine_rows<<<tokens, 128>>>(dsorted, dplaces, dw[0], dout);
    }
    expect("gate_plain", de[0], experts);
    expect("gate_plain", dw[0], weights, 1e-5);
    expect("gate_warp", de[1], experts);
    expect("gate_warp", dw[1], weights, 1e-5);
    expect("count_experts", dcounts, counts);
    expect("place_pairs", doffsets, offsets);
    expect("place_pairs", dplaces, places);
    expect("scatter_rows", dsorted, sorted);
    expect("combine_rows", dout, out, 1e-5);
    return verdict();
}
