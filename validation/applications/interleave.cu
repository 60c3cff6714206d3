// Pixels of three bytes: into planes and back a thread a pixel, into planes through shared memory by words, and
// to grey by four pixels a thread.
#include "common.h"

__global__ void split_pixels(const unsigned char *rgb, unsigned char *r, unsigned char *g,
                             unsigned char *b, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    r[i] = rgb[3 * i];
    g[i] = rgb[3 * i + 1];
    b[i] = rgb[3 * i + 2];
}

__global__ void join_pixels(const unsigned char *r, const unsigned char *g, const unsigned char *b,
                            unsigned char *rgb, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    rgb[3 * i] = r[i];
    rgb[3 * i + 1] = g[i];
    rgb[3 * i + 2] = b[i];
}

// 1024 pixels a block: 768 words come in one after another, and three planes of 256 words go out.
__global__ void split_shared(const unsigned *rgb, unsigned *planes, int words_of_plane)
{
    __shared__ unsigned words[768];
    for (int w = threadIdx.x; w < 768; w += 256)
        words[w] = rgb[blockIdx.x * 768 + w];
    __syncthreads();
    const unsigned char *bytes = (const unsigned char *)words;
    for (int plane = 0; plane < 3; plane++) {
        unsigned four = 0;
        for (int k = 0; k < 4; k++)
            four |= (unsigned)bytes[(threadIdx.x * 4 + k) * 3 + plane] << 8 * k;
        planes[plane * words_of_plane + blockIdx.x * 256 + threadIdx.x] = four;
    }
}

__device__ unsigned grey(unsigned r, unsigned g, unsigned b)
{
    return (77 * r + 150 * g + 29 * b) >> 8;
}

__global__ void grey_four(const unsigned *rgb, unsigned *out, int n4)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4)
        return;
    const unsigned a = rgb[3 * i], b = rgb[3 * i + 1], c = rgb[3 * i + 2];
    out[i] = grey(a & 255, a >> 8 & 255, a >> 16 & 255) |
             grey(a >> 24, b & 255, b >> 8 & 255) << 8 |
             grey(b >> 16 & 255, b >> 24, c & 255) << 16 |
             grey(c >> 8 & 255, c >> 16 & 255, c >> 24) << 24;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1024, rounds = argument(argc, argv, 2, 1);
    std::vector<unsigned char> rgb(n * 3), planes(n * 3), greys(n);
    for (int i = 0; i < n * 3; i++)
        planes[i % 3 * n + i / 3] = rgb[i] = (unsigned char)hash32(i);
    for (int i = 0; i < n; i++)
        greys[i] =
            (unsigned char)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8);
    unsigned char *drgb = to_device(rgb), *split = device_zeros<unsigned char>(n * 3);
    unsigned char *joined = device_zeros<unsigned char>(n * 3),
                  *shared = device_zeros<unsigned char>(n * 3);
    unsigned char *dgrey = device_zeros<unsigned char>(n);
    for (int round = 0; round < rounds; round++) {
        split_pixels<<<n / 256, 256>>>(drgb, split, split + n, split + 2 * n, n);
        join_pixels<<<n / 256, 256>>>(split, split + n, split + 2 * n, joined, n);
        split_shared<<<n / 1024, 256>>>((const unsigned *)drgb, (unsigned *)shared, n / 4);
        grey_four<<<n / 1024, 256>>>((const unsigned *)drgb, (unsigned *)dgrey, n / 4);
    }
    expect("split_pixels", split, planes);
    expect("join_pixels", joined, rgb);
    expect("split_shared", shared, planes);
    expect("grey_four", dgrey, greys);
    return verdict();
}
