// append_fixed.cu - append.cu with one atomic a warp.
#include <cstdio>
#include <cstdlib>

__global__ void keep(const float *in, int n, float *out, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? in[i] : 0;
    unsigned mask = __ballot_sync(~0u, value > 0.5f);
    if (value <= 0.5f)
        return;
    int lane = threadIdx.x % 32, leader = __ffs(mask) - 1, first = 0;
    if (lane == leader)
        first = atomicAdd(count, __popc(mask));
    first = __shfl_sync(mask, first, leader);
    out[first + __popc(mask & ((1u << lane) - 1))] = value;
}

int main()
{
    const int n = 100000;
    float *in = (float *)malloc(n * sizeof(float)), *d_in, *d_out;
    int expected = 0, count, *d_count;
    srand(9);
    for (int i = 0; i < n; i++) {
        in[i] = rand() / (float)RAND_MAX;
        expected += in[i] > 0.5f;
    }
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    keep<<<(n + 255) / 256, 256>>>(d_in, n, d_out, d_count);
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s\n", count == expected ? "PASSED" : "wrong");
    return count != expected;
}
