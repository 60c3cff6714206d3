/* layouts.c - array of structs against struct of arrays: what the fields next to the wanted one
 * cost. */
#include "gallery.h"

#define LEN (1 << 22)

struct innerStruct {
    float x, y;
};

struct __align__(8) innerStructAligned
{
    float x, y;
};

struct innerArray {
    float x[LEN];
    float y[LEN];
};

struct fourInts {
    int a, b, c, d;
};

__global__ void incrementInnerStruct(const struct innerStruct *input, struct innerStruct *output,
                                     const int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        struct innerStruct tmp = input[i];
        tmp.x += 10.f;
        tmp.y += 20.f;
        output[i] = tmp;
    }
}
KERNEL_LAUNCHER(incrementInnerStruct, const struct innerStruct *, struct innerStruct *, const int)

__global__ void incrementInnerStructAligned(const struct innerStructAligned *input,
                                            struct innerStructAligned *output, const int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        struct innerStructAligned tmp = input[i];
        tmp.x += 10.f;
        tmp.y += 20.f;
        output[i] = tmp;
    }
}
KERNEL_LAUNCHER(incrementInnerStructAligned, const struct innerStructAligned *,
                struct innerStructAligned *, const int)

__global__ void incrementInnerStructX(const struct innerStruct *input, struct innerStruct *output,
                                      const int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        output[i].x = input[i].x + 10.f;
}
KERNEL_LAUNCHER(incrementInnerStructX, const struct innerStruct *, struct innerStruct *, const int)

__global__ void incrementInnerArray(const struct innerArray *input, struct innerArray *output,
                                    const int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float tmpx = input->x[i];
        float tmpy = input->y[i];
        output->x[i] = tmpx + 10.f;
        output->y[i] = tmpy + 20.f;
    }
}
KERNEL_LAUNCHER(incrementInnerArray, const struct innerArray *, struct innerArray *, const int)

__global__ void sumFourInts(const struct fourInts *data, int *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = data[i].a + data[i].b + data[i].c + data[i].d;
}
KERNEL_LAUNCHER(sumFourInts, const struct fourInts *, int *, int)

__global__ void sumFourArrays(const int *a, const int *b, const int *c, const int *d, int *sum,
                              int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i] + c[i] + d[i];
}
KERNEL_LAUNCHER(sumFourArrays, const int *, const int *, const int *, const int *, int *, int)

static dim3 grid_for(int n, int block)
{
    return make_dim3((n + block - 1) / block, 1, 1);
}

static void run_incrementInnerStruct(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    GALLERY_INPUT_OF(struct innerStruct, float, input, n);
    GALLERY_OUTPUT(struct innerStruct, output, n);
    launch_incrementInnerStruct(grid_for(n, block), make_dim3(block, 1, 1), 0, input, output, n);
    for (int i = 0; i < n; i++) {
        output_host[i].x = input_host[i].x + 10.f;
        output_host[i].y = input_host[i].y + 20.f;
    }
    GALLERY_CHECK(output, n);
    GALLERY_FREE(output);
    GALLERY_FREE(input);
}

static void run_incrementInnerStructAligned(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    GALLERY_INPUT_OF(struct innerStructAligned, float, input, n);
    GALLERY_OUTPUT(struct innerStructAligned, output, n);
    launch_incrementInnerStructAligned(grid_for(n, block), make_dim3(block, 1, 1), 0, input, output,
                                       n);
    for (int i = 0; i < n; i++) {
        output_host[i].x = input_host[i].x + 10.f;
        output_host[i].y = input_host[i].y + 20.f;
    }
    GALLERY_CHECK(output, n);
    GALLERY_FREE(output);
    GALLERY_FREE(input);
}

static void run_incrementInnerStructX(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    GALLERY_INPUT_OF(struct innerStruct, float, input, n);
    GALLERY_OUTPUT(struct innerStruct, output, n);
    launch_incrementInnerStructX(grid_for(n, block), make_dim3(block, 1, 1), 0, input, output, n);
    for (int i = 0; i < n; i++)
        output_host[i].x = input_host[i].x + 10.f;
    GALLERY_CHECK(output, n);
    GALLERY_FREE(output);
    GALLERY_FREE(input);
}

