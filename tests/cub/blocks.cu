// blocks.cu - do CUB's primitives of a block and of a warp, as its headers have them, give the host's results?
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include <algorithm>
#include <vector>

#include "check.h"

enum { THREADS = 128, ITEMS = 4, TILE = THREADS * ITEMS, BLOCKS = 3, BINS = 32 };

struct larger {
    __host__ __device__ int operator()(int a, int b) const
    {
        return a > b ? a : b;
    }
};

struct differs {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a != b;
    }
};

/* ---- Reductions -------------------------------------------------------------------------------- */

template <cub::BlockReduceAlgorithm How> __global__ void reduce(const int *in, int *sums, int *most, int valid)
{
    typedef cub::BlockReduce<int, THREADS, How> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    int items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = in[blockIdx.x * TILE + threadIdx.x * ITEMS + i];
    const int sum = Reduce(storage).Sum(items);
    __syncthreads();
    const int largest = Reduce(storage).Reduce(items[0], larger(), valid);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        most[blockIdx.x] = largest;
    }
}

template <cub::BlockReduceAlgorithm How> static void check_reduce(const std::vector<int> &in, const int *device)
{
    enum { VALID = 77 };
    int *sums, *most, sum[BLOCKS], largest[BLOCKS];
    cudaMalloc(&sums, sizeof sum);
    cudaMalloc(&most, sizeof largest);
    reduce<How><<<BLOCKS, THREADS>>>(device, sums, most, VALID);
    cudaMemcpy(sum, sums, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(largest, most, sizeof largest, cudaMemcpyDeviceToHost);
    for (int block = 0; block < BLOCKS; block++) {
        int all = 0, maximum = -1 << 30;
        for (int i = 0; i < TILE; i++)
            all += in[block * TILE + i];
        for (int i = 0; i < VALID; i++)
            maximum = std::max(maximum, in[block * TILE + i * ITEMS]);
        CHECK_THAT(sum[block] == all);
        CHECK_THAT(largest[block] == maximum);
    }
}

/* ---- Scans, loads and stores --------------------------------------------------------------------- */

template <cub::BlockScanAlgorithm How, cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store>
__global__ void scan(const int *in, int *exclusive, int *inclusive, int *totals)
{
    typedef cub::BlockLoad<int, THREADS, ITEMS, Load> BlockLoad;
    typedef cub::BlockStore<int, THREADS, ITEMS, Store> BlockStore;
    typedef cub::BlockScan<int, THREADS, How> BlockScan;
    __shared__ union {
        typename BlockLoad::TempStorage load;
        typename BlockStore::TempStorage store;
        typename BlockScan::TempStorage scan;
    } storage;
    int items[ITEMS], sums[ITEMS], total;
    BlockLoad(storage.load).Load(in + blockIdx.x * TILE, items);
    __syncthreads();
    BlockScan(storage.scan).ExclusiveSum(items, sums, total);
    __syncthreads();
    BlockStore(storage.store).Store(exclusive + blockIdx.x * TILE, sums);
    __syncthreads();
    BlockScan(storage.scan).InclusiveScan(items, sums, larger());
    __syncthreads();
    BlockStore(storage.store).Store(inclusive + blockIdx.x * TILE, sums);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
}

template <cub::BlockScanAlgorithm How, cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store>
static void check_scan(const std::vector<int> &in, const int *device)
{
    std::vector<int> sums(in.size()), most(in.size());
    int *exclusive, *inclusive, *totals, total[BLOCKS];
    cudaMalloc(&exclusive, in.size() * sizeof(int));
    cudaMalloc(&inclusive, in.size() * sizeof(int));
    cudaMalloc(&totals, sizeof total);
    scan<How, Load, Store><<<BLOCKS, THREADS>>>(device, exclusive, inclusive, totals);
    cudaMemcpy(sums.data(), exclusive, in.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(most.data(), inclusive, in.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(total, totals, sizeof total, cudaMemcpyDeviceToHost);
    for (int block = 0; block < BLOCKS; block++) {
        int sum = 0, maximum = -1 << 30, wrong = 0;
        for (int i = block * TILE; i < (block + 1) * TILE; i++) {
            wrong += sums[i] != sum;
            sum += in[i];
            maximum = std::max(maximum, in[i]);
            wrong += most[i] != maximum;
        }
        CHECK_THAT(wrong == 0);
        CHECK_THAT(total[block] == sum);
    }
}

/* ---- Order: sorts, exchanges, first ones, histograms ------------------------------------------------ */

__global__ void order(const int *in, int *keys, int *values, int *firsts, int *striped, unsigned *bins)
{
    typedef cub::BlockRadixSort<int, THREADS, ITEMS, int> Sort;
    typedef cub::BlockExchange<int, THREADS, ITEMS> Exchange;
    typedef cub::BlockDiscontinuity<int, THREADS> Discontinuity;
    typedef cub::BlockHistogram<unsigned char, THREADS, ITEMS, BINS, cub::BLOCK_HISTO_ATOMIC> Histogram;
    __shared__ union {
        typename Sort::TempStorage sort;
        typename Exchange::TempStorage exchange;
        typename Discontinuity::TempStorage discontinuity;
        typename Histogram::TempStorage histogram;
    } storage;
    __shared__ unsigned counts[BINS];
    int own[ITEMS], places[ITEMS], heads[ITEMS];
    unsigned char samples[ITEMS];
    const int first = blockIdx.x * TILE + threadIdx.x * ITEMS;
    for (int i = 0; i < ITEMS; i++) {
        own[i] = in[first + i];
        places[i] = first + i;
        samples[i] = (unsigned char)((unsigned)own[i] % BINS);
    }
    Sort(storage.sort).Sort(own, places);
    __syncthreads();
    Discontinuity(storage.discontinuity).FlagHeads(heads, own, differs());
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) {
        keys[first + i] = own[i];
        values[first + i] = places[i];
        firsts[first + i] = heads[i];
    }
    Exchange(storage.exchange).BlockedToStriped(own);
    for (int i = 0; i < ITEMS; i++)
        striped[blockIdx.x * TILE + i * THREADS + threadIdx.x] = own[i];
    __syncthreads();
    Histogram(storage.histogram).Histogram(samples, counts);
    __syncthreads();
    if (threadIdx.x < BINS)
        bins[blockIdx.x * BINS + threadIdx.x] = counts[threadIdx.x];
}

template <class T> static std::vector<T> fetch(const T *from, size_t count)
{
    std::vector<T> to(count);
    cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost);
    return to;
}

static void check_order(const std::vector<int> &in, const int *device)
{
    const size_t n = in.size();
    int *keys, *values, *firsts, *striped;
    unsigned *bins;
    cudaMalloc(&keys, n * sizeof *keys);
    cudaMalloc(&values, n * sizeof *values);
    cudaMalloc(&firsts, n * sizeof *firsts);
    cudaMalloc(&striped, n * sizeof *striped);
    cudaMalloc(&bins, BLOCKS * BINS * sizeof *bins);
    order<<<BLOCKS, THREADS>>>(device, keys, values, firsts, striped, bins);
    const auto key = fetch(keys, n), value = fetch(values, n), head = fetch(firsts, n), flat = fetch(striped, n);
    const auto bin = fetch(bins, BLOCKS * BINS);
    for (int block = 0; block < BLOCKS; block++) {
        std::vector<int> sorted(in.begin() + block * TILE, in.begin() + (block + 1) * TILE);
        std::vector<unsigned> counts(BINS);
        int wrong = 0;
        for (int x : sorted)
            counts[(unsigned char)((unsigned)x % BINS)]++;
        std::stable_sort(sorted.begin(), sorted.end());
        for (int i = 0; i < TILE; i++) {
            const int at = block * TILE + i;
            wrong += key[at] != sorted[i] || in[value[at]] != key[at] || flat[at] != key[at];
            wrong += head[at] != (i == 0 || sorted[i] != sorted[i - 1]);
            wrong += i > 0 && key[at] == key[at - 1] && value[at] < value[at - 1]; /* it is stable */
        }
        for (int i = 0; i < BINS; i++)
            wrong += bin[block * BINS + i] != counts[i];
        CHECK_THAT(wrong == 0);
    }
}

/* ---- Warps ---------------------------------------------------------------------------------------- */

__global__ void warps(const int *in, int *sums, int *scans, float *parts)
{
    typedef cub::WarpReduce<int> Reduce;
    typedef cub::WarpScan<int> Scan;
    typedef cub::WarpReduce<float, 8> Part;
    __shared__ typename Reduce::TempStorage reduces[THREADS / 32];
    __shared__ typename Scan::TempStorage scanned[THREADS / 32];
    __shared__ typename Part::TempStorage eighths[THREADS / 8];
    const int warp = threadIdx.x / 32, x = in[threadIdx.x];
    int before;
    const int sum = Reduce(reduces[warp]).Sum(x);
    Scan(scanned[warp]).ExclusiveSum(x, before);
    scans[threadIdx.x] = before;
    if (threadIdx.x % 32 == 0)
        sums[warp] = sum;
    const float part = Part(eighths[threadIdx.x / 8]).Sum((float)x);
    if (threadIdx.x % 8 == 0)
        parts[threadIdx.x / 8] = part;
}

static void check_warps(const std::vector<int> &in, const int *device)
{
    int *sums, *scans, wrong = 0;
    float *parts;
    cudaMalloc(&sums, THREADS / 32 * sizeof *sums);
    cudaMalloc(&scans, THREADS * sizeof *scans);
    cudaMalloc(&parts, THREADS / 8 * sizeof *parts);
    warps<<<1, THREADS>>>(device, sums, scans, parts);
    const auto sum = fetch(sums, THREADS / 32), before = fetch(scans, THREADS);
    const auto part = fetch(parts, THREADS / 8);
    for (int warp = 0; warp < THREADS / 32; warp++) {
        int all = 0;
        for (int i = 32 * warp; i < 32 * (warp + 1); all += in[i++])
            wrong += before[i] != all;
        wrong += sum[warp] != all;
    }
    for (int i = 0; i < THREADS / 8; i++) {
        int all = 0;
        for (int k = 8 * i; k < 8 * (i + 1); k++)
            all += in[k];
        wrong += part[i] != (float)all;
    }
    CHECK_THAT(wrong == 0);
}

int main()
{
    std::vector<int> in(BLOCKS * TILE);
    unsigned state = 1;
    for (int &x : in)
        x = (int)((state = state * 1664525 + 1013904223) >> 16) % 601 - 300;
    int *device;
    cudaMalloc(&device, in.size() * sizeof(int));
    cudaMemcpy(device, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    check_reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in, device);
    check_reduce<cub::BLOCK_REDUCE_RAKING>(in, device);
    check_reduce<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(in, device);
    check_scan<cub::BLOCK_SCAN_RAKING, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(in, device);
    check_scan<cub::BLOCK_SCAN_RAKING_MEMOIZE, cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>(in, device);
    check_scan<cub::BLOCK_SCAN_WARP_SCANS, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(in, device);
    check_scan<cub::BLOCK_SCAN_WARP_SCANS, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(in, device);
    check_order(in, device);
    check_warps(in, device);
    puts("PASSED");
}
