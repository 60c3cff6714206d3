// Contrast-limited adaptive histogram equalisation of a grey image: histograms of tiles of 64 x 64 (global atomics,
// a histogram a warp in shared memory), clipped and turned to tables of levels, and four tables blended at each pixel.
#include "common.h"

#define TILE 64
#define BINS 256
#define CLIP 3.0f

typedef unsigned char byte;

// What a bin may hold of a tile with that many pixels.
__host__ __device__ inline int clip_limit(int area)
{
    const int limit = (int)(CLIP * area / BINS);
    return limit > 1 ? limit : 1;
}

// How many pixels a tile has: those at the right and at the bottom may be cut.
__device__ inline int tile_area(int tile, int width, int height, int tiles_x)
{
    const int x = tile % tiles_x * TILE, y = tile / tiles_x * TILE;
    return min(TILE, width - x) * min(TILE, height - y);
}

// A thread a pixel, counted in global memory.
__global__ void histogram_global(const byte *image, int *histograms, int width, int height,
                                 int tiles_x)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int tile = y / TILE * tiles_x + x / TILE;
    atomicAdd(&histograms[tile * BINS + image[y * width + x]], 1);
}

// Four pixels a load and a histogram for each of the WARPS warps; the warps' histograms are added at the end.
template <int WARPS>
__global__ void __launch_bounds__(WARPS * 32)
    histogram_warps(const uchar4 *__restrict__ image, int *__restrict__ histograms, int width4,
                    int height)
{
    __shared__ unsigned bins[WARPS][BINS];
    const int t = threadIdx.x;
    unsigned *mine = bins[t / 32];
#pragma unroll
    for (int k = 0; k < BINS; k += 32)
        mine[k + t % 32] = 0;
    __syncwarp();
    const int x = blockIdx.x * (TILE / 4) + t % (TILE / 4), y0 = blockIdx.y * TILE;
    const int bottom = min(y0 + TILE, height);
    if (x < width4) {
        for (int y = y0 + t / (TILE / 4); y < bottom; y += WARPS * 32 / (TILE / 4)) {
            const uchar4 p = image[y * width4 + x];
            atomicAdd(&mine[p.x], 1u);
            atomicAdd(&mine[p.y], 1u);
            atomicAdd(&mine[p.z], 1u);
            atomicAdd(&mine[p.w], 1u);
        }
    }
    __syncthreads();
    for (int bin = t; bin < BINS; bin += WARPS * 32) {
        unsigned sum = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            sum += bins[w][bin];
        histograms[(blockIdx.y * gridDim.x + blockIdx.x) * BINS + bin] = (int)sum;
    }
}

// A thread a bin: clips, spreads what was cut over all bins, and sums up in shared memory.
__global__ void tables_block(const int *histograms, byte *tables, int width, int height,
                             int tiles_x)
{
    __shared__ int sums[BINS];
    __shared__ int excess;
    int t = threadIdx.x, tile = blockIdx.x;
    int area = tile_area(tile, width, height, tiles_x), limit = clip_limit(area);
    if (t == 0)
        excess = 0;
    __syncthreads();
    int count = histograms[tile * BINS + t];
    if (count > limit) {
        atomicAdd(&excess, count - limit);
        count = limit;
    }
    __syncthreads();
    count += excess / BINS + (t < excess % BINS ? 1 : 0);
    sums[t] = count;
    __syncthreads();
    for (int step = 1; step < BINS; step *= 2) {
        int before = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    float scale = 255.0f / area;
    tables[tile * BINS + t] = (byte)rintf(sums[t] * scale);
}

// The same by a warp a tile: eight bins a lane, summed by shuffles, stored as eight bytes.
__global__ void tables_warp(const int4 *__restrict__ histograms, uint2 *__restrict__ tables,
                            int width, int height, int tiles_x, int tiles)
{
    const int lane = threadIdx.x % 32, tile = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (tile >= tiles)
        return;
    const int area = tile_area(tile, width, height, tiles_x), limit = clip_limit(area);
    const int4 a = histograms[tile * 64 + 2 * lane], b = histograms[tile * 64 + 2 * lane + 1];
    int count[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    int excess = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        excess += max(count[k] - limit, 0);
        count[k] = min(count[k], limit);
    }
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        excess += __shfl_xor_sync(0xffffffffu, excess, mask);
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        sum += count[k] + excess / BINS + (8 * lane + k < excess % BINS ? 1 : 0);
        count[k] = sum;
    }
    int before = sum;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, before, step);
        if (lane >= step)
            before += other;
    }
    before -= sum;
    const float scale = 255.0f / area;
    unsigned level[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
        level[k] = (unsigned)rintf((before + count[k]) * scale);
    tables[tile * 32 + lane] =
        make_uint2(level[0] | level[1] << 8 | level[2] << 16 | level[3] << 24,
                   level[4] | level[5] << 8 | level[6] << 16 | level[7] << 24);
}

