// histogram.cu - how often each byte comes; a few of them come most of the time.
#include <cstdio>
#include <cstdlib>

__global__ void histogram(const unsigned char *text, int n, unsigned *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[text[i]], 1);
}

int main()
{
    const int n = 200000;
    unsigned char *text = (unsigned char *)malloc(n), *d_text;
    unsigned bins[256], expected[256] = {}, *d_bins;
    srand(3);
    for (int i = 0; i < n; i++) {
        text[i] = rand() % 4 ? rand() % 8 : i; // so that every byte comes
        expected[text[i]]++;
    }
    cudaMalloc(&d_text, n);
    cudaMalloc(&d_bins, sizeof bins);
    cudaMemcpy(d_text, text, n, cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof bins);
    histogram<<<66, 256>>>(d_text, n, d_bins);
    cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        if (bins[i] != expected[i])
            return 1;
    printf("PASSED\n");
    return 0;
}
