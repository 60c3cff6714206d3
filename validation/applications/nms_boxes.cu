// Non-maximum suppression of detection boxes that are sorted by score: matrices of overlaps (plain and tiled), bit masks
// of the boxes that each one suppresses (a thread 64 boxes, a warp's ballots), and the greedy choice from the masks.
#include "common.h"

#define BITS 64
#define THRESHOLD 0.5f
#define IMAGE_BOXES 64

typedef unsigned long long word;

// The area of the intersection over that of the union.
__host__ __device__ inline float overlap(float4 a, float4 b)
{
    const float width = fminf(a.z, b.z) - fmaxf(a.x, b.x),
                height = fminf(a.w, b.w) - fmaxf(a.y, b.y);
    const float shared = fmaxf(width, 0.0f) * fmaxf(height, 0.0f);
    const float both = (a.z - a.x) * (a.w - a.y) + (b.z - b.x) * (b.w - b.y) - shared;
    return shared / both;
}

// A thread a pair.
__global__ void overlaps_plain(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n)
        return;
    float left = fmaxf(a[4 * i], b[4 * j]), top = fmaxf(a[4 * i + 1], b[4 * j + 1]);
    float right = fminf(a[4 * i + 2], b[4 * j + 2]), bottom = fminf(a[4 * i + 3], b[4 * j + 3]);
    float shared = fmaxf(right - left, 0) * fmaxf(bottom - top, 0);
    float area_a = (a[4 * i + 2] - a[4 * i]) * (a[4 * i + 3] - a[4 * i + 1]);
    float area_b = (b[4 * j + 2] - b[4 * j]) * (b[4 * j + 3] - b[4 * j + 1]);
    out[i * n + j] = shared / (area_a + area_b - shared);
}

// A block ROWS rows of the matrix by 128 columns: the rows' boxes in shared memory, the column's in registers.
template <int ROWS>
__global__ void __launch_bounds__(128)
    overlaps_tiled(const float4 *__restrict__ a, const float4 *__restrict__ b,
                   float *__restrict__ out, int n)
{
    __shared__ float4 boxes[ROWS];
    const int j = blockIdx.x * 128 + threadIdx.x, first = blockIdx.y * ROWS;
    const int rows = min(ROWS, n - first);
    if (threadIdx.x < rows)
        boxes[threadIdx.x] = a[first + threadIdx.x];
    __syncthreads();
    if (j >= n)
        return;
    const float4 box = b[j];
#pragma unroll 4
    for (int i = 0; i < rows; i++)
        out[(first + i) * n + j] = overlap(boxes[i], box);
}

// A thread a box and 64 others, which lie in shared memory: the bits of those after it that it suppresses.
__global__ void __launch_bounds__(BITS)
    masks_words(const float4 *__restrict__ boxes, word *__restrict__ masks, int n, int words)
{
    __shared__ float4 others[BITS];
    const int t = threadIdx.x, first = blockIdx.x * BITS, i = blockIdx.y * BITS + t;
    const int count = min(BITS, n - first);
    if (blockIdx.x < blockIdx.y) {
        if (i < n)
            masks[i * words + blockIdx.x] = 0;
        return;
    }
    if (t < count)
        others[t] = boxes[first + t];
    __syncthreads();
    if (i >= n)
        return;
    const float4 mine = boxes[i];
    word bits = 0;
    for (int k = blockIdx.x == blockIdx.y ? t + 1 : 0; k < count; k++)
        if (overlap(mine, others[k]) > THRESHOLD)
            bits |= 1ull << k;
    masks[i * words + blockIdx.x] = bits;
}

