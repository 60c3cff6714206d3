// Seven points of a volume: from global memory, plane by plane with shared memory and registers; 27 points; and
// thirteen points, two each way.
#include "common.h"

__global__ void seven_points(const float *in, float *out, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z;
    if (x < 2 || y < 2 || z < 2 || x >= n - 2 || y >= n - 2 || z >= n - 2)
        return;
    const int i = (z * n + y) * n + x, plane = n * n;
    out[i] = 0.4f * in[i] +
             0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane]);
}

__global__ void seven_points_planes(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float s[18][18];
    const int tx = threadIdx.x, ty = threadIdx.y, plane = n * n;
    const int x = min((int)(blockIdx.x * 16 + tx), n - 1),
              y = min((int)(blockIdx.y * 16 + ty), n - 1);
    const bool inside =
        blockIdx.x * 16 + tx < n - 2 && blockIdx.y * 16 + ty < n - 2 && x >= 2 && y >= 2;
    int i = y * n + x + 2 * plane;
    float below = in[i - plane], here = in[i];
    for (int z = 2; z < n - 2; z++) {
        const float above = in[i + plane];
        s[ty + 1][tx + 1] = here;
        if (tx == 0)
            s[ty + 1][0] = x > 0 ? in[i - 1] : 0.0f;
        if (tx == 15)
            s[ty + 1][17] = x < n - 1 ? in[i + 1] : 0.0f;
        if (ty == 0)
            s[0][tx + 1] = y > 0 ? in[i - n] : 0.0f;
        if (ty == 15)
            s[17][tx + 1] = y < n - 1 ? in[i + n] : 0.0f;
        __syncthreads();
        if (inside)
            out[i] = 0.4f * here + 0.1f * (s[ty + 1][tx] + s[ty + 1][tx + 2] + s[ty][tx + 1] +
                                           s[ty + 2][tx + 1] + below + above);
        __syncthreads();
        below = here;
        here = above;
        i += plane;
    }
}

__global__ void all_neighbours(const float *in, float *out, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z;
    if (x < 2 || y < 2 || z < 2 || x >= n - 2 || y >= n - 2 || z >= n - 2)
        return;
    float sum = 0.0f;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                sum += in[((z + dz) * n + y + dy) * n + x + dx];
    out[(z * n + y) * n + x] = sum / 27.0f;
}

__global__ void thirteen_points(const float *__restrict__ in, float *__restrict__ out, int n)
{
    const int x = 2 + blockIdx.x * blockDim.x + threadIdx.x, y = 2 + blockIdx.y, z = 2 + blockIdx.z;
    if (x >= n - 2)
        return;
    const int i = (z * n + y) * n + x, plane = n * n;
    float sum = -7.5f * in[i];
#pragma unroll
    for (int k = 1; k <= 2; k++) {
        const float weight = k == 1 ? 4.0f / 3.0f : -1.0f / 12.0f;
        sum += weight * (in[i - k] + in[i + k] + in[i - k * n] + in[i + k * n] + in[i - k * plane] +
                         in[i + k * plane]);
    }
    out[i] = sum;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64), rounds = argument(argc, argv, 2, 1), plane = n * n;
    if (n < 5) {
        fprintf(stderr, "size: at least 5\n");
        return 2;
    }
    const std::vector<float> in = units((size_t)n * plane, 1);
    std::vector<float> seven = in, all = in, thirteen = in;
    for (int i = 2 * plane; i < (n - 2) * plane; i++) {
        if (i % n < 2 || i % n >= n - 2 || i / n % n < 2 || i / n % n >= n - 2)
            continue;
        const int steps[3] = {1, n, plane};
        float near = 0, far = 0, sum = 0;
        for (int k = 0; k < 3; k++) {
            near += in[i - steps[k]] + in[i + steps[k]];
            far += in[i - 2 * steps[k]] + in[i + 2 * steps[k]];
        }
        for (int k = 0; k < 27; k++)
            sum += in[i + (k / 9 - 1) * plane + (k / 3 % 3 - 1) * n + k % 3 - 1];
        seven[i] = 0.4f * in[i] + 0.1f * near;
        all[i] = sum / 27;
        thirteen[i] = -7.5f * in[i] + 4 / 3.f * near - far / 12;
    }
    float *din = to_device(in), *a = to_device(in), *b = to_device(in), *c = to_device(in),
          *d = to_device(in);
    const dim3 threads(32, 8), blocks(ceil_div(n, 32), ceil_div(n, 8), n);
    for (int round = 0; round < rounds; round++) {
        seven_points<<<blocks, threads>>>(din, a, n);
        seven_points_planes<<<dim3(ceil_div(n, 16), ceil_div(n, 16)), dim3(16, 16)>>>(din, b, n);
        all_neighbours<<<blocks, threads>>>(din, c, n);
        thirteen_points<<<dim3(ceil_div(n - 4, 64), n - 4, n - 4), 64>>>(din, d, n);
    }
    expect("seven_points", a, seven, 1e-5);
    expect("seven_points_planes", b, seven, 1e-5);
    expect("all_neighbours", c, all, 1e-5);
    expect("thirteen_points", d, thirteen, 1e-4);
    return verdict();
}
