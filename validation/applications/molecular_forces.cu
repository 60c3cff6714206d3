// Lennard-Jones forces of two kinds of atoms in a periodic box: atoms put into cells; forces from the 27
// cells around, a thread an atom and a block a cell; neighbour lists by a thread and by a warp an atom, and
// forces from both.
#include "common.h"

#define CAPACITY 32
#define MOST 96
#define EDGE 2.625f
#define CUTOFF 2.5f
#define LANES 8

// 24 epsilon sigma^6, and sigma^6, of each pair of kinds.
__constant__ float2 pair_table[4];

struct Box {
    int side;
    float length;
};

__host__ __device__ inline int cell_of(float4 p, Box box)
{
    const int x = min((int)(p.x / EDGE), box.side - 1), y = min((int)(p.y / EDGE), box.side - 1),
              z = min((int)(p.z / EDGE), box.side - 1);
    return (z * box.side + y) * box.side + x;
}

// Cell k of the 27 around cell c, itself with k = 13.
__host__ __device__ inline int near_cell(int c, int k, int side)
{
    const int x = (c % side + k % 3 - 1 + side) % side, y = (c / side % side + k / 3 % 3 - 1 + side) % side,
              z = (c / side / side + k / 9 - 1 + side) % side;
    return (z * side + y) * side + x;
}

// Squared distance from b to a's nearest image, and the vector. Exact: positions are multiples of 1/256.
__device__ __forceinline__ float apart(float4 a, float4 b, float length, float3 &d)
{
    d = make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
    d.x -= length * rintf(d.x / length);
    d.y -= length * rintf(d.y / length);
    d.z -= length * rintf(d.z / length);
    return d.x * d.x + d.y * d.y + d.z * d.z;
}

// Adds the force, and in w half the pair's energy.
__device__ __forceinline__ void add_pair(float4 &force, float3 d, float r2, float2 pair)
{
    const float inverse = 1.0f / r2, r6 = inverse * inverse * inverse;
    const float f = pair.x * r6 * (2.0f * pair.y * r6 - 1.0f) * inverse;
    force.x += f * d.x;
    force.y += f * d.y;
    force.z += f * d.z;
    force.w += pair.x * r6 * (pair.y * r6 - 1.0f) / 12.0f;
}

__global__ void fill_cells(const float4 *atoms, int *counts, int *cells, Box box, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int c = cell_of(atoms[i], box);
    cells[c * CAPACITY + atomicAdd(&counts[c], 1)] = i;
}

__global__ void forces_cells(const float4 *atoms, const int *counts, const int *cells, float4 *forces,
                             Box box, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 me = atoms[i];
    float4 force = make_float4(0, 0, 0, 0);
    int mine = cell_of(me, box);
    for (int k = 0; k < 27; k++) {
        int c = near_cell(mine, k, box.side);
        for (int e = 0; e < counts[c]; e++) {
            int j = cells[c * CAPACITY + e];
            if (j == i)
                continue;
            float4 other = atoms[j];
            float3 d;
            float r2 = apart(me, other, box.length, d);
            if (r2 < CUTOFF * CUTOFF)
                add_pair(force, d, r2, pair_table[2 * (int)me.w + (int)other.w]);
        }
    }
    forces[i] = force;
}

// A block a cell, two threads an atom. The atoms of a row of three cells, moved to their nearest images, lie
// in shared memory; one of the two threads takes those with even places, the other one the odd ones.
__global__ void __launch_bounds__(2 * CAPACITY)
    forces_block(const float4 *__restrict__ atoms, const int *__restrict__ counts,
                 const int *__restrict__ cells, float4 *__restrict__ forces, Box box)
{
    __shared__ float4 near[3 * CAPACITY], half_force[CAPACITY];
    __shared__ float2 table[4];
    const int cell = blockIdx.x, place = threadIdx.x / 2, odd = threadIdx.x % 2, own = counts[cell];
    if (threadIdx.x < 4)
        table[threadIdx.x] = pair_table[threadIdx.x];
    const int self = place < own ? cells[cell * CAPACITY + place] : 0;
    const float4 me = atoms[self];
    const float shift = box.length, middle_x = (cell % box.side + 0.5f) * EDGE,
                middle_y = (cell / box.side % box.side + 0.5f) * EDGE,
                middle_z = (cell / box.side / box.side + 0.5f) * EDGE;
    float4 force = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int row = 0; row < 9; row++) {
        int total = 0;
#pragma unroll
        for (int k = 0; k < 3; k++) {
            const int c = near_cell(cell, 3 * row + k, box.side), count = counts[c];
            for (int e = threadIdx.x; e < count; e += 2 * CAPACITY) {
                float4 p = atoms[cells[c * CAPACITY + e]];
                p.x -= shift * rintf((p.x - middle_x) / shift);
                p.y -= shift * rintf((p.y - middle_y) / shift);
                p.z -= shift * rintf((p.z - middle_z) / shift);
                near[total + e] = p;
            }
            total += count;
        }
        __syncthreads();
        if (place < own)
            for (int e = odd; e < total; e += 2) {
                const float4 p = near[e];
                const float3 d = make_float3(me.x - p.x, me.y - p.y, me.z - p.z);
                const float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
                if (r2 < CUTOFF * CUTOFF && r2 > 0.0f)
                    add_pair(force, d, r2, table[2 * (int)me.w + (int)p.w]);
            }
        __syncthreads();
    }
    if (odd)
        half_force[place] = force;
    __syncthreads();
    if (!odd && place < own) {
        const float4 rest = half_force[place];
        forces[self] = make_float4(force.x + rest.x, force.y + rest.y, force.z + rest.z, force.w + rest.w);
    }
}

