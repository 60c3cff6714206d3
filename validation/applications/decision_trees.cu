// Inference of a forest of 32 binary trees: whole trees of depth 8 as arrays, samples by rows and by columns, trees in
// shared memory, a warp a sample; then grown trees of linked nodes, and classes by votes.
#include "common.h"

#define TREES 32
#define DEPTH 8
#define INNER ((1 << DEPTH) - 1)
#define LEAVES (1 << DEPTH)
#define FEATURES 32
#define CLASSES 8

// A node that is a leaf has left < 0.
struct Node {
    int feature;
    float threshold;
    int left;
    float value;
};

__global__ void forest_rows(const float *samples, const int *features, const float *thresholds,
                            const float *leaves, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float sum = 0;
    for (int tree = 0; tree < TREES; tree++) {
        int node = 0;
        while (node < INNER) {
            int k = tree * INNER + node;
            node = 2 * node + (samples[i * FEATURES + features[k]] < thresholds[k] ? 1 : 2);
        }
        sum += leaves[tree * LEAVES + node - INNER];
    }
    out[i] = sum;
}

// Feature by feature, so that neighbouring threads read neighbouring values near the root.
__global__ void forest_columns(const float *__restrict__ samples, const int *__restrict__ features,
                               const float *__restrict__ thresholds,
                               const float *__restrict__ leaves, float *__restrict__ out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float sum = 0.0f;
    for (int tree = 0; tree < TREES; tree++) {
        int node = 0;
#pragma unroll
        for (int level = 0; level < DEPTH; level++) {
            const int k = tree * INNER + node;
            node = 2 * node + 1 + !(samples[features[k] * count + i] < thresholds[k]);
        }
        sum += leaves[tree * LEAVES + node - INNER];
    }
    out[i] = sum;
}

// A block's samples and one tree after the other in shared memory.
template <int BLOCK>
__global__ void __launch_bounds__(BLOCK)
    forest_shared(const float *__restrict__ samples, const int *__restrict__ features,
                  const float *__restrict__ thresholds, const float *__restrict__ leaves,
                  float *__restrict__ out, int count)
{
    __shared__ float rows[BLOCK][FEATURES + 1], limit[INNER], leaf[LEAVES];
    __shared__ unsigned char feature[INNER];
    const int t = threadIdx.x, first = blockIdx.x * BLOCK;
    for (int k = t; k < BLOCK * FEATURES && first * FEATURES + k < count * FEATURES; k += BLOCK)
        rows[k / FEATURES][k % FEATURES] = samples[first * FEATURES + k];
    float sum = 0.0f;
    for (int tree = 0; tree < TREES; tree++) {
        __syncthreads();
        for (int k = t; k < INNER; k += BLOCK) {
            feature[k] = (unsigned char)features[tree * INNER + k];
            limit[k] = thresholds[tree * INNER + k];
        }
        for (int k = t; k < LEAVES; k += BLOCK)
            leaf[k] = leaves[tree * LEAVES + k];
        __syncthreads();
        int node = 0;
#pragma unroll
        for (int level = 0; level < DEPTH; level++)
            node = 2 * node + (rows[t][feature[node]] < limit[node] ? 1 : 2);
        sum += leaf[node - INNER];
    }
    if (first + t < count)
        out[first + t] = sum;
}

// A lane a tree; the warp's sample lies in its registers, one feature a lane.
__global__ void forest_warp(const float *__restrict__ samples, const int *__restrict__ features,
                            const float *__restrict__ thresholds, const float *__restrict__ leaves,
                            float *__restrict__ out, int count)
{
    const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < count; i += warps) {
        const float mine = samples[i * FEATURES + lane];
        int node = 0;
        for (int level = 0; level < DEPTH; level++) {
            const int k = lane * INNER + node;
            const float value = __shfl_sync(0xffffffffu, mine, features[k]);
            node = 2 * node + (value < thresholds[k] ? 1 : 2);
        }
        float sum = leaves[lane * LEAVES + node - INNER];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, step);
        if (lane == 0)
            out[i] = sum;
    }
}

// Trees of unequal depth; a node is one load of 16 bytes.
__global__ void forest_linked(const float *__restrict__ samples, const Node *nodes,
                              const int *__restrict__ roots, float *__restrict__ out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const int4 *words = (const int4 *)nodes;
    float sum = 0.0f;
    for (int tree = 0; tree < TREES; tree++) {
        int4 node = words[roots[tree]];
        while (node.z >= 0)
            node = words[node.z + !(samples[i * FEATURES + node.x] < __int_as_float(node.y))];
        sum += __int_as_float(node.w);
    }
    out[i] = sum;
}

