/* attention.c - attention, O = softmax(Q * K^T) * V: with the scores in global memory, and with tiles of K and V that stream
 * through shared memory while a softmax is kept up to date (as in FlashAttention).
 *
 * Q, K, V and O are n x 64 floats by rows, `heads` times. A block of 8 warps takes 32 queries of a head, a warp four of them. Its
 * tile of Q stays in shared memory; 32 keys and their values come at a time. For the scores lane j takes key j, 16 bytes at a time:
 * 8 lanes go down a column of the tile of K together, and its rows are 256 bytes apart.
 *
 * The softmax is one of base 2, as kernels have it that multiply scores with log2(e) first. Test data make scores small whole
 * numbers, so that their powers of two, all sums of them and the result are exact in any order.
 */
#include "gallery.h"

enum {
    DEPTH = 64,
    PIECE = 4, /* floats in 16 bytes */
    PIECES = DEPTH / PIECE,
    KEYS = 32,
    QUERIES = 32,
    QUERIES_A_WARP = 4,
    BLOCK = 256,
};

#define LOWEST (-1e30f) /* its power of two is 0 */
#define LANE (threadIdx.x % 32)
#define WARP (threadIdx.x / 32)

#ifdef __CUDACC__
#define DOT(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z + (a).w * (b).w)
#else
#define DOT(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1] + (a)[2] * (b)[2] + (a)[3] * (b)[3])
#endif

static __device__ __forceinline__ float dot(four_floats a, const float *b)
{
    const four_floats other = *(const four_floats *)b;
    return DOT(a, other);
}

static __device__ __forceinline__ float highest_of_warp(float value)
{
    for (int mask = 16; mask; mask /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, mask));
    return value;
}

static __device__ __forceinline__ float sum_of_warp(float value)
{
    for (int mask = 16; mask; mask /= 2)
        value += __shfl_xor_sync(0xffffffff, value, mask);
    return value;
}

/* ---- The scores in global memory ---------------------------------------------------------------------- */

/* A warp a query: a row of scores is written, read for its softmax, written, and read for the values. */
__global__ void attentionScores(const float *Q, const float *K, const float *V, float *O,
                                float *scores, int n)
{
    const size_t head = (size_t)blockIdx.y * n * DEPTH;
    const int row = blockIdx.x * (BLOCK / 32) + WARP;
    float *own = scores + ((size_t)blockIdx.y * n + row) * n;
    float highest = LOWEST, total = 0, left = 0, right = 0;
    for (int key = LANE; key < n; key += 32) {
        float score = 0;
        for (int d = 0; d < DEPTH; d += PIECE)
            score +=
                dot(*(const four_floats *)&Q[head + row * DEPTH + d], &K[head + key * DEPTH + d]);
        own[key] = score;
        highest = fmaxf(highest, score);
    }
    highest = highest_of_warp(highest);
    for (int key = LANE; key < n; key += 32) {
        const float power = exp2f(own[key] - highest);
        own[key] = power;
        total += power;
    }
    total = sum_of_warp(total);
    __syncwarp();
    for (int key = 0; key < n; key++) {
        const float power = own[key];
        left += power * V[head + key * DEPTH + LANE];
        right += power * V[head + key * DEPTH + LANE + 32];
    }
    O[head + row * DEPTH + LANE] = left / total;
    O[head + row * DEPTH + LANE + 32] = right / total;
}
KERNEL_LAUNCHER(attentionScores, const float *, const float *, const float *, float *, float *, int)

/* ---- Tiles ---------------------------------------------------------------------------------------------- */

/* Piece `piece` of a row, in floats: `swizzle` is 7, or 0 for none. */
#define AT(row, piece) ((row)*pitch + ((piece) ^ ((row)&swizzle)) * PIECE)

/* 32 rows of global memory into a tile. */
static __device__ __forceinline__ void bring(float *tile, const float *rows, int pitch, int swizzle)
{
    for (int i = threadIdx.x; i < KEYS * PIECES; i += BLOCK) {
        const int row = i / PIECES, piece = i % PIECES;
        *(four_floats *)&tile[AT(row, piece)] =
            *(const four_floats *)&rows[row * DEPTH + piece * PIECE];
    }
}

/* The lane's key with the warp's four queries. */
static __device__ __forceinline__ void score(const float *Qs, const float *Ks, int pitch,
                                             int swizzle, float s[4])
{
    s[0] = s[1] = s[2] = s[3] = 0;
    for (int piece = 0; piece < PIECES; piece++) {
        const four_floats key = *(const four_floats *)&Ks[AT(LANE, piece)];
        const float *query = &Qs[piece * PIECE];
        s[0] += dot(key, query);
        s[1] += dot(key, &query[DEPTH]);
        s[2] += dot(key, &query[2 * DEPTH]);
        s[3] += dot(key, &query[3 * DEPTH]);
    }
}

