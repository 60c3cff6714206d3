// surfaces.cu - surfaces, texture references, and copies of CUDA arrays: what is written is read back, through each.
#include "check.h"

#include <cstring>
#include <vector>

enum { W = 20, H = 9, D = 3 };

/* ---- Surfaces ------------------------------------------------------------------------------------- */

__global__ void write_all(cudaSurfaceObject_t flat, cudaSurfaceObject_t deep)
{
    const int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite((float)(100 * y + x), flat, x * (int)sizeof(float), y);
    surf2Dwrite(-1.0f, flat, (x + W) * (int)sizeof(float), y, cudaBoundaryModeZero); // nothing
    for (int z = 0; z < D; z++)
        surf3Dwrite(make_ushort4(x, y, z, 7), deep, x * (int)sizeof(ushort4), y, z,
                    cudaBoundaryModeTrap);
}

__global__ void read_all(int *wrong, cudaSurfaceObject_t flat, cudaSurfaceObject_t deep)
{
    const int x = threadIdx.x, y = threadIdx.y;
    float f;
    surf2Dread(&f, flat, x * (int)sizeof(float), y);
    if (f != (float)(100 * y + x))
        atomicAdd(wrong, 1);
    if (surf2Dread<float>(flat, -4, y, cudaBoundaryModeZero) != 0 ||
        surf2Dread<float>(flat, (x + W) * 4, y + H, cudaBoundaryModeClamp) !=
            (float)(100 * (H - 1) + W - 1))
        atomicAdd(wrong, 1);
    for (int z = 0; z < D; z++) {
        const ushort4 v = surf3Dread<ushort4>(deep, x * (int)sizeof(ushort4), y, z);
        if (v.x != x || v.y != y || v.z != z || v.w != 7)
            atomicAdd(wrong, 1);
    }
}

static cudaArray_t array_for_surface(const cudaChannelFormatDesc &format, size_t depth)
{
    cudaArray_t array;
    CHECK_CALL(cudaMalloc3DArray(&array, &format, make_cudaExtent(W, H, depth),
                                 cudaArraySurfaceLoadStore));
    return array;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t object;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK_CALL(cudaCreateSurfaceObject(&object, &resource));
    return object;
}

static int *wrong;

static void check_wrong()
{
    int count;
    CHECK_CALL(cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost));
    CHECK_THAT(count == 0);
}

