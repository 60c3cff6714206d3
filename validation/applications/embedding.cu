// A table of embeddings of 64 columns: rows looked up a thread an element and a warp a row in float2, sums of
// bags of eight rows, and the gradient added to the table by atomics.
#include "common.h"

#define D 64
#define BAG 8

__global__ void lookup_elements(const float *table, const int *ids, float *out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count * D)
        out[i] = table[ids[i / D] * D + i % D];
}

__global__ void lookup_warp(const float2 *__restrict__ table, const int *__restrict__ ids,
                            float2 *__restrict__ out, int count)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row < count)
        out[row * (D / 2) + lane] = table[ids[row] * (D / 2) + lane];
}

__global__ void sum_bags(const float *table, const int *ids, float *out, int bags)
{
    const int bag = blockIdx.x * blockDim.y + threadIdx.y;
    if (bag >= bags)
        return;
    float sum = 0.0f;
    for (int k = 0; k < BAG; k++)
        sum += table[ids[bag * BAG + k] * D + threadIdx.x];
    out[bag * D + threadIdx.x] = sum;
}

__global__ void add_gradient(float *gradient, const int *ids, const float *upstream, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count * D)
        atomicAdd(&gradient[ids[i / D] * D + i % D], upstream[i]);
}

int main(int argc, char **argv)
{
    const int count = argument(argc, argv, 1, 16) * BAG * 32, rounds = argument(argc, argv, 2, 1);
    const int rows = 4 * count;
    const std::vector<float> table = units((size_t)rows * D, 1),
                             upstream = units((size_t)count * D, 2);
    std::vector<int> ids(count);
    std::vector<float> found((size_t)count * D), bags(found.size() / BAG), gradient(table.size());
    for (int i = 0; i < count; i++) // words of a text: a few are frequent
        ids[i] = hash32(i) % (hash32(i + count) % 8 ? rows : 1 + rows / 64);
    for (int i = 0; i < count * D; i++) {
        found[i] = table[(size_t)ids[i / D] * D + i % D];
        bags[i / D / BAG * D + i % D] += found[i];
        gradient[(size_t)ids[i / D] * D + i % D] += upstream[i];
    }
    float *dtable = to_device(table), *dupstream = to_device(upstream);
    int *dids = to_device(ids);
    float *elements = device_zeros<float>(count * D), *by_warp = device_zeros<float>(count * D);
    float *dbags = device_zeros<float>(bags.size()),
          *dgradient = device_zeros<float>(gradient.size());
    for (int round = 0; round < rounds; round++) {
        lookup_elements<<<ceil_div(count * D, 256), 256>>>(dtable, dids, elements, count);
        lookup_warp<<<ceil_div(count, 8), 256>>>((const float2 *)dtable, dids, (float2 *)by_warp,
                                                 count);
        sum_bags<<<ceil_div(count / BAG, 4), dim3(D, 4)>>>(dtable, dids, dbags, count / BAG);
        fill_array<<<ceil_div(rows * D, 256), 256>>>(dgradient, 0.0f, rows * D);
        add_gradient<<<ceil_div(count * D, 256), 256>>>(dgradient, dids, dupstream, count);
    }
    expect("lookup_elements", elements, found);
    expect("lookup_warp", by_warp, found);
    expect("sum_bags", dbags, bags, 1e-5);
    expect("add_gradient", dgradient, gradient, 1e-4);
    return verdict();
}
