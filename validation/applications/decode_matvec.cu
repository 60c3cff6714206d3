// A matrix of quantised weights by a vector of 4096, as in a language model that writes token after token: half,
// bytes by rows, by columns and with a byte vector, and 4 bits in groups of 32 with a scale each.
#include "common.h"
#include <cuda_fp16.h>

#define COLUMNS 4096
#define GROUP 32
#define SLICES 16

__device__ inline float warp_sum(float sum)
{
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    return sum;
}

// A warp a row; the vector is half as well.
__global__ void matvec_half(const __half2 *__restrict__ weights, const __half2 *__restrict__ x,
                            float *__restrict__ y, int rows)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = threadIdx.x; k < COLUMNS / 2; k += 32) {
        const float2 w = __half22float2(weights[row * (COLUMNS / 2) + k]), v = __half22float2(x[k]);
        sum += w.x * v.x + w.y * v.y;
    }
    sum = warp_sum(sum);
    if (threadIdx.x == 0)
        y[row] = sum;
}

// A block a row, byte by byte.
__global__ void matvec_bytes(const signed char *weights, const float *scales, const float *x,
                             float *y)
{
    __shared__ float sums[128];
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0;
    for (int k = t; k < COLUMNS; k += 128)
        sum += weights[row * COLUMNS + k] * x[k];
    sums[t] = sum;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step)
            sums[t] += sums[t + step];
        __syncthreads();
    }
    if (t == 0)
        y[row] = sums[0] * scales[row];
}

// The transposed matrix: a thread four rows, a slice of the columns; the slices' sums add up in y.
__global__ void matvec_columns(const char4 *__restrict__ weights, const float *__restrict__ scales,
                               const float *__restrict__ x, float *y, int rows)
{
    const int four = blockIdx.x * blockDim.x + threadIdx.x;
    if (four >= rows / 4)
        return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const int first = blockIdx.y * (COLUMNS / SLICES);
#pragma unroll 8
    for (int k = first; k < first + COLUMNS / SLICES; k++) {
        const char4 w = weights[k * (rows / 4) + four];
        const float v = x[k];
        sum.x += w.x * v;
        sum.y += w.y * v;
        sum.z += w.z * v;
        sum.w += w.w * v;
    }
    atomicAdd(&y[4 * four], sum.x * scales[4 * four]);
    atomicAdd(&y[4 * four + 1], sum.y * scales[4 * four + 1]);
    atomicAdd(&y[4 * four + 2], sum.z * scales[4 * four + 2]);
    atomicAdd(&y[4 * four + 3], sum.w * scales[4 * four + 3]);
}

// 16 bytes of a row and of the vector, multiplied four by four in integers.
__global__ void matvec_dp4a(const int4 *__restrict__ weights, const float *__restrict__ scales,
                            const int4 *__restrict__ x, float x_scale, float *__restrict__ y,
                            int rows)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    int sum = 0;
#pragma unroll
    for (int k = threadIdx.x; k < COLUMNS / 16; k += 32) {
        const int4 w = weights[row * (COLUMNS / 16) + k], v = x[k];
        sum = __dp4a(w.x, v.x, sum);
        sum = __dp4a(w.y, v.y, sum);
        sum = __dp4a(w.z, v.z, sum);
        sum = __dp4a(w.w, v.w, sum);
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0)
        y[row] = sum * scales[row] * x_scale;
}

// 8 weights of 4 bits a word, the lowest first, 8 being zero; ROWS rows a warp, the vector in shared memory.
template <int ROWS>
__global__ void __launch_bounds__(128)
    matvec_nibbles(const unsigned *__restrict__ weights, const __half *__restrict__ scales,
                   const float *__restrict__ x, float *__restrict__ y, int rows)
{
    __shared__ float4 shared[COLUMNS / 4];
    for (int k = threadIdx.y * 32 + threadIdx.x; k < COLUMNS / 4; k += 128)
        shared[k] = ((const float4 *)x)[k];
    __syncthreads();
    const int first = (blockIdx.x * 4 + threadIdx.y) * ROWS;
    float sum[ROWS] = {};
    for (int k = threadIdx.x; k < COLUMNS / 8; k += 32) {
        const float4 a = shared[2 * k], b = shared[2 * k + 1];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (first + r >= rows)
                break;
            const unsigned w = weights[(first + r) * (COLUMNS / 8) + k];
            const float scale =
                __half2float(scales[(first + r) * (COLUMNS / GROUP) + k / (GROUP / 8)]);
            float part = ((int)(w & 15) - 8) * a.x + ((int)(w >> 4 & 15) - 8) * a.y;
            part += ((int)(w >> 8 & 15) - 8) * a.z + ((int)(w >> 12 & 15) - 8) * a.w;
            part += ((int)(w >> 16 & 15) - 8) * b.x + ((int)(w >> 20 & 15) - 8) * b.y;
            part += ((int)(w >> 24 & 15) - 8) * b.z + ((int)(w >> 28) - 8) * b.w;
            sum[r] += part * scale;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const float all = warp_sum(sum[r]);
        if (threadIdx.x == 0 && first + r < rows)
            y[first + r] = all;
    }
}

