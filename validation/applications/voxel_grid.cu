// A cloud of points from a turning laser made coarser by voxels: its bounds; sums of each voxel by float
// atomics, and by whole numbers that warps add first; mean points; a hash table; first points of voxels.
#include "common.h"
#include <string.h>

#define EMPTY 0xffffffffu
#define FIXED 1024.0f

struct Grid {
    float3 origin;
    float size;
    int3 cells;
};

// Sums of a voxel's points from its corner on, in parts of FIXED a metre, and the lowest point that is in it.
struct Slot {
    int x, y, z, count;
    unsigned first;
};

__host__ __device__ inline int3 voxel_of(float x, float y, float z, const Grid &grid)
{
    return make_int3((int)((x - grid.origin.x) / grid.size), (int)((y - grid.origin.y) / grid.size),
                     (int)((z - grid.origin.z) / grid.size));
}

__host__ __device__ inline int cell_of(int3 v, const Grid &grid)
{
    return (v.z * grid.cells.y + v.y) * grid.cells.x + v.x;
}

// Whole numbers in the order of the floats.
__host__ __device__ inline int ordered(int bits)
{
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}

// limits[0..2] are the least coordinates, limits[3..5] the negatives of the greatest ones.
__global__ void __launch_bounds__(256)
    bounds(const float4 *__restrict__ points, int *__restrict__ limits, int n)
{
    __shared__ float parts[6][8];
    float least[6];
#pragma unroll
    for (int k = 0; k < 6; k++)
        least[k] = INFINITY;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        const float4 p = points[i];
        least[0] = fminf(least[0], p.x);
        least[1] = fminf(least[1], p.y);
        least[2] = fminf(least[2], p.z);
        least[3] = fminf(least[3], -p.x);
        least[4] = fminf(least[4], -p.y);
        least[5] = fminf(least[5], -p.z);
    }
#pragma unroll
    for (int k = 0; k < 6; k++) {
#pragma unroll
        for (int mask = 16; mask > 0; mask /= 2)
            least[k] = fminf(least[k], __shfl_xor_sync(0xffffffffu, least[k], mask));
        if (threadIdx.x % 32 == 0)
            parts[k][threadIdx.x / 32] = least[k];
    }
    __syncthreads();
    if (threadIdx.x < 6) {
        float value = parts[threadIdx.x][0];
        for (int w = 1; w < 8; w++)
            value = fminf(value, parts[threadIdx.x][w]);
        atomicMin(&limits[threadIdx.x], ordered(__float_as_int(value)));
    }
}

// x, y, z of each point one after another; four arrays of sums.
__global__ void add_plain(const float *points, float *sums, Grid grid, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
    int cell = cell_of(voxel_of(x, y, z, grid), grid);
    int all = grid.cells.x * grid.cells.y * grid.cells.z;
    atomicAdd(&sums[cell], x);
    atomicAdd(&sums[all + cell], y);
    atomicAdd(&sums[2 * all + cell], z);
    atomicAdd(&sums[3 * all + cell], 1.0f);
}

// Neighbouring points are often in one voxel: lanes of the same one add up, and the first one goes to memory.
__global__ void __launch_bounds__(256)
    add_matched(const float4 *__restrict__ points, int4 *__restrict__ sums, Grid grid, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    const unsigned active = __ballot_sync(0xffffffffu, i < n);
    if (i >= n)
        return;
    const float4 p = points[i];
    const int3 v = voxel_of(p.x, p.y, p.z, grid);
    const int cell = cell_of(v, grid);
    const unsigned same = __match_any_sync(active, cell);
    const int x = __reduce_add_sync(same, (int)((p.x - grid.origin.x - v.x * grid.size) * FIXED)),
              y = __reduce_add_sync(same, (int)((p.y - grid.origin.y - v.y * grid.size) * FIXED)),
              z = __reduce_add_sync(same, (int)((p.z - grid.origin.z - v.z * grid.size) * FIXED));
    if (threadIdx.x % 32 == __ffs(same) - 1) {
        int *to = (int *)&sums[cell];
        atomicAdd(to, x);
        atomicAdd(to + 1, y);
        atomicAdd(to + 2, z);
        atomicAdd(to + 3, __popc(same));
    }
}

