/* structs.c - a vector of three floats a thread: twelve bytes are no word size the hardware loads
 * at once. Four ways to read them, and accessFloat3, which also writes them. */
#include "gallery.h"

#define THREAD_NUM 256

struct vec3d {
    float x, y, z;
};

struct __align__(16) vec3dPadded
{
    float x, y, z;
};

__global__ void vec3d(const struct vec3d *data, float *output)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    output[tid] = data[tid].x * data[tid].x + data[tid].y * data[tid].y + data[tid].z * data[tid].z;
}
KERNEL_LAUNCHER(vec3d, const struct vec3d *, float *)

/* The copy is what makes it one 16-byte load; members read one by one may stay separate loads. */
__global__ void vec3dAligned(const struct vec3dPadded *data, float *output)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    struct vec3dPadded v = data[tid];
    output[tid] = v.x * v.x + v.y * v.y + v.z * v.z;
}
KERNEL_LAUNCHER(vec3dAligned, const struct vec3dPadded *, float *)

__global__ void vec3dArrays(const float *x, const float *y, const float *z, float *output)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    output[tid] = x[tid] * x[tid] + y[tid] * y[tid] + z[tid] * z[tid];
}
KERNEL_LAUNCHER(vec3dArrays, const float *, const float *, const float *, float *)

__global__ void vec3dShared(const struct vec3d *data, float *output)
{
    __shared__ float temp[THREAD_NUM * 3];
    int tid = threadIdx.x;
    const float *fdata = (const float *)(data + blockIdx.x * THREAD_NUM);
    temp[tid] = fdata[tid];
    temp[tid + THREAD_NUM] = fdata[tid + THREAD_NUM];
    temp[tid + THREAD_NUM * 2] = fdata[tid + THREAD_NUM * 2];
    __syncthreads();
    output[blockIdx.x * THREAD_NUM + tid] = temp[tid * 3] * temp[tid * 3] +
                                            temp[tid * 3 + 1] * temp[tid * 3 + 1] +
                                            temp[tid * 3 + 2] * temp[tid * 3 + 2];
}
KERNEL_LAUNCHER(vec3dShared, const struct vec3d *, float *)

__global__ void accessFloat3(const float3 *d_in, float3 *d_out)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    float3 a = d_in[index];
    a.x += 2;
    a.y += 2;
    a.z += 2;
    d_out[index] = a;
}
KERNEL_LAUNCHER(accessFloat3, const float3 *, float3 *)

static void square_lengths(float *length, const struct vec3d *v, int n)
{
    for (int i = 0; i < n; i++)
        length[i] = v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z;
}

static void run_vec3d(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT_OF(struct vec3d, float, data, n);
    GALLERY_OUTPUT(float, output, n);
    launch_vec3d(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, data, output);
    square_lengths(output_host, data_host, n);
    GALLERY_CHECK(output, n);
    GALLERY_FREE(output);
    GALLERY_FREE(data);
}

static void run_vec3dAligned(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT_OF(struct vec3dPadded, float, data, n);
    GALLERY_OUTPUT(float, output, n);
    launch_vec3dAligned(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, data, output);
    for (int i = 0; i < n; i++) {
        const struct vec3dPadded v = data_host[i];
        output_host[i] = v.x * v.x + v.y * v.y + v.z * v.z;
    }
    GALLERY_CHECK(output, n);
    GALLERY_FREE(output);
    GALLERY_FREE(data);
}

static void run_vec3dArrays(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT(float, x, n);
    GALLERY_INPUT(float, y, n);
    GALLERY_INPUT(float, z, n);
    GALLERY_OUTPUT(float, output, n);
    launch_vec3dArrays(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, x, y, z, output);
    for (int i = 0; i < n; i++)
        output_host[i] = x_host[i] * x_host[i] + y_host[i] * y_host[i] + z_host[i] * z_host[i];
    GALLERY_CHECK(output, n);
    GALLERY_FREE(output);
    GALLERY_FREE(z);
    GALLERY_FREE(y);
    GALLERY_FREE(x);
}

static void run_vec3dShared(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n");
    GALLERY_INPUT_OF(struct vec3d, float, data, n);
    GALLERY_OUTPUT(float, output, n);
    launch_vec3dShared(make_dim3(n / THREAD_NUM, 1, 1), make_dim3(THREAD_NUM, 1, 1), 0, data,
                       output);
    square_lengths(output_host, data_host, n);
    GALLERY_CHECK(output, n);
    GALLERY_FREE(output);
    GALLERY_FREE(data);
}

static void run_accessFloat3(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    if (!gallery_whole_blocks(n, block))
        return;
    GALLERY_INPUT_OF(float3, float, d_in, n);
    GALLERY_OUTPUT(float3, d_out, n);
    launch_accessFloat3(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1), 0, d_in, d_out);
    for (int i = 0; i < n; i++)
        d_out_host[i] = make_float3(d_in_host[i].x + 2, d_in_host[i].y + 2, d_in_host[i].z + 2);
    GALLERY_CHECK(d_out, n);
    GALLERY_FREE(d_out);
    GALLERY_FREE(d_in);
}

#define SIZE_PARAMS                                                                                \
    {"n", 1 << 20, 32, 1 << 24, 32, "vectors, one a thread"},                                      \
    {                                                                                              \
        "block", 256, 32, 1024, 32, "threads a block; n must be a multiple of it"                  \
    }

static const struct gallery_kernel kernels[] = {
    {"vec3d",
     "squared lengths of an array of 12-byte structs, read member by member",
     "Neighbouring lanes are 12 bytes apart, so each of the three loads spans 384 bytes for 128 "
     "wanted: sm_10 cannot coalesce it and sends 16 transactions a half-warp, sectors are one "
     "third used, and only a cache that keeps them for the next member recovers the rest.",
     run_vec3d,
     {SIZE_PARAMS}},
    {"vec3dAligned",
     "squared lengths of structs padded to 16 bytes, each read as a whole",
     "One 16-byte load a lane coalesces on every generation (two 128-byte transactions a half-warp "
     "on sm_10); the counters say 100 %, though a quarter of every transaction is padding.",
     run_vec3dAligned,
     {SIZE_PARAMS}},
    {"vec3dArrays",
     "squared lengths of vectors kept as three arrays of floats",
     "Each load is 32 consecutive words: one 64-byte transaction a half-warp on sm_1x, four "
     "sectors a warp later, nothing moved that is not used.",
     run_vec3dArrays,
     {SIZE_PARAMS}},
    {"vec3dShared",
     "squared lengths of 12-byte structs, staged as plain floats through shared memory",
     "The global loads take consecutive words and coalesce like three arrays; the structs are put "
     "together from shared memory, where a stride of 3 words is free of bank conflicts because 3 "
     "shares no factor with 16 or 32 banks.",
     run_vec3dShared,
     {{"n", 1 << 20, THREAD_NUM, 1 << 24, THREAD_NUM, "vectors, one a thread; blocks of 256"}}},
    {"accessFloat3",
     "adds 2 to every component of a float3 array",
     "A float3 moves as three 4-byte loads and three 4-byte stores, each with a stride of 12 "
     "bytes: 16 transactions a half-warp on sm_10 and 12 sectors where 4 would do on later parts.",
     run_accessFloat3,
     {SIZE_PARAMS}},
};
GALLERY_TOPIC(structs, "Structs of three floats", kernels);
