/* shared_structs.c - the bank examples with elements larger than a bank: doubles and structs.
 *
 * Global memory holds one array a component, so that it is always read coalesced; the elements come
 * together in shared memory only. Structs are laid out and read as nvcc does it: 4-byte alignment
 * means 4-byte accesses, one a member. The float and char struct takes 8 bytes: a float at a
 * distance of 5 bytes, as in a packed struct, is not something that a GPU can load in one piece.
 */
#include "gallery.h"

#define BLOCK_SIZE 256

struct xyz {
    float x, y, z;
};

struct xy {
    float x, y;
};

struct floatChar {
    float f;
    char c;
};

__global__ void sharedDouble(double *odata, const double *idata)
{
    __shared__ double shared[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    shared[tid] = idata[i];
    __syncthreads();
    double data = shared[tid];
    odata[i] = data;
}
KERNEL_LAUNCHER(sharedDouble, double *, const double *)

__global__ void sharedDoubleSplit(double *odata, const double *idata)
{
    __shared__ int shared_lo[BLOCK_SIZE];
    __shared__ int shared_hi[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    double dataIn = idata[i];
    shared_lo[tid] = __double2loint(dataIn);
    shared_hi[tid] = __double2hiint(dataIn);
    __syncthreads();
    double dataOut = __hiloint2double(shared_hi[tid], shared_lo[tid]);
    odata[i] = dataOut;
}
KERNEL_LAUNCHER(sharedDoubleSplit, double *, const double *)

__global__ void sharedStruct3(float *odata, const float *idata, int n)
{
    __shared__ struct xyz shared[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    shared[tid].x = idata[i];
    shared[tid].y = idata[i + n];
    shared[tid].z = idata[i + 2 * n];
    __syncthreads();
    struct xyz data = shared[tid];
    odata[i] = data.x + data.y * data.z;
}
KERNEL_LAUNCHER(sharedStruct3, float *, const float *, int)

__global__ void sharedStruct2(float *odata, const float *idata, int n)
{
    __shared__ struct xy shared[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    shared[tid].x = idata[i];
    shared[tid].y = idata[i + n];
    __syncthreads();
    float x = shared[tid].x;
    float y = shared[tid].y;
    odata[i] = x + 2 * y;
}
KERNEL_LAUNCHER(sharedStruct2, float *, const float *, int)

__global__ void sharedStructChar(float *odata, const float *idata, int n)
{
    __shared__ struct floatChar shared[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    shared[tid].f = idata[i];
    shared[tid].c = (char)idata[i + n];
    __syncthreads();
    float f = shared[tid].f;
    char c = shared[tid].c;
    odata[i] = f + 2 * c;
}
KERNEL_LAUNCHER(sharedStructChar, float *, const float *, int)

static void run_doubles(const struct gallery_args *args,
                        void (*launch)(dim3 grid, dim3 block, size_t shared, double *,
                                       const double *))
{
    const int blocks = gallery_int(args, "blocks"), n = blocks * BLOCK_SIZE;
    GALLERY_INPUT(double, idata, n);
    GALLERY_OUTPUT(double, odata, n);
    launch(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, odata, idata);
    memcpy(odata_host, idata_host, n * sizeof(double));
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_sharedDouble(const struct gallery_args *args)
{
    run_doubles(args, launch_sharedDouble);
}

static void run_sharedDoubleSplit(const struct gallery_args *args)
{
    run_doubles(args, launch_sharedDoubleSplit);
}

static void run_sharedStruct3(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), n = blocks * BLOCK_SIZE;
    GALLERY_INPUT(float, idata, 3 * n);
    GALLERY_OUTPUT(float, odata, n);
    launch_sharedStruct3(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, odata, idata, n);
    for (int i = 0; i < n; i++)
        odata_host[i] = idata_host[i] + idata_host[i + n] * idata_host[i + 2 * n];
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

/* Structs of two members. */
static void run_pairs(const struct gallery_args *args,
                      void (*launch)(dim3 grid, dim3 block, size_t shared, float *, const float *,
                                     int))
{
    const int blocks = gallery_int(args, "blocks"), n = blocks * BLOCK_SIZE;
    GALLERY_INPUT(float, idata, 2 * n);
    GALLERY_OUTPUT(float, odata, n);
    launch(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, odata, idata, n);
    for (int i = 0; i < n; i++)
        odata_host[i] = idata_host[i] + 2 * idata_host[i + n];
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_sharedStruct2(const struct gallery_args *args)
{
    run_pairs(args, launch_sharedStruct2);
}

static void run_sharedStructChar(const struct gallery_args *args)
{
    run_pairs(args, launch_sharedStructChar);
}

#define BLOCKS "blocks", 256, 1, 65535, 1, "blocks of 256 threads"

static const struct gallery_kernel kernels[] = {
    {"sharedDouble",
     "every lane writes and reads one double of shared memory, side by side",
     "sm_1x makes two 4-byte requests of it, each 2-way: four passes a half-warp. Fermi and "
     "sm_5x on take the half-warps one after the other without a conflict, Kepler the whole "
     "warp in one pass.",
     run_sharedDouble,
     {{BLOCKS}}},
    {"sharedDoubleSplit",
     "keeps the low and the high words of the doubles in two arrays of ints",
     "Free of conflicts on sm_1x: two passes a half-warp where sharedDouble takes four. Later "
     "parts gain nothing: two accesses of one pass each do the work of one, and Kepler loses a "
     "pass.",
     run_sharedDoubleSplit,
     {{BLOCKS}}},
    {"sharedStruct3",
     "every lane reads a struct of three floats, member by member",
     "Three 4-byte reads, each with a stride of 3 words: 3 is odd, so no generation has a "
     "conflict, except for Kepler with its banks set to 8 bytes, of which 3 words are no whole "
     "number.",
     run_sharedStruct3,
     {{BLOCKS}}},
    {"sharedStruct2",
     "every lane reads a struct of two floats, member by member",
     "Without __align__(8) it is two 4-byte reads, each with a stride of 2 words: 2-way on "
     "sm_1x, where threads 8 apart collide, and on all later parts but Kepler.",
     run_sharedStruct2,
     {{BLOCKS}}},
    {"sharedStructChar",
     "every lane reads a struct of a float and a char, member by member",
     "The compiler pads the struct to 8 bytes, so the float and the char are each read with a "
     "stride of 2 words: 2-way on all parts but Kepler. Packing it into 5 bytes would leave "
     "the float misaligned, and it would have to be read byte by byte.",
     run_sharedStructChar,
     {{BLOCKS}}},
};
GALLERY_TOPIC(shared_structs, "Shared memory: doubles and structs", kernels);
