// Softmax cross-entropy over a vocabulary of 10000 words, and its gradient: the loss by trees in shared memory, an
// elementwise gradient, loss and gradient fused in place after one online pass of float4, and the gradient for smoothed
// labels with the row kept in shared memory. Rows whose target is IGNORED count for nothing.
#include "common.h"

#define VOCABULARY 10000
#define IGNORED -100
#define SMOOTHING 0.1f

// A block a row: the maximum, then the sum of exponentials, each by a tree.
__global__ void loss_plain(const float *logits, const int *targets, float *losses, float *lse)
{
    __shared__ float s[256];
    const int t = threadIdx.x, row = blockIdx.x;
    const float *x = logits + (size_t)row * VOCABULARY;
    float top = -INFINITY;
    for (int k = t; k < VOCABULARY; k += blockDim.x)
        top = fmaxf(top, x[k]);
    s[t] = top;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            s[t] = fmaxf(s[t], s[t + step]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    float sum = 0;
    for (int k = t; k < VOCABULARY; k += blockDim.x)
        sum += expf(x[k] - top);
    s[t] = sum;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0) {
        const int target = targets[row];
        lse[row] = top + logf(s[0]);
        losses[row] = target == IGNORED ? 0.0f : lse[row] - x[target];
    }
}

__global__ void gradient_plain(const float *logits, const int *targets, const float *lse,
                               float *gradient, float scale)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (k >= VOCABULARY)
        return;
    const size_t i = (size_t)row * VOCABULARY + k;
    const int target = targets[row];
    float g = 0.0f;
    if (target != IGNORED)
        g = (expf(logits[i] - lse[row]) - (k == target ? 1.0f : 0.0f)) * scale;
    gradient[i] = g;
}

// The maximum so far and the sum of exponentials relative to it.
struct Online {
    float top, sum;
};

__device__ __forceinline__ Online merge(Online a, Online b)
{
    const float top = fmaxf(a.top, b.top);
    return {top, a.sum * __expf(a.top - top) + b.sum * __expf(b.top - top)};
}

__device__ __forceinline__ Online warp_merge(Online mine)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        const Online other = {__shfl_xor_sync(0xffffffffu, mine.top, step),
                              __shfl_xor_sync(0xffffffffu, mine.sum, step)};
        mine = merge(mine, other);
    }
    return mine;
}

// The whole row's, in every thread of the block.
template <int BLOCK> __device__ Online row_online(const float4 *__restrict__ x)
{
    __shared__ Online warps[BLOCK / 32];
    Online mine = {-3e38f, 0.0f};
    for (int k = threadIdx.x; k < VOCABULARY / 4; k += BLOCK) {
        const float4 v = x[k];
        const float top = fmaxf(mine.top, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
        mine.sum = mine.sum * __expf(mine.top - top) + __expf(v.x - top) + __expf(v.y - top) +
                   __expf(v.z - top) + __expf(v.w - top);
        mine.top = top;
    }
    mine = warp_merge(mine);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = mine;
    __syncthreads();
    Online all = warps[0];
#pragma unroll
    for (int w = 1; w < BLOCK / 32; w++)
        all = merge(all, warps[w]);
    return all;
}

// The logits become their gradient, as trainers do to save memory.
template <int BLOCK>
__global__ void loss_gradient_in_place(float4 *logits, const int *__restrict__ targets,
                                       float *__restrict__ losses, float scale)
{
    float4 *x = logits + (size_t)blockIdx.x * (VOCABULARY / 4);
    const int target = targets[blockIdx.x];
    const Online all = row_online<BLOCK>(x);
    const float loss = target == IGNORED ? 0.0f : all.top + __logf(all.sum) - ((float *)x)[target];
    __syncthreads();
    if (threadIdx.x == 0)
        losses[blockIdx.x] = loss;
    if (target == IGNORED)
        scale = 0.0f;
    const float factor = scale / all.sum;
    for (int k = threadIdx.x; k < VOCABULARY / 4; k += BLOCK) {
        float4 v = x[k];
        v.x = __expf(v.x - all.top) * factor - (4 * k == target ? scale : 0.0f);
        v.y = __expf(v.y - all.top) * factor - (4 * k + 1 == target ? scale : 0.0f);
        v.z = __expf(v.z - all.top) * factor - (4 * k + 2 == target ? scale : 0.0f);
        v.w = __expf(v.w - all.top) * factor - (4 * k + 3 == target ? scale : 0.0f);
        x[k] = v;
    }
}

// The maximum or the sum over the block's 16 warps, for every thread.
template <bool MAXIMUM> __device__ float block_all(float mine)
{
    __shared__ float warps[16];
    for (int step = 16; step > 0; step /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, mine, step);
        mine = MAXIMUM ? fmaxf(mine, other) : mine + other;
    }
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = warps[threadIdx.x % 16];
    for (int step = 8; step > 0; step /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, mine, step);
        mine = MAXIMUM ? fmaxf(mine, other) : mine + other;
    }
    return mine;
}

