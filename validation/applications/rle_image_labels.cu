// Connected regions of a binary picture, each labelled by its first pixel, and their areas: by union and find
// of pixels; of tiles in shared memory, then of their borders; and of the runs that warps see in 32 pixels.
#include "common.h"

#define TILE_X 32
#define TILE_Y 8

__device__ __forceinline__ int find_root(const int *labels, int i)
{
    int up = labels[i];
    while (up != i) {
        i = up;
        up = labels[i];
    }
    return i;
}

// The greater of two roots comes under the lower one; once more from what was there if it was no root now.
__device__ void unite(int *labels, int a, int b)
{
    while (true) {
        a = find_root(labels, a);
        b = find_root(labels, b);
        if (a == b)
            return;
        const int low = min(a, b), high = max(a, b), old = atomicMin(&labels[high], low);
        if (old == high)
            return;
        a = low;
        b = old;
    }
}

// Labels are each pixel's own number at first, and -1 outside.
__global__ void merge_plain(const unsigned char *image, int *labels, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height || !image[y * width + x])
        return;
    int i = y * width + x;
    if (x > 0 && image[i - 1])
        unite(labels, i, i - 1);
    if (y > 0 && image[i - width])
        unite(labels, i, i - width);
}

__global__ void flatten(int *labels, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && labels[i] >= 0)
        labels[i] = find_root(labels, i);
}

// The first pixel of the run that the pixel of this lane is in, within the row's 32.
__device__ __forceinline__ int run_start(unsigned row, int lane)
{
    const unsigned gaps = ~row & ((1u << lane) - 1);
    return gaps ? 32 - __clz(gaps) : 0;
}

// Regions within a tile, by union and find in shared memory; labels that leave are of the whole picture.
__global__ void __launch_bounds__(TILE_X *TILE_Y)
    label_tiles(const unsigned char *__restrict__ image, int *__restrict__ labels, int width, int height)
{
    __shared__ int local[TILE_X * TILE_Y];
    const int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
    const int t = threadIdx.y * TILE_X + threadIdx.x;
    const bool set = x < width && y < height && image[y * width + x];
    const unsigned row = __ballot_sync(0xffffffffu, set);
    // A warp is a row of the tile: pixels start under the first one of their run.
    local[t] = set ? (int)threadIdx.y * TILE_X + run_start(row, threadIdx.x) : -1;
    __syncthreads();
    if (set && threadIdx.y > 0 && local[t - TILE_X] >= 0) {
        // One pixel of each stretch where both rows are set.
        const bool before = threadIdx.x > 0 && local[t - 1] >= 0 && local[t - TILE_X - 1] >= 0;
        if (!before)
            unite(local, t, t - TILE_X);
    }
    __syncthreads();
    if (x >= width || y >= height)
        return;
    int root = -1;
    if (set) {
        const int r = find_root(local, t);
        root = (blockIdx.y * TILE_Y + r / TILE_X) * width + blockIdx.x * TILE_X + r % TILE_X;
    }
    labels[y * width + x] = root;
}

// Only the pixels at the left and upper borders of tiles: first all those of columns, then those of rows.
__global__ void merge_borders(int *labels, int width, int height)
{
    const int columns = (width - 1) / TILE_X, rows = (height - 1) / TILE_Y;
    const int total = columns * height + rows * width;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < total; k += gridDim.x * blockDim.x) {
        int i, other;
        if (k < columns * height) {
            i = k % height * width + (k / height + 1) * TILE_X;
            other = i - 1;
        } else {
            const int e = k - columns * height;
            i = (e / width + 1) * TILE_Y * width + e % width;
            other = i - width;
        }
        if (labels[i] >= 0 && labels[other] >= 0)
            unite(labels, i, other);
    }
}

// A warp a row, in steps of 32 pixels. Only the first pixel of a run within its 32 gets a label: the run's
// start, which is carried on from step to step. The next two kernels read the picture as one bit a pixel.
__global__ void __launch_bounds__(128)
    label_runs(const unsigned char *__restrict__ image, int *__restrict__ labels, unsigned *__restrict__ bits,
               int width, int height, int words)
{
    const int lane = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
    if (y >= height)
        return;
    int open = -1; // where the run began that reached the last pixel
    for (int w = 0; w < words; w++) {
        const int x = 32 * w + lane;
        const bool set = x < width && image[y * width + x];
        const unsigned row = __ballot_sync(0xffffffffu, set);
        const int start = run_start(row, lane);
        if (set && start == lane)
            labels[y * width + x] = lane == 0 && open >= 0 ? open : y * width + x;
        if (lane == 0)
            bits[y * words + w] = row;
        const int last = run_start(row, 31);
        open = !(row >> 31) ? -1 : last == 0 && open >= 0 ? open : y * width + 32 * w + last;
    }
}

