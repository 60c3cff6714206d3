// Shortest paths over a square of weighted cells from many sources: relaxation plainly and four steps at once
// in shared memory, sweeps down and up columns, sweeps along rows by a min-plus scan in a warp, a frontier
// that pushes by atomics; and paths that only go right or down, by diagonals of tiles.
#include "common.h"

#define FAR (1 << 28)
#define STEPS 4

typedef unsigned char byte;

// What a cell costs is paid on entering it.
__global__ void relax_plain(const int *from, int *to, const byte *weight, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int i = y * n + x;
    int best = FAR;
    if (x > 0)
        best = min(best, from[i - 1]);
    if (x < n - 1)
        best = min(best, from[i + 1]);
    if (y > 0)
        best = min(best, from[i - n]);
    if (y < n - 1)
        best = min(best, from[i + n]);
    to[i] = min(from[i], best + weight[i]);
}

// A tile of 32 x 32 that loses a cell on each side with each step; 8 cells a thread in a column.
template <int COUNT>
__global__ void __launch_bounds__(128)
    relax_tiled(const int *__restrict__ from, int *__restrict__ to, const byte *__restrict__ weight, int n)
{
    __shared__ int tile[2][34][33];
    const int inner = 32 - 2 * COUNT, tx = threadIdx.x, first = threadIdx.y * 8;
    const int x = blockIdx.x * inner + tx - COUNT, y0 = blockIdx.y * inner + first - COUNT;
    int cost[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const int y = y0 + k;
        const bool inside = x >= 0 && x < n && y >= 0 && y < n;
        cost[k] = inside ? weight[y * n + x] : FAR;
        tile[0][first + k + 1][tx] = inside ? from[y * n + x] : FAR;
    }
    if (threadIdx.y == 0)
        for (int b = 0; b < 2; b++)
            tile[b][0][tx] = tile[b][33][tx] = FAR;
    __syncthreads();
#pragma unroll
    for (int step = 0; step < COUNT; step++) {
        int(*old)[33] = tile[step & 1], (*now)[33] = tile[(step + 1) & 1];
        int up = old[first][tx], here = old[first + 1][tx];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const int down = old[first + k + 2][tx];
            const int left = old[first + k + 1][max(tx - 1, 0)], right = old[first + k + 1][min(tx + 1, 31)];
            now[first + k + 1][tx] = min(here, min(min(left, right), min(up, down)) + cost[k]);
            up = here;
            here = down;
        }
        __syncthreads();
    }
    if (tx < COUNT || tx >= 32 - COUNT || x >= n)
        return;
#pragma unroll
    for (int k = 0; k < 8; k++)
        if (first + k >= COUNT && first + k < 32 - COUNT && y0 + k < n)
            to[(y0 + k) * n + x] = tile[COUNT & 1][first + k + 1][tx];
}

// A thread a column, down and up again in place.
__global__ void sweep_columns(int *__restrict__ distance, const byte *__restrict__ weight, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n)
        return;
    int best = FAR;
#pragma unroll 8
    for (int y = 0; y < n; y++) {
        best = min(distance[y * n + x], best + weight[y * n + x]);
        distance[y * n + x] = best;
    }
#pragma unroll 8
    for (int y = n - 2; y >= 0; y--) {
        best = min(distance[y * n + x], best + weight[y * n + x]);
        distance[y * n + x] = best;
    }
}

// Over a warp: what reaches this lane from lanes before it. With w summed up, min(d[k] - w[k]) is a plain
// prefix minimum.
__device__ __forceinline__ int scan_step(int d, int w, int lane, int carry)
{
    int sum = w;
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, sum, offset);
        sum += lane >= offset ? other : 0;
    }
    int least = d - sum;
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, least, offset);
        least = lane >= offset ? min(least, other) : least;
    }
    return min(least, carry) + sum;
}

