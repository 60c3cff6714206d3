// Batch normalisation of images of 64 channels (NCHW): statistics by a block a channel and by planes with atomics,
// normalisation an element a thread and by planes with float4, and pooling of windows and of whole planes.
#include "common.h"

#define CHANNELS 64
#define SIDE 56
#define PLANE (SIDE * SIDE)
#define POOLED (SIDE / 2)
#define EPSILON 1e-5f

__global__ void statistics_block(const float *x, int images, float *mean, float *variance)
{
    __shared__ float sums[512], squares[512];
    int t = threadIdx.x, channel = blockIdx.x;
    float sum = 0, square = 0;
    for (int image = 0; image < images; image++)
        for (int k = t; k < PLANE; k += blockDim.x) {
            float v = x[(image * CHANNELS + channel) * PLANE + k];
            sum += v;
            square += v * v;
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
        float m = sums[0] / (images * PLANE);
        mean[channel] = m;
        variance[channel] = squares[0] / (images * PLANE) - m * m;
    }
}

// A block a plane; sums is (sum, sum of squares) a channel.
template <int BLOCK>
__global__ void statistics_planes(const float4 *__restrict__ x, float2 *__restrict__ sums)
{
    __shared__ float2 warps[BLOCK / 32];
    const float4 *plane = x + (blockIdx.y * CHANNELS + blockIdx.x) * (PLANE / 4);
    float sum = 0.0f, square = 0.0f;
#pragma unroll 2
    for (int k = threadIdx.x; k < PLANE / 4; k += BLOCK) {
        const float4 v = plane[k];
        sum += (v.x + v.y) + (v.z + v.w);
        square += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, step);
        square += __shfl_down_sync(0xffffffffu, square, step);
    }
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = make_float2(sum, square);
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < BLOCK / 32; w++) {
            sum += warps[w].x;
            square += warps[w].y;
        }
        atomicAdd(&sums[blockIdx.x].x, sum);
        atomicAdd(&sums[blockIdx.x].y, square);
    }
}

__global__ void normalise_plain(const float *x, const float *mean, const float *variance,
                                const float *gamma, const float *beta, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int channel = i / PLANE % CHANNELS;
    out[i] = (x[i] - mean[channel]) / sqrtf(variance[channel] + EPSILON) * gamma[channel] +
             beta[channel];
}

// From the sums, and what is negative becomes zero; in place, a block a plane.
__global__ void normalise_planes(float4 *x, const float2 *__restrict__ sums,
                                 const float *__restrict__ gamma, const float *__restrict__ beta,
                                 float scale)
{
    const int channel = blockIdx.x;
    const float2 s = sums[channel];
    const float mean = s.x * scale,
                a = gamma[channel] * rsqrtf(s.y * scale - mean * mean + EPSILON),
                b = beta[channel] - mean * a;
    float4 *plane = x + (blockIdx.y * CHANNELS + channel) * (PLANE / 4);
    for (int k = threadIdx.x; k < PLANE / 4; k += blockDim.x) {
        float4 v = plane[k];
        v.x = fmaxf(v.x * a + b, 0.0f);
        v.y = fmaxf(v.y * a + b, 0.0f);
        v.z = fmaxf(v.z * a + b, 0.0f);
        v.w = fmaxf(v.w * a + b, 0.0f);
        plane[k] = v;
    }
}

// Windows of 3 x 3 that overlap, every second place.
__global__ void max_pool(const float *__restrict__ x, float *__restrict__ out, int planes)
{
    const int total = planes * POOLED * POOLED;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        const int column = i % POOLED, row = i / POOLED % POOLED, plane = i / (POOLED * POOLED);
        float most = -INFINITY;
#pragma unroll
        for (int dy = -1; dy <= 1; dy++)
#pragma unroll
            for (int dx = -1; dx <= 1; dx++) {
                const int xx = 2 * column + dx, yy = 2 * row + dy;
                if (xx >= 0 && yy >= 0)
                    most = fmaxf(most, x[plane * PLANE + yy * SIDE + xx]);
            }
        out[i] = most;
    }
}

