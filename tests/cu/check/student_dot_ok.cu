// check: sm_60 nothing
// check: sm_90 nothing
// A fence before the ticket and one after it.
#include <cstdio>
#include <vector>

const int kThreads = 64, kBlocks = 6;
__device__ unsigned arrived = 0;

__device__ float blockSum(float v) {
    __shared__ float s[kThreads];
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    for (int k = kThreads / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    return s[0];
}

__global__ void dot(const float* x, const float* y, int n, float* parts, float* result) {
    float v = 0;
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
        v += x[i] * y[i];
    v = blockSum(v);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = v;
        __threadfence();
        if (atomicAdd(&arrived, 1u) == gridDim.x - 1) {
            __threadfence();
            float all = 0;
            for (unsigned b = 0; b < gridDim.x; b++)
                all += parts[b];
            *result = all;
        }
    }
}

int main() {
    const int n = 1000;
    std::vector<float> h(n);
    for (int i = 0; i < n; i++) h[i] = (float)(i % 10);
    float *x, *y, *parts, *result, r;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&parts, kBlocks * sizeof(float));
    cudaMalloc(&result, sizeof(float));
    cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(y, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(parts, 0, kBlocks * sizeof(float));

    dot<<<kBlocks, kThreads>>>(x, y, n, parts, result);

    cudaMemcpy(&r, result, sizeof r, cudaMemcpyDeviceToHost);
    printf("%g\n", r);
    return 0;
}
