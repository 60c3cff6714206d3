// Smoothed particle hydrodynamics in the unit cube: particles sorted into cells as wide as the kernel's radius, their
// densities (a thread a particle, a warp a cell), pressure and viscous forces.
#include "common.h"

#define PI 3.14159265f
#define STIFFNESS 1.0f
#define VISCOSITY 0.1f
#define GRAVITY -9.8f

// Cells a side, all of particles, and the factors of the kernels for density and forces.
struct Fluid {
    int side, count;
    float radius, mass, density_factor, force_factor;
};

__device__ inline int3 cell_of(float4 p, int side)
{
    return make_int3(min((int)(p.x * side), side - 1), min((int)(p.y * side), side - 1),
                     min((int)(p.z * side), side - 1));
}

// How many particles are in each cell, and in which cell each particle is.
__global__ void count_cells(const float4 *positions, int *cells, int *counts, Fluid fluid)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fluid.count)
        return;
    int3 c = cell_of(positions[i], fluid.side);
    int cell = (c.z * fluid.side + c.y) * fluid.side + c.x;
    cells[i] = cell;
    atomicAdd(&counts[cell], 1);
}

// One block: where each cell starts. A thread sums up a piece of the counts, then the pieces are summed up.
__global__ void cell_starts(const int *counts, int *starts, int cells)
{
    __shared__ int sums[256];
    int t = threadIdx.x, piece = (cells + 255) / 256, sum = 0;
    int first = min(t * piece, cells), end = min(first + piece, cells);
    for (int k = first; k < end; k++)
        sum += counts[k];
    sums[t] = sum;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        int before = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    sum = sums[t] - sum;
    for (int k = first; k < end; k++) {
        starts[k] = sum;
        sum += counts[k];
    }
    if (t == 255)
        starts[cells] = sum;
}

// Puts each particle's number into its cell, in any order.
__global__ void place_particles(const int *__restrict__ cells, const int *__restrict__ starts,
                                int *filled, int *__restrict__ order, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        order[starts[cells[i]] + atomicAdd(&filled[cells[i]], 1)] = i;
}

// A thread a cell: sorts its few particles, so that all sums are the same in every run, and gathers their data.
__global__ void sort_cells(const int *__restrict__ starts, int *order,
                           const float4 *__restrict__ positions,
                           const float4 *__restrict__ velocities, float4 *__restrict__ sorted,
                           float4 *__restrict__ sorted_velocities, int cells)
{
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= cells)
        return;
    const int first = starts[cell], end = starts[cell + 1];
    for (int i = first + 1; i < end; i++) {
        const int moved = order[i];
        int j = i;
        for (; j > first && order[j - 1] > moved; j--)
            order[j] = order[j - 1];
        order[j] = moved;
    }
    for (int i = first; i < end; i++) {
        sorted[i] = positions[order[i]];
        sorted_velocities[i] = velocities[order[i]];
    }
}

// A thread a particle, in the order they came in: goes through the 27 cells around it by the particles' numbers.
__global__ void density_plain(const float4 *positions, const int *starts, const int *order,
                              float *densities, Fluid fluid)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fluid.count)
        return;
    float4 p = positions[i];
    int3 c = cell_of(p, fluid.side);
    float sum = 0, h2 = fluid.radius * fluid.radius;
    for (int z = max(c.z - 1, 0); z <= min(c.z + 1, fluid.side - 1); z++) {
        for (int y = max(c.y - 1, 0); y <= min(c.y + 1, fluid.side - 1); y++) {
            for (int x = max(c.x - 1, 0); x <= min(c.x + 1, fluid.side - 1); x++) {
                int cell = (z * fluid.side + y) * fluid.side + x;
                for (int k = starts[cell]; k < starts[cell + 1]; k++) {
                    float4 q = positions[order[k]];
                    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
                    float d = h2 - (dx * dx + dy * dy + dz * dz);
                    if (d > 0)
                        sum += d * d * d;
                }
            }
        }
    }
    densities[i] = fluid.density_factor * sum;
}

