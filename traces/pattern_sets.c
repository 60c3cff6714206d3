/* pattern_sets.c - working sets, chains of loads and atomics by parameter: what caches keep, what a load
 * takes that waits for the one before, what lanes pay for one address. Made for sweeps and for
 * comparison with hardware.
 */
#include "gallery.h"

/* Each block sweeps over an array, its own one or the one of all. */
__global__ void workingSet(int *out, const int *in, int words, int sweeps, int own)
{
    const int *p = in + (own ? (size_t)blockIdx.x * words : 0);
    int sum = 0;
    for (int s = 0; s < sweeps; s++)
        for (int i = threadIdx.x; i < words; i += blockDim.x)
            sum += p[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
KERNEL_LAUNCHER(workingSet, int *, const int *, int, int, int)

/* All blocks together sweep over one array, each time with another block at the same place. */
__global__ void gridSweep(int *out, const int *in, int words, int sweeps)
{
    const int threads = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int s = 0; s < sweeps; s++)
        for (int i = (t + s * (int)blockDim.x) % threads; i < words; i += threads)
            sum += in[i];
    out[t] = sum;
}
KERNEL_LAUNCHER(gridSweep, int *, const int *, int, int)

__global__ void pointerChase(int *out, const int *next, int steps)
{
    int i = 0;
    for (int k = 0; k < steps; k++)
        i = next[i];
    out[blockIdx.x] = i;
}
KERNEL_LAUNCHER(pointerChase, int *, const int *, int)

/* `distinct` neighbouring lanes want addresses of their own, then they repeat. */
__global__ void atomicPattern(int *bins, int distinct, int stride, int span)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    atomicAdd(&bins[t / 32 * span + lane % distinct * stride], lane + 1);
}
KERNEL_LAUNCHER(atomicPattern, int *, int, int, int)

__global__ void atomicPatternFetch(int *bins, int *out, int distinct, int stride, int span)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    out[t] = atomicAdd(&bins[t / 32 * span + lane % distinct * stride], lane + 1) >= 0;
}
KERNEL_LAUNCHER(atomicPatternFetch, int *, int *, int, int, int)

#define SHARED_BINS 4096

__global__ void sharedAtomics(int *out, int distinct, int stride)
{
    __shared__ int bins[SHARED_BINS];
    int lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < SHARED_BINS; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    atomicAdd(&bins[lane % distinct * stride], lane + 1);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = bins[lane % distinct * stride];
}
KERNEL_LAUNCHER(sharedAtomics, int *, int, int)

static void run_workingSet(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), block = gallery_int(args, "block");
    const int words = gallery_int(args, "kilobytes") * 256, sweeps = gallery_int(args, "sweeps");
    const int own = gallery_int(args, "own");
    const int64_t total = (int64_t)words * (own ? blocks : 1);
    if (!gallery_require(total <= 1 << 29, "kilobytes * blocks must be at most 2 GB"))
        return;
    GALLERY_INPUT(int, in, total);
    GALLERY_OUTPUT(int, out, blocks *block);
    launch_workingSet(make_dim3(blocks, 1, 1), make_dim3(block, 1, 1), 0, out, in, words, sweeps,
                      own);
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < words; i++)
            out_host[b * block + i % block] += sweeps * in_host[(own ? (size_t)b * words : 0) + i];
    GALLERY_CHECK(out, blocks * block);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

static void run_gridSweep(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), block = gallery_int(args, "block");
    const int words = gallery_int(args, "kilobytes") * 256, sweeps = gallery_int(args, "sweeps");
    const int threads = blocks * block;
    GALLERY_INPUT(int, in, words);
    GALLERY_OUTPUT(int, out, threads);
    launch_gridSweep(make_dim3(blocks, 1, 1), make_dim3(block, 1, 1), 0, out, in, words, sweeps);
    for (int t = 0; t < threads; t++)
        for (int s = 0; s < sweeps; s++)
            for (int i = (t + s * block) % threads; i < words; i += threads)
                out_host[t] += in_host[i];
    GALLERY_CHECK(out, threads);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

static void run_pointerChase(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), steps = gallery_int(args, "steps");
    const int words = gallery_int(args, "kilobytes") * 256, stride = gallery_int(args, "stride");
    GALLERY_INPUT(int, next, words);
    GALLERY_OUTPUT(int, out, blocks);
    for (int i = 0; i < words; i++)
        next_host[i] = (int)((i + (int64_t)stride) % words);
    cudaMemcpy(next, next_host, words * sizeof(int), cudaMemcpyHostToDevice);
    launch_pointerChase(make_dim3(blocks, 1, 1), make_dim3(1, 1, 1), 0, out, next, steps);
    for (int b = 0; b < blocks; b++)
        out_host[b] = (int)((int64_t)steps * stride % words);
    GALLERY_CHECK(out, blocks);
    GALLERY_FREE(out);
    GALLERY_FREE(next);
}

/* Adds to `bins` what one warp does. */
static void expect_atomics(int *bins, int distinct, int stride)
{
    for (int lane = 0; lane < 32; lane++)
        bins[lane % distinct * stride] += lane + 1;
}

