// Optical flow between two grey images after Lucas and Kanade, windows of 9 x 9: gradients into arrays and
// windows summed plainly, all in one kernel with tiles, sums along rows and then along columns as they move,
// and a pyramid's next level; iterations at chosen points with a warp a point.
#include "common.h"

#define RADIUS 4
#define SIDE (2 * RADIUS + 1)
#define FLOOR 1000.0f // on the diagonal, so that every window has a solution
#define ITERATIONS 4

typedef unsigned char byte;

// Sums over a window: gradients squared, their product, and both by the difference in time.
struct Sums {
    float xx, xy, yy, xt, yt;

    __host__ __device__ void add(float ix, float iy, float it)
    {
        xx += ix * ix;
        xy += ix * iy;
        yy += iy * iy;
        xt += ix * it;
        yt += iy * it;
    }
};

// Gradients here are of two pixels' distance.
__host__ __device__ inline float2 solve(Sums s)
{
    const float a = s.xx + FLOOR, b = s.xy, c = s.yy + FLOOR, scale = -2.0f / (a * c - b * b);
    return make_float2((c * s.xt - b * s.yt) * scale, (a * s.yt - b * s.xt) * scale);
}

__host__ __device__ inline int clamp(int x, int end)
{
    return x < 0 ? 0 : x < end ? x : end - 1;
}

__global__ void gradients(const byte *first, const byte *second, float *ix, float *iy, float *it, int width,
                          int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int i = y * width + x;
    ix[i] = (float)first[y * width + clamp(x + 1, width)] - first[y * width + clamp(x - 1, width)];
    iy[i] = (float)first[clamp(y + 1, height) * width + x] - first[clamp(y - 1, height) * width + x];
    it[i] = (float)second[i] - first[i];
}

// Windows end at the image's edges.
__global__ void flow_plain(const float *ix, const float *iy, const float *it, float2 *flow, int width,
                           int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    Sums sums = {};
    for (int v = max(y - RADIUS, 0); v <= min(y + RADIUS, height - 1); v++)
        for (int u = max(x - RADIUS, 0); u <= min(x + RADIUS, width - 1); u++)
            sums.add(ix[v * width + u], iy[v * width + u], it[v * width + u]);
    flow[y * width + x] = solve(sums);
}

// 32 x 16 pixels a block of 32 x 8: gradients as shorts in shared memory, and from there row sums of each
// product.
__global__ void __launch_bounds__(256)
    flow_tiled(const byte *__restrict__ first, const byte *__restrict__ second, float2 *__restrict__ flow,
               int width, int height)
{
    constexpr int COLUMNS = 32 + 2 * RADIUS, ROWS = 16 + 2 * RADIUS;
    __shared__ short4 tile[ROWS][COLUMNS];
    __shared__ float sums[5][ROWS][32];
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 16;
    for (int k = ty * 32 + tx; k < ROWS * COLUMNS; k += 256) {
        const int x = x0 + k % COLUMNS - RADIUS, y = y0 + k / COLUMNS - RADIUS, i = y * width + x;
        short4 g = make_short4(0, 0, 0, 0);
        if (x >= 0 && x < width && y >= 0 && y < height) {
            g.x = (short)(first[x < width - 1 ? i + 1 : i] - first[x > 0 ? i - 1 : i]);
            g.y = (short)(first[y < height - 1 ? i + width : i] - first[y > 0 ? i - width : i]);
            g.z = (short)(second[i] - first[i]);
        }
        tile[k / COLUMNS][k % COLUMNS] = g;
    }
    __syncthreads();
    for (int r = ty; r < ROWS; r += 8) {
        int xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
#pragma unroll
        for (int k = 0; k < SIDE; k++) {
            const short4 g = tile[r][tx + k];
            xx += g.x * g.x;
            xy += g.x * g.y;
            yy += g.y * g.y;
            xt += g.x * g.z;
            yt += g.y * g.z;
        }
        sums[0][r][tx] = (float)xx;
        sums[1][r][tx] = (float)xy;
        sums[2][r][tx] = (float)yy;
        sums[3][r][tx] = (float)xt;
        sums[4][r][tx] = (float)yt;
    }
    __syncthreads();
#pragma unroll
    for (int r = ty; r < 16; r += 8) {
        float total[5] = {};
#pragma unroll
        for (int k = 0; k < SIDE; k++)
#pragma unroll
            for (int p = 0; p < 5; p++)
                total[p] += sums[p][r + k][tx];
        if (x0 + tx < width && y0 + r < height)
            flow[(y0 + r) * width + x0 + tx] = solve({total[0], total[1], total[2], total[3], total[4]});
    }
}

