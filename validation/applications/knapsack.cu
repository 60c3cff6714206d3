// The knapsack of 24 things: a launch a thing over all capacities with the decisions as bytes, the ways to pay a
// sum with coins, and many small knapsacks, each in a block's shared memory.
#include "common.h"

#define THINGS 24
#define SMALL 1024

__global__ void add_thing(const int *before, int *after, unsigned char *taken, int weight,
                          int value, int capacity)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c > capacity)
        return;
    const int without = before[c], with = c >= weight ? before[c - weight] + value : -1;
    after[c] = max(without, with);
    taken[c] = with > without;
}

// All capacities of one residue class: each is a chain, which a thread walks.
__global__ void add_coin(unsigned *ways, int coin, int capacity)
{
    const int residue = blockIdx.x * blockDim.x + threadIdx.x;
    if (residue >= coin)
        return;
    unsigned sum = 0;
    for (int c = residue; c <= capacity; c += coin) {
        sum += ways[c];
        ways[c] = sum;
    }
}

__global__ void knapsack_shared(const int *weights, const int *values, int *best)
{
    __shared__ int row[2][SMALL];
    for (int c = threadIdx.x; c < SMALL; c += blockDim.x)
        row[0][c] = 0;
    __syncthreads();
    int now = 0;
    for (int k = 0; k < THINGS; k++) {
        const int weight = weights[blockIdx.x * THINGS + k],
                  value = values[blockIdx.x * THINGS + k];
        for (int c = threadIdx.x; c < SMALL; c += blockDim.x) {
            int most = row[now][c];
            if (c >= weight)
                most = max(most, row[now][c - weight] + value);
            row[1 - now][c] = most;
        }
        now = 1 - now;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        best[blockIdx.x] = row[now][SMALL - 1];
}

static std::vector<int> filled(const int *weights, const int *values, int capacity)
{
    std::vector<int> most(capacity + 1);
    for (int k = 0; k < THINGS; k++)
        for (int c = capacity; c >= weights[k]; c--)
            most[c] = std::max(most[c], most[c - weights[k]] + values[k]);
    return most;
}

int main(int argc, char **argv)
{
    const int instances = argument(argc, argv, 1, 32), rounds = argument(argc, argv, 2, 1);
    const int capacity = instances * 1024, coins[3] = {capacity / 16 + 1, 997, 2048};
    std::vector<int> weights(instances * THINGS), values(weights.size()), large(THINGS),
        best(instances);
    std::vector<unsigned> start(capacity + 1), ways;
    for (size_t k = 0; k < weights.size(); k++) {
        weights[k] = 1 + hash32((unsigned)k) % 200;
        values[k] = 1 + hash32((unsigned)k + 99) % 1000;
    }
    for (int k = 0; k < THINGS; k++)
        large[k] = weights[k] * instances / 2 + 1;
    for (int b = 0; b < instances; b++)
        best[b] = filled(&weights[b * THINGS], &values[b * THINGS], SMALL - 1)[SMALL - 1];
    start[0] = 1;
    ways = start;
    for (int k = 0; k < 3; k++)
        for (int c = coins[k]; c <= capacity; c++)
            ways[c] += ways[c - coins[k]];
    int *zeros = device_zeros<int>(capacity + 1), *rows[2], *dbest = device_zeros<int>(instances);
    rows[0] = device_zeros<int>(capacity + 1);
    rows[1] = device_zeros<int>(capacity + 1);
    unsigned char *taken = device_zeros<unsigned char>((size_t)THINGS * (capacity + 1));
    unsigned *dstart = to_device(start), *dways = to_device(start);
    int *dweights = to_device(weights), *dvalues = to_device(values);
    const int blocks = ceil_div(capacity + 1, 256);
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < THINGS; k++)
            add_thing<<<blocks, 256>>>(k ? rows[k % 2] : zeros, rows[1 - k % 2],
                                       taken + (size_t)k * (capacity + 1), large[k], values[k],
                                       capacity);
        copy_array<<<blocks, 256>>>(dways, dstart, capacity + 1);
        for (int k = 0; k < 3; k++)
            add_coin<<<ceil_div(coins[k], 128), 128>>>(dways, coins[k], capacity);
        knapsack_shared<<<instances, 256>>>(dweights, dvalues, dbest);
    }
    expect("add_thing", rows[0], filled(large.data(), values.data(), capacity));
    expect("add_coin", dways, ways);
    expect("knapsack_shared", dbest, best);
    return verdict();
}
