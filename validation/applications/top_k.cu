// The largest of each row of 512: a thread a row with its list in registers, a warp a row whose lanes' lists are merged,
// a block a row by repeated maxima, by sorting, and by selecting digit after digit.
#include "common.h"

#define COLUMNS 512
#define K 8
#define KEPT 32

typedef unsigned long long Key;

// Greater for greater values, and for the first of equal ones; all inputs are at least 0.
__host__ __device__ inline Key pack(unsigned bits, int column)
{
    return (Key)bits << 32 | (unsigned)(COLUMNS - 1 - column);
}

__global__ void rows_thread(const float *in, float *values, int *columns, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float best[K];
    int at[K];
#pragma unroll
    for (int k = 0; k < K; k++) {
        best[k] = -1.0f;
        at[k] = 0;
    }
    for (int c = 0; c < COLUMNS; c++) {
        float v = in[row * COLUMNS + c];
        int column = c;
        if (v <= best[K - 1])
            continue;
        bool placed = false;
#pragma unroll
        for (int k = 0; k < K; k++)
            if (placed || v > best[k]) {
                placed = true;
                const float w = best[k];
                const int other = at[k];
                best[k] = v;
                at[k] = column;
                v = w;
                column = other;
            }
    }
#pragma unroll
    for (int k = 0; k < K; k++) {
        values[row * K + k] = best[k];
        columns[row * K + k] = at[k];
    }
}

__device__ __forceinline__ Key warp_max(Key key)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        const Key other = __shfl_xor_sync(0xffffffffu, key, step);
        key = other > key ? other : key;
    }
    return key;
}

// Each lane keeps the best of its columns in order; the warp takes the best head K times.
__global__ void rows_warp(const float4 *__restrict__ in, float *__restrict__ values,
                          int *__restrict__ columns, int rows)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    Key best[K];
#pragma unroll
    for (int k = 0; k < K; k++)
        best[k] = 0;
    for (int f = lane; f < COLUMNS / 4; f += 32) {
        const float4 v = in[row * (COLUMNS / 4) + f];
        const float part[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int m = 0; m < 4; m++) {
            Key key = pack(__float_as_uint(part[m]), 4 * f + m);
#pragma unroll
            for (int k = 0; k < K; k++) {
                const Key low = min(best[k], key);
                best[k] = max(best[k], key);
                key = low;
            }
        }
    }
    Key mine = 0;
    for (int k = 0; k < K; k++) {
        const Key top = warp_max(best[0]);
        if (best[0] == top) {
#pragma unroll
            for (int m = 0; m < K - 1; m++)
                best[m] = best[m + 1];
            best[K - 1] = 0;
        }
        if (lane == k)
            mine = top;
    }
    if (lane < K) {
        values[row * K + lane] = __uint_as_float((unsigned)(mine >> 32));
        columns[row * K + lane] = COLUMNS - 1 - (int)(unsigned)mine;
    }
}

__global__ void rows_maxima(const float *in, float *values, int *columns)
{
    __shared__ float s[COLUMNS];
    __shared__ Key warps[4];
    const int t = threadIdx.x, row = blockIdx.x;
    for (int c = t; c < COLUMNS; c += 128)
        s[c] = in[row * COLUMNS + c];
    for (int k = 0; k < K; k++) {
        __syncthreads();
        Key best = 0;
        for (int c = t; c < COLUMNS; c += 128)
            if (s[c] >= 0.0f)
                best = max(best, pack(__float_as_uint(s[c]), c));
        best = warp_max(best);
        if (t % 32 == 0)
            warps[t / 32] = best;
        __syncthreads();
        if (t == 0) {
            best = max(max(warps[0], warps[1]), max(warps[2], warps[3]));
            const int column = COLUMNS - 1 - (int)(unsigned)best;
            values[row * K + k] = s[column];
            columns[row * K + k] = column;
            s[column] = -1.0f;
        }
    }
}

// The whole row in order, greatest first.
__global__ void rows_sort(const float *__restrict__ in, float *__restrict__ values,
                          int *__restrict__ columns)
{
    __shared__ Key s[COLUMNS];
    const int t = threadIdx.x, row = blockIdx.x;
    for (int c = t; c < COLUMNS; c += COLUMNS / 2)
        s[c] = pack(__float_as_uint(in[row * COLUMNS + c]), c);
    for (int size = 2; size <= COLUMNS; size *= 2)
        for (int apart = size / 2; apart > 0; apart /= 2) {
            __syncthreads();
            const int a = 2 * t - t % apart, b = a + apart;
            const Key x = s[a], y = s[b];
            if ((x < y) == ((a & size) == 0)) {
                s[a] = y;
                s[b] = x;
            }
        }
    __syncthreads();
    if (t < K) {
        values[row * K + t] = __uint_as_float((unsigned)(s[t] >> 32));
        columns[row * K + t] = COLUMNS - 1 - (int)(unsigned)s[t];
    }
}

