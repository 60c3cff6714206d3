// Median filters of an 8-bit image with clamped edges: 3x3 by sorting in registers, in a shared tile and four pixels a
// word; 5x5 by a selection network, and by histograms that slide down the columns.
#include "common.h"

#define ROWS 32

typedef unsigned char byte;

__device__ __forceinline__ void order(int &a, int &b)
{
    const int low = min(a, b);
    b = max(a, b);
    a = low;
}

// 19 exchanges leave the median in the middle.
__device__ __forceinline__ int median9(int *v)
{
    order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
    order(v[0], v[1]), order(v[3], v[4]), order(v[6], v[7]);
    order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
    order(v[0], v[3]), order(v[5], v[8]), order(v[4], v[7]);
    order(v[3], v[6]), order(v[1], v[4]), order(v[2], v[5]);
    order(v[4], v[7]), order(v[4], v[2]), order(v[6], v[4]);
    order(v[4], v[2]);
    return v[4];
}

__global__ void median3_plain(const byte *in, byte *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int v[9], count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            v[count++] = in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
    // insertion sort
    for (int k = 1; k < 9; k++)
        for (int m = k; m > 0 && v[m] < v[m - 1]; m--) {
            int other = v[m];
            v[m] = v[m - 1];
            v[m - 1] = other;
        }
    out[y * width + x] = v[4];
}

template <int RADIUS, int WIDE, int HIGH>
__device__ __forceinline__ void load_tile(byte (*tile)[WIDE + 2 * RADIUS],
                                          const byte *__restrict__ in, int width, int height)
{
    const int left = blockIdx.x * WIDE - RADIUS, top = blockIdx.y * HIGH - RADIUS;
    for (int r = threadIdx.y; r < HIGH + 2 * RADIUS; r += blockDim.y)
        for (int c = threadIdx.x; c < WIDE + 2 * RADIUS; c += blockDim.x)
            tile[r][c] = in[min(max(top + r, 0), height - 1) * width +
                            min(max(left + c, 0), width - 1)];
    __syncthreads();
}

__global__ void __launch_bounds__(256)
    median3_shared(const byte *__restrict__ in, byte *__restrict__ out, int width, int height)
{
    __shared__ byte tile[8 + 2][32 + 2];
    load_tile<1, 32, 8>(tile, in, width, height);
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int v[9];
#pragma unroll
    for (int k = 0; k < 9; k++)
        v[k] = tile[threadIdx.y + k / 3][threadIdx.x + k % 3];
    out[y * width + x] = median9(v);
}

// Four pixels a thread, a byte each of a word: the median of the greatest low, the middle middle and the least high of
// the three columns. The width in words is that of a row.
__global__ void median3_words(const unsigned *__restrict__ in, unsigned *__restrict__ out,
                              int words, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= words || y >= height)
        return;
    unsigned low = 0, mid[3], high = 0xffffffffu;
    unsigned rows[3][3];
#pragma unroll
    for (int r = 0; r < 3; r++) {
        const unsigned *row = in + min(max(y + r - 1, 0), height - 1) * words;
        const unsigned here = row[x], before = x > 0 ? row[x - 1] : here << 24,
                       after = x + 1 < words ? row[x + 1] : here >> 24;
        rows[r][0] = __byte_perm(before, here, 0x6543);
        rows[r][1] = here;
        rows[r][2] = __byte_perm(here, after, 0x4321);
    }
#pragma unroll
    for (int c = 0; c < 3; c++) {
        const unsigned a = __vminu4(rows[0][c], rows[1][c]), b = __vmaxu4(rows[0][c], rows[1][c]);
        low = __vmaxu4(low, __vminu4(a, rows[2][c]));
        mid[c] = __vmaxu4(a, __vminu4(b, rows[2][c]));
        high = __vminu4(high, __vmaxu4(b, rows[2][c]));
    }
    const unsigned middle = __vmaxu4(__vminu4(mid[0], mid[1]),
                                     __vminu4(__vmaxu4(mid[0], mid[1]), mid[2]));
    out[y * words + x] = __vmaxu4(__vminu4(low, middle),
                                  __vminu4(__vmaxu4(low, middle), high));
}

