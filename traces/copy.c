/* copy.c - the plain copies of the teaching texts: what an offset and a stride cost. */
#include "gallery.h"

__global__ void offsetCopy(float *odata, float *idata, int offset)
{
    int xid = blockIdx.x * blockDim.x + threadIdx.x + offset;
    odata[xid] = idata[xid];
}
KERNEL_LAUNCHER(offsetCopy, float *, float *, int)

__global__ void strideCopy(float *odata, float *idata, int stride)
{
    int xid = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    odata[xid] = idata[xid];
}
KERNEL_LAUNCHER(strideCopy, float *, float *, int)

static void run_offsetCopy(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int offset = gallery_int(args, "offset");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, n + offset);
    GALLERY_OUTPUT(float, odata, n + offset);
    launch_offsetCopy(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata, offset);
    memcpy(odata_host + offset, idata_host + offset, n * sizeof(float));
    GALLERY_CHECK(odata, n + offset);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_strideCopy(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int stride = gallery_int(args, "stride");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, n *stride);
    GALLERY_OUTPUT(float, odata, n *stride);
    launch_strideCopy(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata, stride);
    for (int i = 0; i < n; i++)
        odata_host[i * stride] = idata_host[i * stride];
    GALLERY_CHECK(odata, n * stride);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static const struct gallery_kernel kernels[] = {
    {"offsetCopy",
     "copies n floats from one array to another, both shifted by `offset` elements",
     "sm_10 coalesces only at offsets that are multiples of 16 and pays 16 transactions a "
     "half-warp "
     "elsewhere; sm_13 pays one or two; caches and sectors make it one extra piece a warp.",
     run_offsetCopy,
     {{"n", 1 << 20, 64, 1 << 26, 64, "elements to copy"},
      {"block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"},
      {"offset", 1, 0, 1024, 1, "elements by which both arrays are shifted"}}},
    {"strideCopy",
     "copies every stride-th element of an array",
     "A stride of s uses one word in s of every transaction: efficiency falls as 1/s until each "
     "lane pays for a transaction of its own, which on sm_10 every stride but 1 does at once.",
     run_strideCopy,
     {{"n", 1 << 18, 64, 1 << 24, 64, "elements to copy"},
      {"block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"},
      {"stride", 2, 1, 64, 1, "distance of two lanes' elements"}}},
};
GALLERY_TOPIC(copy, "Copies: offset and stride", kernels);
