// An optimizer's step: Adam plainly and with float4, the gradient's norm in two launches, AdamW of half gradients
// clipped to that norm with a half copy of the weights, and descent with momentum.
#include "common.h"
#include <cuda_fp16.h>

#define RATE 0.01f
#define BETA1 0.9f
#define BETA2 0.99f
#define EPSILON 1e-4f
#define DECAY 0.1f
#define STEP 3
#define PARTS 264

// Weights, first and second moments change in place.
__global__ void adam_plain(float *weights, float *first, float *second, const float *gradients,
                           float correction1, float correction2, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float g = gradients[i];
    first[i] = BETA1 * first[i] + (1 - BETA1) * g;
    second[i] = BETA2 * second[i] + (1 - BETA2) * g * g;
    weights[i] -= RATE * (first[i] / correction1) / (sqrtf(second[i] / correction2) + EPSILON);
}

__device__ __forceinline__ void adam_one(float &weight, float &first, float &second, float g,
                                         float rate, float root)
{
    first += (1.0f - BETA1) * (g - first);
    second += (1.0f - BETA2) * (g * g - second);
    weight -= __fdividef(rate * first, sqrtf(second) * root + EPSILON);
}

__global__ void __launch_bounds__(256)
    adam_vector(float4 *__restrict__ weights, float4 *__restrict__ first,
                float4 *__restrict__ second, const float4 *__restrict__ gradients, float rate,
                float root, int count)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= count)
        return;
    float4 w = weights[i], m = first[i], v = second[i];
    const float4 g = gradients[i];
    adam_one(w.x, m.x, v.x, g.x, rate, root);
    adam_one(w.y, m.y, v.y, g.y, rate, root);
    adam_one(w.z, m.z, v.z, g.z, rate, root);
    adam_one(w.w, m.w, v.w, g.w, rate, root);
    weights[i] = w;
    first[i] = m;
    second[i] = v;
}

__device__ float block_sum(float sum)
{
    __shared__ float warps[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warps[lane] : 0.0f;
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, step);
    }
    return sum;
}

__global__ void norm_parts(const float4 *__restrict__ gradients, float *__restrict__ parts,
                           int count)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float4 g = gradients[i];
        sum += g.x * g.x + g.y * g.y + g.z * g.z + g.w * g.w;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = sum;
}

__global__ void norm_whole(const float *parts, float *norm)
{
    float sum = 0.0f;
    for (int k = threadIdx.x; k < PARTS; k += blockDim.x)
        sum += parts[k];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *norm = sqrtf(sum);
}

// Two weights a turn.
__global__ void adamw_half(float2 *__restrict__ weights, float2 *__restrict__ first,
                           float2 *__restrict__ second, const __half2 *__restrict__ gradients,
                           __half2 *__restrict__ copies, const float *__restrict__ norm, float most,
                           float rate, float root, int count)
{
    const float scale = fminf(1.0f, most / *norm);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float2 g = __half22float2(gradients[i]);
        float2 w = weights[i], m = first[i], v = second[i];
        w.x *= 1.0f - RATE * DECAY;
        w.y *= 1.0f - RATE * DECAY;
        adam_one(w.x, m.x, v.x, g.x * scale, rate, root);
        adam_one(w.y, m.y, v.y, g.y * scale, rate, root);
        weights[i] = w;
        first[i] = m;
        second[i] = v;
        copies[i] = __floats2half2_rn(w.x, w.y);
    }
}

__global__ void momentum(float *weights, float *velocities, const float *__restrict__ gradients,
                         int n)
{
    const int stride = gridDim.x * blockDim.x;
#pragma unroll 4
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const float v = BETA1 * velocities[i] + gradients[i];
        velocities[i] = v;
        weights[i] -= RATE * (gradients[i] + BETA1 * v);
    }
}

