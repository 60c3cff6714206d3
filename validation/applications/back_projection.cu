// Filtered back projection of parallel rays: the ramp filter plainly and with the row in shared memory; then the image,
// each pixel summing over 96 angles: with sines computed, from constant tables, four pixels a thread, and with the
// part of the detector that a tile sees in shared memory.
#include "common.h"

#define ANGLES 96
#define TAPS 64
#define TILE 16
#define SPAN 32

// Cosine, sine and the middle of the detector less what both add at the pixel 0, 0.
__constant__ float4 directions[ANGLES];

// The ramp's value at the distance k; at even ones it is 0 but in the middle.
__host__ __device__ inline float ramp(int k)
{
    return k == 0 ? 0.25f : k & 1 ? -0.10132118f / (float)(k * k) : 0.0f;
}

__global__ void filter_plain(const float *sinogram, float *out, int bins)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, angle = blockIdx.y;
    if (x >= bins)
        return;
    float sum = 0;
    for (int k = -TAPS; k <= TAPS; k++)
        if (x + k >= 0 && x + k < bins)
            sum += ramp(k) * sinogram[angle * bins + x + k];
    out[angle * bins + x] = sum;
}

// Only the odd distances, both sides at once.
__global__ void __launch_bounds__(128)
    filter_shared(const float *__restrict__ sinogram, float *__restrict__ out, int bins)
{
    __shared__ float row[128 + 2 * TAPS], weights[TAPS / 2];
    const int t = threadIdx.x, first = blockIdx.x * 128 - TAPS;
    for (int k = t; k < 128 + 2 * TAPS; k += 128)
        row[k] = first + k >= 0 && first + k < bins ? sinogram[blockIdx.y * bins + first + k] : 0.0f;
    if (t < TAPS / 2)
        weights[t] = ramp(2 * t + 1);
    __syncthreads();
    const int x = first + TAPS + t;
    if (x >= bins)
        return;
    const float *middle = row + TAPS + t;
    float sum = 0.25f * *middle;
#pragma unroll 8
    for (int k = 0; k < TAPS / 2; k++)
        sum += weights[k] * (middle[-2 * k - 1] + middle[2 * k + 1]);
    out[blockIdx.y * bins + x] = sum;
}

__global__ void back_plain(const float *rows, float *image, int size, int bins)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size || y >= size)
        return;
    float px = x - 0.5f * (size - 1), py = y - 0.5f * (size - 1), sum = 0;
    for (int angle = 0; angle < ANGLES; angle++) {
        float s, c;
        sincosf(angle * (3.14159265f / ANGLES), &s, &c);
        float at = px * c + py * s + 0.5f * (bins - 1);
        int bin = (int)floorf(at);
        float part = at - bin;
        if (bin >= 0 && bin + 1 < bins)
            sum += (1 - part) * rows[angle * bins + bin] + part * rows[angle * bins + bin + 1];
    }
    image[y * size + x] = sum * (3.14159265f / ANGLES);
}

// The detector is longer than the image's diagonal: no bin is outside.
__global__ void back_tables(const float *__restrict__ rows, float *__restrict__ image, int size,
                            int bins)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size || y >= size)
        return;
    float sum = 0.0f;
#pragma unroll 4
    for (int angle = 0; angle < ANGLES; angle++) {
        const float4 d = directions[angle];
        const float at = fmaf(x, d.x, fmaf(y, d.y, d.z));
        const int bin = (int)at;
        const float *p = rows + angle * bins + bin;
        const float low = __ldg(p), high = __ldg(p + 1);
        sum += fmaf(at - bin, high - low, low);
    }
    image[y * size + x] = sum * (3.14159265f / ANGLES);
}

// EACH pixels below one another: from one to the next the place moves by the sine.
template <int EACH>
__global__ void back_columns(const float *__restrict__ rows, float *image, int size, int bins)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = EACH * (blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= size || y >= size)
        return;
    float sum[EACH] = {};
    for (int angle = 0; angle < ANGLES; angle++) {
        const float4 d = directions[angle];
        const float *row = rows + angle * bins;
        float at = fmaf(x, d.x, fmaf(y, d.y, d.z));
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            // rows below the image may lie outside the detector
            const int bin = min(max((int)at, 0), bins - 2);
            sum[k] += row[bin] + (at - bin) * (row[bin + 1] - row[bin]);
            at += d.y;
        }
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (y + k < size)
            image[(y + k) * size + x] = sum[k] * (3.14159265f / ANGLES);
}

