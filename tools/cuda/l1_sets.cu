// l1_sets.cu - the sets of an L1, the lines it has room for, and how much of the array it shares the driver gives it: lines of CSV on standard
// output, for validation/h200_l1_sets.csv. One lane loads line by line and times each load: no counter tells which lines are still there.
//
//   nvcc -arch=sm_90 -o l1_sets tools/cuda/l1_sets.cu && ./l1_sets > h200_l1_sets.csv
//
//   walk   of every step-th line, `lines` of them, six times, with shared memory that leaves the L1 as much as it can: misses of each time
//   carve  the largest L1 that a kernel with these threads and this shared memory turns out to have, by walks that just fit: blocks that
//          can be resident, kilobytes carved out (-1: none of those tried)
#include <cstdio>
#include <cstdlib>

enum { MISS_FROM_CYCLES = 180, VISITS = 6, WAYS = 4 };
#define GIGABYTE (1ull << 30)

static __device__ bool misses(const char *line)
{
    unsigned before, after, got;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(before)::"memory");
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(got) : "l"(line) : "memory");
    // What was loaded is 0: but the branch waits for it, and the second clock stands behind.
    asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; @p trap;}" ::"r"(got) : "memory");
    asm volatile("mov.u32 %0, %%clock;" : "=r"(after)::"memory");
    return after - before >= MISS_FROM_CYCLES;
}

static __global__ void walk(const char *base, unsigned step, unsigned lines, unsigned visits, unsigned *out)
{
    if (threadIdx.x || blockIdx.x)
        return;
    for (unsigned v = 0; v < visits; v++) {
        unsigned missed = 0;
        for (unsigned i = 0; i < lines; i++)
            missed += misses(base + (unsigned long long)i * step * 128);
        out[v] = missed;
    }
}

static unsigned *out, got[VISITS];
static const char *base;
static const int carve_outs[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

static void copy_back(void)
{
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess)
        return;
    fprintf(stderr, "l1_sets: %s\n", cudaGetErrorString(cudaGetLastError()));
    exit(1);
}

static void print_walk(int shared, unsigned step, unsigned lines)
{
    walk<<<1, 1, shared>>>(base, step, lines, VISITS, out);
    copy_back();
    printf("walk,1,%d,%u,%u,", shared, step, lines);
    for (int v = 0; v < VISITS; v++)
        printf(v ? " %u" : "%u", got[v]);
    puts("");
}

static void print_carve_out(int threads, int shared)
{
    int blocks, found = -1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, walk, threads, shared);
    for (int k = 0; k < 10 && found < 0; k++) {
        walk<<<1, threads, shared>>>(base, 1, (256 - carve_outs[k]) * 8 - 62, 2, out);
        copy_back();
        if (got[1] <= WAYS)
            found = carve_outs[k];
    }
    printf("carve,%d,%d,,,%d %d\n", threads, shared, blocks, found);
}

static void print_walks(void)
{
    const int leaves[] = {6, 14, 30, 62, 98, 130, 162, 194, 222};
    for (int k = 0; k < 9; k++) {
        const int lines = (256 - carve_outs[k + 1]) * 8;
        for (int n = lines - 72; n <= lines + 8; n += 8)
            print_walk(leaves[k] << 10, 1, n);
        for (int more = 32; more <= 512 && more < lines; more *= 2)
            print_walk(leaves[k] << 10, 1, lines + more);
    }
    for (unsigned step = 2; step <= 65536; step *= 2)
        for (unsigned n = 256; n <= 2048; n += 256)
            print_walk(0, step, n);
    for (unsigned step = 3; step < 1000; step = step * 7 / 5 | 1)
        for (unsigned n = 256; n <= 2048; n += 256)
            print_walk(0, step, n);
}

int main()
{
    char *x;
    const unsigned long long align = 16 * GIGABYTE;
    if (cudaMalloc(&x, 2 * align) != cudaSuccess || cudaMalloc(&out, sizeof got) != cudaSuccess || cudaMemset(x, 0, 2 * align) != cudaSuccess)
        return 1;
    base = (const char *)(((unsigned long long)x + align - 1) / align * align);
    cudaFuncSetAttribute(walk, cudaFuncAttributeMaxDynamicSharedMemorySize, 226 << 10);
    puts("kind,threads,shared_bytes,step,lines,result");
    for (int threads : {32, 64, 128, 160, 256, 320, 384, 512, 640, 768, 800, 896, 992, 1024})
        for (int shared = 0; shared <= 196608; shared += shared < 2048 ? 256 : shared < 8192 ? 1024 : shared < 32768 ? 4096 : 16384)
            print_carve_out(threads, shared);
    cudaFuncSetAttribute(walk, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1);
    print_walks();
    return 0;
}
