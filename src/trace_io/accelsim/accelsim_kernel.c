/* accelsim_kernel.c - the header, and thread blocks one after another.
 *
 * A block's warps come one after another, each whole; its records are sorted by barrier and warp, and
 * given when the block ends, so that what is kept is one block. Decisions: all of the grid's blocks
 * must be there, in order; a warp may be missing, and then only ends.
 */
#include "trace_io/accelsim/accelsim_kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace_io/fields.h"

struct reader {
    struct accelsim_kernel *kernel;
    bool header_done, in_block, has_place, in_warp, has_count;
    bool has_grid, has_block;
    uint32_t warps_seen; /* of the block, by bit */
    uint32_t told, come; /* the warp's instructions: insts =, and lines */
    struct accelsim_warp warp;
};

/* ---- Header ---------------------------------------------------------------------------------- */

static bool read_triple(const char *value, uint32_t triple[3])
{
    char text[64];
    size_t length = strlen(value);
    if (length < 3 || length >= sizeof text || value[0] != '(' || value[length - 1] != ')')
        return false;
    memcpy(text, value + 1, length - 2);
    text[length - 2] = '\0';
    return field_triple(text, triple);
}

static bool read_lineinfo(const char *value, bool *has_lines)
{
    *has_lines = strcmp(value, "1") == 0;
    return *has_lines || strcmp(value, "0") == 0;
}

static bool read_version(const char *value, uint32_t *version)
{
    return field_u32(value, version) && *version >= 1 && *version <= 5;
}

/* True when the key is none that matters. */
static bool read_header_value(struct reader *reader, const char *key, const char *value)
{
    struct accelsim_kernel *kernel = reader->kernel;
    if (strcmp(key, "-kernel name") == 0)
        return snprintf(kernel->name, sizeof kernel->name, "%s", value) > 0;
    if (strcmp(key, "-grid dim") == 0)
        return reader->has_grid = read_triple(value, kernel->launch.grid);
    if (strcmp(key, "-block dim") == 0)
        return reader->has_block = read_triple(value, kernel->launch.block);
    if (strcmp(key, "-shmem") == 0)
        return field_u64(value, &kernel->launch.dynamic_shared_bytes);
    if (strcmp(key, "-nregs") == 0)
        return field_u32(value, &kernel->launch.registers);
    if (strcmp(key, "-shmem base_addr") == 0)
        return field_hex(value, &kernel->windows.shared_base);
    if (strcmp(key, "-local mem base_addr") == 0)
        return field_hex(value, &kernel->windows.local_base);
    if (strcmp(key, "-enable lineinfo") == 0)
        return read_lineinfo(value, &kernel->format.has_lines);
    return strcmp(key, "-accelsim tracer version") != 0 ||
           read_version(value, &kernel->format.version);
}

static bool read_header_line(struct reader *reader, char *text)
{
    char *separator = strstr(text, " = ");
    if (separator == NULL)
        return input_fail(reader->kernel->input, "\"%.60s\" where \"-name = value\" should be",
                          text);
    *separator = '\0';
    field_trim(separator + 3);
    if (read_header_value(reader, text, separator + 3))
        return true;
    return input_fail(
        reader->kernel->input, "\"%.60s\" cannot be the value of \"%.60s\"%s", separator + 3, text,
        strcmp(text, "-accelsim tracer version") == 0 ? ": versions 1 to 5 are read" : "");
}

static bool end_header(struct reader *reader)
{
    struct accelsim_kernel *kernel = reader->kernel;
    const char *missing = !reader->has_grid         ? "-grid dim"
                          : !reader->has_block      ? "-block dim"
                          : !kernel->format.version ? "-accelsim tracer version"
                          : kernel->name[0] == '\0' ? "-kernel name"
                                                    : NULL;
    if (missing)
        return input_fail(kernel->input, "the header has no \"%s\"", missing);
    if (!launch_sizes_check(kernel->input, &kernel->launch, &kernel->blocks, &kernel->threads))
        return false;
    reader->header_done = true;
    kernel->warp_count = (kernel->threads + WARP_LANES - 1) / WARP_LANES;
    kernel->launch.kernel = kernel->name;
    kernel->launch.arrays = kernel->arrays->arrays;
    kernel->launch.array_count = kernel->arrays->count;
    return kernel->sink->launch_begin(kernel->sink->context, &kernel->launch);
}

/* ---- A block's end --------------------------------------------------------------------------- */

