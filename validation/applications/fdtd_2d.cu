// Maxwell's equations on Yee's grid in two dimensions (Ez, Hx, Hy): plain kernels for H and E, H by threads that
// march over rows, E from shared tiles, and a whole time step in one kernel on tiles with a halo.
#include "common.h"

#define STEPS 2
#define ROWS 8
#define TX 32
#define TY 8
#define COURANT 0.5f

// Place (y, x) of hx lies between ez (y, x) and (y + 1, x), that of hy between ez (y, x) and (y, x + 1).
__global__ void magnetic(float *hx, float *hy, const float *ez, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int i = y * n + x;
    if (y < n - 1)
        hx[i] -= COURANT * (ez[i + n] - ez[i]);
    if (x < n - 1)
        hy[i] += COURANT * (ez[i + 1] - ez[i]);
}

__global__ void electric(float *ez, const float *hx, const float *hy, const float *material, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1)
        return;
    int i = y * n + x;
    ez[i] += material[i] * (hy[i] - hy[i - 1] - hx[i] + hx[i - n]);
}

// A thread a column of ROWS rows; the row below becomes the next row's own.
__global__ void magnetic_march(float *__restrict__ hx, float *__restrict__ hy,
                               const float *__restrict__ ez, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * ROWS;
    if (x >= n)
        return;
    float here = ez[first * n + x];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int y = first + r, i = y * n + x;
        const float below = y < n - 1 ? ez[i + n] : 0.0f;
        if (y < n - 1)
            hx[i] -= COURANT * (below - here);
        if (x < n - 1)
            hy[i] += COURANT * (ez[i + 1] - here);
        here = below;
    }
}

__global__ void electric_tile(float *ez, const float *__restrict__ hx, const float *__restrict__ hy,
                              const float *__restrict__ material, int n)
{
    __shared__ float sx[TY + 1][TX], sy[TY][TX + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty, i = y * n + x;
    sx[ty + 1][tx] = hx[i];
    sy[ty][tx + 1] = hy[i];
    if (ty == 0 && y > 0)
        sx[0][tx] = hx[i - n];
    if (tx == 0 && x > 0)
        sy[ty][0] = hy[i - 1];
    __syncthreads();
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        ez[i] += material[i] * (sy[ty][tx + 1] - sy[ty][tx] - sx[ty + 1][tx] + sx[ty][tx]);
}

// H of the tile, of the row above it and of the column to its left is computed in shared memory.
__global__ void step_fused(const float *__restrict__ ez, const float *__restrict__ hx,
                           const float *__restrict__ hy, const float *__restrict__ material,
                           float *__restrict__ ez_out, float *__restrict__ hx_out,
                           float *__restrict__ hy_out, int n)
{
    __shared__ float e[TY + 2][TX + 2], sx[TY + 1][TX + 1], sy[TY + 1][TX + 1];
    const int x0 = blockIdx.x * TX - 1, y0 = blockIdx.y * TY - 1,
              t = threadIdx.y * TX + threadIdx.x;
    for (int k = t; k < (TY + 2) * (TX + 2); k += TX * TY) {
        const int ly = k / (TX + 2), lx = k % (TX + 2), y = y0 + ly, x = x0 + lx;
        e[ly][lx] = x >= 0 && y >= 0 && x < n && y < n ? ez[y * n + x] : 0.0f;
    }
    __syncthreads();
    for (int k = t; k < (TY + 1) * (TX + 1); k += TX * TY) {
        const int ly = k / (TX + 1), lx = k % (TX + 1), y = y0 + ly, x = x0 + lx;
        if (x < 0 || y < 0)
            continue;
        float vx = hx[y * n + x], vy = hy[y * n + x];
        if (y < n - 1)
            vx -= COURANT * (e[ly + 1][lx] - e[ly][lx]);
        if (x < n - 1)
            vy += COURANT * (e[ly][lx + 1] - e[ly][lx]);
        sx[ly][lx] = vx;
        sy[ly][lx] = vy;
    }
    __syncthreads();
    const int lx = threadIdx.x + 1, ly = threadIdx.y + 1, x = x0 + lx, y = y0 + ly, i = y * n + x;
    float v = e[ly][lx];
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        v += material[i] * (sy[ly][lx] - sy[ly][lx - 1] - sx[ly][lx] + sx[ly - 1][lx]);
    ez_out[i] = v;
    hx_out[i] = sx[ly][lx];
    hy_out[i] = sy[ly][lx];
}

int main(int argc, char **argv)
{
    const int n = ceil_div(argument(argc, argv, 1, 128), 32) * 32,
              rounds = argument(argc, argv, 2, 1), cells = n * n;
    // Ez, Hx and Hy one after the other.
    const std::vector<float> start = units(3 * (size_t)cells, 1), material = units(cells, 2);
    std::vector<float> want = start;
    float *e = want.data(), *hx = e + cells, *hy = hx + cells;
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < cells; i++) {
            if (i / n < n - 1)
                hx[i] -= COURANT * (e[i + n] - e[i]);
            if (i % n < n - 1)
                hy[i] += COURANT * (e[i + 1] - e[i]);
        }
        for (int y = 1; y < n - 1; y++)
            for (int i = y * n + 1; i < y * n + n - 1; i++)
                e[i] += material[i] * (hy[i] - hy[i - 1] - hx[i] + hx[i - n]);
    }
    const float *from = to_device(start), *m = to_device(material);
    float *plain = to_device(start), *tiled = to_device(start), *fused[2];
    fused[0] = device_zeros<float>(3 * (size_t)cells);
    fused[1] = device_zeros<float>(3 * (size_t)cells);
    const dim3 block(TX, TY), grid(n / TX, n / TY), wide(64, 4), wide_grid(ceil_div(n, 64), n / 4);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(3 * cells, 256), 256>>>(plain, from, 3 * cells);
        copy_array<<<ceil_div(3 * cells, 256), 256>>>(tiled, from, 3 * cells);
        for (int step = 0; step < STEPS; step++) {
            magnetic<<<wide_grid, wide>>>(plain + cells, plain + 2 * cells, plain, n);
            electric<<<wide_grid, wide>>>(plain, plain + cells, plain + 2 * cells, m, n);
            magnetic_march<<<dim3(ceil_div(n, 128), n / ROWS), 128>>>(tiled + cells,
                                                                      tiled + 2 * cells, tiled, n);
            electric_tile<<<grid, block>>>(tiled, tiled + cells, tiled + 2 * cells, m, n);
            const float *in = step ? fused[(step - 1) % 2] : from;
            float *out = fused[step % 2];
            step_fused<<<grid, block>>>(in, in + cells, in + 2 * cells, m, out, out + cells,
                                        out + 2 * cells, n);
        }
    }
    expect("plain", plain, want, 1e-5);
    expect("tiled", tiled, want, 1e-5);
    expect("fused", fused[(STEPS - 1) % 2], want, 1e-5);
    return verdict();
}
