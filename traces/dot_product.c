/* dot_product.c - the dot product of two vectors, in shared memory and without: each block's thread
 * 0 adds up the products of the block's elements, and the host adds up the blocks.
 *
 * The vectors are floats, so that the kernels run on parts without double precision too.
 */
#include "gallery.h"

#define BASE_TYPE float
#define BLOCK_SIZE 256

__global__ void scalMult(const BASE_TYPE *A, const BASE_TYPE *B, BASE_TYPE *C, int numElem)
{
    BASE_TYPE sum = 0;
    __shared__ BASE_TYPE ash[BLOCK_SIZE];
    __shared__ BASE_TYPE bsh[BLOCK_SIZE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < numElem) {
        ash[threadIdx.x] = A[i];
        bsh[threadIdx.x] = B[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int first = blockIdx.x * blockDim.x;
        for (int j = 0; j < blockDim.x && first + j < numElem; j++)
            sum += ash[j] * bsh[j];
        C[blockIdx.x] = sum;
    }
}
KERNEL_LAUNCHER(scalMult, const BASE_TYPE *, const BASE_TYPE *, BASE_TYPE *, int)

__global__ void scalMultGlobal(const BASE_TYPE *A, const BASE_TYPE *B, BASE_TYPE *C, int numElem)
{
    BASE_TYPE sum = 0;
    if (threadIdx.x == 0) {
        int first = blockIdx.x * blockDim.x;
        for (int j = 0; j < blockDim.x && first + j < numElem; j++)
            sum += A[first + j] * B[first + j];
        C[blockIdx.x] = sum;
    }
}
KERNEL_LAUNCHER(scalMultGlobal, const BASE_TYPE *, const BASE_TYPE *, BASE_TYPE *, int)

static void run_products(const struct gallery_args *args,
                         void (*launch)(dim3 grid, dim3 block, size_t shared, const BASE_TYPE *,
                                        const BASE_TYPE *, BASE_TYPE *, int))
{
    const int n = gallery_int(args, "n"), blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    GALLERY_INPUT(BASE_TYPE, A, n);
    GALLERY_INPUT(BASE_TYPE, B, n);
    GALLERY_OUTPUT(BASE_TYPE, C, blocks);
    launch(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, A, B, C, n);
    for (int i = 0; i < n; i++)
        C_host[i / BLOCK_SIZE] += A_host[i] * B_host[i];
    GALLERY_CHECK(C, blocks);
    GALLERY_FREE(C);
    GALLERY_FREE(B);
    GALLERY_FREE(A);
}

static void run_scalMult(const struct gallery_args *args)
{
    run_products(args, launch_scalMult);
}

static void run_scalMultGlobal(const struct gallery_args *args)
{
    run_products(args, launch_scalMultGlobal);
}

#define N "n", 1 << 18, 1, 1 << 24, 1, "elements of each vector"

static const struct gallery_kernel kernels[] = {
    {"scalMult",
     "dot product: a block loads its elements to shared memory, where thread 0 adds up the "
     "products",
     "Every global load is coalesced and used in full. The sum costs two shared reads a "
     "product with one lane of 32 active: no conflicts, but one word a pass from a memory that "
     "could deliver one from each bank.",
     run_scalMult,
     {{N}}},
    {"scalMultGlobal",
     "dot product: each block's thread 0 adds up the products straight from global memory",
     "One lane at a time asks for 4 bytes and is given 32: an efficiency of 12.5 % on sm_1x. "
     "Later parts find most of the next words in a cache, but still make 32 requests where "
     "scalMult's coalesced load makes one.",
     run_scalMultGlobal,
     {{N}}},
};
GALLERY_TOPIC(dot_product, "Shared memory: dot product", kernels);
