// Triangles of a graph whose edges go up and whose lists are in order: a thread an edge that merges or searches, a
// thread a vertex, a warp a vertex with its list in shared memory, and rows of bits for the first vertices.
#include "common.h"

#define LONGEST 64
#define DENSE 1024

__device__ int merged(const int *a, int as, const int *b, int bs)
{
    int i = 0, j = 0, common = 0;
    while (i < as && j < bs) {
        const int x = a[i], y = b[j];
        common += x == y;
        i += x <= y;
        j += y <= x;
    }
    return common;
}

__device__ __forceinline__ bool contains(const int *list, int size, int key)
{
    int low = 0, high = size;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (list[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < size && list[low] == key;
}

__global__ void edges_merge(const int *starts, const int *from, const int *to, int *support,
                            int edges)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges)
        return;
    const int u = from[e], v = to[e];
    support[e] = merged(to + starts[u], starts[u + 1] - starts[u], to + starts[v],
                        starts[v + 1] - starts[v]);
}

// The shorter list's vertices in the longer one; the total by warps' sums.
__global__ void edges_search(const int *__restrict__ starts, const int *__restrict__ from,
                             const int *__restrict__ to, unsigned long long *total, int edges)
{
    unsigned common = 0;
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) {
        const int u = from[e], v = to[e];
        const int *a = to + starts[u], *b = to + starts[v];
        int as = starts[u + 1] - starts[u], bs = starts[v + 1] - starts[v];
        if (as > bs) {
            const int *list = a;
            const int size = as;
            a = b;
            as = bs;
            b = list;
            bs = size;
        }
        for (int i = 0; i < as; i++)
            common += contains(b, bs, a[i]);
    }
    common = __reduce_add_sync(0xffffffffu, common);
    if (threadIdx.x % 32 == 0 && common > 0)
        atomicAdd(total, (unsigned long long)common);
}

__global__ void vertices(const int *__restrict__ starts, const int *__restrict__ to, int *counts,
                         int n)
{
    const int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n)
        return;
    const int start = starts[u], size = starts[u + 1] - start;
    int common = 0;
    for (int i = 0; i < size; i++) {
        const int v = to[start + i];
        common +=
            merged(to + start + i + 1, size - i - 1, to + starts[v], starts[v + 1] - starts[v]);
    }
    counts[u] = common;
}

// A warp a vertex: its lanes take the neighbours' lists, each looked up in the vertex's own list.
__global__ void vertices_warp(const int *__restrict__ starts, const int *__restrict__ to,
                              int *__restrict__ counts, int n)
{
    __shared__ int own[8][LONGEST];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, u = blockIdx.x * 8 + warp;
    if (u >= n)
        return;
    const int start = starts[u], size = starts[u + 1] - start;
    for (int i = lane; i < size; i += 32)
        own[warp][i] = to[start + i];
    __syncwarp();
    int common = 0;
    for (int i = 0; i < size; i++) {
        const int v = own[warp][i], end = starts[v + 1];
        for (int k = starts[v] + lane; k < end; k += 32)
            common += contains(own[warp], size, to[k]);
    }
    for (int step = 16; step > 0; step /= 2)
        common += __shfl_down_sync(0xffffffffu, common, step);
    if (lane == 0)
        counts[u] = common;
}

// A row of bits a vertex, of those below DENSE; a block a vertex, a warp an edge.
__global__ void bits_rows(const int *starts, const int *to, const unsigned *bits, int *counts)
{
    __shared__ unsigned row[DENSE / 32];
    __shared__ int sum;
    const int u = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < DENSE / 32)
        row[threadIdx.x] = bits[u * (DENSE / 32) + threadIdx.x];
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (int e = starts[u] + warp; e < starts[u + 1]; e += blockDim.x / 32) {
        const int v = to[e];
        if (v >= DENSE)
            break;
        int common = __popc(row[lane] & bits[v * (DENSE / 32) + lane]);
        common = __reduce_add_sync(0xffffffffu, common);
        if (lane == 0)
            atomicAdd(&sum, common);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        counts[u] = sum;
}

int main(int argc, char **argv)
{
    const int n = DENSE * ceil_div(argument(argc, argv, 1, 1024), DENSE),
              rounds = argument(argc, argv, 2, 1);
    std::vector<int> starts(1), from, to, support, counts(n), dense(DENSE);
    std::vector<unsigned> bits(DENSE * DENSE / 32);
    for (int u = 0; u < n; u++) {
        // 4 to 60 vertices of a window, few lists long
        const int degree = hash32(u) % 16 ? 4 + hash32(u + 7) % 20 : 24 + hash32(u + 7) % 37;
        std::vector<int> list;
        for (int k = 0; k < degree; k++)
            list.push_back(u + 1 + hash32(64 * u + k) % 128);
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        for (int v : list)
            if (v < n) {
                from.push_back(u);
                to.push_back(v);
                if (u < DENSE && v < DENSE)
                    bits[u * (DENSE / 32) + v / 32] |= 1u << v % 32;
            }
        starts.push_back((int)to.size());
    }
    unsigned long long total = 0;
    for (size_t e = 0; e < to.size(); e++) {
        const int u = from[e], v = to[e];
        std::vector<int> common;
        std::set_intersection(&to[0] + starts[u], &to[0] + starts[u + 1], &to[0] + starts[v],
                              &to[0] + starts[v + 1], std::back_inserter(common));
        support.push_back((int)common.size());
        counts[u] += (int)common.size();
        total += common.size();
        for (int w : common)
            if (w < DENSE)
                dense[u]++;
    }
    const int edges = (int)to.size();
    int *dstarts = to_device(starts), *dfrom = to_device(from), *dto = to_device(to),
        *dsupport = device_zeros<int>(edges), *a = device_zeros<int>(n), *b = device_zeros<int>(n),
        *c = device_zeros<int>(DENSE);
    unsigned *dbits = to_device(bits);
    unsigned long long *dtotal = device_zeros<unsigned long long>(1);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<1, 32>>>(dtotal, 0ull, 1);
        edges_merge<<<ceil_div(edges, 256), 256>>>(dstarts, dfrom, dto, dsupport, edges);
        edges_search<<<std::min(660, ceil_div(edges, 128)), 128>>>(dstarts, dfrom, dto, dtotal,
                                                                   edges);
        vertices<<<ceil_div(n, 64), 64>>>(dstarts, dto, a, n);
        vertices_warp<<<ceil_div(n, 8), 256>>>(dstarts, dto, b, n);
        bits_rows<<<DENSE, 128>>>(dstarts, dto, dbits, c);
    }
    expect("edges_merge", dsupport, support);
    expect("edges_search", dtotal, std::vector<unsigned long long>(1, total));
    expect("vertices", a, counts);
    expect("vertices_warp", b, counts);
    expect("bits_rows", c, dense);
    return verdict();
}
