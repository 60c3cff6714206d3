/* text_partitions.c - the DRAM partition tables of the text report, and its table helpers. */
#include <string.h>

#include "report/text_sections.h"

void text_number_cell(struct table *table, uint64_t value)
{
    char text[REPORT_NUMBER_BYTES];
    table_cell(table, "%s", report_number(value, text));
}

void text_headings(struct table *table, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        table_cell(table, "%s", words[i]);
    table_heading(table);
}

const char *text_line_name(const struct result_part *line, char text[TEXT_LINE_BYTES])
{
    enum { FILE_BYTES = 40 };
    const size_t length = strlen(line->file);
    const bool cut = length > FILE_BYTES;
    snprintf(text, TEXT_LINE_BYTES, "%s%s:%u", cut ? "..." : "",
             line->file + (cut ? length - (FILE_BYTES - 3) : 0), line->line);
    return text;
}

/* The sum of the blocks' partition rows [first, last]. */
static struct partition_bytes wave_bytes(const struct partition_table *table, uint32_t blocks,
                                         uint32_t p)
{
    struct partition_bytes sum = {0, 0};
    for (uint32_t b = 0; b < blocks && b < table->block_count; b++) {
        const struct partition_bytes *row = partitions_of_block(table, b);
        sum.read += row[p].read;
        sum.written += row[p].written;
    }
    return sum;
}

void text_partitions(const struct result *r, FILE *out)
{
    const struct partition_table *partitions = &r->partitions;
    struct table table;
    fputc('\n', out);
    if (partitions->count == 0) {
        fprintf(
            out,
            "  DRAM partitions: this GPU hashes addresses over them; nothing camps by address.\n");
        return;
    }
    table_start(&table, 5, "lr");
    TEXT_HEADINGS(&table, "DRAM partition", "bytes read", "bytes written", "read in wave 1",
                  "written in wave 1");
    for (uint32_t p = 0; p < partitions->count; p++) {
        struct partition_bytes wave = wave_bytes(partitions, r->wave_blocks, p);
        table_cell(&table, "%u", p);
        text_number_cell(&table, partitions->rows[p].read);
        text_number_cell(&table, partitions->rows[p].written);
        text_number_cell(&table, wave.read);
        text_number_cell(&table, wave.written);
        table_row(&table);
    }
    table_print(&table, 2, out);
    fprintf(out,
            "  Wave 1 is blocks 0 to %u, those that are resident first. Partition = address / %lld "
            "mod %u.\n",
            r->wave_blocks ? r->wave_blocks - 1 : 0, (long long)r->arch.partition_bytes,
            partitions->count);
}

/* "0 2 4": the partitions a block reads, or writes. */
static void partition_set_cell(struct table *table, const struct partition_bytes *row,
                               uint32_t count, bool written)
{
    char text[512] = "";
    size_t used = 0;
    for (uint32_t p = 0; p < count && used < sizeof text; p++)
        if (written ? row[p].written : row[p].read)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", used ? " " : "", p);
    table_cell(table, "%s", used ? text : "-");
}

void text_blocks(const struct result *r, const struct report_options *options, FILE *out)
{
    const struct partition_table *partitions = &r->partitions;
    struct table table;
    if (partitions->count == 0)
        return;
    table_start(&table, 4, "rlll");
    TEXT_HEADINGS(&table, "block", "blockIdx", "reads partitions", "writes partitions");
    for (uint32_t b = options->block_first; b <= options->block_last && b < r->total.blocks; b++) {
        const struct partition_bytes *row = partitions_of_block(partitions, b);
        const uint32_t *g = r->grid;
        table_cell(&table, "%u", b);
        table_cell(&table, "(%u,%u,%u)", b % g[0], b / g[0] % g[1], b / g[0] / g[1]);
        partition_set_cell(&table, row, partitions->count, false);
        partition_set_cell(&table, row, partitions->count, true);
        table_row(&table);
    }
    fputc('\n', out);
    table_print(&table, 2, out);
}