// A warp a cell: neighbours come 32 at once into shared memory, where each lane's particle meets them. Three cells that
// are next to each other in x are one range of the sorted particles.
template <int WARPS>
__global__ void __launch_bounds__(WARPS * 32)
    density_cells(const float4 *__restrict__ sorted, const int *__restrict__ starts,
                  float *__restrict__ densities, Fluid fluid)
{
    __shared__ float4 near[WARPS][32];
    const int lane = threadIdx.x, side = fluid.side, cell = blockIdx.x * WARPS + threadIdx.y;
    if (cell >= side * side * side)
        return;
    const int cx = cell % side, cy = cell / side % side, cz = cell / (side * side);
    const float h2 = fluid.radius * fluid.radius;
    const int end = starts[cell + 1];
    for (int first = starts[cell]; first < end; first += 32) {
        const float4 p = sorted[min(first + lane, end - 1)];
        float sum = 0.0f;
        for (int row = 0; row < 9; row++) {
            const int y = cy + row % 3 - 1, z = cz + row / 3 - 1;
            if (y < 0 || y >= side || z < 0 || z >= side)
                continue;
            const int from = starts[(z * side + y) * side + max(cx - 1, 0)],
                      to = starts[(z * side + y) * side + min(cx + 1, side - 1) + 1];
            for (int k = from; k < to; k += 32) {
                if (k + lane < to)
                    near[threadIdx.y][lane] = sorted[k + lane];
                __syncwarp();
                const int batch = min(32, to - k);
#pragma unroll 4
                for (int j = 0; j < batch; j++) {
                    const float4 q = near[threadIdx.y][j];
                    const float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
                    const float d = fmaxf(h2 - (dx * dx + dy * dy + dz * dz), 0.0f);
                    sum = fmaf(d * d, d, sum);
                }
                __syncwarp();
            }
        }
        if (first + lane < end)
            densities[first + lane] = fluid.density_factor * sum;
    }
}

