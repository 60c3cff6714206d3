// Rows of 256 floats to signed bytes with a scale each, and back; two values of four bits in a byte, and a product
// with a vector straight from bytes.
#include "common.h"

#define COLUMNS 256

__global__ void scales_of_rows(const float *in, float *scales, int rows)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float top = 0.0f;
    for (int c = lane; c < COLUMNS; c += 32)
        top = fmaxf(top, fabsf(in[row * COLUMNS + c]));
    for (int step = 16; step > 0; step /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, step));
    if (lane == 0)
        scales[row] = top / 127.0f;
}

__global__ void to_bytes(const float *in, const float *scales, signed char *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (signed char)__float2int_rn(in[i] / scales[i / COLUMNS]);
}

__global__ void from_bytes(const char4 *in, const float *scales, float4 *out, int n4)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4)
        return;
    const char4 q = in[i];
    const float s = scales[i / (COLUMNS / 4)];
    out[i] = make_float4(q.x * s, q.y * s, q.z * s, q.w * s);
}

__global__ void to_nibbles(const float *in, const float *scales, unsigned char *out, int n2)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n2)
        return;
    const float s = scales[i / (COLUMNS / 2)] * (127.0f / 7.0f);
    const int low = __float2int_rn(in[2 * i] / s) + 8, high = __float2int_rn(in[2 * i + 1] / s) + 8;
    out[i] = (unsigned char)(low | high << 4);
}

__global__ void bytes_times_vector(const int *in, const float *scales, const float *x, float *y,
                                   int rows)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int w = lane; w < COLUMNS / 4; w += 32) {
        const int four = in[row * (COLUMNS / 4) + w];
        for (int k = 0; k < 4; k++)
            sum += (float)(signed char)(four >> 8 * k) * x[4 * w + k];
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0)
        y[row] = sum * scales[row];
}

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1),
              n = rows * COLUMNS;
    std::vector<float> in = units(n, 1), x = units(COLUMNS, 2), scales(rows), y(rows);
    for (int i = 0; i < n; i++) {
        in[i] = in[i] * 2 - 1;
        scales[i / COLUMNS] = fmaxf(scales[i / COLUMNS], fabsf(in[i]) / 127.0f);
    }
    for (int i = 0; i < n; i++)
        y[i / COLUMNS] += in[i] * x[i % COLUMNS];
    float *din = to_device(in), *dx = to_device(x), *dscales = device_zeros<float>(rows);
    float *back = device_zeros<float>(n), *dy = device_zeros<float>(rows);
    signed char *bytes = device_zeros<signed char>(n);
    unsigned char *nibbles = device_zeros<unsigned char>(n / 2);
    for (int round = 0; round < rounds; round++) {
        scales_of_rows<<<ceil_div(rows, 8), 256>>>(din, dscales, rows);
        to_bytes<<<n / 256, 256>>>(din, dscales, bytes, n);
        from_bytes<<<n / 256, 64>>>((const char4 *)bytes, dscales, (float4 *)back, n / 4);
        to_nibbles<<<n / 256, 128>>>(din, dscales, nibbles, n / 2);
        bytes_times_vector<<<ceil_div(rows, 4), 128>>>((const int *)bytes, dscales, dx, dy, rows);
    }
    expect("scales_of_rows", dscales, scales, 1e-6);
    expect("from_bytes", back, in, 0.51 / 127); // half a step of rounding
    const std::vector<unsigned char> packed = to_host(nibbles, n / 2);
    for (int i = 0; i < n; i++) {
        const float step = scales[i / COLUMNS] * 127 / 7,
                    got = ((packed[i / 2] >> i % 2 * 4 & 15) - 8) * step;
        if (fabsf(got - in[i]) > 0.51f * step) {
            printf("to_nibbles: element %d is %g, not %g\n", i, got, in[i]);
            wrong_arrays++;
            break;
        }
    }
    for (int row = 0; row < rows; row++) // rounding of every byte may add up
        y[row] /= 256;
    std::vector<float> got = to_host(dy, rows);
    for (int row = 0; row < rows; row++)
        wrong_arrays += fabsf(got[row] / 256 - y[row]) > 0.51f / 127;
    return verdict();
}
