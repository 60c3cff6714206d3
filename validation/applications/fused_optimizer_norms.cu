// The end of a training step over tensors of unequal sizes: gradients unscaled from halves; their norm, by a
// block a tensor and by chunks of all; gradients clipped, then SGD with momentum, apart and in one kernel.
#include "common.h"
#include <cuda_fp16.h>

#define TENSORS 14
#define CHUNK 8192
#define THREADS 256

// Where each tensor lies in the flat arrays, from a place on that vectors may start at.
struct Tensors {
    int start[TENSORS], size[TENSORS];
};

struct Step {
    float rate, momentum, decay, limit;
};

// Gradients come as halves, scaled up; a flag tells of infinities and NaN, after which the step is skipped.
__global__ void __launch_bounds__(THREADS)
    unscale_half(const uint2 *__restrict__ scaled, float4 *__restrict__ gradient, int *__restrict__ overflow,
                 float factor, int fours)
{
    bool bad = false;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < fours; i += gridDim.x * THREADS) {
        const uint2 pack = scaled[i];
        const float2 low = __half22float2(reinterpret_cast<const __half2 &>(pack.x)),
                     high = __half22float2(reinterpret_cast<const __half2 &>(pack.y));
        bad |= !(isfinite(low.x) && isfinite(low.y) && isfinite(high.x) && isfinite(high.y));
        gradient[i] = make_float4(low.x * factor, low.y * factor, high.x * factor, high.y * factor);
    }
    if (__syncthreads_or(bad) && threadIdx.x == 0)
        *overflow = 1;
}

// A block a tensor.
__global__ void norms_plain(const float *gradient, Tensors tensors, float *squares)
{
    __shared__ float part[THREADS];
    int tensor = blockIdx.x, t = threadIdx.x;
    const float *values = gradient + tensors.start[tensor];
    float sum = 0;
    for (int i = t; i < tensors.size[tensor]; i += THREADS)
        sum += values[i] * values[i];
    part[t] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        squares[tensor] = part[0];
}

// The sum over a block; the first thread has it.
__device__ float block_sum(float value)
{
    __shared__ float parts[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffffu, value, offset);
    if (lane == 0)
        parts[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < (int)blockDim.x / 32 ? parts[lane] : 0.0f;
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2)
            value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    return value;
}

// A block a chunk of a tensor: x is the tensor, y the chunk's first element.
__global__ void __launch_bounds__(THREADS)
    norms_chunks(const float *__restrict__ gradient, const int2 *__restrict__ chunks, Tensors tensors,
                 float *__restrict__ parts)
{
    const int2 chunk = chunks[blockIdx.x];
    const int size = min(CHUNK, tensors.size[chunk.x] - chunk.y);
    const float *values = gradient + tensors.start[chunk.x] + chunk.y;
    float sum = 0.0f;
#pragma unroll 4
    for (int i = threadIdx.x; i < size / 4; i += THREADS) {
        const float4 g = __ldg((const float4 *)values + i);
        sum += g.x * g.x + g.y * g.y + g.z * g.z + g.w * g.w;
    }
    const int tail = size / 4 * 4 + threadIdx.x;
    if (tail < size)
        sum += values[tail] * values[tail];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = sum;
}

// One block: a warp a tensor adds its chunks' sums, then the norm of all gives the factor that clips.
__global__ void finish_norms(const float *__restrict__ parts, const int *__restrict__ first_chunk,
                             float *__restrict__ norms, float *__restrict__ clip, float limit)
{
    __shared__ float squares[TENSORS];
    const int lane = threadIdx.x % 32, tensor = threadIdx.x / 32;
    float sum = 0.0f;
    for (int c = first_chunk[tensor] + lane; c < first_chunk[tensor + 1]; c += 32)
        sum += parts[c];
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    if (lane == 0) {
        squares[tensor] = sum;
        norms[tensor] = sqrtf(sum);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0.0f;
        for (int k = 0; k < TENSORS; k++)
            total += squares[k];
        *clip = fminf(1.0f, limit / (sqrtf(total) + 1e-6f));
    }
}

