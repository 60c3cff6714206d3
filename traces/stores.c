/* stores.c - how a warp's store is cut into 32-byte segments, sent one, two or four at a time. */
#include "gallery.h"

__global__ void storeSegments(int *odata, int segments)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = tid % 32;
    if (lane < 8 * segments)
        odata[tid] = tid;
}
KERNEL_LAUNCHER(storeSegments, int *, int)

/* Each warp has 256 bytes of its own and stores to one segment in each of the first three 64-byte
 * pieces; eight words fill a segment, so the last eight lanes have nothing to store. */
__global__ void storeScattered(int *odata)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = tid / 32, lane = tid % 32;
    if (lane < 24)
        odata[64 * warp + lane / 8 * 16 + lane % 8] = tid;
}
KERNEL_LAUNCHER(storeScattered, int *)

static void run_storeSegments(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int segments = gallery_int(args, "segments");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_OUTPUT(int, odata, n);
    launch_storeSegments(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, segments);
    for (int i = 0; i < n; i++)
        odata_host[i] = i % 32 / 8 < segments ? i : 0;
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
}

static void run_storeScattered(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_OUTPUT(int, odata, 2 * n);
    launch_storeScattered(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata);
    for (int warp = 0; warp < n / 32; warp++)
        for (int segment = 0; segment < 3; segment++)
            for (int word = 0; word < 8; word++)
                odata_host[64 * warp + 16 * segment + word] = 32 * warp + 8 * segment + word;
    GALLERY_CHECK(odata, 2 * n);
    GALLERY_FREE(odata);
}

#define SIZE_PARAMS                                                                                \
    {"n", 1 << 16, 32, 1 << 22, 32, "threads"},                                                    \
    {                                                                                              \
        "block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"                  \
    }

static const struct gallery_kernel kernels[] = {
    {"storeSegments",
     "the first 8, 16, 24 or 32 lanes of a warp store consecutive words",
     "Stores pass L1 by and go out as 32-byte segments, one, two or four to a transaction: sm_20 "
     "to sm_37 count a single transaction for 32, 64 or 128 aligned bytes, sm_50 and later count "
     "the segments themselves.",
     run_storeSegments,
     {SIZE_PARAMS, {"segments", 4, 1, 4, 1, "32-byte segments a warp fills"}}},
    {"storeScattered",
     "a warp fills one 32-byte segment in each 64 bytes of a 192-byte range",
     "No two of the three segments are neighbours, so sm_20 sends each as a transaction of its "
     "own; no byte is wasted, but 96 bytes side by side would go in two. sm_13 widens the first "
     "two segments, which share 128 bytes, to one transaction of that size.",
     run_storeScattered,
     {SIZE_PARAMS}},
};
GALLERY_TOPIC(stores, "Store transactions", kernels);
