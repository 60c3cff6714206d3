// Windows of 3 x 3 laid out as columns of a matrix, and added back: an element a thread, a window a thread, from shared
// tiles, channels last with float4; back by gathering and by atomics.
#include "common.h"

#define CHANNELS 16
#define TX 32
#define TY 8

// Row (channel, ky, kx) of the matrix, column (y, x); the edge is 0. An element a thread.
__global__ void im2col_elements(const float *image, float *columns, int n, int total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total)
        return;
    int pixel = i % (n * n), row = i / (n * n);
    int x = pixel % n + row % 3 - 1, y = pixel / n + row / 3 % 3 - 1, channel = row / 9;
    columns[i] = x >= 0 && y >= 0 && x < n && y < n ? image[(channel * n + y) * n + x] : 0.0f;
}

// A thread a window and channel: the loop over it writes K * K rows.
template <int K>
__global__ void im2col_windows(const float *__restrict__ image, float *__restrict__ columns, int n)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < CHANNELS * n * n; i += stride) {
        const int x = i % n, y = i / n % n, channel = i / n / n;
        const float *from = image + channel * n * n;
        float *to = columns + channel * K * K * n * n + y * n + x;
#pragma unroll
        for (int ky = 0; ky < K; ky++)
#pragma unroll
            for (int kx = 0; kx < K; kx++) {
                const int xx = x + kx - K / 2, yy = y + ky - K / 2;
                *to = xx >= 0 && yy >= 0 && xx < n && yy < n ? from[yy * n + xx] : 0.0f;
                to += n * n;
            }
    }
}

__global__ void im2col_tile(const float *__restrict__ image, float *__restrict__ columns, int n)
{
    __shared__ float s[TY + 2][TX + 2];
    const int x0 = blockIdx.x * TX, y0 = blockIdx.y * TY, channel = blockIdx.z;
    for (int k = threadIdx.y * TX + threadIdx.x; k < (TX + 2) * (TY + 2); k += TX * TY) {
        const int lx = k % (TX + 2), ly = k / (TX + 2), x = x0 + lx - 1, y = y0 + ly - 1;
        s[ly][lx] = x >= 0 && y >= 0 && x < n && y < n ? image[(channel * n + y) * n + x] : 0.0f;
    }
    __syncthreads();
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= n || y >= n)
        return;
#pragma unroll
    for (int k = 0; k < 9; k++)
        columns[((channel * 9 + k) * n + y) * n + x] = s[threadIdx.y + k / 3][threadIdx.x + k % 3];
}

// Channels last: a row of the matrix is a window, of 9 times 4 groups of four channels.
__global__ void im2row_vector(const float4 *__restrict__ image, float4 *__restrict__ rows, int n)
{
    const int groups = CHANNELS / 4, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * n * 9 * groups)
        return;
    const int group = i % groups, k = i / groups % 9, pixel = i / groups / 9;
    const int x = pixel % n + k % 3 - 1, y = pixel / n + k / 3 - 1;
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (x >= 0 && y >= 0 && x < n && y < n)
        v = image[(y * n + x) * groups + group];
    rows[i] = v;
}

__global__ void col2im_gather(const float *__restrict__ columns, float *__restrict__ image, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, channel = blockIdx.z;
    if (x >= n)
        return;
    float sum = 0.0f;
    for (int ky = 0; ky < 3; ky++)
        for (int kx = 0; kx < 3; kx++) {
            const int xx = x - kx + 1, yy = y - ky + 1;
            if (xx >= 0 && yy >= 0 && xx < n && yy < n)
                sum += columns[((channel * 9 + ky * 3 + kx) * n + yy) * n + xx];
        }
    image[(channel * n + y) * n + x] = sum;
}

__global__ void col2im_atomics(const float *columns, float *image, int n, int total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total)
        return;
    int pixel = i % (n * n), row = i / (n * n);
    int x = pixel % n + row % 3 - 1, y = pixel / n + row / 3 % 3 - 1, channel = row / 9;
    if (x >= 0 && y >= 0 && x < n && y < n)
        atomicAdd(&image[(channel * n + y) * n + x], columns[i]);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 32), rounds = argument(argc, argv, 2, 1),
              cells = CHANNELS * n * n, total = 9 * cells;
    const std::vector<float> image = units(cells, 1), matrix = units(total, 2);
    std::vector<float> last(cells), columns(total), rows(total), back(cells);
    for (int channel = 0; channel < CHANNELS; channel++)
        for (int pixel = 0; pixel < n * n; pixel++) {
            last[pixel * CHANNELS + channel] = image[channel * n * n + pixel];
            for (int k = 0; k < 9; k++) {
                const int x = pixel % n + k % 3 - 1, y = pixel / n + k / 3 - 1,
                          at = (channel * 9 + k) * n * n + pixel;
                if (x < 0 || y < 0 || x >= n || y >= n)
                    continue;
                columns[at] = image[(channel * n + y) * n + x];
                rows[(pixel * 9 + k) * CHANNELS + channel] = columns[at];
                back[(channel * n + y) * n + x] += matrix[at];
            }
        }
    const float *dimage = to_device(image), *dlast = to_device(last), *dmatrix = to_device(matrix);
    float *a = device_zeros<float>(total), *b = device_zeros<float>(total),
          *c = device_zeros<float>(total), *d = device_zeros<float>(total),
          *e = device_zeros<float>(cells), *f = device_zeros<float>(cells);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(cells, 256), 256>>>(f, 0.0f, cells);
        im2col_elements<<<ceil_div(total, 256), 256>>>(dimage, a, n, total);
        im2col_windows<3><<<std::min(ceil_div(cells, 256), 1056), 256>>>(dimage, b, n);
        im2col_tile<<<dim3(ceil_div(n, TX), ceil_div(n, TY), CHANNELS), dim3(TX, TY)>>>(dimage, c,
                                                                                        n);
        im2row_vector<<<ceil_div(total / 4, 128), 128>>>((const float4 *)dlast, (float4 *)d, n);
        col2im_gather<<<dim3(ceil_div(n, 64), n, CHANNELS), 64>>>(dmatrix, e, n);
        col2im_atomics<<<ceil_div(total, 512), 512>>>(dmatrix, f, n, total);
    }
    expect("im2col_elements", a, columns);
    expect("im2col_windows", b, columns);
    expect("im2col_tile", c, columns);
    expect("im2row_vector", d, rows);
    expect("col2im_gather", e, back);
    expect("col2im_atomics", f, back);
    return verdict();
}
