// array_of_structs_fixed.cu - the same: an array for each coordinate.
#include <cstdio>
#include <vector>

struct Vectors {
    float *x, *y, *z;
};

__global__ void move(Vectors position, Vectors velocity, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    position.x[i] += dt * velocity.x[i];
    position.y[i] += dt * velocity.y[i];
    position.z[i] += dt * velocity.z[i];
}

static float *on_gpu(const std::vector<float> &values)
{
    float *array;
    cudaMalloc(&array, values.size() * sizeof(float));
    cudaMemcpy(array, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
    return array;
}

int main()
{
    const int n = 500000;
    std::vector<float> x(n), y(n, 0), z(n, 1), vx(n, 1), vy(n, 2), vz(n);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        vz[i] = i % 8;
    }
    Vectors d_position = {on_gpu(x), on_gpu(y), on_gpu(z)};
    Vectors d_velocity = {on_gpu(vx), on_gpu(vy), on_gpu(vz)};

    move<<<(n + 255) / 256, 256>>>(d_position, d_velocity, 0.5f, n);

    cudaMemcpy(x.data(), d_position.x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(y.data(), d_position.y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(z.data(), d_position.z, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (x[i] != i + 0.5f || y[i] != 1 || z[i] != 1 + i % 8 * 0.5f) {
            printf("body %d is wrong\n", i);
            return 1;
        }
    printf("correct\n");
    return 0;
}
