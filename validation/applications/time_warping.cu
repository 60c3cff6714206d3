// Dynamic time warping of one query against many series of 96: a thread a series with its row in memory, a block a series
// by diagonals, a warp a series by shuffles; banded with the band in registers, and Keogh's lower bound of it.
#include "common.h"

#define LENGTH 96
#define RADIUS 6
#define BAND (2 * RADIUS + 1)
#define EACH (LENGTH / 32)
#define INFINITE 1e30f

__constant__ float c_query[LENGTH];

// What the step to a cell costs, whose neighbours' sums are left, above and both.
__device__ __forceinline__ float cell(float a, float b, float left, float above, float both)
{
    const float d = a - b;
    return d * d + fminf(fminf(left, above), both);
}

// Series by rows. The last row of sums lies in memory, a column a thread.
__global__ void warp_thread(const float *query, const float *series, float *sums, float *out,
                            int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    for (int k = 0; k < LENGTH; k++)
        sums[k * count + i] = INFINITE;
    for (int row = 0; row < LENGTH; row++) {
        float left = INFINITE, both = row == 0 ? 0 : INFINITE, value = series[i * LENGTH + row];
        for (int k = 0; k < LENGTH; k++) {
            float above = sums[k * count + i];
            left = cell(value, query[k], left, above, both);
            sums[k * count + i] = left;
            both = above;
        }
    }
    out[i] = sums[(LENGTH - 1) * count + i];
}

// The cells of a diagonal at once, three diagonals kept. Row t is that of thread t.
__global__ void __launch_bounds__(LENGTH)
    warp_diagonals(const float *__restrict__ query, const float *__restrict__ series,
                   float *__restrict__ out)
{
    __shared__ float q[LENGTH], diagonals[3][LENGTH + 1];
    const int t = threadIdx.x;
    const float value = series[blockIdx.x * LENGTH + t];
    q[t] = query[t];
    for (int k = 0; k < 3; k++) {
        diagonals[k][t + 1] = INFINITE;
        if (t == 0)
            diagonals[k][0] = INFINITE;
    }
    __syncthreads();
    float *now = diagonals[0], *before = diagonals[1], *old = diagonals[2];
    for (int diagonal = 0; diagonal < 2 * LENGTH - 1; diagonal++) {
        const int column = diagonal - t;
        if (column >= 0 && column < LENGTH) {
            // index r + 1 is row r: the row above is at t
            const float both = diagonal == 0 ? 0.0f : column == 0 ? INFINITE : old[t];
            now[t + 1] = cell(value, q[column], column > 0 ? before[t + 1] : INFINITE, before[t],
                              both);
        }
        __syncthreads();
        float *last = old;
        old = before;
        before = now;
        now = last;
    }
    if (t == LENGTH - 1)
        out[blockIdx.x] = before[LENGTH];
}

// A lane has EACH columns of the query and is a row behind the lane before it.
__global__ void __launch_bounds__(128)
    warp_lanes(const float *__restrict__ query, const float *__restrict__ series,
               float *__restrict__ out, int count)
{
    __shared__ float s[4][LENGTH];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * 4 + warp;
    if (i >= count)
        return;
    float q[EACH], sums[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        q[k] = query[lane * EACH + k];
        sums[k] = INFINITE;
        s[warp][lane + 32 * k] = series[i * LENGTH + lane + 32 * k];
    }
    __syncwarp();
    float both = lane == 0 ? 0.0f : INFINITE;
    for (int turn = 0; turn < LENGTH + 31; turn++) {
        const int row = turn - lane;
        float left = __shfl_up_sync(0xffffffffu, sums[EACH - 1], 1);
        if (lane == 0)
            left = INFINITE;
        if (row >= 0 && row < LENGTH) {
            const float value = s[warp][row], next = left;
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                const float above = sums[k];
                left = cell(value, q[k], left, above, both);
                sums[k] = left;
                both = above;
            }
            both = lane == 0 ? INFINITE : next;
        }
    }
    if (lane == 31)
        out[i] = sums[EACH - 1];
}

// Series by columns; the band moves one to the right a row, and is a thread's registers.
__global__ void band_registers(const float *__restrict__ series, float *__restrict__ out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float sums[BAND + 1];
#pragma unroll
    for (int k = 0; k <= BAND; k++)
        sums[k] = INFINITE;
    // place k of row r is column r + k - RADIUS
    for (int row = 0; row < LENGTH; row++) {
        const float value = series[row * count + i];
        float left = INFINITE;
#pragma unroll
        for (int k = 0; k < BAND; k++) {
            const int column = row + k - RADIUS;
            if (column >= 0 && column < LENGTH)
                left = cell(value, c_query[column], left, sums[k + 1],
                            row + column == 0 ? 0.0f : sums[k]);
            else
                left = INFINITE;
            sums[k] = left;
        }
    }
    out[i] = sums[RADIUS];
}

