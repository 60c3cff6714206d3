// A hash table with open addressing: keys put in by compare and swap, looked up a thread a key, looked up by
// eight lanes that probe a line together, and counted.
#include "common.h"

#define EMPTY 0xffffffffu

__device__ unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ (x >> 16);
}

__global__ void insert(unsigned *keys, unsigned *values, const unsigned *key, unsigned mask, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned slot = mix(key[i]) & mask;
    for (;;) {
        const unsigned old = atomicCAS(&keys[slot], EMPTY, key[i]);
        if (old == EMPTY || old == key[i])
            break;
        slot = (slot + 1) & mask;
    }
    values[slot] = key[i] * 3 + 1;
}

__global__ void look_up(const unsigned *keys, const unsigned *values, const unsigned *key,
                        unsigned *found, unsigned mask, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned k = key[i];
    unsigned slot = mix(k) & mask;
    while (keys[slot] != k && keys[slot] != EMPTY)
        slot = (slot + 1) & mask;
    found[i] = keys[slot] == k ? values[slot] : 0;
}

__global__ void look_up_together(const unsigned *__restrict__ keys,
                                 const unsigned *__restrict__ values,
                                 const unsigned *__restrict__ key, unsigned *found, unsigned mask,
                                 int n)
{
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    const unsigned team = 0xffu << (threadIdx.x % 32 / 8 * 8);
    if (i >= n)
        return;
    const unsigned k = key[i];
    unsigned slot = (mix(k) & mask), result = 0;
    for (;;) {
        const unsigned at = (slot + lane) & mask, there = keys[at];
        const unsigned hit = __ballot_sync(team, there == k) & team;
        const unsigned end = __ballot_sync(team, there == EMPTY) & team;
        if (hit && (!end || __ffs(hit) < __ffs(end))) {
            result = there == k ? values[at] : 0;
            result = __shfl_sync(team, result, (__ffs(hit) - 1) % 8, 8);
            break;
        }
        if (end)
            break;
        slot += 8;
    }
    if (lane == 0)
        found[i] = result;
}

__global__ void count_used(const unsigned *keys, unsigned *count, unsigned slots)
{
    unsigned mine = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < slots; i += gridDim.x * blockDim.x)
        mine += keys[i] != EMPTY;
    for (int step = 16; step > 0; step /= 2)
        mine += __shfl_xor_sync(0xffffffffu, mine, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(count, mine);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 32) * 1024, rounds = argument(argc, argv, 2, 1);
    unsigned slots = 1;
    while (slots < (unsigned)n / 2 * 3)
        slots *= 2;
    std::vector<unsigned> key(n), asked(n), want(n), used(1, (unsigned)n);
    for (int i = 0; i < n; i++) {
        key[i] =
            (unsigned)i * 2654435761u >> 1; // all different, since the factor is odd and i is small
        asked[i] = hash32(i) % 4 ? key[hash32(i + n) % n] : 0x80000000u + i;
        want[i] = asked[i] < 0x80000000u ? asked[i] * 3 + 1 : 0;
    }
    std::vector<unsigned> sorted(key);
    std::sort(sorted.begin(), sorted.end());
    used[0] = (unsigned)(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
    unsigned *keys = device_zeros<unsigned>(slots), *values = device_zeros<unsigned>(slots);
    unsigned *dkey = to_device(key), *dasked = to_device(asked), *count = device_zeros<unsigned>(1);
    unsigned *found = device_zeros<unsigned>(n), *together = device_zeros<unsigned>(n);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<slots / 256, 256>>>(keys, EMPTY, (int)slots);
        fill_array<<<1, 32>>>(count, 0u, 1);
        insert<<<ceil_div(n, 256), 256>>>(keys, values, dkey, slots - 1, n);
        look_up<<<ceil_div(n, 256), 256>>>(keys, values, dasked, found, slots - 1, n);
        look_up_together<<<ceil_div(n, 32), 256>>>(keys, values, dasked, together, slots - 1, n);
        count_used<<<132, 256>>>(keys, count, slots);
    }
    expect("look_up", found, want);
    expect("look_up_together", together, want);
    expect("count_used", count, used);
    return verdict();
}