static bool end_warp(struct reader *reader)
{
    struct trace_input *input = reader->kernel->input;
    if (!reader->in_warp)
        return true;
    if (!reader->has_count)
        return input_fail(input, "warp %u has no line \"insts = \"", reader->warp.number);
    if (reader->come < reader->told)
        return input_fail(input, "warp %u has %u of its %u instructions", reader->warp.number,
                          reader->come, reader->told);
    reader->in_warp = false;
    return accelsim_warp_end(reader->kernel, &reader->warp);
}

static bool end_missing_warps(struct reader *reader)
{
    for (uint32_t w = 0; w < reader->kernel->warp_count; w++) {
        if (reader->warps_seen >> w & 1U)
            continue;
        accelsim_warp_start(&reader->warp, reader->kernel, w);
        if (!accelsim_warp_end(reader->kernel, &reader->warp))
            return false;
    }
    return true;
}

static bool give_record(const struct trace_sink *sink, const uint8_t *packed)
{
    struct trace_record record = record_head(packed);
    struct trace_event event = {.kind =
                                    record.kind == RECORD_BARRIER ? TRACE_BARRIER : TRACE_WARP_END,
                                .block = record.block,
                                .warp = record.warp,
                                .work = record.work};
    if (record.kind == RECORD_ACCESS)
        return record_give_access(&record, packed, sink);
    return sink->event == NULL || sink->event(sink->context, &event);
}

static bool give_block(struct accelsim_kernel *kernel)
{
    const struct trace_sink *sink = kernel->sink;
    uint8_t packed[RECORD_BYTES_MAX];
    uint64_t key;
    size_t bytes;
    bool good = record_sort_read(kernel->sort);
    while (good && record_sort_next(kernel->sort, &key, packed, &bytes))
        good = give_record(sink, packed);
    if (kernel->sort->error)
        return input_fail(kernel->input, "%s", kernel->sort->error);
    record_sort_clear(kernel->sort);
    struct trace_event event = {.kind = TRACE_BLOCK_END,
                                .block = (uint32_t)kernel->block,
                                .shared_bytes = kernel->launch.dynamic_shared_bytes};
    kernel->block++;
    return good && (sink->event == NULL || sink->event(sink->context, &event));
}

static bool end_block(struct reader *reader)
{
    if (!reader->in_block || !reader->has_place)
        return input_fail(reader->kernel->input, "#END_TB without a thread block");
    reader->in_block = false;
    return end_warp(reader) && end_missing_warps(reader) && give_block(reader->kernel);
}

/* ---- Lines of a block ------------------------------------------------------------------------ */

static bool begin_block(struct reader *reader)
{
    if (reader->in_block)
        return input_fail(reader->kernel->input, "#BEGIN_TB before the block's #END_TB");
    if (reader->kernel->block == reader->kernel->blocks)
        return input_fail(reader->kernel->input, "one thread block more than the grid's %" PRIu64,
                          reader->kernel->blocks);
    reader->in_block = true;
    reader->has_place = false;
    reader->warps_seen = 0;
    return true;
}

static bool read_block_place(struct reader *reader, const char *text)
{
    const struct accelsim_kernel *kernel = reader->kernel;
    const uint32_t *grid = kernel->launch.grid;
    uint64_t block = kernel->block;
    uint32_t at[3] = {(uint32_t)(block % grid[0]), (uint32_t)(block / grid[0] % grid[1]),
                      (uint32_t)(block / grid[0] / grid[1])};
    uint32_t told[3];
    if (!field_triple(text, told) || memcmp(told, at, sizeof at) != 0)
        return input_fail(kernel->input,
                          "thread block \"%.60s\" where %u,%u,%u should be: all blocks must be "
                          "there, in the order x, y, z",
                          text, at[0], at[1], at[2]);
    reader->has_place = true;
    return true;
}

static bool begin_warp(struct reader *reader, const char *text)
{
    struct accelsim_kernel *kernel = reader->kernel;
    uint32_t number;
    if (!end_warp(reader))
        return false;
    if (!field_u32(text, &number) || number >= kernel->warp_count)
        return input_fail(kernel->input, "warp \"%.60s\": a block of %u threads has warps 0 to %u",
                          text, kernel->threads, kernel->warp_count - 1);
    if (reader->warps_seen >> number & 1U)
        return input_fail(kernel->input, "warp %u for the second time in one thread block", number);
    reader->warps_seen |= 1U << number;
    reader->in_warp = true;
    reader->has_count = false;
    reader->come = reader->told = 0;
    accelsim_warp_start(&reader->warp, kernel, number);
    return true;
}

