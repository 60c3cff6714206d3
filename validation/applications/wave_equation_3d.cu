// A step of the acoustic wave equation in three dimensions, of 8th order in space, as in seismic codes: plain, by
// float4, a column of planes in registers, in registers and shared memory, by boxes; a source and receivers.
#include "common.h"

#define RADIUS 4
#define SLAB 16

// The second derivative's weights for a spacing of 1.
__device__ constexpr float weights[RADIUS + 1] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315,
                                                  -1.0f / 560};

// The grid without the RADIUS cells around it, and the distance of neighbours in y and z.
struct Grid {
    int nx, ny, nz, row, plane;

    __host__ __device__ int at(int x, int y, int z) const
    {
        return (z + RADIUS) * plane + (y + RADIUS) * row + x + RADIUS;
    }
};

// A thread a point; all 25 values come from global memory.
__global__ void wave_plain(const float *now, const float *before, const float *speed, float *next,
                           Grid grid)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= grid.nx || y >= grid.ny || z >= grid.nz)
        return;
    int i = grid.at(x, y, z);
    float sum = 3 * weights[0] * now[i];
    for (int k = 1; k <= RADIUS; k++)
        sum +=
            weights[k] * (now[i - k] + now[i + k] + now[i - k * grid.row] + now[i + k * grid.row] +
                          now[i - k * grid.plane] + now[i + k * grid.plane]);
    next[i] = 2 * now[i] - before[i] + speed[i] * sum;
}

__device__ inline void add(float4 &sum, float weight, float4 a, float4 b)
{
    sum.x += weight * (a.x + b.x);
    sum.y += weight * (a.y + b.y);
    sum.z += weight * (a.z + b.z);
    sum.w += weight * (a.w + b.w);
}

// Four points a thread, all arrays as float4 (rows and RADIUS are multiples of 4).
__global__ void __launch_bounds__(128)
    wave_vector(const float4 *__restrict__ now, const float4 *__restrict__ before,
                const float4 *__restrict__ speed, float4 *__restrict__ next, Grid grid)
{
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= grid.nx || y >= grid.ny)
        return;
    const int i = grid.at(x, y, z) / 4, row = grid.row / 4, plane = grid.plane / 4;
    const float4 left = now[i - 1], mid = now[i], right = now[i + 1], old = before[i],
                 factor = speed[i];
    const float line[12] = {left.x, left.y, left.z,  left.w,  mid.x,   mid.y,
                            mid.z,  mid.w,  right.x, right.y, right.z, right.w};
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    add(sum, 1.5f * weights[0], mid, mid);
#pragma unroll
    for (int k = 1; k <= RADIUS; k++) {
        add(sum, weights[k], now[i - k * row], now[i + k * row]);
        add(sum, weights[k], now[i - k * plane], now[i + k * plane]);
        add(sum, weights[k], make_float4(line[4 - k], line[5 - k], line[6 - k], line[7 - k]),
            make_float4(line[4 + k], line[5 + k], line[6 + k], line[7 + k]));
    }
    next[i] = make_float4(
        2.0f * mid.x - old.x + factor.x * sum.x, 2.0f * mid.y - old.y + factor.y * sum.y,
        2.0f * mid.z - old.z + factor.z * sum.z, 2.0f * mid.w - old.w + factor.w * sum.w);
}

// A thread goes up through SLAB planes and keeps its column in registers; the field of the step before is replaced.
__global__ void wave_column(const float *__restrict__ now, float *__restrict__ field,
                            const float *__restrict__ speed, Grid grid)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= grid.nx || y >= grid.ny)
        return;
    const int z0 = blockIdx.z * SLAB, z1 = min(z0 + SLAB, grid.nz);
    int i = grid.at(x, y, z0);
    float column[2 * RADIUS + 1];
#pragma unroll
    for (int k = 0; k < 2 * RADIUS; k++)
        column[k + 1] = now[i + (k - RADIUS) * grid.plane];
    for (int z = z0; z < z1; z++, i += grid.plane) {
#pragma unroll
        for (int k = 0; k < 2 * RADIUS; k++)
            column[k] = column[k + 1];
        column[2 * RADIUS] = now[i + RADIUS * grid.plane];
        float sum = 3.0f * weights[0] * column[RADIUS];
#pragma unroll
        for (int k = 1; k <= RADIUS; k++) {
            sum += weights[k] * (column[RADIUS - k] + column[RADIUS + k]);
            sum += weights[k] * (now[i - k] + now[i + k]);
            sum += weights[k] * (now[i - k * grid.row] + now[i + k * grid.row]);
        }
        field[i] = 2.0f * column[RADIUS] - field[i] + speed[i] * sum;
    }
}

