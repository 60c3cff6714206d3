// textures.cu - texture objects: every fetch against the guide's formulas, worked out on the host with an array of
// its own, without the layout of CUDA arrays. All is compared exactly: sizes and values are such that floats hold it.
#include "check.h"

#include <cmath>
#include <vector>

enum { W = 12, H = 7, D = 3, POINTS = 32 * 8 };

struct point {
    float x, y, z;
};

static float texel_value(int x, int y, int z)
{
    return (float)(x * x + 17 * y + 131 * z);
}

/* ---- The formulas ------------------------------------------------------------------------------- */

/* A texel of one axis; -1 is the border. */
static int address(int i, int n, cudaTextureAddressMode mode)
{
    if (mode == cudaAddressModeBorder)
        return i < 0 || i >= n ? -1 : i;
    if (mode == cudaAddressModeWrap)
        return (i % n + n) % n;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static float unnormalized(float x, int n, cudaTextureAddressMode mode)
{
    if (mode == cudaAddressModeWrap)
        x -= floorf(x);
    if (mode == cudaAddressModeMirror)
        x = (int)floorf(x) & 1 ? 1 - (x - floorf(x)) : x - floorf(x);
    return x * (float)n;
}

static float reference(const point &p, int dimensions, const cudaTextureDesc &desc)
{
    const float at[3] = {p.x, p.y, p.z};
    const int size[3] = {W, dimensions > 1 ? H : 1, dimensions > 2 ? D : 1};
    int first[3] = {0, 0, 0};
    double weight[3] = {0, 0, 0}, sum = 0;
    cudaTextureAddressMode modes[3];
    for (int i = 0; i < dimensions; i++) {
        modes[i] = desc.addressMode[i];
        if (!desc.normalizedCoords &&
            (modes[i] == cudaAddressModeWrap || modes[i] == cudaAddressModeMirror))
            modes[i] = cudaAddressModeClamp;
        float x = desc.normalizedCoords ? unnormalized(at[i], size[i], modes[i]) : at[i];
        first[i] = (int)floorf(x);
        if (desc.filterMode == cudaFilterModeLinear) {
            const double shifted = (double)x - 0.5;
            first[i] = (int)floor(shifted);
            weight[i] = floor((shifted - first[i]) * 256 + 0.5) / 256;
        }
    }
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        double share = 1;
        int texel[3] = {0, 0, 0};
        bool border = false;
        for (int i = 0; i < dimensions; i++) {
            const int second = corner >> i & 1;
            share *= second ? weight[i] : 1 - weight[i];
            texel[i] = address(first[i] + second, size[i], modes[i]);
            border = border || texel[i] < 0;
        }
        sum += share * (border ? 0 : texel_value(texel[0], texel[1], texel[2]));
    }
    return (float)sum;
}

/* ---- On the device ------------------------------------------------------------------------------ */

template <int dimensions>
__global__ void fetch(float *out, cudaTextureObject_t object, const point *points)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const point p = points[i];
    if (dimensions == 1)
        out[i] = tex1D<float>(object, p.x);
    else if (dimensions == 2)
        out[i] = tex2D<float>(object, p.x, p.y);
    else
        tex3D(&out[i], object, p.x, p.y, p.z);
}

static point *points;
static float *out;
static point host_points[POINTS];
static float host_out[POINTS];
static int all_differ;
static cudaTextureObject_t texture; // since CUDA 12 a name as any other

