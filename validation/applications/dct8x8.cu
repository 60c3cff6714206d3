// The cosine transform of an image in squares of 8 x 8: a thread a coefficient over all 64 pixels, rows and columns
// from shared memory, a thread a row and then a column in registers; quantised in zigzag; and back again.
#include "common.h"

__constant__ float basis[64]; // [frequency][place]
__constant__ int zigzag[64];

// A block has four squares beside one another.
__global__ void dct_plain(const float *image, float *out, int width)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const int u = threadIdx.x % 8, v = threadIdx.y;
    const float *square = image + blockIdx.y * 8 * width + (x - u);
    float sum = 0.0f;
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++)
            sum += square[j * width + i] * basis[u * 8 + i] * basis[v * 8 + j];
    out[y * width + x] = sum;
}

__global__ void dct_shared(const float *__restrict__ image, float *__restrict__ out, int width)
{
    __shared__ float pixels[8][33], lines[8][33], table[8][9];
    const int tx = threadIdx.x, ty = threadIdx.y, u = tx % 8, left = tx - u;
    const int at = (blockIdx.y * 8 + ty) * width + blockIdx.x * 32 + tx;
    if (tx < 8)
        table[ty][tx] = basis[ty * 8 + tx];
    pixels[ty][tx] = image[at];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum += pixels[ty][left + i] * table[u][i];
    lines[ty][tx] = sum;
    __syncthreads();
    sum = 0.0f;
#pragma unroll
    for (int j = 0; j < 8; j++)
        sum += lines[j][tx] * table[ty][j];
    out[at] = sum;
}

// Eight values, with the sums and differences that halve the products.
__device__ __forceinline__ void eight(float *v)
{
    const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f,
                c5 = 0.27778512f, c6 = 0.19134172f, c7 = 0.09754516f;
    const float s07 = v[0] + v[7], s16 = v[1] + v[6], s25 = v[2] + v[5], s34 = v[3] + v[4];
    const float d07 = v[0] - v[7], d16 = v[1] - v[6], d25 = v[2] - v[5], d34 = v[3] - v[4];
    const float even = s07 + s34, odd = s16 + s25, outer = s07 - s34, inner = s16 - s25;
    v[0] = c4 * (even + odd);
    v[4] = c4 * (even - odd);
    v[2] = c2 * outer + c6 * inner;
    v[6] = c6 * outer - c2 * inner;
    v[1] = c1 * d07 + c3 * d16 + c5 * d25 + c7 * d34;
    v[3] = c3 * d07 - c7 * d16 - c1 * d25 - c5 * d34;
    v[5] = c5 * d07 - c1 * d16 + c7 * d25 + c3 * d34;
    v[7] = c7 * d07 - c5 * d16 + c3 * d25 - c1 * d34;
}

__device__ __forceinline__ void eight_back(float *v)
{
    const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f,
                c5 = 0.27778512f, c6 = 0.19134172f, c7 = 0.09754516f;
    const float even = c4 * (v[0] + v[4]), odd = c4 * (v[0] - v[4]);
    const float outer = c2 * v[2] + c6 * v[6], inner = c6 * v[2] - c2 * v[6];
    const float a = even + outer, b = odd + inner, c = odd - inner, d = even - outer;
    const float e = c1 * v[1] + c3 * v[3] + c5 * v[5] + c7 * v[7];
    const float f = c3 * v[1] - c7 * v[3] - c1 * v[5] - c5 * v[7];
    const float g = c5 * v[1] - c1 * v[3] + c7 * v[5] + c3 * v[7];
    const float h = c7 * v[1] - c5 * v[3] + c3 * v[5] - c1 * v[7];
    v[0] = a + e;
    v[7] = a - e;
    v[1] = b + f;
    v[6] = b - f;
    v[2] = c + g;
    v[5] = c - g;
    v[3] = d + h;
    v[4] = d - h;
}

