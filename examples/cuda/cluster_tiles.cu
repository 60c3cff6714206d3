/* cluster_tiles.cu - a product of matrices in clusters, sm_90 and later: the two blocks of a cluster stand above each other and want the same
 * tiles of b. A warp of each block loads the block's own tile of a, and one half of the tile of b for both blocks at once (multicast), through
 * a ring of two stages: `full` is a stage's barrier for bytes that come, `empty` for warps that are done with it. A warp that is done says so
 * to both blocks, since either loads into both. multiplyAlone is the same without clusters: it reads b twice as often.
 *
 *   warplens run examples/cuda/cluster_tiles.cu --gpu h200
 *   nvcc -arch=sm_90a -std=c++17 cluster_tiles.cu && ./a.out
 */
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum { SIDE = 256, TILE = 32, WARPS = 8, THREADS = (WARPS + 1) * 32, STAGES = 2, PAIR = 2, ROWS = TILE / WARPS };

struct tiles {
    float a[STAGES][TILE][TILE], b[STAGES][TILE][TILE];
};

/* Tile `k` of both matrices into a stage; of b the part that this block has to load for all of its cluster. */
__device__ void load_tiles(const CUtensorMap *a, const CUtensorMap *b, tiles &to, int k, uint64_t *full)
{
    cg::cluster_group cluster = cg::this_cluster();
    const int stage = k % STAGES, blocks = cluster.num_blocks(), part = TILE / blocks * cluster.block_rank();
    const int32_t at_a[] = {k * TILE, (int)blockIdx.y * TILE}, at_b[] = {(int)blockIdx.x * TILE, k * TILE + part};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[stage], 2 * sizeof to.a[0]);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to.a[stage], a, at_a, &full[stage]);
    if (blocks == 1)
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to.b[stage], b, at_b, &full[stage]);
    else
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to.b[stage][part], b, at_b, &full[stage],
                                  (uint16_t)((1 << PAIR) - 1));
}

__device__ void wait_for(uint64_t *barrier, int phase)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, phase % 2))
        ;
}

__device__ void multiply_tiles(tiles &tile, uint64_t *full, uint64_t *empty, float *c)
{
    cg::cluster_group cluster = cg::this_cluster();
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32;
    float sum[ROWS] = {0};
    for (int k = 0; k < SIDE / TILE; k++) {
        const int stage = k % STAGES;
        wait_for(&full[stage], k / STAGES);
        for (int i = 0; i < TILE; i++)
            for (int r = 0; r < ROWS; r++)
                sum[r] += tile.a[stage][row + r * WARPS][i] * tile.b[stage][i][lane];
        __syncwarp();
        if (lane < cluster.num_blocks())
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                                 cluster.map_shared_rank(&empty[stage], lane));
    }
    for (int r = 0; r < ROWS; r++)
        c[(blockIdx.y * TILE + row + r * WARPS) * SIDE + blockIdx.x * TILE + lane] = sum[r];
}

__device__ void multiply(const CUtensorMap *a, const CUtensorMap *b, float *c)
{
    __shared__ alignas(128) tiles tile;
    __shared__ uint64_t full[STAGES], empty[STAGES];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], WARPS * cluster.num_blocks());
            ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        }
    cluster.sync(); /* all barriers are there, and all blocks have started */
    if (threadIdx.x < WARPS * 32)
        multiply_tiles(tile, full, empty, c);
    else if (threadIdx.x == WARPS * 32)
        for (int k = 0; k < SIDE / TILE; k++) {
            if (k >= STAGES)
                wait_for(&empty[k % STAGES], k / STAGES - 1);
            load_tiles(a, b, tile, k, full);
        }
    cluster.sync(); /* nobody returns while others may still load into its memory, or say that they are done */
}

__global__ void multiplyAlone(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c)
{
    multiply(&a, &b, c);
}

__global__ void __cluster_dims__(1, PAIR, 1)
    multiplyPair(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c)
{
    multiply(&a, &b, c);
}

static float a[SIDE][SIDE], b[SIDE][SIDE], results[SIDE][SIDE], expected[SIDE][SIDE];

/* A tensor map of a matrix in boxes of `rows` rows; by the runtime's way to the driver API, so that nothing more is linked. */
static CUtensorMap map_of(float *array, unsigned rows)
{
    const cuuint64_t size[] = {SIDE, SIDE}, pitch[] = {SIDE * sizeof(float)};
    const cuuint32_t box[] = {TILE, rows}, one[] = {1, 1};
    CUtensorMap map;
    void *function = nullptr;
    decltype(&cuTensorMapEncodeTiled) encode;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
    memcpy(&encode, &function, sizeof encode);
    if (encode == nullptr ||
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, array, size, pitch, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        printf("no tensor map\n");
    return map;
}

static int check(const char *name, const float *out)
{
    int wrong = cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            wrong += results[y][x] != expected[y][x];
    printf("%s: %s\n", name, wrong ? "wrong" : "right");
    return wrong;
}

int main()
{
    float *da, *db, *dc;
    int wrong = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            a[y][x] = (float)((y * 3 + x) % 7);
            b[y][x] = (float)((y + x * 5) % 5);
        }
    for (int y = 0; y < SIDE; y++)
        for (int k = 0; k < SIDE; k++)
            for (int x = 0; x < SIDE; x++)
                expected[y][x] += a[y][k] * b[k][x];
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dc, sizeof results);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    const dim3 grid(SIDE / TILE, SIDE / TILE);
    cudaMemset(dc, 0, sizeof results);
    multiplyAlone<<<grid, THREADS>>>(map_of(da, TILE), map_of(db, TILE), dc);
    wrong += check("multiplyAlone", dc);
    cudaMemset(dc, 0, sizeof results);
    multiplyPair<<<grid, THREADS>>>(map_of(da, TILE), map_of(db, TILE / PAIR), dc);
    wrong += check("multiplyPair", dc);
    printf(wrong ? "FAILED\n" : "OK\n");
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return wrong != 0;
}