// A warp a box: a lane tests a box of 32 and the warp's ballot is the word.
__global__ void masks_ballot(const float4 *__restrict__ boxes, unsigned *__restrict__ masks, int n,
                             int words)
{
    const int lane = threadIdx.x, i = blockIdx.x * blockDim.y + threadIdx.y;
    if (i >= n)
        return;
    const float4 mine = boxes[i];
    for (int w = lane; w < i / 32; w += 32)
        masks[i * 2 * words + w] = 0;
    for (int w = i / 32; w < 2 * words; w++) {
        const int j = w * 32 + lane;
        bool suppressed = false;
        if (j > i && j < n)
            suppressed = overlap(mine, __ldg(&boxes[j])) > THRESHOLD;
        const unsigned bits = __ballot_sync(0xffffffffu, suppressed);
        if (lane == 0)
            masks[i * 2 * words + w] = bits;
    }
}

// One block goes through the boxes in order; what the kept ones suppress is gathered in shared memory.
__global__ void choose_plain(const word *masks, int *keep, int n, int words)
{
    extern __shared__ word removed[];
    for (int w = threadIdx.x; w < words; w += blockDim.x)
        removed[w] = 0;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        bool kept = !(removed[i / BITS] >> i % BITS & 1);
        __syncthreads();
        if (threadIdx.x == 0)
            keep[i] = kept;
        if (kept)
            for (int w = threadIdx.x; w < words; w += blockDim.x)
                removed[w] |= masks[i * words + w];
        __syncthreads();
    }
}

// By 64 boxes at once: first among themselves, by one thread, then all kept ones' masks are joined, a thread a word.
__global__ void choose_chunks(const word *__restrict__ masks, int *__restrict__ keep, int n,
                              int words)
{
    extern __shared__ word removed[];
    __shared__ word diagonal[BITS], kept;
    const int t = threadIdx.x;
    for (int w = t; w < words; w += blockDim.x)
        removed[w] = 0;
    for (int chunk = 0; chunk < words; chunk++) {
        const int first = chunk * BITS, count = min(BITS, n - first);
        if (t < count)
            diagonal[t] = masks[(first + t) * words + chunk];
        __syncthreads();
        if (t == 0) {
            word out = removed[chunk], in = 0;
            for (int k = 0; k < count; k++) {
                if (out >> k & 1)
                    continue;
                in |= 1ull << k;
                out |= diagonal[k];
            }
            kept = in;
        }
        __syncthreads();
        if (t < count)
            keep[first + t] = (int)(kept >> t & 1);
        for (int w = chunk + 1 + t; w < words; w += blockDim.x) {
            word all = removed[w];
            for (word left = kept; left; left &= left - 1)
                all |= masks[(first + __ffsll((long long)left) - 1) * words + w];
            removed[w] = all;
        }
        __syncthreads();
    }
}

// Many small images, a block each: the boxes in shared memory, one kept after the other, without masks.
__global__ void __launch_bounds__(IMAGE_BOXES)
    images_greedy(const float4 *__restrict__ boxes, int *__restrict__ keep, int n)
{
    __shared__ float4 mine[IMAGE_BOXES];
    __shared__ int alive[IMAGE_BOXES];
    const int t = threadIdx.x, first = blockIdx.x * IMAGE_BOXES;
    const int count = min(IMAGE_BOXES, n - first);
    alive[t] = t < count;
    if (t < count)
        mine[t] = boxes[first + t];
    __syncthreads();
    for (int k = 0; k < count; k++) {
        if (alive[k] && t > k && t < count && overlap(mine[k], mine[t]) > THRESHOLD)
            alive[t] = 0;
        __syncthreads();
    }
    if (t < count)
        keep[first + t] = alive[t];
}

