// texture.cu - reads through a texture reference, which warplens refuses: the message says what to do.
#include <cstdio>
texture<float, 1, cudaReadModeElementType> source;

__global__ void copy(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch(source, i);
}

int main()
{
    float *out;
    cudaMalloc(&out, 1024 * sizeof(float));
    copy<<<4, 256>>>(out, 1024);
    return 0;
}