/* What a query has seen so far: the highest score, and the sums of powers and of values with that score subtracted; of the values
 * a lane has two columns. */
struct query {
    float highest, total, left, right;
};

/* Takes the scores of a tile in; *s is a power then. A higher score scales what there is down. */
static __device__ __forceinline__ void update(struct query *query, float *s)
{
    const float highest = fmaxf(query->highest, highest_of_warp(*s));
    const float scale = exp2f(query->highest - highest);
    *s = exp2f(*s - highest);
    query->total = query->total * scale + sum_of_warp(*s);
    query->left *= scale;
    query->right *= scale;
    query->highest = highest;
}

static __device__ __forceinline__ void add_value(struct query *query, float power, int key,
                                                 float left, float right)
{
    power = __shfl_sync(0xffffffff, power, key);
    query->left += power * left;
    query->right += power * right;
}

static __device__ __forceinline__ void put(float *O, const struct query *query)
{
    O[LANE] = query->left / query->total;
    O[LANE + 32] = query->right / query->total;
}

static __device__ __forceinline__ void attend(const float *Q, const float *K, const float *V,
                                              float *O, int n, float *Qs, float *Ks, float *Vs,
                                              int pitch, int swizzle)
{
    const size_t head = (size_t)blockIdx.y * n * DEPTH;
    const size_t first = head + (size_t)blockIdx.x * QUERIES * DEPTH;
    const int own = WARP * QUERIES_A_WARP * DEPTH;
    struct query q[QUERIES_A_WARP] = {
        {LOWEST, 0, 0, 0}, {LOWEST, 0, 0, 0}, {LOWEST, 0, 0, 0}, {LOWEST, 0, 0, 0}};
    bring(Qs, &Q[first], DEPTH, 0);
    for (int from = 0; from < n; from += KEYS) {
        float s[QUERIES_A_WARP];
        bring(Ks, &K[head + from * DEPTH], pitch, swizzle);
        bring(Vs, &V[head + from * DEPTH], DEPTH, 0);
        __syncthreads();
        score(&Qs[own], Ks, pitch, swizzle, s);
        update(&q[0], &s[0]);
        update(&q[1], &s[1]);
        update(&q[2], &s[2]);
        update(&q[3], &s[3]);
        for (int key = 0; key < KEYS; key++) {
            const float left = Vs[key * DEPTH + LANE], right = Vs[key * DEPTH + LANE + 32];
            add_value(&q[0], s[0], key, left, right);
            add_value(&q[1], s[1], key, left, right);
            add_value(&q[2], s[2], key, left, right);
            add_value(&q[3], s[3], key, left, right);
        }
        __syncthreads();
    }
    put(&O[first + own], &q[0]);
    put(&O[first + own + DEPTH], &q[1]);
    put(&O[first + own + 2 * DEPTH], &q[2]);
    put(&O[first + own + 3 * DEPTH], &q[3]);
}

__global__ void attentionTiles(const float *Q, const float *K, const float *V, float *O, int n)
{
    __shared__ __align__(16) float Qs[QUERIES * DEPTH];
    __shared__ __align__(16) float Ks[KEYS * DEPTH];
    __shared__ __align__(16) float Vs[KEYS * DEPTH];
    attend(Q, K, V, O, n, Qs, Ks, Vs, DEPTH, 0);
}
KERNEL_LAUNCHER(attentionTiles, const float *, const float *, const float *, float *, int)

__global__ void attentionPadded(const float *Q, const float *K, const float *V, float *O, int n)
{
    __shared__ __align__(16) float Qs[QUERIES * DEPTH];
    __shared__ __align__(16) float Ks[KEYS * (DEPTH + PIECE)];
    __shared__ __align__(16) float Vs[KEYS * DEPTH];
    attend(Q, K, V, O, n, Qs, Ks, Vs, DEPTH + PIECE, 0);
}
KERNEL_LAUNCHER(attentionPadded, const float *, const float *, const float *, float *, int)

__global__ void attentionSwizzled(const float *Q, const float *K, const float *V, float *O, int n)
{
    __shared__ __align__(16) float Qs[QUERIES * DEPTH];
    __shared__ __align__(16) float Ks[KEYS * DEPTH];
    __shared__ __align__(16) float Vs[KEYS * DEPTH];
    attend(Q, K, V, O, n, Qs, Ks, Vs, DEPTH, 7);
}
KERNEL_LAUNCHER(attentionSwizzled, const float *, const float *, const float *, float *, int)

/* ---- Host code -------------------------------------------------------------------------------------- */

/* Of values from 0 to 15: queries of -1, 0 and 1, keys with four such, one in each 16, so that scores are -4 to 4. */
static void make_queries(float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((int)values[i] % 3 - 1);
}

