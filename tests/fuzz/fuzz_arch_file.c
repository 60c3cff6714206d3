/* fuzz_arch_file.c - a GPU of the user's own (--arch-file); one that is right judges a few accesses,
 * and runs them in time, whatever its values. */
#include "cli/inputs/arch_file.h"

#include "cli/options/options.h"
#include "fuzz.h"

static bool give_all(const struct trace_sink *sink)
{
    static const struct trace_site site = {"t.cu", 1, "", SPACE_GLOBAL, OP_LOAD, 4};
    const struct launch_info launch = {.kernel = "k", .grid = {2, 1, 1}, .block = {32, 1, 1}};
    struct warp_access access = {.base = 0x10000000,
                                 .active = UINT32_MAX,
                                 .resident = UINT32_MAX,
                                 .work = 1,
                                 .loads_left = NEEDS_NO_LOAD,
                                 .width = 4};
    bool good = sink_site(sink, 0, &site) && sink_launch_begin(sink, &launch);
    for (; good && access.block < 2; access.block++) {
        const struct trace_event end = {TRACE_WARP_END, access.block, 0, 1, 0, 0};
        const struct trace_event block_end = {TRACE_BLOCK_END, access.block, 0, 0, 0, 0};
        for (access.stride = -4; good && access.stride < 300; access.stride += 76)
            good = sink_access(sink, &access);
        good = good && sink_event(sink, &end) && sink_event(sink, &block_end);
    }
    return good && sink_launch_end(sink, 0);
}

static const char *give(void *context, const struct trace_sink *sink)
{
    (void)context;
    give_all(sink);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct user_gpu gpu;
    char message[ARCH_FILE_MESSAGE_BYTES];
    if (arch_file_read(fuzz_path(data, size), &gpu, message) == EXIT_OK)
        fuzz_session((struct trace_source){NULL, give}, &gpu.model, size % 2 == 0);
    else
        fuzz_check_message(message);
    return 0;
}
