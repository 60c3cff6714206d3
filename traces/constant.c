/* constant.c - constant memory: one address a pass, and a small cache.
 *
 * A module may hold 64 KB of constants; the table takes all but the 256 bytes left for `add`.
 */
#include "gallery.h"

#define TABLE_BYTES (65536 - 256)
#define BLOCK_SIZE 256

__constant__ int add;
__constant__ int table[TABLE_BYTES / sizeof(int)];

__global__ void addKernel(int *c, const int *a, const int *b)
{
    int i = threadIdx.x;
    c[i] = a[i] + b[i] + add;
}
KERNEL_LAUNCHER(addKernel, int *, const int *, const int *)

__global__ void constantPerLane(int *c, const int *a, int addresses)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + table[threadIdx.x % addresses];
}
KERNEL_LAUNCHER(constantPerLane, int *, const int *, int)

__global__ void constantTable(int *c, int words, int step, int passes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int pass = 0; pass < passes; pass++)
        for (int k = 0; k < words; k += step)
            sum += table[k];
    c[i] = sum;
}
KERNEL_LAUNCHER(constantTable, int *, int, int, int)

static void run_addKernel(const struct gallery_args *args)
{
    const int size = gallery_int(args, "size"), r = gallery_int(args, "add");
    GALLERY_INPUT(int, a, size);
    GALLERY_INPUT(int, b, size);
    GALLERY_OUTPUT(int, c, size);
    cudaMemcpyToSymbol(add, &r, sizeof(int));
    launch_addKernel(make_dim3(1, 1, 1), make_dim3(size, 1, 1), 0, c, a, b);
    for (int i = 0; i < size; i++)
        c_host[i] = a_host[i] + b_host[i] + r;
    GALLERY_CHECK(c, size);
    GALLERY_FREE(c);
    GALLERY_FREE(b);
    GALLERY_FREE(a);
}

/* Fills the table on the device; the host's copy is for the caller to free. */
static int *table_fill(void)
{
    int *table_host = (int *)gallery_host(TABLE_BYTES);
    gallery_fill_int(table_host, TABLE_BYTES / sizeof(int), "table");
    cudaMemcpyToSymbol(table, table_host, TABLE_BYTES);
    return table_host;
}

static void run_constantPerLane(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), n = blocks * BLOCK_SIZE;
    const int addresses = gallery_int(args, "addresses");
    GALLERY_INPUT(int, a, n);
    GALLERY_OUTPUT(int, c, n);
    int *table_host = table_fill();
    launch_constantPerLane(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, c, a,
                           addresses);
    for (int i = 0; i < n; i++)
        c_host[i] = a_host[i] + table_host[i % BLOCK_SIZE % addresses];
    GALLERY_CHECK(c, n);
    free(table_host);
    GALLERY_FREE(c);
    GALLERY_FREE(a);
}

static void run_constantTable(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), n = blocks * BLOCK_SIZE;
    const int words = gallery_int(args, "bytes") / (int)sizeof(int);
    const int step = gallery_int(args, "step"), passes = gallery_int(args, "passes");
    GALLERY_OUTPUT(int, c, n);
    int *table_host = table_fill(), sum = 0;
    launch_constantTable(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, c, words, step,
                         passes);
    for (int k = 0; k < words; k += step)
        sum += passes * table_host[k];
    for (int i = 0; i < n; i++)
        c_host[i] = sum;
    GALLERY_CHECK(c, n);
    free(table_host);
    GALLERY_FREE(c);
}

#define BLOCKS(blocks) "blocks", blocks, 1, 65535, 1, "blocks of 256 threads"

static const struct gallery_kernel kernels[] = {
    {"addKernel",
     "adds two vectors and one constant, in one block",
     "All lanes read the constant at one address: one pass a warp (one a half-warp on sm_1x), "
     "as cheap as a register once it is in the constant cache.",
     run_addKernel,
     {{"size", 256, 1, 1024, 1, "elements of each vector: the threads of the block"},
      {"add", 2, -1000, 1000, 1, "the constant"}}},
    {"constantPerLane",
     "each lane adds the word of a table in constant memory that its number picks",
     "Constant memory serves one address a pass: `addresses` distinct ones take as many passes "
     "a warp, 32 at worst (16 a half-warp on sm_1x), where shared memory would take one.",
     run_constantPerLane,
     {{BLOCKS(64)}, {"addresses", 32, 1, 256, 1, "words of the table in use"}}},
    {"constantTable",
     "all lanes walk through a table in constant memory together, several times over",
     "Each read is one address and one pass; what changes with `bytes` is the cache: tables "
     "that fit in its 8 KB (4 KB on sm_60) miss in the first walk only, larger ones in every "
     "walk.",
     run_constantTable,
     {{BLOCKS(4)},
      {"bytes", 8192, 4, TABLE_BYTES, 4, "bytes of the table in use"},
      {"step", 4, 1, 1024, 1, "words from one read to the next"},
      {"passes", 2, 1, 64, 1, "walks through the table"}}},
};
GALLERY_TOPIC(constant, "Constant memory", kernels);
