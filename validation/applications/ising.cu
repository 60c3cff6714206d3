// The Ising model by Metropolis' rule on a checkerboard, random numbers from a hash: all sites and half of the
// threads idle, the colours packed apart as bytes and as four bytes, both colours on a shared tile, and the energy.
#include "common.h"

#define BETA 0.4f
#define TILE 32

// The same on both sides: 24 random bits for a site in a sweep.
static __host__ __device__ inline unsigned random_bits(unsigned site, unsigned sweep)
{
    unsigned x = site * 0x9e3779b9u + sweep * 0x85ebca6bu + 0x1234567u;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return (x ^ (x >> 16)) >> 8;
}

// What random bits have to lie below so that a spin flips, from its product with the neighbours' sum.
struct Thresholds {
    unsigned of[5];
};

__global__ void sweep_plain(signed char *spins, int n, int colour, unsigned sweep,
                            Thresholds thresholds)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n || (x + y) % 2 != colour)
        return;
    int left = (x + n - 1) % n, right = (x + 1) % n, up = (y + n - 1) % n, down = (y + 1) % n;
    int sum = spins[y * n + left] + spins[y * n + right] + spins[up * n + x] + spins[down * n + x];
    int product = sum * spins[y * n + x];
    if (random_bits(y * n + x, sweep) < thresholds.of[product / 2 + 2])
        spins[y * n + x] = -spins[y * n + x];
}

// A colour's sites of a row lie side by side: site (y, x) at place x / 2.
template <int COLOUR>
__global__ void sweep_packed(signed char *__restrict__ own, const signed char *__restrict__ other,
                             int n, unsigned sweep, const unsigned *__restrict__ thresholds)
{
    const int half = n / 2, k = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (k >= half)
        return;
    const int shift = (y + COLOUR) & 1;
    const int up = y > 0 ? y - 1 : n - 1, down = y < n - 1 ? y + 1 : 0;
    const int beside = shift ? (k < half - 1 ? k + 1 : 0) : (k > 0 ? k - 1 : half - 1);
    const int spin = own[y * half + k];
    const int sum = other[up * half + k] + other[down * half + k] + other[y * half + k] +
                    other[y * half + beside];
    if (random_bits(y * n + 2 * k + shift, sweep) < thresholds[sum * spin / 2 + 2])
        own[y * half + k] = (signed char)-spin;
}

// Four sites of a colour a thread, over as many rows as it comes to.
template <int COLOUR>
__global__ void __launch_bounds__(128) sweep_four(char4 *own, const char4 *__restrict__ other,
                                                  int n, unsigned sweep, Thresholds limits)
{
    const int quarter = n / 8;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * quarter;
         i += gridDim.x * blockDim.x) {
        const int y = i / quarter, k = i % quarter, shift = (y + COLOUR) & 1;
        const char4 above = other[(y > 0 ? y - 1 : n - 1) * quarter + k];
        const char4 below = other[(y < n - 1 ? y + 1 : 0) * quarter + k];
        const char4 same = other[i];
        const signed char *bytes = (const signed char *)(other + y * quarter);
        const int outer = shift ? bytes[k < quarter - 1 ? 4 * k + 4 : 0]
                                : bytes[k > 0 ? 4 * k - 1 : 4 * quarter - 1];
        char4 spin = own[i];
        const int s0 = above.x + below.x + same.x + (shift ? same.y : outer);
        const int s1 = above.y + below.y + same.y + (shift ? same.z : same.x);
        const int s2 = above.z + below.z + same.z + (shift ? same.w : same.y);
        const int s3 = above.w + below.w + same.w + (shift ? outer : same.z);
        const unsigned site = y * n + 8 * k + shift;
        if (random_bits(site, sweep) < limits.of[s0 * spin.x / 2 + 2])
            spin.x = -spin.x;
        if (random_bits(site + 2, sweep) < limits.of[s1 * spin.y / 2 + 2])
            spin.y = -spin.y;
        if (random_bits(site + 4, sweep) < limits.of[s2 * spin.z / 2 + 2])
            spin.z = -spin.z;
        if (random_bits(site + 6, sweep) < limits.of[s3 * spin.w / 2 + 2])
            spin.w = -spin.w;
        own[i] = spin;
    }
}

