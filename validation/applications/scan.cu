// Prefix sums in blocks of 512: with log steps over all, up and down a tree without and with padding, and by
// shuffles; then a scan of the blocks' sums, added to all.
#include "common.h"

#define BLOCK 512
#define PADDED(i) ((i) + (i) / 32)

__global__ void scan_steps(const int *in, int *out)
{
    __shared__ int s[2][BLOCK];
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int now = 0;
    s[0][t] = in[i];
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        s[1 - now][t] = s[now][t] + (t >= step ? s[now][t - step] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[i] = s[now][t];
}

// Half as many threads as elements; PAD keeps elements that lie a power of two apart out of one bank.
template <bool PAD> __global__ void scan_tree(const int *in, int *out)
{
    __shared__ int s[BLOCK + BLOCK / 32];
    const int t = threadIdx.x, base = blockIdx.x * BLOCK;
    const int a = 2 * t, b = 2 * t + 1;
    s[PAD ? PADDED(a) : a] = in[base + a];
    s[PAD ? PADDED(b) : b] = in[base + b];
    int step = 1;
    for (int active = BLOCK / 2; active > 0; active /= 2) {
        __syncthreads();
        if (t < active) {
            const int left = step * a + step - 1, right = step * b + step - 1;
            s[PAD ? PADDED(right) : right] += s[PAD ? PADDED(left) : left];
        }
        step *= 2;
    }
    __syncthreads();
    if (t == 0)
        s[PAD ? PADDED(BLOCK - 1) : BLOCK - 1] = 0;
    for (int active = 1; active < BLOCK; active *= 2) {
        step /= 2;
        __syncthreads();
        if (t < active) {
            const int left = step * a + step - 1, right = step * b + step - 1;
            const int kept = s[PAD ? PADDED(left) : left];
            s[PAD ? PADDED(left) : left] = s[PAD ? PADDED(right) : right];
            s[PAD ? PADDED(right) : right] += kept;
        }
    }
    __syncthreads();
    out[base + a] = s[PAD ? PADDED(a) : a] + in[base + a];
    out[base + b] = s[PAD ? PADDED(b) : b] + in[base + b];
}

__global__ void scan_shuffle(const int *in, int *out, int *sums)
{
    __shared__ int warps[BLOCK / 32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * BLOCK + t;
    int sum = in[i];
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step)
            sum += other;
    }
    if (lane == 31)
        warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int all = lane < BLOCK / 32 ? warps[lane] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, all, step);
            if (lane >= step)
                all += other;
        }
        if (lane < BLOCK / 32)
            warps[lane] = all;
    }
    __syncthreads();
    if (warp > 0)
        sum += warps[warp - 1];
    out[i] = sum;
    if (t == BLOCK - 1)
        sums[blockIdx.x] = sum;
}

__global__ void scan_sums(int *sums, int count)
{
    int before = 0;
    for (int first = 0; first < count; first += 32) {
        const int i = first + threadIdx.x;
        int sum = i < count ? sums[i] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, sum, step);
            if (threadIdx.x >= step)
                sum += other;
        }
        if (i < count)
            sums[i] = before + sum;
        before += __shfl_sync(0xffffffffu, sum, 31);
    }
}

__global__ void add_sums(int *out, const int *sums)
{
    if (blockIdx.x > 0)
        out[blockIdx.x * BLOCK + threadIdx.x] += sums[blockIdx.x - 1];
}

int main(int argc, char **argv)
{
    const int blocks = argument(argc, argv, 1, 128), rounds = argument(argc, argv, 2, 1),
              n = blocks * BLOCK;
    std::vector<int> in(n), parts(n), whole(n);
    for (int i = 0; i < n; i++) {
        in[i] = hash32(i) % 100;
        parts[i] = (i % BLOCK ? parts[i - 1] : 0) + in[i];
        whole[i] = (i ? whole[i - 1] : 0) + in[i];
    }
    int *din = to_device(in), *a = device_zeros<int>(n), *b = device_zeros<int>(n),
        *c = device_zeros<int>(n);
    int *d = device_zeros<int>(n), *sums = device_zeros<int>(blocks);
    for (int round = 0; round < rounds; round++) {
        scan_steps<<<blocks, BLOCK>>>(din, a);
        scan_tree<false><<<blocks, BLOCK / 2>>>(din, b);
        scan_tree<true><<<blocks, BLOCK / 2>>>(din, c);
        scan_shuffle<<<blocks, BLOCK>>>(din, d, sums);
        scan_sums<<<1, 32>>>(sums, blocks);
        add_sums<<<blocks, BLOCK>>>(d, sums);
    }
    expect("scan_steps", a, parts);
    expect("scan_tree", b, parts);
    expect("scan_tree, padded", c, parts);
    expect("whole", d, whole);
    return verdict();
}
