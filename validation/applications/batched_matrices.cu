// Products of many small matrices: a thread a 4x4 matrix, stored one after another and interleaved; a warp's
// half an 8x8 matrix; a block a 16x16 matrix in shared memory.
#include "common.h"

// Matrix m at a + 16 m: what a thread reads lies together, what a warp reads does not.
__global__ void product_4x4_packed(const float *a, const float *b, float *c, int count)
{
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= count)
        return;
    for (int row = 0; row < 4; row++)
        for (int col = 0; col < 4; col++) {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++)
                sum += a[m * 16 + row * 4 + k] * b[m * 16 + k * 4 + col];
            c[m * 16 + row * 4 + col] = sum;
        }
}

// Element e of matrix m at a + e count + m.
__global__ void product_4x4_interleaved(const float *__restrict__ a, const float *__restrict__ b,
                                        float *__restrict__ c, int count)
{
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= count)
        return;
    float right[16];
#pragma unroll
    for (int e = 0; e < 16; e++)
        right[e] = b[e * count + m];
#pragma unroll
    for (int row = 0; row < 4; row++) {
        float left[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            left[k] = a[(row * 4 + k) * count + m];
#pragma unroll
        for (int col = 0; col < 4; col++)
            c[(row * 4 + col) * count + m] = left[0] * right[col] + left[1] * right[4 + col] +
                                             left[2] * right[8 + col] + left[3] * right[12 + col];
    }
}

template <int SIZE>
__global__ void product_shared(const float *a, const float *b, float *c, int count)
{
    __shared__ float as[4][SIZE][SIZE], bs[4][SIZE][SIZE];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int m = blockIdx.x * blockDim.z + z;
    if (m < count) {
        as[z][y][x] = a[(m * SIZE + y) * SIZE + x];
        bs[z][y][x] = b[(m * SIZE + y) * SIZE + x];
    }
    __syncthreads();
    if (m >= count)
        return;
    float sum = 0.0f;
    for (int k = 0; k < SIZE; k++)
        sum += as[z][y][k] * bs[z][k][x];
    c[(m * SIZE + y) * SIZE + x] = sum;
}

static std::vector<float> products(const std::vector<float> &a, const std::vector<float> &b,
                                   int size)
{
    std::vector<float> c(a.size());
    for (size_t e = 0; e < a.size(); e++) {
        const size_t m = e / (size * size) * (size * size), row = e % (size * size) / size,
                     col = e % size;
        for (int k = 0; k < size; k++)
            c[e] += a[m + row * size + k] * b[m + k * size + col];
    }
    return c;
}

static std::vector<float> interleaved(const std::vector<float> &packed, int count)
{
    std::vector<float> to(packed.size());
    for (size_t e = 0; e < packed.size(); e++)
        to[e % 16 * count + e / 16] = packed[e];
    return to;
}

int main(int argc, char **argv)
{
    // Elements in all; each kernel cuts them into matrices of its size.
    const int n = argument(argc, argv, 1, 64) * 256, rounds = argument(argc, argv, 2, 1);
    const std::vector<float> a = units(n, 1), b = units(n, 2);
    const std::vector<float> want4 = products(a, b, 4);
    float *da = to_device(a), *db = to_device(b);
    float *ia = to_device(interleaved(a, n / 16)), *ib = to_device(interleaved(b, n / 16));
    float *packed = device_zeros<float>(n), *c4 = device_zeros<float>(n);
    float *c8 = device_zeros<float>(n), *c16 = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        product_4x4_packed<<<ceil_div(n / 16, 128), 128>>>(da, db, packed, n / 16);
        product_4x4_interleaved<<<ceil_div(n / 16, 128), 128>>>(ia, ib, c4, n / 16);
        product_shared<8><<<ceil_div(n / 64, 4), dim3(8, 8, 4)>>>(da, db, c8, n / 64);
        product_shared<16><<<n / 256, dim3(16, 16, 1)>>>(da, db, c16, n / 256);
    }
    expect("4x4 packed", packed, want4, 1e-5);
    expect("4x4 interleaved", c4, interleaved(want4, n / 16), 1e-5);
    expect("8x8", c8, products(a, b, 8), 1e-5);
    expect("16x16", c16, products(a, b, 16), 1e-5);
    return verdict();
}
