/* stride.c - what a copy with a stride costs: a warp's accesses made by hand, a launch a stride, judged
 * under a GPU of 2008 and one of 2024. */
#include <warplens/warplens.h>

/* out[i] = in[stride * i], by one warp. */
static void push_copy(struct warplens_run *run, unsigned stride)
{
    const struct warplens_array arrays[] = {
        {.name = "in", .base = 0x100000, .bytes = 32 * 32 * 4},
        {.name = "out", .base = 0x200000, .bytes = 32 * 4},
    };
    const struct warplens_launch launch = {
        .kernel = "copy", .grid = {1}, .block = {32}, .arrays = arrays, .array_count = 2};
    struct warplens_access access = {.file = "copy.cu", .line = 4, .width = sizeof(float)};

    access.mask = WARPLENS_ALL_LANES;
    access.base = 0x100000;
    access.stride = (int64_t)(stride * sizeof(float));
    warplens_launch_begin(run, &launch);
    warplens_add_access(run, &access);
    access.op = WARPLENS_STORE;
    access.base = 0x200000;
    access.stride = sizeof(float);
    warplens_add_access(run, &access);
    warplens_launch_end(run);
}

static bool print_launches(struct warplens_run *run)
{
    for (size_t i = 0; i < warplens_launch_count(run); i++) {
        printf("stride %2u", 1U << i);
        for (size_t gpu = 0; gpu < warplens_gpu_count(run); gpu++) {
            const struct warplens_counts *launch = warplens_launch_at(run, gpu, i);
            uint64_t sectors;
            double efficiency;
            if (!warplens_counter(launch, "global_load_sectors", &sectors) ||
                !warplens_value(launch, "gld_efficiency", &efficiency))
                return false;
            printf("   %s: %2u sectors, %5.1f %%", warplens_gpu_name(run, gpu), (unsigned)sectors,
                   efficiency);
        }
        printf("\n");
    }
    return true;
}

int main(void)
{
    struct warplens_run *run = warplens_run_new();
    bool fine = warplens_add_gpu(run, "gtx280") && warplens_add_gpu(run, "h200");
    for (unsigned stride = 1; fine && stride <= 32; stride *= 2)
        push_copy(run, stride);
    fine = fine && warplens_finish(run) && print_launches(run);
    if (!fine)
        fprintf(stderr, "%s\n", warplens_message(run));
    warplens_run_free(run);
    return fine ? 0 : 1;
}
