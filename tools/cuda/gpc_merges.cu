// gpc_merges.cu - which SMs of a GPU share a GPC, which SM each block of a grid goes to, and which loads of several SMs reach L2 as one.
//
//   nvcc -arch=sm_90 -o gpc_merges tools/cuda/gpc_merges.cu
//   ./gpc_merges order                     the SMs that the first blocks of a grid get: h200_block_order.csv
//   ncu --csv --page raw --clock-control none -k read_together --metrics lts__t_sectors_srcunit_tex_op_read.sum ./gpc_merges reads
//
// `reads` prints a line of CSV for each launch: SM:cycles it begins later:first word of a line+words, for each SM that reads 1,024 lines.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <algorithm>

namespace cg = cooperative_groups;
typedef unsigned int uint;
typedef unsigned long long ulong64;
const int MOST_SMS = 256, LINES = 1024, APART = 1536; // cycles from a line to the next
const int ALONE = 200 * 1024;                         // bytes of shared memory that leave room for one block

#define CHECK(call) check((call), __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "gpc_merges: line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

__device__ uint sm_number()
{
    uint sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

__global__ void note_cluster(uint *sms)
{
    extern __shared__ char room[];
    if (threadIdx.x == 0)
        sms[blockIdx.x] = sm_number();
    room[threadIdx.x] = 0;
    cg::this_cluster().sync();
}

__global__ void note_blocks(uint *sms, int cycles)
{
    const ulong64 now = clock64();
    if (threadIdx.x == 0)
        sms[blockIdx.x] = sm_number();
    while (clock64() - now < (ulong64)cycles)
        ;
}

struct Plan {
    short delay[MOST_SMS];          // cycles; below 0: reads nothing
    unsigned char first[MOST_SMS], lanes[MOST_SMS]; // words of a line that are read
    int readers;
};

// Blocks that read meet, agree on a time, and read a line each APART cycles, at that time and their delay.
__global__ void read_together(const uint *in, uint *out, Plan plan, uint *met, ulong64 *begin, ulong64 *clocks)
{
    extern __shared__ char room[];
    const uint sm = sm_number();
    room[threadIdx.x] = 0;
    if (plan.delay[sm] < 0)
        return;
    if (threadIdx.x == 0) {
        atomicMax(begin, clock64() + 20000);
        __threadfence();
        atomicAdd(met, 1);
        while (*(volatile uint *)met < plan.readers)
            ;
        clocks[sm] = clock64();
    }
    __syncwarp();
    ulong64 next = *(volatile ulong64 *)begin + plan.delay[sm];
    const bool reads = threadIdx.x >= plan.first[sm] && threadIdx.x < plan.first[sm] + plan.lanes[sm];
    uint sum = 0;
    for (int k = 0; k < LINES; k++) {
        while (clock64() < next)
            ;
        if (reads)
            sum += in[k * 32 + threadIdx.x];
        next += APART;
    }
    if (sum == 1)
        out[0] = sum;
}

static std::vector<uint> sms_of_clusters(int size, int blocks)
{
    uint *sms;
    std::vector<uint> found(blocks);
    CHECK(cudaMalloc(&sms, blocks * sizeof(uint)));
    CHECK(cudaFuncSetAttribute(note_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaFuncSetAttribute(note_cluster, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE));
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = size;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(32);
    config.dynamicSmemBytes = ALONE;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, note_cluster, sms));
    CHECK(cudaMemcpy(found.data(), sms, blocks * sizeof(uint), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(sms));
    return found;
}

// GPC of each SM, numbered by their first SM: SMs that a cluster shared are of one.
static std::vector<int> gpcs_of(int sm_count)
{
    std::vector<int> gpc(sm_count);
    for (int i = 0; i < sm_count; i++)
        gpc[i] = i;
    for (const int size : {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
        for (int again = 0; again < 4; again++) {
            const std::vector<uint> sms = sms_of_clusters(size, size * 64);
            for (size_t i = 0; i < sms.size(); i++) {
                const int a = gpc[sms[i]], b = gpc[sms[i - i % size]];
                for (int &g : gpc)
                    g = g == std::max(a, b) ? std::min(a, b) : g;
            }
        }
    return gpc;
}

static void print_blocks(int sm_count, int blocks, int threads, int shared)
{
    uint *sms;
    std::vector<uint> sm(blocks);
    CHECK(cudaMalloc(&sms, blocks * sizeof(uint)));
    CHECK(cudaFuncSetAttribute(note_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE));
    note_blocks<<<blocks, threads, shared>>>(sms, 100000);
    CHECK(cudaMemcpy(sm.data(), sms, blocks * sizeof(uint), cudaMemcpyDeviceToHost));
    printf("%d,%d,%d,", blocks, threads, shared);
    for (int i = 0; i < std::min(blocks, sm_count); i++)
        printf("%s%u", i ? " " : "", sm[i]);
    printf("\n");
    CHECK(cudaFree(sms));
}

static void order(int sm_count)
{
    printf("blocks,threads,shared_bytes,sms\n");
    for (const int shared : {ALONE, 0})
        for (const int threads : {32, 1024})
            for (const int blocks : {4, 8, 16, 24, 32, 48, 64, 96, 132, 264, 400, 528})
                print_blocks(sm_count, blocks, threads, shared);
}

struct Reader {
    int sm, delay, first, lanes;
};

static const uint *in;
static uint *out, *met;
static ulong64 *begin, *clocks;

static void launch(const char *what, const std::vector<Reader> &readers, int sm_count)
{
    Plan plan;
    memset(&plan, 0, sizeof plan);
    memset(plan.delay, 0xff, sizeof plan.delay);
    for (const Reader &r : readers) {
        plan.delay[r.sm] = (short)r.delay;
        plan.first[r.sm] = (unsigned char)r.first;
        plan.lanes[r.sm] = (unsigned char)r.lanes;
    }
    plan.readers = (int)readers.size();
    CHECK(cudaMemset(met, 0, sizeof(uint)));
    CHECK(cudaMemset(begin, 0, sizeof(ulong64)));
    CHECK(cudaFuncSetAttribute(read_together, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE));
    read_together<<<sm_count, 32, ALONE>>>(in, out, plan, met, begin, clocks);
    CHECK(cudaDeviceSynchronize());
    printf("%s,", what);
    for (size_t i = 0; i < readers.size(); i++)
        printf("%s%d:%d:%d+%d", i ? " " : "", readers[i].sm, readers[i].delay, readers[i].first, readers[i].lanes);
    printf("\n");
}

static void reads(int sm_count)
{
    const std::vector<int> gpc = gpcs_of(sm_count);
    CHECK(cudaMalloc((void **)&in, LINES * 128));
    CHECK(cudaMemset((void *)in, 0, LINES * 128));
    CHECK(cudaMalloc(&out, sizeof(uint)));
    CHECK(cudaMalloc(&met, sizeof(uint)));
    CHECK(cudaMalloc(&begin, sizeof(ulong64)));
    CHECK(cudaMalloc(&clocks, MOST_SMS * sizeof(ulong64)));
    printf("what,readers\n");
    launch("alone", {{0, 0, 0, 32}}, sm_count);
    std::vector<ulong64> at(sm_count);
    std::vector<Reader> all;
    for (int sm = 0; sm < sm_count; sm++)
        all.push_back({sm, 0, 0, 32});
    launch("all", all, sm_count);
    CHECK(cudaMemcpy(at.data(), clocks, sm_count * sizeof(ulong64), cudaMemcpyDeviceToHost));
    fprintf(stderr, "clocks:");
    for (int sm = 0; sm < sm_count; sm++)
        fprintf(stderr, " %lld", (long long)(at[sm] - at[0]));
    fprintf(stderr, "\ngpc:");
    for (int sm = 0; sm < sm_count; sm++)
        fprintf(stderr, " %d", gpc[sm]);
    fprintf(stderr, "\n");
    for (const int a : {0, 1, sm_count / 2})
        for (int b = 0; b < sm_count; b++)
            if (b != a)
                launch("pair", {{a, 100, 0, 32}, {b, 100, 0, 32}}, sm_count);
    for (int g = 0; g < sm_count; g++) {
        std::vector<Reader> group;
        for (int sm = 0; sm < sm_count; sm++)
            if (gpc[sm] == g) {
                group.push_back({sm, 0, 0, 32});
                launch("group", group, sm_count);
            }
    }
    std::vector<int> near; // of the GPC of SM 0
    for (int sm = 1; sm < sm_count; sm++)
        if (gpc[sm] == gpc[0])
            near.push_back(sm);
    for (const int b : {near.front(), near[near.size() / 2], near.back()})
        for (int delay = 0; delay <= 1280; delay += delay < 640 ? 32 : 64)
            launch("window", {{0, 640, 0, 32}, {b, delay, 0, 32}}, sm_count);
    for (const int b : {near.front(), near[near.size() / 2], near.back()}) {
        launch("parts", {{0, 0, 0, 16}, {b, 20, 16, 16}}, sm_count);
        launch("parts", {{0, 0, 0, 16}, {b, 20, 8, 16}}, sm_count);
        launch("parts", {{0, 0, 0, 32}, {b, 20, 8, 8}}, sm_count);
        launch("parts", {{0, 0, 8, 8}, {b, 20, 0, 32}}, sm_count);
        launch("parts", {{0, 0, 8, 8}, {b, 20, 8, 8}}, sm_count);
    }
    for (const int apart : {4, 8, 16, 32, 64, 128}) {
        std::vector<Reader> group;
        for (size_t i = 0; i < near.size() && (int)i * apart < APART - 300; i++)
            group.push_back({near[i], (int)i * apart, 0, 32});
        launch("spread", group, sm_count);
    }
    for (const int apart : {1, 2, 4, 8}) {
        for (Reader &r : all)
            r.delay = r.sm * apart;
        launch("all_spread", all, sm_count);
    }
}

int main(int argc, char **argv)
{
    int sm_count = 0;
    CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, 0));
    if (argc == 2 && !strcmp(argv[1], "order"))
        order(sm_count);
    else if (argc == 2 && !strcmp(argv[1], "reads"))
        reads(sm_count);
    else
        return fprintf(stderr, "gpc_merges: order, or reads\n"), 2;
    return 0;
}