static void run_atomics(const struct gallery_args *args, int fetch)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int distinct = gallery_int(args, "distinct"), stride = gallery_int(args, "stride");
    const int span = gallery_int(args, "span");
    const size_t words = (size_t)(n / 32 - 1) * span + (size_t)31 * stride + 1;
    const dim3 grid = make_dim3(n / block, 1, 1);
    if (!gallery_whole_blocks(n, block) ||
        !gallery_require(words <= 1 << 29, "the atomics must span at most 2 GB"))
        return;
    GALLERY_OUTPUT(int, bins, words);
    GALLERY_OUTPUT(int, out, n);
    cudaMemset(bins, 0, words * sizeof(int));
    cudaMemset(out, 0, n * sizeof(int));
    if (fetch)
        launch_atomicPatternFetch(grid, make_dim3(block, 1, 1), 0, bins, out, distinct, stride,
                                  span);
    else
        launch_atomicPattern(grid, make_dim3(block, 1, 1), 0, bins, distinct, stride, span);
    for (int t = 0; t < n; t++)
        out_host[t] = fetch;
    for (int w = 0; w < n / 32; w++)
        expect_atomics(bins_host + (size_t)w * span, distinct, stride);
    GALLERY_CHECK(bins, words);
    GALLERY_CHECK(out, n);
    GALLERY_FREE(out);
    GALLERY_FREE(bins);
}

static void run_atomicPattern(const struct gallery_args *args)
{
    run_atomics(args, 0);
}

static void run_atomicPatternFetch(const struct gallery_args *args)
{
    run_atomics(args, 1);
}

static void run_sharedAtomics(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int distinct = gallery_int(args, "distinct"), stride = gallery_int(args, "stride");
    if (!gallery_whole_blocks(n, block) ||
        !gallery_require((distinct - 1) * stride < SHARED_BINS,
                         "(distinct - 1) * stride must be less than 4096, the words there are"))
        return;
    int *bins_host = (int *)gallery_host(SHARED_BINS * sizeof(int));
    GALLERY_OUTPUT(int, out, n);
    launch_sharedAtomics(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, out, distinct,
                         stride);
    for (int w = 0; w < block / 32; w++)
        expect_atomics(bins_host, distinct, stride);
    for (int t = 0; t < n; t++)
        out_host[t] = bins_host[t % 32 % distinct * stride];
    GALLERY_CHECK(out, n);
    GALLERY_FREE(out);
    free(bins_host);
}

#define ATOMIC_PARAMS                                                                              \
    {"n", 1 << 16, 32, 1 << 24, 32, "threads"},                                                    \
        {"block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"},               \
        {"distinct", 32, 1, 32, 1, "addresses a warp"},                                            \
    {                                                                                              \
        "stride", 1, 1, 1 << 12, 1, "words from one address to the next"                           \
    }
#define SPAN_PARAM                                                                                 \
    {                                                                                              \
        "span", 32, 0, 1 << 16, 1, "words from one warp's first to the next warp's"                \
    }

static const struct gallery_kernel kernels[] = {
    {"workingSet",
     "each block sweeps several times over an array, its own or the one of all blocks",
     "What fits in L1 hits from the second sweep on; a bit more than fits can lose nearly all of "
     "it.",
     run_workingSet,
     {{"blocks", 132, 1, 4096, 1, "blocks"},
      {"block", 256, 32, 1024, 32, "threads a block"},
      {"kilobytes", 64, 1, 1 << 14, 1, "size of the array"},
      {"sweeps", 4, 1, 64, 1, "sweeps over it"},
      {"own", 1, 0, 1, 1, "1: an array for each block, 0: one for all"}}},
    {"gridSweep",
     "all blocks together sweep several times over one array",
     "L1 is of no help when another SM had the data before; L2 keeps what fits in it.",
     run_gridSweep,
     {{"blocks", 264, 1, 4096, 1, "blocks"},
      {"block", 512, 32, 1024, 32, "threads a block"},
      {"kilobytes", 8192, 1, 1 << 19, 1, "size of the array"},
      {"sweeps", 3, 1, 16, 1, "sweeps over it"}}},
    {"pointerChase",
     "one lane a block follows a chain of indices through an array",
     "Nothing hides the latency: the time is that of L1, L2 or DRAM, as the array's size has it.",
     run_pointerChase,
     {{"blocks", 1, 1, 256, 1, "blocks of one thread"},
      {"kilobytes", 64, 1, 1 << 20, 1, "size of the array"},
      {"stride", 32, 1, 1 << 20, 1, "words from one link to the next"},
      {"steps", 4096, 1, 1 << 20, 1, "loads"}}},
    {"atomicPattern",
     "adds to `distinct` words a warp without using the result",
     "Atomics are performed in L2. Lanes that want one address are served one after another, or "
     "added up before, as the generation has it.",
     run_atomicPattern,
     {ATOMIC_PARAMS, SPAN_PARAM}},
    {"atomicPatternFetch",
     "adds to `distinct` words a warp and looks at the result",
     "The result has to come back: a warp waits for L2, where plain additions go on their way.",
     run_atomicPatternFetch,
     {ATOMIC_PARAMS, SPAN_PARAM}},
    {"sharedAtomics",
     "adds to `distinct` words of shared memory a warp",
     "Lanes in one bank go one after another, for the same word too.",
     run_sharedAtomics,
     {ATOMIC_PARAMS}},
};
GALLERY_TOPIC(pattern_sets, "Patterns: working sets, chains, atomics", kernels);