// Mean points of voxels with at least two points, without holes and in any order; w is the voxel's number.
__global__ void __launch_bounds__(128)
    compact_means(const int4 *__restrict__ sums, float4 *__restrict__ out, int *__restrict__ count, Grid grid,
                  int all)
{
    const int cell = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32;
    const int4 sum = cell < all ? sums[cell] : make_int4(0, 0, 0, 0);
    const unsigned votes = __ballot_sync(0xffffffffu, sum.w >= 2);
    int place = 0;
    if (lane == 0 && votes)
        place = atomicAdd(count, __popc(votes));
    place = __shfl_sync(0xffffffffu, place, 0) + __popc(votes & ((1u << lane) - 1));
    if (sum.w < 2)
        return;
    const float scale = 1.0f / (FIXED * sum.w);
    const int x = cell % grid.cells.x, y = cell / grid.cells.x % grid.cells.y,
              z = cell / grid.cells.x / grid.cells.y;
    out[place] = make_float4(grid.origin.x + x * grid.size + sum.x * scale,
                             grid.origin.y + y * grid.size + sum.y * scale,
                             grid.origin.z + z * grid.size + sum.z * scale, __int_as_float(cell));
}

__host__ __device__ inline unsigned hashed(unsigned key)
{
    key = (key ^ (key >> 16)) * 0x85ebca6bu;
    key = (key ^ (key >> 13)) * 0xc2b2ae35u;
    return key ^ (key >> 16);
}

// For grids that memory has no room for: voxels in an open hash table. Points keep their voxel's place.
__global__ void __launch_bounds__(256)
    add_hashed(const float4 *__restrict__ points, unsigned *__restrict__ keys, Slot *__restrict__ slots,
               int *__restrict__ places, Grid grid, unsigned mask, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    const float4 p = __ldg(&points[i]);
    const int3 v = voxel_of(p.x, p.y, p.z, grid);
    const unsigned key = (unsigned)v.x | (unsigned)v.y << 12 | (unsigned)v.z << 24;
    unsigned at = hashed(key) & mask;
    while (true) {
        unsigned found = keys[at];
        if (found == EMPTY)
            found = atomicCAS(&keys[at], EMPTY, key);
        if (found == EMPTY || found == key)
            break;
        at = (at + 1) & mask;
    }
    atomicAdd(&slots[at].x, (int)((p.x - grid.origin.x - v.x * grid.size) * FIXED));
    atomicAdd(&slots[at].y, (int)((p.y - grid.origin.y - v.y * grid.size) * FIXED));
    atomicAdd(&slots[at].z, (int)((p.z - grid.origin.z - v.z * grid.size) * FIXED));
    atomicAdd(&slots[at].count, 1);
    atomicMin(&slots[at].first, (unsigned)i);
    places[i] = (int)at;
}

// A point a voxel: the one that came first. A block takes places for all that it keeps.
__global__ void __launch_bounds__(256)
    keep_first(const float4 *__restrict__ points, const Slot *__restrict__ slots,
               const int *__restrict__ places, int *__restrict__ kept,
               float4 *__restrict__ out, int *__restrict__ count, int n)
{
    __shared__ int before[8], base;
    const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const bool keep = i < n && slots[places[i]].first == (unsigned)i;
    const unsigned votes = __ballot_sync(0xffffffffu, keep);
    if (lane == 0)
        before[warp] = __popc(votes);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < 8; w++) {
            const int own = before[w];
            before[w] = sum;
            sum += own;
        }
        base = atomicAdd(count, sum);
    }
    __syncthreads();
    if (keep) {
        const int at = base + before[warp] + __popc(votes & ((1u << lane) - 1));
        kept[at] = i;
        out[at] = points[i];
    }
}

