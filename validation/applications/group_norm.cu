// Group normalisation of NCHW images, 128 channels in 32 groups: statistics and application in two plain kernels, a
// block a group by Welford's method, and float4 with SiLU applied and the group kept in registers.
#include "common.h"

#define IMAGES 4
#define CHANNELS 128
#define GROUPS 32
#define EACH (CHANNELS / GROUPS)
#define EPSILON 1e-5f

// A group's EACH * area numbers lie one after the other.
__global__ void statistics_plain(const float *x, float *mean, float *rstd, int count)
{
    __shared__ float sums[256], squares[256];
    int t = threadIdx.x;
    const float *group = x + (size_t)blockIdx.x * count;
    float sum = 0, square = 0;
    for (int k = t; k < count; k += blockDim.x) {
        sum += group[k];
        square += group[k] * group[k];
    }
    sums[t] = sum;
    squares[t] = square;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step) {
            sums[t] += sums[t + step];
            squares[t] += squares[t + step];
        }
        __syncthreads();
    }
    if (t == 0) {
        float m = sums[0] / count;
        mean[blockIdx.x] = m;
        rstd[blockIdx.x] = rsqrtf(squares[0] / count - m * m + EPSILON);
    }
}

__global__ void apply_plain(const float *x, const float *mean, const float *rstd,
                            const float *weight, const float *bias, float *out, int area, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int c = i / area % CHANNELS;
    int group = i / (area * EACH);
    out[i] = (x[i] - mean[group]) * rstd[group] * weight[c] + bias[c];
}

struct Welford {
    float mean, m2, count;
};

__device__ __forceinline__ Welford combine(Welford a, Welford b)
{
    const float count = a.count + b.count;
    if (count == 0.0f)
        return a;
    const float delta = b.mean - a.mean, share = b.count / count;
    return {a.mean + delta * share, a.m2 + b.m2 + delta * delta * a.count * share, count};
}

__device__ Welford warp_combine(Welford w)
{
    for (int step = 16; step > 0; step /= 2) {
        const Welford other = {__shfl_down_sync(0xffffffffu, w.mean, step),
                               __shfl_down_sync(0xffffffffu, w.m2, step),
                               __shfl_down_sync(0xffffffffu, w.count, step)};
        w = combine(w, other);
    }
    return w;
}

__global__ void group_norm_welford(const float *__restrict__ x, const float *__restrict__ weight,
                                   const float *__restrict__ bias, float *__restrict__ out,
                                   int area)
{
    __shared__ Welford warps[32];
    const int t = threadIdx.x, lane = t % 32, count = EACH * area;
    const size_t first = (size_t)blockIdx.x * count;
    Welford mine = {0.0f, 0.0f, 0.0f};
    for (int k = t; k < count; k += blockDim.x) {
        const float v = x[first + k], delta = v - mine.mean;
        mine.count += 1.0f;
        mine.mean += delta / mine.count;
        mine.m2 += delta * (v - mine.mean);
    }
    mine = warp_combine(mine);
    if (lane == 0)
        warps[t / 32] = mine;
    __syncthreads();
    if (t < 32) {
        mine = lane < blockDim.x / 32 ? warps[lane] : Welford{0.0f, 0.0f, 0.0f};
        mine = warp_combine(mine);
        if (lane == 0)
            warps[0] = mine;
    }
    __syncthreads();
    const float mean = warps[0].mean, rstd = rsqrtf(warps[0].m2 / count + EPSILON);
    const int channel = blockIdx.x % GROUPS * EACH;
    for (int c = 0; c < EACH; c++) {
        const float scale = weight[channel + c] * rstd, shift = bias[channel + c] - mean * scale;
        const size_t plane = first + (size_t)c * area;
        for (int k = t; k < area; k += blockDim.x)
            out[plane + k] = x[plane + k] * scale + shift;
    }
}

__device__ __forceinline__ float2 block_sums(float2 v, float2 *warps)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        v.x += __shfl_xor_sync(0xffffffffu, v.x, step);
        v.y += __shfl_xor_sync(0xffffffffu, v.y, step);
    }
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = v;
    __syncthreads();
    float2 all = make_float2(0.0f, 0.0f);
    for (int w = 0; w < blockDim.x / 32; w++) {
        all.x += warps[w].x;
        all.y += warps[w].y;
    }
    return all;
}

