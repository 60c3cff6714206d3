// check: sm_60 shared_read_write @merge @count
// check: sm_60 shared_write_write @clear @count
// check: sm_90 shared_read_write @merge @count
// check: sm_90 shared_write_write @clear @count
// After a piece each thread hands its bin on and clears it, but no barrier keeps other warps from
// already counting the next piece into it: their atomics meet the plain load and the plain store.
#include <cstdio>
#include <vector>

const int kBins = 64, kPieces = 4;

// Each block counts several pieces of the text into bins of its own.
__global__ void histogram(const unsigned char* text, int n, int* total) {
    __shared__ int bins[kBins];
    int t = threadIdx.x;
    bins[t] = 0;
    __syncthreads();
    for (int piece = 0; piece < kPieces; piece++) {
        int i = (blockIdx.x * kPieces + piece) * kBins + t;
        int c = i < n ? text[i] % kBins : 0;
        atomicAdd(&bins[c], 1);  // @count
        __syncthreads();
        int mine = bins[t];  // @merge
        bins[t] = 0;  // @clear
        if (mine > 0) atomicAdd(&total[t], mine);
    }
}

int main() {
    const int blocks = 2, n = blocks * kPieces * kBins;
    std::vector<unsigned char> text(n);
    for (int i = 0; i < n; i++) text[i] = (unsigned char)(i * 11 + i / 5);
    unsigned char* dText;
    int* dTotal;
    cudaMalloc(&dText, n);
    cudaMalloc(&dTotal, kBins * sizeof(int));
    cudaMemcpy(dText, text.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(dTotal, 0, kBins * sizeof(int));

    histogram<<<blocks, kBins>>>(dText, n, dTotal);

    std::vector<int> total(kBins);
    cudaMemcpy(total.data(), dTotal, kBins * sizeof(int), cudaMemcpyDeviceToHost);
    int sum = 0, most = 0;
    for (int b = 0; b < kBins; b++) {
        sum += total[b];
        if (total[b] > total[most]) most = b;
    }
    printf("%d letters counted, %d expected; bin %d holds most\n", sum, n, most);
    cudaFree(dText);
    cudaFree(dTotal);
    return 0;
}
