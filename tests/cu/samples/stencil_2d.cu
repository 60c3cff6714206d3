// Heat in a plate: a five-point stencil with a halo in shared memory, two buffers in turn.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#define BLOCK 16

__constant__ float coefficients[2];

__global__ void step(const float *in, float *out, int width, int height)
{
    __shared__ float s[BLOCK + 2][BLOCK + 2];
    int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
    int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    bool inside = x < width && y < height;
    if (inside) {
        s[ly][lx] = in[y * width + x];
        if (threadIdx.x == 0 && x > 0)
            s[ly][0] = in[y * width + x - 1];
        if (threadIdx.x == BLOCK - 1 && x < width - 1)
            s[ly][BLOCK + 1] = in[y * width + x + 1];
        if (threadIdx.y == 0 && y > 0)
            s[0][lx] = in[(y - 1) * width + x];
        if (threadIdx.y == BLOCK - 1 && y < height - 1)
            s[BLOCK + 1][lx] = in[(y + 1) * width + x];
    }
    __syncthreads();
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
        out[y * width + x] = coefficients[0] * s[ly][lx] +
                             coefficients[1] * (s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] +
                                                s[ly + 1][lx]);
    else if (inside)
        out[y * width + x] = s[ly][lx];
}

int main()
{
    const int width = 60, height = 45, steps = 4;
    const float c[2] = {0.6f, 0.1f};
    std::vector<float> now(width * height, 0.0f), next(now), result(now);
    for (int x = 0; x < width; x++)
        now[x] = 100.0f;
    float *d_now, *d_next;
    size_t bytes = now.size() * sizeof(float);
    cudaMalloc(&d_now, bytes);
    cudaMalloc(&d_next, bytes);
    cudaMemcpy(d_now, now.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(coefficients, c, sizeof(c));
    dim3 block(BLOCK, BLOCK), grid((width + BLOCK - 1) / BLOCK, (height + BLOCK - 1) / BLOCK);
    for (int i = 0; i < steps; i++) {
        step<<<grid, block>>>(d_now, d_next, width, height);
        std::swap(d_now, d_next);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int at = y * width + x;
                bool edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
                next[at] = edge ? now[at]
                                : c[0] * now[at] + c[1] * (now[at - 1] + now[at + 1] +
                                                           now[at - width] + now[at + width]);
            }
        std::swap(now, next);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(result.data(), d_now, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < width * height; i++)
        if (std::fabs(result[i] - now[i]) > 1e-4f) {
            printf("FAILED at %d: %f, not %f\n", i, result[i], now[i]);
            return 1;
        }
    printf("PASSED\n");
}
