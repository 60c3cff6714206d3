// The Mandelbrot set, up to 96 iterations a point: plainly, with the test every fourth iteration, a row by a block's
// stride, in doubles, as colours, and four samples a pixel whose mean a shuffle makes.
#include "common.h"

#define MOST 96

struct View {
    float left, top, step;
};

// All roundings are written out, so that host and device agree on every count.
template <typename T> __host__ __device__ inline int escape(T cx, T cy)
{
    T x = 0, y = 0;
    int k = 0;
    while (k < MOST && fma(x, x, y * y) <= (T)4) {
        const T next = fma(x, x, fma(-y, y, cx));
        y = fma((T)2 * x, y, cy);
        x = next;
        k++;
    }
    return k;
}

__global__ void count_plain(int *counts, int width, int height, View view)
{
    const int px = blockIdx.x * blockDim.x + threadIdx.x,
              py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px < width && py < height)
        counts[py * width + px] =
            escape(fmaf((float)px, view.step, view.left), fmaf((float)py, view.step, view.top));
}

// Four iterations between tests; those after the escape are then taken back by going through the four again.
__global__ void count_fours(int *__restrict__ counts, int width, int height, View view)
{
    const int px = blockIdx.x * 32 + threadIdx.x, py = blockIdx.y * 4 + threadIdx.y;
    if (px >= width || py >= height)
        return;
    const float cx = fmaf((float)px, view.step, view.left),
                cy = fmaf((float)py, view.step, view.top);
    float x = 0.0f, y = 0.0f, x0 = 0.0f, y0 = 0.0f;
    int k = 0;
    while (k < MOST) {
        x0 = x;
        y0 = y;
#pragma unroll
        for (int m = 0; m < 4; m++) {
            const float next = fmaf(x, x, fmaf(-y, y, cx));
            y = fmaf(2.0f * x, y, cy);
            x = next;
        }
        if (!(fmaf(x, x, y * y) <= 4.0f))
            break;
        k += 4;
    }
    if (k < MOST)
        while (fmaf(x0, x0, y0 * y0) <= 4.0f) {
            const float next = fmaf(x0, x0, fmaf(-y0, y0, cx));
            y0 = fmaf(2.0f * x0, y0, cy);
            x0 = next;
            k++;
        }
    counts[py * width + px] = k;
}

// A block a row.
__global__ void count_rows(unsigned short *counts, int width, View view)
{
    const float cy = fmaf((float)blockIdx.x, view.step, view.top);
    for (int px = threadIdx.x; px < width; px += blockDim.x)
        counts[blockIdx.x * width + px] =
            (unsigned short)escape(fmaf((float)px, view.step, view.left), cy);
}

__global__ void count_doubles(int *counts, int width, int height, double left, double top,
                              double step)
{
    const int px = blockIdx.x * blockDim.x + threadIdx.x,
              py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px < width && py < height)
        counts[py * width + px] = escape(fma((double)px, step, left), fma((double)py, step, top));
}

__global__ void colour(const int *__restrict__ counts, const uchar4 *__restrict__ palette,
                       uchar4 *__restrict__ image, int points)
{
    __shared__ uchar4 colours[MOST + 1];
    for (int c = threadIdx.x; c <= MOST; c += blockDim.x)
        colours[c] = palette[c];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < points; i += gridDim.x * blockDim.x)
        image[i] = colours[counts[i]];
}

// Lanes 4 i to 4 i + 3 have the samples of pixel i of the warp.
__global__ void sample(float *means, int width, int height, View view)
{
    const int s = threadIdx.x % 4, pixel = (blockIdx.x * blockDim.x + threadIdx.x) / 4;
    int sum = 0;
    if (pixel < width * height) {
        const float px = (float)(pixel % width) + 0.5f * (float)(s % 2),
                    py = (float)(pixel / width) + 0.5f * (float)(s / 2);
        sum = escape(fmaf(px, view.step, view.left), fmaf(py, view.step, view.top));
    }
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    if (s == 0 && pixel < width * height)
        means[pixel] = 0.25f * (float)sum;
}

int main(int argc, char **argv)
{
    const int width = argument(argc, argv, 1, 128), rounds = argument(argc, argv, 2, 1),
              height = width * 3 / 4, small = width / 2, low = height / 2;
    const View view = {-2.25f, -1.3125f, 3.5f / (float)width},
               coarse = {-2.25f, -1.3125f, 2 * view.step};
    const double left = -0.75, top = 0.05, step = 0.1 / width;
    std::vector<int> counts(width * height), zoomed(small * low);
    std::vector<unsigned short> narrow(counts.size());
    std::vector<unsigned> colours(counts.size());
    std::vector<uchar4> palette(MOST + 1);
    std::vector<float> means(small * low);
    for (int c = 0; c <= MOST; c++)
        palette[c] = make_uchar4(2 * c, 255 - 2 * c, c * c % 256, 255);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int i = y * width + x;
            counts[i] =
                escape(fmaf((float)x, view.step, view.left), fmaf((float)y, view.step, view.top));
            narrow[i] = (unsigned short)counts[i];
            const uchar4 c = palette[counts[i]];
            colours[i] = c.x | c.y << 8 | c.z << 16 | (unsigned)c.w << 24;
        }
    for (int y = 0; y < low; y++)
        for (int x = 0; x < small; x++) {
            zoomed[y * small + x] = escape(fma((double)x, step, left), fma((double)y, step, top));
            int sum = 0;
            for (int s = 0; s < 4; s++)
                sum += escape(fmaf((float)x + 0.5f * (float)(s % 2), coarse.step, coarse.left),
                              fmaf((float)y + 0.5f * (float)(s / 2), coarse.step, coarse.top));
            means[y * small + x] = 0.25f * (float)sum;
        }
    int *plain = device_zeros<int>(counts.size()), *fours = device_zeros<int>(counts.size()),
        *doubles = device_zeros<int>(zoomed.size());
    unsigned short *rows = device_zeros<unsigned short>(counts.size());
    uchar4 *dpalette = to_device(palette), *image = device_zeros<uchar4>(counts.size());
    float *dmeans = device_zeros<float>(means.size());
    for (int round = 0; round < rounds; round++) {
        count_plain<<<dim3(ceil_div(width, 16), ceil_div(height, 16)), dim3(16, 16)>>>(
            plain, width, height, view);
        count_fours<<<dim3(ceil_div(width, 32), ceil_div(height, 4)), dim3(32, 4)>>>(fours, width,
                                                                                     height, view);
        count_rows<<<height, 256>>>(rows, width, view);
        count_doubles<<<dim3(ceil_div(small, 32), ceil_div(low, 8)), dim3(32, 8)>>>(
            doubles, small, low, left, top, step);
        colour<<<std::min(264, ceil_div(width * height, 512)), 512>>>(plain, dpalette, image,
                                                                      width * height);
        sample<<<ceil_div(4 * small * low, 128), 128>>>(dmeans, small, low, coarse);
    }
    expect("count_plain", plain, counts);
    expect("count_fours", fours, counts);
    expect("count_rows", rows, narrow);
    expect("count_doubles", doubles, zoomed);
    expect("colour", (unsigned *)image, colours);
    expect("sample", dmeans, means);
    return verdict();
}
