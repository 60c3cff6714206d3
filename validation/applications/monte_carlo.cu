// Random numbers from a xorshift a thread: points in a circle, prices of an option along paths, a walk on a
// lattice whose ends are counted, and numbers written out with their states.
#include "common.h"

__host__ __device__ inline unsigned next_random(unsigned *state)
{
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

__host__ __device__ inline unsigned seeded(unsigned thread)
{
    return (thread + 1) * 2654435761u | 1;
}

__global__ void points_in_circle(unsigned *inside, int draws)
{
    unsigned state = seeded(blockIdx.x * blockDim.x + threadIdx.x), hits = 0;
    for (int k = 0; k < draws; k++) {
        const unsigned x = next_random(&state) >> 17, y = next_random(&state) >> 17;
        hits += x * x + y * y < 1u << 30;
    }
    for (int step = 16; step > 0; step /= 2)
        hits += __shfl_down_sync(0xffffffffu, hits, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(inside, hits);
}

__global__ void option_paths(float *ends, int steps, float up, float down, int paths)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= paths)
        return;
    unsigned state = seeded(i);
    float price = 100.0f, highest = price;
    for (int k = 0; k < steps; k++) {
        price *= next_random(&state) >> 31 ? up : down;
        highest = fmaxf(highest, price);
    }
    ends[i] = fmaxf(0.0f, highest - 105.0f);
}

__global__ void walks(unsigned *visits, int steps, int mask, int walkers)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= walkers)
        return;
    unsigned state = seeded(i);
    int x = 0, y = 0;
    for (int k = 0; k < steps; k++) {
        const unsigned r = next_random(&state) >> 30;
        x += r == 0 ? 1 : r == 1 ? -1 : 0;
        y += r == 2 ? 1 : r == 3 ? -1 : 0;
    }
    atomicAdd(&visits[(y & mask) * (mask + 1) + (x & mask)], 1u);
}

__global__ void draw(unsigned *states, float *numbers, int each, int threads)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads)
        return;
    unsigned state = states[i];
    for (int k = 0; k < each; k++)
        numbers[k * threads + i] = (next_random(&state) >> 8) / 16777216.0f;
    states[i] = state;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 32) * 256, rounds = argument(argc, argv, 2, 1);
    const int draws = 64, steps = 100, each = 8, mask = 63;
    const float up = 1.01f, down = 0.991f;
    std::vector<unsigned> inside(1), visits((mask + 1) * (mask + 1)), states(n), after(n);
    std::vector<float> ends(n), numbers((size_t)n * each);
    for (int i = 0; i < n; i++) {
        unsigned state = seeded(i);
        for (int k = 0; k < draws; k++) {
            const unsigned x = next_random(&state) >> 17, y = next_random(&state) >> 17;
            inside[0] += x * x + y * y < 1u << 30;
        }
        state = seeded(i);
        float price = 100.0f, highest = price;
        for (int k = 0; k < steps; k++)
            highest = fmaxf(highest, price *= next_random(&state) >> 31 ? up : down);
        ends[i] = fmaxf(0.0f, highest - 105.0f);
        state = seeded(i);
        int x = 0, y = 0;
        for (int k = 0; k < steps; k++) {
            const unsigned r = next_random(&state) >> 30;
            x += (r == 0) - (r == 1);
            y += (r == 2) - (r == 3);
        }
        visits[(y & mask) * (mask + 1) + (x & mask)]++;
        state = states[i] = seeded(i);
        for (int k = 0; k < each; k++)
            numbers[(size_t)k * n + i] = (next_random(&state) >> 8) / 16777216.0f;
        after[i] = state;
    }
    unsigned *dinside = device_zeros<unsigned>(1), *dvisits = device_zeros<unsigned>(visits.size());
    unsigned *start = to_device(states), *dstates = to_device(states);
    float *dends = device_zeros<float>(n), *dnumbers = device_zeros<float>(numbers.size());
    for (int round = 0; round < rounds; round++) {
        fill_array<<<1, 32>>>(dinside, 0u, 1);
        fill_array<<<16, 256>>>(dvisits, 0u, (int)visits.size());
        copy_array<<<n / 256, 256>>>(dstates, start, n);
        points_in_circle<<<n / 256, 256>>>(dinside, draws);
        option_paths<<<n / 128, 128>>>(dends, steps, up, down, n);
        walks<<<n / 256, 256>>>(dvisits, steps, mask, n);
        draw<<<n / 256, 256>>>(dstates, dnumbers, each, n);
    }
    expect("points_in_circle", dinside, inside);
    expect("option_paths", dends, ends, 1e-3);
    expect("walks", dvisits, visits);
    expect("draw", dnumbers, numbers);
    expect("draw, states", dstates, after);
    return verdict();
}
