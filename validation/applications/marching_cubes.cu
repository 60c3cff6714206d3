// Marching cubes: cells classified (plain, or from tiles in shared memory along z), counts scanned in blocks and over
// the blocks, active cells compacted, and triangles emitted by a thread a cell or a thread an active cell.
#include "common.h"

#define MOST 5 // triangles a cell
#define BLOCK 256
#define TILE_X 32
#define TILE_Y 8
#define TILE_Z 8

// Corner c is at (c & 1, c >> 1 & 1, c >> 2). Edge e goes along axis e / 4.
__host__ __device__ inline int edge_corner(int edge)
{
    const int axis = edge / 4, low = edge % 2, high = edge % 4 / 2;
    return axis == 0 ? low * 2 + high * 4 : axis == 1 ? low + high * 4 : low + high * 2;
}

// A thread a cell: its case (bit c: corner c is inside) and its number of triangles.
__global__ void classify(const float *volume, const unsigned char *numbers, unsigned char *cases,
                         int *counts, int size, float level)
{
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= size * size * size)
        return;
    const int n = size + 1, x = cell % size, y = cell / size % size, z = cell / size / size;
    int which = 0;
    for (int c = 0; c < 8; c++) {
        const float value = volume[((z + (c >> 2)) * n + y + (c >> 1 & 1)) * n + x + (c & 1)];
        if (value < level)
            which |= 1 << c;
    }
    cases[cell] = (unsigned char)which;
    counts[cell] = numbers[which];
}

// A block a column of TILE_Z layers: each plane of samples is read once, the lower four bits are kept.
__global__ void __launch_bounds__(TILE_X *TILE_Y)
    classify_tiles(const float *__restrict__ volume, const unsigned char *__restrict__ numbers,
                   unsigned char *__restrict__ cases, int *__restrict__ counts, int size,
                   float level)
{
    __shared__ unsigned char inside[TILE_Y + 1][TILE_X + 1];
    const int tx = threadIdx.x, ty = threadIdx.y, n = size + 1, x0 = blockIdx.x * TILE_X,
              y0 = blockIdx.y * TILE_Y, z0 = blockIdx.z * TILE_Z, x = x0 + tx, y = y0 + ty;
    int lower = 0;
    for (int z = z0; z <= min(z0 + TILE_Z, size); z++) {
        for (int k = ty * TILE_X + tx; k < (TILE_Y + 1) * (TILE_X + 1); k += TILE_X * TILE_Y) {
            const int i = k % (TILE_X + 1), j = k / (TILE_X + 1);
            inside[j][i] =
                x0 + i < n && y0 + j < n && volume[(z * n + y0 + j) * n + x0 + i] < level;
        }
        __syncthreads();
        const int upper = inside[ty][tx] | inside[ty][tx + 1] << 1 | inside[ty + 1][tx] << 2 |
                          inside[ty + 1][tx + 1] << 3;
        if (z > z0 && x < size && y < size) {
            const int cell = ((z - 1) * size + y) * size + x, which = lower | upper << 4;
            cases[cell] = (unsigned char)which;
            counts[cell] = numbers[which];
        }
        lower = upper;
        __syncthreads();
    }
}

// The sums of what is before in the block, of both values, and the block's sums after its last thread's.
__device__ inline int2 block_scan(int2 own, int2 *all)
{
    __shared__ int2 warps[BLOCK / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int2 sum = own;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int x = __shfl_up_sync(0xffffffffu, sum.x, step),
                  y = __shfl_up_sync(0xffffffffu, sum.y, step);
        sum = lane >= step ? make_int2(sum.x + x, sum.y + y) : sum;
    }
    __syncthreads();
    if (lane == 31)
        warps[warp] = sum;
    __syncthreads();
    int2 before = make_int2(sum.x - own.x, sum.y - own.y);
    *all = make_int2(0, 0);
#pragma unroll
    for (int w = 0; w < BLOCK / 32; w++) {
        const int2 other = warps[w];
        before = w < warp ? make_int2(before.x + other.x, before.y + other.y) : before;
        *all = make_int2(all->x + other.x, all->y + other.y);
    }
    return before;
}

// Each cell's first triangle and its place among the active ones within the block, and the block's sums.
__global__ void __launch_bounds__(BLOCK)
    scan_cells(const int *__restrict__ counts, int2 *__restrict__ places, int2 *__restrict__ sums,
               int cells)
{
    const int cell = blockIdx.x * BLOCK + threadIdx.x, count = cell < cells ? counts[cell] : 0;
    int2 all;
    const int2 place = block_scan(make_int2(count, count > 0), &all);
    if (cell < cells)
        places[cell] = place;
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}