// Eight threads a square; 64 threads have eight squares, in rows of 64 pixels. BACK: from the coefficients.
template <bool BACK>
__global__ void dct_registers(const float *__restrict__ from, float *__restrict__ to, int width)
{
    __shared__ float s[8][8][9]; // [square][row][column]
    const int square = threadIdx.x / 8, lane = threadIdx.x % 8;
    const int corner = blockIdx.y * 8 * width + blockIdx.x * 64;
    float v[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
        v[j] = from[corner + j * width + threadIdx.x];
    if (BACK)
        eight_back(v);
    else
        eight(v);
#pragma unroll
    for (int j = 0; j < 8; j++)
        s[square][j][lane] = v[j];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = s[square][lane][i];
    if (BACK)
        eight_back(v);
    else
        eight(v);
    float4 *row = (float4 *)(to + corner + lane * width + square * 8);
    row[0] = make_float4(v[0], v[1], v[2], v[3]);
    row[1] = make_float4(v[4], v[5], v[6], v[7]);
}

// A warp a square: 64 rounded coefficients in zigzag, one after another.
__global__ void quantise(const float *__restrict__ coefficients, const float *__restrict__ steps,
                         short *__restrict__ codes, int width, int squares)
{
    const int lane = threadIdx.x % 32;
    const int stride = gridDim.x * blockDim.x / 32;
    for (int q = (blockIdx.x * blockDim.x + threadIdx.x) / 32; q < squares; q += stride) {
        const int x = q % (width / 8) * 8, y = q / (width / 8) * 8;
        for (int k = lane; k < 64; k += 32) {
            const int place = zigzag[k];
            const float v = coefficients[(y + place / 8) * width + x + place % 8];
            codes[q * 64 + k] = (short)__float2int_rn(v / steps[place]);
        }
    }
}

int main(int argc, char **argv)
{
    const int width = 64 * ceil_div(argument(argc, argv, 1, 128), 64),
              rounds = argument(argc, argv, 2, 1), height = width / 2, n = width * height;
    std::vector<float> image(n), table(64), steps(64), wanted(n), chosen(n);
    std::vector<int> order(64);
    std::vector<short> codes(n);
    for (int i = 0; i < n; i++)
        image[i] = (float)(hash32(i) % 64 + (i % width + i / width) % 128) - 96.0f;
    for (int k = 0; k < 64; k++) {
        const int u = k / 8, i = k % 8;
        table[k] = (float)(0.5 * (u ? 1 : sqrt(0.5)) * cos((2 * i + 1) * u * M_PI / 16));
        steps[k] = 8.0f + 3.0f * (k % 8 + k / 8);
    }
    for (int k = 0, x = 0, y = 0; k < 64; k++) {
        order[k] = y * 8 + x;
        const bool up = (x + y) % 2 == 0;
        if (up ? x == 7 : y == 7)
            (up ? y : x)++;
        else if (up ? y == 0 : x == 0)
            (up ? x : y)++;
        else {
            x += up ? 1 : -1;
            y += up ? -1 : 1;
        }
    }
    for (int y = 0; y < height; y += 8)
        for (int x = 0; x < width; x += 8) {
            double lines[8][8];
            for (int j = 0; j < 8; j++)
                for (int u = 0; u < 8; u++) {
                    lines[j][u] = 0;
                    for (int i = 0; i < 8; i++)
                        lines[j][u] += (double)image[(y + j) * width + x + i] * table[u * 8 + i];
                }
            for (int v = 0; v < 8; v++)
                for (int u = 0; u < 8; u++) {
                    double sum = 0;
                    for (int j = 0; j < 8; j++)
                        sum += lines[j][u] * table[v * 8 + j];
                    wanted[(y + v) * width + x + u] = (float)sum;
                }
        }
    // what is quantised lies away from where rounding turns
    for (int q = 0; q < n / 64; q++)
        for (int k = 0; k < 64; k++) {
            const int at =
                (q / (width / 8) * 8 + order[k] / 8) * width + q % (width / 8) * 8 + order[k] % 8;
            codes[q * 64 + k] = (short)lrintf(wanted[at] / steps[order[k]]);
            chosen[at] = steps[order[k]] * ((float)codes[q * 64 + k] + 0.25f);
        }
    CHECK(cudaMemcpyToSymbol(basis, table.data(), 64 * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(zigzag, order.data(), 64 * sizeof(int)));
    float *dimage = to_device(image), *a = device_zeros<float>(n), *b = device_zeros<float>(n),
          *c = device_zeros<float>(n), *back = device_zeros<float>(n), *dsteps = to_device(steps),
          *dchosen = to_device(chosen);
    short *dcodes = device_zeros<short>(n);
    const dim3 fours(width / 32, height / 8), eights(width / 64, height / 8);
    for (int round = 0; round < rounds; round++) {
        dct_plain<<<fours, dim3(32, 8)>>>(dimage, a, width);
        dct_shared<<<fours, dim3(32, 8)>>>(dimage, b, width);
        dct_registers<false><<<eights, 64>>>(dimage, c, width);
        dct_registers<true><<<eights, 64>>>(c, back, width);
        quantise<<<std::min(792, ceil_div(n / 64, 8)), 256>>>(dchosen, dsteps, dcodes, width,
                                                              n / 64);
    }
    expect("dct_plain", a, wanted, 1e-3);
    expect("dct_shared", b, wanted, 1e-3);
    expect("dct_registers", c, wanted, 1e-3);
    expect("dct_registers, back", back, image, 1e-3);
    expect("quantise", dcodes, codes);
    return verdict();
}
