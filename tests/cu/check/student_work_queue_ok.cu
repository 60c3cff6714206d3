// check: sm_60 nothing
// check: sm_90 nothing
// A second barrier after the word has been read.
#include <cstdio>
#include <vector>

const int kJobs = 10, kRounds = 6, kThreads = 64;

// How many steps until the sequence from n reaches 1.
__device__ int steps(int n) {
    int count = 0;
    while (n != 1 && count < 1000) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
    }
    return count;
}

// The blocks draw jobs from a common queue; a job is one row of results.
__global__ void work(int* queue, int* best) {
    __shared__ int job;
    int t = threadIdx.x;
    for (int round = 0; round < kRounds; round++) {
        if (t == 0)
            job = atomicAdd(queue, 1);
        __syncthreads();
        int mine = job;
        __syncthreads();
        if (mine < kJobs) {
            int s = steps(1 + mine * kThreads + t);
            atomicMax(&best[mine], s);
        }
    }
}

int main() {
    int *queue, *best;
    cudaMalloc(&queue, sizeof(int));
    cudaMalloc(&best, kJobs * sizeof(int));
    cudaMemset(queue, 0, sizeof(int));
    cudaMemset(best, 0, kJobs * sizeof(int));

    work<<<3, kThreads>>>(queue, best);
    cudaError_t err = cudaDeviceSynchronize();
    if (err != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(err));
        return 1;
    }

    std::vector<int> h(kJobs);
    cudaMemcpy(h.data(), best, kJobs * sizeof(int), cudaMemcpyDeviceToHost);
    for (int j = 0; j < kJobs; j++)
        printf("from %3d on: at most %d steps\n", 1 + j * kThreads, h[j]);
    cudaFree(queue);
    cudaFree(best);
    return 0;
}
