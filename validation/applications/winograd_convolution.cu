// A 3x3 convolution of 32 channels to 32 by Winograd's F(2x2, 3x3), beside the direct one: filters, inputs
// and outputs transformed, 16 matrix products between, plainly and by tiles; and all in one kernel.
#include "common.h"

#define CHANNELS 32
#define FILTERS 32

// Of a picture of height x width: its tiles of 2x2 outputs.
struct Shape {
    int height, width, across, tiles;
};

__global__ void direct_plain(const float *input, const float *filters, const float *bias, float *output,
                             Shape shape)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int f = blockIdx.z;
    if (x >= shape.width || y >= shape.height)
        return;
    float sum = bias[f];
    for (int c = 0; c < CHANNELS; c++)
        for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
                int v = y + r - 1, u = x + s - 1;
                if (v >= 0 && v < shape.height && u >= 0 && u < shape.width)
                    sum += input[(c * shape.height + v) * shape.width + u] *
                           filters[((f * CHANNELS + c) * 3 + r) * 3 + s];
            }
    output[(f * shape.height + y) * shape.width + x] = fmaxf(sum, 0.0f);
}

// G g G', of which element e is in the matrix e of filters x channels. Once for all inputs in practice.
__global__ void transform_filters(const float *filters, float *u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= FILTERS * CHANNELS)
        return;
    float rows[4][3];
    for (int s = 0; s < 3; s++) {
        float a = filters[i * 9 + s], b = filters[i * 9 + 3 + s], c = filters[i * 9 + 6 + s];
        rows[0][s] = a;
        rows[1][s] = 0.5f * (a + b + c);
        rows[2][s] = 0.5f * (a - b + c);
        rows[3][s] = c;
    }
    for (int r = 0; r < 4; r++) {
        float a = rows[r][0], b = rows[r][1], c = rows[r][2];
        u[(4 * r + 0) * FILTERS * CHANNELS + i] = a;
        u[(4 * r + 1) * FILTERS * CHANNELS + i] = 0.5f * (a + b + c);
        u[(4 * r + 2) * FILTERS * CHANNELS + i] = 0.5f * (a - b + c);
        u[(4 * r + 3) * FILTERS * CHANNELS + i] = c;
    }
}

// B' d B of the 4x4 inputs of a tile; what lies outside is 0.
__device__ __forceinline__ void tile_transform(const float *__restrict__ plane, int tile, const Shape &shape,
                                               float v[4][4])
{
    const int y0 = tile / shape.across * 2 - 1, x0 = tile % shape.across * 2 - 1;
    float d[4][4];
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int s = 0; s < 4; s++) {
            const int y = y0 + r, x = x0 + s;
            const bool inside = y >= 0 && y < shape.height && x >= 0 && x < shape.width;
            d[r][s] = inside ? __ldg(&plane[y * shape.width + x]) : 0.0f;
        }
#pragma unroll
    for (int s = 0; s < 4; s++) {
        const float a = d[0][s], b = d[1][s], c = d[2][s], e = d[3][s];
        d[0][s] = a - c;
        d[1][s] = b + c;
        d[2][s] = c - b;
        d[3][s] = b - e;
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
        v[r][0] = d[r][0] - d[r][2];
        v[r][1] = d[r][1] + d[r][2];
        v[r][2] = d[r][2] - d[r][1];
        v[r][3] = d[r][1] - d[r][3];
    }
}

__global__ void __launch_bounds__(128)
    transform_inputs(const float *__restrict__ input, float *__restrict__ v, Shape shape)
{
    const int tile = blockIdx.x * 128 + threadIdx.x, c = blockIdx.y;
    if (tile >= shape.tiles)
        return;
    float t[4][4];
    tile_transform(input + (size_t)c * shape.height * shape.width, tile, shape, t);
#pragma unroll
    for (int e = 0; e < 16; e++)
        v[(e * CHANNELS + c) * shape.tiles + tile] = t[e / 4][e % 4];
}