// The same with the middle plane of the block and its halo in shared memory.
template <int BX, int BY>
__global__ void __launch_bounds__(BX *BY)
    wave_planes(const float *__restrict__ now, const float *__restrict__ before,
                const float *__restrict__ speed, float *__restrict__ next, Grid grid)
{
    __shared__ float tile[BY + 2 * RADIUS][BX + 2 * RADIUS];
    const int tx = threadIdx.x + RADIUS, ty = threadIdx.y + RADIUS;
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    const int z0 = blockIdx.z * SLAB, z1 = min(z0 + SLAB, grid.nz);
    // Threads that are beyond the grid but in its halo load for those that are in it.
    const bool inside = x < grid.nx && y < grid.ny;
    const bool loads_x = x < grid.nx + RADIUS, loads_y = y < grid.ny + RADIUS;
    const bool right = x + BX < grid.nx + RADIUS, below = y + BY < grid.ny + RADIUS;
    int i = grid.at(x, y, z0);
    float column[2 * RADIUS + 1] = {};
    if (loads_x && loads_y) {
#pragma unroll
        for (int k = 0; k < 2 * RADIUS; k++)
            column[k + 1] = now[i + (k - RADIUS) * grid.plane];
    }
    for (int z = z0; z < z1; z++, i += grid.plane) {
#pragma unroll
        for (int k = 0; k < 2 * RADIUS; k++)
            column[k] = column[k + 1];
        if (loads_x && loads_y)
            column[2 * RADIUS] = now[i + RADIUS * grid.plane];
        tile[ty][tx] = column[RADIUS];
        if (threadIdx.y < RADIUS && loads_x) {
            tile[ty - RADIUS][tx] = now[i - RADIUS * grid.row];
            if (below)
                tile[ty + BY][tx] = now[i + BY * grid.row];
        }
        if (threadIdx.x < RADIUS && loads_y) {
            tile[ty][tx - RADIUS] = now[i - RADIUS];
            if (right)
                tile[ty][tx + BX] = now[i + BX];
        }
        __syncthreads();
        if (inside) {
            float sum = 3.0f * weights[0] * column[RADIUS];
#pragma unroll
            for (int k = 1; k <= RADIUS; k++)
                sum += weights[k] * (column[RADIUS - k] + column[RADIUS + k] + tile[ty][tx - k] +
                                     tile[ty][tx + k] + tile[ty - k][tx] + tile[ty + k][tx]);
            next[i] = 2.0f * column[RADIUS] - before[i] + speed[i] * sum;
        }
        __syncthreads();
    }
}

