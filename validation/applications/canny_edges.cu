// Canny's edge detector on bytes, in integers throughout: Gaussian 5 x 5 plainly and separably in shared
// memory, Sobel plainly and four pixels a thread, thinning along the gradient, both in one, and hysteresis by
// tiles.
#include "common.h"

#define LOW 60
#define HIGH 160

typedef unsigned char byte;

__constant__ int gauss[5] = {1, 4, 6, 4, 1};

__host__ __device__ inline int clamp(int x, int end)
{
    return x < 0 ? 0 : x >= end ? end - 1 : x;
}

// The gradient's direction in steps of 45 degrees; tan(22.5 degrees) in 15 bits, as OpenCV has it.
__host__ __device__ inline int direction(int gx, int gy)
{
    const int x = abs(gx), y = abs(gy) << 15, low = x * 13573;
    if (y < low)
        return 0;
    if (y > low + (x << 16))
        return 2;
    return (gx ^ gy) < 0 ? 3 : 1;
}

__host__ __device__ inline byte classify(int m, int a, int b)
{
    return m > a && m >= b && m >= LOW ? (m >= HIGH ? 2 : 1) : 0;
}

__global__ void gauss_plain(const byte *in, byte *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int r = -2; r <= 2; r++)
        for (int q = -2; q <= 2; q++)
            sum += gauss[r + 2] * gauss[q + 2] * in[clamp(y + r, height) * width + clamp(x + q, width)];
    out[y * width + x] = (byte)((sum + 128) >> 8);
}

// 64 x 16 pixels a block of 64 x 4 threads: rows first, then columns of what the rows gave.
__global__ void __launch_bounds__(256)
    gauss_shared(const byte *__restrict__ in, byte *__restrict__ out, int width, int height)
{
    __shared__ byte tile[20][72];
    __shared__ unsigned short rows[20][64];
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 64, y0 = blockIdx.y * 16;
    for (int r = ty; r < 20; r += 4)
        for (int q = tx; q < 68; q += 64)
            tile[r][q] = in[clamp(y0 + r - 2, height) * width + clamp(x0 + q - 2, width)];
    __syncthreads();
#pragma unroll
    for (int r = ty; r < 20; r += 4) {
        const byte *t = &tile[r][tx];
        rows[r][tx] = (unsigned short)(t[0] + t[4] + 4 * (t[1] + t[3]) + 6 * t[2]);
    }
    __syncthreads();
    if (x0 + tx >= width)
        return;
#pragma unroll
    for (int r = ty; r < 16; r += 4) {
        const int sum =
            rows[r][tx] + rows[r + 4][tx] + 4 * (rows[r + 1][tx] + rows[r + 3][tx]) + 6 * rows[r + 2][tx];
        if (y0 + r < height)
            out[(y0 + r) * width + x0 + tx] = (byte)((sum + 128) >> 8);
    }
}

__global__ void sobel_plain(const byte *in, short *magnitude, byte *angle, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int left = clamp(x - 1, width), right = clamp(x + 1, width);
    int up = clamp(y - 1, height) * width, here = y * width, down = clamp(y + 1, height) * width;
    int gx = in[up + right] + 2 * in[here + right] + in[down + right] - in[up + left] - 2 * in[here + left] -
             in[down + left];
    int gy = in[down + left] + 2 * in[down + x] + in[down + right] - in[up + left] - 2 * in[up + x] -
             in[up + right];
    magnitude[here + x] = (short)(abs(gx) + abs(gy));
    angle[here + x] = (byte)direction(gx, gy);
}

// Four neighbours a thread: three words and six single bytes make 18 pixels.
__global__ void sobel_vector(const byte *__restrict__ in, short4 *__restrict__ magnitude,
                             uchar4 *__restrict__ angle, int width, int height)
{
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int p[3][6];
#pragma unroll
    for (int r = 0; r < 3; r++) {
        const byte *row = in + clamp(y + r - 1, height) * width;
        const uchar4 four = *(const uchar4 *)(row + x);
        p[r][0] = row[clamp(x - 1, width)];
        p[r][1] = four.x;
        p[r][2] = four.y;
        p[r][3] = four.z;
        p[r][4] = four.w;
        p[r][5] = row[clamp(x + 4, width)];
    }
    short m[4];
    byte a[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int gx = p[0][k + 2] + 2 * p[1][k + 2] + p[2][k + 2] - p[0][k] - 2 * p[1][k] - p[2][k];
        const int gy = p[2][k] + 2 * p[2][k + 1] + p[2][k + 2] - p[0][k] - 2 * p[0][k + 1] - p[0][k + 2];
        m[k] = (short)(abs(gx) + abs(gy));
        a[k] = (byte)direction(gx, gy);
    }
    magnitude[(y * width + x) / 4] = make_short4(m[0], m[1], m[2], m[3]);
    angle[(y * width + x) / 4] = make_uchar4(a[0], a[1], a[2], a[3]);
}