// Four neighbours a thread: the first window in full, the others from it. Five planes of sums; float4 in and
// out.
__global__ void sum_rows(const float4 *__restrict__ ix, const float4 *__restrict__ iy,
                         const float4 *__restrict__ it, float4 *__restrict__ planes, int fours, int height)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (q >= fours || y >= height)
        return;
    float gx[12], gy[12], gt[12];
    const float4 none = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
    for (int k = 0; k < 3; k++) {
        const int at = q + k - 1;
        const bool inside = at >= 0 && at < fours;
        *(float4 *)&gx[4 * k] = inside ? ix[y * fours + at] : none;
        *(float4 *)&gy[4 * k] = inside ? iy[y * fours + at] : none;
        *(float4 *)&gt[4 * k] = inside ? it[y * fours + at] : none;
    }
    auto window = [=](const float *a, const float *b) {
        float sum[4] = {};
#pragma unroll
        for (int k = 0; k < SIDE; k++)
            sum[0] += a[k] * b[k];
#pragma unroll
        for (int k = 1; k < 4; k++)
            sum[k] = sum[k - 1] + a[k + SIDE - 1] * b[k + SIDE - 1] - a[k - 1] * b[k - 1];
        return make_float4(sum[0], sum[1], sum[2], sum[3]);
    };
    const int i = y * fours + q, plane = fours * height;
    planes[i] = window(gx, gx);
    planes[plane + i] = window(gx, gy);
    planes[2 * plane + i] = window(gy, gy);
    planes[3 * plane + i] = window(gx, gt);
    planes[4 * plane + i] = window(gy, gt);
}

// A thread goes down ROWS pixels of a column: one row of sums enters, one leaves. All sums are exact.
template <int ROWS>
__global__ void solve_columns(const float *__restrict__ planes, float2 *__restrict__ flow, int width,
                              int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y0 = blockIdx.y * ROWS, plane = width * height;
    if (x >= width)
        return;
    float total[5] = {};
    for (int y = max(y0 - RADIUS, 0); y < min(y0 + RADIUS, height); y++)
        for (int p = 0; p < 5; p++)
            total[p] += planes[p * plane + y * width + x];
    for (int y = y0; y < min(y0 + ROWS, height); y++) {
        const int enters = y + RADIUS, leaves = y - RADIUS - 1;
#pragma unroll
        for (int p = 0; p < 5; p++) {
            if (enters < height)
                total[p] += planes[p * plane + enters * width + x];
            if (leaves >= 0 && y > y0)
                total[p] -= planes[p * plane + leaves * width + x];
        }
        flow[y * width + x] = solve({total[0], total[1], total[2], total[3], total[4]});
    }
}

// Half of each side: the mean of 2 x 2, two of them a thread.
__global__ void halve(const uchar4 *__restrict__ image, uchar2 *__restrict__ out, int fours, int rows)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (q >= fours || y >= rows)
        return;
    const uchar4 a = image[2 * y * fours + q], b = image[(2 * y + 1) * fours + q];
    out[y * fours + q] = make_uchar2((a.x + a.y + b.x + b.y + 2) / 4, (a.z + a.w + b.z + b.w + 2) / 4);
}

__host__ __device__ inline float between(const byte *image, float x, float y, int width, int height)
{
    x = fminf(fmaxf(x, 0.0f), width - 1.001f);
    y = fminf(fmaxf(y, 0.0f), height - 1.001f);
    const int u = (int)x, v = (int)y;
    const float fx = x - u, fy = y - v;
    const byte *p = image + v * width + u;
    return (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * p[width] + fx * p[width + 1]);
}