// Matrix z of the 16: filters x channels times channels x tiles.
__global__ void products_plain(const float *u, const float *v, float *m, int tiles)
{
    int tile = blockIdx.x * blockDim.x + threadIdx.x;
    int f = blockIdx.y * blockDim.y + threadIdx.y;
    int e = blockIdx.z;
    if (tile >= tiles)
        return;
    float sum = 0;
    for (int c = 0; c < CHANNELS; c++)
        sum += u[(e * FILTERS + f) * CHANNELS + c] * v[(e * CHANNELS + c) * tiles + tile];
    m[(e * FILTERS + f) * tiles + tile] = sum;
}

// All filters and 64 tiles a block; 4 filters x 4 tiles a thread. Filters lie transposed in shared memory.
__global__ void __launch_bounds__(128)
    products_tiled(const float *__restrict__ u, const float *__restrict__ v, float *__restrict__ m, int tiles)
{
    __shared__ __align__(16) float filter[CHANNELS][FILTERS + 4], data[16][64];
    const int e = blockIdx.z, t = threadIdx.x, first = blockIdx.x * 64, tx = t % 16, ty = t / 16;
    for (int k = t; k < FILTERS * CHANNELS; k += 128)
        filter[k % CHANNELS][k / CHANNELS] = u[e * FILTERS * CHANNELS + k];
    float sum[4][4] = {};
    for (int from = 0; from < CHANNELS; from += 16) {
#pragma unroll
        for (int k = t; k < 16 * 64; k += 128) {
            const int tile = first + k % 64;
            data[k / 64][k % 64] = tile < tiles ? v[(e * CHANNELS + from + k / 64) * tiles + tile] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int c = 0; c < 16; c++) {
            const float4 a = *(const float4 *)&filter[from + c][ty * 4],
                         b = *(const float4 *)&data[c][tx * 4];
            const float left[4] = {a.x, a.y, a.z, a.w}, right[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (first + tx * 4 + j < tiles)
                m[(e * FILTERS + ty * 4 + i) * tiles + first + tx * 4 + j] = sum[i][j];
}

// A' m A, bias and what is above 0; stride is from one of the 16 elements to the next.
__device__ __forceinline__ void put_tile(const float *m, int stride, float bias, float *__restrict__ plane,
                                         int tile, const Shape &shape)
{
    float rows[2][4];
#pragma unroll
    for (int s = 0; s < 4; s++) {
        const float a = m[s * stride], b = m[(4 + s) * stride], c = m[(8 + s) * stride],
                    d = m[(12 + s) * stride];
        rows[0][s] = a + b + c;
        rows[1][s] = b - c - d;
    }
    const int y = tile / shape.across * 2, x = tile % shape.across * 2;
#pragma unroll
    for (int r = 0; r < 2; r++) {
        const float left = rows[r][0] + rows[r][1] + rows[r][2], right = rows[r][1] - rows[r][2] - rows[r][3];
        if (y + r >= shape.height)
            continue;
        plane[(y + r) * shape.width + x] = fmaxf(left + bias, 0.0f);
        if (x + 1 < shape.width)
            plane[(y + r) * shape.width + x + 1] = fmaxf(right + bias, 0.0f);
    }
}

__global__ void __launch_bounds__(128)
    transform_outputs(const float *__restrict__ m, const float *__restrict__ bias, float *__restrict__ output,
                      Shape shape)
{
    const int tile = blockIdx.x * 128 + threadIdx.x, f = blockIdx.y;
    if (tile < shape.tiles)
        put_tile(m + (size_t)f * shape.tiles + tile, FILTERS * shape.tiles, bias[f],
                 output + (size_t)f * shape.height * shape.width, tile, shape);
}

// 16 tiles a block, all filters: 8 channels of inputs at a time are transformed into shared memory. A thread
// has one of the 16 elements of a tile for all filters; products go through shared memory, by 16 filters.
#define STEP 8

__global__ void __launch_bounds__(256)
    winograd_fused(const float *__restrict__ input, const float *__restrict__ u,
                   const float *__restrict__ bias, float *__restrict__ output, Shape shape)
{
    __shared__ union {
        struct {
            float data[16][STEP][16], filter[16][STEP][FILTERS + 1];
        } in;
        float products[16][16][17];
    } shared;
    const int t = threadIdx.x, lane = t % 16, e = t / 16, first = blockIdx.x * 16,
              area = shape.height * shape.width;
    float sum[FILTERS] = {};
    for (int from = 0; from < CHANNELS; from += STEP) {
        if (t < 16 * STEP) {
            float v[4][4] = {};
            if (first + lane < shape.tiles)
                tile_transform(input + (from + t / 16) * area, first + lane, shape, v);
#pragma unroll
            for (int k = 0; k < 16; k++)
                shared.in.data[k][t / 16][lane] = v[k / 4][k % 4];
        }
        for (int k = t; k < 16 * FILTERS * STEP; k += 256) {
            const int c = k % STEP, f = k / STEP % FILTERS, element = k / STEP / FILTERS;
            shared.in.filter[element][c][f] = u[(element * FILTERS + f) * CHANNELS + from + c];
        }
        __syncthreads();
#pragma unroll 2
        for (int c = 0; c < STEP; c++) {
            const float value = shared.in.data[e][c][lane];
#pragma unroll
            for (int f = 0; f < FILTERS; f++)
                sum[f] = fmaf(shared.in.filter[e][c][f], value, sum[f]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int part = 0; part < FILTERS; part += 16) {
#pragma unroll
        for (int f = 0; f < 16; f++)
            shared.products[e][f][lane] = sum[part + f];
        __syncthreads();
        if (first + lane < shape.tiles)
            put_tile(&shared.products[0][e][lane], 16 * 17, bias[part + e], output + (part + e) * area,
                     first + lane, shape);
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    const int size = argument(argc, argv, 1, 14), rounds = argument(argc, argv, 2, 1);
    const Shape shape = {size, size, ceil_div(size, 2), ceil_div(size, 2) * ceil_div(size, 2)};
    const int area = size * size, tiles = shape.tiles, nine = FILTERS * CHANNELS * 9;
    std::vector<float> input = units(CHANNELS * area, 1), filters = units(nine, 2), want(FILTERS * area);
    const std::vector<float> bias = units(FILTERS, 3);
    for (float &w : filters)
        w = 0.25f * w - 0.125f;
    for (int f = 0; f < FILTERS; f++)
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                double sum = bias[f];
                for (int c = 0; c < CHANNELS; c++)
                    for (int k = 0; k < 9; k++) {
                        const int v = y + k / 3 - 1, u = x + k % 3 - 1;
                        if (v >= 0 && v < size && u >= 0 && u < size)
                            sum += (double)input[c * area + v * size + u] *
                                   filters[(f * CHANNELS + c) * 9 + k];
                    }
                want[f * area + y * size + x] = sum > 0 ? (float)sum : 0.0f;
            }
    const float *din = to_device(input), *dfilters = to_device(filters), *dbias = to_device(bias);
    float *u = device_zeros<float>(16 * FILTERS * CHANNELS), *v = device_zeros<float>(16 * CHANNELS * tiles),
          *m = device_zeros<float>(16 * FILTERS * tiles), *out[4];
    for (int k = 0; k < 4; k++)
        out[k] = device_zeros<float>(FILTERS * area);
    const dim3 each(ceil_div(tiles, 128), FILTERS);
    for (int round = 0; round < rounds; round++) {
        direct_plain<<<dim3(ceil_div(size, 16), ceil_div(size, 16), FILTERS), dim3(16, 16)>>>(
            din, dfilters, dbias, out[0], shape);
        transform_filters<<<ceil_div(FILTERS * CHANNELS, 128), 128>>>(dfilters, u);
        transform_inputs<<<dim3(ceil_div(tiles, 128), CHANNELS), 128>>>(din, v, shape);
        products_plain<<<dim3(ceil_div(tiles, 32), FILTERS / 8, 16), dim3(32, 8)>>>(u, v, m, tiles);
        transform_outputs<<<each, 128>>>(m, dbias, out[1], shape);
        CHECK(cudaMemset(m, 0, 16 * FILTERS * tiles * sizeof(float)));
        products_tiled<<<dim3(ceil_div(tiles, 64), 1, 16), 128>>>(u, v, m, tiles);
        transform_outputs<<<each, 128>>>(m, dbias, out[2], shape);
        winograd_fused<<<ceil_div(tiles, 16), 256>>>(din, u, dbias, out[3], shape);
    }
    const char *names[4] = {"direct_plain", "products_plain", "products_tiled", "winograd_fused"};
    for (int k = 0; k < 4; k++)
        expect(names[k], out[k], want, 1e-4);
    return verdict();
}
