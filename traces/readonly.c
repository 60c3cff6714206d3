/* readonly.c - one copy, three ways to load: plain, __ldg, and const __restrict__. */
#include "gallery.h"

__global__ void copyKernel(int *out, int *in)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    out[idx] = in[idx];
}
KERNEL_LAUNCHER(copyKernel, int *, int *)

__global__ void copyKernelLdg(int *out, int *in)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    out[idx] = __ldg(&in[idx]);
}
KERNEL_LAUNCHER(copyKernelLdg, int *, int *)

__global__ void copyKernelRestrict(int *__restrict__ out, const int *__restrict__ in)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    out[idx] = in[idx];
}
KERNEL_LAUNCHER(copyKernelRestrict, int *, const int *)

static void run_copyKernel(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(int, in, n);
    GALLERY_OUTPUT(int, out, n);
    launch_copyKernel(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, out, in);
    memcpy(out_host, in_host, n * sizeof(int));
    GALLERY_CHECK(out, n);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

static void run_copyKernelLdg(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(int, in, n);
    GALLERY_OUTPUT(int, out, n);
    launch_copyKernelLdg(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, out, in);
    memcpy(out_host, in_host, n * sizeof(int));
    GALLERY_CHECK(out, n);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

static void run_copyKernelRestrict(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(int, in, n);
    GALLERY_OUTPUT(int, out, n);
    wl_read_only_array(in);
    launch_copyKernelRestrict(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, out, in);
    memcpy(out_host, in_host, n * sizeof(int));
    GALLERY_CHECK(out, n);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

#define SIZE_PARAMS                                                                                \
    {"n", 1 << 20, 32, 1 << 24, 32, "ints to copy"},                                               \
    {                                                                                              \
        "block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"                  \
    }

static const struct gallery_kernel kernels[] = {
    {"copyKernel",
     "copies one int a thread with a plain load",
     "The load takes the generation's normal path: none before sm_20, 128-byte lines of L1 on "
     "sm_20, L2 alone on sm_3x, the sectored unified L1 from sm_50 on.",
     run_copyKernel,
     {SIZE_PARAMS}},
    {"copyKernelLdg",
     "the same copy, loaded with __ldg",
     "sm_35 sends the load through the read-only (texture) cache, which a plain global load there "
     "passes by, in pieces of 32 bytes; from sm_50 on both paths end in one unified cache and the "
     "traffic is the same. Earlier parts have no such path for global memory.",
     run_copyKernelLdg,
     {SIZE_PARAMS}},
    {"copyKernelRestrict",
     "the same copy, with the source declared const __restrict__",
     "The qualifiers tell the compiler that nobody writes the source while the kernel runs, so it "
     "may choose the read-only path itself: the counters equal those of __ldg.",
     run_copyKernelRestrict,
     {SIZE_PARAMS}},
};
GALLERY_TOPIC(readonly, "The read-only data cache", kernels);
