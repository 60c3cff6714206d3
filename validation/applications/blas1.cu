// Vector operations: a x + y plainly, in float4 and in a grid-stride loop of doubles; a dot product that ends in
// one atomic a block; a plane rotation.
#include "common.h"

__global__ void axpy(float a, const float *x, const float *y, float *z, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = a * x[i] + y[i];
}

__global__ void axpy_float4(float a, const float4 *__restrict__ x, const float4 *__restrict__ y,
                            float4 *__restrict__ z, int n4)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4)
        return;
    const float4 u = x[i], v = y[i];
    z[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
}

__global__ void daxpy_stride(double a, const double *x, const double *y, double *z, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = a * x[i] + y[i];
}

__global__ void dot(const float *x, const float *y, double *result, int n)
{
    __shared__ double part[32];
    double sum = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += (double)x[i] * y[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0)
        atomicAdd(result, sum);
}

__global__ void rotate(float *x, float *y, float c, float s, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float u = x[i], v = y[i];
    x[i] = c * u + s * v;
    y[i] = c * v - s * u;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1024, rounds = argument(argc, argv, 2, 1);
    const std::vector<float> x = units(n, 1), y = units(n, 2);
    const std::vector<double> xd(x.begin(), x.end()), yd(y.begin(), y.end());
    std::vector<float> want(n), u(n), v(n);
    std::vector<double> wantd(n), sum(1, 0.0);
    for (int i = 0; i < n; i++) {
        want[i] = 2.5f * x[i] + y[i];
        wantd[i] = 2.5 * xd[i] + yd[i];
        sum[0] += xd[i] * yd[i];
        u[i] = 0.6f * x[i] + 0.8f * y[i];
        v[i] = 0.6f * y[i] - 0.8f * x[i];
    }
    float *dx = to_device(x), *dy = to_device(y), *z = device_zeros<float>(n),
          *z4 = device_zeros<float>(n);
    float *xr = to_device(x), *yr = to_device(y);
    double *dxd = to_device(xd), *dyd = to_device(yd), *zd = device_zeros<double>(n);
    double *result = device_zeros<double>(1);
    for (int round = 0; round < rounds; round++) {
        axpy<<<n / 256, 256>>>(2.5f, dx, dy, z, n);
        axpy_float4<<<n / 1024, 256>>>(2.5f, (const float4 *)dx, (const float4 *)dy, (float4 *)z4,
                                       n / 4);
        daxpy_stride<<<528, 256>>>(2.5, dxd, dyd, zd, n);
        fill_array<<<1, 32>>>(result, 0.0, 1);
        dot<<<264, 512>>>(dx, dy, result, n);
        copy_array<<<n / 256, 256>>>(xr, dx, n);
        copy_array<<<n / 256, 256>>>(yr, dy, n);
        rotate<<<n / 256, 256>>>(xr, yr, 0.6f, 0.8f, n);
    }
    expect("axpy", z, want, 1e-6);
    expect("axpy_float4", z4, want, 1e-6);
    expect("daxpy_stride", zd, wantd, 1e-12);
    expect("dot", result, sum, 1e-9);
    expect("rotate, x", xr, u, 1e-6);
    expect("rotate, y", yr, v, 1e-6);
    return verdict();
}
