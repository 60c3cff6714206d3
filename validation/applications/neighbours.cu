// The 8 nearest neighbours of points in the plane: of a sixteenth of them by trying all, plainly, from shared tiles
// and by warps; of all with cells of four points in the mean, queries as they come and in the order of cells.
#include "common.h"

#define K 8
#define TILE 256
#define FAR 1e30f

// The place of each neighbour is kept as well; a thread a query.
__global__ void brute_plain(const float2 *points, int count, float *distances, int *indices)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= count)
        return;
    float2 at = points[q];
    float best[K];
    int index[K];
    for (int k = 0; k < K; k++) {
        best[k] = FAR;
        index[k] = -1;
    }
    for (int j = 0; j < count; j++) {
        float dx = points[j].x - at.x, dy = points[j].y - at.y, d = dx * dx + dy * dy;
        if (d >= best[K - 1])
            continue;
#pragma unroll
        for (int k = K - 1; k >= 0; k--)
            if (d < best[k]) {
                if (k < K - 1) {
                    best[k + 1] = best[k];
                    index[k + 1] = index[k];
                }
                best[k] = d;
                index[k] = j;
            }
    }
    for (int k = 0; k < K; k++) {
        distances[q * K + k] = best[k];
        indices[q * K + k] = index[k];
    }
}

__device__ inline void insert(float (&best)[K], float d)
{
#pragma unroll
    for (int k = K - 1; k > 0; k--)
        best[k] = fminf(best[k], fmaxf(best[k - 1], d));
    best[0] = fminf(best[0], d);
}

__global__ void brute_tile(const float2 *__restrict__ points, int count,
                           float *__restrict__ distances)
{
    __shared__ float2 tile[TILE];
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    const float2 at = q < count ? points[q] : make_float2(0.0f, 0.0f);
    float best[K];
#pragma unroll
    for (int k = 0; k < K; k++)
        best[k] = FAR;
    for (int first = 0; first < count; first += TILE) {
        __syncthreads();
        for (int k = threadIdx.x; k < TILE; k += blockDim.x)
            tile[k] = first + k < count ? points[first + k] : make_float2(FAR, FAR);
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < TILE; k++) {
            const float dx = tile[k].x - at.x, dy = tile[k].y - at.y, d = dx * dx + dy * dy;
            if (d < best[K - 1])
                insert(best, d);
        }
    }
    if (q < count)
#pragma unroll
        for (int k = 0; k < K; k++)
            distances[q * K + k] = best[k];
}

// A warp a query: each lane keeps its best, of which the nearest one is taken K times.
__global__ void brute_warp(const float2 *__restrict__ points, int count,
                           float *__restrict__ distances)
{
    const int q = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (q >= count)
        return;
    const float2 at = points[q];
    float best[K];
#pragma unroll
    for (int k = 0; k < K; k++)
        best[k] = FAR;
    for (int j = lane; j < count; j += 32) {
        const float2 point = points[j];
        const float dx = point.x - at.x, dy = point.y - at.y;
        insert(best, dx * dx + dy * dy);
    }
    float mine = 0.0f;
    for (int k = 0; k < K; k++) {
        float least = best[0];
        for (int mask = 16; mask > 0; mask /= 2)
            least = fminf(least, __shfl_xor_sync(0xffffffffu, least, mask));
        const unsigned owners = __ballot_sync(0xffffffffu, best[0] == least);
        if (lane == __ffs(owners) - 1) {
#pragma unroll
            for (int m = 0; m < K - 1; m++)
                best[m] = best[m + 1];
            best[K - 1] = FAR;
        }
        if (lane == k)
            mine = least;
    }
    if (lane < K)
        distances[q * K + lane] = mine;
}

__global__ void count_cells(const float2 *points, int count, int side, int *counts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float2 at = points[i];
        atomicAdd(&counts[(int)at.y * side + (int)at.x], 1);
    }
}

// The points lie in the order of cells; rings of cells about the query's until none farther off can be nearer.
__global__ void search_cells(const float2 *__restrict__ queries, const float2 *__restrict__ points,
                             const int *__restrict__ starts, int count, int side,
                             float *__restrict__ distances)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= count)
        return;
    const float2 at = queries[q];
    const int cx = (int)at.x, cy = (int)at.y;
    const float fx = at.x - cx, fy = at.y - cy;
    const float margin = fminf(fminf(fx, 1.0f - fx), fminf(fy, 1.0f - fy));
    float best[K];