// A warp fetches what an angle needs of a row, eight angles at a time.
__global__ void __launch_bounds__(TILE *TILE)
    back_tiles(const float *__restrict__ rows, float *__restrict__ image, int size, int bins)
{
    __shared__ float parts[8][SPAN + 1];
    __shared__ int firsts[8];
    const int thread = threadIdx.y * TILE + threadIdx.x, warp = thread / 32, lane = thread % 32;
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    float sum = 0.0f;
    for (int base = 0; base < ANGLES; base += 8) {
        // the least place is that of the left edge, or of the right one where the cosine is negative
        const float4 mine = directions[base + warp];
        const float least = fmaf(mine.x < 0.0f ? left + TILE - 1 : left, mine.x,
                                 fmaf(top, mine.y, mine.z));
        const int first = (int)floorf(least) - 1, bin = first + lane;
        parts[warp][lane] = bin >= 0 && bin < bins ? rows[(base + warp) * bins + bin] : 0.0f;
        if (lane == 0)
            firsts[warp] = first;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const float4 d = directions[base + k];
            const float at = fmaf(x, d.x, fmaf(y, d.y, d.z)) - firsts[k];
            const int bin = (int)at;
            const float low = parts[k][bin], high = parts[k][bin + 1];
            sum += low + (at - bin) * (high - low);
        }
        __syncthreads();
    }
    if (x < size && y < size)
        image[y * size + x] = sum * (3.14159265f / ANGLES);
}

int main(int argc, char **argv)
{
    const int size = argument(argc, argv, 1, 64), bins = size + size / 2 + 8,
              rounds = argument(argc, argv, 2, 1);
    std::vector<float> sinogram(ANGLES * bins), rows(sinogram.size()), image(size * size);
    std::vector<float4> table(ANGLES);
    // Discs of several densities: a ray's part of a disc is its chord.
    for (int angle = 0; angle < ANGLES; angle++) {
        const double turn = angle * M_PI / ANGLES, c = cos(turn), s = sin(turn);
        float *row = &sinogram[angle * bins];
        table[angle] = make_float4((float)c, (float)s,
                                   (float)(0.5 * (bins - 1) - 0.5 * (size - 1) * (c + s)), 0.0f);
        for (unsigned disc = 0; disc < 12; disc++) {
            const double x = (unit(4 * disc) - 0.5) * 0.5 * size,
                         y = (unit(4 * disc + 1) - 0.5) * 0.5 * size,
                         r = (0.03 + 0.15 * unit(4 * disc + 2)) * size, density = unit(4 * disc + 3);
            for (int k = 0; k < bins; k++) {
                const double away = k - 0.5 * (bins - 1) - x * c - y * s;
                if (fabs(away) < r)
                    row[k] += (float)(2 * density * sqrt(r * r - away * away));
            }
        }
        for (int k = 0; k < bins; k++) {
            double sum = 0;
            for (int other = std::max(0, k - TAPS); other <= std::min(bins - 1, k + TAPS); other++)
                sum += ramp(other - k) * row[other];
            rows[angle * bins + k] = (float)sum;
        }
        for (int i = 0; i < size * size; i++) {
            const double at = 0.5 * (bins - 1) + (i % size - 0.5 * (size - 1)) * c +
                              (i / size - 0.5 * (size - 1)) * s,
                         bin = floor(at);
            const float *p = &rows[angle * bins + (int)bin];
            image[i] += (float)((p[0] + (at - bin) * (p[1] - p[0])) * M_PI / ANGLES);
        }
    }
    CHECK(cudaMemcpyToSymbol(directions, table.data(), sizeof directions));
    const float *from = to_device(sinogram), *drows = to_device(rows);
    float *filtered[2], *out[4];
    for (int k = 0; k < 4; k++)
        out[k] = device_zeros<float>(size * size);
    for (int k = 0; k < 2; k++)
        filtered[k] = device_zeros<float>(rows.size());
    const dim3 block(32, 8), grid(ceil_div(size, 32), ceil_div(size, 8)),
        fourth(ceil_div(size, 32), ceil_div(size, 16)), tile(TILE, TILE),
        tiles(ceil_div(size, TILE), ceil_div(size, TILE)), lines(ceil_div(bins, 128), ANGLES);
    for (int round = 0; round < rounds; round++) {
        filter_plain<<<lines, 128>>>(from, filtered[0], bins);
        filter_shared<<<lines, 128>>>(from, filtered[1], bins);
        back_plain<<<grid, block>>>(drows, out[0], size, bins);
        back_tables<<<grid, block>>>(drows, out[1], size, bins);
        back_columns<4><<<fourth, dim3(32, 4)>>>(drows, out[2], size, bins);
        back_tiles<<<tiles, tile>>>(drows, out[3], size, bins);
    }
    expect("filter_plain", filtered[0], rows, 1e-4);
    expect("filter_shared", filtered[1], rows, 1e-4);
    const char *names[4] = {"back_plain", "back_tables", "back_columns", "back_tiles"};
    for (int k = 0; k < 4; k++)
        expect(names[k], out[k], image, 1e-3);
    return verdict();
}
