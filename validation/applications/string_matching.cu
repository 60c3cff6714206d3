// Where a word stands in a text: a thread a place, skips by Horspool in a stretch a thread, stretches in shared
// memory, and letters counted by words of four.
#include "common.h"

#define LETTERS 8
#define STRETCH 64

__constant__ char word[LETTERS];

__global__ void match_place(const char *text, int *matches, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n - LETTERS)
        return;
    int k = 0;
    while (k < LETTERS && text[i + k] == word[k])
        k++;
    if (k == LETTERS)
        atomicAdd(matches, 1);
}

__global__ void match_horspool(const char *text, const unsigned char *skips, int *matches, int n)
{
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * STRETCH;
    const int last = min(first + STRETCH, n - LETTERS + 1);
    int found = 0;
    for (int i = first; i < last; i += skips[(unsigned char)text[i + LETTERS - 1]]) {
        int k = LETTERS - 1;
        while (k >= 0 && text[i + k] == word[k])
            k--;
        found += k < 0;
    }
    if (found)
        atomicAdd(matches, found);
}

__global__ void match_shared(const char *text, int *matches, int n)
{
    __shared__ char s[1024 + LETTERS];
    const int base = blockIdx.x * 1024;
    for (int k = threadIdx.x; k < 1024 + LETTERS; k += blockDim.x)
        s[k] = base + k < n ? text[base + k] : 0;
    __syncthreads();
    int found = 0;
    for (int p = threadIdx.x; p < 1024; p += blockDim.x) {
        int k = 0;
        while (k < LETTERS && s[p + k] == word[k])
            k++;
        found += k == LETTERS;
    }
    found = __reduce_add_sync(0xffffffffu, found);
    if (threadIdx.x % 32 == 0 && found)
        atomicAdd(matches, found);
}

__global__ void count_letter(const unsigned *text, int *count, unsigned letter, int words)
{
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        const unsigned four = text[i];
        for (int k = 0; k < 32; k += 8)
            mine += (four >> k & 255) == letter;
    }
    for (int step = 16; step > 0; step /= 2)
        mine += __shfl_xor_sync(0xffffffffu, mine, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(count, mine);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1024, rounds = argument(argc, argv, 2, 1);
    const char pattern[LETTERS + 1] = "abacabad";
    std::vector<char> text(n);
    std::vector<unsigned char> skips(256, LETTERS);
    std::vector<int> want(4);
    for (int i = 0; i < n; i++)
        text[i] = "aabcd"[hash32(i) % 5];
    for (int i = 0; i + LETTERS <= n; i += 500 + hash32(i) % 100)
        std::copy(pattern, pattern + LETTERS, &text[i]);
    for (int k = 0; k < LETTERS - 1; k++)
        skips[(unsigned char)pattern[k]] = (unsigned char)(LETTERS - 1 - k);
    for (int i = 0; i + LETTERS <= n; i++)
        want[0] += std::equal(pattern, pattern + LETTERS, &text[i]);
    want[1] = want[2] = want[0];
    want[3] = (int)std::count(text.begin(), text.end(), 'c');
    CHECK(cudaMemcpyToSymbol(word, pattern, LETTERS));
    char *dtext = to_device(text);
    unsigned char *dskips = to_device(skips);
    int *matches = device_zeros<int>(4);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<1, 32>>>(matches, 0, 4);
        match_place<<<n / 256, 256>>>(dtext, matches, n);
        match_horspool<<<ceil_div(n / STRETCH, 128), 128>>>(dtext, dskips, matches + 1, n);
        match_shared<<<n / 1024, 256>>>(dtext, matches + 2, n);
        count_letter<<<132, 256>>>((const unsigned *)dtext, matches + 3, 'c', n / 4);
    }
    expect("counts", matches, want);
    return verdict();
}
