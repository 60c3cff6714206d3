// check: sm_60 nothing
// check: sm_90 nothing
// A barrier at the end of the loop.
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
        atomicAdd(&bins[c], 1);
        __syncthreads();
        int mine = bins[t];
        bins[t] = 0;
        if (mine > 0) atomicAdd(&total[t], mine);
        __syncthreads();
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
