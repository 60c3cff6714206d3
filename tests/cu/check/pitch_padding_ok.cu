// check: sm_60 nothing
// check: sm_90 nothing
// The last column has no right neighbour.
#include <cstdio>
#define W 100
#define H 3
__global__ void edges(const char* in, size_t pitch, float* out) {
    int x = threadIdx.x, y = blockIdx.x;
    const float* row = (const float*)(in + y * pitch);
    if (x < W) {
        float v = row[x], r = v;
        if (x < W - 1)
            r = row[x + 1];
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
