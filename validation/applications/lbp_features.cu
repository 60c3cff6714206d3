// Local binary patterns of a grey image and histograms of them: codes plainly, four pixels a thread, and on a
// circle of radius 2 with interpolation; histograms of 16 x 16 cells by a thread, a block and a warp a cell;
// chi-square distances of all cells to some.
#include "common.h"

#define CELL 16
#define BINS 59
#define STRIDE 64 // of a cell's histogram
#define QUERIES 16

typedef unsigned char byte;

// Which of the 59 bins a code is in: uniform ones, with at most two changes around the circle, have their
// own.
__constant__ byte bins[256];

struct Sample {
    int dx, dy, weight[4]; // the upper left of four pixels, and weights that add up to 256
};

__constant__ Sample circle[8];

// Edge pixels have no code; bit k is the neighbour at 45 k degrees.
__global__ void lbp_plain(const byte *image, byte *codes, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        codes[y * width + x] = 0;
        return;
    }
    byte center = image[y * width + x];
    int code = 0;
    code |= (image[y * width + x + 1] >= center) << 0;
    code |= (image[(y - 1) * width + x + 1] >= center) << 1;
    code |= (image[(y - 1) * width + x] >= center) << 2;
    code |= (image[(y - 1) * width + x - 1] >= center) << 3;
    code |= (image[y * width + x - 1] >= center) << 4;
    code |= (image[(y + 1) * width + x - 1] >= center) << 5;
    code |= (image[(y + 1) * width + x] >= center) << 6;
    code |= (image[(y + 1) * width + x + 1] >= center) << 7;
    codes[y * width + x] = (byte)code;
}

// Four bytes of a row from x - 1, x and x + 1 on, x a multiple of 4, of the words around.
__device__ __forceinline__ void around(const unsigned *row, int word, int words, unsigned out[3])
{
    const unsigned before = word > 0 ? row[word - 1] : 0, here = row[word],
                   after = word < words - 1 ? row[word + 1] : 0;
    out[0] = __funnelshift_l(before, here, 8);
    out[1] = here;
    out[2] = __funnelshift_r(here, after, 8);
}

// In each of the four bytes 1 where a is at least b.
__device__ __forceinline__ unsigned at_least(unsigned a, unsigned b)
{
    const unsigned high = 0x80808080u, low = (a | high) - (b & ~high);
    return (((a & ~b) | (~(a ^ b) & low)) & high) >> 7;
}

// A word a thread and ROWS rows of it; three rows move along in registers.
template <int ROWS>
__global__ void lbp_words(const unsigned *__restrict__ image, unsigned *__restrict__ codes, int words,
                          int height)
{
    const int word = blockIdx.x * blockDim.x + threadIdx.x,
              y0 = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (word >= words || y0 >= height)
        return;
    const unsigned inner = (word == 0 ? 0xffffff00u : ~0u) & (word == words - 1 ? 0x00ffffffu : ~0u);
    unsigned up[3], here[3], down[3];
    around(image + max(y0 - 1, 0) * words, word, words, up);
    around(image + y0 * words, word, words, here);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int y = y0 + r;
        if (y >= height)
            return;
        around(image + min(y + 1, height - 1) * words, word, words, down);
        const unsigned center = here[1];
        const unsigned code = at_least(here[2], center) | at_least(up[2], center) << 1 |
                              at_least(up[1], center) << 2 | at_least(up[0], center) << 3 |
                              at_least(here[0], center) << 4 | at_least(down[0], center) << 5 |
                              at_least(down[1], center) << 6 | at_least(down[2], center) << 7;
        codes[y * words + word] = y > 0 && y < height - 1 ? code & inner : 0;
#pragma unroll
        for (int k = 0; k < 3; k++) {
            up[k] = here[k];
            here[k] = down[k];
        }
    }
}

// 32 x 32 pixels a block of 32 x 8, and two more on each side.
__global__ void __launch_bounds__(256)
    lbp_circle(const byte *__restrict__ image, byte *__restrict__ codes, int width, int height)
{
    __shared__ byte tile[36][40];
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    for (int r = ty; r < 36; r += 8)
        for (int q = tx; q < 36; q += 32) {
            const int x = min(max(x0 + q - 2, 0), width - 1), y = min(max(y0 + r - 2, 0), height - 1);
            tile[r][q] = image[y * width + x];
        }
    __syncthreads();
    const int x = x0 + tx;
    for (int r = ty; r < 32; r += 8) {
        const int y = y0 + r, center = tile[r + 2][tx + 2] * 256;
        unsigned code = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const Sample &s = circle[k];
            const byte *p = &tile[r + 2 + s.dy][tx + 2 + s.dx];
            const int value =
                s.weight[0] * p[0] + s.weight[1] * p[1] + s.weight[2] * p[40] + s.weight[3] * p[41];
            code |= (unsigned)(value >= center) << k;
        }
        if (x < width && y < height)
            codes[y * width + x] = x > 1 && y > 1 && x < width - 2 && y < height - 2 ? (byte)code : 0;
    }
}

