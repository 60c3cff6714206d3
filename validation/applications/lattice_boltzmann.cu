// One step of the lattice Boltzmann method with nine directions on a torus: densities of a cell together, densities of a
// direction together, and collision alone.
#include "common.h"

#define Q 9

__constant__ int step_x[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int step_y[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float share[Q] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                               1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};

__device__ void collide(float *f)
{
    float rho = 0.0f, ux = 0.0f, uy = 0.0f;
#pragma unroll
    for (int q = 0; q < Q; q++) {
        rho += f[q];
        ux += f[q] * step_x[q];
        uy += f[q] * step_y[q];
    }
    ux /= rho;
    uy /= rho;
    const float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int q = 0; q < Q; q++) {
        const float along = 3.0f * (step_x[q] * ux + step_y[q] * uy);
        f[q] -= 0.6f * (f[q] - share[q] * rho * (1.0f + along + 0.5f * along * along - square));
    }
}

// Density q of cell c at 9 c + q.
__global__ void stream_collide_cells(const float *from, float *to, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= n)
        return;
    float f[Q];
#pragma unroll
    for (int q = 0; q < Q; q++)
        f[q] = from[((y - step_y[q] + n) % n * n + (x - step_x[q] + n) % n) * Q + q];
    collide(f);
#pragma unroll
    for (int q = 0; q < Q; q++)
        to[(y * n + x) * Q + q] = f[q];
}

// Density q of cell c at q n n + c.
__global__ void stream_collide_directions(const float *__restrict__ from, float *__restrict__ to,
                                          int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= n)
        return;
    float f[Q];
#pragma unroll
    for (int q = 0; q < Q; q++)
        f[q] = from[q * n * n + (y - step_y[q] + n) % n * n + (x - step_x[q] + n) % n];
    collide(f);
#pragma unroll
    for (int q = 0; q < Q; q++)
        to[q * n * n + y * n + x] = f[q];
}

__global__ void collide_directions(float *cells, int count)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= count)
        return;
    float f[Q];
#pragma unroll
    for (int q = 0; q < Q; q++)
        f[q] = cells[q * count + c];
    collide(f);
#pragma unroll
    for (int q = 0; q < Q; q++)
        cells[q * count + c] = f[q];
}

static void collide_on_host(double *f)
{
    const int sx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, sy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    double rho = 0, ux = 0, uy = 0;
    for (int q = 0; q < Q; q++) {
        rho += f[q];
        ux += f[q] * sx[q];
        uy += f[q] * sy[q];
    }
    ux /= rho;
    uy /= rho;
    for (int q = 0; q < Q; q++) {
        const double w = q == 0  ? 4 / 9.
                         : q < 5 ? 1 / 9.
                                 : 1 / 36.,
                     along = 3 * (sx[q] * ux + sy[q] * uy);
        f[q] -=
            0.6 * (f[q] - w * rho * (1 + along + along * along / 2 - 1.5 * (ux * ux + uy * uy)));
    }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 128), rounds = argument(argc, argv, 2, 1), count = n * n;
    const int sx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, sy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const std::vector<float> planes = units((size_t)count * Q, 1);
    std::vector<float> cells(planes.size()), moved(planes.size()), moved_cells(planes.size()),
        still(planes.size());
    for (int c = 0; c < count; c++) {
        double streamed[Q], alone[Q];
        for (int q = 0; q < Q; q++) {
            const int from = (c / n - sy[q] + n) % n * n + (c % n - sx[q] + n) % n;
            cells[(size_t)c * Q + q] = planes[q * count + c];
            alone[q] = planes[q * count + c];
            streamed[q] = planes[q * count + from];
        }
        collide_on_host(streamed);
        collide_on_host(alone);
        for (int q = 0; q < Q; q++) {
            moved[q * count + c] = moved_cells[(size_t)c * Q + q] = (float)streamed[q];
            still[q * count + c] = (float)alone[q];
        }
    }
    float *dcells = to_device(cells), *dplanes = to_device(planes), *work = to_device(planes);
    float *a = device_zeros<float>(planes.size()), *b = device_zeros<float>(planes.size());
    const dim3 blocks(ceil_div(n, 128), n);
    for (int round = 0; round < rounds; round++) {
        stream_collide_cells<<<blocks, 128>>>(dcells, a, n);
        stream_collide_directions<<<blocks, 128>>>(dplanes, b, n);
        copy_array<<<ceil_div(count * Q, 256), 256>>>(work, dplanes, count * Q);
        collide_directions<<<ceil_div(count, 256), 256>>>(work, count);
    }
    expect("stream_collide_cells", a, moved_cells, 1e-4);
    expect("stream_collide_directions", b, moved, 1e-4);
    expect("collide_directions", work, still, 1e-4);
    return verdict();
}
