/* capture.c - a kernel's run, as far as its first accesses: a block of most kernels has fewer, and the
 * blocks after it do the same.
 *
 * Decision: addresses are told from the beginning of the array, which lies at a multiple of 256 bytes.
 * No rule of a single access looks further than that (L1's tag banks do, and are not asked about).
 */
#include "quiz/capture.h"

#include <string.h>

#include "session/gallery_source.h"

enum { ACCESSES_MOST = 512, SITES_MOST = 128, ARRAYS_MOST = 32, COSTS_A_SITE = 4, ALIGNMENT = 256 };

struct capture {
    const struct quiz_kernel *kernel;
    const struct session_gpu *gpu;
    struct captured *captured;
    struct quiz_question sites[SITES_MOST]; /* of each site, what its questions begin with */
    uint32_t kept[SITES_MOST];
    uint64_t bases[ARRAYS_MOST], ends[ARRAYS_MOST];
    size_t array_count;
    unsigned accesses;
    bool is_stopped;
};

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct capture *capture = context;
    if (number >= SITES_MOST)
        return true;
    struct quiz_question *start = &capture->sites[number];
    start->of = capture->kernel;
    start->gpu = capture->gpu;
    start->line = site->line;
    snprintf(start->file, sizeof start->file, "%s", site->file);
    snprintf(start->array, sizeof start->array, "%s", site->array);
    return true;
}

static bool on_launch(void *context, const struct launch_info *launch)
{
    struct capture *capture = context;
    capture->is_stopped = !fit_allows_block(&capture->gpu->arch, capture->gpu->model->name, launch,
                                            capture->captured->refusal);
    capture->array_count = 0;
    for (size_t i = 0; i < launch->array_count && i < ARRAYS_MOST; i++) {
        capture->bases[i] = launch->arrays[i].base;
        capture->ends[i] = launch->arrays[i].base + launch->arrays[i].bytes;
        capture->array_count++;
    }
    return !capture->is_stopped;
}

/* What addresses are told from: the array's beginning; where there is none, a multiple of 256 below all
 * of them. */
static uint64_t origin_of(const struct capture *capture, const struct warp_access *a)
{
    uint64_t low = UINT64_MAX;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (access_lane_active(a, lane) && access_addr(a, lane) < low)
            low = access_addr(a, lane);
    if (a->space == SPACE_SHARED || a->space == SPACE_CONSTANT)
        return 0;
    for (size_t i = 0; i < capture->array_count; i++)
        if (low >= capture->bases[i] && low < capture->ends[i])
            return capture->bases[i];
    return low / ALIGNMENT * ALIGNMENT;
}

static void place_lanes(const struct capture *capture, const struct warp_access *a,
                        struct quiz_question *question)
{
    const uint64_t origin = origin_of(capture, a);
    question->access = *a;
    question->access.addr = NULL;
    question->access.copy = NULL;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        question->addr[lane] = access_lane_active(a, lane) ? access_addr(a, lane) - origin : 0;
}

static bool is_kept(const struct capture *capture, uint32_t site, uint32_t count)
{
    for (size_t i = 0; i < capture->captured->count; i++) {
        const struct quiz_question *kept = &capture->captured->list[i];
        if (kept->access.site == site && kept->figures.count == count)
            return true;
    }
    return false;
}

static bool count_access(const struct capture *capture, const struct warp_access *a,
                         struct explain_figures *figures)
{
    const struct explain_subject subject = {
        .access = a, .model = capture->gpu->model, .arch = &capture->gpu->arch};
    return explain_count(&subject, figures);
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct capture *capture = context;
    struct captured *captured = capture->captured;
    struct explain_figures figures;
    capture->is_stopped = ++capture->accesses > ACCESSES_MOST || captured->count == CAPTURED_MOST;
    if (capture->is_stopped)
        return false;
    if (a->site >= SITES_MOST || capture->kept[a->site] == COSTS_A_SITE ||
        !count_access(capture, a, &figures) || is_kept(capture, a->site, figures.count))
        return true;
    struct quiz_question *question = &captured->list[captured->count++];
    *question = capture->sites[a->site];
    question->figures = figures;
    place_lanes(capture, a, question);
    capture->kept[a->site]++;
    return true;
}

const char *quiz_capture(const struct quiz_kernel *kernel, const struct session_gpu *gpu,
                         struct captured *captured)
{
    struct capture capture = {.kernel = kernel, .gpu = gpu, .captured = captured};
    struct gallery_run run = {kernel->kernel, &kernel->args};
    const struct trace_source source = gallery_source(&run);
    const struct trace_sink sink = {
        .context = &capture, .site = on_site, .launch_begin = on_launch, .access = on_access};
    captured->count = 0;
    captured->refusal[0] = '\0';
    const char *error = source.run(source.context, &sink);
    return capture.is_stopped ? NULL : error;
}
