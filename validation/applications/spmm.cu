// A sparse matrix times a dense one of 64 columns: CSR by a thread a result, a warp a row, a warp a row that fetches 32
// entries at once for all its lanes, and by tasks of at most 64 entries; ELL by float4.
#include "common.h"

#define COLUMNS 64
#define SPAN 64

__global__ void csr_plain(const int *start, const int *column, const float *value,
                          const float *dense, float *out, int rows)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * dense[column[k] * COLUMNS + j];
    out[row * COLUMNS + j] = sum;
}

// Two neighbouring columns a lane.
__global__ void csr_warp(const int *__restrict__ start, const int *__restrict__ column,
                         const float *__restrict__ value, const float2 *__restrict__ dense,
                         float2 *__restrict__ out, int rows)
{
    const int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows)
        return;
    const int end = start[row + 1];
    float2 sum = make_float2(0.0f, 0.0f);
#pragma unroll 4
    for (int k = start[row]; k < end; k++) {
        const float a = value[k];
        const float2 b = dense[column[k] * 32 + lane];
        sum.x = fmaf(a, b.x, sum.x);
        sum.y = fmaf(a, b.y, sum.y);
    }
    out[row * 32 + lane] = sum;
}

// Entries come in lines of 32, one a lane, and lie in shared memory while the warp uses them.
template <int WARPS>
__global__ void csr_staged(const int *__restrict__ start, const int *__restrict__ column,
                           const float *__restrict__ value, const float *__restrict__ dense,
                           float *__restrict__ out, int rows)
{
    __shared__ int at[WARPS][32];
    __shared__ float factor[WARPS][32];
    const int lane = threadIdx.x, warp = threadIdx.y, row = blockIdx.x * WARPS + warp;
    if (row >= rows)
        return;
    const int begin = start[row], end = start[row + 1];
    float left = 0.0f, right = 0.0f;
    for (int first = begin; first < end; first += 32) {
        if (first + lane < end) {
            at[warp][lane] = column[first + lane] * COLUMNS;
            factor[warp][lane] = value[first + lane];
        }
        __syncwarp();
        const int count = min(32, end - first);
        for (int k = 0; k < count; k++) {
            const float a = factor[warp][k];
            const float *b = dense + at[warp][k] + lane;
            left += a * b[0];
            right += a * b[32];
        }
        __syncwarp();
    }
    out[row * COLUMNS + lane] = left;
    out[row * COLUMNS + 32 + lane] = right;
}

// Rows are sorted into tasks of at most SPAN entries; 16 threads a task, a float4 each. What a long row's tasks have is
// added by the kernel below, in the tasks' order.
__global__ void __launch_bounds__(128)
    csr_tasks(const int4 *__restrict__ tasks, const int *__restrict__ column,
              const float *__restrict__ value, const float4 *__restrict__ dense,
              float4 *__restrict__ out, float4 *__restrict__ parts, int count)
{
    const int j = threadIdx.x % 16, i = (blockIdx.x * 128 + threadIdx.x) / 16;
    if (i >= count)
        return;
    const int4 task = tasks[i];
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int k = task.y; k < task.z; k++) {
        const float a = __ldg(&value[k]);
        const float4 b = __ldg(&dense[__ldg(&column[k]) * 16 + j]);
        sum.x += a * b.x;
        sum.y += a * b.y;
        sum.z += a * b.z;
        sum.w += a * b.w;
    }
    if (task.w < 0)
        out[task.x * 16 + j] = sum;
    else
        parts[task.w * 16 + j] = sum;
}

// Of each long row: the row, its first part and the part after its last.
__global__ void add_parts(const int *long_rows, const float *parts, float *out)
{
    const int row = long_rows[3 * blockIdx.x], j = threadIdx.x;
    float sum = 0;
    for (int p = long_rows[3 * blockIdx.x + 1]; p < long_rows[3 * blockIdx.x + 2]; p++)
        sum += parts[p * COLUMNS + j];
    out[row * COLUMNS + j] = sum;
}

