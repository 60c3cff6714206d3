/* json_partitions.c - partitions of DRAM: of the run, over time, of single blocks. */
#include <inttypes.h>

#include "report/json_parts.h"

void report_json_partitions(const struct result *r, FILE *out)
{
    fputs("\"partitions\":[", out);
    for (uint32_t p = 0; p < r->partitions.count; p++)
        fprintf(out,
                "%s\n {\"partition\":%u,\"bytes_read\":%" PRIu64 ",\"bytes_written\":%" PRIu64 "}",
                p ? "," : "", p, r->partitions.rows[p].read, r->partitions.rows[p].written);
    fputc(']', out);
}

enum { JSON_WINDOWS = 32 };

static void put_window(const struct usage *usage, uint64_t begin, const struct usage_window *w,
                       FILE *out)
{
    fprintf(out,
            "{\"begin_cycle\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"limiter\":", begin >> TICKS_LOG2,
            w->ticks >> TICKS_LOG2);
    quote_json_string(usage_name(usage_limiter(usage, w)), out);
    fputs(",\"partition_bytes\":[", out);
    for (uint32_t p = 0; p < usage->partitions; p++)
        fprintf(out, "%s%" PRIu64, p ? "," : "", w->bytes[p]);
    fputs("],\"partition_busy_cycles\":[", out);
    for (uint32_t p = 0; p < usage->partitions; p++)
        fprintf(out, "%s%" PRIu64, p ? "," : "", w->partition[p] >> TICKS_LOG2);
    fputs("]}", out);
}

void report_json_windows(const struct usage *usage, FILE *out)
{
    struct usage_window window;
    size_t count = usage_parts(usage, JSON_WINDOWS);
    uint64_t begin = 0;
    fputs(",\n\"windows\":[", out);
    for (size_t i = 0; i < count; i++) {
        usage_join(usage, i, count, &window);
        fputs(i ? ",\n " : "\n ", out);
        put_window(usage, begin, &window, out);
        begin += window.ticks;
    }
    fputc(']', out);
}

static void put_block(const struct result *r, uint32_t b, FILE *out)
{
    const uint32_t count = r->partitions.count;
    const struct partition_bytes *row = partitions_of_block(&r->partitions, b);
    fprintf(out, "{\"block\":%u,\"bytes_read\":[", b);
    for (uint32_t p = 0; p < count; p++)
        fprintf(out, "%s%" PRIu64, p ? "," : "", row[p].read);
    fputs("],\"bytes_written\":[", out);
    for (uint32_t p = 0; p < count; p++)
        fprintf(out, "%s%" PRIu64, p ? "," : "", row[p].written);
    fputs("]}", out);
}

void report_json_blocks(const struct result *r, const struct report_options *options, FILE *out)
{
    fputs(",\n\"blocks\":[", out);
    for (uint32_t b = options->block_first; b <= options->block_last && b < r->total.blocks; b++) {
        fputs(b > options->block_first ? ",\n " : "\n ", out);
        put_block(r, b, out);
    }
    fputc(']', out);
}