static void make_keys(float *values, size_t count)
{
    enum { EVERY = 16 };
    for (size_t i = 0; i < count; i += EVERY) {
        const int at = (int)values[i], sign = (int)values[i + 1] % 2 * 2 - 1;
        for (int k = 0; k < EVERY; k++)
            values[i + k] = (float)(k == at ? sign : 0);
    }
}

static void expect_row(const float *q, const float *K, const float *V, float *o, float *powers,
                       int n)
{
    float highest = LOWEST, total = 0;
    for (int key = 0; key < n; key++) {
        powers[key] = 0;
        for (int d = 0; d < DEPTH; d++)
            powers[key] += q[d] * K[key * DEPTH + d];
        highest = fmaxf(highest, powers[key]);
    }
    for (int key = 0; key < n; key++) {
        powers[key] = exp2f(powers[key] - highest);
        total += powers[key];
    }
    for (int d = 0; d < DEPTH; d++) {
        for (int key = 0; key < n; key++)
            o[d] += powers[key] * V[key * DEPTH + d];
        o[d] /= total;
    }
}

/* All heads one after another: each has its n rows. */
static void expect(const float *Q, const float *K, const float *V, float *O, int n, int heads)
{
    float *powers = (float *)gallery_host(n * sizeof(float));
    for (int row = 0; row < heads * n; row++) {
        const size_t head = (size_t)(row / n) * n * DEPTH, at = (size_t)row * DEPTH;
        expect_row(Q + at, K + head, V + head, O + at, powers, n);
    }
    free(powers);
}

typedef void launcher(dim3 grid, dim3 block, size_t shared, const float *Q, const float *K,
                      const float *V, float *O, int n);

/* Without a launcher: attentionScores. */
static void run_attention(const struct gallery_args *args, launcher *launch)
{
    const int n = gallery_int(args, "n"), heads = gallery_int(args, "heads");
    const size_t count = (size_t)heads * n * DEPTH;
    const dim3 block = make_dim3(BLOCK, 1, 1);
    GALLERY_INPUT(float, Q, count);
    GALLERY_INPUT(float, K, count);
    GALLERY_INPUT(float, V, count);
    GALLERY_OUTPUT(float, O, count);
    make_queries(Q_host, count);
    make_keys(K_host, count);
    cudaMemcpy(Q, Q_host, count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(K, K_host, count * sizeof(float), cudaMemcpyHostToDevice);
    if (launch) {
        launch(make_dim3(n / QUERIES, heads, 1), block, 0, Q, K, V, O, n);
    } else {
        GALLERY_OUTPUT(float, scores, (size_t)heads *n *n);
        launch_attentionScores(make_dim3(n / (BLOCK / 32), heads, 1), block, 0, Q, K, V, O, scores,
                               n);
        GALLERY_FREE(scores);
    }
    expect(Q_host, K_host, V_host, O_host, n, heads);
    GALLERY_CHECK(O, count);
    GALLERY_FREE(O);
    GALLERY_FREE(V);
    GALLERY_FREE(K);
    GALLERY_FREE(Q);
}

static void run_attentionScores(const struct gallery_args *args)
{
    run_attention(args, NULL);
}

static void run_attentionTiles(const struct gallery_args *args)
{
    run_attention(args, launch_attentionTiles);
}

static void run_attentionPadded(const struct gallery_args *args)
{
    run_attention(args, launch_attentionPadded);
}

static void run_attentionSwizzled(const struct gallery_args *args)
{
    run_attention(args, launch_attentionSwizzled);
}

#define SIZES                                                                                      \
    {                                                                                              \
        {"n", 128, KEYS, 1024, KEYS, "queries, keys and values of a head"},                        \
        {                                                                                          \
            "heads", 4, 1, 32, 1, "heads, each with matrices of its own"                           \
        }                                                                                          \
    }

static const struct gallery_kernel kernels[] = {
    {"attentionScores", "attention whose scores lie in global memory, a warp a query",
     "Scores are written twice and read twice, n x n of them where the matrices have n x 64 "
     "elements; and every warp reads all of K and V itself.",
     run_attentionScores, SIZES},
    {"attentionTiles",
     "attention by tiles of 32 keys in shared memory, the softmax kept up to date",
     "No score leaves the registers: what global memory gives are the tiles, used by 32 queries. "
     "Eight lanes that go down a column of the tile of K lie in the same four banks: 8-way.",
     run_attentionTiles, SIZES},
    {"attentionPadded", "the same with rows of 272 bytes in the tile of K",
     "16 bytes behind each row move the next one on by four banks: a column without conflicts.",
     run_attentionPadded, SIZES},
    {"attentionSwizzled", "the same with the 16-byte pieces of a row of K exchanged by its number",
     "Exclusive or with the lowest three bits of the row's number does what padding does, and "
     "takes no memory.",
     run_attentionSwizzled, SIZES},
};
GALLERY_TOPIC(attention, "Attention", kernels);