// A warp 32 pixels of two neighbouring rows: unites where a stretch begins in which both are set.
__global__ void __launch_bounds__(256)
    merge_runs(const unsigned *__restrict__ bits, int *__restrict__ labels, int width, int words, int count)
{
    const int lane = threadIdx.x % 32, w = words + (blockIdx.x * 256 + threadIdx.x) / 32;
    if (w >= count)
        return;
    const unsigned row = bits[w], above = bits[w - words], both = row & above;
    if (!(both >> lane & 1) || (lane > 0 && both >> (lane - 1) & 1))
        return;
    const int first = w / words * width + w % words * 32;
    unite(labels, first + run_start(row, lane), first - width + run_start(above, lane));
}

// Every pixel gets its region's label; the first one of a run adds the run's length to the region's area.
__global__ void __launch_bounds__(256)
    finish_runs(const unsigned *__restrict__ bits, const int *__restrict__ labels, int *__restrict__ final,
                int *__restrict__ areas, int width, int words, int count)
{
    const int lane = threadIdx.x % 32, w = (blockIdx.x * 256 + threadIdx.x) / 32;
    if (w >= count)
        return;
    const unsigned row = bits[w];
    const int first = w / words * width + w % words * 32, start = run_start(row, lane);
    const bool set = row >> lane & 1;
    int label = -1;
    if (set && start == lane) {
        label = find_root(labels, first + lane);
        const unsigned rest = ~(row >> lane);
        atomicAdd(&areas[label], rest ? __ffs(rest) - 1 : 32);
    }
    label = __shfl_sync(0xffffffffu, label, start % 32);
    if (w % words * 32 + lane < width)
        final[first + lane] = set ? label : -1;
}

// Smooth noise of two scales and a threshold: regions with bays and islands, and a little dust.
static std::vector<unsigned char> picture(int width, int height)
{
    std::vector<unsigned char> image((size_t)width * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int scale = 8; scale <= 32; scale += 24) {
                const int u = x / scale, v = y / scale;
                const float a = (float)(x % scale) / scale, b = (float)(y % scale) / scale;
                const int seed = v * 4099 + u + scale * 65537;
                const auto corner = [seed](int i, int j) { return unit(seed + j * 4099 + i); };
                sum += (1 - b) * ((1 - a) * corner(0, 0) + a * corner(1, 0)) +
                       b * ((1 - a) * corner(0, 1) + a * corner(1, 1));
            }
            const bool dust = hash32(y * width + x) % 40 == 0;
            image[(size_t)y * width + x] = (sum > 1.0f) != dust;
        }
    return image;
}

int main(int argc, char **argv)
{
    const int width = argument(argc, argv, 1, 100), rounds = argument(argc, argv, 2, 1),
              height = std::max(1, width * 3 / 4), n = width * height, words = ceil_div(width, 32),
              count = words * height;
    const std::vector<unsigned char> image = picture(width, height);
    std::vector<int> own(n), want(n, -1), area(n), stack;
    for (int i = 0; i < n; i++)
        own[i] = image[i] ? i : -1;
    for (int i = 0; i < n; i++) {
        if (!image[i] || want[i] >= 0)
            continue;
        want[i] = i;
        stack.push_back(i);
        while (!stack.empty()) {
            const int p = stack.back(), x = p % width, y = p / width;
            const int beside[4] = {x > 0 ? p - 1 : p, x < width - 1 ? p + 1 : p, y > 0 ? p - width : p,
                                   y < height - 1 ? p + width : p};
            stack.pop_back();
            area[i]++;
            for (int q : beside)
                if (image[q] && want[q] < 0) {
                    want[q] = i;
                    stack.push_back(q);
                }
        }
    }
    const unsigned char *dimage = to_device(image);
    const int *down = to_device(own);
    int *labels[3], *final = device_zeros<int>(n), *areas = device_zeros<int>(n);
    for (int k = 0; k < 3; k++)
        labels[k] = device_zeros<int>(n);
    unsigned *bits = device_zeros<unsigned>(count);
    const dim3 tile(TILE_X, TILE_Y), tiles(ceil_div(width, TILE_X), ceil_div(height, TILE_Y));
    const int borders = (width - 1) / TILE_X * height + (height - 1) / TILE_Y * width;
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(n, 256), 256>>>(labels[0], down, n);
        merge_plain<<<tiles, tile>>>(dimage, labels[0], width, height);
        flatten<<<ceil_div(n, 256), 256>>>(labels[0], n);
        label_tiles<<<tiles, tile>>>(dimage, labels[1], width, height);
        merge_borders<<<std::max(1, std::min(ceil_div(borders, 128), 1056)), 128>>>(labels[1], width, height);
        flatten<<<ceil_div(n, 256), 256>>>(labels[1], n);
        fill_array<<<ceil_div(n, 256), 256>>>(areas, 0, n);
        label_runs<<<ceil_div(height, 4), dim3(32, 4)>>>(dimage, labels[2], bits, width, height, words);
        if (height > 1)
            merge_runs<<<ceil_div(count - words, 8), 256>>>(bits, labels[2], width, words, count);
        finish_runs<<<ceil_div(count, 8), 256>>>(bits, labels[2], final, areas, width, words, count);
    }
    expect("merge_plain", labels[0], want);
    expect("label_tiles", labels[1], want);
    expect("finish_runs", final, want);
    expect("finish_runs: areas", areas, area);
    return verdict();
}