// A thread a pixel: the tables of the four nearest tiles, blended in floats (which are exact here).
__global__ void blend_plain(const byte *image, const byte *tables, byte *out, int width, int height,
                            int tiles_x, int tiles_y)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float fx = (x - TILE / 2) / (float)TILE, fy = (y - TILE / 2) / (float)TILE;
    int left = (int)floorf(fx), top = (int)floorf(fy);
    float wx = fx - left, wy = fy - top;
    int right = min(left + 1, tiles_x - 1), bottom = min(top + 1, tiles_y - 1);
    left = max(left, 0);
    top = max(top, 0);
    int level = image[y * width + x];
    float a = tables[(top * tiles_x + left) * BINS + level];
    float b = tables[(top * tiles_x + right) * BINS + level];
    float c = tables[(bottom * tiles_x + left) * BINS + level];
    float d = tables[(bottom * tiles_x + right) * BINS + level];
    float above = a * (1 - wx) + b * wx, below = c * (1 - wx) + d * wx;
    out[y * width + x] = (byte)(above * (1 - wy) + below * wy + 0.5f);
}

// A block a square between four tiles' centres, whose tables lie interleaved in shared memory; four pixels a thread.
__global__ void __launch_bounds__(256)
    blend_shared(const uchar4 *__restrict__ image, const byte *__restrict__ tables,
                 uchar4 *__restrict__ out, int width4, int height, int tiles_x, int tiles_y)
{
    __shared__ uchar4 table[BINS];
    const int t = threadIdx.y * 16 + threadIdx.x;
    const int left = max((int)blockIdx.x - 1, 0), right = min((int)blockIdx.x, tiles_x - 1);
    const int top = max((int)blockIdx.y - 1, 0), bottom = min((int)blockIdx.y, tiles_y - 1);
    table[t] = make_uchar4(tables[(top * tiles_x + left) * BINS + t],
                           tables[(top * tiles_x + right) * BINS + t],
                           tables[(bottom * tiles_x + left) * BINS + t],
                           tables[(bottom * tiles_x + right) * BINS + t]);
    __syncthreads();
    const int x = (int)blockIdx.x * (TILE / 4) - TILE / 8 + (int)threadIdx.x;
    if (x < 0 || x >= width4)
        return;
#pragma unroll
    for (int wy = threadIdx.y; wy < TILE; wy += 16) {
        const int y = (int)blockIdx.y * TILE - TILE / 2 + wy;
        if (y < 0 || y >= height)
            continue;
        const uchar4 p = image[y * width4 + x];
        const byte level[4] = {p.x, p.y, p.z, p.w};
        byte mixed[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uchar4 q = table[level[k]];
            const int wx = 4 * threadIdx.x + k;
            const int above = q.x * (TILE - wx) + q.y * wx, below = q.z * (TILE - wx) + q.w * wx;
            mixed[k] = (byte)((above * (TILE - wy) + below * wy + TILE * TILE / 2) / (TILE * TILE));
        }
        out[y * width4 + x] = make_uchar4(mixed[0], mixed[1], mixed[2], mixed[3]);
    }
}

