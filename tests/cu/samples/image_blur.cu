// Blurs a colour image: rows at a pitch, a class for the image, a mask in constant memory.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#define RADIUS 2
#define SIZE (2 * RADIUS + 1)

__constant__ float mask[SIZE * SIZE];

static void check(cudaError_t error)
{
    if (error != cudaSuccess)
        throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

class Image
{
  public:
    Image(int width, int height) : width_(width), height_(height)
    {
        check(cudaMallocPitch(&pixels_, &pitch_, width * sizeof(uchar4), height));
    }
    ~Image() { cudaFree(pixels_); }
    void upload(const std::vector<uchar4> &from)
    {
        check(cudaMemcpy2D(pixels_, pitch_, from.data(), width_ * sizeof(uchar4),
                           width_ * sizeof(uchar4), height_, cudaMemcpyHostToDevice));
    }
    void download(std::vector<uchar4> &to) const
    {
        check(cudaMemcpy2D(to.data(), width_ * sizeof(uchar4), pixels_, pitch_,
                           width_ * sizeof(uchar4), height_, cudaMemcpyDeviceToHost));
    }
    uchar4 *pixels() const { return pixels_; }
    size_t pitch() const { return pitch_; }

  private:
    int width_, height_;
    size_t pitch_ = 0;
    uchar4 *pixels_ = nullptr;
};

__host__ __device__ inline int clampIndex(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

__global__ void blur(const uchar4 *in, uchar4 *out, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            const uchar4 *row = (const uchar4 *)((const char *)in + clampIndex(y + dy, height) * pitch);
            uchar4 p = row[clampIndex(x + dx, width)];
            float weight = mask[(dy + RADIUS) * SIZE + dx + RADIUS];
            sum.x += weight * p.x;
            sum.y += weight * p.y;
            sum.z += weight * p.z;
        }
    uchar4 *row = (uchar4 *)((char *)out + y * pitch);
    row[x] = make_uchar4((unsigned char)sum.x, (unsigned char)sum.y, (unsigned char)sum.z, 255);
}

int main()
{
    const int width = 75, height = 40;
    std::vector<uchar4> image(width * height), result(width * height);
    for (int i = 0; i < width * height; i++)
        image[i] = make_uchar4(i % 256, i / width * 5, 128, 255);
    float weights[SIZE * SIZE];
    for (float &weight : weights)
        weight = 1.0f / 32.0f;
    weights[SIZE * SIZE / 2] = 8.0f / 32.0f;
    try {
        Image in(width, height), out(width, height);
        in.upload(image);
        check(cudaMemcpyToSymbol(mask, weights, sizeof(weights)));
        dim3 block(16, 8), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
        blur<<<grid, block>>>(in.pixels(), out.pixels(), in.pitch(), width, height);
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
        out.download(result);
    } catch (const std::exception &problem) {
        fprintf(stderr, "%s\n", problem.what());
        return 1;
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 7 * image[y * width + x].x;
            for (int dy = -RADIUS; dy <= RADIUS; dy++)
                for (int dx = -RADIUS; dx <= RADIUS; dx++)
                    sum += image[clampIndex(y + dy, height) * width + clampIndex(x + dx, width)].x;
            uchar4 found = result[y * width + x];
            if (found.x != sum / 32 || found.z != 128 || found.w != 255) {
                printf("FAILED at %d, %d\n", x, y);
                return 1;
            }
        }
    printf("PASSED\n");
}
