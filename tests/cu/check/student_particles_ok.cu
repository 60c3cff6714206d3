// check: sm_60 nothing
// check: sm_90 nothing
// The cells are counted with atomics.
#include <cstdio>
#include <vector>

const int kCells = 16, kParticles = 512;

struct Particle {
    float x, y, vx, vy;
};

__global__ void move(Particle* p, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Particle a = p[i];
    a.x += dt * a.vx;
    a.y += dt * a.vy;
    if (a.x < 0 || a.x > 1) a.vx = -a.vx;
    if (a.y < 0 || a.y > 1) a.vy = -a.vy;
    p[i] = a;
}

__device__ int cellOf(const Particle& a) {
    int cx = min(max((int)(4 * a.x), 0), 3), cy = min(max((int)(4 * a.y), 0), 3);
    return 4 * cy + cx;
}

__global__ void countCells(const Particle* p, int* cells) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = cellOf(p[i]);
    atomicAdd(&cells[c], 1);
}

int main() {
    std::vector<Particle> h(kParticles);
    for (int i = 0; i < kParticles; i++)
        h[i] = {i % 23 / 23.0f, i % 31 / 31.0f, i % 5 - 2.0f, i % 7 - 3.0f};
    Particle* p;
    int* cells;
    cudaMalloc(&p, kParticles * sizeof(Particle));
    cudaMalloc(&cells, kCells * sizeof(int));
    cudaMemcpy(p, h.data(), kParticles * sizeof(Particle), cudaMemcpyHostToDevice);

    for (int k = 0; k < 2; k++) {
        move<<<kParticles / 64, 64>>>(p, 0.01f);
        cudaMemset(cells, 0, kCells * sizeof(int));
        countCells<<<kParticles / 64, 64>>>(p, cells);
    }

    int counts[kCells], sum = 0;
    cudaMemcpy(counts, cells, sizeof counts, cudaMemcpyDeviceToHost);
    for (int c : counts) sum += c;
    printf("%d particles in %d cells\n", sum, kCells);
    cudaFree(p);
    cudaFree(cells);
    return 0;
}
