/* text_time.c - the part of the text report about time: what the caches and the DRAM partitions do. */
#include "report/amounts.h"
#include "report/text_sections.h"
#include "sim/rules/sectors.h"

/* ---- Caches ---------------------------------------------------------------------------------- */

/* `is_cache`: it has hits. */
static const struct level {
    const char *label;
    enum counter_group group;
    bool is_cache;
} levels[] = {
    {"L1", GROUP_L1, true},
    {"read-only cache", GROUP_READ_ONLY_CACHE, true},
    {"constant cache", GROUP_CONSTANT_CACHE, true},
    {"L2", GROUP_L2, true},
    {"other L2 partition", GROUP_L2_FAR, true},
    {"DRAM", GROUP_DRAM, false},
    {"host", GROUP_HOST, false},
};

static void level_row(struct table *table, const struct level *level, const struct counters *c)
{
    uint64_t sums[ROLE_COUNT];
    counters_sum_roles(c, level->group, sums);
    const uint64_t read = sums[ROLE_READ] + sums[ROLE_READ_BYTES] / SECTOR_BYTES;
    const uint64_t written = sums[ROLE_WRITTEN] + sums[ROLE_WRITTEN_BYTES] / SECTOR_BYTES;
    if (read + written == 0)
        return;
    table_cell(table, "%s", level->label);
    text_number_cell(table, read);
    if (level->is_cache)
        text_number_cell(table, sums[ROLE_HITS]);
    else
        table_cell(table, "-");
    text_percent_cell(table, sums[ROLE_HITS], level->is_cache ? read : 0);
    text_number_cell(table, written);
    table_row(table);
}

static void print_caches(const struct result *r, FILE *out)
{
    struct table table;
    table_start(&table, 5, "lr");
    TEXT_HEADINGS(&table, "sectors by level", "read", "hits", "hit rate", "written");
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        level_row(&table, &levels[i], &r->total);
    fputc('\n', out);
    table_print(&table, 2, out);
}

/* ---- Lines and arrays ------------------------------------------------------------------------ */

static uint64_t beyond_sm(const struct counters *c)
{
    return c->crossbar_read_bytes + c->crossbar_write_bytes + c->l2_atomic_sectors;
}

static uint64_t bytes_used(const struct counters *c)
{
    return c->global_load_bytes_used + c->global_store_bytes_used;
}

static uint64_t bytes_moved(const struct counters *c)
{
    return c->crossbar_read_bytes + c->crossbar_write_bytes;
}

static void part_cells(struct table *table, const struct counters *c, const struct counters *total)
{
    const uint64_t used = bytes_used(c), moved = bytes_moved(c);
    text_percent_cell(table, c->stall_cycles, total->stall_cycles);
    text_percent_cell(table, c->l1_hit_sectors + c->read_only_hit_sectors,
                      c->l1_lookup_sectors + c->read_only_lookup_sectors);
    text_percent_cell(table, c->l2_read_hit_sectors, c->l2_read_sectors);
    text_number_cell(table, moved);
    text_percent_cell(table, used, used ? moved : 0);
    text_number_cell(table, SECTOR_BYTES * c->dram_read_sectors);
    text_number_cell(table, SECTOR_BYTES * c->dram_write_sectors);
    table_row(table);
}

static void print_parts(const struct result *r, const struct result_part *parts, size_t count,
                        bool lines, FILE *out)
{
    struct table table;
    bool reuse = false;
    table_start(&table, 8, "lr");
    TEXT_HEADINGS(&table, lines ? "source line" : "array", "waiting", "L1 hits", "L2 hits",
                  "beyond SM", "used", "DRAM read", "DRAM write");
    for (size_t i = 0; i < count; i++) {
        const struct result_part *part = &parts[i];
        char name[TEXT_LINE_BYTES];
        if (beyond_sm(part->counters) == 0 && part->counters->stall_cycles == 0)
            continue;
        if (lines)
            table_cell(&table, "%s %s %s", text_line_name(part, name), mem_space_names[part->space],
                       result_part_op(part));
        else
            table_cell(&table, "%s%s%.40s", mem_space_names[part->space], part->array[0] ? " " : "",
                       part->array);
        part_cells(&table, part->counters, &r->total);
        reuse |=
            bytes_moved(part->counters) && bytes_used(part->counters) > bytes_moved(part->counters);
    }
    fputc('\n', out);
    table_print_parts(&table, 1, 2, out);
    if (reuse)
        fprintf(out, "  beyond SM: bytes to and from L2 and DRAM; used: bytes that lanes asked for "
                     "over those, above\n"
                     "  100 %% where L1 serves what was brought once.\n");
}

