// texture.cu - turns an image through a texture: four texels are weighted for each pixel, and what a warp reads lies in a square.
#include <cstdio>

__global__ void turn(float *out, int n, float angle, cudaTextureObject_t image)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = (x + 0.5f) / n - 0.5f, v = (y + 0.5f) / n - 0.5f;
    float s = sinf(angle), c = cosf(angle);
    out[y * n + x] = tex2D<float>(image, u * c - v * s + 0.5f, v * c + u * s + 0.5f);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 256;
    float *pixels = new float[n * n], *out;
    for (int i = 0; i < n * n; i++)
        pixels[i] = i % n; // a ramp from left to right
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMallocArray(&array, &format, n, n);
    cudaMemcpy2DToArray(array, 0, 0, pixels, n * sizeof(float), n * sizeof(float), n,
                        cudaMemcpyHostToDevice);

    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t image;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    desc.normalizedCoords = 1;
    desc.filterMode = cudaFilterModeLinear;
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    cudaCreateTextureObject(&image, &resource, &desc, NULL);

    // A quarter of a turn makes a ramp from top to bottom.
    turn<<<dim3(n / 8, n / 8), dim3(8, 8)>>>(out, n, 1.57079633f, image);
    cudaMemcpy(pixels, out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 1; y < n - 1; y++)
        for (int x = 0; x < n; x++)
            wrong += fabsf(pixels[y * n + x] - (n - 1 - y)) > 0.01f;
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
