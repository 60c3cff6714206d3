// Quantised products with __dp4a: matrix times transposed matrix with a scale a row, plainly and with tiles in shared
// memory and 4 x 4 results a thread; matrix times vector by bytes, a warp a row with 16-byte loads, and with blocks of
// 32 weights of 4 bits that have a scale each, as in quantised language models.
#include "common.h"

#define DEPTH 512
#define WORDS (DEPTH / 4)
#define TILE 64
#define STEP 16

// out[i][j] = scale_a[i] * scale_b[j] * sum of a[i][k] * b[j][k]; a word has four numbers of a row.
__global__ void matmul_plain(const int *a, const int *b, const float *scale_a, const float *scale_b,
                             float *out, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    int sum = 0;
    for (int k = 0; k < WORDS; k++)
        sum = __dp4a(a[i * WORDS + k], b[j * WORDS + k], sum);
    out[i * n + j] = sum * scale_a[i] * scale_b[j];
}

// A block 64 x 64 results, 16 words deep a step; both tiles lie with the row as the fastest index.
__global__ void __launch_bounds__(256)
    matmul_tiled(const int4 *__restrict__ a, const int4 *__restrict__ b,
                 const float *__restrict__ scale_a, const float *__restrict__ scale_b,
                 float *__restrict__ out, int n)
{
    __shared__ int tile_a[STEP][TILE + 4], tile_b[STEP][TILE + 4];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    const int i0 = blockIdx.y * TILE, j0 = blockIdx.x * TILE;
    const int row = t / 4, quad = t % 4;
    int sums[4][4] = {};
    for (int k0 = 0; k0 < WORDS; k0 += STEP) {
        const int at = k0 / 4 + quad;
        const int4 zero = make_int4(0, 0, 0, 0);
        const int4 va = i0 + row < n ? a[(i0 + row) * (WORDS / 4) + at] : zero;
        const int4 vb = j0 + row < n ? b[(j0 + row) * (WORDS / 4) + at] : zero;
        tile_a[4 * quad][row] = va.x;
        tile_a[4 * quad + 1][row] = va.y;
        tile_a[4 * quad + 2][row] = va.z;
        tile_a[4 * quad + 3][row] = va.w;
        tile_b[4 * quad][row] = vb.x;
        tile_b[4 * quad + 1][row] = vb.y;
        tile_b[4 * quad + 2][row] = vb.z;
        tile_b[4 * quad + 3][row] = vb.w;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < STEP; k++) {
            const int4 p = *(const int4 *)&tile_a[k][4 * ty], q = *(const int4 *)&tile_b[k][4 * tx];
            const int left[4] = {p.x, p.y, p.z, p.w}, right[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int c = 0; c < 4; c++)
                    sums[r][c] = __dp4a(left[r], right[c], sums[r][c]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int c = 0; c < 4; c++) {
            const int i = i0 + 4 * ty + r, j = j0 + 4 * tx + c;
            if (i < n && j < n)
                out[i * n + j] = sums[r][c] * scale_a[i] * scale_b[j];
        }
}

// A block of 128 threads a row, one byte at a time.
__global__ void matvec_bytes(const signed char *matrix, const signed char *vector,
                             const float *scales, float vector_scale, float *out)
{
    __shared__ int s[128];
    const int t = threadIdx.x, row = blockIdx.x;
    int sum = 0;
    for (int k = t; k < DEPTH; k += 128)
        sum += matrix[row * DEPTH + k] * vector[k];
    s[t] = sum;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[row] = s[0] * scales[row] * vector_scale;
}

// A warp ROWS rows: each 16 bytes of the vector serve all of them.
template <int ROWS>
__global__ void matvec_warp(const int4 *__restrict__ matrix, const int4 *__restrict__ vector,
                            const float *__restrict__ scales, float vector_scale,
                            float *__restrict__ out, int rows)
{
    const int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * ROWS;
    if (row >= rows)
        return;
    int sums[ROWS] = {};
    for (int k = lane; k < WORDS / 4; k += 32) {
        const int4 v = vector[k];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int4 m = matrix[min(row + r, rows - 1) * (WORDS / 4) + k];
            sums[r] = __dp4a(m.x, v.x, sums[r]);
            sums[r] = __dp4a(m.y, v.y, sums[r]);
            sums[r] = __dp4a(m.z, v.z, sums[r]);
            sums[r] = __dp4a(m.w, v.w, sums[r]);
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        for (int step = 16; step > 0; step /= 2)
            sums[r] += __shfl_xor_sync(0xffffffffu, sums[r], step);
        if (lane == 0 && row + r < rows)
            out[row + r] = sums[r] * scales[row + r] * vector_scale;
    }
}

// 32 weights q of 4 bits that stand for scale * (q - 8): byte k has weight k below and k + 16 above.
struct Block4 {
    float scale;
    int bits[4];
};

// Two lanes a block of weights; the vector is quantised in blocks of 32 as well, with the sum of each half block.
__global__ void matvec_4bit(const Block4 *__restrict__ matrix, const int *__restrict__ vector,
                            const float2 *__restrict__ vector_scales, float *__restrict__ out,
                            int rows)
{
    const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float total = 0.0f;
    for (int block = lane / 2; block < DEPTH / 32; block += 16) {
        const Block4 *weights = &matrix[row * (DEPTH / 32) + block];
        const int *v = &vector[block * 8];
        const float2 scale = vector_scales[2 * block + lane % 2];
        int sum = 0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const int word = 2 * (lane % 2) + k, bits = weights->bits[word];
            sum = __dp4a(bits & 0x0f0f0f0f, v[word], sum);
            sum = __dp4a((bits >> 4) & 0x0f0f0f0f, v[word + 4], sum);
        }
        total += weights->scale * scale.x * (sum - 8.0f * scale.y);
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        total += __shfl_down_sync(0xffffffffu, total, step);
    if (lane == 0)
        out[row] = total;
}

static std::vector<signed char> bytes(size_t count, unsigned seed)
{
    std::vector<signed char> values(count);
    for (size_t i = 0; i < count; i++)
        values[i] = (signed char)((int)(hash32((unsigned)i + seed) % 255) - 127);
    return values;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 32), rounds = argument(argc, argv, 2, 1),
              rows = 16 * n + 3, blocks = DEPTH / 32;
    const std::vector<signed char> a = bytes(n * DEPTH, 1), b = bytes(n * DEPTH, 2 << 24),
                                   m = bytes(rows * DEPTH, 3 << 24), v = bytes(DEPTH, 4 << 24);
    const std::vector<float> sa = units(n, 1), sb = units(n, 2), sm = units(rows, 3),
                             s4 = units((size_t)rows * blocks, 4), sv = units(blocks, 5);
    std::vector<float> product(n * n), vector_product(rows), product4(rows);
    std::vector<Block4> m4((size_t)rows * blocks);
    std::vector<float2> halves(2 * blocks, make_float2(0.0f, 0.0f));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < DEPTH; k++)
                sum += a[(size_t)i * DEPTH + k] * b[(size_t)j * DEPTH + k];
            product[i * n + j] = sum * sa[i] * sb[j];
        }
    for (int k = 0; k < DEPTH; k++) {
        float2 &half = halves[k / 32 * 2 + k % 16 / 8];
        half.x = sv[k / 32];
        half.y += v[k];
    }
    for (int i = 0; i < rows; i++) {
        int sum = 0;
        double sum4 = 0;
        for (int k = 0; k < DEPTH; k++) {
            const int q = hash32(i * DEPTH + k + 99) % 16, block = i * blocks + k / 32,
                      byte = k % 16;
            sum += m[(size_t)i * DEPTH + k] * v[k];
            sum4 += (double)s4[block] * sv[k / 32] * (q - 8) * v[k];
            m4[block].scale = s4[block];
            m4[block].bits[byte / 4] |= (int)((unsigned)q << (byte % 4 * 8 + k % 32 / 16 * 4));
        }
        vector_product[i] = sum * sm[i] * 0.5f;
        product4[i] = (float)sum4;
    }
    const int *da = (const int *)to_device(a), *db = (const int *)to_device(b);
    const signed char *dm = to_device(m), *dv = to_device(v);
    const Block4 *dm4 = to_device(m4);
    const float *dsa = to_device(sa), *dsb = to_device(sb), *dsm = to_device(sm);
    const float2 *dhalves = to_device(halves);
    float *c[2] = {device_zeros<float>(n * n), device_zeros<float>(n * n)}, *y[3];
    for (int k = 0; k < 3; k++)
        y[k] = device_zeros<float>(rows);
    const dim3 small(ceil_div(n, 16), ceil_div(n, 16)), large(ceil_div(n, TILE), ceil_div(n, TILE));
    for (int round = 0; round < rounds; round++) {
        matmul_plain<<<small, dim3(16, 16)>>>(da, db, dsa, dsb, c[0], n);
        matmul_tiled<<<large, 256>>>((const int4 *)da, (const int4 *)db, dsa, dsb, c[1], n);
        matvec_bytes<<<rows, 128>>>(dm, dv, dsm, 0.5f, y[0]);
        matvec_warp<2><<<ceil_div(rows, 16), 256>>>((const int4 *)dm, (const int4 *)dv, dsm, 0.5f,
                                                    y[1], rows);
        matvec_4bit<<<ceil_div(rows, 4), dim3(32, 4)>>>(dm4, (const int *)dv, dhalves, y[2], rows);
    }
    expect("matmul_plain", c[0], product, 1e-5);
    expect("matmul_tiled", c[1], product, 1e-5);
    expect("matvec_bytes", y[0], vector_product, 1e-5);
    expect("matvec_warp", y[1], vector_product, 1e-5);
    expect("matvec_4bit", y[2], product4, 1e-2);
    return verdict();
}
