// Shortest paths from one vertex by rounds of relaxation: a thread an edge, a thread a vertex, and connected
// components by the smallest label and by pointer jumping.
#include "common.h"

#define STEPS 6
#define FAR 1000000000

__global__ void relax_edges(const int *from, const int *to, const int *length, const int *before,
                            int *after, int edges)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges || before[from[e]] == FAR)
        return;
    const int reached = before[from[e]] + length[e];
    if (reached < before[to[e]])
        atomicMin(&after[to[e]], reached);
}

// Edges by where they go: a vertex looks at those that come to it.
__global__ void relax_vertices(const int *row, const int *from, const int *length,
                               const int *before, int *after, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    int best = before[v];
    for (int e = row[v]; e < row[v + 1]; e++)
        best = min(best, before[from[e]] + length[e]);
    after[v] = best;
}

__global__ void spread_labels(const int *from, const int *to, const int *before, int *after,
                              int edges)
{
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) {
        atomicMin(&after[to[e]], before[from[e]]);
        atomicMin(&after[from[e]], before[to[e]]);
    }
}

__global__ void jump(const int *before, int *after, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n)
        after[v] = before[before[v]];
}

struct graph {
    int n;
    std::vector<int> row, from, to, length;
};

static graph make_graph(int n)
{
    graph g = {n, std::vector<int>(1, 0), {}, {}, {}};
    for (int v = 0; v < n; v++) {
        for (int e = 0; e < 2 + (int)(hash32(v) % 6); e++) {
            g.from.push_back(e == 0 ? (v + n - 1) % n : (int)(hash32(v * 8 + e) % n));
            g.to.push_back(v);
            g.length.push_back(1 + hash32(v * 8 + e + 1) % 50);
        }
        g.row.push_back((int)g.to.size());
    }
    return g;
}

static std::vector<int> relaxed(const graph &g, std::vector<int> dist)
{
    for (int step = 0; step < STEPS; step++) {
        const std::vector<int> before = dist;
        for (size_t e = 0; e < g.to.size(); e++)
            dist[g.to[e]] = std::min(dist[g.to[e]], before[g.from[e]] + g.length[e]);
    }
    return dist;
}

static std::vector<int> labelled(const graph &g, std::vector<int> label)
{
    std::vector<int> before = label;
    for (size_t e = 0; e < g.to.size(); e++) {
        label[g.to[e]] = std::min(label[g.to[e]], before[g.from[e]]);
        label[g.from[e]] = std::min(label[g.from[e]], before[g.to[e]]);
    }
    before = label;
    for (int v = 0; v < g.n; v++)
        label[v] = before[before[v]];
    return label;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 4096), rounds = argument(argc, argv, 2, 1);
    const graph g = make_graph(n);
    const int edges = (int)g.to.size(), blocks = ceil_div(n, 256);
    std::vector<int> dist(n, FAR), label(n);
    dist[0] = 0;
    for (int v = 0; v < n; v++)
        label[v] = v;
    int *row = to_device(g.row), *from = to_device(g.from), *to = to_device(g.to),
        *length = to_device(g.length);
    int *start = to_device(dist), *a[2], *b[2], *c[2], *own = to_device(label);
    for (int k = 0; k < 2; k++) {
        a[k] = to_device(dist);
        b[k] = to_device(dist);
        c[k] = to_device(label);
    }
    for (int round = 0; round < rounds; round++) {
        copy_array<<<blocks, 256>>>(a[0], start, n);
        copy_array<<<blocks, 256>>>(b[0], start, n);
        copy_array<<<blocks, 256>>>(c[0], own, n);
        for (int step = 0; step < STEPS; step++) {
            copy_array<<<blocks, 256>>>(a[1 - step % 2], a[step % 2], n);
            relax_edges<<<ceil_div(edges, 256), 256>>>(from, to, length, a[step % 2],
                                                       a[1 - step % 2], edges);
            relax_vertices<<<blocks, 256>>>(row, from, length, b[step % 2], b[1 - step % 2], n);
        }
        spread_labels<<<264, 256>>>(from, to, own, c[0], edges);
        jump<<<blocks, 256>>>(c[0], c[1], n);
    }
    const std::vector<int> want = relaxed(g, dist);
    std::vector<int> by_vertices = to_host(b[STEPS % 2], n);
    expect("relax_edges", a[STEPS % 2], want);
    for (int v = 0; v < n; v++) // those not reached may add lengths to FAR
        wrong_arrays += std::min(by_vertices[v], FAR) != std::min(want[v], FAR);
    expect("labels", c[1], labelled(g, label));
    return verdict();
}
