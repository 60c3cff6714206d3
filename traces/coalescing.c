/* coalescing.c - the half-warp examples: which patterns the rules of sm_1x turn into one
 * transaction, two, or sixteen. A half-warp is 16 lanes; 16 words of 4 bytes fill one 64-byte
 * segment. */
#include "gallery.h"

__global__ void skipLane(int *output, const int *data, int lane)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid % warpSize != lane) {
        int number = data[tid];
        output[tid] = number;
    }
}
KERNEL_LAUNCHER(skipLane, int *, const int *, int)

__global__ void halfWarpGap(float *odata, const float *idata)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0.0f;
    if (tid % 16 != 9)
        value = idata[tid];
    odata[tid] = value;
}
KERNEL_LAUNCHER(halfWarpGap, float *, const float *)

__global__ void halfWarpCrossed(float *odata, const float *idata)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = tid % 16;
    int k = tid;
    if (lane == 5)
        k = tid + 1;
    if (lane == 6)
        k = tid - 1;
    odata[tid] = idata[k];
}
KERNEL_LAUNCHER(halfWarpCrossed, float *, const float *)

/* Each half-warp has a 128-byte segment of its own: 32 words. */
__global__ void halfWarpUnaligned(float *odata, const float *idata, int offset)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int half = tid / 16, lane = tid % 16;
    odata[tid] = idata[32 * half + offset + lane];
}
KERNEL_LAUNCHER(halfWarpUnaligned, float *, const float *, int)

/* Each half-warp has two 128-byte segments of its own: 64 words. */
__global__ void halfWarpTwoSegments(float *odata, const float *idata, int offset)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int half = tid / 16, lane = tid % 16;
    odata[tid] = idata[64 * half + offset + lane];
}
KERNEL_LAUNCHER(halfWarpTwoSegments, float *, const float *, int)

/* NVIDIA's tutorial of 2007 on coalescing: 3 M floats read, incremented and written back. A kernel
 * for each pattern: in one kernel for all, telling them apart would take longer than memory does. */
__global__ void incrementFloats(float *data)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    data[tid] = data[tid] + 1.0f;
}
KERNEL_LAUNCHER(incrementFloats, float *)

__global__ void incrementSomeFloats(float *data)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid % 16 != 9)
        data[tid] = data[tid] + 1.0f;
}
KERNEL_LAUNCHER(incrementSomeFloats, float *)

__global__ void incrementSwappedFloats(float *data)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int k = tid ^ 1;
    data[k] = data[k] + 1.0f;
}
KERNEL_LAUNCHER(incrementSwappedFloats, float *)

__global__ void incrementMisalignedFloats(float *data)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int k = tid + 1;
    data[k] = data[k] + 1.0f;
}
KERNEL_LAUNCHER(incrementMisalignedFloats, float *)

static void run_skipLane(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int lane = gallery_int(args, "lane");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(int, data, n);
    GALLERY_OUTPUT(int, output, n);
    launch_skipLane(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, output, data, lane);
    for (int i = 0; i < n; i++)
        output_host[i] = i % 32 == lane ? 0 : data_host[i];
    GALLERY_CHECK(output, n);
    GALLERY_FREE(output);
    GALLERY_FREE(data);
}

static void run_halfWarpGap(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, odata, n);
    launch_halfWarpGap(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata);
    for (int i = 0; i < n; i++)
        odata_host[i] = i % 16 == 9 ? 0.0f : idata_host[i];
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_halfWarpCrossed(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, odata, n);
    launch_halfWarpCrossed(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata);
    memcpy(odata_host, idata_host, n * sizeof(float));
    for (int half = 0; half < n; half += 16) {
        odata_host[half + 5] = idata_host[half + 6];
        odata_host[half + 6] = idata_host[half + 5];
    }
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_halfWarpUnaligned(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int offset = gallery_int(args, "offset");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, 2 * n);
    GALLERY_OUTPUT(float, odata, n);
    launch_halfWarpUnaligned(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata,
                             offset);
    for (int half = 0; half < n / 16; half++)
        memcpy(odata_host + 16 * half, idata_host + 32 * half + offset, 16 * sizeof(float));
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_halfWarpTwoSegments(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int offset = gallery_int(args, "offset");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, 4 * n);
    GALLERY_OUTPUT(float, odata, n);
    launch_halfWarpTwoSegments(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata,
                               offset);
    for (int half = 0; half < n / 16; half++)
        memcpy(odata_host + 16 * half, idata_host + 64 * half + offset, 16 * sizeof(float));
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