// Row y of the grid is a tensor; the row is as long as the largest one needs.
__global__ void clip_plain(float *gradient, Tensors tensors, const float *squares, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, tensor = blockIdx.y;
    if (i >= tensors.size[tensor])
        return;
    float total = 0;
    for (int k = 0; k < TENSORS; k++)
        total += squares[k];
    float norm = sqrtf(total);
    if (norm > limit)
        gradient[tensors.start[tensor] + i] *= limit / (norm + 1e-6f);
}

__global__ void sgd_plain(float *weight, float *velocity, const float *gradient, Tensors tensors, Step step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, tensor = blockIdx.y;
    if (i >= tensors.size[tensor])
        return;
    int at = tensors.start[tensor] + i;
    float g = gradient[at] + step.decay * weight[at];
    velocity[at] = step.momentum * velocity[at] + g;
    weight[at] -= step.rate * (g + step.momentum * velocity[at]);
}

__host__ __device__ __forceinline__ float update(float g, float &v, float w, float clip, const Step &step)
{
    g = fmaf(step.decay, w, g * clip);
    v = fmaf(step.momentum, v, g);
    return w - step.rate * fmaf(step.momentum, v, g);
}

// Clips, moves the weights and writes them as halves for the next forward pass, four at a time.
__global__ void __launch_bounds__(THREADS)
    sgd_fused(float *__restrict__ weight, float *__restrict__ velocity, const float *__restrict__ gradient,
              __half *__restrict__ copy, const int2 *__restrict__ chunks, Tensors tensors,
              const float *__restrict__ factor, const int *__restrict__ overflow, Step step)
{
    if (*overflow)
        return;
    const int2 chunk = chunks[blockIdx.x];
    const int size = min(CHUNK, tensors.size[chunk.x] - chunk.y);
    const int first = tensors.start[chunk.x] + chunk.y;
    const float clip = *factor;
    float4 *ws = (float4 *)(weight + first), *vs = (float4 *)(velocity + first);
    const float4 *gs = (const float4 *)(gradient + first);
    uint2 *halves = (uint2 *)(copy + first);
#pragma unroll 2
    for (int i = threadIdx.x; i < size / 4; i += THREADS) {
        const float4 g = gs[i];
        float4 v = vs[i], w = ws[i];
        w.x = update(g.x, v.x, w.x, clip, step);
        w.y = update(g.y, v.y, w.y, clip, step);
        w.z = update(g.z, v.z, w.z, clip, step);
        w.w = update(g.w, v.w, w.w, clip, step);
        ws[i] = w;
        vs[i] = v;
        const __half2 low = __floats2half2_rn(w.x, w.y), high = __floats2half2_rn(w.z, w.w);
        halves[i] = make_uint2(reinterpret_cast<const unsigned &>(low),
                               reinterpret_cast<const unsigned &>(high));
    }
    for (int i = first + size / 4 * 4 + threadIdx.x; i < first + size; i += THREADS) {
        weight[i] = update(gradient[i], velocity[i], weight[i], clip, step);
        copy[i] = __float2half(weight[i]);
    }
}

