// check: sm_60 warp_mask @vote
// check: sm_90 warp_mask @vote
// The lanes that keep their element vote inside the if, with a mask of the whole warp, which the
// other lanes never answer. The later shuffle uses the lanes that did vote.
#include <cstdio>
#include <vector>

// Copies the elements above the limit to the front of the output, in any order.
// One atomic a warp: its first keeping lane reserves places for all of them.
__global__ void compact(const int* in, int n, int limit, int* out, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int v = i < n ? in[i] : limit;
    bool keep = v > limit;
    if (keep) {
        unsigned keeping = __ballot_sync(0xffffffffu, 1);  // @vote
        int leader = __ffs(keeping) - 1;
        int base = 0;
        if (lane == leader) base = atomicAdd(count, __popc(keeping));
        base = __shfl_sync(keeping, base, leader);
        int rank = __popc(keeping & ((1u << lane) - 1));
        out[base + rank] = v;
    }
}

int main() {
    const int n = 250, limit = 60;
    std::vector<int> h(n);
    int expected = 0;
    for (int i = 0; i < n; i++) {
        h[i] = i * 29 % 100;
        if (h[i] > limit) expected++;
    }
    int *in, *out, *count;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof(int));

    compact<<<4, 64>>>(in, n, limit, out, count);

    int found;
    cudaMemcpy(&found, count, sizeof(int), cudaMemcpyDeviceToHost);
    if (found > n) found = n;
    cudaMemcpy(h.data(), out, found * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d of %d kept, %d expected\n", found, n, expected);
    cudaFree(in);
    cudaFree(out);
    cudaFree(count);
    return 0;
}