__global__ void histogram_plain(const byte *codes, int *histograms, int width, int cells_x, int cells)
{
    int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= cells)
        return;
    int *histogram = histograms + cell * STRIDE;
    for (int b = 0; b < STRIDE; b++)
        histogram[b] = 0;
    int x0 = cell % cells_x * CELL, y0 = cell / cells_x * CELL;
    for (int y = y0; y < y0 + CELL; y++)
        for (int x = x0; x < x0 + CELL; x++)
            histogram[bins[codes[y * width + x]]]++;
}

// A thread a pixel.
__global__ void __launch_bounds__(CELL *CELL)
    histogram_block(const byte *__restrict__ codes, int *__restrict__ histograms, int width)
{
    __shared__ int count[STRIDE];
    __shared__ byte bin_of[256];
    const int thread = threadIdx.y * CELL + threadIdx.x, cell = blockIdx.y * gridDim.x + blockIdx.x;
    bin_of[thread] = bins[thread];
    if (thread < STRIDE)
        count[thread] = 0;
    __syncthreads();
    const int x = blockIdx.x * CELL + threadIdx.x, y = blockIdx.y * CELL + threadIdx.y;
    atomicAdd(&count[bin_of[codes[y * width + x]]], 1);
    __syncthreads();
    if (thread < STRIDE)
        histograms[cell * STRIDE + thread] = count[thread];
}

// A warp a cell, eight pixels a lane by one load; equal bins of a warp are counted once, by the lowest lane.
template <int WARPS>
__global__ void __launch_bounds__(32 * WARPS)
    histogram_warp(const uint2 *__restrict__ codes, const byte *__restrict__ bin_of,
                   int2 *__restrict__ histograms, int width, int cells_x, int cells)
{
    __shared__ int2 count[WARPS][STRIDE / 2];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, cell = blockIdx.x * WARPS + warp;
    if (cell >= cells)
        return;
    int *mine = (int *)count[warp];
    count[warp][lane] = make_int2(0, 0);
    __syncwarp();
    const int x = cell % cells_x * CELL + lane % 2 * 8, y = cell / cells_x * CELL + lane / 2;
    const uint2 eight = codes[(y * width + x) / 8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const int bin = __ldg(&bin_of[(k < 4 ? eight.x : eight.y) >> k % 4 * 8 & 255]);
        const unsigned same = __match_any_sync(0xffffffffu, bin);
        if (lane == __ffs(same) - 1)
            mine[bin] += __popc(same);
        __syncwarp();
    }
    histograms[cell * (STRIDE / 2) + lane] = count[warp][lane];
}

// Half a warp a cell; the queries' histograms stay in shared memory.
__global__ void __launch_bounds__(128)
    chi_square(const int4 *__restrict__ histograms, const int *__restrict__ queries,
               float *__restrict__ distances, int cells)
{
    __shared__ int4 query[QUERIES][STRIDE / 4];
    for (int k = threadIdx.x; k < QUERIES * STRIDE / 4; k += 128)
        query[k / 16][k % 16] = histograms[queries[k / 16] * 16 + k % 16];
    __syncthreads();
    const int lane = threadIdx.x % 16, cell = (blockIdx.x * 128 + threadIdx.x) / 16;
    const int4 a = cell < cells ? histograms[cell * 16 + lane] : make_int4(0, 0, 0, 0);
    for (int k = 0; k < QUERIES; k++) {
        const int4 b = query[k][lane];
        auto term = [](int p, int q) {
            return p + q > 0 ? (float)((p - q) * (p - q)) / (float)(p + q) : 0.0f;
        };
        float sum = term(a.x, b.x) + term(a.y, b.y) + term(a.z, b.z) + term(a.w, b.w);
        for (int offset = 8; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, offset, 16);
        if (lane == 0 && cell < cells)
            distances[k * cells + cell] = sum;
    }
}