// A thread a sorted particle: pressure and viscosity of its neighbours, and gravity.
__global__ void __launch_bounds__(128)
    forces(const float4 *__restrict__ sorted, const float4 *__restrict__ velocities,
           const float *__restrict__ densities, const int *__restrict__ starts,
           float4 *__restrict__ accelerations, Fluid fluid)
{
    const int i = blockIdx.x * 128 + threadIdx.x, side = fluid.side;
    if (i >= fluid.count)
        return;
    const float4 p = sorted[i], v = velocities[i];
    const float density = densities[i], h = fluid.radius;
    const int3 c = cell_of(p, side);
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int row = 0; row < 9; row++) {
        const int y = c.y + row % 3 - 1, z = c.z + row / 3 - 1;
        if (y < 0 || y >= side || z < 0 || z >= side)
            continue;
        const int end = starts[(z * side + y) * side + min(c.x + 1, side - 1) + 1];
        for (int k = starts[(z * side + y) * side + max(c.x - 1, 0)]; k < end; k++) {
            const float4 q = __ldg(&sorted[k]);
            const float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
            const float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= h * h || k == i)
                continue;
            const float inverse = rsqrtf(r2 + 1e-12f), gap = h - r2 * inverse;
            const float other = __ldg(&densities[k]);
            const float4 u = __ldg(&velocities[k]);
            const float push = STIFFNESS * (density + other - 2.0f) * 0.5f * gap * gap * inverse;
            const float drag = VISCOSITY * gap;
            ax += (push * dx + drag * (u.x - v.x)) / other;
            ay += (push * dy + drag * (u.y - v.y)) / other;
            az += (push * dz + drag * (u.z - v.z)) / other;
        }
    }
    const float factor = fluid.force_factor / density;
    accelerations[i] = make_float4(factor * ax, factor * ay, factor * az + GRAVITY, 0.0f);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 512), rounds = argument(argc, argv, 2, 1);
    Fluid fluid;
    fluid.side = std::max((int)cbrt(n / 8.0), 1);
    fluid.count = n;
    fluid.radius = 1.0f / fluid.side;
    fluid.mass = 1.0f / n;
    fluid.density_factor = fluid.mass * 315 / (64 * PI * powf(fluid.radius, 9));
    fluid.force_factor = fluid.mass * 45 / (PI * powf(fluid.radius, 6));
    const int side = fluid.side, cells = side * side * side;
    std::vector<float4> positions(n), velocities(n);
    std::vector<std::vector<int>> lists(cells);
    std::vector<int> want_cells(n), want_starts(1), want_order;
    for (int i = 0; i < n; i++) {
        positions[i] = make_float4(unit(6 * i), unit(6 * i + 1), unit(6 * i + 2), 0);
        velocities[i] = make_float4(unit(6 * i + 3), unit(6 * i + 4), unit(6 * i + 5), 0);
        const float4 p = positions[i];
        want_cells[i] = ((int)(p.z * side) * side + (int)(p.y * side)) * side + (int)(p.x * side);
        lists[want_cells[i]].push_back(i);
    }
    for (const std::vector<int> &list : lists) {
        want_order.insert(want_order.end(), list.begin(), list.end());
        want_starts.push_back((int)want_order.size());
    }
    // Of each particle the others that are near, and its density; then the forces in the order of the cells.
    std::vector<float> want_density(n), want_sorted, want_forces;
    std::vector<std::vector<int>> near(n);
    const double h = fluid.radius;
    const auto distance2 = [&](int i, int j) {
        const float4 p = positions[i], q = positions[j];
        return pow((double)p.x - q.x, 2) + pow((double)p.y - q.y, 2) + pow((double)p.z - q.z, 2);
    };
    for (int i = 0; i < n; i++) {
        double sum = pow(h, 6);
        for (int k = 0; k < 27; k++) {
            const int x = want_cells[i] % side + k % 3 - 1,
                      y = want_cells[i] / side % side + k / 3 % 3 - 1,
                      z = want_cells[i] / side / side + k / 9 - 1;
            if (std::min(std::min(x, y), z) < 0 || std::max(std::max(x, y), z) >= side)
                continue;
            for (int j : lists[(z * side + y) * side + x]) {
                if (j == i || distance2(i, j) >= h * h)
                    continue;
                near[i].push_back(j);
                sum += pow(h * h - distance2(i, j), 3);
            }
        }
        want_density[i] = (float)(sum * fluid.density_factor);
    }
    for (int i : want_order) {
        const float4 p = positions[i], v = velocities[i];
        double a[3] = {};
        for (int j : near[i]) {
            const float4 q = positions[j], u = velocities[j];
            const double r = sqrt(distance2(i, j) + 1e-12), drag = VISCOSITY * (h - r),
                         push = STIFFNESS * (want_density[i] + want_density[j] - 2) / 2 * (h - r) *
                                (h - r) / r;
            a[0] += (push * (p.x - q.x) + drag * (u.x - v.x)) / want_density[j];
            a[1] += (push * (p.y - q.y) + drag * (u.y - v.y)) / want_density[j];
            a[2] += (push * (p.z - q.z) + drag * (u.z - v.z)) / want_density[j];
        }
        for (int d = 0; d < 3; d++)
            want_forces.push_back((float)(a[d] * fluid.force_factor / want_density[i]));
        want_forces.back() += GRAVITY;
        want_forces.push_back(0);
        want_sorted.push_back(want_density[i]);
    }
    const float4 *dpositions = to_device(positions), *dvelocities = to_device(velocities);
    int *dcells = device_zeros<int>(n), *counts = device_zeros<int>(cells),
        *filled = device_zeros<int>(cells), *starts = device_zeros<int>(cells + 1),
        *order = device_zeros<int>(n);
    float4 *sorted = device_zeros<float4>(n), *sorted_velocities = device_zeros<float4>(n),
           *accelerations = device_zeros<float4>(n);
    float *densities[2] = {device_zeros<float>(n), device_zeros<float>(n)};
    const int blocks = ceil_div(n, 128), cell_blocks = ceil_div(cells, 128);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<cell_blocks, 128>>>(counts, 0, cells);
        fill_array<<<cell_blocks, 128>>>(filled, 0, cells);
        count_cells<<<blocks, 128>>>(dpositions, dcells, counts, fluid);
        cell_starts<<<1, 256>>>(counts, starts, cells);
        place_particles<<<blocks, 128>>>(dcells, starts, filled, order, n);
        sort_cells<<<cell_blocks, 128>>>(starts, order, dpositions, dvelocities, sorted,
                                         sorted_velocities, cells);
        density_plain<<<blocks, 128>>>(dpositions, starts, order, densities[0], fluid);
        density_cells<4><<<ceil_div(cells, 4), dim3(32, 4)>>>(sorted, starts, densities[1], fluid);
        forces<<<blocks, 128>>>(sorted, sorted_velocities, densities[1], starts, accelerations,
                                fluid);
    }
    expect("count_cells", dcells, want_cells);
    expect("cell_starts", starts, want_starts);
    expect("sort_cells", order, want_order);
    expect("density_plain", densities[0], want_density, 1e-4);
    expect("density_cells", densities[1], want_sorted, 1e-4);
    expect("forces", (const float *)accelerations, want_forces, 1e-3);
    return verdict();
}
