// The bilateral filter with radius 4: plainly, with a table of the distances' weights, from a shared tile, on colours
// of four bytes, and in two passes, along rows and then columns.
#include "common.h"

#define RADIUS 4
#define TAPS (2 * RADIUS + 1)
#define TILE_X 32
#define TILE_Y 8

__constant__ float near[TAPS * TAPS];

__global__ void filter_plain(const float *in, float *out, int width, int height, float space,
                             float range)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float centre = in[y * width + x];
    float sum = 0.0f, weights = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            const int sx = min(max(x + dx, 0), width - 1), sy = min(max(y + dy, 0), height - 1);
            const float v = in[sy * width + sx], d = v - centre;
            const float w = expf(-(float)(dx * dx + dy * dy) * space - d * d * range);
            sum += w * v;
            weights += w;
        }
    out[y * width + x] = sum / weights;
}

__global__ void filter_table(const float *__restrict__ in, float *__restrict__ out, int width,
                             int height, float range)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float centre = __ldg(&in[y * width + x]);
    float sum = 0.0f, weights = 0.0f;
    for (int dy = 0; dy < TAPS; dy++) {
        const float *row = in + min(max(y + dy - RADIUS, 0), height - 1) * width;
#pragma unroll
        for (int dx = 0; dx < TAPS; dx++) {
            const float v = row[min(max(x + dx - RADIUS, 0), width - 1)], d = v - centre;
            const float w = near[dy * TAPS + dx] * __expf(-d * d * range);
            sum += w * v;
            weights += w;
        }
    }
    out[y * width + x] = __fdividef(sum, weights);
}

__global__ void filter_tile(const float *__restrict__ in, float *__restrict__ out, int width,
                            int height, float range)
{
    __shared__ float tile[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];
    const int x0 = blockIdx.x * TILE_X, y0 = blockIdx.y * TILE_Y;
    for (int ty = threadIdx.y; ty < TILE_Y + 2 * RADIUS; ty += TILE_Y)
        for (int tx = threadIdx.x; tx < TILE_X + 2 * RADIUS; tx += TILE_X) {
            const int sx = min(max(x0 + tx - RADIUS, 0), width - 1),
                      sy = min(max(y0 + ty - RADIUS, 0), height - 1);
            tile[ty][tx] = in[sy * width + sx];
        }
    __syncthreads();
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float centre = tile[threadIdx.y + RADIUS][threadIdx.x + RADIUS];
    float sum = 0.0f, weights = 0.0f;
#pragma unroll
    for (int dy = 0; dy < TAPS; dy++)
#pragma unroll
        for (int dx = 0; dx < TAPS; dx++) {
            const float v = tile[threadIdx.y + dy][threadIdx.x + dx], d = v - centre;
            const float w = near[dy * TAPS + dx] * __expf(-d * d * range);
            sum += w * v;
            weights += w;
        }
    out[y * width + x] = sum / weights;
}

// Three channels with one weight.
__global__ void filter_colours(const uchar4 *__restrict__ in, float4 *__restrict__ out, int width,
                               int height, float range)
{
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const uchar4 centre = in[y * width + x];
    float r = 0.0f, g = 0.0f, b = 0.0f, weights = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy += 2)
        for (int dx = -RADIUS; dx <= RADIUS; dx += 2) {
            const int sx = min(max(x + dx, 0), width - 1), sy = min(max(y + dy, 0), height - 1);
            const uchar4 v = in[sy * width + sx];
            const int dr = v.x - centre.x, dg = v.y - centre.y, db = v.z - centre.z;
            const float w = near[(dy + RADIUS) * TAPS + dx + RADIUS] *
                            __expf(-(float)(dr * dr + dg * dg + db * db) * range);
            r += w * v.x;
            g += w * v.y;
            b += w * v.z;
            weights += w;
        }
    const float scale = 1.0f / weights;
    out[y * width + x] = make_float4(r * scale, g * scale, b * scale, (float)centre.w);
}

// One pass along rows or columns.
template <bool ROWS>
__global__ void filter_line(const float *__restrict__ in, float *__restrict__ out, int width,
                            int height, float range)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float centre = in[y * width + x];
    float sum = 0.0f, weights = 0.0f;
#pragma unroll
    for (int d = -RADIUS; d <= RADIUS; d++) {
        const float v = ROWS ? in[y * width + min(max(x + d, 0), width - 1)]
                             : in[min(max(y + d, 0), height - 1) * width + x];
        const float w =
            near[RADIUS * TAPS + d + RADIUS] * __expf(-(v - centre) * (v - centre) * range);
        sum += w * v;
        weights += w;
    }
    out[y * width + x] = sum / weights;
}

