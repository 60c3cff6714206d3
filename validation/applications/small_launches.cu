// Many launches that do little: steps of an explicit scheme, updates of a vector, sums by one block.
#include "common.h"

#define STEPS 8

__global__ void diffuse(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float left = i > 0 ? in[i - 1] : in[i], right = i < n - 1 ? in[i + 1] : in[i];
    out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
}

__global__ void add_scaled(float *x, const float *y, float a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += a * y[i];
}

__global__ void sum_one_block(const float *x, float *sums, int k, int n)
{
    __shared__ float part[256];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = t; i < n; i += 256)
        sum += x[i];
    part[t] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0)
        sums[k] = part[0];
}

__global__ void one_thread(const float *sums, float *result)
{
    float most = sums[0];
    for (int k = 1; k < STEPS; k++)
        most = fmaxf(most, sums[k]);
    *result = most;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 1000), rounds = argument(argc, argv, 2, 1),
              blocks = ceil_div(n, 128);
    const std::vector<float> in = units(n, 1);
    std::vector<double> u(in.begin(), in.end()), x(n), sums(STEPS);
    for (int k = 0; k < STEPS; k++) {
        const std::vector<double> v = u;
        for (int i = 0; i < n; i++) {
            u[i] = 0.25 * v[std::max(i - 1, 0)] + 0.5 * v[i] + 0.25 * v[std::min(i + 1, n - 1)];
            x[i] += 0.5 * u[i];
            sums[k] += x[i];
        }
    }
    const std::vector<float> smooth(u.begin(), u.end()), added(x.begin(), x.end());
    float *din = to_device(in), *zeros = device_zeros<float>(n), *dx = device_zeros<float>(n),
          *d[2];
    float *dsums = device_zeros<float>(STEPS), *result = device_zeros<float>(1);
    d[0] = device_zeros<float>(n);
    d[1] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<blocks, 128>>>(d[0], din, n);
        copy_array<<<blocks, 128>>>(dx, zeros, n);
        for (int k = 0; k < STEPS; k++) {
            diffuse<<<blocks, 128>>>(d[k % 2], d[1 - k % 2], n);
            add_scaled<<<blocks, 128>>>(dx, d[1 - k % 2], 0.5f, n);
            sum_one_block<<<1, 256>>>(dx, dsums, k, n);
        }
        one_thread<<<1, 1>>>(dsums, result);
    }
    expect("diffuse", d[STEPS % 2], smooth, 1e-4);
    expect("add_scaled", dx, added, 1e-4);
    expect("one_thread", result,
           std::vector<float>(1, (float)*std::max_element(sums.begin(), sums.end())), 1e-4);
    return verdict();
}
