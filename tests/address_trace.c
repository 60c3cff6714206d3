/* address_trace.c - warp accesses -> lines of a recording. */
#include "address_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gallery_list.h"
#include "published.h"
#include "test_support.h"
#include "tools/cuda/address_text.h"
#include "tracer/engine.h"

/* One access of a launch, kept until its end: some offsets count from the launch's lowest address. */
struct waiting_access {
    struct address_access access;
    uint32_t block, warp;
};

struct trace {
    FILE *out;
    struct waiting_access *kept;
    size_t count, room;
    struct trace_site sites[64]; /* their texts stay valid until the next run */
};

static const char *const op_names[OP_COUNT] = {"ld", "st", "atom"};
static const char *const space_names[SPACE_COUNT] = {"global", "shared", "local", "const",
                                                     "texture"};

/* ---- Addresses ------------------------------------------------------------------------------- */

/* What an address in an array counts from: a name, and the array's first address. */
static const char *find_array(const struct warp_access *access, uint64_t addr, uint64_t *begin)
{
    uint64_t end;
    *begin = 0;
    if (access->space == SPACE_SHARED)
        return spaces_shared_array(addr, begin, &end);
    if (access->space != SPACE_GLOBAL && access->space != SPACE_TEXTURE)
        return space_names[access->space];
    const struct device_array *array = memory_array_at(addr - DEVICE_BASE_ADDRESS);
    assert_non_null(array);
    *begin = DEVICE_BASE_ADDRESS + array->offset;
    return access->space == SPACE_TEXTURE ? "texture" : array->name;
}

/* Simulated local addresses are interleaved over the lanes: the offset in the lane's own memory. */
static uint64_t lane_offset(const struct warp_access *access, unsigned lane)
{
    uint64_t addr = access_addr(access, lane);
    if (access->space != SPACE_LOCAL)
        return addr;
    return (addr - (uint64_t)lane * access->width) / WARP_LANES % LANE_STACK_BYTES;
}

static struct address_access describe(const struct trace *trace, const struct warp_access *access)
{
    const struct trace_site *site = &trace->sites[access->site];
    unsigned first = (unsigned)__builtin_ctz(access->active);
    uint64_t begin;
    struct address_access result = {
        .op = op_names[access->op],
        .space = space_names[access->space],
        .width = access->width,
        .read_only = access->flags & ACCESS_READ_ONLY,
        .file = site->file,
        .line = site->line,
        .array = find_array(access, access_addr(access, first), &begin),
        .mask = access->active,
    };
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (access_lane_active(access, lane))
            result.offset[lane] = lane_offset(access, lane) - begin;
    return result;
}

/* Constant and local offsets count from the lowest one of the launch. */
static void count_from_lowest(struct trace *trace, const char *space)
{
    uint64_t lowest = UINT64_MAX;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < trace->count; i++) {
            struct address_access *access = &trace->kept[i].access;
            for (unsigned lane = 0; lane < WARP_LANES; lane++) {
                if (strcmp(access->space, space) != 0 || !(access->mask >> lane & 1))
                    continue;
                if (pass == 1)
                    access->offset[lane] -= lowest;
                else if (access->offset[lane] < lowest)
                    lowest = access->offset[lane];
            }
        }
}

/* ---- The sink -------------------------------------------------------------------------------- */

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct trace *trace = context;
    assert_in_range(number, 0, sizeof trace->sites / sizeof trace->sites[0] - 1);
    trace->sites[number] = *site;
    return true;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct trace *trace = context;
    const uint32_t *g = launch->grid, *b = launch->block;
    fprintf(trace->out,
            "launch %s grid %" PRIu32 ",%" PRIu32 ",%" PRIu32 " block %" PRIu32 ",%" PRIu32
            ",%" PRIu32 "\n",
            launch->kernel, g[0], g[1], g[2], b[0], b[1], b[2]);
    trace->count = 0;
    return true;
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct trace *trace = context;
    if (access->block >= ADDRESS_BLOCKS || access->warp >= ADDRESS_WARPS)
        return true;
    if (trace->count == trace->room) {
        trace->room = trace->room ? 2 * trace->room : 1024;
        trace->kept = realloc(trace->kept, trace->room * sizeof *trace->kept);
        assert_non_null(trace->kept);
    }
    trace->kept[trace->count++] =
        (struct waiting_access){describe(trace, access), access->block, access->warp};
    return true;
}

static void put_warp(const struct trace *trace, uint32_t block, uint32_t warp)
{
    char text[ADDRESS_LINE_BYTES];
    bool first = true;
    for (size_t i = 0; i < trace->count; i++) {
        if (trace->kept[i].block != block || trace->kept[i].warp != warp)
            continue;
        if (first)
            fprintf(trace->out, "warp %" PRIu32 " %" PRIu32 "\n", block, warp);
        first = false;
        address_text(text, &trace->kept[i].access);
        fprintf(trace->out, "%s\n", text);
    }
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct trace *trace = context;
    (void)shared_bytes_per_block;
    count_from_lowest(trace, "const");
    count_from_lowest(trace, "local");
    for (uint32_t block = 0; block < ADDRESS_BLOCKS; block++)
        for (uint32_t warp = 0; warp < ADDRESS_WARPS; warp++)
            put_warp(trace, block, warp);
    return true;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* The value of name=value among the settings, or the parameter's own. */
static long long setting(const char *settings, const struct gallery_param *param)
{
    size_t length = strlen(param->name);
    for (const char *p = settings; (p = strstr(p, param->name)) != NULL; p += length)
        if (p[length] == '=' && (p == settings || p[-1] == ' '))
            return strtoll(p + length + 1, NULL, 0);
    return param->value;
}

static void with_every_param(const char *line, char run[RUN_BYTES])
{
    size_t name_bytes = strcspn(line, " ");
    int used = snprintf(run, RUN_BYTES, "%.*s", (int)name_bytes, line);
    const struct gallery_kernel *kernel = gallery_find(run);
    if (kernel == NULL)
        fail_msg("no kernel %s", run);
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++) {
        used += snprintf(run + used, (size_t)(RUN_BYTES - used), " %s=%lld", kernel->params[i].name,
                         setting(line + name_bytes, &kernel->params[i]));
        assert_in_range(used, 1, RUN_BYTES - 1);
    }
}

bool address_next_run(FILE *runs, char run[RUN_BYTES])
{
    char line[RUN_BYTES];
    while (fgets(line, sizeof line, runs)) {
        line[strcspn(line, "#\n")] = '\0';
        if (line[strspn(line, " ")] == '\0')
            continue;
        with_every_param(line, run);
        return true;
    }
    return false;
}

void address_trace(const char *run, FILE *out)
{
    struct trace trace = {.out = out};
    const struct trace_sink sink = {.context = &trace,
                                    .site = on_site,
                                    .launch_begin = on_launch_begin,
                                    .access = on_access,
                                    .launch_end = on_launch_end};
    char kernel[RUN_BYTES];
    snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(run, " "), run);
    fprintf(out, "run %s\n", run);
    published_trace(kernel, run + strlen(kernel), &sink);
    free(trace.kept);
}