// A warp a plane.
__global__ void average_pool(const float *x, float *out, int planes)
{
    const int plane = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (plane >= planes)
        return;
    float sum = 0.0f;
    for (int k = lane; k < PLANE; k += 32)
        sum += x[plane * PLANE + k];
    for (int mask = 16; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    if (lane == 0)
        out[plane] = sum / PLANE;
}

int main(int argc, char **argv)
{
    const int images = argument(argc, argv, 1, 2), rounds = argument(argc, argv, 2, 1),
              planes = images * CHANNELS, n = planes * PLANE;
    const std::vector<float> x = units(n, 1), gamma = units(CHANNELS, 2), beta = units(CHANNELS, 3);
    std::vector<float> mean(CHANNELS), variance(CHANNELS), normal(n), positive(n), average(planes),
        most((size_t)planes * POOLED * POOLED, -INFINITY);
    for (int c = 0; c < CHANNELS; c++) {
        double sum = 0, square = 0;
        for (int image = 0; image < images; image++)
            for (int k = 0; k < PLANE; k++) {
                const double v = x[(image * CHANNELS + c) * PLANE + k];
                sum += v;
                square += v * v;
            }
        const double m = sum / images / PLANE, var = square / images / PLANE - m * m;
        mean[c] = (float)m;
        variance[c] = (float)var;
        for (int image = 0; image < images; image++)
            for (int k = 0; k < PLANE; k++) {
                const int plane = image * CHANNELS + c, i = plane * PLANE + k;
                normal[i] = (float)((x[i] - m) / sqrt(var + EPSILON) * gamma[c] + beta[c]);
                positive[i] = std::max(normal[i], 0.0f);
                average[plane] += x[i] / PLANE;
                for (int row = k / SIDE / 2; row <= (k / SIDE + 1) / 2 && row < POOLED; row++)
                    for (int col = k % SIDE / 2; col <= (k % SIDE + 1) / 2 && col < POOLED; col++) {
                        float *window = &most[(plane * POOLED + row) * POOLED + col];
                        *window = std::max(*window, x[i]);
                    }
            }
    }
    const float *dx = to_device(x), *dgamma = to_device(gamma), *dbeta = to_device(beta);
    float *dmean = device_zeros<float>(CHANNELS), *dvariance = device_zeros<float>(CHANNELS),
          *sums = device_zeros<float>(2 * CHANNELS), *a = device_zeros<float>(n),
          *b = device_zeros<float>(n), *pooled = device_zeros<float>(most.size()),
          *averages = device_zeros<float>(planes);
    const dim3 grid(CHANNELS, images);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(n, 256), 256>>>(b, dx, n);
        fill_array<<<1, 2 * CHANNELS>>>(sums, 0.0f, 2 * CHANNELS);
        statistics_block<<<CHANNELS, 512>>>(dx, images, dmean, dvariance);
        statistics_planes<256><<<grid, 256>>>((const float4 *)dx, (float2 *)sums);
        normalise_plain<<<ceil_div(n, 256), 256>>>(dx, dmean, dvariance, dgamma, dbeta, a, n);
        normalise_planes<<<grid, 128>>>((float4 *)b, (const float2 *)sums, dgamma, dbeta,
                                        1.0f / (images * PLANE));
        max_pool<<<std::min(ceil_div((int)most.size(), 128), 2112), 128>>>(dx, pooled, planes);
        average_pool<<<ceil_div(planes, 4), 128>>>(dx, averages, planes);
    }
    expect("mean", dmean, mean, 1e-5);
    expect("variance", dvariance, variance, 1e-4);
    expect("normalise_plain", a, normal, 2e-3);
    expect("normalise_planes", b, positive, 2e-3);
    expect("max_pool", pooled, most);
    expect("average_pool", averages, average, 1e-4);
    return verdict();
}
