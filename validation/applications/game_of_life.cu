// Conway's life on a torus: a cell a byte from global memory and from a tile, four cells a thread, and 32 cells
// a word of bits.
#include "common.h"

__global__ void life_bytes(const unsigned char *in, unsigned char *out, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    const int left = (x + n - 1) % n, right = (x + 1) % n, up = (y + n - 1) % n * n,
              down = (y + 1) % n * n;
    const int around = in[up + left] + in[up + x] + in[up + right] + in[y * n + left] +
                       in[y * n + right] + in[down + left] + in[down + x] + in[down + right];
    out[y * n + x] = around == 3 || (around == 2 && in[y * n + x]);
}

__global__ void life_tile(const unsigned char *in, unsigned char *out, int n)
{
    __shared__ unsigned char tile[10][34];
    const int first = blockIdx.x * 32 - 1 + n, top = blockIdx.y * 8 - 1 + n;
    for (int w = threadIdx.y * 32 + threadIdx.x; w < 340; w += 256)
        tile[w / 34][w % 34] = in[(top + w / 34) % n * n + (first + w % 34) % n];
    __syncthreads();
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    int around = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            around += tile[y + dy][x + dx];
    const int alive = tile[y][x];
    around -= alive;
    out[(blockIdx.y * 8 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x] =
        around == 3 || (around == 2 && alive);
}

// Four cells as the bytes of a word: sums of bytes do not carry.
__global__ void life_words(const unsigned *in, unsigned *out, int n)
{
    const int words = n / 4, x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= words)
        return;
    const int left = (x + words - 1) % words, right = (x + 1) % words;
    unsigned around = 0, middle = 0;
    for (int dy = -1; dy <= 1; dy++) {
        const unsigned *row = in + (y + dy + n) % n * words;
        const unsigned here = row[x];
        around += (here << 8 | row[left] >> 24) + (here >> 8 | row[right] << 24);
        if (dy == 0)
            middle = here;
        else
            around += here;
    }
    unsigned next = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const unsigned count = around >> shift & 255;
        next |= (unsigned)(count == 3 || (count == 2 && (middle >> shift & 1))) << shift;
    }
    out[y * words + x] = next;
}

__global__ void life_bits(const unsigned *in, unsigned *out, int n)
{
    const int words = n / 32, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words * n)
        return;
    const int x = i % words, y = i / words, left = (x + words - 1) % words, right = (x + 1) % words;
    unsigned ones = 0, twos = 0, fours = 0, middle = 0;
    for (int dy = -1; dy <= 1; dy++) {
        const unsigned *row = in + (y + dy + n) % n * words;
        const unsigned here = row[x];
        const unsigned three[3] = {here << 1 | row[left] >> 31, here >> 1 | row[right] << 31, here};
        if (dy == 0)
            middle = here;
        for (int k = 0; k < (dy == 0 ? 2 : 3); k++) {
            const unsigned carry = ones & three[k];
            ones ^= three[k];
            fours |= twos & carry;
            twos ^= carry;
        }
    }
    out[i] = twos & ~fours & (ones | middle);
}

static std::vector<unsigned> packed(const std::vector<unsigned char> &cells)
{
    std::vector<unsigned> words(cells.size() / 32);
    for (size_t i = 0; i < cells.size(); i++)
        words[i / 32] |= (unsigned)cells[i] << i % 32;
    return words;
}

int main(int argc, char **argv)
{
    const int n = ceil_div(argument(argc, argv, 1, 256), 32) * 32,
              rounds = argument(argc, argv, 2, 1);
    std::vector<unsigned char> cells(n * n), want(n * n);
    for (int i = 0; i < n * n; i++)
        cells[i] = hash32(i) % 3 == 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int around = 0;
            for (int k = 0; k < 9; k++)
                around += k == 4 ? 0 : cells[(y + k / 3 - 1 + n) % n * n + (x + k % 3 - 1 + n) % n];
            want[y * n + x] = around == 3 || (around == 2 && cells[y * n + x]);
        }
    unsigned char *in = to_device(cells), *bytes = device_zeros<unsigned char>(n * n);
    unsigned char *tile = device_zeros<unsigned char>(n * n),
                  *words = device_zeros<unsigned char>(n * n);
    unsigned *in_bits = to_device(packed(cells)), *bits = device_zeros<unsigned>(n * n / 32);
    for (int round = 0; round < rounds; round++) {
        life_bytes<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, bytes, n);
        life_tile<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, tile, n);
        life_words<<<dim3(ceil_div(n / 4, 64), n), 64>>>((const unsigned *)in, (unsigned *)words,
                                                         n);
        life_bits<<<ceil_div(n * (n / 32), 128), 128>>>(in_bits, bits, n);
    }
    expect("life_bytes", bytes, want);
    expect("life_tile", tile, want);
    expect("life_words", words, want);
    expect("life_bits", bits, packed(want));
    return verdict();
}