// Entry k of all atoms together, so that a thread an atom reads whole lines. Up to EDGE, more than CUTOFF.
__global__ void list_plain(const float4 *atoms, const int *counts, const int *cells, int *list, int *lengths,
                           Box box, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 me = atoms[i];
    int mine = cell_of(me, box), length = 0;
    for (int k = 0; k < 27; k++) {
        int c = near_cell(mine, k, box.side);
        for (int e = 0; e < counts[c]; e++) {
            int j = cells[c * CAPACITY + e];
            float3 d;
            if (j != i && apart(me, atoms[j], box.length, d) < EDGE * EDGE)
                list[length++ * n + i] = j;
        }
    }
    lengths[i] = length;
}

// A warp an atom, a lane a candidate; the list of an atom is a row. Places come from the lanes' votes.
__global__ void __launch_bounds__(128)
    list_warp(const float4 *__restrict__ atoms, const int *__restrict__ counts, const int *__restrict__ cells,
              int *__restrict__ list, int *__restrict__ lengths, Box box, int n)
{
    const int lane = threadIdx.x % 32, i = (blockIdx.x * 128 + threadIdx.x) / 32;
    if (i >= n)
        return;
    const float4 me = atoms[i];
    const int mine = cell_of(me, box);
    int length = 0;
    for (int k = 0; k < 27; k++) {
        const int c = near_cell(mine, k, box.side), count = counts[c];
        for (int first = 0; first < count; first += 32) {
            const int e = first + lane, j = e < count ? cells[c * CAPACITY + e] : i;
            float3 d;
            const bool close = j != i && apart(me, __ldg(&atoms[j]), box.length, d) < EDGE * EDGE;
            const unsigned votes = __ballot_sync(0xffffffffu, close);
            if (close)
                list[i * MOST + length + __popc(votes & ((1u << lane) - 1))] = j;
            length += __popc(votes);
        }
    }
    if (lane == 0)
        lengths[i] = length;
}

__global__ void forces_list(const float4 *__restrict__ atoms, const int *__restrict__ list,
                            const int *__restrict__ lengths, float4 *__restrict__ forces, Box box, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 me = atoms[i];
    const int length = lengths[i];
    float4 force = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < length; k++) {
        const float4 other = __ldg(&atoms[list[k * n + i]]);
        float3 d;
        const float r2 = apart(me, other, box.length, d);
        if (r2 < CUTOFF * CUTOFF)
            add_pair(force, d, r2, pair_table[2 * (int)me.w + (int)other.w]);
    }
    forces[i] = force;
}

// LANES threads an atom, from the rows of list_warp. The table is in shared memory: lanes differ in kind.
__global__ void __launch_bounds__(256)
    forces_lanes(const float4 *__restrict__ atoms, const int *__restrict__ list,
                 const int *__restrict__ lengths, float4 *__restrict__ forces, Box box, int n)
{
    __shared__ float2 table[4];
    if (threadIdx.x < 4)
        table[threadIdx.x] = pair_table[threadIdx.x];
    __syncthreads();
    const int lane = threadIdx.x % LANES, i = (blockIdx.x * 256 + threadIdx.x) / LANES;
    const float4 me = atoms[min(i, n - 1)];
    const int length = i < n ? lengths[i] : 0;
    float4 force = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 2
    for (int k = lane; k < length; k += LANES) {
        const float4 other = __ldg(&atoms[list[i * MOST + k]]);
        float3 d;
        const float r2 = apart(me, other, box.length, d);
        if (r2 < CUTOFF * CUTOFF)
            add_pair(force, d, r2, table[2 * (int)me.w + (int)other.w]);
    }
#pragma unroll
    for (int mask = LANES / 2; mask > 0; mask /= 2) {
        force.x += __shfl_xor_sync(0xffffffffu, force.x, mask);
        force.y += __shfl_xor_sync(0xffffffffu, force.y, mask);
        force.z += __shfl_xor_sync(0xffffffffu, force.z, mask);
        force.w += __shfl_xor_sync(0xffffffffu, force.w, mask);
    }
    if (lane == 0 && i < n)
        forces[i] = force;
}

