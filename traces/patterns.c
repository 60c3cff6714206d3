/* patterns.c - accesses by parameter: any offset, stride, width and mask, and hashed addresses.
 *
 * Made for sweeps and for comparison with hardware. Each kernel exists for words of 1, 2, 4, 8 and 16
 * bytes. What a pattern reads is stored side by side, what it stores was read side by side, so that
 * results can be checked and one of the two accesses is the pattern's alone.
 */
#include "gallery.h"

#define FULL_WARP 32

static __device__ __host__ __forceinline__ unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

/* One word of a type and a width, all of whose bytes depend on x. */
#define WORD_1(x) ((unsigned char)(x))
#define WORD_2(x) ((unsigned short)(x))
#define WORD_4(x) ((unsigned)(x))
#define WORD_8(x) ((unsigned long long)(x) << 32 | (unsigned)~(x))
#define WORD_16(x) make_uint4(x, ~(x), (x) ^ 0x55555555U, (x) + 1)

#define PATTERN_KERNELS(type, width)                                                               \
    __global__ void patternLoad##width(type *out, const type *in, int span, int offset,            \
                                       int stride, unsigned mask)                                  \
    {                                                                                              \
        int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % FULL_WARP;             \
        if (mask >> lane & 1)                                                                      \
            out[t] = in[t / FULL_WARP * span + offset + lane * stride];                            \
    }                                                                                              \
    KERNEL_LAUNCHER(patternLoad##width, type *, const type *, int, int, int, unsigned)             \
                                                                                                   \
    __global__ void patternStore##width(type *out, const type *in, int span, int offset,           \
                                        int stride, unsigned mask)                                 \
    {                                                                                              \
        int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % FULL_WARP;             \
        if (mask >> lane & 1)                                                                      \
            out[t / FULL_WARP * span + offset + lane * stride] = in[t];                            \
    }                                                                                              \
    KERNEL_LAUNCHER(patternStore##width, type *, const type *, int, int, int, unsigned)            \
                                                                                                   \
    __global__ void hashedLoad##width(type *out, const type *in, unsigned words, unsigned mask)    \
    {                                                                                              \
        unsigned t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % FULL_WARP;        \
        if (mask >> lane & 1)                                                                      \
            out[t] = in[hash(t) % words];                                                          \
    }                                                                                              \
    KERNEL_LAUNCHER(hashedLoad##width, type *, const type *, unsigned, unsigned)                   \
                                                                                                   \
    __global__ void hashedStore##width(type *out, unsigned words, unsigned mask)                   \
    {                                                                                              \
        unsigned t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % FULL_WARP;        \
        unsigned i = hash(t) % words;                                                              \
        if (mask >> lane & 1)                                                                      \
            out[i] = WORD_##width(i);                                                              \
    }                                                                                              \
    KERNEL_LAUNCHER(hashedStore##width, type *, unsigned, unsigned)                                \
                                                                                                   \
    static void expect_hashed_store##width(void *out, unsigned i)                                  \
    {                                                                                              \
        ((type *)out)[i] = WORD_##width(i);                                                        \
    }
PATTERN_KERNELS(unsigned char, 1)
PATTERN_KERNELS(unsigned short, 2)
PATTERN_KERNELS(unsigned, 4)
PATTERN_KERNELS(unsigned long long, 8)
PATTERN_KERNELS(uint4, 16)

struct pattern {
    int n, width, span, offset, stride;
    unsigned mask;
    dim3 grid, block;
};

/* The pattern's word of thread t. */
static size_t pattern_index(const struct pattern *p, int t)
{
    return (size_t)(t / FULL_WARP) * p->span + p->offset + (size_t)(t % FULL_WARP) * p->stride;
}

/* Words from the first to behind the last. */
static size_t pattern_words(const struct pattern *p)
{
    return pattern_index(p, p->n - FULL_WARP) + (size_t)(FULL_WARP - 1) * p->stride + 1;
}

static int known_width(int width)
{
    return gallery_require(width == 1 || width == 2 || width == 4 || width == 8 || width == 16,
                           "width must be 1, 2, 4, 8 or 16");
}

static int pattern_from(struct pattern *p, const struct gallery_args *args)
{
    p->n = gallery_int(args, "n");
    p->width = gallery_int(args, "width");
    p->span = gallery_int(args, "span");
    p->offset = gallery_int(args, "offset");
    p->stride = gallery_int(args, "stride");
    p->mask = (unsigned)gallery_int64(args, "mask");
    p->block = make_dim3(gallery_int(args, "block"), 1, 1);
    p->grid = make_dim3(p->n / (int)p->block.x, 1, 1);
    return gallery_whole_blocks(p->n, (int)p->block.x) && known_width(p->width) &&
           gallery_require(pattern_words(p) * p->width <= (size_t)1 << 31,
                           "the pattern must span at most 2 GB");
}

#define LAUNCH_PATTERN(name, type, width)                                                          \
    case width:                                                                                    \
        launch_##name##width(p.grid, p.block, 0, (type *)out, (const type *)in, p.span, p.offset,  \
                             p.stride, p.mask);                                                    \
        break
#define LAUNCH_PATTERNS(name)                                                                      \
    switch (p.width) {                                                                             \
        LAUNCH_PATTERN(name, unsigned char, 1);                                                    \
        LAUNCH_PATTERN(name, unsigned short, 2);                                                   \
        LAUNCH_PATTERN(name, unsigned, 4);                                                         \
        LAUNCH_PATTERN(name, unsigned long long, 8);                                               \
        LAUNCH_PATTERN(name, uint4, 16);                                                           \
    }

static void run_patternLoad(const struct gallery_args *args)
{
    struct pattern p;
    if (!pattern_from(&p, args))
        return;
    const size_t n_bytes = (size_t)p.n * p.width;
    GALLERY_INPUT(char, in, pattern_words(&p) * p.width);
    GALLERY_OUTPUT(char, out, n_bytes);
    cudaMemset(out, 0, n_bytes);
    LAUNCH_PATTERNS(patternLoad)
    for (int t = 0; t < p.n; t++)
        if (p.mask >> t % FULL_WARP & 1)
            memcpy(out_host + (size_t)t * p.width, in_host + pattern_index(&p, t) * p.width,
                   p.width);
    GALLERY_CHECK(out, n_bytes);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

static void run_patternStore(const struct gallery_args *args)
{
    struct pattern p;
    if (!pattern_from(&p, args) ||
        !gallery_require(p.span > (FULL_WARP - 1) * p.stride,
                         "two warps must not store the same word: span > 31 * stride") ||
        !gallery_require(p.stride > 0, "two lanes must not store the same word: stride >= 1"))
        return;
    const size_t bytes = pattern_words(&p) * p.width;
    GALLERY_INPUT(char, in, (size_t)p.n *p.width);
    GALLERY_OUTPUT(char, out, bytes);
    cudaMemset(out, 0, bytes);
    LAUNCH_PATTERNS(patternStore)
    for (int t = 0; t < p.n; t++)
        if (p.mask >> t % FULL_WARP & 1)
            memcpy(out_host + pattern_index(&p, t) * p.width, in_host + (size_t)t * p.width,
                   p.width);
    GALLERY_CHECK(out, bytes);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

struct hashed {
    int n, width;
    unsigned words, mask;
    dim3 grid, block;
};

static int hashed_from(struct hashed *h, const struct gallery_args *args)
{
    h->n = gallery_int(args, "n");
    h->width = gallery_int(args, "width");
    h->mask = (unsigned)gallery_int64(args, "mask");
    h->block = make_dim3(gallery_int(args, "block"), 1, 1);
    h->grid = make_dim3(h->n / (int)h->block.x, 1, 1);
    if (!known_width(h->width))
        return 0;
    h->words = (unsigned)(gallery_int64(args, "kilobytes") * 1024 / h->width);
    return gallery_whole_blocks(h->n, (int)h->block.x);
}

#define LAUNCH_HASHED_LOAD(type, width)                                                            \
    case width:                                                                                    \
        launch_hashedLoad##width(h.grid, h.block, 0, (type *)out, (const type *)in, h.words,       \
                                 h.mask);                                                          \
        break
#define LAUNCH_HASHED_STORE(type, width)                                                           \
    case width:                                                                                    \
        launch_hashedStore##width(h.grid, h.block, 0, (type *)out, h.words, h.mask);               \
        break

static void run_hashedLoad(const struct gallery_args *args)
{
    struct hashed h;
    if (!hashed_from(&h, args))
        return;
    const size_t n_bytes = (size_t)h.n * h.width;
    GALLERY_INPUT(char, in, (size_t)h.words *h.width);
    GALLERY_OUTPUT(char, out, n_bytes);
    cudaMemset(out, 0, n_bytes);
    switch (h.width) {
        LAUNCH_HASHED_LOAD(unsigned char, 1);
        LAUNCH_HASHED_LOAD(unsigned short, 2);
        LAUNCH_HASHED_LOAD(unsigned, 4);
        LAUNCH_HASHED_LOAD(unsigned long long, 8);
        LAUNCH_HASHED_LOAD(uint4, 16);
    }
    for (int t = 0; t < h.n; t++)
        if (h.mask >> t % FULL_WARP & 1)
            memcpy(out_host + (size_t)t * h.width,
                   in_host + (size_t)(hash((unsigned)t) % h.words) * h.width, h.width);
    GALLERY_CHECK(out, n_bytes);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

static void run_hashedStore(const struct gallery_args *args)
{
    struct hashed h;
    if (!hashed_from(&h, args))
        return;
    const size_t bytes = (size_t)h.words * h.width;
    GALLERY_OUTPUT(char, out, bytes);
    cudaMemset(out, 0, bytes);
    switch (h.width) {
        LAUNCH_HASHED_STORE(unsigned char, 1);
        LAUNCH_HASHED_STORE(unsigned short, 2);
        LAUNCH_HASHED_STORE(unsigned, 4);
        LAUNCH_HASHED_STORE(unsigned long long, 8);
        LAUNCH_HASHED_STORE(uint4, 16);
    }
    static void (*const expect[])(void *, unsigned) = {expect_hashed_store1, expect_hashed_store2,
                                                       expect_hashed_store4, expect_hashed_store8,
                                                       expect_hashed_store16};
    const int log2 = h.width == 1 ? 0 : h.width == 2 ? 1 : h.width == 4 ? 2 : h.width == 8 ? 3 : 4;
    for (int t = 0; t < h.n; t++)
        if (h.mask >> t % FULL_WARP & 1)
            expect[log2](out_host, hash((unsigned)t) % h.words);
    GALLERY_CHECK(out, bytes);
    GALLERY_FREE(out);
}

#define PATTERN_PARAMS                                                                             \
    {"n", 1 << 16, 32, 1 << 26, 32, "threads"},                                                    \
        {"block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"},               \
        {"width", 4, 1, 16, 1, "bytes a lane: 1, 2, 4, 8 or 16"},                                  \
        {"span", 32, 0, 1 << 20, 1, "words from one warp's first to the next warp's"},             \
        {"offset", 0, 0, 1 << 20, 1, "words before the first"},                                    \
        {"stride", 1, 0, 1 << 16, 1, "words from one lane's to the next lane's"},                  \
    {                                                                                              \
        "mask", 0xffffffffLL, 1, 0xffffffffLL, 1, "bit i: lane i takes part"                       \
    }
#define HASHED_PARAMS                                                                              \
    {"n", 1 << 16, 32, 1 << 26, 32, "threads"},                                                    \
        {"block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"},               \
        {"width", 4, 1, 16, 1, "bytes a lane: 1, 2, 4, 8 or 16"},                                  \
        {"kilobytes", 1024, 1, 1 << 21, 1, "size of the array that lanes pick from"},              \
    {                                                                                              \
        "mask", 0xffffffffLL, 1, 0xffffffffLL, 1, "bit i: lane i takes part"                       \
    }

static const struct gallery_kernel kernels[] = {
    {"patternLoad",
     "loads by offset, stride, width and mask; stores side by side",
     "What a load costs follows from five numbers: where the warp begins, the step from lane to "
     "lane, the width of a word, the lanes that take part, and how far apart warps are.",
     run_patternLoad,
     {PATTERN_PARAMS}},
    {"patternStore",
     "stores by offset, stride, width and mask what it loads side by side",
     "A store of a whole sector costs its bytes. A sector stored in part costs a sector on the "
     "way, and on GPUs that complete it from memory a read as well.",
     run_patternStore,
     {PATTERN_PARAMS}},
    {"hashedLoad",
     "loads words that a hash of the thread's number picks; stores side by side",
     "Every lane pays for a sector of its own. Whether the sector comes from a cache is a matter "
     "of how large the array is: raise it past L1 and past L2.",
     run_hashedLoad,
     {HASHED_PARAMS}},
    {"hashedStore",
     "stores words that a hash of the thread's number picks",
     "Scattered stores move a sector a lane and complete most of them from memory.",
     run_hashedStore,
     {HASHED_PARAMS}},
};
GALLERY_TOPIC(patterns, "Patterns: any offset, stride, width, mask, and hashed", kernels);