// 0 no edge, 1 weak, 2 strong; the outermost pixels are none.
__global__ void suppress_plain(const short *magnitude, const byte *angle, byte *state, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int i = y * width + x;
    byte result = 0;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        int step;
        switch (angle[i]) {
        case 0:
            step = 1;
            break;
        case 1:
            step = width + 1;
            break;
        case 2:
            step = width;
            break;
        default:
            step = width - 1;
            break;
        }
        result = classify(magnitude[i], magnitude[i - step], magnitude[i + step]);
    }
    state[i] = result;
}

// 32 x 16 pixels a block of 32 x 8; gradients of a pixel more on each side stay in shared memory.
__global__ void __launch_bounds__(256)
    sobel_suppress(const byte *__restrict__ in, byte *__restrict__ state, int width, int height)
{
    __shared__ int pixel[20][37];
    __shared__ short magnitude[18][34];
    __shared__ byte angle[18][34];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 16, thread = threadIdx.y * 32 + threadIdx.x;
    for (int i = thread; i < 20 * 36; i += 256)
        pixel[i / 36][i % 36] = in[clamp(y0 + i / 36 - 2, height) * width + clamp(x0 + i % 36 - 2, width)];
    __syncthreads();
    for (int i = thread; i < 18 * 34; i += 256) {
        const int r = i / 34, q = i % 34;
        const int *a = &pixel[r][q], *b = &pixel[r + 1][q], *c = &pixel[r + 2][q];
        const int gx = a[2] - a[0] + 2 * (b[2] - b[0]) + c[2] - c[0];
        const int gy = c[0] - a[0] + 2 * (c[1] - a[1]) + c[2] - a[2];
        magnitude[r][q] = (short)(abs(gx) + abs(gy));
        angle[r][q] = (byte)direction(gx, gy);
    }
    __syncthreads();
    const int x = x0 + threadIdx.x;
    for (int r = threadIdx.y; r < 16; r += 8) {
        const int y = y0 + r, ly = r + 1, lx = threadIdx.x + 1;
        if (x >= width || y >= height)
            continue;
        const int dx = angle[ly][lx] == 2 ? 0 : angle[ly][lx] == 3 ? -1 : 1, dy = angle[ly][lx] != 0;
        const bool inner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
        state[y * width + x] =
            inner ? classify(magnitude[ly][lx], magnitude[ly - dy][lx - dx], magnitude[ly + dy][lx + dx]) : 0;
    }
}

// Weak pixels beside strong ones become strong, until nothing changes within the tile of 32 x 32.
__global__ void __launch_bounds__(256) hysteresis_tile(const byte *__restrict__ from, byte *__restrict__ to,
                                                       int *__restrict__ changes, int width, int height)
{
    __shared__ byte tile[34][36];
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    for (int r = ty; r < 34; r += 8)
        for (int q = tx; q < 34; q += 32) {
            const int x = x0 + q - 1, y = y0 + r - 1;
            tile[r][q] = x >= 0 && y >= 0 && x < width && y < height ? from[y * width + x] : 0;
        }
    __syncthreads();
    bool any = false;
    for (int again = 1; again;) {
        unsigned raise = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int r = ty + 8 * k + 1, q = tx + 1;
            if (tile[r][q] != 1)
                continue;
            const int all = tile[r - 1][q - 1] | tile[r - 1][q] | tile[r - 1][q + 1] | tile[r][q - 1] |
                            tile[r][q + 1] | tile[r + 1][q - 1] | tile[r + 1][q] | tile[r + 1][q + 1];
            if (all & 2)
                raise |= 1u << k;
        }
        again = __syncthreads_or(raise != 0);
        any |= again != 0;
        for (int k = 0; k < 4; k++)
            if (raise >> k & 1)
                tile[ty + 8 * k + 1][tx + 1] = 2;
        __syncthreads();
    }
    for (int r = ty; r < 32; r += 8)
        if (x0 + tx < width && y0 + r < height)
            to[(y0 + r) * width + x0 + tx] = tile[r + 1][tx + 1];
    if (any && tx == 0 && ty == 0)
        atomicAdd(changes, 1);
}

