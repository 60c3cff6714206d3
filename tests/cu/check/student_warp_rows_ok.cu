// check: sm_60 nothing
// check: sm_90 nothing
// __syncwarp between the loads and the stores of every step.
#include <cstdio>
#include <vector>

const int kCols = 100, kRows = 16, kWarps = 4;

// y = A x: a warp takes a row, its lanes sum their parts through shared memory.
__global__ void multiply(const float* a, const float* x, float* y) {
    __shared__ float parts[kWarps][64];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = blockIdx.x * kWarps + warp;

    float sum = 0;
    for (int c = lane; c < kCols; c += 32) sum += a[row * kCols + c] * x[c];
    parts[warp][lane] = sum;
    parts[warp][lane + 32] = 0;  // so that lane + 16 is always there
    __syncthreads();

    float* mine = parts[warp];
    for (int k = 16; k > 0; k /= 2) {
        float other = mine[lane + k];
        __syncwarp();
        mine[lane] += other;
        __syncwarp();
    }
    if (lane == 0) y[row] = mine[0];
}

int main() {
    std::vector<float> a(kRows * kCols), x(kCols), y(kRows);
    for (size_t i = 0; i < a.size(); i++) a[i] = (float)(i % 11);
    for (int c = 0; c < kCols; c++) x[c] = 1.0f;
    float *dA, *dX, *dY;
    cudaMalloc(&dA, a.size() * sizeof(float));
    cudaMalloc(&dX, x.size() * sizeof(float));
    cudaMalloc(&dY, y.size() * sizeof(float));
    cudaMemcpy(dA, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dX, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);

    multiply<<<kRows / kWarps, 32 * kWarps>>>(dA, dX, dY);

    cudaMemcpy(y.data(), dY, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int r = 0; r < kRows; r++) {
        double expected = 0;
        for (int c = 0; c < kCols; c++) expected += a[r * kCols + c];
        if (expected - y[r] > worst) worst = expected - y[r];
    }
    printf("largest difference: %g\n", worst);
    return 0;
}
