// Which accesses are traced: those of the source, or as nvcc merges them (tests/cu_accesses.py). One warp runs each kernel
// once, so that an access of the source is one warp access; a comment says loads and stores of its line, of the
// source and of the PTX that nvcc 13 makes of it.
#include <cstdio>

__global__ void twice(const float *x, float *y)
{
    float v = x[threadIdx.x] * x[threadIdx.x]; // source 2 0 nvcc 1 0
    y[threadIdx.x] = v;                        // source 0 1 nvcc 0 1
}

__global__ void stored_and_read(const float *x, float *y)
{
    __shared__ float t[32];
    t[threadIdx.x] = x[threadIdx.x]; // source 1 1 nvcc 1 0
    float v = t[threadIdx.x];        // source 1 0 nvcc 0 0
    t[threadIdx.x] = v + 1;          // source 0 1 nvcc 0 1
    __syncthreads();
    y[threadIdx.x] = t[threadIdx.x ^ 1]; // source 1 1 nvcc 1 1
}

__global__ void accumulate(float *y, const float *x, int n)
{
#pragma unroll 1
    for (int i = 0; i < n; i++)
        y[threadIdx.x] += x[i * 32]; // source 6 3 nvcc 4 3
}

__global__ void accumulate_alone(float *__restrict__ y, const float *__restrict__ x, int n)
{
#pragma unroll 1
    for (int i = 0; i < n; i++)      // source 0 0 nvcc 0 1
        y[threadIdx.x] += x[i * 32]; // source 6 3 nvcc 4 0
}

__global__ void invariant(float *__restrict__ y, const float *__restrict__ x, int n)
{
    for (int i = 0; i < n; i++)
        y[i * 32 + threadIdx.x] = x[0]; // source 3 3 nvcc 1 3
}

__global__ void either(float *y, const float *x, int n)
{
    float v;
    if (n > 2)
        v = x[threadIdx.x] + 1; // source 1 0 nvcc 1 0
    else
        v = x[threadIdx.x] + 2; // source 0 0 nvcc 0 0
    y[threadIdx.x] = 0;         // source 0 1 nvcc 0 0
    y[threadIdx.x] = v;         // source 0 1 nvcc 0 1
}

static float in[128], out[128];
static int wrong;

static void expect(const float *y, float (*of)(int lane))
{
    cudaMemcpy(out, y, sizeof out, cudaMemcpyDeviceToHost);
    for (int lane = 0; lane < 32; lane++)
        wrong += out[lane] != of(lane);
}

int main()
{
    float *x, *y;
    for (int i = 0; i < 128; i++)
        in[i] = (float)(i + 1);
    cudaMalloc(&x, sizeof in);
    cudaMalloc(&y, sizeof in);
    cudaMemcpy(x, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(y, 0, sizeof in);
    twice<<<1, 32>>>(x, y);
    expect(y, [](int lane) { return in[lane] * in[lane]; });
    stored_and_read<<<1, 32>>>(x, y);
    expect(y, [](int lane) { return in[lane ^ 1] + 1; });
    accumulate<<<1, 32>>>(y, x, 3);
    accumulate_alone<<<1, 32>>>(y, x, 3);
    expect(y, [](int lane) { return in[lane ^ 1] + 1 + 2 * (in[0] + in[32] + in[64]); });
    invariant<<<1, 32>>>(y, x, 3);
    expect(y, [](int) { return in[0]; });
    either<<<1, 32>>>(y, x, 3);
    expect(y, [](int lane) { return in[lane] + 1; });
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