int main(int argc, char **argv)
{
    const int side = std::max(argument(argc, argv, 1, 4), 3), rounds = argument(argc, argv, 2, 1),
              all = side * side * side;
    const Box box = {side, side * EDGE};
    // A lattice, shaken a little. Atoms lie in memory cell by cell, as programs sort them from time to time.
    const int line = (int)(box.length / 1.08f), n = line * line * line;
    std::vector<float4> atoms(n);
    for (int i = 0; i < n; i++) {
        float at[3];
        for (int k = 0; k < 3; k++) {
            const int step = k == 0 ? i % line : k == 1 ? i / line % line : i / line / line;
            at[k] = floorf(256 * ((step + 0.5f) * box.length / line + 0.14f * unit(3 * i + k) - 0.07f)) / 256;
        }
        atoms[i] = make_float4(at[0], at[1], at[2], (float)(hash32(i + 11) % 3 == 0));
    }
    std::stable_sort(atoms.begin(), atoms.end(),
                     [box](float4 a, float4 b) { return cell_of(a, box) < cell_of(b, box); });
    const float epsilon[4] = {1.0f, 0.8f, 0.8f, 0.5f}, sigma6[4] = {1.0f, 0.8f, 0.8f, 0.6f};
    float2 table[4];
    for (int k = 0; k < 4; k++)
        table[k] = make_float2(24 * epsilon[k] * sigma6[k], sigma6[k]);
    CHECK(cudaMemcpyToSymbol(pair_table, table, sizeof table));
    std::vector<std::vector<int>> members(all);
    for (int i = 0; i < n; i++)
        members[cell_of(atoms[i], box)].push_back(i);
    std::vector<float> want(4 * n);
    std::vector<int> lengths(n), counts(all);
    for (int c = 0; c < all; c++) {
        counts[c] = (int)members[c].size();
        for (int k = 0; k < 27; k++) {
            const int other = near_cell(c, k, side);
            for (int i : members[c])
                for (int j : members[other]) {
                    const float4 a = atoms[i], b = atoms[j];
                    double d[3] = {a.x - b.x, a.y - b.y, a.z - b.z}, r2 = 0;
                    for (double &v : d) {
                        v -= box.length * rint(v / box.length);
                        r2 += v * v;
                    }
                    lengths[i] += i != j && r2 < EDGE * EDGE;
                    if (i == j || r2 >= CUTOFF * CUTOFF)
                        continue;
                    const float2 pair = table[2 * (int)a.w + (int)b.w];
                    const double r6 = 1 / (r2 * r2 * r2);
                    for (int v = 0; v < 3; v++)
                        want[4 * i + v] += (float)(pair.x * r6 * (2 * pair.y * r6 - 1) / r2 * d[v]);
                    want[4 * i + 3] += (float)(pair.x * r6 * (pair.y * r6 - 1) / 12);
                }
        }
    }
    if (*std::max_element(counts.begin(), counts.end()) > CAPACITY ||
        *std::max_element(lengths.begin(), lengths.end()) > MOST) {
        puts("too many atoms in a place\nFAILED");
        return 1;
    }
    const float4 *datoms = to_device(atoms);
    float4 *forces[4];
    for (int k = 0; k < 4; k++)
        forces[k] = device_zeros<float4>(n);
    int *dcounts = device_zeros<int>(all), *cells = device_zeros<int>(all * CAPACITY);
    int *columns = device_zeros<int>(n * MOST), *rows = device_zeros<int>(n * MOST);
    int *dlengths[2] = {device_zeros<int>(n), device_zeros<int>(n)};
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(all, 256), 256>>>(dcounts, 0, all);
        fill_cells<<<ceil_div(n, 128), 128>>>(datoms, dcounts, cells, box, n);
        forces_cells<<<ceil_div(n, 128), 128>>>(datoms, dcounts, cells, forces[0], box, n);
        forces_block<<<all, 2 * CAPACITY>>>(datoms, dcounts, cells, forces[1], box);
        list_plain<<<ceil_div(n, 128), 128>>>(datoms, dcounts, cells, columns, dlengths[0], box, n);
        forces_list<<<ceil_div(n, 128), 128>>>(datoms, columns, dlengths[0], forces[2], box, n);
        list_warp<<<ceil_div(n, 4), 128>>>(datoms, dcounts, cells, rows, dlengths[1], box, n);
        forces_lanes<<<ceil_div(n * LANES, 256), 256>>>(datoms, rows, dlengths[1], forces[3], box, n);
    }
    expect("fill_cells", dcounts, counts);
    expect("list_plain", dlengths[0], lengths);
    expect("list_warp", dlengths[1], lengths);
    const char *names[4] = {"forces_cells", "forces_block", "forces_list", "forces_lanes"};
    for (int k = 0; k < 4; k++)
        expect(names[k], (const float *)forces[k], want, 1e-3);
    return verdict();
}
