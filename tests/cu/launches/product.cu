// A product of matrices through tiles, launched once to warm up and 300 times between two events, and its result looked at:
// as programs do that take a kernel's time.
#include <cstdio>
#include <cstdlib>

template <int BLOCK> __global__ void product(float *c, const float *a, const float *b, int a_width, int b_width)
{
    __shared__ float a_tile[BLOCK][BLOCK], b_tile[BLOCK][BLOCK];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * BLOCK + y, column = blockIdx.x * BLOCK + x;
    float sum = 0;
    for (int k = 0; k < a_width; k += BLOCK) {
        a_tile[y][x] = a[row * a_width + k + x];
        b_tile[y][x] = b[(k + y) * b_width + column];
        __syncthreads();
        for (int i = 0; i < BLOCK; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    c[row * b_width + column] = sum;
}

int main(int argc, char **argv)
{
    const int launches = argc > 1 ? atoi(argv[1]) : 300, height = argc > 2 ? atoi(argv[2]) : 320;
    const int width = height, b_width = 2 * height;
    const size_t a_bytes = sizeof(float) * height * width, b_bytes = sizeof(float) * width * b_width;
    float *a = (float *)malloc(a_bytes), *b = (float *)malloc(b_bytes), *c = (float *)malloc(b_bytes);
    float *d_a, *d_b, *d_c, ms = 0;
    cudaEvent_t start, stop;
    for (int i = 0; i < height * width; i++)
        a[i] = 1;
    for (int i = 0; i < width * b_width; i++)
        b[i] = 0.01f;
    cudaMalloc(&d_a, a_bytes);
    cudaMalloc(&d_b, b_bytes);
    cudaMalloc(&d_c, b_bytes);
    cudaMemcpy(d_a, a, a_bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, b_bytes, cudaMemcpyHostToDevice);
    const dim3 block(32, 32), grid(b_width / 32, height / 32);
    product<32><<<grid, block>>>(d_c, d_a, d_b, width, b_width);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    for (int i = 0; i < launches; i++)
        product<32><<<grid, block>>>(d_c, d_a, d_b, width, b_width);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(c, d_c, b_bytes, cudaMemcpyDeviceToHost);
    bool correct = ms > 0;
    for (int i = 0; i < height * b_width; i++)
        correct = correct && c[i] > 0.0099f * width && c[i] < 0.0101f * width;
    printf("Result = %s\n", correct ? "PASS" : "FAIL");
    return correct ? 0 : 1;
}
