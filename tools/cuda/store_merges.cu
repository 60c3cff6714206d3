// store_merges.cu - which stores to one sector leave an SM together: launches for ncu to count, and what each is, a line of CSV on
// standard output, for validation/h200_store_merges.csv.
//
//   nvcc -arch=sm_90 -o store_merges tools/cuda/store_merges.cu
//   ncu --csv --page raw --metrics lts__t_sectors_srcunit_tex_op_write.sum,... ./store_merges
//
// A lane fills a struct of `stores` fields of `width` bytes, which lie one after another. Between two fields it fills the same field of
// `lines` - 1 further structs, adds `delay` times, and loads a word: it waits for that or does not. After a struct it adds `rest` times.
#ifndef ROUNDS
#define ROUNDS 32 // structs a lane fills, and four times as many where few warps do
#endif

#include <cstdio>
#include <cstdlib>

static const size_t BYTES = (size_t)1 << 32;
enum between { NOTHING, LOAD, LOAD_AND_WAIT };
enum { SMS = 132, LANES = 32 };

template <int WIDTH> __device__ void store(char *at, float value)
{
    if (WIDTH == 1)
        asm volatile("st.global.u8 [%0], %1;" ::"l"(at), "r"(1) : "memory");
    if (WIDTH == 4)
        asm volatile("st.global.f32 [%0], %1;" ::"l"(at), "f"(value) : "memory");
    if (WIDTH == 8)
        asm volatile("st.global.v2.f32 [%0], {%1, %1};" ::"l"(at), "f"(value) : "memory");
    if (WIDTH == 16)
        asm volatile("st.global.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(at), "f"(value) : "memory");
}

__device__ __forceinline__ void add(float &sum)
{
    asm volatile("add.f32 %0, %0, 0f3f800000;" : "+f"(sum));
}

// Where two warps share a struct, each stores every other field.
template <int STORES, int WIDTH, int LINES, int DELAY, between BETWEEN, bool SHARED>
__global__ void __launch_bounds__(1024) fill(char *out, const float *in, int rounds, int stride, int rest, float *result)
{
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    float sum = lane;
    for (int r = 0; r < rounds; r++) {
        char *at = out + ((size_t)(SHARED ? warp / 2 : warp) * rounds + r) * LINES * LANES * stride + lane * stride;
#pragma unroll
        for (int s = 0; s < STORES; s++) {
            if (!SHARED || s % 2 == warp % 2)
#pragma unroll
                for (int l = 0; l < LINES; l++)
                    store<WIDTH>(at + l * LANES * stride + s * WIDTH, sum);
#pragma unroll
            for (int d = 0; d < DELAY; d++)
                add(sum);
            if (BETWEEN != NOTHING) {
                float word;
                asm volatile("ld.global.f32 %0, [%1];" : "=f"(word) : "l"(in + (warp * rounds + r) % 4096 * LANES + lane) : "memory");
                if (BETWEEN == LOAD_AND_WAIT)
                    sum += word;
                else
                    asm volatile("" ::"f"(word));
            }
        }
        for (int d = 0; d < rest; d++)
            add(sum);
    }
    if (sum == -1)
        *result = sum;
}

static char *out;
static float *in, *result;

template <int STORES, int WIDTH, int LINES, int DELAY, between BETWEEN, bool SHARED>
static void run(const char *what, int warps, int rest, int gap = 0)
{
    const int stride = STORES * WIDTH + gap, blocks = warps > 32 ? 2 * SMS : SMS;
    const size_t most = BYTES / ((size_t)SMS * warps * LINES * LANES * stride), some = warps > 4 ? ROUNDS : 4 * ROUNDS;
    const int rounds = most < some ? most : some;
    static const char *const names[] = {"nothing", "load", "load_and_wait"};
    fill<STORES, WIDTH, LINES, DELAY, BETWEEN, SHARED>
        <<<blocks, (warps > 32 ? warps / 2 : warps) * LANES>>>(out, in, rounds, stride, rest, result);
    if (cudaDeviceSynchronize() != cudaSuccess)
        exit(1);
    printf("%s,%d,%d,%d,%d,%d,%s,%d,%d,%d\n", what, STORES, WIDTH, gap, LINES, DELAY, names[BETWEEN], SHARED, warps, rest);
}

template <int DELAY> static void delays()
{
    for (int warps : {1, 16, 64})
        run<2, 4, 1, DELAY, NOTHING, false>("delay", warps, 400);
}

template <int LINES> static void lines()
{
    for (int warps : {1, 4, 16, 64}) {
        run<2, 4, LINES, 0, NOTHING, false>("lines", warps, 400);
        run<2, 4, LINES, 0, NOTHING, false>("lines", warps, 0);
    }
}

template <int STORES, int WIDTH> static void structs(int gap = 0)
{
    for (int warps : {1, 4, 16, 64}) {
        run<STORES, WIDTH, 1, 0, NOTHING, false>("struct", warps, 400, gap);
        run<STORES, WIDTH, 1, 0, NOTHING, false>("struct", warps, 0, gap);
    }
}

template <between BETWEEN> static void loads()
{
    for (int warps : {1, 4, 16, 64})
        run<2, 4, 1, 0, BETWEEN, false>("load", warps, 0);
}

int main()
{
    cudaMalloc(&out, BYTES);
    cudaMalloc(&in, 4096 * LANES * sizeof *in);
    cudaMalloc(&result, sizeof *result);
    puts("what,stores,width,gap,lines,delay,between,shared,warps,rest");
    delays<0>(), delays<1>(), delays<2>(), delays<4>(), delays<8>(), delays<12>(), delays<16>(), delays<24>(), delays<32>(), delays<64>();
    delays<128>(), delays<256>();
    lines<2>(), lines<4>(), lines<8>(), lines<16>();
    structs<2, 4>(), structs<3, 4>(), structs<4, 4>(), structs<8, 4>(), structs<9, 4>(), structs<12, 4>(), structs<16, 4>();
    structs<2, 8>(), structs<4, 8>(), structs<2, 16>(), structs<4, 16>(), structs<4, 1>(), structs<16, 1>();
    structs<1, 4>(4), structs<1, 16>(16), structs<2, 4>(24), structs<4, 4>(112);
    loads<LOAD>(), loads<LOAD_AND_WAIT>();
    for (int warps : {2, 16, 64}) {
        run<2, 4, 1, 0, NOTHING, true>("shared", warps, 400);
        run<2, 4, 1, 0, NOTHING, true>("shared", warps, 0);
    }
}