// A leaf's value stands for a class; the most votes win, the first of equals.
__global__ void forest_votes(const float *samples, const Node *nodes, const int *roots,
                             int *classes, int count)
{
    __shared__ int votes[CLASSES][128];
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    for (int c = 0; c < CLASSES; c++)
        votes[c][t] = 0;
    if (i >= count)
        return;
    for (int tree = 0; tree < TREES; tree++) {
        const Node *node = &nodes[roots[tree]];
        while (node->left >= 0)
            node = &nodes[node->left + !(samples[i * FEATURES + node->feature] < node->threshold)];
        votes[(int)(node->value * CLASSES)][t]++;
    }
    int most = 0;
    for (int c = 1; c < CLASSES; c++)
        if (votes[c][t] > votes[most][t])
            most = c;
    classes[i] = most;
}

// Depth 12 at most, and a leaf earlier one time in eight from depth 3 on; the two below a node lie side by side.
static void grow(std::vector<Node> &nodes, int at, int depth)
{
    const unsigned seed = at * 3 + 1000003;
    nodes[at] = {(int)(hash32(seed) % FEATURES), unit(seed + 1), -1, unit(seed + 2)};
    if (depth == 12 || (depth >= 3 && hash32(seed + 77) % 8 == 0))
        return;
    const int left = (int)nodes.size();
    nodes[at].left = left;
    nodes.resize(nodes.size() + 2);
    grow(nodes, left, depth + 1);
    grow(nodes, left + 1, depth + 1);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 1024), rounds = argument(argc, argv, 2, 1);
    const std::vector<float> samples = units((size_t)n * FEATURES, 1),
                             thresholds = units(TREES * INNER, 2),
                             leaves = units(TREES * LEAVES, 3);
    std::vector<float> columns(samples.size()), whole(n), linked(n);
    std::vector<int> features(TREES * INNER), roots(TREES), classes(n);
    std::vector<Node> nodes;
    for (size_t k = 0; k < features.size(); k++)
        features[k] = hash32((unsigned)k + 5) % FEATURES;
    for (int tree = 0; tree < TREES; tree++) {
        roots[tree] = (int)nodes.size();
        nodes.resize(nodes.size() + 1);
        grow(nodes, roots[tree], 0);
    }
    for (int i = 0; i < n; i++) {
        const float *row = &samples[(size_t)i * FEATURES];
        int votes[CLASSES] = {};
        for (int k = 0; k < FEATURES; k++)
            columns[(size_t)k * n + i] = row[k];
        for (int tree = 0; tree < TREES; tree++) {
            int k = 0, at = roots[tree];
            while (k < INNER)
                k = 2 * k + 1 +
                    (row[features[tree * INNER + k]] >= thresholds[tree * INNER + k] ? 1 : 0);
            whole[i] += leaves[tree * LEAVES + k - INNER];
            while (nodes[at].left >= 0)
                at = nodes[at].left + (row[nodes[at].feature] >= nodes[at].threshold ? 1 : 0);
            linked[i] += nodes[at].value;
            votes[(int)(nodes[at].value * CLASSES)]++;
        }
        classes[i] = (int)(std::max_element(votes, votes + CLASSES) - votes);
    }
    const float *rows = to_device(samples), *cols = to_device(columns),
                *lim = to_device(thresholds), *leaf = to_device(leaves);
    const int *feat = to_device(features), *droots = to_device(roots);
    const Node *dnodes = to_device(nodes);
    float *out[5];
    for (int k = 0; k < 5; k++)
        out[k] = device_zeros<float>(n);
    int *dclasses = device_zeros<int>(n);
    for (int round = 0; round < rounds; round++) {
        forest_rows<<<ceil_div(n, 256), 256>>>(rows, feat, lim, leaf, out[0], n);
        forest_columns<<<ceil_div(n, 256), 256>>>(cols, feat, lim, leaf, out[1], n);
        forest_shared<128><<<ceil_div(n, 128), 128>>>(rows, feat, lim, leaf, out[2], n);
        forest_warp<<<std::min(ceil_div(n, 8), 1056), 256>>>(rows, feat, lim, leaf, out[3], n);
        forest_linked<<<ceil_div(n, 128), 128>>>(rows, dnodes, droots, out[4], n);
        forest_votes<<<ceil_div(n, 128), 128>>>(rows, dnodes, droots, dclasses, n);
    }
    expect("forest_rows", out[0], whole);
    expect("forest_columns", out[1], whole);
    expect("forest_shared", out[2], whole);
    expect("forest_warp", out[3], whole);
    expect("forest_linked", out[4], linked);
    expect("forest_votes", dclasses, classes);
    return verdict();
}