static unsigned next_random(unsigned *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

/* Steps of 1/1024 of a texel, from two sizes before the texture to two behind it; a quarter on texels' edges. */
static void make_points(bool normalized)
{
    unsigned state = 7;
    for (int i = 0; i < POINTS; i++) {
        float at[3];
        const int size[3] = {W, H, D};
        for (int k = 0; k < 3; k++) {
            int step = (int)(next_random(&state) >> 8) % (5 * size[k] * 1024);
            at[k] = (float)(i % 4 ? step : step / 512 * 512) / 1024 - 2 * size[k];
            if (normalized)
                at[k] /= (float)size[k];
        }
        host_points[i] = {at[0], at[1], at[2]};
    }
    CHECK_CALL(cudaMemcpy(points, host_points, sizeof host_points, cudaMemcpyHostToDevice));
}

static void compare(cudaArray_t array, int dimensions, cudaTextureDesc desc)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK_CALL(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    make_points(desc.normalizedCoords);
    if (dimensions == 1)
        fetch<1><<<8, 32>>>(out, texture, points);
    else if (dimensions == 2)
        fetch<2><<<8, 32>>>(out, texture, points);
    else
        fetch<3><<<8, 32>>>(out, texture, points);
    CHECK_CALL(cudaMemcpy(host_out, out, sizeof host_out, cudaMemcpyDeviceToHost));
    int differ = 0;
    double most = 0;
    for (int i = 0; i < POINTS; i++) {
        const double by = fabs((double)host_out[i] - reference(host_points[i], dimensions, desc));
        differ += by != 0;
        most = by > most ? by : most;
    }
    if (differ)
        printf("%dD, address mode %d, %s, %s coordinates: %d of %d differ, by %g at most\n",
               dimensions, (int)desc.addressMode[0], desc.filterMode ? "linear" : "point",
               desc.normalizedCoords ? "normalized" : "texel", differ, (int)POINTS, most);
    all_differ += differ;
    CHECK_CALL(cudaDestroyTextureObject(texture));
}

static void all_modes(cudaArray_t array, int dimensions)
{
    for (int mode = cudaAddressModeWrap; mode <= cudaAddressModeBorder; mode++)
        for (int filter = cudaFilterModePoint; filter <= cudaFilterModeLinear; filter++)
            for (int normalized = 0; normalized < 2; normalized++) {
                cudaTextureDesc desc = {};
                for (int i = 0; i < 3; i++)
                    desc.addressMode[i] = (cudaTextureAddressMode)mode;
                desc.filterMode = (cudaTextureFilterMode)filter;
                desc.normalizedCoords = normalized;
                compare(array, dimensions, desc);
            }
}

static cudaArray_t filled_array(int dimensions, unsigned flags)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const cudaExtent extent = {W, dimensions > 1 ? (size_t)H : 0, dimensions > 2 ? (size_t)D : 0};
    const int rows = dimensions > 1 ? H : 1, slices = dimensions > 2 ? D : 1;
    std::vector<float> texels;
    cudaArray_t array;
    for (int z = 0; z < slices; z++)
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < W; x++)
                texels.push_back(texel_value(x, y, z));
    CHECK_CALL(cudaMalloc3DArray(&array, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), W * sizeof(float), W, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(W, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK_CALL(cudaMemcpy3D(&copy));
    return array;
}

/* ---- Formats, layers, cubes, gathers, linear memory ------------------------------------------------ */

__global__ void formats(float *out, cudaTextureObject_t bytes, cudaTextureObject_t as_float,
                        cudaTextureObject_t shorts, cudaTextureObject_t halves)
{
    const uchar4 b = tex2D<uchar4>(bytes, 2.0f, 1.0f);
    const float4 f = tex2D<float4>(as_float, 2.0f, 1.0f);
    const float2 s = tex2D<float2>(shorts, 1.0f, 0.0f);
    out[0] = b.x, out[1] = b.y, out[2] = b.z, out[3] = b.w;
    out[4] = f.x, out[5] = f.y, out[6] = f.z, out[7] = f.w;
    out[8] = s.x, out[9] = s.y;
    out[10] = tex1Dfetch<float>(halves, 1);
    out[11] = tex1Dfetch<float>(halves, 2);  // behind the end
    out[12] = tex1Dfetch<float>(halves, -1); // in front of the beginning
}

template <class T>
static cudaTextureObject_t over_array(const T *texels, int width, int height,
                                      cudaTextureReadMode mode)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    CHECK_CALL(cudaMallocArray(&array, &format, width, height));
    CHECK_CALL(cudaMemcpy2DToArray(array, 0, 0, texels, width * sizeof(T), width * sizeof(T),
                                   height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t object;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    desc.readMode = mode;
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    CHECK_CALL(cudaCreateTextureObject(&object, &resource, &desc, NULL));
    return object;
}

static void test_formats()
{
    uchar4 bytes[8] = {};
    bytes[6] = make_uchar4(0, 51, 128, 255); // (2, 1) of 4 x 2
    const short2 shorts[2] = {make_short2(0, 0), make_short2(-32768, 32767)};
    const unsigned short halves[2] = {0, 0xc100}; // -2.5
    unsigned short *linear;
    CHECK_CALL(cudaMalloc(&linear, sizeof halves));
    CHECK_CALL(cudaMemcpy(linear, halves, sizeof halves, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t half_object;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = cudaCreateChannelDescHalf();
    resource.res.linear.sizeInBytes = sizeof halves;
    CHECK_CALL(cudaCreateTextureObject(&half_object, &resource, &desc, NULL));
    formats<<<1, 1>>>(out, over_array(bytes, 4, 2, cudaReadModeElementType),
                      over_array(bytes, 4, 2, cudaReadModeNormalizedFloat),
                      over_array(shorts, 2, 1, cudaReadModeNormalizedFloat), half_object);
    CHECK_CALL(cudaMemcpy(host_out, out, 13 * sizeof(float), cudaMemcpyDeviceToHost));
    const float expected[13] = {0, 51, 128, 255,  0,     51 / 255.0f, 128 / 255.0f,
                                1, -1, 1,   -2.5, 0, 0};
    for (int i = 0; i < 13; i++)
        CHECK_THAT(host_out[i] == expected[i]);
}

__global__ void layers(float *out, cudaTextureObject_t layered, cudaTextureObject_t cube,
                       cudaTextureObject_t flat)
{
    out[0] = tex2DLayered<float>(layered, 3.5f, 2.5f, 1);
    out[1] = tex2DLayered<float>(layered, 3.5f, 2.5f, 9);  // the last one
    out[2] = tex2DLayered<float>(layered, 3.5f, 2.5f, -1); // the first one
    const float3 directions[6] = {{1, 0.5f, 0.5f},  {-1, 0.5f, 0.5f}, {0.5f, 1, 0.5f},
                                  {0.5f, -1, 0.5f}, {0.5f, 0.5f, 1},  {0.5f, 0.5f, -1}};
    for (int i = 0; i < 6; i++)
        out[3 + i] = texCubemap<float>(cube, directions[i].x, directions[i].y, directions[i].z);
    const float4 four = tex2Dgather<float4>(flat, 4.0f, 3.0f);
    out[9] = four.x, out[10] = four.y, out[11] = four.z, out[12] = four.w;
    out[13] = tex2DLod<float>(flat, 4.5f, 3.5f, 0.0f);
}

static cudaTextureObject_t with_points(cudaArray_t array, bool normalized)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t object;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    desc.normalizedCoords = normalized;
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    CHECK_CALL(cudaCreateTextureObject(&object, &resource, &desc, NULL));
    return object;
}

/* A cube of 4 x 4 texels a face, each face * 100 + y * 10 + x. */
static cudaArray_t cube_array()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    float texels[6][4][4];
    for (int face = 0; face < 6; face++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++)
                texels[face][y][x] = (float)(face * 100 + y * 10 + x);
    CHECK_CALL(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels, 4 * sizeof(float), 4, 4);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(4, 4, 6);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK_CALL(cudaMemcpy3D(&copy));
    return array;
}

static void test_layers()
{
    cudaArray_t cube = cube_array();
    layers<<<1, 1>>>(out, with_points(filled_array(3, cudaArrayLayered), false),
                     with_points(cube, true), with_points(filled_array(2, 0), false));
    CHECK_CALL(cudaMemcpy(host_out, out, 14 * sizeof(float), cudaMemcpyDeviceToHost));
    // The guide's table: s and t of a face, of which 0.5 is texel 3 and -0.5 texel 1.
    const float expected[14] = {texel_value(3, 2, 1), texel_value(3, 2, D - 1),
                                texel_value(3, 2, 0), 11,  113, 233, 313, 413, 511,
                                texel_value(3, 3, 0), texel_value(4, 3, 0), texel_value(4, 2, 0),
                                texel_value(3, 2, 0), texel_value(4, 3, 0)};
    for (int i = 0; i < 14; i++)
        CHECK_THAT(host_out[i] == expected[i]);
}

/* ---- What is refused ------------------------------------------------------------------------------ */

static void test_refusals()
{
    cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>(), three = {8, 8, 8, 0};
    cudaArray_t array;
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t object;
    CHECK_THAT(cudaMallocArray(&array, &three, 4) == cudaErrorInvalidChannelDescriptor);
    CHECK_CALL(cudaMallocArray(&array, &ints, 4, 4));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    desc.filterMode = cudaFilterModeLinear;
    CHECK_THAT(cudaCreateTextureObject(&object, &resource, &desc, NULL) ==
               cudaErrorInvalidFilterSetting);
    CHECK_CALL(cudaFreeArray(array));
    desc.filterMode = cudaFilterModePoint;
    CHECK_THAT(cudaCreateTextureObject(&object, &resource, &desc, NULL) ==
               cudaErrorInvalidResourceHandle);
    CHECK_THAT(cudaFreeArray(array) == cudaErrorInvalidValue);
    resource.resType = cudaResourceTypeMipmappedArray;
    CHECK_THAT(cudaCreateTextureObject(&object, &resource, &desc, NULL) == cudaErrorNotSupported);
    CHECK_THAT(cudaDestroyTextureObject(77) == cudaErrorInvalidValue);
    cudaGetLastError();
}

int main()
{
    CHECK_CALL(cudaMalloc(&points, sizeof host_points));
    CHECK_CALL(cudaMalloc(&out, sizeof host_out));
    for (int dimensions = 1; dimensions <= 3; dimensions++)
        all_modes(filled_array(dimensions, 0), dimensions);
    CHECK_THAT(all_differ == 0);
    test_formats();
    test_layers();
    test_refusals();
    CHECK_CALL(cudaDeviceSynchronize());
    printf("PASSED\n");
}
