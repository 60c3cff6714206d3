// check: sm_60 out_of_bounds @left
// check: sm_90 out_of_bounds @left
// The left part of the border is loaded without asking whether it lies in the array; block 0
// reads up to four elements before it. The right part does ask.
#include <cstdio>
#include <vector>

const int R = 4, B = 64;
__constant__ float weights[2 * R + 1];

// A filter of 2 R + 1 weights over a line of numbers, by way of shared memory.
__global__ void filter(const float* in, float* out, int n) {
    __shared__ float s[B + 2 * R];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[R + t] = i < n ? in[i] : 0;
    if (t < R) {
        s[t] = in[i - R];  // @left
        s[R + B + t] = i + B < n ? in[i + B] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * R; k++) sum += weights[k] * s[t + k];
    if (i < n) out[i] = sum;
}

int main() {
    const int n = 200;
    std::vector<float> h(n), w(2 * R + 1);
    for (int i = 0; i < n; i++) h[i] = (float)(i % 17);
    for (int k = 0; k <= 2 * R; k++) w[k] = 1.0f / (2 * R + 1);
    cudaMemcpyToSymbol(weights, w.data(), w.size() * sizeof(float));

    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, n * sizeof(float));

    filter<<<(n + B - 1) / B, B>>>(in, out, n);

    cudaError_t err = cudaDeviceSynchronize();
    if (err != cudaSuccess) {
        printf("filter: %s\n", cudaGetErrorString(err));
        return 1;
    }
    cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", h[0], h[n / 2], h[n - 1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
