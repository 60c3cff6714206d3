// l1_stores.cu - what loads find in L1 of what the same block has stored just before: launches for ncu to count, and what each is, a line of
// CSV on standard output, for validation/h200_l1_stores.csv.
//
//   nvcc -arch=sm_90 -o l1_stores tools/cuda/l1_stores.cu
//   ncu --csv --page raw --clock-control none --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,... ./l1_stores
//
// The array comes by two parameters, so that nvcc does not know that what is loaded is what was stored.
#include <cstdio>
#include <cstdlib>

// The first word of its sector of 8 and how many each thread stores, and loads; lines between two sectors; threads; sectors of a thread.
struct what {
    int store_first, store_words, load_first, load_words, lines, threads, rounds;
    bool other_warp, loads_before, in_atomics;
};

// A thread has a sector of 8 words: `stride` words on is the next one's.
static __global__ void stores(int *to, const int *from, int *out, what w)
{
    const int stride = 8 + 32 * w.lines, threads = blockDim.x;
    const int mine = threadIdx.x, other = w.other_warp ? (threadIdx.x + 32) % threads : mine;
    int sum = 0;
    if (w.loads_before)
        for (int r = 0; r < w.rounds; r++)
            sum += from[(r * threads + other) * stride + w.load_first];
    __syncthreads();
    for (int r = 0; r < w.rounds; r++)
        for (int k = w.store_first; k < w.store_first + w.store_words; k++)
            if (w.in_atomics)
                atomicAdd(&to[(r * threads + mine) * stride + k], 1);
            else
                to[(r * threads + mine) * stride + k] = mine + k;
    __syncthreads();
    for (int r = 0; r < w.rounds; r++)
        for (int k = w.load_first; k < w.load_first + w.load_words; k++)
            sum += from[(r * threads + other) * stride + k];
    out[mine] = sum;
}

int main()
{
    int *x, *out;
    const size_t bytes = 64 << 20;
    cudaMalloc(&x, bytes);
    cudaMalloc(&out, 4096);
    cudaMemset(x, 0, bytes);
    const what all[] = {
        {0, 8, 0, 8, 0, 32, 1, false, false, false},   // whole sectors
        {0, 8, 0, 8, 1, 32, 1, false, false, false},   // ... of lines that are not whole
        {0, 1, 0, 1, 0, 32, 1, false, false, false},   // a word of each sector, and the same one
        {0, 1, 4, 1, 0, 32, 1, false, false, false},   // ... and another one
        {0, 4, 0, 4, 0, 32, 1, false, false, false},   // half of each sector
        {0, 4, 4, 4, 0, 32, 1, false, false, false},   // ... the other half
        {0, 4, 0, 8, 0, 32, 1, false, false, false},   // ... and all of it
        {0, 7, 0, 7, 0, 32, 1, false, false, false},
        {0, 8, 0, 8, 0, 64, 1, false, false, false},   // more warps
        {0, 8, 0, 8, 0, 96, 1, false, false, false},
        {0, 8, 0, 8, 0, 128, 1, false, false, false},
        {0, 8, 0, 8, 0, 256, 1, false, false, false},
        {0, 8, 0, 8, 0, 512, 1, false, false, false},
        {0, 1, 0, 1, 0, 128, 1, false, false, false},
        {0, 1, 0, 1, 0, 1024, 1, false, false, false},
        {0, 8, 0, 8, 0, 64, 1, true, false, false},    // of another warp
        {0, 8, 0, 8, 0, 128, 1, true, false, false},
        {0, 8, 0, 8, 0, 256, 1, true, false, false},
        {0, 8, 0, 8, 0, 1024, 1, true, false, false},
        {0, 1, 0, 1, 0, 128, 1, true, false, false},
        {0, 1, 0, 1, 0, 1024, 1, true, false, false},
        {0, 8, 0, 8, 0, 128, 1, true, true, false},
        {0, 1, 4, 1, 0, 32, 1, false, true, false},    // lines that were loaded before
        {0, 8, 0, 8, 0, 32, 1, false, true, false},
        {0, 8, 0, 8, 0, 32, 1, false, false, true},    // atomics
        {0, 8, 0, 8, 0, 32, 1, false, true, true},
        {0, 8, 0, 8, 0, 1024, 1, false, false, false}, // 32 KB
        {0, 8, 0, 8, 0, 1024, 4, false, false, false}, // 128 KB
        {0, 8, 0, 8, 0, 1024, 6, false, false, false}, // 192 KB
        {0, 8, 0, 8, 0, 1024, 8, false, false, false}, // 256 KB
        {0, 8, 0, 8, 0, 1024, 16, false, false, false},
        {0, 8, 0, 1, 0, 1024, 16, false, true, false}, // loaded before, more than fits
        {0, 1, 0, 1, 0, 1024, 6, false, false, false},
    };
    puts("store_first,store_words,load_first,load_words,lines,threads,rounds,other_warp,loads_before,in_atomics");
    for (const what &w : all) {
        stores<<<1, w.threads>>>(x, x, out, w);
        if (cudaDeviceSynchronize() != cudaSuccess)
            exit(1);
        printf("%d,%d,%d,%d,%d,%d,%d,%d,%d,%d\n", w.store_first, w.store_words, w.load_first, w.load_words, w.lines, w.threads, w.rounds,
               w.other_warp, w.loads_before, w.in_atomics);
    }
}