// The window's 81 pixels are spread over the lanes, which keep theirs of the first image in registers.
__global__ void __launch_bounds__(128)
    track_points(const byte *__restrict__ first, const byte *__restrict__ second,
                 const int2 *__restrict__ points, float2 *__restrict__ moves, int count, int width,
                 int height)
{
    const int lane = threadIdx.x % 32, k = (blockIdx.x * 128 + threadIdx.x) / 32;
    if (k >= count)
        return;
    const int2 point = points[k];
    float ix[3], iy[3], value[3], sum[3] = {};
#pragma unroll
    for (int j = 0; j < 3; j++) {
        const int pixel = j * 32 + lane,
                  i = (point.y + pixel / SIDE - RADIUS) * width + point.x + pixel % SIDE - RADIUS;
        const bool used = pixel < SIDE * SIDE;
        ix[j] = used ? 0.5f * ((float)first[i + 1] - first[i - 1]) : 0.0f;
        iy[j] = used ? 0.5f * ((float)first[i + width] - first[i - width]) : 0.0f;
        value[j] = used ? first[i] : 0.0f;
        sum[0] += ix[j] * ix[j];
        sum[1] += ix[j] * iy[j];
        sum[2] += iy[j] * iy[j];
    }
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        for (int p = 0; p < 3; p++)
            sum[p] += __shfl_xor_sync(0xffffffffu, sum[p], mask);
    const float a = sum[0] + FLOOR / 4, b = sum[1], c = sum[2] + FLOOR / 4, scale = 1.0f / (a * c - b * b);
    float2 move = make_float2(0.0f, 0.0f);
    for (int step = 0; step < ITERATIONS; step++) {
        float xt = 0.0f, yt = 0.0f;
#pragma unroll
        for (int j = 0; j < 3; j++) {
            const int pixel = j * 32 + lane;
            if (pixel >= SIDE * SIDE)
                continue;
            const float there = between(second, point.x + pixel % SIDE - RADIUS + move.x,
                                        point.y + pixel / SIDE - RADIUS + move.y, width, height);
            xt += ix[j] * (value[j] - there);
            yt += iy[j] * (value[j] - there);
        }
#pragma unroll
        for (int mask = 16; mask > 0; mask >>= 1) {
            xt += __shfl_xor_sync(0xffffffffu, xt, mask);
            yt += __shfl_xor_sync(0xffffffffu, yt, mask);
        }
        move.x += (c * xt - b * yt) * scale;
        move.y += (a * yt - b * xt) * scale;
    }
    if (lane == 0)
        moves[k] = move;
}

