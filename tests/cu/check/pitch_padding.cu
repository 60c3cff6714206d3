// check: sm_60 unwritten_global @right
// check: sm_90 unwritten_global @right
// The rows are 100 floats wide in a pitched allocation; reading column 100 takes the padding
// behind a row, which the 2-D copy leaves unwritten (a pitch is a multiple of at least 32 bytes,
// so more than 400).
#include <cstdio>
#define W 100
#define H 3
__global__ void edges(const char* in, size_t pitch, float* out) {
    int x = threadIdx.x, y = blockIdx.x;
    const float* row = (const float*)(in + y * pitch);
    if (x < W) {
        float v = row[x], r = v;
            r = row[x + 1];  // @right
        out[y * W + x] = r - v;
    }
}
int main() {
    float h[H * W], *out;
    char* in;
    size_t pitch;
    for (int i = 0; i < H * W; i++) h[i] = (float)i;
    cudaMallocPitch(&in, &pitch, W * sizeof(float), H);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy2D(in, pitch, h, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice);
    edges<<<H, 128>>>(in, pitch, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[0]);
    return 0;
}
