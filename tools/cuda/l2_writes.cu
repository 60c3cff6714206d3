// l2_writes.cu - how much of what kernels store is still in L2 when they end, and how much of it DRAM has been given: launches for
// ncu to count, and what each is, a line of CSV on standard output, for validation/h200_l2_writes.csv.
//
//   nvcc -arch=sm_90 -o l2_writes tools/cuda/l2_writes.cu
//   ncu --csv --page raw --clock-control none --metrics dram__sectors_write.sum,... ./l2_writes
//
// Blocks go over memory in order. Arguments: sizes in megabytes; those alone.
#include <cstdio>
#include <cstdlib>
#include <cstring>

typedef unsigned int uint;
const int THREADS = 256;
const size_t MEGABYTE = 1 << 20, ROOM = 1024 * MEGABYTE;

// Loads 16 bytes a thread, and stores where they are not what they are.
__global__ void read(const uint4 *in, uint4 *out)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const uint4 x = in[i];
    if (x.x == 1)
        out[i] = x;
}

// The first `pieces` blocks' worth again and again.
__global__ void read_again(const uint4 *in, uint4 *out, uint pieces)
{
    const size_t i = (size_t)(blockIdx.x % pieces) * THREADS + threadIdx.x;
    const uint4 x = in[i];
    if (x.x == 1)
        out[i] = x;
}

__global__ void fill(uint4 *out)
{
    out[(size_t)blockIdx.x * THREADS + threadIdx.x] = make_uint4(2, 2, 2, 2);
}

__global__ void fill_again(uint4 *out, uint pieces)
{
    out[(size_t)(blockIdx.x % pieces) * THREADS + threadIdx.x] = make_uint4(2, 2, 2, 2);
}

// `loads` arrays one behind another, `apart` words of 16 bytes each.
__global__ void copy(const uint4 *in, uint4 *out, int loads, size_t apart)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    uint sum = 0;
    for (int k = 0; k < loads; k++)
        sum += in[k * apart + i].x;
    out[i] = make_uint4(sum, 2, 2, 2);
}

// Blocks below `pieces` store, those from there on load.
__global__ void fill_then_read(uint4 *out, const uint4 *in, uint pieces)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (blockIdx.x < pieces)
        out[i] = make_uint4(2, 2, 2, 2);
    else if (in[i - (size_t)pieces * THREADS].x == 1)
        out[i] = make_uint4(1, 1, 1, 1);
}

// A word a thread, `stride` words apart.
__global__ void words(uint *out, uint stride)
{
    out[((size_t)blockIdx.x * THREADS + threadIdx.x) * stride] = 2;
}

// A word a thread, in an order that is none; `mask`: the words but one, of a power of two.
__global__ void scatter(uint *out, uint mask)
{
    const uint i = blockIdx.x * THREADS + threadIdx.x;
    out[(i * 2654435761U) & mask] = 2;
}

__global__ void scatter_add(uint *out, uint mask)
{
    const uint i = blockIdx.x * THREADS + threadIdx.x;
    atomicAdd(&out[(i * 2654435761U) & mask], 1);
}

static bool is_wanted(int size, int argc, char **argv)
{
    bool wanted = argc == 1;
    for (int i = 1; i < argc; i++)
        wanted |= atoi(argv[i]) == size;
    return wanted;
}

int main(int argc, char **argv)
{
    const int sizes[] = {1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 64, 96, 128, 256};
    const char *const kinds[] = {"read", "read_again", "fill",   "fill_again", "copy_1",      "copy_2", "copy_3", "fill_then_read_64",
                                 "words_8", "words_32", "words_16", "scatter", "scatter_add"};
    char *in, *out;
    cudaMalloc(&in, ROOM);
    cudaMalloc(&out, ROOM);
    cudaMemset(in, 0, ROOM);
    cudaMemset(out, 0, ROOM);
    printf("kind,megabytes\n");
    for (const char *kind : kinds)
        for (const int size : sizes) {
            const size_t bytes = size * MEGABYTE;
            const uint pieces = bytes / (16 * THREADS), word_blocks = bytes / (4 * THREADS);
            const bool is_power = (size & (size - 1)) == 0;
            if (!is_wanted(size, argc, argv) || (strncmp(kind, "scatter", 7) == 0 && (!is_power || size > 128)))
                continue;
            printf("%s,%d\n", kind, size);
            if (!strcmp(kind, "read"))
                read<<<pieces, THREADS>>>((uint4 *)in, (uint4 *)out);
            else if (!strcmp(kind, "read_again"))
                read_again<<<4 * pieces, THREADS>>>((uint4 *)in, (uint4 *)out, pieces);
            else if (!strcmp(kind, "fill"))
                fill<<<pieces, THREADS>>>((uint4 *)out);
            else if (!strcmp(kind, "fill_again"))
                fill_again<<<4 * pieces, THREADS>>>((uint4 *)out, pieces);
            else if (!strncmp(kind, "copy", 4))
                copy<<<pieces, THREADS>>>((uint4 *)in, (uint4 *)out, kind[5] - '0', ROOM / 4 / 16);
            else if (!strncmp(kind, "fill_then", 9))
                fill_then_read<<<pieces + 64 * MEGABYTE / (16 * THREADS), THREADS>>>((uint4 *)out, (uint4 *)in, pieces);
            else if (!strncmp(kind, "words", 5))
                words<<<word_blocks / atoi(kind + 6), THREADS>>>((uint *)out, atoi(kind + 6));
            else if (!strcmp(kind, "scatter"))
                scatter<<<word_blocks, THREADS>>>((uint *)out, bytes / 4 - 1);
            else
                scatter_add<<<word_blocks, THREADS>>>((uint *)out, bytes / 4 - 1);
        }
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "l2_writes: %s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