int main(int argc, char **argv)
{
    const int width = 16 * ceil_div(std::max(argument(argc, argv, 1, 96), 32), 16),
              rounds = argument(argc, argv, 2, 1), height = width * 3 / 4, n = width * height;
    std::vector<byte> image[2], small(n / 4);
    std::vector<float> plain(2 * n), moves;
    std::vector<int2> points;
    // A smooth pattern of waves, and in the second image the same, moved by some 0.7 and 0.4 pixels, with
    // noise.
    for (int i = 0; i < 2 * n; i++) {
        const float x = i % width - (i >= n) * 0.7f, y = i % n / width - (i >= n) * 0.4f;
        const float v = 30 * sinf(0.31f * x + 0.07f * y) + 30 * sinf(0.23f * y - 0.11f * x) +
                        20 * sinf(0.02f * x * y / 9);
        image[i / n].push_back((byte)(110 + v + 4 * unit(i)));
    }
    const byte *a = image[0].data(), *b = image[1].data();
    std::vector<Sums> rows(n);
    for (int k = 0; k < n * SIDE; k++) {
        const int i = k / SIDE, y = i / width, x = i % width + k % SIDE - RADIUS, at = y * width + x;
        if (x >= 0 && x < width)
            rows[i].add((float)a[y * width + clamp(x + 1, width)] - a[y * width + clamp(x - 1, width)],
                        (float)a[clamp(y + 1, height) * width + x] - a[clamp(y - 1, height) * width + x],
                        (float)b[at] - a[at]);
    }
    for (int i = 0; i < n; i++) {
        Sums s = {};
        for (int y = std::max(i / width - RADIUS, 0); y <= std::min(i / width + RADIUS, height - 1); y++) {
            const Sums &row = rows[y * width + i % width];
            s = {s.xx + row.xx, s.xy + row.xy, s.yy + row.yy, s.xt + row.xt, s.yt + row.yt};
        }
        const float2 flow = solve(s);
        plain[2 * i] = flow.x;
        plain[2 * i + 1] = flow.y;
    }
    for (int i = 0; i < n / 4; i++) {
        const byte *p = a + i / (width / 2) * 2 * width + i % (width / 2) * 2;
        small[i] = (byte)((p[0] + p[1] + p[width] + p[width + 1] + 2) / 4);
    }
    // Points in a jittered grid of 8 x 8, away from edges.
    for (int y = 8; y < height - 16; y += 8)
        for (int x = 8; x < width - 16; x += 8)
            points.push_back(make_int2(x + hash32(y * width + x) % 8, y + hash32(y * width + x + 1) % 8));
    const int count = (int)points.size();
    for (const int2 p : points) {
        Sums s = {};
        float mx = 0, my = 0;
        for (int step = 0; step < ITERATIONS; step++) {
            s = {};
            for (int k = 0; k < SIDE * SIDE; k++) {
                const int x = p.x + k % SIDE - RADIUS, y = p.y + k / SIDE - RADIUS, i = y * width + x;
                s.add(0.5f * (a[i + 1] - a[i - 1]), 0.5f * (a[i + width] - a[i - width]),
                      a[i] - between(b, x + mx, y + my, width, height));
            }
            const float xx = s.xx + FLOOR / 4, yy = s.yy + FLOOR / 4, scale = 1 / (xx * yy - s.xy * s.xy);
            mx += (yy * s.xt - s.xy * s.yt) * scale;
            my += (xx * s.yt - s.xy * s.xt) * scale;
        }
        moves.insert(moves.end(), {mx, my});
    }
    const byte *first = to_device(image[0]), *second = to_device(image[1]);
    const int2 *dpoints = to_device(points);
    float *g[3], *flow[3], *planes = device_zeros<float>(5 * n), *dmoves = device_zeros<float>(2 * count);
    for (int k = 0; k < 3; k++) {
        g[k] = device_zeros<float>(n);
        flow[k] = device_zeros<float>(2 * n);
    }
    byte *half = device_zeros<byte>(n / 4);
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8)),
        fours(ceil_div(width, 128), grid.y);
    for (int round = 0; round < rounds; round++) {
        gradients<<<grid, block>>>(first, second, g[0], g[1], g[2], width, height);
        flow_plain<<<grid, block>>>(g[0], g[1], g[2], (float2 *)flow[0], width, height);
        flow_tiled<<<dim3(grid.x, ceil_div(height, 16)), block>>>(first, second, (float2 *)flow[1], width,
                                                                  height);
        sum_rows<<<fours, block>>>((const float4 *)g[0], (const float4 *)g[1], (const float4 *)g[2],
                                   (float4 *)planes, width / 4, height);
        solve_columns<24><<<dim3(ceil_div(width, 64), ceil_div(height, 24)), 64>>>(planes, (float2 *)flow[2],
                                                                                   width, height);
        halve<<<dim3(fours.x, ceil_div(height, 16)), block>>>((const uchar4 *)first, (uchar2 *)half,
                                                              width / 4, height / 2);
        track_points<<<ceil_div(count, 4), 128>>>(first, second, dpoints, (float2 *)dmoves, count, width,
                                                  height);
    }
    expect("flow_plain", flow[0], plain, 1e-3);
    expect("flow_tiled", flow[1], plain, 1e-3);
    expect("solve_columns", flow[2], plain, 1e-3);
    expect("halve", half, small);
    expect("track_points", dmoves, moves, 1e-3);
    return verdict();
}
