// A step of page rank: each vertex pulls from those that link to it, a warp a vertex pulls, each vertex pushes by
// atomics, and how far ranks have moved.
#include "common.h"

#define KEEP 0.85f

__global__ void share_rank(const float *rank, const int *degree, float *given, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n)
        given[v] = KEEP * rank[v] / degree[v];
}

__global__ void pull(const int *row, const int *column, const float *given, float *rank, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    float sum = (1 - KEEP) / n;
    for (int e = row[v]; e < row[v + 1]; e++)
        sum += given[column[e]];
    rank[v] = sum;
}

__global__ void pull_warp(const int *__restrict__ row, const int *__restrict__ column,
                          const float *__restrict__ given, float *__restrict__ rank, int n)
{
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= n)
        return;
    float sum = 0.0f;
    for (int e = row[v] + lane; e < row[v + 1]; e += 32)
        sum += given[column[e]];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0)
        rank[v] = sum + (1 - KEEP) / n;
}

__global__ void push(const int *row, const int *column, const float *given, float *rank, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    for (int e = row[v]; e < row[v + 1]; e++)
        atomicAdd(&rank[column[e]], given[v]);
}

__global__ void moved(const float *before, const float *after, float *far, int n)
{
    __shared__ float part[256];
    float sum = 0.0f;
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x)
        sum += fabsf(after[v] - before[v]);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step)
            part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(far, part[0]);
}

static void by_rows(const std::vector<std::vector<int>> &to, std::vector<int> &row,
                    std::vector<int> &column)
{
    row.assign(1, 0);
    for (size_t v = 0; v < to.size(); v++) {
        column.insert(column.end(), to[v].begin(), to[v].end());
        row.push_back((int)column.size());
    }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 4096), rounds = argument(argc, argv, 2, 1);
    std::vector<std::vector<int>> out(n), in(n);
    std::vector<int> row, column, in_row, in_column, degree(n);
    for (int v = 0; v < n; v++) { // few vertices have many links to them
        degree[v] = 2 + hash32(v) % 13;
        for (int e = 0; e < degree[v]; e++) {
            const float u = unit(v * 16 + e);
            const int other = std::min(n - 1, (int)(u * u * u * n));
            out[v].push_back(other);
            in[other].push_back(v);
        }
    }
    by_rows(out, row, column);
    by_rows(in, in_row, in_column);
    const std::vector<float> rank(n, 1.0f / n);
    std::vector<float> want(n, (1 - KEEP) / n), far(1);
    for (int v = 0; v < n; v++)
        for (int e = 0; e < degree[v]; e++)
            want[out[v][e]] += KEEP * rank[v] / degree[v];
    double sum = 0;
    for (int v = 0; v < n; v++)
        sum += fabs(want[v] - rank[v]);
    far[0] = (float)sum;
    for (int v = 0; v < n; v++)
        want[v] *= n; // so that a wrong one is seen
    float *drank = to_device(rank), *given = device_zeros<float>(n), *dfar = device_zeros<float>(1),
          *r[3];
    int *drow = to_device(row), *dcolumn = to_device(column), *ddegree = to_device(degree);
    int *din_row = to_device(in_row), *din_column = to_device(in_column);
    for (int k = 0; k < 3; k++)
        r[k] = device_zeros<float>(n);
    const int blocks = ceil_div(n, 256);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<blocks, 256>>>(r[2], (1 - KEEP) / n, n);
        fill_array<<<1, 32>>>(dfar, 0.0f, 1);
        share_rank<<<blocks, 256>>>(drank, ddegree, given, n);
        pull<<<blocks, 256>>>(din_row, din_column, given, r[0], n);
        pull_warp<<<ceil_div(n, 8), 256>>>(din_row, din_column, given, r[1], n);
        push<<<blocks, 256>>>(drow, dcolumn, given, r[2], n);
        moved<<<66, 256>>>(drank, r[0], dfar, n);
    }
    for (int k = 0; k < 3; k++) {
        std::vector<float> got = to_host(r[k], n);
        for (int v = 0; v < n; v++)
            if (fabsf(got[v] * n - want[v]) > 1e-3f * (1 + want[v])) {
                printf("form %d: rank of %d is %g, not %g\n", k, v, got[v] * n, want[v]);
                wrong_arrays++;
                break;
            }
    }
    expect("moved", dfar, far, 1e-3);
    return verdict();
}