// WIDTH entries a row, entry k of all rows together; the few that do not fit are left out here.
template <int WIDTH>
__global__ void ell_vector(const int *__restrict__ column, const float *__restrict__ value,
                           const float4 *__restrict__ dense, float4 *__restrict__ out, int rows)
{
    const int j = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 4
    for (int k = 0; k < WIDTH; k++) {
        const int at = column[k * rows + row];
        if (at < 0)
            break;
        const float a = value[k * rows + row];
        const float4 b = dense[at * 16 + j];
        sum.x += a * b.x;
        sum.y += a * b.y;
        sum.z += a * b.z;
        sum.w += a * b.w;
    }
    out[row * 16 + j] = sum;
}

#define WIDTH 24

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1),
              n = rows * COLUMNS;
    std::vector<int> start(1), column, ell_column((size_t)WIDTH * rows, -1), long_rows;
    std::vector<float> value, ell_value(ell_column.size()), want(n), want_ell(n);
    const std::vector<float> dense = units(n, 1);
    std::vector<int4> tasks;
    int parts = 0;
    for (int row = 0; row < rows; row++) {
        // 4 to 27 entries, none at all in one row of 50, and 20 times as many in one of 100.
        int length = 4 + hash32(row + 5) % 24;
        length *= hash32(row + 77) % 50 == 0 ? 0 : hash32(row + 99) % 100 == 0 ? 20 : 1;
        for (int k = 0; k < length; k++) {
            // Half of the entries near the diagonal.
            const unsigned h = hash32(row * 641 + k * 7);
            const int near = std::min(std::max(row + (int)(h / 2 % 128) - 64, 0), rows - 1),
                      c = h % 2 ? near : (int)(h / 2 % rows);
            const float v = unit(h);
            column.push_back(c);
            value.push_back(v);
            if (k < WIDTH) {
                ell_column[(size_t)k * rows + row] = c;
                ell_value[(size_t)k * rows + row] = v;
            }
            for (int j = 0; j < COLUMNS; j++) {
                want[row * COLUMNS + j] += v * dense[c * COLUMNS + j];
                if (k < WIDTH)
                    want_ell[row * COLUMNS + j] += v * dense[c * COLUMNS + j];
            }
        }
        start.push_back((int)column.size());
        if (length <= SPAN) {
            tasks.push_back(make_int4(row, start[row], start[row + 1], -1));
            continue;
        }
        long_rows.insert(long_rows.end(), {row, parts, parts + ceil_div(length, SPAN)});
        for (int k = start[row]; k < start[row + 1]; k += SPAN)
            tasks.push_back(make_int4(row, k, std::min(k + SPAN, start[row + 1]), parts++));
    }
    column.push_back(0); // so that no array is empty
    value.push_back(0);
    const int longs = (int)long_rows.size() / 3, count = (int)tasks.size();
    long_rows.push_back(0);
    const int *s = to_device(start), *c = to_device(column), *ec = to_device(ell_column),
              *dlong = to_device(long_rows);
    const float *v = to_device(value), *ev = to_device(ell_value), *b = to_device(dense);
    const int4 *dtasks = to_device(tasks);
    float *out[5], *dparts = device_zeros<float>((parts + 1) * COLUMNS);
    for (int k = 0; k < 5; k++)
        out[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        csr_plain<<<dim3(COLUMNS / 32, ceil_div(rows, 8)), dim3(32, 8)>>>(s, c, v, b, out[0], rows);
        csr_warp<<<ceil_div(rows, 8), 256>>>(s, c, v, (const float2 *)b, (float2 *)out[1], rows);
        csr_staged<4><<<ceil_div(rows, 4), dim3(32, 4)>>>(s, c, v, b, out[2], rows);
        csr_tasks<<<ceil_div(count, 8), 128>>>(dtasks, c, v, (const float4 *)b, (float4 *)out[3],
                                               (float4 *)dparts, count);
        if (longs > 0)
            add_parts<<<longs, COLUMNS>>>(dlong, dparts, out[3]);
        ell_vector<WIDTH><<<ceil_div(rows, 16), dim3(16, 16)>>>(ec, ev, (const float4 *)b,
                                                                (float4 *)out[4], rows);
    }
    expect("csr_plain", out[0], want, 1e-5);
    expect("csr_warp", out[1], want, 1e-5);
    expect("csr_staged", out[2], want, 1e-5);
    expect("csr_tasks", out[3], want, 1e-5);
    expect("ell_vector", out[4], want_ell, 1e-5);
    return verdict();
}
