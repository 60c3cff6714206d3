// unsupported.cu - makes a mipmapped array, which warplens refuses: the message says what to do.
#include <cstdio>

int main()
{
    cudaMipmappedArray_t levels;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(64, 64, 0), 4);
    return 0;
}