// A warp a row, 32 cells at a time, to the right and back. n is a multiple of 32.
__global__ void sweep_rows(int *__restrict__ distance, const byte *__restrict__ weight, int n)
{
    const int lane = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
    if (y >= n)
        return;
    int *d = distance + y * n;
    const byte *w = weight + y * n;
    int carry = FAR;
    for (int x = lane; x < n; x += 32) {
        const int result = scan_step(d[x], w[x], lane, carry);
        d[x] = result;
        carry = __shfl_sync(0xffffffffu, result, 31);
    }
    __syncwarp(); // lanes now read what others have written
    carry = FAR;
    for (int x = n - 1 - lane; x >= 0; x -= 32) {
        const int result = scan_step(d[x], w[x], lane, carry);
        d[x] = result;
        carry = __shfl_sync(0xffffffffu, result, 31);
    }
}

// What changed in the last step tells its neighbours; who gains is queued once for the next step.
__global__ void push_frontier(const int *__restrict__ frontier, int count, const int *__restrict__ from,
                              int *to, const byte *__restrict__ weight, int *marks, int *queue, int *queued,
                              int n)
{
    const int stride = gridDim.x * blockDim.x;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += stride) {
        const int i = frontier[k], x = i % n, y = i / n, distance = from[i];
        const int beside[4] = {x > 0 ? i - 1 : -1, x < n - 1 ? i + 1 : -1, y > 0 ? i - n : -1,
                               y < n - 1 ? i + n : -1};
#pragma unroll
        for (int b = 0; b < 4; b++) {
            const int at = beside[b];
            if (at < 0 || distance + weight[at] >= from[at])
                continue;
            atomicMin(&to[at], distance + weight[at]);
            if (atomicExch(&marks[at], 1) == 0)
                queue[atomicAdd(queued, 1)] = at;
        }
    }
}

// Tile t of a diagonal of 64 x 64 tiles, a warp a tile: lane l has columns 2 l and 2 l + 1 and is l rows
// behind lane 0.
__global__ void wave_tiles(const byte *__restrict__ weight, int *__restrict__ cost, int diagonal, int first,
                           int n)
{
    const int lane = threadIdx.x, row = first + blockIdx.x, column = diagonal - row;
    const int x = column * 64 + 2 * lane, y0 = row * 64;
    int2 above = make_int2(FAR, FAR);
    if (y0 > 0)
        above = *(const int2 *)&cost[(y0 - 1) * n + x];
    else if (x == 0)
        above.x = 0;
    for (int step = 0; step < 64 + 31; step++) {
        const int r = step - lane, at = (y0 + r) * n + x;
        int left = __shfl_up_sync(0xffffffffu, above.y, 1);
        if (r < 0 || r >= 64)
            continue;
        if (lane == 0)
            left = x > 0 ? cost[at - 1] : FAR;
        const uchar2 w = *(const uchar2 *)&weight[at];
        above.x = min(left, above.x) + w.x;
        above.y = min(above.x, above.y) + w.y;
        *(int2 *)&cost[at] = above;
    }
}

static void relax(const std::vector<int> &from, std::vector<int> &to, const std::vector<byte> &weight, int n)
{
    for (int i = 0; i < n * n; i++) {
        int best = FAR;
        best = i % n > 0 ? std::min(best, from[i - 1]) : best;
        best = i % n < n - 1 ? std::min(best, from[i + 1]) : best;
        best = i >= n ? std::min(best, from[i - n]) : best;
        best = i < n * n - n ? std::min(best, from[i + n]) : best;
        to[i] = std::min(from[i], best + weight[i]);
    }
}

// All lines of cells that are `step` apart, forwards and back.
static void sweep(std::vector<int> &d, const std::vector<byte> &weight, int n, int step)
{
    for (int line = 0; line < n; line++) {
        const int begin = line * (step == 1 ? n : 1);
        for (int k = 1; k < n; k++)
            d[begin + k * step] =
                std::min(d[begin + k * step], d[begin + (k - 1) * step] + weight[begin + k * step]);
        for (int k = n - 2; k >= 0; k--)
            d[begin + k * step] =
                std::min(d[begin + k * step], d[begin + (k + 1) * step] + weight[begin + k * step]);
    }
}

