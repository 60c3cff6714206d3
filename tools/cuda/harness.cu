/* harness.cu - runs the gallery's kernels on a real GPU, for a profiler, by the clock, or recorded.
 *
 *     harness list                     kernels, parameters and their defaults
 *     harness run RUNS LAUNCHES.csv    each run once, results checked; LAUNCHES gets a line a launch, in
 *                                      the order in which a profiler sees them
 *     harness time RUNS TIMES.csv      the median time of 20 launches, each with an L2 that holds
 *                                      nothing of the kernel's
 *     harness record RUNS OUT.txt      every warp's addresses (a build with RECORD=1 only)
 *     harness device                   what the GPU and the driver are called
 *
 * RUNS is a file of lines `KERNEL name=value name=value ...`; # begins a comment. A run that fails is
 * reported with its line, and the others go on; the exit status is then 1.
 */
#include "harness.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness_runs.h"
#include "stream/addresses.h"
#ifdef WARPLENS_RECORD
#include "recorder.h"
#endif

enum mode { MODE_RUN, MODE_TIME, MODE_RECORD };
enum { TIMED_LAUNCHES = 20, WARM_UP_LAUNCHES = 3 };

static struct {
    enum mode mode;
    FILE *out;
    const harness_run *run;
    int launch;     /* within the run, from 1 */
    char *flushing; /* memory to read between timed launches: three times L2 */
    size_t flushing_bytes;
} harness;

/* ---- Checks and arrays ----------------------------------------------------------------------- */

