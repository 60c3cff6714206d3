// texture_sectors.cu - what textures and surfaces are in a trace (tests/cu_textures.py). One warp runs each kernel once; a comment
// says the requests and sectors of its line: 16 bytes of 2 rows of a CUDA array are a sector, 32 bytes of other memory.
#include "check.h"

__global__ void rows_of_array(float *out, cudaTextureObject_t t)
{
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 3.5f); // requests 1 sectors 8
}

__global__ void tile_of_array(float *out, cudaTextureObject_t t)
{
    const int x = threadIdx.x % 8, y = threadIdx.x / 8;
    out[threadIdx.x] = tex2D<float>(t, x + 0.5f, y + 0.5f); // requests 1 sectors 4
}

__global__ void column_of_array(float *out, cudaTextureObject_t t)
{
    out[threadIdx.x] = tex2D<float>(t, 2.5f, threadIdx.x + 0.5f); // requests 1 sectors 16
}

__global__ void column_of_rows(float *out, cudaTextureObject_t t)
{
    out[threadIdx.x] = tex2D<float>(t, 2.5f, threadIdx.x + 0.5f); // requests 1 sectors 32
}

__global__ void filtered(float *out, cudaTextureObject_t t)
{
    const int x = threadIdx.x % 8, y = threadIdx.x / 8;
    out[threadIdx.x] = tex2D<float>(t, x + 1.25f, y + 1.25f); // requests 1 sectors 4
}

__global__ void border(float *out, cudaTextureObject_t t)
{
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x - 15.5f, 0.5f); // requests 1 sectors 4
}

__global__ void linear(float *out, cudaTextureObject_t t, int n)
{
    float sum = tex1Dfetch<float>(t, threadIdx.x);   // requests 1 sectors 4
    sum += tex1Dfetch<float>(t, n - 8 + threadIdx.x); // requests 1 sectors 1
    out[threadIdx.x] = sum;
}

__global__ void surfaces(cudaSurfaceObject_t s)
{
    const int x = threadIdx.x % 8, y = threadIdx.x / 8;
    const float v = surf2Dread<float>(s, 4 * x, y); // requests 1 sectors 4
    surf2Dwrite(v + 1, s, 4 * x, y + 4);            // stores 1 sectors 4
}

enum { SIDE = 64 };

int main()
{
    static float texels[SIDE][SIDE];
    float *out, *rows;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK_CALL(cudaMalloc(&out, 32 * sizeof(float)));
    CHECK_CALL(cudaMalloc(&rows, sizeof texels));
    CHECK_CALL(cudaMemcpy(rows, texels, sizeof texels, cudaMemcpyHostToDevice));
    CHECK_CALL(cudaMallocArray(&array, &format, SIDE, SIDE, cudaArraySurfaceLoadStore));
    CHECK_CALL(cudaMemcpyToArray(array, 0, 0, texels, sizeof texels, cudaMemcpyHostToDevice));

    cudaResourceDesc resource = {}, pitched = {}, flat = {};
    cudaTextureDesc points = {}, weights = {};
    cudaTextureObject_t t, of_rows, of_line, with_weights;
    cudaSurfaceObject_t s;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D = {rows, format, SIDE, SIDE, SIDE * sizeof(float)};
    flat.resType = cudaResourceTypeLinear;
    flat.res.linear = {rows, format, sizeof texels};
    points.addressMode[0] = points.addressMode[1] = cudaAddressModeBorder;
    weights.filterMode = cudaFilterModeLinear;
    CHECK_CALL(cudaCreateTextureObject(&t, &resource, &points, NULL));
    CHECK_CALL(cudaCreateTextureObject(&of_rows, &pitched, &points, NULL));
    CHECK_CALL(cudaCreateTextureObject(&of_line, &flat, &points, NULL));
    CHECK_CALL(cudaCreateTextureObject(&with_weights, &resource, &weights, NULL));
    CHECK_CALL(cudaCreateSurfaceObject(&s, &resource));

    rows_of_array<<<1, 32>>>(out, t);
    tile_of_array<<<1, 32>>>(out, t);
    column_of_array<<<1, 32>>>(out, t);
    column_of_rows<<<1, 32>>>(out, of_rows);
    filtered<<<1, 32>>>(out, with_weights);
    border<<<1, 32>>>(out, t);
    linear<<<1, 32>>>(out, of_line, SIDE * SIDE);
    surfaces<<<1, 32>>>(s);
    CHECK_CALL(cudaDeviceSynchronize());
    printf("PASSED\n");
}