// Forgetful selection: of 14 values neither the least nor the greatest is the median of 25; each new one takes a place.
__global__ void __launch_bounds__(256)
    median5_network(const byte *__restrict__ in, byte *__restrict__ out, int width, int height)
{
    __shared__ byte tile[8 + 4][32 + 4];
    load_tile<2, 32, 8>(tile, in, width, height);
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int v[14];
#pragma unroll
    for (int k = 0; k < 14; k++)
        v[k] = tile[threadIdx.y + k / 5][threadIdx.x + k % 5];
#pragma unroll
    for (int kept = 14; kept >= 3; kept--) {
#pragma unroll
        for (int k = 0; k < kept / 2; k++)
            order(v[k], v[kept - 1 - k]);
#pragma unroll
        for (int k = 1; k < (kept + 1) / 2; k++)
            order(v[0], v[k]);
#pragma unroll
        for (int k = kept / 2; k < kept - 1; k++)
            order(v[k], v[kept - 1]);
        // v[0] and v[kept - 1] go
        if (kept > 3) {
            const int next = 14 + (14 - kept);
            v[0] = tile[threadIdx.y + next / 5][threadIdx.x + next % 5];
        }
    }
    out[y * width + x] = v[1];
}

// Huang's: a thread a column and ROWS pixels down it; five go and five come at a step, and the median moves.
__global__ void __launch_bounds__(64)
    median5_histogram(const byte *__restrict__ in, byte *__restrict__ out, int width, int height)
{
    __shared__ byte counts[256][64];
    const int t = threadIdx.x, x = blockIdx.x * 64 + t, top = blockIdx.y * ROWS;
    for (int k = t; k < 256 * 64 / 4; k += 64)
        ((unsigned *)counts)[k] = 0;
    __syncthreads();
    if (x >= width)
        return;
    int columns[5], median = 0, below = 0;
#pragma unroll
    for (int k = 0; k < 5; k++)
        columns[k] = min(max(x + k - 2, 0), width - 1);
    for (int y = top - 2; y < top + 2; y++)
        for (int k = 0; k < 5; k++)
            counts[in[min(max(y, 0), height - 1) * width + columns[k]]][t]++;
    for (int y = top; y < min(top + ROWS, height); y++) {
        const byte *come = in + min(y + 2, height - 1) * width, *go = in + max(y - 2, 0) * width;
#pragma unroll
        for (int k = 0; k < 5; k++) {
            const int v = come[columns[k]];
            counts[v][t]++;
            below += v < median;
        }
        while (below > 12)
            below -= counts[--median][t];
        while (below + counts[median][t] <= 12)
            below += counts[median++][t];
        out[y * width + x] = median;
#pragma unroll
        for (int k = 0; k < 5; k++) {
            const int v = go[columns[k]];
            counts[v][t]--;
            below -= v < median;
        }
    }
}

static std::vector<byte> filtered(const std::vector<byte> &in, int width, int height, int radius)
{
    std::vector<byte> out(in.size()), v;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            v.clear();
            for (int dy = -radius; dy <= radius; dy++)
                for (int dx = -radius; dx <= radius; dx++)
                    v.push_back(in[std::min(std::max(y + dy, 0), height - 1) * width +
                                   std::min(std::max(x + dx, 0), width - 1)]);
            std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
            out[y * width + x] = v[v.size() / 2];
        }
    return out;
}

int main(int argc, char **argv)
{
    // Rows are whole words.
    const int size = argument(argc, argv, 1, 128), width = (size + 3) / 4 * 4, height = size,
              rounds = argument(argc, argv, 2, 1), n = width * height;
    std::vector<byte> in(n);
    // Smooth shades with noise, and salt and pepper.
    for (int i = 0; i < n; i++) {
        const int x = i % width, y = i / width;
        const unsigned noise = hash32(i + 3);
        in[i] = (byte)(noise % 16 == 0   ? 255 * (noise >> 8 & 1)
                       : noise % 16 == 1 ? noise >> 8
                                         : 100 + 60 * sin(x * 0.05) * cos(y * 0.03) + noise / 16 % 24);
    }
    const std::vector<byte> three = filtered(in, width, height, 1),
                            five = filtered(in, width, height, 2);
    const byte *din = to_device(in);
    byte *out[5];
    for (int k = 0; k < 5; k++)
        out[k] = device_zeros<byte>(n);
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8)),
        quarter(ceil_div(width / 4, 32), ceil_div(height, 8)),
        strips(ceil_div(width, 64), ceil_div(height, ROWS));
    for (int round = 0; round < rounds; round++) {
        median3_plain<<<grid, block>>>(din, out[0], width, height);
        median3_shared<<<grid, block>>>(din, out[1], width, height);
        median3_words<<<quarter, block>>>((const unsigned *)din, (unsigned *)out[2], width / 4,
                                          height);
        median5_network<<<grid, block>>>(din, out[3], width, height);
        median5_histogram<<<strips, 64>>>(din, out[4], width, height);
    }
    const char *names[5] = {"median3_plain", "median3_shared", "median3_words",
                            "median5_network", "median5_histogram"};
    for (int k = 0; k < 5; k++)
        expect(names[k], out[k], k < 3 ? three : five);
    return verdict();
}