int main(int argc, char **argv)
{
    const int cells_x = ceil_div(argument(argc, argv, 1, 96), CELL), rounds = argument(argc, argv, 2, 1),
              cells_y = ceil_div(cells_x * 3, 4), cells = cells_x * cells_y, width = cells_x * CELL,
              height = cells_y * CELL, n = width * height;
    std::vector<byte> image(n), codes(n), codes2(n), table(256);
    // Stripes that bend, patches and some noise.
    for (int i = 0; i < n; i++) {
        const int x = i % width, y = i / width, wave = (x * 3 + y * y / 64) % 96;
        image[i] = (byte)(60 + abs(wave - 48) + hash32(x / 13 * 977 + y / 11) % 50 + hash32(i) % 12);
    }
    int uniform = 0;
    for (int code = 0; code < 256; code++) {
        const int changes = code ^ ((code << 1 | code >> 7) & 255);
        table[code] = (byte)(__builtin_popcount(changes) <= 2 ? uniform++ : BINS - 1);
    }
    Sample samples[8];
    for (int k = 0; k < 8; k++) {
        const double dx = 2 * cos(k * M_PI / 4), dy = -2 * sin(k * M_PI / 4);
        Sample &s = samples[k];
        s.dx = std::min((int)floor(dx + 1e-9), 1);
        s.dy = std::min((int)floor(dy + 1e-9), 1);
        const int fx = (int)lround((dx - s.dx) * 16), fy = (int)lround((dy - s.dy) * 16);
        s.weight[0] = (16 - fx) * (16 - fy);
        s.weight[1] = fx * (16 - fy);
        s.weight[2] = (16 - fx) * fy;
        s.weight[3] = fx * fy;
    }
    const int beside[8] = {1, 1 - width, -width, -1 - width, -1, width - 1, width, width + 1};
    std::vector<int> histograms(cells * STRIDE), queries(QUERIES);
    std::vector<float> distances(cells * QUERIES);
    for (int i = 0; i < n; i++) {
        const int x = i % width, y = i / width;
        for (int k = 0; k < 8; k++) {
            if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
                codes[i] |= (byte)((image[i + beside[k]] >= image[i]) << k);
            if (x <= 1 || y <= 1 || x >= width - 2 || y >= height - 2)
                continue;
            const byte *p = &image[i + samples[k].dy * width + samples[k].dx];
            const int *w = samples[k].weight;
            const int value = w[0] * p[0] + w[1] * p[1] + w[2] * p[width] + w[3] * p[width + 1];
            codes2[i] |= (byte)((value >= image[i] * 256) << k);
        }
        histograms[(y / CELL * cells_x + x / CELL) * STRIDE + table[codes[i]]]++;
    }
    for (int k = 0; k < QUERIES * cells; k++) {
        queries[k / cells] = hash32(k / cells) % cells;
        for (int b = 0; b < BINS; b++) {
            const int p = histograms[k % cells * STRIDE + b], q = histograms[queries[k / cells] * STRIDE + b];
            distances[k] += p + q > 0 ? (float)((p - q) * (p - q)) / (p + q) : 0;
        }
    }
    CHECK(cudaMemcpyToSymbol(bins, table.data(), 256));
    CHECK(cudaMemcpyToSymbol(circle, samples, sizeof samples));
    const byte *in = to_device(image), *dtable = to_device(table);
    const int *dqueries = to_device(queries);
    byte *out[3];
    int *counts[3];
    for (int k = 0; k < 3; k++) {
        out[k] = device_zeros<byte>(n);
        counts[k] = device_zeros<int>(cells * STRIDE);
    }
    float *ddistances = device_zeros<float>(cells * QUERIES);
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8)),
        tiles(grid.x, ceil_div(height, 32)), words(ceil_div(width, 128), ceil_div(height, 32));
    for (int round = 0; round < rounds; round++) {
        lbp_plain<<<grid, block>>>(in, out[0], width, height);
        lbp_words<4><<<words, block>>>((const unsigned *)in, (unsigned *)out[1], width / 4, height);
        lbp_circle<<<tiles, block>>>(in, out[2], width, height);
        histogram_plain<<<ceil_div(cells, 64), 64>>>(out[0], counts[0], width, cells_x, cells);
        histogram_block<<<dim3(cells_x, cells_y), dim3(CELL, CELL)>>>(out[1], counts[1], width);
        histogram_warp<4><<<ceil_div(cells, 4), 128>>>((const uint2 *)out[1], dtable, (int2 *)counts[2],
                                                       width, cells_x, cells);
        chi_square<<<ceil_div(cells, 8), 128>>>((const int4 *)counts[2], dqueries, ddistances, cells);
    }
    expect("lbp_plain", out[0], codes);
    expect("lbp_words", out[1], codes);
    expect("lbp_circle", out[2], codes2);
    expect("histogram_plain", counts[0], histograms);
    expect("histogram_block", counts[1], histograms);
    expect("histogram_warp", counts[2], histograms);
    expect("chi_square", ddistances, distances, 1e-5);
    return verdict();
}
