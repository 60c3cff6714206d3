// The parts of a multigrid cycle for Poisson's equation on a square of 32 SIZE + 1 points a side: red-black smoothing
// plainly and in a tile, the residual, its restriction by full weighting alone and fused, and bilinear prolongation.
#include "common.h"

#define WIDE 32
#define HIGH 16

// Points of one colour; the boundary stays as it is. b is the right side times the square of the mesh width.
__global__ void smooth_colour(float *u, const float *b, int n, int colour)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((y + 1 + colour) & 1);
    if (x >= n - 1 || y >= n - 1)
        return;
    int i = y * n + x;
    u[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + b[i]);
}

// Both colours in one launch: the tile has two more points on each side, and red is computed on one of them, too.
__global__ void __launch_bounds__(256)
    smooth_tile(const float *__restrict__ u, const float *__restrict__ b, float *__restrict__ out,
                int n)
{
    __shared__ float s[HIGH + 4][WIDE + 4];
    const int left = blockIdx.x * WIDE - 2, top = blockIdx.y * HIGH - 2;
    const int thread = threadIdx.y * 32 + threadIdx.x;
    for (int k = thread; k < (HIGH + 4) * (WIDE + 4); k += 256) {
        const int r = k / (WIDE + 4), c = k % (WIDE + 4), y = top + r, x = left + c;
        s[r][c] = x >= 0 && x < n && y >= 0 && y < n ? u[y * n + x] : 0.0f;
    }
    __syncthreads();
    for (int colour = 0; colour < 2; colour++) {
        const int edge = 1 + colour, wide = WIDE + 4 - 2 * edge, high = HIGH + 4 - 2 * edge;
        for (int k = thread; k < wide * high; k += 256) {
            const int r = edge + k / wide, c = edge + k % wide, y = top + r, x = left + c;
            if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && ((x + y + colour) & 1) == 0)
                s[r][c] = 0.25f * (s[r][c - 1] + s[r][c + 1] + s[r - 1][c] + s[r + 1][c] +
                                   b[y * n + x]);
        }
        __syncthreads();
    }
    for (int k = thread; k < WIDE * HIGH; k += 256) {
        const int r = k / WIDE, c = k % WIDE, y = top + 2 + r, x = left + 2 + c;
        if (x < n && y < n)
            out[y * n + x] = s[r + 2][c + 2];
    }
}

// A thread walks down a column, with the three values above one another in registers.
template <int ROWS>
__global__ void residual(const float *__restrict__ u, const float *__restrict__ b,
                         float *__restrict__ r, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, top = blockIdx.y * ROWS;
    if (x >= n)
        return;
    const bool inside = x > 0 && x < n - 1;
    float above = top > 0 ? u[(top - 1) * n + x] : 0.0f, here = u[top * n + x];
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const int y = top + k, i = y * n + x;
        if (y >= n)
            break;
        const float below = y < n - 1 ? u[i + n] : 0.0f;
        float value = 0.0f;
        if (inside && y > 0 && y < n - 1)
            value = b[i] + above + below + u[i - 1] + u[i + 1] - 4.0f * here;
        r[i] = value;
        above = here;
        here = below;
    }
}

// To each second point. The coarse right side is four times as much, the square of the mesh widths' ratio.
__global__ void restrict_full(const float *r, float *coarse, int n, int m)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= m || y >= m)
        return;
    float value = 0;
    if (x > 0 && x < m - 1 && y > 0 && y < m - 1) {
        const float *p = r + 2 * y * n + 2 * x;
        value = 0.25f * (4 * p[0] + 2 * (p[-1] + p[1] + p[-n] + p[n]) + p[-n - 1] + p[-n + 1] +
                         p[n - 1] + p[n + 1]);
    }
    coarse[y * m + x] = value;
}

// The same from u and b, without the residual in memory: a tile of it is computed into shared memory.
__global__ void __launch_bounds__(256)
    residual_restrict(const float *__restrict__ u, const float *__restrict__ b,
                      float *__restrict__ coarse, int n, int m)
{
    __shared__ float s[2 * HIGH + 1][2 * 16 + 1];
    const int left = blockIdx.x * 32 - 1, top = blockIdx.y * 2 * HIGH - 1;
    for (int k = threadIdx.y * 16 + threadIdx.x; k < (2 * HIGH + 1) * 33; k += 256) {
        const int y = top + k / 33, x = left + k % 33, i = y * n + x;
        float value = 0.0f;
        if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
            value = b[i] + u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - 4.0f * u[i];
        s[k / 33][k % 33] = value;
    }
    __syncthreads();
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * HIGH + threadIdx.y;
    if (x >= m || y >= m)
        return;
    const int c = 2 * threadIdx.x + 1, r = 2 * threadIdx.y + 1;
    float value = 0.0f;
    if (x > 0 && x < m - 1 && y > 0 && y < m - 1)
        value = s[r][c] + 0.5f * (s[r][c - 1] + s[r][c + 1] + s[r - 1][c] + s[r + 1][c]) +
                0.25f * (s[r - 1][c - 1] + s[r - 1][c + 1] + s[r + 1][c - 1] + s[r + 1][c + 1]);
    coarse[y * m + x] = value;
}

