// array_of_structs.cu - bodies move on for a short time.
#include <cstdio>
#include <vector>

struct Vector {
    float x, y, z;
};

__global__ void move(Vector *position, const Vector *velocity, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    position[i].x += dt * velocity[i].x;
    position[i].y += dt * velocity[i].y;
    position[i].z += dt * velocity[i].z;
}

int main()
{
    const int n = 500000;
    std::vector<Vector> position(n), velocity(n);
    for (int i = 0; i < n; i++) {
        position[i] = {(float)i, 0, 1};
        velocity[i] = {1, 2, (float)(i % 8)};
    }
    Vector *d_position, *d_velocity;
    cudaMalloc(&d_position, n * sizeof(Vector));
    cudaMalloc(&d_velocity, n * sizeof(Vector));
    cudaMemcpy(d_position, position.data(), n * sizeof(Vector), cudaMemcpyHostToDevice);
    cudaMemcpy(d_velocity, velocity.data(), n * sizeof(Vector), cudaMemcpyHostToDevice);

    move<<<(n + 255) / 256, 256>>>(d_position, d_velocity, 0.5f, n);

    cudaMemcpy(position.data(), d_position, n * sizeof(Vector), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (position[i].x != i + 0.5f || position[i].y != 1 || position[i].z != 1 + i % 8 * 0.5f) {
            printf("body %d is wrong\n", i);
            return 1;
        }
    printf("correct\n");
    return 0;
}