static void test_surfaces()
{
    cudaArray_t flat = array_for_surface(cudaCreateChannelDesc<float>(), 0);
    cudaArray_t deep = array_for_surface(cudaCreateChannelDesc<ushort4>(), D);
    const cudaSurfaceObject_t flat_object = surface_of(flat), deep_object = surface_of(deep);
    float rows[H][W];
    write_all<<<1, dim3(W, H)>>>(flat_object, deep_object);
    read_all<<<1, dim3(W, H)>>>(wrong, flat_object, deep_object);
    check_wrong();
    CHECK_CALL(cudaMemcpy2DFromArray(rows, sizeof rows[0], flat, 0, 0, sizeof rows[0], H,
                                     cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            CHECK_THAT(rows[y][x] == (float)(100 * y + x));
    std::vector<ushort4> all(W * H * D);
    cudaMemcpy3DParms copy = {};
    copy.srcArray = deep;
    copy.srcPos = make_cudaPos(1, 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(all.data(), W * sizeof(ushort4), W, H);
    copy.extent = make_cudaExtent(W - 1, H - 1, D - 1);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK_CALL(cudaMemcpy3D(&copy));
    for (int z = 0; z < D - 1; z++)
        for (int y = 0; y < H - 1; y++)
            for (int x = 0; x < W - 1; x++) {
                const ushort4 v = all[(z * H + y) * W + x];
                CHECK_THAT(v.x == x + 1 && v.y == y + 1 && v.z == z + 1);
            }
    CHECK_CALL(cudaDestroySurfaceObject(flat_object));
    CHECK_CALL(cudaFreeArray(flat));
    CHECK_CALL(cudaFreeArray(deep));
}

surface<void, cudaSurfaceType2D> legacy_surface;

__global__ void add_one()
{
    const int x = threadIdx.x * (int)sizeof(int), y = threadIdx.y;
    surf2Dwrite(surf2Dread<int>(legacy_surface, x, y) + 1, legacy_surface, x, y);
}

/* ---- Texture references ----------------------------------------------------------------------------- */

texture<float, 1, cudaReadModeElementType> line_texture;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> byte_texture;
texture<int, 2> int_texture;
static texture<int2, 1> double_texture;

__device__ double fetch_double(int i)
{
    const int2 words = tex1Dfetch(double_texture, i);
    return __hiloint2double(words.y, words.x);
}

__global__ void through_references(float *out, double *doubles)
{
    const int i = threadIdx.x;
    out[i] = tex1Dfetch(line_texture, i);
    out[W + i] = tex2D(byte_texture, (i + 0.5f) / W, 0.5f / H);
    out[2 * W + i] = (float)tex2D(int_texture, i, 2);
    doubles[i] = fetch_double(i);
}

static void test_references()
{
    float *line, *out, host[3 * W];
    unsigned char bytes[H][W] = {};
    int ints[H][W];
    double values[W], *doubles, back[W];
    unsigned char *pitched;
    size_t pitch, offset = 99;
    cudaArray_t array;
    for (int i = 0; i < W; i++) {
        host[i] = 0.5f * i;
        bytes[0][i] = 10 * i;
        values[i] = 1.0 / (i + 3);
    }
    CHECK_CALL(cudaMalloc(&line, W * sizeof(float)));
    CHECK_CALL(cudaMalloc(&out, sizeof host));
    CHECK_CALL(cudaMalloc(&doubles, sizeof values));
    CHECK_CALL(cudaMemcpy(line, host, W * sizeof(float), cudaMemcpyHostToDevice));
    CHECK_CALL(cudaMemcpy(doubles, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK_CALL(cudaMallocPitch(&pitched, &pitch, W, H));
    CHECK_CALL(cudaMemcpy2D(pitched, pitch, bytes, W, W, H, cudaMemcpyHostToDevice));

    cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    CHECK_CALL(cudaMallocArray(&array, &format, W, H, cudaArraySurfaceLoadStore));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            ints[y][x] = 1000 * y - x;
    CHECK_CALL(cudaMemcpyToArray(array, 0, 0, ints, sizeof ints, cudaMemcpyHostToDevice));
    CHECK_CALL(cudaBindSurfaceToArray(legacy_surface, array));
    add_one<<<1, dim3(W, H)>>>();

    CHECK_CALL(cudaBindTexture(&offset, line_texture, line, W * sizeof(float)));
    CHECK_THAT(offset == 0);
    CHECK_CALL(cudaBindTexture(NULL, double_texture, doubles));
    CHECK_CALL(cudaBindTexture2D(NULL, byte_texture, pitched, byte_texture.channelDesc, W, H, pitch));
    byte_texture.normalized = true; // behind the binding: what a fetch finds counts
    byte_texture.addressMode[0] = cudaAddressModeWrap;
    CHECK_CALL(cudaBindTextureToArray(int_texture, array));
    through_references<<<1, W>>>(out, doubles);
    CHECK_CALL(cudaMemcpy(back, doubles, sizeof back, cudaMemcpyDeviceToHost));
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W; i++) {
        CHECK_THAT(host[i] == 0.5f * i && back[i] == values[i]);
        CHECK_THAT(host[W + i] == bytes[0][i] / 255.0f);
        CHECK_THAT(host[2 * W + i] == (float)(2000 - i + 1));
    }
    CHECK_CALL(cudaUnbindTexture(line_texture));
    CHECK_CALL(cudaFreeArray(array));
}

/* ---- Copies of arrays ------------------------------------------------------------------------------- */

static void test_copies()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar2>(), found;
    cudaArray_t one, two;
    cudaExtent extent;
    unsigned flags;
    uchar2 from[H][W], to[H][W] = {}, *device;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            from[y][x] = make_uchar2(x, y);
    CHECK_CALL(cudaMallocArray(&one, &format, W, H));
    CHECK_CALL(cudaMallocArray(&two, &format, W, H));
    CHECK_CALL(cudaArrayGetInfo(&found, &extent, &flags, one));
    CHECK_THAT(found.x == 8 && found.y == 8 && found.z == 0);
    CHECK_THAT(found.f == cudaChannelFormatKindUnsigned && flags == 0);
    CHECK_THAT(extent.width == W && extent.height == H && extent.depth == 0);
    CHECK_CALL(cudaMalloc(&device, sizeof from));
    CHECK_CALL(cudaMemcpy(device, from, sizeof from, cudaMemcpyHostToDevice));
    CHECK_CALL(cudaMemcpy2DToArray(one, 0, 0, device, sizeof from[0], sizeof from[0], H,
                                   cudaMemcpyDeviceToDevice));
    // From (6, 2) of one to (2, 1) of two: 5 texels of 4 rows; then bytes that go on in the next row.
    CHECK_CALL(cudaMemcpy2DArrayToArray(two, 2 * 2, 1, one, 6 * 2, 2, 5 * 2, 4));
    CHECK_CALL(cudaMemcpyFromArray(to, two, 2 * 2, 1, sizeof from[0], cudaMemcpyDeviceToHost));
    for (int x = 0; x < 5; x++)
        CHECK_THAT(to[0][x].x == x + 6 && to[0][x].y == 2);
    CHECK_CALL(cudaMemcpyFromArray(to, one, 18 * 2, 3, 4 * 2, cudaMemcpyDeviceToHost));
    CHECK_THAT(to[0][1].x == 19 && to[0][1].y == 3 && to[0][2].x == 0 && to[0][2].y == 4);
    CHECK_THAT(cudaMemcpy2DToArray(one, 2, 0, from, sizeof from[0], sizeof from[0], H,
                                   cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK_THAT(cudaMemcpyToArray(one, 0, 0, from, 4, cudaMemcpyDeviceToHost) ==
               cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
}

int main()
{
    CHECK_CALL(cudaMalloc(&wrong, sizeof *wrong));
    CHECK_CALL(cudaMemset(wrong, 0, sizeof *wrong));
    test_surfaces();
    test_references();
    test_copies();
    CHECK_CALL(cudaDeviceSynchronize());
    printf("PASSED\n");
}
