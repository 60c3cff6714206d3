// 2D max pooling of 64 planes as in a training step: 3x3 of stride 2 with indices in NCHW, plainly and by shared tiles,
// 2x2 with vector loads, NHWC; backward by atomics, and by a gather from the windows over each input.
#include "common.h"

#define PLANES 64

// The first of equal values wins; what lies outside never does.
__global__ void pool3_plain(const float *in, float *out, int *index, int height, int width,
                            int out_height, int out_width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= PLANES * out_height * out_width)
        return;
    int ox = i % out_width;
    int oy = i / out_width % out_height;
    int plane = i / (out_width * out_height);
    const float *from = in + plane * height * width;
    int y_start = max(oy * 2 - 1, 0), y_end = min(oy * 2 + 2, height);
    int x_start = max(ox * 2 - 1, 0), x_end = min(ox * 2 + 2, width);
    float best = -INFINITY;
    int at = y_start * width + x_start;
    for (int y = y_start; y < y_end; y++)
        for (int x = x_start; x < x_end; x++)
            if (from[y * width + x] > best) {
                best = from[y * width + x];
                at = y * width + x;
            }
    out[i] = best;
    index[i] = at;
}

// A block 32 x 8 outputs of a plane; 65 x 17 inputs are read once.
#define OUT_X 32
#define OUT_Y 8
#define IN_X (2 * OUT_X + 1)
#define IN_Y (2 * OUT_Y + 1)

__global__ void __launch_bounds__(OUT_X *OUT_Y)
    pool3_shared(const float *__restrict__ in, float *__restrict__ out, int *__restrict__ index,
                 int height, int width, int out_height, int out_width)
{
    __shared__ float tile[IN_Y][IN_X];
    const int tx = threadIdx.x, ty = threadIdx.y, plane = blockIdx.z;
    const int ox = blockIdx.x * OUT_X + tx, oy = blockIdx.y * OUT_Y + ty;
    const int x0 = 2 * (int)(blockIdx.x * OUT_X) - 1, y0 = 2 * (int)(blockIdx.y * OUT_Y) - 1;
    const float *from = in + (size_t)plane * height * width;
    for (int r = ty; r < IN_Y; r += OUT_Y)
        for (int q = tx; q < IN_X; q += OUT_X) {
            const int y = y0 + r, x = x0 + q;
            const bool inside = y >= 0 && y < height && x >= 0 && x < width;
            tile[r][q] = inside ? __ldg(&from[y * width + x]) : -INFINITY;
        }
    __syncthreads();
    if (ox >= out_width || oy >= out_height)
        return;
    float best = -INFINITY;
    int at = 0;
#pragma unroll
    for (int r = 0; r < 3; r++)
#pragma unroll
        for (int q = 0; q < 3; q++) {
            const float v = tile[2 * ty + r][2 * tx + q];
            if (v > best) {
                best = v;
                at = 3 * r + q;
            }
        }
    const int i = (plane * out_height + oy) * out_width + ox;
    out[i] = best;
    index[i] = (2 * oy - 1 + at / 3) * width + 2 * ox - 1 + at % 3;
}

// Two outputs a thread, from a float4 of each of two rows; the place within the window is one byte.
__global__ void pool2_vector(const float4 *__restrict__ in, float2 *__restrict__ out,
                             uchar2 *__restrict__ place, int rows, int fours)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * fours; i += stride) {
        const int row = i / fours, column = i % fours;
        const float4 a = in[2 * row * fours + column], b = in[(2 * row + 1) * fours + column];
        const float2 top = make_float2(fmaxf(a.x, a.y), fmaxf(a.z, a.w)),
                     low = make_float2(fmaxf(b.x, b.y), fmaxf(b.z, b.w));
        out[i] = make_float2(fmaxf(top.x, low.x), fmaxf(top.y, low.y));
        place[i] = make_uchar2(low.x > top.x ? 2 + (b.y > b.x) : a.y > a.x,
                               low.y > top.y ? 2 + (b.w > b.z) : a.w > a.z);
    }
}

// Channels are neighbours: a warp reads whole lines for any window.
template <int WINDOW, int STRIDE>
__global__ void pool_nhwc(const float *__restrict__ in, float *__restrict__ out, int height,
                          int width, int out_width)
{
    const int c = threadIdx.x, ox = blockIdx.x * blockDim.y + threadIdx.y, oy = blockIdx.y;
    if (ox >= out_width)
        return;
    float best = -INFINITY;
#pragma unroll
    for (int r = 0; r < WINDOW; r++)
#pragma unroll
        for (int q = 0; q < WINDOW; q++) {
            const int y = oy * STRIDE + r - WINDOW / 2, x = ox * STRIDE + q - WINDOW / 2;
            if (y >= 0 && y < height && x >= 0 && x < width)
                best = fmaxf(best, in[(y * width + x) * PLANES + c]);
        }
    out[(oy * out_width + ox) * PLANES + c] = best;
}