static bool read_count(struct reader *reader, const char *text)
{
    if (!reader->in_warp || reader->has_count || !field_u32(text, &reader->told))
        return input_fail(reader->kernel->input,
                          "\"insts = %.60s\": a number is expected, once behind each \"warp = \"",
                          text);
    reader->has_count = true;
    return true;
}

/* Versions 1 and 2 repeat the place in every line. */
static bool check_place(const struct reader *reader, const struct accelsim_instruction *in)
{
    const struct accelsim_kernel *kernel = reader->kernel;
    const uint32_t *grid = kernel->launch.grid;
    uint64_t block = in->cta[0] + (uint64_t)grid[0] * (in->cta[1] + (uint64_t)grid[1] * in->cta[2]);
    if (kernel->format.version >= 3 || (block == kernel->block && in->warp == reader->warp.number))
        return true;
    return input_fail(kernel->input,
                      "an instruction of block %u,%u,%u, warp %u among those of another",
                      in->cta[0], in->cta[1], in->cta[2], in->warp);
}

static bool read_instruction(struct reader *reader, char *text)
{
    struct accelsim_kernel *kernel = reader->kernel;
    struct accelsim_instruction in;
    memset(&in, 0, sizeof in);
    if (!reader->in_warp || !reader->has_count)
        return input_fail(kernel->input, "\"%.60s\" in front of \"warp = \" and \"insts = \"",
                          text);
    if (reader->come++ == reader->told)
        return input_fail(kernel->input, "warp %u has more than its %u instructions",
                          reader->warp.number, reader->told);
    return accelsim_line_read(kernel->input, text, kernel->format, &in) &&
           check_place(reader, &in) && accelsim_warp_add(kernel, &reader->warp, &in);
}

static bool read_block_line(struct reader *reader, char *text)
{
    char *value;
    if (strcmp(text, "#BEGIN_TB") == 0)
        return begin_block(reader);
    if (strcmp(text, "#END_TB") == 0)
        return end_block(reader);
    if (text[0] == '#' || field_after(text, "cluster "))
        return true;
    if (!reader->in_block)
        return input_fail(reader->kernel->input, "\"%.60s\" outside of a thread block", text);
    if ((value = field_after(text, "thread block = ")) != NULL && !reader->has_place)
        return read_block_place(reader, value);
    if (!reader->has_place)
        return input_fail(reader->kernel->input, "\"%.60s\" where \"thread block = \" should be",
                          text);
    if ((value = field_after(text, "warp = ")) != NULL)
        return begin_warp(reader, value);
    if ((value = field_after(text, "insts = ")) != NULL)
        return read_count(reader, value);
    return read_instruction(reader, text);
}

static bool read_line(struct reader *reader, char *text)
{
    field_trim(text);
    if (*text == '\0')
        return true;
    if (!reader->header_done && *text == '-')
        return read_header_line(reader, text);
    if (!reader->header_done && !end_header(reader))
        return false;
    return read_block_line(reader, text);
}

static bool end_kernel(struct reader *reader)
{
    struct accelsim_kernel *kernel = reader->kernel;
    if (kernel->input->failed)
        return false;
    if (!reader->header_done && !end_header(reader))
        return false;
    if (reader->in_block)
        return input_fail(kernel->input, "the file ends within a thread block");
    if (kernel->block < kernel->blocks)
        return input_fail(kernel->input,
                          "the file ends behind %" PRIu64 " of the grid's %" PRIu64
                          " thread blocks: all of them are needed",
                          kernel->block, kernel->blocks);
    return kernel->sink->launch_end(kernel->sink->context, kernel->launch.dynamic_shared_bytes);
}

bool accelsim_kernel_read(struct accelsim_kernel *kernel)
{
    struct reader reader = {.kernel = kernel};
    memset(&kernel->format, 0, sizeof kernel->format);
    memset(&kernel->windows, 0, sizeof kernel->windows);
    memset(&kernel->launch, 0, sizeof kernel->launch);
    kernel->name[0] = '\0';
    kernel->block = 0;
    for (char *text = input_line(kernel->input); text; text = input_line(kernel->input))
        if (!read_line(&reader, text))
            return false;
    return end_kernel(&reader);
}
