// The longest common subsequence along diagonals of tiles, from global memory and in shared memory, and many short
// alignments, a thread each with its row in shared memory.
#include "common.h"

#define TILE 32
#define SHORT 32
#define PAIRS 64

// Row 0 and column 0 of the table are zeros; cell (i, j) is at i (n + 1) + j.
__global__ void lcs_global(const char *a, const char *b, int *table, int diagonal, int first, int n)
{
    const int tile_x = first + blockIdx.x, tile_y = diagonal - tile_x, t = threadIdx.x,
              pitch = n + 1;
    for (int d = 0; d < 2 * TILE - 1; d++) {
        const int x = t, y = d - t;
        if (y >= 0 && y < TILE) {
            const int i = tile_y * TILE + y + 1, j = tile_x * TILE + x + 1;
            table[i * pitch + j] = a[i - 1] == b[j - 1]
                                       ? table[(i - 1) * pitch + j - 1] + 1
                                       : max(table[(i - 1) * pitch + j], table[i * pitch + j - 1]);
        }
        __syncthreads();
    }
}

__global__ void lcs_shared(const char *a, const char *b, int *table, int diagonal, int first, int n)
{
    __shared__ int s[TILE + 1][TILE + 1];
    __shared__ char left[TILE], above[TILE];
    const int tile_x = first + blockIdx.x, tile_y = diagonal - tile_x, t = threadIdx.x,
              pitch = n + 1;
    int *corner = table + tile_y * TILE * pitch + tile_x * TILE;
    left[t] = a[tile_y * TILE + t];
    above[t] = b[tile_x * TILE + t];
    s[0][t + 1] = corner[t + 1];
    s[t + 1][0] = corner[(t + 1) * pitch];
    if (t == 0)
        s[0][0] = corner[0];
    __syncthreads();
    for (int d = 0; d < 2 * TILE - 1; d++) {
        const int x = t + 1, y = d - t + 1;
        if (y >= 1 && y <= TILE)
            s[y][x] =
                left[y - 1] == above[x - 1] ? s[y - 1][x - 1] + 1 : max(s[y - 1][x], s[y][x - 1]);
        __syncthreads();
    }
    for (int y = 1; y <= TILE; y++)
        corner[y * pitch + t + 1] = s[y][t + 1];
}

__global__ void lcs_pairs(const char *a, const char *b, int *length, int pairs)
{
    __shared__ short row[SHORT + 1][PAIRS];
    const int t = threadIdx.x, pair = blockIdx.x * PAIRS + t;
    if (pair >= pairs)
        return;
    for (int j = 0; j <= SHORT; j++)
        row[j][t] = 0;
    for (int i = 0; i < SHORT; i++) {
        const char c = a[pair * SHORT + i];
        int diagonal = 0;
        for (int j = 1; j <= SHORT; j++) {
            const int above = row[j][t];
            row[j][t] = (short)(c == b[pair * SHORT + j - 1] ? diagonal + 1
                                                             : max(above, (int)row[j - 1][t]));
            diagonal = above;
        }
    }
    length[pair] = row[SHORT][t];
}

static std::vector<int> lcs(const char *a, const char *b, int n)
{
    std::vector<int> table((n + 1) * (n + 1));
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            table[i * (n + 1) + j] = a[i - 1] == b[j - 1] ? table[(i - 1) * (n + 1) + j - 1] + 1
                                                          : std::max(table[(i - 1) * (n + 1) + j],
                                                                     table[i * (n + 1) + j - 1]);
    return table;
}

int main(int argc, char **argv)
{
    const int tiles = ceil_div(argument(argc, argv, 1, 128), TILE),
              rounds = argument(argc, argv, 2, 1);
    const int n = tiles * TILE, pairs = n * 8;
    std::vector<char> a((size_t)pairs * SHORT), b(a.size());
    for (size_t i = 0; i < a.size(); i++) {
        a[i] = "ACGT"[hash32((unsigned)i) % 4];
        b[i] = hash32((unsigned)i + 7) % 4 ? a[i] : "ACGT"[hash32((unsigned)i + 9) % 4];
    }
    std::vector<int> length(pairs);
    for (int p = 0; p < pairs; p++)
        length[p] = lcs(&a[(size_t)p * SHORT], &b[(size_t)p * SHORT], SHORT).back();
    char *da = to_device(a), *db = to_device(b);
    int *global = device_zeros<int>((n + 1) * (n + 1)),
        *shared = device_zeros<int>((n + 1) * (n + 1));
    int *dlength = device_zeros<int>(pairs);
    for (int round = 0; round < rounds; round++) {
        for (int d = 0; d < 2 * tiles - 1; d++) {
            const int first = std::max(0, d - tiles + 1),
                      count = std::min(d, tiles - 1) - first + 1;
            lcs_global<<<count, TILE>>>(da, db, global, d, first, n);
            lcs_shared<<<count, TILE>>>(da, db, shared, d, first, n);
        }
        lcs_pairs<<<ceil_div(pairs, PAIRS), PAIRS>>>(da, db, dlength, pairs);
    }
    const std::vector<int> want = lcs(a.data(), b.data(), n);
    expect("lcs_global", global, want);
    expect("lcs_shared", shared, want);
    expect("lcs_pairs", dlength, length);
    return verdict();
}