#pragma unroll
    for (int k = 0; k < K; k++)
        best[k] = FAR;
    for (int r = 0; r < side; r++) {
        for (int y = max(cy - r, 0); y <= min(cy + r, side - 1); y++) {
            // A whole row of cells above and below, else the cells at both ends.
            const bool whole = y == cy - r || y == cy + r;
            for (int x = cx - r; x <= cx + r; x += whole ? 2 * r + 1 : 2 * r) {
                const int first = whole ? max(x, 0) : x, last = whole ? min(cx + r, side - 1) : x;
                if (first < 0 || last >= side)
                    continue;
                const int end = starts[y * side + last + 1];
                for (int j = starts[y * side + first]; j < end; j++) {
                    const float dx = points[j].x - at.x, dy = points[j].y - at.y;
                    insert(best, dx * dx + dy * dy);
                }
            }
        }
        if (best[K - 1] <= (r + margin) * (r + margin))
            break;
    }
    float4 *out = (float4 *)(distances + q * K);
    out[0] = make_float4(best[0], best[1], best[2], best[3]);
    out[1] = make_float4(best[4], best[5], best[6], best[7]);
}

static float squared(float2 a, float2 b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

// On the host: to both sides of the query in the order of x, as far as the K-th distance.
static std::vector<float> nearest(const std::vector<float2> &queries, std::vector<float2> points)
{
    std::vector<float> all;
    const auto before = [](float2 a, float2 b) { return a.x < b.x; };
    std::sort(points.begin(), points.end(), before);
    for (const float2 q : queries) {
        std::vector<float> best(K, FAR);
        const auto add = [&](float2 p) {
            if (squared(p, q) < best[K - 1]) {
                best[K - 1] = squared(p, q);
                for (int k = K - 1; k > 0 && best[k] < best[k - 1]; k--)
                    std::swap(best[k], best[k - 1]);
            }
            return (p.x - q.x) * (p.x - q.x) < best[K - 1];
        };
        const size_t middle =
            std::lower_bound(points.begin(), points.end(), q, before) - points.begin();
        for (size_t j = middle; j < points.size() && add(points[j]); j++)
            ;
        for (size_t j = middle; j > 0 && add(points[j - 1]); j--)
            ;
        all.insert(all.end(), best.begin(), best.end());
    }
    return all;
}

int main(int argc, char **argv)
{
    const int few = ceil_div(argument(argc, argv, 1, 4096), 16),
              rounds = argument(argc, argv, 2, 1), n = few * 16,
              side = std::max(1, (int)sqrt(n / 4.0));
    std::vector<float2> points(n), ordered, some;
    std::vector<int> counts(side * side), starts(side * side + 1);
    const auto cell = [&](float2 p) { return (int)p.y * side + (int)p.x; };
    for (int i = 0; i < n; i++) {
        points[i] = make_float2(unit(2 * i + 1) * side, unit(2 * i + 2) * side);
        counts[cell(points[i])]++;
    }
    for (int c = 0; c < side * side; c++)
        starts[c + 1] = starts[c] + counts[c];
    ordered = points;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [&](float2 a, float2 b) { return cell(a) < cell(b); });
    some.assign(points.begin(), points.begin() + few);
    const float2 *dpoints = to_device(points), *dordered = to_device(ordered);
    const int *dstarts = to_device(starts);
    int *dcounts = device_zeros<int>(side * side), *indices = device_zeros<int>(few * K);
    float *plain = device_zeros<float>(few * K), *tile = device_zeros<float>(few * K),
          *warp = device_zeros<float>(few * K), *mixed = device_zeros<float>(n * K),
          *sorted = device_zeros<float>(n * K);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(side * side, 256), 256>>>(dcounts, 0, side * side);
        brute_plain<<<ceil_div(few, 128), 128>>>(dpoints, few, plain, indices);
        brute_tile<<<ceil_div(few, 64), 64>>>(dpoints, few, tile);
        brute_warp<<<ceil_div(few, 8), 256>>>(dpoints, few, warp);
        count_cells<<<ceil_div(n, 256), 256>>>(dpoints, n, side, dcounts);
        search_cells<<<ceil_div(n, 128), 128>>>(dpoints, dordered, dstarts, n, side, mixed);
        search_cells<<<ceil_div(n, 128), 128>>>(dordered, dordered, dstarts, n, side, sorted);
    }
    const std::vector<float> want = nearest(some, some);
    std::vector<float> again;
    for (const int index : to_host(indices, few * K))
        again.push_back(squared(points[std::max(index, 0)], points[again.size() / K]));
    expect("brute_plain", plain, want, 1e-5);
    expect("indices", to_device(again), want, 1e-5);
    expect("brute_tile", tile, want, 1e-5);
    expect("brute_warp", warp, want, 1e-5);
    expect("count_cells", dcounts, counts);
    expect("queries as they come", mixed, nearest(points, points), 1e-5);
    expect("queries in order", sorted, nearest(ordered, points), 1e-5);
    return verdict();
}