// The columns of the KEPT largest, in order of columns: a count of the digits finds the least of them.
__global__ void rows_digits(const float *__restrict__ in, int *__restrict__ columns)
{
    __shared__ unsigned s[COLUMNS];
    __shared__ int counts[256];
    __shared__ unsigned chosen;
    __shared__ int missing;
    const int t = threadIdx.x, row = blockIdx.x;
    for (int c = t; c < COLUMNS; c += 256)
        s[c] = __float_as_uint(in[row * COLUMNS + c]);
    unsigned prefix = 0;
    int want = KEPT;
    for (int shift = 24; shift >= 0; shift -= 8) {
        counts[t] = 0;
        __syncthreads();
        const unsigned mask = shift == 24 ? 0 : 0xffffffffu << (shift + 8);
        for (int c = t; c < COLUMNS; c += 256)
            if ((s[c] & mask) == prefix)
                atomicAdd(&counts[s[c] >> shift & 255], 1);
        __syncthreads();
        if (t < 32) {
            // lane l has the digits 255 - 8 l down to 248 - 8 l
            int sum = 0;
            for (int m = 0; m < 8; m++)
                sum += counts[255 - 8 * t - m];
            int before = sum;
            for (int step = 1; step < 32; step *= 2) {
                const int other = __shfl_up_sync(0xffffffffu, before, step);
                before += t >= step ? other : 0;
            }
            before -= sum;
            if (before < want && before + sum >= want) {
                int digit = 255 - 8 * t;
                while (before + counts[digit] < want)
                    before += counts[digit--];
                chosen = prefix | (unsigned)digit << shift;
                missing = want - before;
            }
        }
        __syncthreads();
        prefix = chosen;
        want = missing;
    }
    if (t >= 32)
        return;
    int place = 0;
    for (int c = t; c < COLUMNS; c += 32) {
        const unsigned below = (1u << t) - 1, equal = __ballot_sync(0xffffffffu, s[c] == prefix);
        const bool take = s[c] > prefix || (s[c] == prefix && __popc(equal & below) < want);
        const unsigned taken = __ballot_sync(0xffffffffu, take);
        if (take)
            columns[row * KEPT + place + __popc(taken & below)] = c;
        place += __popc(taken);
        want -= __popc(equal);
    }
}

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 128), rounds = argument(argc, argv, 2, 1);
    const std::vector<float> in = units((size_t)rows * COLUMNS, 21);
    std::vector<float> values(rows * K);
    std::vector<int> columns(rows * K), kept(rows * KEPT);
    for (int row = 0; row < rows; row++) {
        const float *v = &in[(size_t)row * COLUMNS];
        std::vector<int> order(COLUMNS);
        for (int c = 0; c < COLUMNS; c++)
            order[c] = c;
        std::stable_sort(order.begin(), order.end(), [v](int a, int b) { return v[a] > v[b]; });
        for (int k = 0; k < K; k++) {
            values[row * K + k] = v[order[k]];
            columns[row * K + k] = order[k];
        }
        std::sort(order.begin(), order.begin() + KEPT);
        std::copy(order.begin(), order.begin() + KEPT, &kept[row * KEPT]);
    }
    float *din = to_device(in), *best[4];
    int *at[4], *dkept = device_zeros<int>(rows * KEPT);
    for (int k = 0; k < 4; k++) {
        best[k] = device_zeros<float>(rows * K);
        at[k] = device_zeros<int>(rows * K);
    }
    for (int round = 0; round < rounds; round++) {
        rows_thread<<<ceil_div(rows, 64), 64>>>(din, best[0], at[0], rows);
        rows_warp<<<ceil_div(rows, 4), 128>>>((float4 *)din, best[1], at[1], rows);
        rows_maxima<<<rows, 128>>>(din, best[2], at[2]);
        rows_sort<<<rows, COLUMNS / 2>>>(din, best[3], at[3]);
        rows_digits<<<rows, 256>>>(din, dkept);
    }
    const char *names[4] = {"rows_thread", "rows_warp", "rows_maxima", "rows_sort"};
    for (int k = 0; k < 4; k++) {
        expect(names[k], best[k], values);
        expect(names[k], at[k], columns);
    }
    expect("rows_digits", dkept, kept);
    return verdict();
}