// One block: the sums become what is before each block, and the total follows.
__global__ void __launch_bounds__(BLOCK) scan_sums(int2 *sums, int blocks)
{
    int2 before = make_int2(0, 0), all;
    for (int first = 0; first < blocks; first += BLOCK) {
        const int i = first + threadIdx.x;
        const int2 place = block_scan(i < blocks ? sums[i] : make_int2(0, 0), &all);
        if (i < blocks)
            sums[i] = make_int2(before.x + place.x, before.y + place.y);
        before = make_int2(before.x + all.x, before.y + all.y);
    }
    if (threadIdx.x == 0)
        sums[blocks] = before;
}

// Writes the list of the active cells: the cell and its first triangle.
__global__ void compact(const int *__restrict__ counts, const int2 *__restrict__ places,
                        const int2 *__restrict__ sums, int2 *__restrict__ active, int cells)
{
    const int cell = blockIdx.x * BLOCK + threadIdx.x;
    if (cell >= cells || counts[cell] == 0)
        return;
    const int2 place = places[cell], before = sums[blockIdx.x];
    active[before.y + place.y] = make_int2(cell, before.x + place.x);
}

// Where the surface meets an edge of a cell.
__device__ inline float3 crossing(const float *__restrict__ volume, int cell, int edge, int size,
                                  float level)
{
    const int n = size + 1, axis = edge / 4, c = edge_corner(edge);
    const int x = cell % size + (c & 1), y = cell / size % size + (c >> 1 & 1),
              z = cell / size / size + (c >> 2), at = (z * n + y) * n + x;
    const float a = volume[at], b = volume[at + (axis == 0 ? 1 : axis == 1 ? n : n * n)];
    const float t = (level - a) / (b - a);
    return make_float3(x + (axis == 0 ? t : 0.0f), y + (axis == 1 ? t : 0.0f),
                       z + (axis == 2 ? t : 0.0f));
}

// A thread a cell, most of which have nothing to do; a vertex is three floats.
__global__ void emit(const float *volume, const unsigned char *cases, const int *counts,
                     const int2 *places, const int2 *sums, const unsigned char *table,
                     float *vertices, int size, float level)
{
    int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= size * size * size)
        return;
    int first = sums[cell / BLOCK].x + places[cell].x;
    for (int k = 0; k < 3 * counts[cell]; k++) {
        float3 v = crossing(volume, cell, table[cases[cell] * 3 * MOST + k], size, level);
        vertices[9 * first + 3 * k] = v.x;
        vertices[9 * first + 3 * k + 1] = v.y;
        vertices[9 * first + 3 * k + 2] = v.z;
    }
}

// A thread an active cell, the table in shared memory; a vertex is a float4.
__global__ void __launch_bounds__(BLOCK)
    emit_active(const float *__restrict__ volume, const unsigned char *__restrict__ cases,
                const unsigned char *__restrict__ numbers, const int2 *__restrict__ active,
                const unsigned *__restrict__ table, float4 *__restrict__ vertices, int count,
                int size, float level)
{
    __shared__ unsigned rows[256 * 3 * MOST / 4];
    for (int k = threadIdx.x; k < 256 * 3 * MOST / 4; k += BLOCK)
        rows[k] = table[k];
    __syncthreads();
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < count; i += gridDim.x * BLOCK) {
        const int2 cell = active[i];
        const int which = cases[cell.x];
        const unsigned char *row = (const unsigned char *)rows + which * 3 * MOST;
        for (int k = 0; k < 3 * numbers[which]; k++) {
            const float3 v = crossing(volume, cell.x, row[k], size, level);
            vertices[3 * cell.y + k] = make_float4(v.x, v.y, v.z, 1.0f);
        }
    }
}

static int edge_between(int a, int b)
{
    for (int e = 0; e < 12; e++)
        if (edge_corner(e) == std::min(a, b) && (a ^ b) == 1 << e / 4)
            return e;
    return -1;
}

// The triangles of a case: on each face, a segment around each run of corners inside (so that neighbours agree);
// the segments join to loops, and a loop is a fan.
static std::vector<int> triangles(int which)
{
    int next[12], used[12] = {};
    std::fill(next, next + 12, -1);
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3,
                  base = face % 2 << axis;
        int ring[4] = {base, base + u, base + u + v, base + v};
        if (face % 2 == 0)
            std::swap(ring[1], ring[3]);
        for (int k = 0; k < 4; k++) {
            if (!(which >> ring[k] & 1) || which >> ring[(k + 1) % 4] & 1)
                continue;
            int back = k; // the run inside ends at k and begins at back
            while (which >> ring[(back + 3) % 4] & 1)
                back = (back + 3) % 4;
            next[edge_between(ring[k], ring[(k + 1) % 4])] =
                edge_between(ring[back], ring[(back + 3) % 4]);
        }
    }
    std::vector<int> result;
    for (int e = 0; e < 12; e++) {
        std::vector<int> loop;
        for (int at = e; next[at] >= 0 && !used[at]; at = next[at]) {
            used[at] = 1;
            loop.push_back(at);
        }
        for (size_t k = 2; k < loop.size(); k++)
            result.insert(result.end(), {loop[0], loop[k - 1], loop[k]});
    }
    return result;
}

