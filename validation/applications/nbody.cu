// Gravity between all pairs: from global memory, with tiles of bodies in shared memory, two bodies a thread, and
// only within a radius.
#include "common.h"

#define SOFT 0.01f
#define TILE 128

__device__ float3 pulled(float3 sum, float4 at, float4 by)
{
    const float dx = by.x - at.x, dy = by.y - at.y, dz = by.z - at.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFT);
    const float s = by.w * inverse * inverse * inverse;
    return make_float3(sum.x + dx * s, sum.y + dy * s, sum.z + dz * s);
}

__global__ void forces_naive(const float4 *body, float *force, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 at = body[i];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++)
        sum = pulled(sum, at, body[j]);
    force[3 * i] = sum.x;
    force[3 * i + 1] = sum.y;
    force[3 * i + 2] = sum.z;
}

__global__ void forces_tile(const float4 *__restrict__ body, float4 *__restrict__ force, int n)
{
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 at = body[i];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < n; first += TILE) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < TILE; j++)
            sum = pulled(sum, at, tile[j]);
        __syncthreads();
    }
    force[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}

__global__ void forces_two(const float4 *__restrict__ body, float4 *__restrict__ force, int n)
{
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * 2 * TILE + threadIdx.x;
    const float4 at = body[i], at2 = body[i + TILE];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f), sum2 = sum;
    for (int first = 0; first < n; first += TILE) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < TILE; j++) {
            sum = pulled(sum, at, tile[j]);
            sum2 = pulled(sum2, at2, tile[j]);
        }
        __syncthreads();
    }
    force[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
    force[i + TILE] = make_float4(sum2.x, sum2.y, sum2.z, 0.0f);
}

// Coordinates by columns; how many bodies are within the radius.
__global__ void count_near(const float *x, const float *y, const float *z, int *near, float radius,
                           int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int count = 0;
    for (int j = 0; j < n; j++) {
        const float dx = x[j] - x[i];
        if (fabsf(dx) > radius)
            continue;
        const float dy = y[j] - y[i], dz = z[j] - z[i];
        if (dx * dx + dy * dy + dz * dz < radius * radius)
            count++;
    }
    near[i] = count;
}

int main(int argc, char **argv)
{
    const int n = ceil_div(argument(argc, argv, 1, 512), 2 * TILE) * 2 * TILE,
              rounds = argument(argc, argv, 2, 1);
    const std::vector<float> body = units((size_t)n * 4, 1);
    std::vector<float> x(n), y(n), z(n), force((size_t)n * 3), wide((size_t)n * 4);
    std::vector<int> near(n);
    for (int i = 0; i < n; i++) {
        x[i] = body[4 * i];
        y[i] = body[4 * i + 1];
        z[i] = body[4 * i + 2];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i],
                        square = dx * dx + dy * dy + dz * dz;
            const float inverse = 1.0f / sqrtf(square + SOFT),
                        s = body[4 * j + 3] * inverse * inverse * inverse;
            const float d[3] = {dx, dy, dz};
            for (int k = 0; k < 3; k++) {
                force[3 * i + k] += d[k] * s;
                wide[4 * i + k] = force[3 * i + k];
            }
            near[i] += square < 0.04f;
        }
    float *dbody = to_device(body), *dx = to_device(x), *dy = to_device(y), *dz = to_device(z);
    float *naive = device_zeros<float>(n * 3), *tile = device_zeros<float>(n * 4),
          *two = device_zeros<float>(n * 4);
    int *dnear = device_zeros<int>(n);
    for (int round = 0; round < rounds; round++) {
        forces_naive<<<ceil_div(n, 128), 128>>>((const float4 *)dbody, naive, n);
        forces_tile<<<n / TILE, TILE>>>((const float4 *)dbody, (float4 *)tile, n);
        forces_two<<<n / 2 / TILE, TILE>>>((const float4 *)dbody, (float4 *)two, n);
        count_near<<<ceil_div(n, 64), 64>>>(dx, dy, dz, dnear, 0.2f, n);
    }
    const std::vector<int> counted = to_host(dnear, n);
    int off = 0;
    for (int i = 0; i < n; i++)
        off += abs(counted[i] - near[i]); // a pair may lie on the radius
    printf("%d pairs on the radius\n", off);
    wrong_arrays += off > n;
    expect("forces_naive", naive, force, 1e-3);
    expect("forces_tile", tile, wide, 1e-3);
    expect("forces_two", two, wide, 1e-3);
    return verdict();
}
