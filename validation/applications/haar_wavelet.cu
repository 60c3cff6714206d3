// Haar's wavelets: a level of a signal at a time, all levels of 1024 in shared memory, integer steps by shuffles; and
// one level of an image, rows then columns and both at once.
#include "common.h"

#define BLOCK 512
#define HALF 0.70710678f

// A level: means to the front half, differences to the back half.
__global__ void level_plain(const float *in, float *out, int half)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half)
        return;
    const float a = in[2 * i], b = in[2 * i + 1];
    out[i] = (a + b) * HALF;
    out[half + i] = (a - b) * HALF;
}

// The same with two pairs a thread.
__global__ void level_fours(const float4 *__restrict__ in, float2 *__restrict__ means,
                            float2 *__restrict__ differences, int quarter)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quarter; i += gridDim.x * blockDim.x) {
        const float4 v = in[i];
        means[i] = make_float2((v.x + v.y) * HALF, (v.z + v.w) * HALF);
        differences[i] = make_float2((v.x - v.y) * HALF, (v.z - v.w) * HALF);
    }
}

// All levels of the 1024 that a block has; the differences go out as they come.
__global__ void levels_shared(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float s[2 * BLOCK];
    const int t = threadIdx.x;
    const size_t base = (size_t)blockIdx.x * 2 * BLOCK;
    s[t] = in[base + t];
    s[t + BLOCK] = in[base + t + BLOCK];
    for (int half = BLOCK; half > 0; half /= 2) {
        __syncthreads();
        float a = 0.0f, b = 0.0f;
        if (t < half) {
            a = s[2 * t];
            b = s[2 * t + 1];
        }
        __syncthreads();
        if (t < half) {
            s[t] = (a + b) * HALF;
            out[base + half + t] = (a - b) * HALF;
        }
    }
    if (t == 0)
        out[base] = s[0];
}

// Whole numbers, back without loss: a warp has 32, a lane keeps the difference of the level at which it ends.
__global__ void integers_shuffle(const int *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int v = i < n ? in[i] : 0, kept = 0;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_down_sync(0xffffffffu, v, step);
        const int behind = __shfl_up_sync(0xffffffffu, v, step);
        if (lane % (2 * step) == step)
            kept = v - behind;
        v += (other - v) >> 1;
    }
    if (i < n)
        out[i] = lane ? kept : v;
}

template <bool COLUMNS>
__global__ void image_lines(const float *__restrict__ in, float *__restrict__ out, int width,
                            int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= (COLUMNS ? width : width / 2) || y >= (COLUMNS ? height / 2 : height))
        return;
    const int first = COLUMNS ? 2 * y * width + x : y * width + 2 * x;
    const float a = in[first], b = in[first + (COLUMNS ? width : 1)];
    out[y * width + x] = (a + b) * HALF;
    out[y * width + x + (COLUMNS ? height / 2 * width : width / 2)] = (a - b) * HALF;
}

// A thread a square of 2 x 2.
__global__ void image_squares(const float *__restrict__ in, float *__restrict__ out, int width,
                              int height)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= width / 2 || y >= height / 2)
        return;
    const float2 above = ((const float2 *)(in + 2 * y * width))[x],
                 below = ((const float2 *)(in + (2 * y + 1) * width))[x];
    const float s0 = above.x + above.y, d0 = above.x - above.y, s1 = below.x + below.y,
                d1 = below.x - below.y;
    float *to = out + y * width + x;
    to[0] = 0.5f * (s0 + s1);
    to[width / 2] = 0.5f * (d0 + d1);
    to[height / 2 * width] = 0.5f * (s0 - s1);
    to[height / 2 * width + width / 2] = 0.5f * (d0 - d1);
}

static void levels(const float *in, float *out, int size, int count)
{
    std::vector<float> now(in, in + size);
    for (; count > 0 && size > 1; count--) {
        size /= 2;
        for (int i = 0; i < size; i++) {
            const float a = now[2 * i], b = now[2 * i + 1];
            now[i] = (a + b) * HALF;
            out[size + i] = (a - b) * HALF;
        }
    }
    std::copy(now.begin(), now.begin() + size, out);
}