// How far the series leaves the band's least and greatest values of the query; four lanes a series.
__global__ void bound(const float4 *__restrict__ series, const float4 *__restrict__ lower,
                      const float4 *__restrict__ upper, float *__restrict__ out, int count)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, i = thread / 4, part = thread % 4;
    float sum = 0.0f;
    if (i < count)
#pragma unroll
        for (int k = part; k < LENGTH / 4; k += 4) {
            const float4 v = series[i * (LENGTH / 4) + k], l = lower[k], u = upper[k];
            const float x = fmaxf(fmaxf(v.x - u.x, l.x - v.x), 0.0f),
                        y = fmaxf(fmaxf(v.y - u.y, l.y - v.y), 0.0f),
                        z = fmaxf(fmaxf(v.z - u.z, l.z - v.z), 0.0f),
                        w = fmaxf(fmaxf(v.w - u.w, l.w - v.w), 0.0f);
            sum += x * x + y * y + z * z + w * w;
        }
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    if (i < count && part == 0)
        out[i] = sum;
}

static float warped(const float *a, const float *b, int radius)
{
    std::vector<double> sums((LENGTH + 1) * (LENGTH + 1), INFINITE);
    sums[0] = 0;
    for (int r = 1; r <= LENGTH; r++)
        for (int c = std::max(1, r - radius); c <= std::min(LENGTH, r + radius); c++) {
            const double d = a[r - 1] - b[c - 1], *above = &sums[(r - 1) * (LENGTH + 1) + c];
            sums[r * (LENGTH + 1) + c] = d * d + std::min({above[0], above[-1], above[LENGTH]});
        }
    return (float)sums.back();
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64), rounds = argument(argc, argv, 2, 1);
    std::vector<float> query(LENGTH), lower(LENGTH, INFINITE), upper(LENGTH, -INFINITE),
        series(n * LENGTH), columns(series.size()), whole(n), band(n), bounds(n);
    for (int k = 0; k < LENGTH; k++)
        query[k] = sinf(0.2f * k) + 0.2f * unit(k);
    for (int k = 0; k < LENGTH; k++)
        for (int m = std::max(0, k - RADIUS); m <= std::min(LENGTH - 1, k + RADIUS); m++) {
            lower[k] = std::min(lower[k], query[m]);
            upper[k] = std::max(upper[k], query[m]);
        }
    // Waves of other phases, heights and lengths.
    for (int i = 0; i < n; i++)
        for (int k = 0; k < LENGTH; k++) {
            const float phase = 3.0f * unit(3 * i + 7000), high = 0.7f + 0.6f * unit(3 * i + 7001),
                        speed = 0.15f + 0.1f * unit(3 * i + 7002);
            series[i * LENGTH + k] = high * sinf(speed * k + phase) + 0.2f * unit(i * LENGTH + k);
            columns[k * n + i] = series[i * LENGTH + k];
        }
    for (int i = 0; i < n; i++) {
        const float *v = &series[i * LENGTH];
        double sum = 0;
        for (int k = 0; k < LENGTH; k++)
            sum += pow(std::max({v[k] - upper[k], lower[k] - v[k], 0.0f}), 2);
        whole[i] = warped(v, query.data(), LENGTH);
        band[i] = warped(v, query.data(), RADIUS);
        bounds[i] = (float)sum;
    }
    CHECK(cudaMemcpyToSymbol(c_query, query.data(), sizeof c_query));
    const float *dquery = to_device(query), *dseries = to_device(series),
                *dcolumns = to_device(columns), *dlower = to_device(lower),
                *dupper = to_device(upper);
    float *sums = device_zeros<float>(n * LENGTH), *out[5];
    for (int k = 0; k < 5; k++)
        out[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        warp_thread<<<ceil_div(n, 64), 64>>>(dquery, dseries, sums, out[0], n);
        warp_diagonals<<<n, LENGTH>>>(dquery, dseries, out[1]);
        warp_lanes<<<ceil_div(n, 4), 128>>>(dquery, dseries, out[2], n);
        band_registers<<<ceil_div(n, 64), 64>>>(dcolumns, out[3], n);
        bound<<<ceil_div(n, 32), 128>>>((const float4 *)dseries, (const float4 *)dlower,
                                        (const float4 *)dupper, out[4], n);
    }
    expect("warp_thread", out[0], whole, 1e-4);
    expect("warp_diagonals", out[1], whole, 1e-4);
    expect("warp_lanes", out[2], whole, 1e-4);
    expect("band_registers", out[3], band, 1e-4);
    expect("bound", out[4], bounds, 1e-4);
    return verdict();
}