int main(int argc, char **argv)
{
    const int tiles = ceil_div(argument(argc, argv, 1, 64), 64), rounds = argument(argc, argv, 2, 1),
              n = tiles * 64, cells = n * n;
    std::vector<byte> weight(cells);
    std::vector<int> before(cells), state(cells), next(cells), four(cells), monotone(cells), frontier, queue;
    for (int i = 0; i < cells; i++) {
        weight[i] = (byte)(1 + hash32(i) % 9);
        state[i] = hash32(i + 12345) % 400 == 0 ? 0 : FAR;
    }
    state[cells / 2] = 0;
    // The state that all kernels start from has seen eight steps.
    for (int step = 0; step < 8; step++) {
        before = state;
        relax(before, state, weight, n);
    }
    for (int i = 0; i < cells; i++)
        if (state[i] != before[i])
            frontier.push_back(i);
    relax(state, next, weight, n);
    std::vector<int> columns = state, rows = state, other = next;
    for (int step = 1; step < STEPS; step++) {
        relax(other, four, weight, n);
        other = four;
    }
    sweep(columns, weight, n, n);
    sweep(rows, weight, n, 1);
    for (int i = 0; i < cells; i++) {
        const int left = i % n > 0 ? monotone[i - 1] : FAR, up = i >= n ? monotone[i - n] : FAR;
        monotone[i] = (i > 0 ? std::min(left, up) : 0) + weight[i];
        if (next[i] < state[i])
            queue.push_back(i);
    }
    const int count = (int)frontier.size(), wanted = (int)queue.size();
    const int *start = to_device(state), *dfrontier = to_device(frontier);
    const byte *w = to_device(weight);
    int *out[6], *marks = device_zeros<int>(cells), *dqueue = device_zeros<int>(cells),
                 *queued = device_zeros<int>(1);
    for (int k = 0; k < 6; k++)
        out[k] = device_zeros<int>(cells);
    const dim3 block(32, 8), grid(ceil_div(n, 32), ceil_div(n, 8));
    const int parts = ceil_div(n, 32 - 2 * STEPS), lines = ceil_div(cells, 256);
    for (int round = 0; round < rounds; round++) {
        relax_plain<<<grid, block>>>(start, out[0], w, n);
        relax_tiled<STEPS><<<dim3(parts, parts), dim3(32, 4)>>>(start, out[1], w, n);
        for (int k = 2; k < 5; k++)
            copy_array<<<lines, 256>>>(out[k], start, cells);
        fill_array<<<lines, 256>>>(marks, 0, cells);
        fill_array<<<1, 32>>>(queued, 0, 1);
        sweep_columns<<<ceil_div(n, 64), 64>>>(out[2], w, n);
        sweep_rows<<<ceil_div(n, 4), dim3(32, 4)>>>(out[3], w, n);
        push_frontier<<<std::min(ceil_div(count, 128), 528), 128>>>(dfrontier, count, start, out[4], w, marks,
                                                                    dqueue, queued, n);
        for (int d = 0; d < 2 * tiles - 1; d++) {
            const int first = std::max(d - tiles + 1, 0), last = std::min(d, tiles - 1);
            wave_tiles<<<last - first + 1, 32>>>(w, out[5], d, first, n);
        }
    }
    expect("relax_plain", out[0], next);
    expect("relax_tiled", out[1], four);
    expect("sweep_columns", out[2], columns);
    expect("sweep_rows", out[3], rows);
    expect("push_frontier", out[4], next);
    std::vector<int> got = to_host(dqueue, cells);
    got.resize(wanted);
    std::sort(got.begin(), got.end());
    expect("push_frontier: length", queued, std::vector<int>(1, wanted));
    CHECK(cudaMemcpy(dqueue, got.data(), got.size() * sizeof(int), cudaMemcpyHostToDevice));
    expect("push_frontier: queue", dqueue, queue);
    expect("wave_tiles", out[5], monotone);
    return verdict();
}