// Both colours of a tile with a halo of two; 32 x 8 threads.
__global__ void sweep_tile(const signed char *__restrict__ in, signed char *__restrict__ out, int n,
                           unsigned sweep, Thresholds thresholds)
{
    __shared__ signed char s[TILE + 4][TILE + 4];
    const int t = threadIdx.y * TILE + threadIdx.x, x0 = blockIdx.x * TILE - 2,
              y0 = blockIdx.y * TILE - 2;
    for (int k = t; k < (TILE + 4) * (TILE + 4); k += TILE * 8) {
        const int ly = k / (TILE + 4), lx = k % (TILE + 4);
        s[ly][lx] = in[(y0 + ly + n) % n * n + (x0 + lx + n) % n];
    }
    for (int colour = 0; colour < 2; colour++) {
        __syncthreads();
        const int width = TILE + 2 - 2 * colour;
        for (int k = t; k < width * width; k += TILE * 8) {
            const int ly = k / width + 1 + colour, lx = k % width + 1 + colour;
            const int y = (y0 + ly + n) % n, x = (x0 + lx + n) % n;
            if (((x + y) & 1) != colour)
                continue;
            const int sum = s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] + s[ly + 1][lx];
            if (random_bits(y * n + x, sweep) < thresholds.of[sum * s[ly][lx] / 2 + 2])
                s[ly][lx] = -s[ly][lx];
        }
    }
    __syncthreads();
    for (int ly = threadIdx.y + 2; ly < TILE + 2; ly += 8)
        out[(y0 + ly) * n + x0 + threadIdx.x + 2] = s[ly][threadIdx.x + 2];
}

__global__ void energy(const signed char *spins, int n, int *sums)
{
    int bonds = 0, spin_sum = 0;
    for (int y = blockIdx.x; y < n; y += gridDim.x)
        for (int x = threadIdx.x; x < n; x += blockDim.x) {
            const int spin = spins[y * n + x];
            bonds -= spin * (spins[y * n + (x + 1) % n] + spins[(y + 1) % n * n + x]);
            spin_sum += spin;
        }
    for (int step = 16; step > 0; step /= 2) {
        bonds += __shfl_down_sync(0xffffffffu, bonds, step);
        spin_sum += __shfl_down_sync(0xffffffffu, spin_sum, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[0], bonds);
        atomicAdd(&sums[1], spin_sum);
    }
}

int main(int argc, char **argv)
{
    const int n = ceil_div(argument(argc, argv, 1, 128), TILE) * TILE,
              rounds = argument(argc, argv, 2, 1), sites = n * n;
    Thresholds thresholds;
    for (int k = 0; k < 5; k++)
        thresholds.of[k] = (unsigned)(exp(std::min(0.0, -2.0 * BETA * (2 * k - 4))) * (1 << 24));
    std::vector<signed char> start(sites), want, packed(sites), want_packed(sites);
    std::vector<int> sums(2);
    for (int i = 0; i < sites; i++)
        start[i] = hash32(i) % 3 ? 1 : -1;
    want = start;
    for (int colour = 0; colour < 2; colour++)
        for (int y = 0; y < n; y++)
            for (int x = (y + colour) % 2; x < n; x += 2) {
                const int sum = want[y * n + (x + 1) % n] + want[y * n + (x + n - 1) % n] +
                                want[(y + 1) % n * n + x] + want[(y + n - 1) % n * n + x];
                signed char *spin = &want[y * n + x];
                if (random_bits(y * n + x, 7) < thresholds.of[sum * *spin / 2 + 2])
                    *spin = -*spin;
            }
    for (int i = 0; i < sites; i++) {
        const int y = i / n, x = i % n, place = (x + y) % 2 * (sites / 2) + y * (n / 2) + x / 2;
        packed[place] = start[i];
        want_packed[place] = want[i];
        sums[0] -= want[i] * (want[y * n + (x + 1) % n] + want[(y + 1) % n * n + x]);
        sums[1] += want[i];
    }
    const signed char *from = to_device(start), *from_packed = to_device(packed);
    signed char *plain = to_device(start), *tile = to_device(start), *a = to_device(packed),
                *b = to_device(packed);
    const unsigned *limits = to_device(std::vector<unsigned>(thresholds.of, thresholds.of + 5));
    int *dsums = device_zeros<int>(2);
    const dim3 row_grid(ceil_div(n / 2, 128), n), block(32, 8), grid(n / 32, n / 8);
    const int blocks = std::min(528, n * n / 8 / 128);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<sites / 256, 256>>>(plain, from, sites);
        copy_array<<<sites / 256, 256>>>(a, from_packed, sites);
        copy_array<<<sites / 256, 256>>>(b, from_packed, sites);
        fill_array<<<1, 32>>>(dsums, 0, 2);
        for (int colour = 0; colour < 2; colour++)
            sweep_plain<<<grid, block>>>(plain, n, colour, 7, thresholds);
        sweep_packed<0><<<row_grid, 128>>>(a, a + sites / 2, n, 7, limits);
        sweep_packed<1><<<row_grid, 128>>>(a + sites / 2, a, n, 7, limits);
        sweep_four<0><<<blocks, 128>>>((char4 *)b, (char4 *)(b + sites / 2), n, 7, thresholds);
        sweep_four<1><<<blocks, 128>>>((char4 *)(b + sites / 2), (char4 *)b, n, 7, thresholds);
        sweep_tile<<<dim3(n / TILE, n / TILE), block>>>(from, tile, n, 7, thresholds);
        energy<<<std::min(n, 264), 256>>>(tile, n, dsums);
    }
    expect("sweep_plain", plain, want);
    expect("sweep_packed", a, want_packed);
    expect("sweep_four", b, want_packed);
    expect("sweep_tile", tile, want);
    expect("energy", dsums, sums);
    return verdict();
}
