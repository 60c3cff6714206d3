// Images to three quarters of their size by bilinear interpolation (three bytes a pixel in integers, four as one load
// in floats), a rotation, and the integral image by rows and columns with the means of boxes from it.
#include "common.h"

#define RADIUS 7

// Where a place of the smaller image lies: 16 bits of fraction, of which 8 are used.
__device__ inline int source(int place, int step, int n, int &next, int &fraction)
{
    const int position = place * step, at = position >> 16;
    next = min(at + 1, n - 1);
    fraction = position >> 8 & 255;
    return at;
}

__global__ void resize_bytes(const unsigned char *in, unsigned char *out, int n, int m, int step)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= m || y >= m)
        return;
    int x1, y1, fx, fy;
    int x0 = source(x, step, n, x1, fx), y0 = source(y, step, n, y1, fy);
    for (int c = 0; c < 3; c++) {
        int above = in[3 * (y0 * n + x0) + c] * (256 - fx) + in[3 * (y0 * n + x1) + c] * fx;
        int below = in[3 * (y1 * n + x0) + c] * (256 - fx) + in[3 * (y1 * n + x1) + c] * fx;
        out[3 * (y * m + x) + c] = (above * (256 - fy) + below * fy + 32768) >> 16;
    }
}

__device__ __forceinline__ float4 blend(float4 a, float4 b, float f)
{
    return make_float4(a.x + f * (b.x - a.x), a.y + f * (b.y - a.y), a.z + f * (b.z - a.z),
                       a.w + f * (b.w - a.w));
}

__device__ __forceinline__ float4 widen(uchar4 v)
{
    return make_float4(v.x, v.y, v.z, v.w);
}

// Two rows a thread.
__global__ void resize_four(const uchar4 *__restrict__ in, uchar4 *__restrict__ out, int n, int m,
                            int step)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= m)
        return;
    int x1, y1, fx, fy;
    const int x0 = source(x, step, n, x1, fx);
#pragma unroll
    for (int r = 0; r < 2; r++) {
        const int y = (blockIdx.y * blockDim.y + threadIdx.y) * 2 + r;
        if (y >= m)
            return;
        const int y0 = source(y, step, n, y1, fy);
        const float4 above = blend(widen(in[y0 * n + x0]), widen(in[y0 * n + x1]), fx / 256.0f);
        const float4 below = blend(widen(in[y1 * n + x0]), widen(in[y1 * n + x1]), fx / 256.0f);
        const float4 v = blend(above, below, fy / 256.0f);
        out[y * m + x] = make_uchar4((unsigned char)(v.x + 0.5f), (unsigned char)(v.y + 0.5f),
                                     (unsigned char)(v.z + 0.5f), (unsigned char)(v.w + 0.5f));
    }
}

// About the middle; what lies outside takes the edge's value.
static __host__ __device__ inline float turned(const float *in, int x, int y, int n, float cosine,
                                               float sine)
{
    const float middle = 0.5f * (n - 1), dx = x - middle, dy = y - middle;
    const float sx = fminf(fmaxf(middle + cosine * dx - sine * dy, 0.0f), n - 1.001f);
    const float sy = fminf(fmaxf(middle + sine * dx + cosine * dy, 0.0f), n - 1.001f);
    const int x0 = (int)sx, y0 = (int)sy;
    const float fx = sx - x0, fy = sy - y0;
    const float *p = in + y0 * n + x0;
    const float above = p[0] + fx * (p[1] - p[0]), below = p[n] + fx * (p[n + 1] - p[n]);
    return above + fy * (below - above);
}

__global__ void rotate(const float *__restrict__ in, float *__restrict__ out, int n, float cosine,
                       float sine)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = turned(in, x, y, n, cosine, sine);
}

// A block a row, 256 pixels after 256.
__global__ void __launch_bounds__(256)
    integral_rows(const unsigned char *__restrict__ in, unsigned *__restrict__ out, int n)
{
    __shared__ unsigned warps[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned before = 0;
    for (int first = 0; first < n; first += 256) {
        const int x = first + threadIdx.x;
        unsigned sum = x < n ? in[blockIdx.x * n + x] : 0;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const unsigned other = __shfl_up_sync(0xffffffffu, sum, step);
            if (lane >= step)
                sum += other;
        }
        if (lane == 31)
            warps[warp] = sum;
        __syncthreads();
        unsigned all = 0;
#pragma unroll
        for (int w = 0; w < 8; w++) {
            if (w == warp)
                sum += before + all;
            all += warps[w];
        }
        if (x < n)
            out[blockIdx.x * n + x] = sum;
        before += all;
        __syncthreads();
    }
}

__global__ void integral_columns(const unsigned *rows, unsigned *integral, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n)
        return;
    unsigned sum = 0;
    for (int y = 0; y < n; y++) {
        sum += rows[y * n + x];
        integral[y * n + x] = sum;
    }
}