// A block a cube of 8 points a side, in shared memory with all that is around it.
__global__ void wave_box(const float *now, const float *before, const float *speed, float *next,
                         Grid grid)
{
    __shared__ float box[16][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    int x0 = blockIdx.x * 8 - RADIUS, y0 = blockIdx.y * 8 - RADIUS, z0 = blockIdx.z * 8 - RADIUS;
    for (int cz = tz; cz < 16; cz += 8)
        for (int cy = ty; cy < 16; cy += 8)
            for (int cx = tx; cx < 16; cx += 8)
                if (x0 + cx < grid.nx + RADIUS && y0 + cy < grid.ny + RADIUS &&
                    z0 + cz < grid.nz + RADIUS)
                    box[cz][cy][cx] = now[grid.at(x0 + cx, y0 + cy, z0 + cz)];
    __syncthreads();
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty, z = blockIdx.z * 8 + tz;
    if (x >= grid.nx || y >= grid.ny || z >= grid.nz)
        return;
    tx += RADIUS, ty += RADIUS, tz += RADIUS;
    float sum = 3 * weights[0] * box[tz][ty][tx];
    for (int k = 1; k <= RADIUS; k++)
        sum += weights[k] * (box[tz][ty][tx - k] + box[tz][ty][tx + k] + box[tz][ty - k][tx] +
                             box[tz][ty + k][tx] + box[tz - k][ty][tx] + box[tz + k][ty][tx]);
    int i = grid.at(x, y, z);
    next[i] = 2 * box[tz][ty][tx] - before[i] + speed[i] * sum;
}

// Adds the wavelet's value at the source, then takes what lies under the receivers, a line of them in x.
__global__ void source_and_receivers(float *field, float *traces, float wavelet, Grid grid)
{
    const int source = grid.at(grid.nx / 2, grid.ny / 2, grid.nz / 2);
    if (threadIdx.x == 0)
        field[source] += wavelet;
    __syncthreads();
    for (int x = threadIdx.x; x < grid.nx; x += blockDim.x)
        traces[x] = field[grid.at(x, grid.ny / 2, grid.nz / 2)];
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 24), rounds = argument(argc, argv, 2, 1);
    Grid grid = {ceil_div(n, 4) * 4, n, n, 0, 0};
    grid.row = grid.nx + 2 * RADIUS;
    grid.plane = grid.row * (n + 2 * RADIUS);
    const int cells = grid.plane * (n + 2 * RADIUS);
    const std::vector<float> now = units(cells, 1), before = units(cells, 2);
    std::vector<float> speed = units(cells, 3), want(cells), want_column = before, want_traces;
    const double w[RADIUS + 1] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    for (float &v : speed)
        v = 0.02f + 0.1f * v; // (velocity * time step / spacing) squared
    for (int z = 0; z < n; z++) {
        for (int y = 0; y < n; y++) {
            for (int x = 0; x < grid.nx; x++) {
                const int i = grid.at(x, y, z);
                double sum = 0;
                for (int k = -RADIUS; k <= RADIUS; k++)
                    sum += w[abs(k)] * ((double)now[grid.at(x + k, y, z)] +
                                        now[grid.at(x, y + k, z)] + now[grid.at(x, y, z + k)]);
                want[i] = want_column[i] = (float)(2.0 * now[i] - before[i] + speed[i] * sum);
            }
        }
    }
    for (int x = 0; x < grid.nx; x++)
        want_traces.push_back(want[grid.at(x, n / 2, n / 2)] + (x == grid.nx / 2 ? 0.75f : 0.0f));
    const float *dnow = to_device(now), *dbefore = to_device(before), *dspeed = to_device(speed);
    float *out[5], *traces = device_zeros<float>(grid.nx);
    for (int k = 0; k < 5; k++)
        out[k] = device_zeros<float>(cells);
    const int slabs = ceil_div(n, SLAB), eighths = ceil_div(n, 8);
    const dim3 wide(ceil_div(grid.nx, 32), ceil_div(n, 4), n), block(32, 4),
        columns(ceil_div(grid.nx, 32), eighths, slabs);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(cells, 256), 256>>>(out[2], dbefore, cells);
        wave_plain<<<wide, block>>>(dnow, dbefore, dspeed, out[0], grid);
        wave_vector<<<dim3(ceil_div(grid.nx, 32), ceil_div(n, 16), n), dim3(8, 16)>>>(
            (const float4 *)dnow, (const float4 *)dbefore, (const float4 *)dspeed, (float4 *)out[1],
            grid);
        wave_column<<<columns, dim3(32, 8)>>>(dnow, out[2], dspeed, grid);
        wave_planes<32, 8><<<columns, dim3(32, 8)>>>(dnow, dbefore, dspeed, out[3], grid);
        wave_box<<<dim3(ceil_div(grid.nx, 8), eighths, eighths), dim3(8, 8, 8)>>>(
            dnow, dbefore, dspeed, out[4], grid);
        source_and_receivers<<<1, 128>>>(out[4], traces, 0.75f, grid);
    }
    expect("wave_plain", out[0], want, 1e-5);
    expect("wave_vector", out[1], want, 1e-5);
    expect("wave_column", out[2], want_column, 1e-5);
    expect("wave_planes", out[3], want, 1e-5);
    want[grid.at(grid.nx / 2, n / 2, n / 2)] += 0.75f;
    expect("wave_box", out[4], want, 1e-5);
    expect("source_and_receivers", traces, want_traces, 1e-5);
    return verdict();
}