int main(int argc, char **argv)
{
    const int width = argument(argc, argv, 1, 48), rounds = argument(argc, argv, 2, 1);
    // A layer of a transformer: places, projections with biases, a wide part, norms, a small head.
    const int square = width * width;
    const int sizes[TENSORS] = {37 * width, square, width, 3 * square, 3 * width, width, width, square,
                                width, 4 * square, 4 * width, 4 * square, width, 10 * width + 10};
    Tensors tensors;
    std::vector<int2> chunks;
    std::vector<int> first_chunk(1);
    int n = 0, largest = 0;
    for (int k = 0; k < TENSORS; k++) {
        tensors.start[k] = n;
        tensors.size[k] = sizes[k];
        n += ceil_div(sizes[k], 64) * 64;
        largest = std::max(largest, sizes[k]);
        for (int first = 0; first < sizes[k]; first += CHUNK)
            chunks.push_back(make_int2(k, first));
        first_chunk.push_back((int)chunks.size());
    }
    const Step step = {0.01f, 0.9f, 0.001f, 0.5f};
    const float factor = 1.0f / 1024;
    std::vector<float> weight = units(n, 1), velocity = units(n, 2), gradient(n), clipped(n), norms(TENSORS),
                       squares(TENSORS), new_weight = weight, new_velocity = velocity;
    std::vector<__half> scaled(n);
    double total = 0;
    for (int k = 0; k < TENSORS; k++) {
        double sum = 0;
        for (int i = tensors.start[k]; i < tensors.start[k] + sizes[k]; i++) {
            scaled[i] = __float2half(16 * unit(7 * i) - 8);
            gradient[i] = __half2float(scaled[i]) * factor;
            sum += (double)gradient[i] * gradient[i];
        }
        total += sum;
        squares[k] = (float)sum;
        norms[k] = (float)sqrt(sum);
    }
    const float clip = (float)std::min(1.0, step.limit / (sqrt(total) + 1e-6));
    for (int k = 0; k < TENSORS; k++)
        for (int i = tensors.start[k]; i < tensors.start[k] + sizes[k]; i++) {
            clipped[i] = gradient[i] * clip;
            new_weight[i] = update(clipped[i], new_velocity[i], weight[i], 1.0f, step);
        }
    const uint2 *dscaled = (const uint2 *)to_device(scaled);
    const float *dweight = to_device(weight), *dvelocity = to_device(velocity);
    const int2 *dchunks = to_device(chunks);
    const int *dfirst = to_device(first_chunk);
    int *overflow = device_zeros<int>(1);
    float *w[2], *v[2], *g = device_zeros<float>(n), *g_plain = device_zeros<float>(n);
    for (int k = 0; k < 2; k++) {
        w[k] = device_zeros<float>(n);
        v[k] = device_zeros<float>(n);
    }
    float *dsquares = device_zeros<float>(TENSORS), *parts = device_zeros<float>(chunks.size()),
          *dnorms = device_zeros<float>(TENSORS), *dclip = device_zeros<float>(1);
    __half *copy = device_zeros<__half>(n);
    const int count = (int)chunks.size();
    const dim3 each(ceil_div(largest, THREADS), TENSORS);
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < 2; k++) {
            CHECK(cudaMemcpy(w[k], dweight, n * sizeof(float), cudaMemcpyDeviceToDevice));
            CHECK(cudaMemcpy(v[k], dvelocity, n * sizeof(float), cudaMemcpyDeviceToDevice));
        }
        unscale_half<<<std::min(ceil_div(n / 4, THREADS), 1056), THREADS>>>(dscaled, (float4 *)g, overflow,
                                                                           factor, n / 4);
        CHECK(cudaMemcpy(g_plain, g, n * sizeof(float), cudaMemcpyDeviceToDevice));
        norms_plain<<<TENSORS, THREADS>>>(g_plain, tensors, dsquares);
        clip_plain<<<each, THREADS>>>(g_plain, tensors, dsquares, step.limit);
        sgd_plain<<<each, THREADS>>>(w[0], v[0], g_plain, tensors, step);
        norms_chunks<<<count, THREADS>>>(g, dchunks, tensors, parts);
        finish_norms<<<1, 32 * TENSORS>>>(parts, dfirst, dnorms, dclip, step.limit);
        sgd_fused<<<count, THREADS>>>(w[1], v[1], g, copy, dchunks, tensors, dclip, overflow, step);
    }
    expect("unscale_half", g, gradient, 1e-9);
    expect("norms_plain", dsquares, squares, 1e-4);
    expect("finish_norms", dnorms, norms, 1e-4);
    expect("finish_norms: clip", dclip, std::vector<float>(1, clip), 1e-5);
    expect("clip_plain", g_plain, clipped, 1e-8);
    for (int k = 0; k < 2; k++) {
        expect("weights", w[k], new_weight, 1e-6);
        expect("velocities", v[k], new_velocity, 1e-6);
    }
    const std::vector<__half> got = to_host(copy, n);
    for (int i = 0; i < n; i++)
        wrong_arrays += fabsf(__half2float(got[i]) - new_weight[i]) > 1e-3f && new_weight[i] != weight[i];
    return verdict();
}