/* The arrays have LEN elements whatever n is: their length is part of the type. */
static void run_incrementInnerArray(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    GALLERY_INPUT_OF(struct innerArray, float, input, 1);
    GALLERY_OUTPUT(struct innerArray, output, 1);
    launch_incrementInnerArray(grid_for(n, block), make_dim3(block, 1, 1), 0, input, output, n);
    for (int i = 0; i < n; i++) {
        output_host->x[i] = input_host->x[i] + 10.f;
        output_host->y[i] = input_host->y[i] + 20.f;
    }
    gallery_check("output", output, output_host, 2 * LEN, sizeof(float));
    GALLERY_FREE(output);
    GALLERY_FREE(input);
}

static void run_sumFourInts(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    GALLERY_INPUT_OF(struct fourInts, int, data, n);
    GALLERY_OUTPUT(int, sum, n);
    launch_sumFourInts(grid_for(n, block), make_dim3(block, 1, 1), 0, data, sum, n);
    for (int i = 0; i < n; i++) {
        const struct fourInts *p = &data_host[i];
        sum_host[i] = p->a + p->b + p->c + p->d;
    }
    GALLERY_CHECK(sum, n);
    GALLERY_FREE(sum);
    GALLERY_FREE(data);
}

static void run_sumFourArrays(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    GALLERY_INPUT(int, a, n);
    GALLERY_INPUT(int, b, n);
    GALLERY_INPUT(int, c, n);
    GALLERY_INPUT(int, d, n);
    GALLERY_OUTPUT(int, sum, n);
    launch_sumFourArrays(grid_for(n, block), make_dim3(block, 1, 1), 0, a, b, c, d, sum, n);
    for (int i = 0; i < n; i++)
        sum_host[i] = a_host[i] + b_host[i] + c_host[i] + d_host[i];
    GALLERY_CHECK(sum, n);
    GALLERY_FREE(sum);
    GALLERY_FREE(d);
    GALLERY_FREE(c);
    GALLERY_FREE(b);
    GALLERY_FREE(a);
}

#define BLOCK_PARAM                                                                                \
    {                                                                                              \
        "block", 128, 32, 1024, 32, "threads a block"                                              \
    }

static const struct gallery_kernel kernels[] = {
    {"incrementInnerStruct",
     "adds 10 to x and 20 to y in an array of two-float structs",
     "A struct aligned to 4 bytes moves as two 4-byte accesses with a stride of 8 bytes, each of "
     "which touches every sector of both fields: load and store efficiency are 50 % (sm_10: 16 "
     "transactions a half-warp).",
     run_incrementInnerStruct,
     {{"n", LEN, 1, 1 << 24, 1, "structs"}, BLOCK_PARAM}},
    {"incrementInnerStructAligned",
     "the same with the struct aligned to 8 bytes",
     "The alignment lets the compiler move both fields in one 8-byte access, and consecutive "
     "8-byte words coalesce on every generation: 100 % again, without changing the layout.",
     run_incrementInnerStructAligned,
     {{"n", LEN, 1, 1 << 24, 1, "structs"}, BLOCK_PARAM}},
    {"incrementInnerStructX",
     "adds 10 to x alone in an array of two-float structs",
     "y travels along with every x and is dropped: half of each line, segment or sector is wasted "
     "(sm_10, which cannot coalesce the stride, wastes 7/8), and no alignment helps; only a layout "
     "that keeps the x together does.",
     run_incrementInnerStructX,
     {{"n", LEN, 1, 1 << 24, 1, "structs"}, BLOCK_PARAM}},
    {"incrementInnerArray",
     "adds 10 to x and 20 to y in a struct of two arrays",
     "Each field is an array of its own, so every access is 32 consecutive words: 100 % load and "
     "store efficiency with plain 4-byte accesses.",
     run_incrementInnerArray,
     {{"n", LEN, 1, LEN, 1, "elements of each array used"}, BLOCK_PARAM}},
    {"sumFourInts",
     "adds up the four ints of a struct, read member by member",
     "Lanes are 16 bytes apart, so each of the four loads touches all 512 bytes of the warp's "
     "structs for 128 wanted: sm_13 sends two 128-byte transactions a half-warp where separate "
     "arrays need one of 64, and sectors are one quarter used.",
     run_sumFourInts,
     {{"n", 1 << 20, 1, 1 << 24, 1, "structs"}, BLOCK_PARAM}},
    {"sumFourArrays",
     "adds up one int from each of four arrays",
     "The same sums from a struct of arrays: one 64-byte transaction a half-warp and load on "
     "sm_1x, four sectors a warp later, every byte used.",
     run_sumFourArrays,
     {{"n", 1 << 20, 1, 1 << 24, 1, "elements of each array"}, BLOCK_PARAM}},
};
GALLERY_TOPIC(layouts, "Array of structs, struct of arrays", kernels);