int main(int argc, char **argv)
{
    const int turns = argument(argc, argv, 1, 8), rounds = argument(argc, argv, 2, 1), n = turns * 1024;
    // A hall of 40 x 30 x 6 m seen from its middle, beams of 16 heights; coordinates are multiples of 1/1024.
    std::vector<float4> points(n);
    std::vector<float> flat(3 * (size_t)n), least(6, INFINITY);
    for (int i = 0; i < n; i++) {
        const float angle = 6.2831853f * (i % 4096) / 4096, rise = 0.04f * (i / 4096 % 16) - 0.3f;
        const float dx = cosf(angle), dy = sinf(angle);
        const float far = std::min(std::min(20 / (fabsf(dx) + 1e-6f), 15 / (fabsf(dy) + 1e-6f)),
                                   3 / (fabsf(rise) + 1e-6f)) * (0.99f + 0.01f * unit(i));
        const float at[3] = {far * dx, far * dy, far * rise + 0.002f * (i / 65536)};
        float *p = &flat[3 * (size_t)i];
        for (int k = 0; k < 3; k++) {
            p[k] = floorf(at[k] * FIXED) / FIXED;
            least[k] = std::min(least[k], p[k]);
            least[3 + k] = std::min(least[3 + k], -p[k]);
        }
        points[i] = make_float4(p[0], p[1], p[2], unit(i + 7));
    }
    Grid grid = {make_float3(least[0], least[1], least[2]), 0.25f, make_int3(0, 0, 0)};
    grid.cells = voxel_of(-least[3] + grid.size, -least[4] + grid.size, -least[5] + grid.size, grid);
    const int all = grid.cells.x * grid.cells.y * grid.cells.z;
    std::vector<float> sums(4 * (size_t)all);
    std::vector<int> fixed(4 * (size_t)all), limits(6), cells(n), first(all, -1);
    int voxels = 0, means = 0;
    for (int k = 0; k < 6; k++) {
        int bits;
        memcpy(&bits, &least[k], sizeof bits);
        limits[k] = ordered(bits);
    }
    for (int i = 0; i < n; i++) {
        const float *p = &flat[3 * (size_t)i];
        const int3 v = voxel_of(p[0], p[1], p[2], grid);
        const int cell = cells[i] = cell_of(v, grid);
        const float part[3] = {p[0] - grid.origin.x - v.x * grid.size, p[1] - grid.origin.y - v.y * grid.size,
                               p[2] - grid.origin.z - v.z * grid.size};
        for (int k = 0; k < 3; k++) {
            sums[(size_t)k * all + cell] += p[k];
            fixed[4 * (size_t)cell + k] += (int)(part[k] * FIXED);
        }
        sums[3 * (size_t)all + cell] += 1;
        means += ++fixed[4 * (size_t)cell + 3] == 2;
        voxels += first[cell] < 0;
        first[cell] = first[cell] < 0 ? i : first[cell];
    }
    unsigned mask = 1023;
    while (mask < 2 * (unsigned)voxels)
        mask = 2 * mask + 1;
    const float4 *dpoints = to_device(points);
    const float *dflat = to_device(flat);
    float *dsums = device_zeros<float>(4 * (size_t)all);
    int *dlimits = device_zeros<int>(6), *places = device_zeros<int>(n), *kept = device_zeros<int>(n),
        *counts = device_zeros<int>(2);
    int4 *dfixed = device_zeros<int4>(all);
    float4 *dmeans = device_zeros<float4>(all), *dkept = device_zeros<float4>(n);
    unsigned *keys = device_zeros<unsigned>(mask + 1);
    Slot *slots = device_zeros<Slot>(mask + 1);
    const std::vector<Slot> empty(mask + 1, Slot{0, 0, 0, 0, EMPTY});
    const int blocks = ceil_div(n, 256);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<1, 32>>>(dlimits, 0x7fffffff, 6);
        CHECK(cudaMemset(dsums, 0, 4 * (size_t)all * sizeof(float)));
        CHECK(cudaMemset(dfixed, 0, all * sizeof(int4)));
        CHECK(cudaMemset(counts, 0, 2 * sizeof(int)));
        CHECK(cudaMemset(keys, 0xff, (mask + 1) * sizeof(unsigned)));
        CHECK(cudaMemcpy(slots, empty.data(), (mask + 1) * sizeof(Slot), cudaMemcpyHostToDevice));
        bounds<<<std::min(blocks, 528), 256>>>(dpoints, dlimits, n);
        add_plain<<<blocks, 256>>>(dflat, dsums, grid, n);
        add_matched<<<blocks, 256>>>(dpoints, dfixed, grid, n);
        compact_means<<<ceil_div(all, 128), 128>>>(dfixed, dmeans, counts, grid, all);
        add_hashed<<<blocks, 256>>>(dpoints, keys, slots, places, grid, mask, n);
        keep_first<<<blocks, 256>>>(dpoints, slots, places, kept, dkept, counts + 1, n);
    }
    expect("bounds", dlimits, limits);
    expect("add_plain", dsums, sums, 1e-4);
    expect("add_matched", (const int *)dfixed, fixed);
    expect("compact_means, keep_first: counts", counts, std::vector<int>{means, voxels});
    if (wrong_arrays)
        return verdict();
    // Both rows are in any order: what each entry should be follows from the voxel.
    const std::vector<float4> mean = to_host(dmeans, means);
    const std::vector<int> keeper = to_host(kept, voxels), at = to_host(places, n);
    const std::vector<Slot> slot = to_host(slots, mask + 1);
    std::vector<bool> seen(all);
    for (const float4 &m : mean) {
        int cell;
        memcpy(&cell, &m.w, sizeof cell);
        const double count = fixed[4 * (size_t)cell + 3];
        wrong_arrays += seen[cell] || fabs(m.x - sums[cell] / count) > 1e-2 ||
                        fabs(m.y - sums[(size_t)all + cell] / count) > 1e-2 ||
                        fabs(m.z - sums[2 * (size_t)all + cell] / count) > 1e-2;
        seen[cell] = true;
    }
    for (int i : keeper) {
        const Slot &s = slot[at[i]];
        const int *want = &fixed[4 * (size_t)cells[i]];
        wrong_arrays += first[cells[i]] != i || s.x != want[0] || s.y != want[1] || s.z != want[2] ||
                        s.count != want[3];
    }
    return verdict();
}