// A thread the four fine points right of and below a coarse one, where they are inside.
__global__ void prolong_add(const float *__restrict__ coarse, float *__restrict__ u, int n, int m)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= m - 1 || y >= m - 1)
        return;
    const float a = coarse[y * m + x], b = coarse[y * m + x + 1], c = coarse[(y + 1) * m + x],
                d = coarse[(y + 1) * m + x + 1];
    float *p = u + 2 * y * n + 2 * x;
    if (x > 0 && y > 0)
        p[0] += a;
    if (y > 0)
        p[1] += 0.5f * (a + b);
    if (x > 0)
        p[n] += 0.5f * (a + c);
    p[n + 1] += 0.25f * (a + b + c + d);
}

int main(int argc, char **argv)
{
    const int m = argument(argc, argv, 1, 4) * 16 + 1, n = 2 * m - 1, all = n * n,
              rounds = argument(argc, argv, 2, 1);
    const std::vector<float> start = units(all, 3), right = units(all, 4),
                             correction = units(m * m, 5);
    std::vector<float> smooth = start, rest(all), coarse(m * m), corrected = start;
    for (int colour = 0; colour < 2; colour++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                const int i = y * n + x;
                if ((x + y + colour) % 2 == 0)
                    smooth[i] = 0.25f * (smooth[i - 1] + smooth[i + 1] + smooth[i - n] +
                                         smooth[i + n] + right[i]);
            }
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            const int i = y * n + x;
            rest[i] = right[i] + smooth[i - 1] + smooth[i + 1] + smooth[i - n] + smooth[i + n] -
                      4 * smooth[i];
            float sum = 0;
            for (int k = 0; k < 4; k++)
                sum += correction[(y + k / 2) / 2 * m + (x + k % 2) / 2];
            corrected[i] += sum / 4;
        }
    for (int y = 1; y < m - 1; y++)
        for (int x = 1; x < m - 1; x++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    coarse[y * m + x] += rest[(2 * y + dy) * n + 2 * x + dx] * (2 - abs(dx)) *
                                         (2 - abs(dy)) / 4;
    const float *from = to_device(start), *b = to_device(right), *e = to_device(correction);
    float *u = to_device(start), *v = device_zeros<float>(all), *r = device_zeros<float>(all),
          *w = to_device(start), *f = device_zeros<float>(m * m), *g = device_zeros<float>(m * m);
    const dim3 block(32, 8), half(ceil_div(n / 2, 32), ceil_div(n - 2, 8)),
        tiles(ceil_div(n, WIDE), ceil_div(n, HIGH)), columns(ceil_div(n, 128), ceil_div(n, 8)),
        coarser(ceil_div(m, 32), ceil_div(m, 8)), fused(ceil_div(m, 16), ceil_div(m, HIGH));
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(all, 256), 256>>>(u, from, all);
        copy_array<<<ceil_div(all, 256), 256>>>(w, from, all);
        smooth_colour<<<half, block>>>(u, b, n, 0);
        smooth_colour<<<half, block>>>(u, b, n, 1);
        smooth_tile<<<tiles, block>>>(from, b, v, n);
        residual<8><<<columns, 128>>>(u, b, r, n);
        restrict_full<<<coarser, block>>>(r, f, n, m);
        residual_restrict<<<fused, dim3(16, HIGH)>>>(v, b, g, n, m);
        prolong_add<<<coarser, block>>>(e, w, n, m);
    }
    expect("smooth_colour", u, smooth, 1e-5);
    expect("smooth_tile", v, smooth, 1e-5);
    expect("residual", r, rest, 1e-5);
    expect("restrict_full", f, coarse, 1e-5);
    expect("residual_restrict", g, coarse, 1e-5);
    expect("prolong_add", w, corrected, 1e-5);
    return verdict();
}
