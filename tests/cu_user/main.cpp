// A launch would be kernel<<<grid, block>>>(), as __global__ functions have it: "<<<"
#include <cuda_runtime.h>
#include <iostream>
#include <vector>
#include "scale.h"
extern "C" int sum_of(const float *v, int n);
static unsigned umin(unsigned a, unsigned b) { return a <= b ? a : b; }
template <class T> static T max(T a, T b) { return a > b ? a : b; }
static float rsqrt(float x) { return 1 / x; }
unsigned least(unsigned a, unsigned b) { return umin(a, b); }
#ifdef __CUDACC__
#error "no nvcc here"
#endif
int main()
{
    std::vector<float> v(64, 2.0f);
    float *d;
    float4 four = make_float4(1, 2, 3, 4);
    if (cudaMalloc(&d, v.size() * sizeof(float)) != cudaSuccess)
        return 1;
    cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
    scale_on_gpu(d, 64, four.w);
    cudaMemcpy(v.data(), d, v.size() * sizeof(float), cudaMemcpyDeviceToHost);
    std::cout << sum_of(v.data(), 64) << " " << max(least(4, 5), 2u) << " " << rsqrt(2) << std::endl;
}
