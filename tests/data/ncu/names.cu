#include <cstdio>
namespace { __global__ void hidden(float *p) { p[threadIdx.x] += 1; } }
namespace outer { namespace inner { template <class T, bool B> __global__ void scale(T *p, T by) { p[threadIdx.x] *= B ? by : 1; } } }
struct plus { __device__ float operator()(float x) const { return x + 1; } };
template <class F> __global__ void apply(float *p, F f) { p[threadIdx.x] = f(p[threadIdx.x]); }
static __global__ void own(float *p) { p[threadIdx.x] -= 1; }
int main()
{
    float *p;
    cudaMalloc(&p, 128 * sizeof(float));
    cudaMemset(p, 0, 128 * sizeof(float));
    hidden<<<1, 128>>>(p);
    outer::inner::scale<float, true><<<1, 128>>>(p, 2.0f);
    own<<<1, 32>>>(p);
    apply<<<1, 96>>>(p, plus());
    float by = 3;
    apply<<<1, 64>>>(p, [by] __device__(float x) { return x * by; });
    return cudaDeviceSynchronize() != cudaSuccess;
}