// Weights, first and second moments one after the other, after the step.
static std::vector<float> stepped(std::vector<float> state, const std::vector<float> &gradients,
                                  double scale, double decay)
{
    const size_t n = gradients.size();
    for (size_t i = 0; i < n; i++) {
        const double g = gradients[i] * scale, m = BETA1 * state[n + i] + (1 - BETA1) * g,
                     v = BETA2 * state[2 * n + i] + (1 - BETA2) * g * g;
        state[i] = (float)(state[i] * (1 - RATE * decay) -
                           RATE * (m / (1 - pow(BETA1, STEP))) /
                               (sqrt(v / (1 - pow(BETA2, STEP))) + EPSILON));
        state[n + i] = (float)m;
        state[2 * n + i] = (float)v;
    }
    return state;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1024, rounds = argument(argc, argv, 2, 1);
    const std::vector<float> start = units(3 * (size_t)n, 1);
    std::vector<float> gradients = units(n, 2), norm(1),
                       descended(start.begin(), start.begin() + 2 * (size_t)n);
    std::vector<__half> halves(n);
    double squares = 0;
    for (int i = 0; i < n; i++) {
        // 11 bits, so that the half gradients are the same.
        gradients[i] = floorf(gradients[i] * 2048.0f) / 2048.0f - 0.5f;
        halves[i] = __float2half(gradients[i]);
        squares += gradients[i] * gradients[i];
        const float v = BETA1 * start[n + i] + gradients[i];
        descended[n + i] = v;
        descended[i] -= RATE * (gradients[i] + BETA1 * v);
    }
    norm[0] = (float)sqrt(squares);
    const float most = norm[0] / 2, correction1 = 1 - powf(BETA1, STEP),
                correction2 = 1 - powf(BETA2, STEP);
    const std::vector<float> plain = stepped(start, gradients, 1, 0),
                             clipped = stepped(start, gradients, 0.5, DECAY);
    const float *from = to_device(start), *g = to_device(gradients);
    const __half *dhalves = to_device(halves);
    float *a = to_device(start), *b = to_device(start), *c = to_device(start),
          *d = to_device(descended), *parts = device_zeros<float>(PARTS),
          *dnorm = device_zeros<float>(1);
    __half *copies = device_zeros<__half>(n);
    const int blocks = std::min(n / 512, 1056), all = ceil_div(3 * n, 256);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<all, 256>>>(a, from, 3 * n);
        copy_array<<<all, 256>>>(b, from, 3 * n);
        copy_array<<<all, 256>>>(c, from, 3 * n);
        copy_array<<<ceil_div(2 * n, 256), 256>>>(d, from, 2 * n);
        adam_plain<<<n / 256, 256>>>(a, a + n, a + 2 * n, g, correction1, correction2, n);
        adam_vector<<<n / 1024, 256>>>((float4 *)b, (float4 *)(b + n), (float4 *)(b + 2 * n),
                                       (const float4 *)g, RATE / correction1,
                                       1 / sqrtf(correction2), n / 4);
        norm_parts<<<PARTS, 256>>>((const float4 *)g, parts, n / 4);
        norm_whole<<<1, 128>>>(parts, dnorm);
        adamw_half<<<blocks, 256>>>((float2 *)c, (float2 *)(c + n), (float2 *)(c + 2 * n),
                                    (const __half2 *)dhalves, (__half2 *)copies, dnorm, most,
                                    RATE / correction1, 1 / sqrtf(correction2), n / 2);
        momentum<<<std::min(n / 128, 1584), 128>>>(d, d + n, g, n);
    }
    std::vector<float> again;
    for (const __half copy : to_host(copies, n))
        again.push_back(__half2float(copy));
    expect("adam_plain", a, plain, 1e-5);
    expect("adam_vector", b, plain, 1e-5);
    expect("norm", dnorm, norm, 1e-5);
    expect("adamw_half", c, clipped, 1e-5);
    expect("half copies", to_device(again),
           std::vector<float>(clipped.begin(), clipped.begin() + n), 1e-3);
    expect("momentum", d, descended, 1e-5);
    return verdict();
}