// On the host: over dx and dy up to rx and ry in steps; channels that lie `channels` apart share a weight.
static std::vector<float> filtered(const std::vector<float> &in, int width, int height,
                                   int channels, int rx, int ry, int step, float space, float range)
{
    std::vector<float> out = in;
    const int used = channels == 1 ? 1 : 3;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const float *centre = &in[(y * width + x) * channels];
            double sums[3] = {0, 0, 0}, weights = 0;
            for (int dy = -ry; dy <= ry; dy += step)
                for (int dx = -rx; dx <= rx; dx += step) {
                    const int sx = std::min(std::max(x + dx, 0), width - 1),
                              sy = std::min(std::max(y + dy, 0), height - 1);
                    const float *v = &in[(sy * width + sx) * channels];
                    float d = 0;
                    for (int c = 0; c < used; c++)
                        d += (v[c] - centre[c]) * (v[c] - centre[c]);
                    const double w = expf(-(float)(dx * dx + dy * dy) * space - d * range);
                    for (int c = 0; c < used; c++)
                        sums[c] += w * v[c];
                    weights += w;
                }
            for (int c = 0; c < used; c++)
                out[(y * width + x) * channels + c] = (float)(sums[c] / weights);
        }
    return out;
}

int main(int argc, char **argv)
{
    const int width = argument(argc, argv, 1, 96), rounds = argument(argc, argv, 2, 1),
              height = width * 3 / 4, n = width * height;
    const float space = 1.0f / 18.0f, range = 8.0f, colour_range = range / 65025.0f;
    std::vector<float> in(n), table(TAPS * TAPS), channels(4 * n);
    std::vector<uchar4> colours(n);
    for (int i = 0; i < n; i++) {
        in[i] = 0.25f * unit(i) + (i % width / 24 + i / width / 24) % 2 * 0.75f;
        colours[i] = make_uchar4((int)(255 * in[i]), hash32(i) % 256, i % width % 256, 255);
        channels[4 * i] = colours[i].x;
        channels[4 * i + 1] = colours[i].y;
        channels[4 * i + 2] = colours[i].z;
        channels[4 * i + 3] = 255.0f;
    }
    for (int k = 0; k < TAPS * TAPS; k++) {
        const int dx = k % TAPS - RADIUS, dy = k / TAPS - RADIUS;
        table[k] = expf(-(float)(dx * dx + dy * dy) * space);
    }
    CHECK(cudaMemcpyToSymbol(near, table.data(), TAPS * TAPS * sizeof(float)));
    const std::vector<float> want = filtered(in, width, height, 1, RADIUS, RADIUS, 1, space, range),
                             rows = filtered(in, width, height, 1, RADIUS, 0, 1, space, range);
    float *din = to_device(in), *a = device_zeros<float>(n), *b = device_zeros<float>(n),
          *c = device_zeros<float>(n), *d = device_zeros<float>(n), *e = device_zeros<float>(n);
    uchar4 *dcolours = to_device(colours);
    float4 *smooth = device_zeros<float4>(n);
    const dim3 square(16, 16), squares(ceil_div(width, 16), ceil_div(height, 16)), flat(32, 8),
        flats(ceil_div(width, 32), ceil_div(height, 8));
    for (int round = 0; round < rounds; round++) {
        filter_plain<<<squares, square>>>(din, a, width, height, space, range);
        filter_table<<<flats, flat>>>(din, b, width, height, range);
        filter_tile<<<flats, flat>>>(din, c, width, height, range);
        filter_colours<<<squares, square>>>(dcolours, smooth, width, height, colour_range);
        filter_line<true>
            <<<dim3(ceil_div(width, 128), height), 128>>>(din, d, width, height, range);
        filter_line<false><<<flats, flat>>>(d, e, width, height, range);
    }
    expect("filter_plain", a, want, 1e-4);
    expect("filter_table", b, want, 1e-4);
    expect("filter_tile", c, want, 1e-4);
    expect("filter_colours", (float *)smooth,
           filtered(channels, width, height, 4, RADIUS, RADIUS, 2, space, colour_range), 1e-4);
    expect("filter_line, rows", d, rows, 1e-4);
    expect("filter_line, columns", e, filtered(rows, width, height, 1, 0, RADIUS, 1, space, range),
           1e-4);
    return verdict();
}
