/* segments.c - one warp's load against 128-byte cache lines and 32-byte segments (sectors): the
 * patterns whose bus use the teaching texts work out by hand, and the misaligned vector sum that
 * they measure. Unless they say otherwise, the warps share no line, so that the figures are those
 * of one warp however many run. */
#include "gallery.h"

/* Each warp has two lines of its own: 64 words. */
__global__ void misaligned(float *odata, const float *idata, int offset)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = tid / 32, lane = tid % 32;
    odata[tid] = idata[64 * warp + offset + lane];
}
KERNEL_LAUNCHER(misaligned, float *, const float *, int)

/* Each warp has three lines of its own: 384 bytes, 96 words, 12 segments. Its 32 words lie in every
 * second segment; 11 has no factor in common with the 48 words there, so all are different. */
__global__ void scattered384(float *odata, const float *idata)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = tid / 32, lane = tid % 32;
    int word = lane * 11 % 48;
    odata[tid] = idata[96 * warp + word / 8 * 16 + word % 8];
}
KERNEL_LAUNCHER(scattered384, float *, const float *)

__global__ void sameWord(float *odata, const float *idata)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = tid / 32;
    odata[tid] = idata[32 * warp];
}
KERNEL_LAUNCHER(sameWord, float *, const float *)

__global__ void permuted(float *odata, const float *idata, int mask)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    odata[tid] = idata[tid ^ mask];
}
KERNEL_LAUNCHER(permuted, float *, const float *, int)

__global__ void lineMiss(float *odata, const float *idata)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = tid / 32, lane = tid % 32;
    if (lane == 0)
        odata[warp] = idata[32 * warp];
}
KERNEL_LAUNCHER(lineMiss, float *, const float *)

__global__ void readSegment(const float *A, const float *B, float *C, const int n, int offset)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t + offset < n)
        C[t] = A[t + offset] + B[t + offset];
}
KERNEL_LAUNCHER(readSegment, const float *, const float *, float *, const int, int)

static void run_misaligned(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int offset = gallery_int(args, "offset");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, 2 * n);
    GALLERY_OUTPUT(float, odata, n);
    launch_misaligned(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata, offset);
    for (int warp = 0; warp < n / 32; warp++)
        memcpy(odata_host + 32 * warp, idata_host + 64 * warp + offset, 32 * sizeof(float));
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_scattered384(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, 3 * n);
    GALLERY_OUTPUT(float, odata, n);
    launch_scattered384(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata);
    for (int i = 0; i < n; i++) {
        const int word = i % 32 * 11 % 48;
        const int segment = 2 * (word / 8); /* of the 12 in 384 bytes */
        odata_host[i] = idata_host[i / 32 * 96 + segment * 8 + word % 8];
    }
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_sameWord(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, odata, n);
    launch_sameWord(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata);
    for (int i = 0; i < n; i++)
        odata_host[i] = idata_host[i - i % 32];
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_permuted(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int mask = gallery_int(args, "mask");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, odata, n);
    launch_permuted(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata, mask);
    for (int i = 0; i < n; i++)
        odata_host[i ^ mask] = idata_host[i];
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_lineMiss(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, odata, n / 32);
    launch_lineMiss(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, odata, idata);
    for (int warp = 0; warp < n / 32; warp++)
        odata_host[warp] = idata_host[32 * warp];
    GALLERY_CHECK(odata, n / 32);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_readSegment(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int offset = gallery_int(args, "offset");
    GALLERY_INPUT(float, A, n);
    GALLERY_INPUT(float, B, n);
    GALLERY_OUTPUT(float, C, n);
    launch_readSegment(make_dim3((n + block - 1) / block, 1, 1), make_dim3(block, 1, 1), 0, A, B, C,
                       n, offset);
    for (int i = offset; i < n; i++)
        C_host[i - offset] = A_host[i] + B_host[i];
    GALLERY_CHECK(C, n);
    GALLERY_FREE(C);
    GALLERY_FREE(B);
    GALLERY_FREE(A);
}

#define SIZE_PARAMS                                                                                \
    {"n", 1 << 16, 32, 1 << 22, 32, "threads, one word each"},                                     \
    {                                                                                              \
        "block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"                  \
    }

static const struct gallery_kernel kernels[] = {
    {"misaligned",
     "a warp reads 32 consecutive words that start `offset` words into a line",
     "From byte 100 on (offset 25) the 128 bytes lie in two lines and five segments: sm_20 with L1 "
     "on moves 256 bytes (50 %), and 160 (80 %) with L1 off, as all later parts do. From byte 96 "
     "on (offset 24) the segments are whole and only the lines pay.",
     run_misaligned,
     {SIZE_PARAMS, {"offset", 25, 0, 32, 1, "first word within the warp's 256 bytes"}}},
    {"scattered384",
     "a warp reads 32 words scattered over 384 bytes, all in every second 32-byte segment",
     "The words lie in three lines but only six segments: 128 / 384 = 33 % of what 128-byte lines "
     "move is used, 128 / 192 = 67 % of what 32-byte segments move.",
     run_scattered384,
     {SIZE_PARAMS}},
    {"sameWord",
     "all lanes of a warp read one word",
     "One word serves the warp from sm_20 on, in a 128-byte line (3.125 % used) or a 32-byte "
     "segment (12.5 %); sm_13 reads 32 bytes a half-warp and sm_10, which has no broadcast here, "
     "32 bytes a lane.",
     run_sameWord,
     {SIZE_PARAMS}},
    {"permuted",
     "lane l of a warp reads word l ^ mask of a 128-byte line",
     "The order of the lanes does not matter to a segment, line or sector: 100 % from sm_12 on. "
     "sm_10 wants word k for lane k and sends one 32-byte transaction for every lane, except at "
     "mask 16, which only exchanges the half-warps.",
     run_permuted,
     {SIZE_PARAMS, {"mask", 5, 0, 31, 1, "0 is the plain order"}}},
    {"lineMiss",
     "lane 0 of every warp reads one word of a line that nobody else touches",
     "With L1 on (sm_20) the miss loads the whole line, four 32-byte L2 transactions for 4 bytes; "
     "with L1 off, and wherever lines are sectored, it is one L2 transaction and one 32-byte DRAM "
     "read.",
     run_lineMiss,
     {SIZE_PARAMS}},
    {"readSegment",
     "adds two arrays from an offset on: C[t] = A[t + offset] + B[t + offset]",
     "Unless the offset is a multiple of 8 words every load touches five sectors instead of four "
     "(80 %); with 128-byte L1 lines (sm_20) it touches two lines, 50 %, unless the offset is a "
     "multiple of 32. A cache gives some of that back, as neighbouring warps want the rest.",
     run_readSegment,
     {{"n", 1 << 20, 1, 1 << 25, 1, "elements of each array"},
      {"block", 512, 32, 1024, 32, "threads a block"},
      {"offset", 11, 0, 1 << 20, 1, "elements by which the loads are shifted"}}},
};
GALLERY_TOPIC(segments, "Cache lines and 32-byte segments", kernels);