int main(int argc, char **argv)
{
    const int size = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1);
    const int width = ceil_div(size, 4) * 4, height = size;
    const int tiles_x = ceil_div(width, TILE), tiles_y = ceil_div(height, TILE),
              tiles = tiles_x * tiles_y;
    std::vector<byte> image((size_t)width * height), want_tables((size_t)tiles * BINS),
        want(image.size());
    std::vector<int> want_histograms((size_t)tiles * BINS);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            // A dim picture: waves of light, with noise that is stronger where it is brighter.
            const double wave = sin(x * 0.031) * cos(y * 0.023) + 1.2;
            image[y * width + x] = (byte)(20 + 45 * wave * (0.7 + 0.3 * unit(y * width + x)));
            want_histograms[(y / TILE * tiles_x + x / TILE) * BINS + image[y * width + x]]++;
        }
    }
    for (int tile = 0; tile < tiles; tile++) {
        int area = 0, cut = 0, sum = 0;
        for (int bin = 0; bin < BINS; bin++)
            area += want_histograms[tile * BINS + bin];
        for (int bin = 0; bin < BINS; bin++)
            cut += std::max(want_histograms[tile * BINS + bin] - clip_limit(area), 0);
        for (int bin = 0; bin < BINS; bin++) {
            sum += std::min(want_histograms[tile * BINS + bin], clip_limit(area));
            sum += cut / BINS + (bin < cut % BINS);
            want_tables[tile * BINS + bin] = (byte)rintf(sum * (255.0f / area));
        }
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int corner = 0; corner < 4; corner++) {
                const int i = (x + TILE / 2) / TILE - 1 + corner % 2, wx = (x + TILE / 2) % TILE,
                          j = (y + TILE / 2) / TILE - 1 + corner / 2, wy = (y + TILE / 2) % TILE;
                const int tile = std::min(std::max(j, 0), tiles_y - 1) * tiles_x +
                                 std::min(std::max(i, 0), tiles_x - 1);
                sum += want_tables[tile * BINS + image[y * width + x]] *
                       (corner % 2 ? wx : TILE - wx) * (corner / 2 ? wy : TILE - wy);
            }
            want[y * width + x] = (byte)((sum + TILE * TILE / 2) / (TILE * TILE));
        }
    }
    const byte *dimage = to_device(image);
    int *histograms[2];
    byte *tables[2], *out[2];
    for (int k = 0; k < 2; k++) {
        histograms[k] = device_zeros<int>((size_t)tiles * BINS);
        tables[k] = device_zeros<byte>((size_t)tiles * BINS);
        out[k] = device_zeros<byte>(image.size());
    }
    const dim3 pixels(ceil_div(width, 32), ceil_div(height, 8)), block(32, 8),
        grid(tiles_x, tiles_y);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(tiles * BINS, 256), 256>>>(histograms[0], 0, tiles * BINS);
        histogram_global<<<pixels, block>>>(dimage, histograms[0], width, height, tiles_x);
        histogram_warps<8><<<grid, 256>>>((const uchar4 *)dimage, histograms[1], width / 4, height);
        tables_block<<<tiles, BINS>>>(histograms[0], tables[0], width, height, tiles_x);
        tables_warp<<<ceil_div(tiles, 4), 128>>>((const int4 *)histograms[1], (uint2 *)tables[1],
                                                 width, height, tiles_x, tiles);
        blend_plain<<<pixels, block>>>(dimage, tables[0], out[0], width, height, tiles_x, tiles_y);
        blend_shared<<<dim3(tiles_x + 1, tiles_y + 1), dim3(16, 16)>>>(
            (const uchar4 *)dimage, tables[1], (uchar4 *)out[1], width / 4, height, tiles_x,
            tiles_y);
    }
    expect("histogram_global", histograms[0], want_histograms);
    expect("histogram_warps", histograms[1], want_histograms);
    expect("tables_block", tables[0], want_tables);
    expect("tables_warp", tables[1], want_tables);
    expect("blend_plain", out[0], want);
    expect("blend_shared", out[1], want);
    return verdict();
}
