// Shortest paths by Bellman and Ford: rounds of relaxation over all edges, each from the distances of the round before,
// by an edge list, by vertices that push, by vertices that changed only, and by vertices or warps that pull.
#include "common.h"

#define FAR 0x3fffffff
#define PASSES 2

// An edge a thread, the list in no order.
__global__ void relax_edges(const int *from, const int *to, const int *weight, const int *before,
                            int *after, int edges)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges)
        return;
    const int distance = before[from[e]];
    if (distance < FAR)
        atomicMin(&after[to[e]], distance + weight[e]);
}

// The same of records, in a grid-stride loop, with a look at the distance before the atomic.
__global__ void relax_records(const int4 *__restrict__ edge, const int *__restrict__ before,
                              int *after, int edges)
{
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) {
        const int4 r = edge[e];
        const int distance = before[r.x];
        if (distance < FAR && distance + r.z < before[r.y])
            atomicMin(&after[r.y], distance + r.z);
    }
}

// A vertex a thread; ACTIVE: only vertices whose distance the pass before has changed.
template <bool ACTIVE>
__global__ void push(const int *__restrict__ starts, const int *__restrict__ to,
                     const int *__restrict__ weight, const int *__restrict__ before,
                     const int *__restrict__ older, int *after, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    const int distance = before[v];
    if (distance >= FAR || (ACTIVE && older[v] == distance))
        return;
    const int end = starts[v + 1];
    for (int e = starts[v]; e < end; e++) {
        const int there = distance + weight[e];
        if (there < before[to[e]])
            atomicMin(&after[to[e]], there);
    }
}

__global__ void pull(const int *starts, const int *from, const int *weight, const int *before,
                     int *after, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    int best = before[v];
    for (int e = starts[v]; e < starts[v + 1]; e++)
        best = min(best, before[from[e]] + weight[e]);
    after[v] = best;
}

__global__ void pull_warp(const int *__restrict__ starts, const int *__restrict__ from,
                          const int *__restrict__ weight, const int *__restrict__ before,
                          int *__restrict__ after, int n)
{
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= n)
        return;
    int best = FAR;
    for (int e = starts[v] + lane; e < starts[v + 1]; e += 32)
        best = min(best, before[from[e]] + weight[e]);
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        best = min(best, __shfl_xor_sync(0xffffffffu, best, step));
    if (lane == 0)
        after[v] = min(best, before[v]);
}

struct Csr {
    std::vector<int> starts, ends, weights;
};

// The edges in order of their first vertex, stable.
static Csr ordered(const std::vector<int> &first, const std::vector<int> &second,
                   const std::vector<int> &weight, int n)
{
    Csr csr;
    csr.starts.resize(n + 1);
    csr.ends.resize(first.size());
    csr.weights.resize(first.size());
    for (int v : first)
        csr.starts[v + 1]++;
    for (int v = 0; v < n; v++)
        csr.starts[v + 1] += csr.starts[v];
    std::vector<int> place = csr.starts;
    for (size_t e = 0; e < first.size(); e++) {
        const int at = place[first[e]]++;
        csr.ends[at] = second[e];
        csr.weights[at] = weight[e];
    }
    return csr;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 1024), rounds = argument(argc, argv, 2, 1);
    const int edges = 12 * n;
    std::vector<int> from(edges), to(edges), weight(edges), start(n, FAR);
    std::vector<int4> records(edges);
    for (int e = 0; e < edges; e++) {
        // some vertices have many edges, and half of the edges are near
        const unsigned h = hash32(3 * e), g = hash32(3 * e + 1);
        from[e] = (int)(h % 8 == 0 ? (h >> 8) % (n / 16 + 1) : (h >> 8) % n);
        to[e] = (int)(g % 2 ? (from[e] + 1 + (g >> 8) % 64) % n : (g >> 8) % n);
        weight[e] = 1 + (int)(hash32(3 * e + 2) % 1000);
        records[e] = make_int4(from[e], to[e], weight[e], 0);
    }
    for (int v = 0; v < n; v += 24)
        start[v] = (int)(hash32(v) % 500);
    std::vector<int> want = start;
    for (int pass = 0; pass < PASSES; pass++) {
        const std::vector<int> before = want;
        for (int e = 0; e < edges; e++)
            if (before[from[e]] < FAR)
                want[to[e]] = std::min(want[to[e]], before[from[e]] + weight[e]);
    }
    const Csr out = ordered(from, to, weight, n), in = ordered(to, from, weight, n);
    int *dfrom = to_device(from), *dto = to_device(to), *dweight = to_device(weight),
        *dstart = to_device(start), *none = to_device(std::vector<int>(n, FAR));
    int4 *drecords = to_device(records);
    int *outs = to_device(out.starts), *outto = to_device(out.ends),
        *outweight = to_device(out.weights), *ins = to_device(in.starts),
        *infrom = to_device(in.ends), *inweight = to_device(in.weights);
    int *d[6][PASSES];
    for (int k = 0; k < 6; k++)
        for (int pass = 0; pass < PASSES; pass++)
            d[k][pass] = device_zeros<int>(n);
    const int some = ceil_div(n, 256);
    for (int round = 0; round < rounds; round++)
        for (int pass = 0; pass < PASSES; pass++) {
            const int *old[6];
            for (int k = 0; k < 6; k++) {
                old[k] = pass ? d[k][pass - 1] : dstart;
                if (k < 4)
                    copy_array<<<some, 256>>>(d[k][pass], old[k], n);
            }
            relax_edges<<<ceil_div(edges, 256), 256>>>(dfrom, dto, dweight, old[0], d[0][pass],
                                                       edges);
            relax_records<<<std::min(528, ceil_div(edges, 256)), 256>>>(drecords, old[1],
                                                                        d[1][pass], edges);
            push<false>
                <<<ceil_div(n, 128), 128>>>(outs, outto, outweight, old[2], none, d[2][pass], n);
            push<true><<<ceil_div(n, 128), 128>>>(outs, outto, outweight, old[3],
                                                  pass ? dstart : none, d[3][pass], n);
            pull<<<ceil_div(n, 64), 64>>>(ins, infrom, inweight, old[4], d[4][pass], n);
            pull_warp<<<ceil_div(n, 8), 256>>>(ins, infrom, inweight, old[5], d[5][pass], n);
        }
    const char *names[6] = {"relax_edges",  "relax_records", "push",
                            "push, active", "pull",          "pull_warp"};
    for (int k = 0; k < 6; k++)
        expect(names[k], d[k][PASSES - 1], want);
    return verdict();
}
