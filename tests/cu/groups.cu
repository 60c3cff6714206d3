// groups.cu - cooperative groups of a block: the block, tiles, the lanes that are together.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

// A group of any kind: the sum ends at rank 0.
__device__ int group_sum(cg::thread_group g, int *temp, int value)
{
    int rank = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[rank] = value;
        g.sync();
        if (rank < i)
            value += temp[rank + i];
        g.sync();
    }
    return value;
}

template <typename Tile> __device__ int tile_sum(Tile tile, int value)
{
    for (int i = tile.size() / 2; i > 0; i /= 2)
        value += tile.shfl_down(value, i);
    return value;
}

__global__ void sums(int *out)
{
    __shared__ int temp[128];
    cg::thread_block block = cg::this_thread_block();
    int rank = block.thread_rank();
    int whole = group_sum(block, temp, rank);
    if (rank == 0)
        out[0] = whole;
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<4> four = cg::tiled_partition<4>(block);
    int in_warp = tile_sum(warp, rank), in_four = tile_sum(four, rank);
    if (warp.thread_rank() == 0)
        out[1 + warp.meta_group_rank()] = in_warp;
    if (rank == 40)
        out[5] = in_four;
    int reduced = cg::reduce(warp, rank, cg::plus<int>());
    int largest = cg::reduce(four, rank, cg::greater<int>());
    if (rank == 77) {
        out[6] = reduced;
        out[7] = largest;
        out[8] = (int)warp.meta_group_size();
    }
    unsigned odd = four.ballot(rank % 2);
    int any = four.any(rank == 41), all = four.all(rank < 43);
    if (rank == 41) {
        out[9] = (int)odd;
        out[10] = any;
        out[11] = all;
    }
    block.sync();
}

// One atomic for all lanes that are together.
__global__ void aggregated(int *counter)
{
    if (threadIdx.x % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int first = 0;
        if (active.thread_rank() == 0)
            first = atomicAdd(counter, (int)active.size());
        first = active.shfl(first, 0) + active.thread_rank();
        counter[1 + first] = threadIdx.x;
    }
}

// Tiles of two and of four warps: half of the block each.
template <unsigned Size> __global__ void wide(int *out)
{
    __shared__ cg::block_tile_memory<128> scratch;
    cg::thread_block block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<Size>(block);
    int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    double most = cg::reduce(tile, threadIdx.x + 0.5, cg::greater<double>());
    tile.sync();
    out[threadIdx.x] = sum + 100000 * (int)tile.meta_group_rank() + 1000000 * (tile.thread_rank() == 63);
    if (most != threadIdx.x / Size * Size + Size - 0.5 || tile.size() != Size || tile.meta_group_size() != 128 / Size)
        out[threadIdx.x] = -1;
}

static void wide_tiles(int *out)
{
    static int host[128];
    wide<64><<<1, 128>>>(out);
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 128; i++)
        CHECK_THAT(host[i] == (i < 64 ? 2016 : 6112 + 100000) + 1000000 * (i % 64 == 63));
    wide<128><<<1, 128>>>(out);
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 128; i++)
        CHECK_THAT(host[i] == 8128 + 1000000 * (i == 63));
}

int main()
{
    int *out, host[32];
    CHECK_CALL(cudaMalloc(&out, 512));
    wide_tiles(out);
    CHECK_CALL(cudaMalloc(&out, sizeof host));
    sums<<<1, 128>>>(out);
    CHECK_CALL(cudaMemcpy(host, out, 12 * sizeof(int), cudaMemcpyDeviceToHost));
    const int expected[] = {8128, 496, 1520, 2544, 3568, 166, 2544, 79, 4, 0xa, 1, 0};
    for (int i = 0; i < 12; i++)
        CHECK_THAT(host[i] == expected[i]);
    CHECK_CALL(cudaMemset(out, 0, sizeof host));
    aggregated<<<1, 64>>>(out);
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_THAT(host[0] == 22);
    for (int i = 0; i < 22; i++)
        CHECK_THAT(host[1 + i] == 3 * i);
    printf("PASSED\n");
}