int main(int argc, char **argv)
{
    const int rows = ceil_div(argument(argc, argv, 1, 256), 4) * 4,
              rounds = argument(argc, argv, 2, 1);
    const size_t cells = (size_t)rows * COLUMNS;
    const std::vector<float> scales = units(rows, 1), x = units(COLUMNS, 2);
    std::vector<signed char> bytes(cells), turned(cells), byte_x(COLUMNS);
    std::vector<__half> halves(cells), half_x(COLUMNS), groups(cells / GROUP);
    std::vector<unsigned> nibbles(cells / 8);
    std::vector<float> want_half(rows), want_bytes(rows), want_dp4a(rows), want_nibbles(rows);
    for (int k = 0; k < COLUMNS; k++) {
        half_x[k] = __float2half(x[k]);
        byte_x[k] = (signed char)(x[k] * 127);
    }
    for (size_t g = 0; g < groups.size(); g++)
        groups[g] = __float2half((hash32((unsigned)g) & 255) / 256.0f);
    for (int r = 0; r < rows; r++) {
        double half_sum = 0, byte_sum = 0, dp4a_sum = 0, nibble_sum = 0;
        for (int k = 0; k < COLUMNS; k++) {
            const size_t i = (size_t)r * COLUMNS + k;
            const unsigned h = hash32((unsigned)i + 12345);
            bytes[i] = turned[(size_t)k * rows + r] = (signed char)(h & 255);
            halves[i] = __float2half(bytes[i] / 128.0f);
            nibbles[i / 8] |= (h >> 8 & 15) << i % 8 * 4;
            half_sum += bytes[i] / 128.0 * __half2float(half_x[k]);
            byte_sum += bytes[i] * x[k];
            dp4a_sum += bytes[i] * byte_x[k];
            nibble_sum += ((int)(h >> 8 & 15) - 8) * x[k] * __half2float(groups[i / GROUP]);
        }
        want_half[r] = (float)half_sum;
        want_bytes[r] = (float)(byte_sum * scales[r]);
        want_dp4a[r] = (float)(dp4a_sum * scales[r] / 127);
        want_nibbles[r] = (float)nibble_sum;
    }
    const signed char *dbytes = to_device(bytes), *dturned = to_device(turned),
                      *dbyte_x = to_device(byte_x);
    const __half *dhalves = to_device(halves), *dhalf_x = to_device(half_x),
                 *dgroups = to_device(groups);
    const unsigned *dnibbles = to_device(nibbles);
    const float *dscales = to_device(scales), *dx = to_device(x);
    float *y[5];
    for (int k = 0; k < 5; k++)
        y[k] = device_zeros<float>(rows);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(rows, 256), 256>>>(y[2], 0.0f, rows);
        matvec_half<<<ceil_div(rows, 4), dim3(32, 4)>>>((const __half2 *)dhalves,
                                                        (const __half2 *)dhalf_x, y[0], rows);
        matvec_bytes<<<rows, 128>>>(dbytes, dscales, dx, y[1]);
        matvec_columns<<<dim3(ceil_div(rows / 4, 64), SLICES), 64>>>((const char4 *)dturned,
                                                                     dscales, dx, y[2], rows);
        matvec_dp4a<<<ceil_div(rows, 8), dim3(32, 8)>>>(
            (const int4 *)dbytes, dscales, (const int4 *)dbyte_x, 1.0f / 127, y[3], rows);
        matvec_nibbles<2><<<ceil_div(rows, 8), dim3(32, 4)>>>(dnibbles, dgroups, dx, y[4], rows);
    }
    expect("matvec_half", y[0], want_half, 1e-3);
    expect("matvec_bytes", y[1], want_bytes, 1e-2);
    expect("matvec_columns", y[2], want_bytes, 1e-2);
    expect("matvec_dp4a", y[3], want_dp4a, 1e-5);
    expect("matvec_nibbles", y[4], want_nibbles, 1e-2);
    return verdict();
}