// Each logit is read from memory once and its exponential computed once.
__global__ void __launch_bounds__(512)
    gradient_shared(const float4 *__restrict__ logits, const int *__restrict__ targets,
                    float4 *__restrict__ gradient, float scale)
{
    __shared__ float4 row[VOCABULARY / 4];
    const int t = threadIdx.x, target = targets[blockIdx.x];
    const size_t first = (size_t)blockIdx.x * (VOCABULARY / 4);
    float top = -3e38f, sum = 0.0f;
    for (int k = t; k < VOCABULARY / 4; k += 512) {
        const float4 v = logits[first + k];
        row[k] = v;
        top = fmaxf(top, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    top = block_all<true>(top);
    for (int k = t; k < VOCABULARY / 4; k += 512) {
        float4 v = row[k];
        v = make_float4(__expf(v.x - top), __expf(v.y - top), __expf(v.z - top), __expf(v.w - top));
        sum += (v.x + v.y) + (v.z + v.w);
        row[k] = v;
    }
    sum = block_all<false>(sum);
    const float all = target == IGNORED ? 0.0f : scale, factor = all / sum,
                rest = all * SMOOTHING / VOCABULARY, hit = all * (1.0f - SMOOTHING);
    for (int k = t; k < VOCABULARY / 4; k += 512) {
        float4 v = row[k];
        v.x = v.x * factor - rest - (4 * k == target ? hit : 0.0f);
        v.y = v.y * factor - rest - (4 * k + 1 == target ? hit : 0.0f);
        v.z = v.z * factor - rest - (4 * k + 2 == target ? hit : 0.0f);
        v.w = v.w * factor - rest - (4 * k + 3 == target ? hit : 0.0f);
        gradient[first + k] = v;
    }
}

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 8), rounds = argument(argc, argv, 2, 1),
              n = rows * VOCABULARY;
    std::vector<float> logits = units(n, 1), losses(rows), gradient(n), smooth(n);
    std::vector<int> targets(rows);
    const float scale = 16.0f;
    for (int i = 0; i < n; i++)
        logits[i] = 12.0f * logits[i] - 6.0f;
    for (int r = 0; r < rows; r++) {
        const int target = hash32(r + 9) % 8 ? (int)(hash32(r + 77) % VOCABULARY) : IGNORED;
        const float *x = &logits[(size_t)r * VOCABULARY];
        targets[r] = target;
        if (target == IGNORED)
            continue;
        double sum = 0;
        for (int k = 0; k < VOCABULARY; k++)
            sum += exp((double)x[k]);
        losses[r] = (float)(log(sum) - x[target]);
        for (int k = 0; k < VOCABULARY; k++) {
            const double p = exp((double)x[k]) / sum;
            gradient[(size_t)r * VOCABULARY + k] = (float)(scale * (p - (k == target)));
            smooth[(size_t)r * VOCABULARY + k] = (float)(
                scale * (p - SMOOTHING / VOCABULARY - (k == target ? 1 - SMOOTHING : 0)));
        }
    }
    const float *x = to_device(logits);
    const int *t = to_device(targets);
    float *loss[2] = {device_zeros<float>(rows), device_zeros<float>(rows)},
          *lse = device_zeros<float>(rows), *g[3];
    for (int k = 0; k < 3; k++)
        g[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(n, 256), 256>>>(g[1], x, n);
        loss_plain<<<rows, 256>>>(x, t, loss[0], lse);
        gradient_plain<<<dim3(ceil_div(VOCABULARY, 256), rows), 256>>>(x, t, lse, g[0], scale);
        loss_gradient_in_place<512><<<rows, 512>>>((float4 *)g[1], t, loss[1], scale);
        gradient_shared<<<rows, 512>>>((const float4 *)x, t, (float4 *)g[2], scale);
    }
    expect("loss_plain", loss[0], losses, 1e-4);
    expect("gradient_plain", g[0], gradient, 1e-5);
    expect("loss_gradient_in_place", loss[1], losses, 1e-4);
    expect("loss_gradient_in_place", g[1], gradient, 1e-5);
    expect("gradient_shared", g[2], smooth, 1e-5);
    return verdict();
}
