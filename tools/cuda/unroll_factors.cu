// unroll_factors.cu - loops with #pragma unroll N in front of them: launches for ncu to time, and what each is, a line of CSV on standard
// output, for validation/h200_unroll_factors.csv.
//
//   nvcc -arch=sm_90 -o unroll_factors tools/cuda/unroll_factors.cu
//   ncu --csv --page raw --clock-control none --metrics gpu__time_duration.sum,sm__cycles_elapsed.max,... ./unroll_factors
//
// A warp of each scheduler, a block an SM, so that what a warp has under way is all that there is; ncu empties the caches before each launch.
#include <cstdio>
#include <cstdlib>

enum { BLOCKS = 132, THREADS = 128, ROUNDS = 509, STEP = BLOCKS * THREADS };
#define KERNEL(name) static __global__ void name(const float *__restrict__ x, const int *__restrict__ at, float *out, int n, int step)
#define BEGIN const int t = blockIdx.x * THREADS + threadIdx.x; float sum = 0;
#define END out[t] = sum;

// A step that nvcc knows; one that it does not; a gather; do while; rounds that it knows; more arithmetic an iteration.
#define KERNELS(N, PRAGMA)                                                                                     \
    KERNEL(fixed_##N) { BEGIN PRAGMA for (int i = t; i < n; i += STEP) sum += x[i]; END }                      \
    KERNEL(any_##N) { BEGIN PRAGMA for (int i = t; i < n; i += step) sum += x[i]; END }                        \
    KERNEL(gather_##N) { BEGIN PRAGMA for (int i = t; i < n; i += STEP) sum += x[at[i]]; END }                 \
    KERNEL(behind_##N) { BEGIN int i = t; PRAGMA do { sum += x[i]; i += STEP; } while (i < n); END }           \
    KERNEL(known_##N) { BEGIN PRAGMA for (int k = 0; k < ROUNDS; k++) sum += x[k * STEP + t]; END }            \
    KERNEL(much_##N) { BEGIN PRAGMA for (int i = t; i < n; i += STEP) {                                        \
        const float a = x[i], b = a * a + 1, c = b * a + 2, d = c * b + 3; sum += a * b + c * d + b * d; } END }

KERNELS(0, )
KERNELS(1, _Pragma("unroll 1"))
KERNELS(2, _Pragma("unroll 2"))
KERNELS(3, _Pragma("unroll 3"))
KERNELS(4, _Pragma("unroll 4"))
KERNELS(8, _Pragma("unroll 8"))
KERNELS(16, _Pragma("unroll 16"))

static float *x, *out;
static int *at;

template <class Kernel> static void run(const char *what, int times, Kernel kernel)
{
    kernel<<<BLOCKS, THREADS>>>(x, at, out, ROUNDS * STEP, STEP);
    if (cudaDeviceSynchronize() != cudaSuccess)
        exit(1);
    printf("%s,%d\n", what, times);
}

#define RUN(N) run("fixed", N, fixed_##N), run("any", N, any_##N), run("gather", N, gather_##N), run("behind", N, behind_##N), \
    run("known", N, known_##N), run("much", N, much_##N)

int main()
{
    static int numbers[ROUNDS * STEP];
    for (int i = 0; i < ROUNDS * STEP; i++)
        numbers[i] = i;
    cudaMalloc(&x, sizeof numbers);
    cudaMalloc(&at, sizeof numbers);
    cudaMalloc(&out, STEP * sizeof *out);
    cudaMemset(x, 0, sizeof numbers);
    cudaMemcpy(at, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    puts("what,times");
    RUN(0), RUN(1), RUN(2), RUN(3), RUN(4), RUN(8), RUN(16);
}
