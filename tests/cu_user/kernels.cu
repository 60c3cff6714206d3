/* Kernels, and what launches them for main.cpp. */
#include <cstdio>
#include "scale.h"
extern "C" int sum_of(const float *v, int n);
unsigned least(unsigned a, unsigned b);
__global__ void scale(float *p, unsigned n, float by)
{
    unsigned i = umin(blockIdx.x * blockDim.x + threadIdx.x, n - 1);
    p[i] *= by;
}
void scale_on_gpu(float *d, unsigned n, float by) { scale<<<(n + 63) / 64, 64>>>(d, n, by); }