int main(int argc, char **argv)
{
    const int size = argument(argc, argv, 1, 12), rounds = argument(argc, argv, 2, 1),
              cells = size * size * size, n = size + 1, blocks = ceil_div(cells, BLOCK);
    const float level = 0.1f;
    std::vector<float> volume(n * n * n), want, want4;
    for (int i = 0; i < n * n * n; i++) {
        // Gyroids of a period of 24 cells, and a little noise.
        const double x = i % n * 0.2618, y = i / n % n * 0.2618, z = i / n / n * 0.2618;
        volume[i] = (float)(sin(x) * cos(y) + sin(y) * cos(z) + sin(z) * cos(x)) + 0.2f * unit(i);
    }
    std::vector<unsigned char> numbers(256), table(256 * 3 * MOST), want_cases(cells);
    std::vector<std::vector<int>> all_edges;
    for (int which = 0; which < 256; which++) {
        all_edges.push_back(triangles(which));
        const std::vector<int> &edges = all_edges[which];
        numbers[which] = (unsigned char)(edges.size() / 3);
        std::copy(edges.begin(), edges.end(), table.begin() + which * 3 * MOST);
    }
    std::vector<int> want_active;
    for (int cell = 0; cell < cells; cell++) {
        const int at[3] = {cell % size, cell / size % size, cell / size / size};
        double value[8];
        int which = 0;
        for (int c = 0; c < 8; c++) {
            value[c] = volume[((at[2] + c / 4) * n + at[1] + c / 2 % 2) * n + at[0] + c % 2];
            which |= (value[c] < level) << c;
        }
        want_cases[cell] = (unsigned char)which;
        const std::vector<int> &edges = all_edges[which];
        if (!edges.empty())
            want_active.insert(want_active.end(), {cell, (int)want4.size() / 12});
        for (int e : edges) {
            const int c = edge_corner(e);
            for (int axis = 0; axis < 3; axis++) {
                const double t = (level - value[c]) / (value[c | 1 << e / 4] - value[c]);
                want.push_back((float)(at[axis] + (c >> axis & 1) + (axis == e / 4 ? t : 0)));
                want4.push_back(want.back());
            }
            want4.push_back(1);
        }
    }
    const int active_count = (int)want_active.size() / 2;
    const float *dvolume = to_device(volume);
    const unsigned char *dnumbers = to_device(numbers), *dtable = to_device(table);
    unsigned char *cases = device_zeros<unsigned char>(cells),
                  *tile_cases = device_zeros<unsigned char>(cells);
    int *counts = device_zeros<int>(cells), *tile_counts = device_zeros<int>(cells),
        *active = device_zeros<int>(2 * active_count + 2);
    int2 *places = device_zeros<int2>(cells), *sums = device_zeros<int2>(blocks + 1);
    float *vertices = device_zeros<float>(want.size() + 1),
          *vertices4 = device_zeros<float>(want4.size() + 4);
    for (int round = 0; round < rounds; round++) {
        classify<<<blocks, BLOCK>>>(dvolume, dnumbers, cases, counts, size, level);
        classify_tiles<<<dim3(ceil_div(size, TILE_X), ceil_div(size, TILE_Y),
                              ceil_div(size, TILE_Z)),
                         dim3(TILE_X, TILE_Y)>>>(dvolume, dnumbers, tile_cases, tile_counts, size,
                                                 level);
        scan_cells<<<blocks, BLOCK>>>(tile_counts, places, sums, cells);
        scan_sums<<<1, BLOCK>>>(sums, blocks);
        compact<<<blocks, BLOCK>>>(tile_counts, places, sums, (int2 *)active, cells);
        emit<<<blocks, BLOCK>>>(dvolume, cases, counts, places, sums, dtable, vertices, size,
                                level);
        emit_active<<<ceil_div(active_count + 1, 2 * BLOCK), BLOCK>>>(
            dvolume, tile_cases, dnumbers, (const int2 *)active, (const unsigned *)dtable,
            (float4 *)vertices4, active_count, size, level);
    }
    expect("classify", cases, want_cases);
    expect("classify_tiles", tile_cases, want_cases);
    expect("scan_sums", (const int *)(sums + blocks),
           std::vector<int>{(int)want.size() / 9, active_count});
    expect("compact", active, want_active);
    expect("emit", vertices, want, 1e-4);
    expect("emit_active", vertices4, want4, 1e-4);
    return verdict();
}
