/* texture.c - fetches through the texture unit, from linear memory: tex1Dfetch.
 *
 * Linear memory keeps rows one after another, unlike a CUDA array, whose layout keeps 2D neighbours
 * together and is not documented. So two-dimensional locality is the cache's work alone here:
 * texels that a warp brings in with a line serve the neighbouring fetches.
 */
#include "gallery.h"

#define NUM_THREADS 256
#define TILE 16

/* A texture over a linear float array. For warplens it is the array itself. */
#ifdef __CUDACC__
#define tex1Dfetch(texture, i) tex1Dfetch<float>(texture, i)

static cudaTextureObject_t texture_create(float *linear, size_t bytes)
{
    cudaTextureObject_t texture = 0;
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = bytes;
    description.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&texture, &resource, &description, NULL);
    return texture;
}
#else
typedef const float *cudaTextureObject_t;

static cudaTextureObject_t texture_create(float *linear, size_t bytes)
{
    (void)bytes;
    return linear;
}

static void cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    (void)texture;
}
#endif

__global__ void readTexels(int n, float *d_out, cudaTextureObject_t texRef)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n)
        d_out[idx] = tex1Dfetch(texRef, idx);
}
KERNEL_LAUNCHER(readTexels, int, float *, cudaTextureObject_t)

__host__ __device__ static int clampIndex(int i, int size)
{
    return i < 0 ? 0 : i < size ? i : size - 1;
}

/* Sum of the texels around each point; a warp is two rows of 16 lanes. */
__global__ void texture2DRows(float *odata, cudaTextureObject_t texRef, int width, int height,
                              int radius)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            sum +=
                tex1Dfetch(texRef, clampIndex(y + dy, height) * width + clampIndex(x + dx, width));
    odata[y * width + x] = sum;
}
KERNEL_LAUNCHER(texture2DRows, float *, cudaTextureObject_t, int, int, int)

/* The same sum; a warp is two columns of 16 lanes. */
__global__ void texture2DColumns(float *odata, cudaTextureObject_t texRef, int width, int height,
                                 int radius)
{
    int x = blockIdx.x * TILE + threadIdx.y;
    int y = blockIdx.y * TILE + threadIdx.x;
    float sum = 0;
    for (int dx = -radius; dx <= radius; dx++)
        for (int dy = -radius; dy <= radius; dy++)
            sum +=
                tex1Dfetch(texRef, clampIndex(y + dy, height) * width + clampIndex(x + dx, width));
    odata[y * width + x] = sum;
}
KERNEL_LAUNCHER(texture2DColumns, float *, cudaTextureObject_t, int, int, int)

static void run_readTexels(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n");
    GALLERY_INPUT(float, d_a, n);
    GALLERY_OUTPUT(float, d_out, n);
    cudaTextureObject_t texRef = texture_create(d_a, n * sizeof(float));
    launch_readTexels(make_dim3((n + NUM_THREADS - 1) / NUM_THREADS, 1, 1),
                      make_dim3(NUM_THREADS, 1, 1), 0, n, d_out, texRef);
    memcpy(d_out_host, d_a_host, n * sizeof(float));
    GALLERY_CHECK(d_out, n);
    cudaDestroyTextureObject(texRef);
    GALLERY_FREE(d_out);
    GALLERY_FREE(d_a);
}

static float sum_around(const float *texels, int x, int y, int width, int height, int radius)
{
    float sum = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            sum += texels[clampIndex(y + dy, height) * width + clampIndex(x + dx, width)];
    return sum;
}

static void run_texture2D(const struct gallery_args *args,
                          void (*launch)(dim3 grid, dim3 block, size_t shared, float *,
                                         cudaTextureObject_t, int, int, int))
{
    const int width = gallery_int(args, "width"), height = gallery_int(args, "height");
    const int radius = gallery_int(args, "radius"), n = width * height;
    GALLERY_INPUT(float, texels, n);
    GALLERY_OUTPUT(float, odata, n);
    cudaTextureObject_t texRef = texture_create(texels, n * sizeof(float));
    launch(make_dim3(width / TILE, height / TILE, 1), make_dim3(TILE, TILE, 1), 0, odata, texRef,
           width, height, radius);
    for (int i = 0; i < n; i++)
        odata_host[i] = sum_around(texels_host, i % width, i / width, width, height, radius);
    GALLERY_CHECK(odata, n);
    cudaDestroyTextureObject(texRef);
    GALLERY_FREE(odata);
    GALLERY_FREE(texels);
}

static void run_texture2DRows(const struct gallery_args *args)
{
    run_texture2D(args, launch_texture2DRows);
}

static void run_texture2DColumns(const struct gallery_args *args)
{
    run_texture2D(args, launch_texture2DColumns);
}

#define WIDTH "width", 256, 16, 4096, 16, "texels a row"
#define HEIGHT "height", 256, 16, 4096, 16, "rows"
#define RADIUS "radius", 1, 0, 8, 1, "texels added up on each side of a point"

static const struct gallery_kernel kernels[] = {
    {"readTexels",
     "copies an array through the texture unit, one texel a thread",
     "Fetches of neighbouring texels fill the cache's 32-byte lines exactly, and each line is "
     "used by one warp and once: on data that is read once in order a texture only adds "
     "latency.",
     run_readTexels,
     {{"n", 5000, 1, 1 << 24, 1, "texels"}}},
    {"texture2DRows",
     "adds up the texels around each point, the lanes of a warp along the rows",
     "A warp's fetch lies in two rows and in four to six lines of 32 bytes. Neighbouring "
     "fetches share nearly all of them, so that after the first few the texels come from the "
     "cache.",
     run_texture2DRows,
     {{WIDTH}, {HEIGHT}, {RADIUS}}},
    {"texture2DColumns",
     "adds up the texels around each point, the lanes of a warp along the columns",
     "A warp's fetch lies in 16 rows and in 16 to 32 lines, but its next fetches and the "
     "block's other warps use the rest of those lines: the cache makes good what, uncached, "
     "would be more than three times the data of texture2DRows. The stores have no such help "
     "and touch 16 sectors a warp instead of 4.",
     run_texture2DColumns,
     {{WIDTH}, {HEIGHT}, {RADIUS}}},
};
GALLERY_TOPIC(texture, "Texture fetches from linear memory", kernels);