// Boxes chosen greedily from first to end - 1.
static void choose_host(const std::vector<float4> &boxes, int first, int end,
                        std::vector<int> &keep)
{
    for (int i = first; i < end; i++) {
        keep[i] = 1;
        for (int j = first; j < i && keep[i]; j++)
            if (keep[j] && overlap(boxes[j], boxes[i]) > THRESHOLD)
                keep[i] = 0;
    }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 192), rounds = argument(argc, argv, 2, 1);
    const int words = ceil_div(n, BITS);
    std::vector<float4> boxes(n), truth(n);
    std::vector<float> want_overlaps((size_t)n * n);
    std::vector<word> want_masks((size_t)n * words);
    std::vector<unsigned> want_halves((size_t)n * words * 2);
    std::vector<int> want_keep(n), want_images(n);
    for (int i = 0; i < n; i++) {
        // Detections crowd around objects, six to each. All is in quarters of a pixel, so that areas are exact.
        const unsigned object = hash32(i) % (n / 6 + 1), h = hash32(object + 7777),
                       g = hash32(i + 99);
        const float x = (float)(h % 960) + (g & 31) / 4.0f,
                    y = (float)(h / 960 % 540) + (g >> 5 & 31) / 4.0f;
        const float width = 24 + (h >> 20 & 31) + (g >> 10 & 31) / 4.0f,
                    height = 24 + (h >> 25 & 31) + (g >> 15 & 31) / 4.0f;
        boxes[i] = make_float4(x, y, x + width, y + height);
        truth[i] = make_float4(x + 2, y - 1, x + width - (g >> 20 & 7), y + height + 3);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const float4 a = truth[i], b = boxes[j];
            const double w = std::min(a.z, b.z) - std::max(a.x, b.x),
                         h = std::min(a.w, b.w) - std::max(a.y, b.y);
            const double shared = w > 0 && h > 0 ? w * h : 0;
            want_overlaps[(size_t)i * n + j] =
                (float)(shared /
                        ((double)(a.z - a.x) * (a.w - a.y) + (b.z - b.x) * (b.w - b.y) - shared));
            if (j > i && overlap(boxes[i], boxes[j]) > THRESHOLD) {
                want_masks[(size_t)i * words + j / BITS] |= 1ull << j % BITS;
                want_halves[(size_t)i * words * 2 + j / 32] |= 1u << j % 32;
            }
        }
    }
    choose_host(boxes, 0, n, want_keep);
    for (int first = 0; first < n; first += IMAGE_BOXES)
        choose_host(boxes, first, std::min(first + IMAGE_BOXES, n), want_images);
    const float4 *dboxes = to_device(boxes), *dtruth = to_device(truth);
    float *overlaps[2];
    for (int k = 0; k < 2; k++)
        overlaps[k] = device_zeros<float>((size_t)n * n);
    word *masks = device_zeros<word>((size_t)n * words);
    unsigned *halves = device_zeros<unsigned>((size_t)n * words * 2);
    int *keep[3];
    for (int k = 0; k < 3; k++)
        keep[k] = device_zeros<int>(n);
    const size_t bytes = words * sizeof(word);
    for (int round = 0; round < rounds; round++) {
        overlaps_plain<<<dim3(ceil_div(n, 32), ceil_div(n, 8)), dim3(32, 8)>>>(
            (const float *)dtruth, (const float *)dboxes, overlaps[0], n);
        overlaps_tiled<32>
            <<<dim3(ceil_div(n, 128), ceil_div(n, 32)), 128>>>(dtruth, dboxes, overlaps[1], n);
        masks_words<<<dim3(words, words), BITS>>>(dboxes, masks, n, words);
        masks_ballot<<<ceil_div(n, 8), dim3(32, 8)>>>(dboxes, halves, n, words);
        choose_plain<<<1, 64, bytes>>>(masks, keep[0], n, words);
        choose_chunks<<<1, 64, bytes>>>(masks, keep[1], n, words);
        images_greedy<<<ceil_div(n, IMAGE_BOXES), IMAGE_BOXES>>>(dboxes, keep[2], n);
    }
    expect("overlaps_plain", overlaps[0], want_overlaps, 1e-6);
    expect("overlaps_tiled", overlaps[1], want_overlaps, 1e-6);
    const std::vector<word> got = to_host(masks, want_masks.size());
    if (got != want_masks) { // as doubles, words would not be compared to their last bits
        puts("masks_words: wrong");
        wrong_arrays++;
    }
    expect("masks_ballot", halves, want_halves);
    expect("choose_plain", keep[0], want_keep);
    expect("choose_chunks", keep[1], want_keep);
    expect("images_greedy", keep[2], want_images);
    return verdict();
}