enum increment_pattern { ALIGNED, SOME_IDLE, SWAPPED, MISALIGNED };

static void launch_increment(int pattern, dim3 grid, dim3 block, float *data)
{
    switch (pattern) {
    case ALIGNED:
        launch_incrementFloats(grid, block, 0, data);
        break;
    case SOME_IDLE:
        launch_incrementSomeFloats(grid, block, 0, data);
        break;
    case SWAPPED:
        launch_incrementSwappedFloats(grid, block, 0, data);
        break;
    default:
        launch_incrementMisalignedFloats(grid, block, 0, data);
    }
}

static void run_incrementFloats(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int pattern = gallery_int(args, "pattern");
    const int first = pattern == MISALIGNED;
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, data, n + 1);
    launch_increment(pattern, make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), data);
    for (int i = 0; i < n; i++)
        if (pattern != SOME_IDLE || i % 16 != 9)
            data_host[first + i] += 1.0f;
    GALLERY_CHECK(data, n + 1);
    GALLERY_FREE(data);
}

#define SIZE_PARAMS                                                                                \
    {"n", 1 << 16, 32, 1 << 22, 32, "threads, one word each"},                                     \
    {                                                                                              \
        "block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"                  \
    }

static const struct gallery_kernel kernels[] = {
    {"skipLane",
     "copies one int a lane while one lane of every warp stays idle",
     "The idle lane costs nothing and saves nothing: sm_10 checks only the active lanes, so the "
     "half-warp is still one 64-byte transaction, and from sm_20 on the warp still touches the "
     "same four 32-byte pieces; 124 of 128 bytes are used.",
     run_skipLane,
     {SIZE_PARAMS, {"lane", 3, 0, 31, 1, "the lane that does nothing"}}},
    {"halfWarpGap",
     "lane k of a half-warp reads word k, lane 9 reads nothing; all lanes store",
     "The load is one 64-byte transaction a half-warp on every sm_1x, as if lane 9 read too: the "
     "unread word is moved and dropped, 60 of 64 bytes are used.",
     run_halfWarpGap,
     {SIZE_PARAMS}},
    {"halfWarpCrossed",
     "lane k of a half-warp reads word k, except that lanes 5 and 6 change places",
     "One crossed pair makes the half-warp sixteen 32-byte transactions on sm_10, which demands "
     "word k for lane k; sm_13 and all later parts ignore the order and still move 64 bytes for "
     "it.",
     run_halfWarpCrossed,
     {SIZE_PARAMS}},
    {"halfWarpUnaligned",
     "a half-warp reads 16 consecutive words that start `offset` words into a 128-byte segment",
     "sm_10 needs a start at a multiple of 64 bytes and pays sixteen transactions; sm_13 moves the "
     "whole 128-byte segment once, because both of its halves are touched, and uses half of it; "
     "parts with 32-byte pieces move three of them, two at offset 8.",
     run_halfWarpUnaligned,
     {SIZE_PARAMS, {"offset", 1, 1, 15, 1, "first word within the segment"}}},
    {"halfWarpTwoSegments",
     "a half-warp reads 16 consecutive words that cross from one 128-byte segment into the next",
     "sm_13 sends one transaction a segment and shrinks each to the part used: 64 and 32 bytes at "
     "offset 17, twice 32 bytes at offset 24. sm_10 sends one for every lane; the 128-byte lines "
     "of sm_20 move 256 bytes for 64.",
     run_halfWarpTwoSegments,
     {SIZE_PARAMS, {"offset", 17, 17, 31, 1, "first word within the first segment"}}},
    {"incrementFloats",
     "adds 1 to every float of an array in place, by one of four patterns of lanes",
     "On sm_10 idle lanes cost nothing, and lanes that change places, or a start one word late, "
     "cost sixteen transactions for one: a G80 took 356 us aligned, 357 us with idle lanes and "
     "3,494 us otherwise. sm_13 does not mind the order; caches hide most of the late start.",
     run_incrementFloats,
     {{"n", 3 << 20, 32, 3 << 20, 32, "threads, one float each"},
      {"block", 256, 32, 512, 32, "threads a block; n must be a multiple of it"},
      {"pattern", 0, 0, 3, 1,
       "0 aligned, 1 one lane in 16 idle, 2 neighbours swapped, 3 one word late"}}},
};
GALLERY_TOPIC(coalescing, "Coalescing: the half-warp rules of sm_1x", kernels);