static __host__ __device__ inline float box(const unsigned *integral, int x, int y, int n)
{
    const int x0 = x > RADIUS ? x - RADIUS - 1 : -1, y0 = y > RADIUS ? y - RADIUS - 1 : -1;
    const int x1 = x + RADIUS < n ? x + RADIUS : n - 1, y1 = y + RADIUS < n ? y + RADIUS : n - 1;
    unsigned sum = integral[y1 * n + x1];
    if (x0 >= 0)
        sum -= integral[y1 * n + x0];
    if (y0 >= 0)
        sum -= integral[y0 * n + x1];
    if (x0 >= 0 && y0 >= 0)
        sum += integral[y0 * n + x0];
    return (float)sum / ((x1 - x0) * (y1 - y0));
}

__global__ void box_means(const unsigned *__restrict__ integral, float *__restrict__ means, int n)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * n; i += stride)
        means[i] = box(integral, i % n, i / n, n);
}

int main(int argc, char **argv)
{
    const int n = std::max(8, argument(argc, argv, 1, 256)), rounds = argument(argc, argv, 2, 1),
              m = n * 3 / 4, step = (int)((n << 16) / m), cells = n * n;
    const float cosine = cosf(0.6f), sine = sinf(0.6f);
    const std::vector<float> grey = units(cells, 1);
    std::vector<unsigned char> three(3 * cells), four(4 * cells), three_small(3 * m * m),
        four_small(4 * m * m);
    std::vector<unsigned> rows(cells), integral(cells);
    std::vector<float> rotated(cells), means(cells);
    for (int i = 0; i < 4 * cells; i++) {
        four[i] = hash32(i) & 255;
        if (i % 4 < 3)
            three[i / 4 * 3 + i % 4] = four[i];
    }
    for (int y = 0; y < m; y++)
        for (int x = 0; x < m; x++) {
            const int x0 = x * step >> 16, x1 = std::min(x0 + 1, n - 1), fx = x * step >> 8 & 255;
            const int y0 = y * step >> 16, y1 = std::min(y0 + 1, n - 1), fy = y * step >> 8 & 255;
            for (int c = 0; c < 4; c++) {
                const int sum = four[4 * (y0 * n + x0) + c] * (256 - fx) * (256 - fy) +
                                four[4 * (y0 * n + x1) + c] * fx * (256 - fy) +
                                four[4 * (y1 * n + x0) + c] * (256 - fx) * fy +
                                four[4 * (y1 * n + x1) + c] * fx * fy;
                four_small[4 * (y * m + x) + c] = (sum + 32768) >> 16;
                if (c < 3)
                    three_small[3 * (y * m + x) + c] = (sum + 32768) >> 16;
            }
        }
    // The first bytes are a grey image of their own.
    for (int i = 0; i < cells; i++) {
        rows[i] = (i % n ? rows[i - 1] : 0) + four[i];
        integral[i] = (i >= n ? integral[i - n] : 0) + rows[i];
        rotated[i] = turned(grey.data(), i % n, i / n, n, cosine, sine);
    }
    for (int i = 0; i < cells; i++)
        means[i] = box(integral.data(), i % n, i / n, n);
    const unsigned char *dthree = to_device(three), *dfour = to_device(four);
    const float *dgrey = to_device(grey);
    unsigned char *a = device_zeros<unsigned char>(three_small.size()),
                  *b = device_zeros<unsigned char>(four_small.size());
    float *c = device_zeros<float>(cells), *d = device_zeros<float>(cells);
    unsigned *drows = device_zeros<unsigned>(cells), *dintegral = device_zeros<unsigned>(cells);
    for (int round = 0; round < rounds; round++) {
        resize_bytes<<<dim3(ceil_div(m, 16), ceil_div(m, 16)), dim3(16, 16)>>>(dthree, a, n, m,
                                                                               step);
        resize_four<<<dim3(ceil_div(m, 32), ceil_div(m, 8)), dim3(32, 4)>>>(
            (const uchar4 *)dfour, (uchar4 *)b, n, m, step);
        rotate<<<dim3(ceil_div(n, 32), ceil_div(n, 8)), dim3(32, 8)>>>(dgrey, c, n, cosine, sine);
        integral_rows<<<n, 256>>>(dfour, drows, n);
        integral_columns<<<ceil_div(n, 64), 64>>>(drows, dintegral, n);
        box_means<<<std::min(ceil_div(cells, 256), 1056), 256>>>(dintegral, d, n);
    }
    expect("resize_bytes", a, three_small);
    expect("resize_four", b, four_small);
    expect("rotate", c, rotated, 2e-3);
    expect("integral_rows", drows, rows);
    expect("integral_columns", dintegral, integral);
    expect("box_means", d, means, 1e-6);
    return verdict();
}