// Windows overlap, so that up to four may name the same input; all sums are exact here.
__global__ void backward_atomic(const float *__restrict__ gradient, const int *__restrict__ index,
                                float *__restrict__ in_gradient, int out_area, int area)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < PLANES * out_area)
        atomicAdd(&in_gradient[i / out_area * area + index[i]], gradient[i]);
}

__global__ void backward_gather(const float *__restrict__ gradient, const int *__restrict__ index,
                                float *__restrict__ in_gradient, int height, int width,
                                int out_height, int out_width)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width)
        return;
    const int self = y * width + x;
    const int y_start = y / 2, y_end = min((y + 1) / 2 + 1, out_height);
    const int x_start = x / 2, x_end = min((x + 1) / 2 + 1, out_width);
    for (int plane = blockIdx.z; plane < PLANES; plane += gridDim.z) {
        const int first = plane * out_height * out_width;
        float sum = 0.0f;
        for (int oy = y_start; oy < y_end; oy++)
            for (int ox = x_start; ox < x_end; ox++) {
                const int o = first + oy * out_width + ox;
                if (index[o] == self)
                    sum += gradient[o];
            }
        in_gradient[(size_t)plane * height * width + self] = sum;
    }
}

int main(int argc, char **argv)
{
    const int size = argument(argc, argv, 1, 14), rounds = argument(argc, argv, 2, 1);
    const int height = 2 * ceil_div(size, 2), width = 4 * ceil_div(size, 4), oh = height / 2,
              ow = width / 2, area = height * width, out_area = oh * ow, n = PLANES * area,
              m = PLANES * out_area;
    const std::vector<float> in = units(n, 1), gradient = units(m, 2);
    std::vector<float> nhwc(n), out3(m), out2(m), out_nhwc(m), in_gradient(n);
    std::vector<int> index(m);
    std::vector<unsigned char> place(m);
    for (int i = 0; i < m; i++) {
        const int ox = i % ow, oy = i / ow % oh, plane = i / out_area;
        const float *from = &in[(size_t)plane * area];
        int at = 2 * oy * width + 2 * ox;
        for (int k = 0; k < 4; k++) {
            const float v = from[(2 * oy + k / 2) * width + 2 * ox + k % 2];
            if (k == 0 || v > out2[i]) {
                out2[i] = v;
                place[i] = (unsigned char)k;
            }
        }
        out3[i] = -1.0f;
        for (int k = 0; k < 9; k++) {
            const int y = 2 * oy - 1 + k / 3, x = 2 * ox - 1 + k % 3;
            if (y < 0 || y >= height || x < 0 || x >= width || from[y * width + x] <= out3[i])
                continue;
            at = y * width + x;
            out3[i] = from[at];
        }
        index[i] = at;
        in_gradient[(size_t)plane * area + at] += gradient[i];
        out_nhwc[(size_t)(i % out_area) * PLANES + plane] = out3[i];
    }
    for (int i = 0; i < n; i++)
        nhwc[(size_t)(i % area) * PLANES + i / area] = in[i];
    const float *din = to_device(in), *dnhwc = to_device(nhwc), *dgradient = to_device(gradient);
    float *out[4], *back[2];
    for (int k = 0; k < 4; k++)
        out[k] = device_zeros<float>(m);
    for (int k = 0; k < 2; k++)
        back[k] = device_zeros<float>(n);
    int *at[2] = {device_zeros<int>(m), device_zeros<int>(m)};
    unsigned char *dplace = device_zeros<unsigned char>(m);
    const int fours = width / 4, pairs = PLANES * oh * fours;
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(n, 256), 256>>>(back[0], 0.0f, n);
        pool3_plain<<<ceil_div(m, 256), 256>>>(din, out[0], at[0], height, width, oh, ow);
        pool3_shared<<<dim3(ceil_div(ow, OUT_X), ceil_div(oh, OUT_Y), PLANES),
                       dim3(OUT_X, OUT_Y)>>>(din, out[1], at[1], height, width, oh, ow);
        pool2_vector<<<std::min(ceil_div(pairs, 256), 1056), 256>>>(
            (const float4 *)din, (float2 *)out[2], (uchar2 *)dplace, PLANES * oh, fours);
        pool_nhwc<3, 2><<<dim3(ceil_div(ow, 4), oh), dim3(PLANES, 4)>>>(dnhwc, out[3], height,
                                                                        width, ow);
        backward_atomic<<<ceil_div(m, 256), 256>>>(dgradient, at[0], back[0], out_area, area);
        backward_gather<<<dim3(ceil_div(width, 128), height, 16), 128>>>(dgradient, at[1], back[1],
                                                                         height, width, oh, ow);
    }
    expect("pool3_plain", out[0], out3);
    expect("pool3_plain", at[0], index);
    expect("pool3_shared", out[1], out3);
    expect("pool3_shared", at[1], index);
    expect("pool2_vector", out[2], out2);
    expect("pool2_vector", dplace, place);
    expect("pool_nhwc", out[3], out_nhwc);
    expect("backward_atomic", back[0], in_gradient);
    expect("backward_gather", back[1], in_gradient);
    return verdict();
}
