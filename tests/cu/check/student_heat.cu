// check: sm_60 global_read_write @cell @cell
// check: sm_90 global_read_write @cell @cell
// The host means to swap the two plates after each step, but passes the same one twice: the step
// reads neighbours that other blocks store in the same launch.
#include <cstdio>
#include <vector>

const int W = 64, H = 16;

// One step of the heat equation; the border keeps its temperature.
__global__ void step(const float* from, float* to) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= W - 1 || y >= H - 1) return;
    int i = y * W + x;
    to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - W] + from[i + W]);  // @cell
}

float mean(const std::vector<float>& plate) {
    double sum = 0;
    for (float v : plate) sum += v;
    return (float)(sum / plate.size());
}

int main() {
    std::vector<float> plate(W * H, 0.0f);
    for (int x = 0; x < W; x++) plate[x] = 100.0f;
    size_t bytes = plate.size() * sizeof(float);
    float* plates[2];
    for (float*& p : plates) {
        cudaMalloc(&p, bytes);
        cudaMemcpy(p, plate.data(), bytes, cudaMemcpyHostToDevice);
    }
    printf("before: %g\n", mean(plate));

    int now = 0;
    dim3 block(16, 8), grid(W / 16, H / 8);
    for (int k = 0; k < 3; k++) {
        step<<<grid, block>>>(plates[now], plates[now]);
        now = (now + 2) % 2;
    }

    cudaMemcpy(plate.data(), plates[now], bytes, cudaMemcpyDeviceToHost);
    printf("after: %g\n", mean(plate));
    cudaFree(plates[0]);
    cudaFree(plates[1]);
    return 0;
}