/* ---- Partitions over time -------------------------------------------------------------------- */

enum { MAP_COLUMNS = 48 };

/* A row a partition: shades of bytes over time, and how much of the time its bus was taken. */
static void print_map(const struct usage *usage, FILE *out)
{
    static const char shades[] = " .:-=+*#%@";
    struct usage_window whole, window;
    size_t columns = usage_parts(usage, MAP_COLUMNS);
    uint64_t most = 1;
    usage_join(usage, 0, 1, &whole);
    for (size_t i = 0; i < columns; i++) {
        usage_join(usage, i, columns, &window);
        for (uint32_t p = 0; p < usage->partitions; p++)
            most = window.bytes[p] > most ? window.bytes[p] : most;
    }
    for (uint32_t p = 0; p < usage->partitions; p++) {
        fprintf(out, "    %3u |", p);
        for (size_t i = 0; i < columns; i++) {
            usage_join(usage, i, columns, &window);
            fputc(shades[window.bytes[p] * 9 / most], out);
        }
        fprintf(out, "| busy %.0f %%\n", 100.0 * (double)whole.partition[p] / (double)whole.ticks);
    }
}

/* Lines and arrays whose bytes lie on a hot partition, those with most of them first. */
static void print_campers(const struct result_part *parts, size_t count, uint64_t total, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct result_part *part = &parts[i];
        if (part->counters->camped_bytes * 20 < total)
            continue;
        fprintf(out, "    %.0f %% of the bytes on a hot partition: ",
                100.0 * (double)part->counters->camped_bytes / (double)total);
        if (part->array)
            fprintf(out, "array %s\n", part->array[0] ? part->array : "without a name");
        else
            fprintf(out, "%s of %s:%u\n", result_part_op(part), part->file, part->line);
    }
}

static void print_partition_times(const struct result *r, FILE *out)
{
    double index = report_metric(&r->total, "camping_index");
    if (index == 0)
        return;
    fprintf(
        out,
        "\n  DRAM partitions over time: camping index %.2f (the hottest over the average one; 1 "
        "is even,\n  %u is all on one)\n",
        index, r->usage->partitions);
    if (index < 1.5)
        return;
    fprintf(out, "    time runs to the right; darker is more bytes\n");
    print_map(r->usage, out);
    if (r->total.camped_bytes) {
        print_campers(r->lines, r->line_count, r->total.camped_bytes, out);
        print_campers(r->arrays, r->array_count, r->total.camped_bytes, out);
    }
}

static void print_migrations(const struct counters *c, FILE *out)
{
    char faults[REPORT_NUMBER_BYTES], groups[REPORT_NUMBER_BYTES], moves[REPORT_NUMBER_BYTES];
    char time[REPORT_NUMBER_BYTES];
    if (c->migrations == 0 && c->page_faults == 0)
        return;
    fprintf(out, "\n  managed memory: %s page faults in %s groups, %s us; ",
            report_number(c->page_faults, faults), report_number(c->fault_groups, groups),
            report_rounded((double)c->fault_group_ns / 1000, time));
    fprintf(out, "%s transfers", report_number(c->migrations, moves));
    if (c->migrations)
        fprintf(out, " of %.4g KB on average, %s us",
                (double)c->migrated_bytes / (double)c->migrations / 1024,
                report_rounded((double)c->migration_ns / 1000, time));
    fputc('\n', out);
}

void text_memory(const struct result *r, FILE *out)
{
    if (r->usage == NULL)
        return;
    print_caches(r, out);
    print_migrations(&r->total, out);
    print_parts(r, r->lines, r->line_count, true, out);
    print_parts(r, r->arrays, r->array_count, false, out);
    print_partition_times(r, out);
}