__device__ __forceinline__ float silu(float v)
{
    return v / (1.0f + __expf(-v));
}

// As before a convolution of a diffusion model. Up to KEPT float4 of a thread stay in registers; what is beyond them is
// read again.
template <int BLOCK, int KEPT>
__global__ void __launch_bounds__(BLOCK)
    group_norm_silu(const float4 *__restrict__ x, const float *__restrict__ weight,
                    const float *__restrict__ bias, float4 *__restrict__ out, int area)
{
    __shared__ float2 warps[BLOCK / 32];
    const int t = threadIdx.x, fours = EACH * area / 4, channel = blockIdx.x % GROUPS * EACH;
    const size_t first = (size_t)blockIdx.x * fours;
    float4 kept[KEPT];
    float2 sums = make_float2(0.0f, 0.0f);
#pragma unroll
    for (int k = 0; k < KEPT; k++) {
        const int f = k * BLOCK + t;
        kept[k] = f < fours ? x[first + f] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        const float4 v = kept[k];
        sums.x += (v.x + v.y) + (v.z + v.w);
        sums.y += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
    }
    for (int f = KEPT * BLOCK + t; f < fours; f += BLOCK) {
        const float4 v = x[first + f];
        sums.x += (v.x + v.y) + (v.z + v.w);
        sums.y += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
    }
    sums = block_sums(sums, warps);
    const float mean = sums.x / (4 * fours);
    const float rstd = rsqrtf(sums.y / (4 * fours) - mean * mean + EPSILON);
    auto store = [&](int f, float4 v) {
        float part[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int m = 0; m < 4; m++) {
            const int c = channel + (4 * f + m) / area;
            part[m] = silu((part[m] - mean) * rstd * __ldg(&weight[c]) + __ldg(&bias[c]));
        }
        out[first + f] = make_float4(part[0], part[1], part[2], part[3]);
    };
#pragma unroll
    for (int k = 0; k < KEPT; k++)
        if (k * BLOCK + t < fours)
            store(k * BLOCK + t, kept[k]);
    for (int f = KEPT * BLOCK + t; f < fours; f += BLOCK)
        store(f, x[first + f]);
}

int main(int argc, char **argv)
{
    const int side = argument(argc, argv, 1, 8), rounds = argument(argc, argv, 2, 1),
              area = side * side, count = EACH * area, groups = IMAGES * GROUPS, n = groups * count;
    const std::vector<float> x = units(n, 1), weight = units(CHANNELS, 2),
                             bias = units(CHANNELS, 3);
    std::vector<float> want(n), silus(n);
    for (int g = 0; g < groups; g++) {
        double sum = 0, squares = 0;
        for (int i = g * count; i < (g + 1) * count; i++)
            sum += x[i];
        for (int i = g * count; i < (g + 1) * count; i++)
            squares += (x[i] - sum / count) * (x[i] - sum / count);
        for (int i = g * count; i < (g + 1) * count; i++) {
            const int c = i / area % CHANNELS;
            const double v =
                (x[i] - sum / count) / sqrt(squares / count + EPSILON) * weight[c] + bias[c];
            want[i] = (float)v;
            silus[i] = (float)(v / (1 + exp(-v)));
        }
    }
    const float *dx = to_device(x), *w = to_device(weight), *b = to_device(bias);
    float *mean = device_zeros<float>(groups), *rstd = device_zeros<float>(groups), *out[3];
    for (int k = 0; k < 3; k++)
        out[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        statistics_plain<<<groups, 256>>>(dx, mean, rstd, count);
        apply_plain<<<ceil_div(n, 256), 256>>>(dx, mean, rstd, w, b, out[0], area, n);
        group_norm_welford<<<groups, 512>>>(dx, w, b, out[1], area);
        group_norm_silu<512, 4>
            <<<groups, 512>>>((const float4 *)dx, w, b, (float4 *)out[2], area);
    }
    expect("group_norm_plain", out[0], want, 1e-4);
    expect("group_norm_welford", out[1], want, 1e-4);
    expect("group_norm_silu", out[2], silus, 1e-4);
    return verdict();
}
