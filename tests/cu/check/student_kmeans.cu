// check: sm_60 lost_update @sum @sum
// check: sm_90 lost_update @sum @sum
// The members of a cluster are counted with an atomic, but the sum of their positions is added to
// without one.
#include <cmath>
#include <cstdio>
#include <vector>

const int kClusters = 4, kPoints = 256, kThreads = 64;

// Finds the nearest centre of each point and adds the point to that cluster's sums.
__global__ void assign(const float* points, const float* centres, float* sums, int* counts) {
    __shared__ float sum[kClusters];
    __shared__ int count[kClusters];
    int t = threadIdx.x;
    if (t < kClusters) {
        sum[t] = 0;
        count[t] = 0;
    }
    __syncthreads();

    float x = points[blockIdx.x * kThreads + t];
    int best = 0;
    for (int c = 1; c < kClusters; c++)
        if (fabsf(x - centres[c]) < fabsf(x - centres[best])) best = c;
    atomicAdd(&count[best], 1);
    sum[best] += x;  // @sum
    __syncthreads();

    if (t < kClusters) {
        atomicAdd(&sums[t], sum[t]);
        atomicAdd(&counts[t], count[t]);
    }
}

int main() {
    std::vector<float> points(kPoints);
    for (int i = 0; i < kPoints; i++) points[i] = (float)(i * 37 % 101);
    float centres[kClusters] = {10, 35, 60, 85};
    float *dPoints, *dCentres, *dSums;
    int* dCounts;
    cudaMalloc(&dPoints, kPoints * sizeof(float));
    cudaMalloc(&dCentres, sizeof centres);
    cudaMalloc(&dSums, sizeof centres);
    cudaMalloc(&dCounts, kClusters * sizeof(int));
    cudaMemcpy(dPoints, points.data(), kPoints * sizeof(float), cudaMemcpyHostToDevice);

    for (int round = 0; round < 3; round++) {
        float sums[kClusters];
        int counts[kClusters];
        cudaMemcpy(dCentres, centres, sizeof centres, cudaMemcpyHostToDevice);
        cudaMemset(dSums, 0, sizeof sums);
        cudaMemset(dCounts, 0, sizeof counts);
        assign<<<kPoints / kThreads, kThreads>>>(dPoints, dCentres, dSums, dCounts);
        cudaMemcpy(sums, dSums, sizeof sums, cudaMemcpyDeviceToHost);
        cudaMemcpy(counts, dCounts, sizeof counts, cudaMemcpyDeviceToHost);
        for (int c = 0; c < kClusters; c++)
            if (counts[c] > 0) centres[c] = sums[c] / counts[c];
    }
    for (float c : centres) printf("%g\n", c);
    return 0;
}
