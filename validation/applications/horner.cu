// Arithmetic on few data: a polynomial of degree 64 by Horner in float and in double, by Estrin, and a fixed
// number of Newton's steps.
#include "common.h"

#define DEGREE 64

__constant__ float coefficients[DEGREE + 1];

__global__ void horner_float(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float at = x[i];
    float sum = coefficients[DEGREE];
#pragma unroll 8
    for (int k = DEGREE - 1; k >= 0; k--)
        sum = sum * at + coefficients[k];
    y[i] = sum;
}

__global__ void horner_double(const float *x, double *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double at = x[i];
    double sum = coefficients[DEGREE];
    for (int k = DEGREE - 1; k >= 0; k--)
        sum = sum * at + coefficients[k];
    y[i] = sum;
}

// Four chains side by side, of every fourth coefficient.
__global__ void estrin_float(const float4 *x, float4 *y, int n4)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4)
        return;
    const float4 in = x[i];
    const float at[4] = {in.x, in.y, in.z, in.w};
    float out[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float two = at[k] * at[k], four = two * two;
        float a = coefficients[DEGREE], b = 0.0f, c = 0.0f, d = 0.0f;
#pragma unroll 4
        for (int j = DEGREE - 4; j >= 0; j -= 4) {
            a = a * four + coefficients[j];
            b = b * four + coefficients[j + 1];
            c = c * four + coefficients[j + 2];
            d = d * four + coefficients[j + 3];
        }
        out[k] = a + b * at[k] + (c + d * at[k]) * two;
    }
    y[i] = make_float4(out[0], out[1], out[2], out[3]);
}

__global__ void newton_root(const float *x, float *y, int steps, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float of = x[i] + 1.0f;
        float root = of;
        for (int k = 0; k < steps; k++)
            root = 0.5f * (root + of / root);
        y[i] = root;
    }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1024, rounds = argument(argc, argv, 2, 1);
    const std::vector<float> x = units(n, 1), c = units(DEGREE + 1, 2);
    std::vector<float> want(n), roots(n);
    std::vector<double> wantd(n);
    for (int i = 0; i < n; i++) {
        double sum = c[DEGREE];
        for (int k = DEGREE - 1; k >= 0; k--)
            sum = sum * x[i] + c[k];
        wantd[i] = sum;
        want[i] = (float)sum;
        roots[i] = sqrtf(x[i] + 1.0f);
    }
    CHECK(cudaMemcpyToSymbol(coefficients, c.data(), sizeof coefficients));
    float *dx = to_device(x), *y = device_zeros<float>(n), *e = device_zeros<float>(n),
          *r = device_zeros<float>(n);
    double *yd = device_zeros<double>(n);
    for (int round = 0; round < rounds; round++) {
        horner_float<<<n / 256, 256>>>(dx, y, n);
        horner_double<<<n / 128, 128>>>(dx, yd, n);
        estrin_float<<<n / 4 / 64, 64>>>((const float4 *)dx, (float4 *)e, n / 4);
        newton_root<<<264, 256>>>(dx, r, 20, n);
    }
    expect("horner_float", y, want, 1e-5);
    expect("horner_double", yd, wantd, 1e-12);
    expect("estrin_float", e, want, 1e-5);
    expect("newton_root", r, roots, 1e-6);
    return verdict();
}
