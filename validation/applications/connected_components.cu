// Connected components of an undirected graph, each named by its least vertex: labels spread to neighbours, plainly
// and with a jump to the label's label; hooking of edges and pointer jumping in turns; union and find in one pass over
// the edges; and the sizes and number of components.
#include "common.h"

// One step from the labels before it to new ones; the host repeats it until nothing changes.
__global__ void propagate(const int *start, const int *neighbour, const int *label, int *next,
                          int *changed, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    int least = label[v];
    for (int k = start[v]; k < start[v + 1]; k++)
        least = min(least, label[neighbour[k]]);
    next[v] = least;
    if (least != label[v])
        *changed = 1;
}

// Eight lanes a vertex. Labels of labels are closer to the least of them, so that fewer steps are needed.
__global__ void propagate_jump(const int *__restrict__ start, const int *__restrict__ neighbour,
                               const int *__restrict__ label, int *__restrict__ next,
                               int *__restrict__ changed, int n)
{
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    bool different = false;
    int least = n, old = n;
    if (v < n) {
        old = label[v];
        least = label[old];
        for (int k = start[v] + lane; k < start[v + 1]; k += 8)
            least = min(least, label[label[neighbour[k]]]);
    }
#pragma unroll
    for (int mask = 4; mask > 0; mask /= 2)
        least = min(least, __shfl_xor_sync(0xffffffffu, least, mask));
    if (v < n && lane == 0) {
        next[v] = least;
        different = least != old;
    }
    if (__syncthreads_or(different) && threadIdx.x == 0)
        *changed = 1;
}

// The greater of an edge's two roots is hung below the less; label is flat, and next was a copy of it.
__global__ void hook_edges(const int2 *__restrict__ edges, const int *__restrict__ label,
                           int *__restrict__ next, int *__restrict__ changed, int count)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= count)
        return;
    const int2 edge = edges[e];
    const int a = label[edge.x], b = label[edge.y];
    if (a == b)
        return;
    atomicMin(&next[max(a, b)], min(a, b));
    *changed = 1;
}

// Every vertex gets its root.
__global__ void jump_pointers(const int *__restrict__ parent, int *__restrict__ label, int n)
{
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
        int at = v, up = parent[v];
        while (up != at) {
            at = up;
            up = parent[at];
        }
        label[v] = at;
    }
}

__device__ __forceinline__ int find(const volatile int *parent, int v)
{
    int up = parent[v];
    while (up != v) {
        v = up;
        up = parent[v];
    }
    return v;
}

// A root is hung below a lesser one by compare-and-swap, which is tried again from where it failed; the order of
// threads changes the trees, but not their roots.
__global__ void unite(const int2 *__restrict__ edges, int *parent, int count)
{
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < count; e += gridDim.x * blockDim.x) {
        const int2 edge = edges[e];
        int a = find(parent, edge.x), b = find(parent, edge.y);
        while (a != b) {
            const int high = max(a, b), low = min(a, b);
            const int found = atomicCAS(&parent[high], high, low);
            if (found == high)
                break;
            a = find(parent, found);
            b = find(parent, low);
        }
    }
}

// Neighbours are mostly in the same component: a warp adds once for all its lanes that agree with the first.
__global__ void component_sizes(const int *__restrict__ label, int *__restrict__ sizes,
                                int *__restrict__ roots, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const int mine = v < n ? label[v] : -1;
    const int first = __shfl_sync(0xffffffffu, mine, 0);
    const unsigned same = __ballot_sync(0xffffffffu, mine == first);
    if (mine >= 0 && (mine != first || lane == 0))
        atomicAdd(&sizes[mine], mine == first ? __popc(same) : 1);
    const int count = __syncthreads_count(v < n && mine == v);
    if (threadIdx.x == 0 && count > 0)
        atomicAdd(roots, count);
}

static int root(const std::vector<int> &parent, int v)
{
    while (parent[v] != v)
        v = parent[v];
    return v;
}

// Whether the launches before have set *changed, which is cleared.
static bool taken(int *changed)
{
    int value;
    CHECK(cudaMemcpy(&value, changed, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(changed, 0, sizeof value));
    return value != 0;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 1024), rounds = argument(argc, argv, 2, 1);
    // Edges to vertices near by and far away; one vertex in four has none of its own, so that some
    // stay alone.
    std::vector<int2> edges;
    std::vector<int> start(n + 1), own(n), want(n), sizes(n), number(1);
    for (int v = 0; v < n; v++)
        for (unsigned k = 0; k < hash32(v + 3) % 4; k++) {
            const unsigned h = hash32(v * 5 + k + 1000001);
            const int w = h % 3 ? (int)((v + h / 3 % 64) % n) : (int)(h / 3 % n);
            if (w != v)
                edges.push_back(make_int2(v, w));
        }
    if (edges.empty())
        edges.push_back(make_int2(0, n - 1));
    const int count = (int)edges.size();
    std::vector<int> neighbour(2 * count);
    for (int v = 0; v < n; v++)
        own[v] = want[v] = v;
    for (const int2 &e : edges) {
        start[e.x + 1]++;
        start[e.y + 1]++;
        const int a = root(want, e.x), b = root(want, e.y);
        want[std::max(a, b)] = std::min(a, b);
    }
    for (int v = 0; v < n; v++) {
        start[v + 1] += start[v];
        want[v] = want[want[v]];
        sizes[want[v]]++;
        number[0] += want[v] == v;
    }
    std::vector<int> place = start;
    for (const int2 &e : edges) {
        neighbour[place[e.x]++] = e.y;
        neighbour[place[e.y]++] = e.x;
    }
    const int *s = to_device(start), *near = to_device(neighbour), *begin = to_device(own);
    const int2 *dedges = to_device(edges);
    int *label[4][2], *dsizes = device_zeros<int>(n), *changed = device_zeros<int>(1),
        *roots = device_zeros<int>(1);
    for (int k = 0; k < 4; k++)
        for (int m = 0; m < 2; m++)
            label[k][m] = device_zeros<int>(n);
    const int blocks = ceil_div(n, 256), edge_blocks = ceil_div(count, 256);
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < 4; k++)
            copy_array<<<blocks, 256>>>(label[k][0], begin, n);
        do {
            propagate<<<blocks, 256>>>(s, near, label[0][0], label[0][1], changed, n);
            std::swap(label[0][0], label[0][1]);
        } while (taken(changed));
        do {
            propagate_jump<<<ceil_div(n, 32), 256>>>(s, near, label[1][0], label[1][1], changed, n);
            std::swap(label[1][0], label[1][1]);
        } while (taken(changed));
        do {
            copy_array<<<blocks, 256>>>(label[2][1], label[2][0], n);
            hook_edges<<<edge_blocks, 256>>>(dedges, label[2][0], label[2][1], changed, count);
            jump_pointers<<<std::min(blocks, 1056), 256>>>(label[2][1], label[2][0], n);
        } while (taken(changed));
        unite<<<std::min(edge_blocks, 1056), 256>>>(dedges, label[3][0], count);
        jump_pointers<<<std::min(blocks, 1056), 256>>>(label[3][0], label[3][1], n);
        fill_array<<<blocks, 256>>>(dsizes, 0, n);
        fill_array<<<1, 32>>>(roots, 0, 1);
        component_sizes<<<blocks, 256>>>(label[3][1], dsizes, roots, n);
    }
    expect("propagate", label[0][0], want);
    expect("propagate_jump", label[1][0], want);
    expect("hook_edges", label[2][0], want);
    expect("unite", label[3][1], want);
    expect("component_sizes", dsizes, sizes);
    expect("component_sizes", roots, number);
    return verdict();
}
