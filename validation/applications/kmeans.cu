// One step of k-means, points of 8 columns: assignment from global memory and with the centres in shared memory,
// sums by global atomics and by shared ones, new centres.
#include "common.h"

#define D 8
#define K 32

__global__ void assign_naive(const float *points, const float *centres, int *cluster, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = 1e30f;
    int which = 0;
    for (int k = 0; k < K; k++) {
        float distance = 0.0f;
        for (int d = 0; d < D; d++) {
            const float apart = points[i * D + d] - centres[k * D + d];
            distance += apart * apart;
        }
        if (distance < best) {
            best = distance;
            which = k;
        }
    }
    cluster[i] = which;
}

// Points by columns: column d of point i at d n + i.
__global__ void assign_shared(const float *__restrict__ columns, const float *__restrict__ centres,
                              int *cluster, int n)
{
    __shared__ float centre[K * D];
    for (int w = threadIdx.x; w < K * D; w += blockDim.x)
        centre[w] = centres[w];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float point[D];
#pragma unroll
    for (int d = 0; d < D; d++)
        point[d] = columns[d * n + i];
    float best = 1e30f;
    int which = 0;
    for (int k = 0; k < K; k++) {
        float distance = 0.0f;
#pragma unroll
        for (int d = 0; d < D; d++) {
            const float apart = point[d] - centre[k * D + d];
            distance += apart * apart;
        }
        if (distance < best) {
            best = distance;
            which = k;
        }
    }
    cluster[i] = which;
}

__global__ void sum_global(const float *points, const int *cluster, float *sums, int *counts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int k = cluster[i];
    for (int d = 0; d < D; d++)
        atomicAdd(&sums[k * D + d], points[i * D + d]);
    atomicAdd(&counts[k], 1);
}

__global__ void sum_shared(const float *points, const int *cluster, float *sums, int *counts, int n)
{
    __shared__ float sum[K * D];
    __shared__ int count[K];
    for (int w = threadIdx.x; w < K * D; w += blockDim.x)
        sum[w] = 0.0f;
    if (threadIdx.x < K)
        count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * D; i += gridDim.x * blockDim.x) {
        const int k = cluster[i / D];
        atomicAdd(&sum[k * D + i % D], points[i]);
        if (i % D == 0)
            atomicAdd(&count[k], 1);
    }
    __syncthreads();
    for (int w = threadIdx.x; w < K * D; w += blockDim.x)
        atomicAdd(&sums[w], sum[w]);
    if (threadIdx.x < K)
        atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}

__global__ void new_centres(const float *sums, const int *counts, float *centres)
{
    const int w = threadIdx.x;
    centres[w] = counts[w / D] ? sums[w] / counts[w / D] : 0.0f;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 16) * 1000, rounds = argument(argc, argv, 2, 1);
    const std::vector<float> points = units((size_t)n * D, 1), centres = units(K * D, 2);
    std::vector<float> columns(points.size()), next(K * D);
    std::vector<double> sums(K * D);
    std::vector<int> cluster(n), counts(K);
    for (int i = 0; i < n; i++) {
        float best = 1e30f;
        for (int k = 0; k < K; k++) {
            float distance = 0;
            for (int d = 0; d < D; d++)
                distance += powf(points[i * D + d] - centres[k * D + d], 2);
            if (distance < best) {
                best = distance;
                cluster[i] = k;
            }
        }
        counts[cluster[i]]++;
        for (int d = 0; d < D; d++) {
            columns[(size_t)d * n + i] = points[i * D + d];
            sums[cluster[i] * D + d] += points[i * D + d];
        }
    }
    for (int w = 0; w < K * D; w++)
        next[w] = (float)(counts[w / D] ? sums[w] / counts[w / D] : 0);
    float *dpoints = to_device(points), *dcolumns = to_device(columns),
          *dcentres = to_device(centres);
    float *dsums = device_zeros<float>(2 * K * D), *dnext = device_zeros<float>(2 * K * D);
    int *naive = device_zeros<int>(n), *shared = device_zeros<int>(n),
        *dcounts = device_zeros<int>(2 * K);
    const int blocks = ceil_div(n, 128);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<2, K * D>>>(dsums, 0.0f, 2 * K * D);
        fill_array<<<1, 2 * K>>>(dcounts, 0, 2 * K);
        assign_naive<<<blocks, 128>>>(dpoints, dcentres, naive, n);
        assign_shared<<<blocks, 128>>>(dcolumns, dcentres, shared, n);
        sum_global<<<blocks, 128>>>(dpoints, naive, dsums, dcounts, n);
        sum_shared<<<132, 256>>>(dpoints, naive, dsums + K * D, dcounts + K, n);
        new_centres<<<1, K * D>>>(dsums, dcounts, dnext);
        new_centres<<<1, K * D>>>(dsums + K * D, dcounts + K, dnext + K * D);
    }
    // Rounding may move a point that is as far from one centre as from another.
    const std::vector<int> a = to_host(naive, n), b = to_host(shared, n);
    int moved = 0;
    for (int i = 0; i < n; i++)
        moved += (a[i] != cluster[i]) + (b[i] != cluster[i]);
    printf("%d points moved\n", moved);
    wrong_arrays += moved > n / 1000;
    expect("new_centres, global", dnext, next, 1e-2);
    expect("new_centres, shared", dnext + K * D, next, 1e-2);
    return verdict();
}