cudaError_t harness_check(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return error;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

static const uint64_t GIB = 1ULL << 30;

static std::vector<harness_array> arrays;
static struct {
    char *base; /* has the low 30 bits of DEVICE_BASE_ADDRESS */
    uint64_t bytes, used;
} arena;

const std::vector<harness_array> &harness_arrays()
{
    return arrays;
}

/* Most of the free memory, the rest being for copies of the arrays. */
static void arena_open()
{
    size_t free_bytes, all_bytes;
    char *memory;
    HARNESS_CHECK(cudaMemGetInfo(&free_bytes, &all_bytes), "cudaMemGetInfo");
    const uint64_t bytes = std::min<uint64_t>(free_bytes / 2, 16 * GIB);
    HARNESS_CHECK((cudaMalloc)((void **)&memory, bytes), "cudaMalloc of the arena");
    const uint64_t low = DEVICE_BASE_ADDRESS % GIB;
    const uint64_t begin = ((uintptr_t)memory + GIB - 1 - low) / GIB * GIB + low;
    arena = {(char *)begin, (uintptr_t)memory + bytes - begin, 0};
}

/* Takes the room; a null pointer when there is none. */
static void *arena_take(size_t bytes)
{
    if (arena.base == NULL)
        arena_open();
    const uint64_t offset = array_offset(arena.used, ARRAY_ALIGN);
    if (offset + bytes + ARRAY_GAP > arena.bytes)
        return NULL;
    arena.used = offset + bytes + ARRAY_GAP;
    return arena.base + offset;
}

static void arena_reset()
{
    arena.used = 0;
    arrays.clear();
}

cudaError_t harness_malloc(void **pointer, size_t bytes, const char *expression)
{
    *pointer = arena_take(bytes);
    harness_check(*pointer ? cudaSuccess : cudaErrorMemoryAllocation, "cudaMalloc", expression, 0);
    return harness_allocated(pointer, bytes, expression);
}

cudaError_t harness_free(void *pointer)
{
    harness_freed(pointer);
    return cudaSuccess;
}

/* "&d_in" and "(void **)&d_in" name the array d_in. */
cudaError_t harness_allocated(void *const *pointer, size_t bytes, const char *expression)
{
    const char *name = strrchr(expression, '&');
    arrays.push_back({name ? name + 1 : expression, (uintptr_t)*pointer, bytes});
    return cudaSuccess;
}

void harness_freed(void *pointer)
{
    for (size_t i = 0; i < arrays.size(); i++)
        if (arrays[i].base == (uintptr_t)pointer) {
            arrays.erase(arrays.begin() + (long)i);
            return;
        }
}

/* ---- Launches -------------------------------------------------------------------------------- */

static void put_launch(const char *function)
{
    fprintf(harness.out, "%d,%s,%s,%d,%s", harness.run->number, harness.run->kernel->name,
            harness.run->parameters.c_str(), harness.launch, function);
}

__global__ void read_all(const uint4 *p, size_t n, unsigned *never)
{
    unsigned sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum |= p[i].x;
    if (sum == 0x12345)
        *never = sum;
}

/* Fills L2 with lines that need no writing back. */
static void flush_l2()
{
    read_all<<<1024, 256>>>((const uint4 *)harness.flushing,
                            harness.flushing_bytes / sizeof(uint4), (unsigned *)harness.flushing);
    HARNESS_CHECK(cudaGetLastError(), "flush_l2");
}

/* ---- Times ----------------------------------------------------------------------------------- */

/* Copies of all arrays, to begin every launch from the same data and end with a result to check. */
struct snapshot {
    std::vector<void *> copies;

    snapshot()
    {
        for (const harness_array &array : arrays) {
            void *copy;
            HARNESS_CHECK((cudaMalloc)(&copy, array.bytes), "cudaMalloc of a copy");
            HARNESS_CHECK((cudaMemcpy)(copy, (void *)array.base, array.bytes, cudaMemcpyDefault),
                          "copying an array");
            copies.push_back(copy);
        }
    }
    void restore() const
    {
        for (size_t i = 0; i < copies.size(); i++)
            HARNESS_CHECK((cudaMemcpy)((void *)arrays[i].base, copies[i], arrays[i].bytes,
                                       cudaMemcpyDefault),
                          "restoring an array");
    }
    ~snapshot()
    {
        for (void *copy : copies)
            (cudaFree)(copy);
    }
};

static float time_once(const snapshot &data, const std::function<void()> &launch)
{
    cudaEvent_t begin, end;
    float milliseconds;
    HARNESS_CHECK(cudaEventCreate(&begin), "cudaEventCreate");
    HARNESS_CHECK(cudaEventCreate(&end), "cudaEventCreate");
    data.restore();
    flush_l2();
    HARNESS_CHECK(cudaEventRecord(begin), "cudaEventRecord");
    launch();
    HARNESS_CHECK(cudaEventRecord(end), "cudaEventRecord");
    HARNESS_CHECK(cudaEventSynchronize(end), "cudaEventSynchronize");
    HARNESS_CHECK(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    HARNESS_CHECK(cudaEventDestroy(begin), "cudaEventDestroy");
    HARNESS_CHECK(cudaEventDestroy(end), "cudaEventDestroy");
    return milliseconds;
}

static void time_launch(const char *function, const std::function<void()> &launch)
{
    const snapshot data;
    std::vector<float> times;
    for (int i = 0; i < WARM_UP_LAUNCHES; i++)
        time_once(data, launch);
    for (int i = 0; i < TIMED_LAUNCHES; i++)
        times.push_back(time_once(data, launch));
    std::sort(times.begin(), times.end());
    put_launch(function);
    fprintf(harness.out, ",%.3f,%.3f,%.3f\n", times[TIMED_LAUNCHES / 2] * 1000, times[0] * 1000,
            times[TIMED_LAUNCHES - 1] * 1000);
}

void harness_launch(const char *function, dim3 grid, dim3 block, size_t shared_bytes,
                    const std::function<void()> &launch)
{
    (void)shared_bytes;
    harness.launch++;
    if (harness.mode == MODE_TIME) {
        time_launch(function, launch);
        return;
    }
#ifdef WARPLENS_RECORD
    if (harness.mode == MODE_RECORD)
        recorder_begin(function, grid, block);
#endif
    launch();
    HARNESS_CHECK(cudaGetLastError(), function);
    HARNESS_CHECK(cudaDeviceSynchronize(), function);
#ifdef WARPLENS_RECORD
    if (harness.mode == MODE_RECORD)
        recorder_end(harness.out);
#endif
    if (harness.mode == MODE_RUN) {
        put_launch(function);
        fprintf(harness.out, ",%u %u %u,%u %u %u\n", grid.x, grid.y, grid.z, block.x, block.y,
                block.z);
    }
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* False when the run failed. */
static bool run_one(const harness_run &run)
{
    const gallery_args args = run.arguments();
    arena_reset();
    harness.run = &run;
    harness.launch = 0;
    if (harness.mode == MODE_RECORD)
        fprintf(harness.out, "run %s%s%s\n", run.kernel->name, run.parameters.empty() ? "" : " ",
                run.parameters.c_str());
    harness_forget_failure();
    run.kernel->run(&args);
    const char *failure = harness_failure();
    if (failure)
        fprintf(stderr, "run %d, %s %s: %s\n", run.number, run.kernel->name,
                run.parameters.c_str(), failure);
    return failure == NULL;
}

static int run_all(const char *runs_path, const char *out_path)
{
    std::vector<harness_run> runs;
    if (!harness_read_runs(runs_path, runs))
        return 2;
    harness.out = fopen(out_path, "w");
    if (harness.out == NULL) {
        perror(out_path);
        return 1;
    }
    if (harness.mode != MODE_RECORD)
        fprintf(harness.out, "run,kernel,parameters,launch,function,%s\n",
                harness.mode == MODE_TIME ? "median_us,least_us,most_us" : "grid,block");
    size_t failed = 0;
    for (const harness_run &run : runs)
        failed += !run_one(run);
    bool written = fclose(harness.out) == 0;
    if (!written)
        perror(out_path);
    fprintf(stderr, "%zu runs, %zu failed\n", runs.size(), failed);
    return failed || !written;
}

static int print_device()
{
    cudaDeviceProp device;
    int runtime;
    HARNESS_CHECK(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    HARNESS_CHECK(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    printf("name=%s\nsm=%d%d\ncuda=%d.%d\n", device.name, device.major, device.minor,
           runtime / 1000, runtime % 1000 / 10);
    return 0;
}

static void start_timing()
{
    int l2_bytes = 0;
    HARNESS_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0), "L2 size");
    harness.flushing_bytes = 3 * (size_t)std::max(l2_bytes, 1 << 22);
    HARNESS_CHECK((cudaMalloc)((void **)&harness.flushing, harness.flushing_bytes), "cudaMalloc");
    HARNESS_CHECK((cudaMemset)(harness.flushing, 0, harness.flushing_bytes), "cudaMemset");
}

int main(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";
    if (argc == 2 && strcmp(verb, "list") == 0)
        return harness_print_kernels();
    if (argc == 2 && strcmp(verb, "device") == 0)
        return print_device();
    static const struct {
        const char *verb;
        enum mode mode;
    } verbs[] = {{"run", MODE_RUN},
                 {"time", MODE_TIME},
#ifdef WARPLENS_RECORD
                 {"record", MODE_RECORD},
#endif
    };
    for (const auto &v : verbs) {
        if (argc != 4 || strcmp(verb, v.verb) != 0)
            continue;
        harness.mode = v.mode;
        if (v.mode == MODE_TIME)
            start_timing();
        return run_all(argv[2], argv[3]);
    }
    fprintf(stderr, "usage: harness list | device | run RUNS LAUNCHES.csv | time RUNS TIMES.csv"
                    " | record RUNS OUT.txt (a build with RECORD=1)\n");
    return 2;
}