int main(int argc, char **argv)
{
    const int width = 4 * ceil_div(argument(argc, argv, 1, 96), 4), rounds = argument(argc, argv, 2, 1),
              height = width * 3 / 4, n = width * height;
    std::vector<byte> image(n), blurred(n), angle(n), state(n), final;
    std::vector<short> magnitude(n);
    // Tilted boxes of different greys, with some noise.
    for (int i = 0; i < n; i++) {
        const int x = i % width, y = i / width;
        image[i] = (byte)(hash32((x + y / 3) / 29 * 100 + (y + 2000 - x / 4) / 21) % 200 + hash32(i) % 24);
    }
    const int weights[5] = {1, 4, 6, 4, 1};
    for (int i = 0; i < n; i++) {
        int sum = 128;
        for (int k = 0; k < 25; k++)
            sum += weights[k / 5] * weights[k % 5] *
                   image[clamp(i / width + k / 5 - 2, height) * width + clamp(i % width + k % 5 - 2, width)];
        blurred[i] = (byte)(sum >> 8);
    }
    for (int i = 0; i < n; i++) {
        int gx = 0, gy = 0;
        for (int k = 0; k < 9; k++) {
            const int dx = k % 3 - 1, dy = k / 3 - 1;
            const int v = blurred[clamp(i / width + dy, height) * width + clamp(i % width + dx, width)];
            gx += dx * (2 - abs(dy)) * v;
            gy += dy * (2 - abs(dx)) * v;
        }
        magnitude[i] = (short)(abs(gx) + abs(gy));
        angle[i] = (byte)direction(gx, gy);
    }
    std::vector<int> strong;
    const int step[4] = {1, width + 1, width, width - 1};
    for (int i = 0; i < n; i++) {
        if (i % width == 0 || i % width == width - 1 || i < width || i >= n - width)
            continue;
        state[i] = classify(magnitude[i], magnitude[i - step[angle[i]]], magnitude[i + step[angle[i]]]);
        if (state[i] == 2)
            strong.push_back(i);
    }
    final = state;
    while (!strong.empty()) {
        const int i = strong.back();
        strong.pop_back();
        for (int k = 0; k < 9; k++) {
            const int at = i + (k / 3 - 1) * width + k % 3 - 1;
            if (final[at] == 1) {
                final[at] = 2;
                strong.push_back(at);
            }
        }
    }
    const byte *in = to_device(image), *soft = to_device(blurred);
    byte *out[4], *angles[2], *states[2];
    short *sizes[2];
    for (int k = 0; k < 4; k++)
        out[k] = device_zeros<byte>(n);
    for (int k = 0; k < 2; k++) {
        angles[k] = device_zeros<byte>(n);
        states[k] = device_zeros<byte>(n);
        sizes[k] = device_zeros<short>(n);
    }
    int *changes = device_zeros<int>(1), result = 0;
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8)),
        tiles(grid.x, ceil_div(height, 32)), wide(ceil_div(width, 64), ceil_div(height, 16)),
        fours(ceil_div(width, 128), grid.y);
    for (int round = 0; round < rounds; round++) {
        gauss_plain<<<grid, block>>>(in, out[0], width, height);
        gauss_shared<<<wide, dim3(64, 4)>>>(in, out[1], width, height);
        sobel_plain<<<grid, block>>>(soft, sizes[0], angles[0], width, height);
        sobel_vector<<<fours, block>>>(soft, (short4 *)sizes[1], (uchar4 *)angles[1], width, height);
        suppress_plain<<<grid, block>>>(sizes[0], angles[0], out[2], width, height);
        sobel_suppress<<<dim3(grid.x, ceil_div(height, 16)), block>>>(soft, out[3], width, height);
        CHECK(cudaMemcpy(states[0], out[3], n, cudaMemcpyDeviceToDevice));
        result = 0;
        for (int changed = 1; changed; result ^= 1) {
            CHECK(cudaMemset(changes, 0, sizeof(int)));
            hysteresis_tile<<<tiles, block>>>(states[result], states[result ^ 1], changes, width, height);
            CHECK(cudaMemcpy(&changed, changes, sizeof(int), cudaMemcpyDeviceToHost));
        }
    }
    expect("gauss_plain", out[0], blurred);
    expect("gauss_shared", out[1], blurred);
    for (int k = 0; k < 2; k++) {
        expect(k ? "sobel_vector" : "sobel_plain", sizes[k], magnitude);
        expect(k ? "sobel_vector" : "sobel_plain", angles[k], angle);
        expect(k ? "sobel_suppress" : "suppress_plain", out[2 + k], state);
    }
    expect("hysteresis_tile", states[result], final);
    return verdict();
}
