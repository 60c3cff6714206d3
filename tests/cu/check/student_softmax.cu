// check: sm_60 shared_read_write @max @exp
// check: sm_90 shared_read_write @max @exp
// The buffer of the maximum is used again for the sum; thread 0 may store its exponential into
// buf[0] before the other warp has read the maximum there.
#include <cmath>
#include <cstdio>
#include <vector>

const int kCols = 64;

// One block normalises one row: exp(x - max) / sum of exp(x - max).
__global__ void softmax(const float* in, float* out) {
    __shared__ float buf[kCols];
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * kCols;
    float x = row[t];

    // The largest value of the row.
    buf[t] = x;
    __syncthreads();
    for (int k = kCols / 2; k > 0; k /= 2) {
        if (t < k) buf[t] = fmaxf(buf[t], buf[t + k]);
        __syncthreads();
    }
    float largest = buf[0];  // @max

    // The sum of the exponentials.
    float e = expf(x - largest);
    buf[t] = e;  // @exp
    __syncthreads();
    for (int k = kCols / 2; k > 0; k /= 2) {
        if (t < k) buf[t] += buf[t + k];
        __syncthreads();
    }
    out[blockIdx.x * kCols + t] = e / buf[0];
}

int main() {
    const int rows = 4;
    std::vector<float> h(rows * kCols);
    for (size_t i = 0; i < h.size(); i++) h[i] = (float)(i * 7 % 13);
    size_t bytes = h.size() * sizeof(float);
    float *in, *out;
    if (cudaMalloc(&in, bytes) != cudaSuccess || cudaMalloc(&out, bytes) != cudaSuccess) {
        printf("no memory\n");
        return 1;
    }
    cudaMemcpy(in, h.data(), bytes, cudaMemcpyHostToDevice);

    softmax<<<rows, kCols>>>(in, out);

    cudaMemcpy(h.data(), out, bytes, cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int c = 0; c < kCols; c++) sum += h[r * kCols + c];
        printf("row %d: sum %g\n", r, sum);
    }
    cudaFree(in);
    cudaFree(out);
    return 0;
}