int main(int argc, char **argv)
{
    const int blocks = ceil_div(argument(argc, argv, 1, 32), 4) * 4,
              rounds = argument(argc, argv, 2, 1), n = blocks * 2 * BLOCK, width = 512 * 2,
              height = n / width;
    const std::vector<float> in = units(n, 11);
    std::vector<float> once(n), thrice(n), parts(n), square(n), rows(n);
    std::vector<int> numbers(n), whole(n);
    levels(in.data(), once.data(), n, 1);
    levels(in.data(), thrice.data(), n, 3);
    for (int b = 0; b < blocks; b++)
        levels(&in[b * 2 * BLOCK], &parts[b * 2 * BLOCK], 2 * BLOCK, 30);
    for (int i = 0; i < n; i++)
        numbers[i] = (int)(hash32(i + 5) % 512);
    for (int base = 0; base < n; base += 32) {
        int v[32];
        std::copy(&numbers[base], &numbers[base] + 32, v);
        for (int step = 1; step < 32; step *= 2)
            for (int k = 0; k < 32; k += 2 * step) {
                whole[base + k + step] = v[k + step] - v[k];
                v[k] += (v[k + step] - v[k]) >> 1;
            }
        whole[base] = v[0];
    }
    for (int y = 0; y < height; y++)
        levels(&in[y * width], &rows[y * width], width, 1);
    for (int y = 0; y < height / 2; y++)
        for (int x = 0; x < width; x++) {
            const float a = rows[2 * y * width + x], b = rows[(2 * y + 1) * width + x];
            square[y * width + x] = (a + b) * HALF;
            square[(y + height / 2) * width + x] = (a - b) * HALF;
        }
    float *din = to_device(in), *a = device_zeros<float>(n), *b = device_zeros<float>(n / 2),
          *c = device_zeros<float>(n / 4), *four = device_zeros<float>(n),
          *shared = device_zeros<float>(n), *line = device_zeros<float>(n),
          *both = device_zeros<float>(n), *squares = device_zeros<float>(n);
    int *dnumbers = to_device(numbers), *dwhole = device_zeros<int>(n);
    for (int round = 0; round < rounds; round++) {
        level_plain<<<ceil_div(n / 2, 256), 256>>>(din, a, n / 2);
        level_plain<<<ceil_div(n / 4, 256), 256>>>(a, b, n / 4);
        level_plain<<<ceil_div(n / 8, 256), 256>>>(b, c, n / 8);
        level_fours<<<std::min(1056, ceil_div(n / 4, 128)), 128>>>((float4 *)din, (float2 *)four,
                                                                   (float2 *)(four + n / 2), n / 4);
        levels_shared<<<blocks, BLOCK>>>(din, shared);
        integers_shuffle<<<ceil_div(n, 192), 192>>>(dnumbers, dwhole, n);
        image_lines<false><<<dim3(width / 2 / 128, ceil_div(height, 2)), dim3(128, 2)>>>(
            din, line, width, height);
        image_lines<true>
            <<<dim3(width / 32, ceil_div(height / 2, 8)), dim3(32, 8)>>>(line, both, width, height);
        image_squares<<<dim3(width / 64, ceil_div(height / 2, 4)), dim3(32, 4)>>>(din, squares,
                                                                                  width, height);
    }
    expect("level_plain", a, once, 1e-6);
    const std::vector<float> second(thrice.begin() + n / 4, thrice.begin() + n / 2),
        third(thrice.begin(), thrice.begin() + n / 4);
    expect("level_plain, second", b + n / 4, second, 1e-6);
    expect("level_plain, third", c, third, 1e-6);
    expect("level_fours", four, once, 1e-6);
    expect("levels_shared", shared, parts, 1e-5);
    expect("integers_shuffle", dwhole, whole);
    expect("image_lines", both, square, 1e-5);
    expect("image_squares", squares, square, 1e-5);
    return verdict();
}
