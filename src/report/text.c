/* text.c - the report for people: aligned tables, units in the headings, the excess beside the count. */
#include <inttypes.h>
#include <string.h>

#include "report/report.h"
#include "report/table.h"

const char *report_op_name(enum mem_op op)
{
    static const char *const names[OP_COUNT] = {"load", "store", "atomic"};
    return names[op];
}

const char *report_space_name(enum mem_space space)
{
    static const char *const names[SPACE_COUNT] = {"global", "shared", "local", "constant",
                                                   "texture"};
    return names[space];
}

const char *report_number(uint64_t value, char text[REPORT_NUMBER_BYTES])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value), out = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[out++] = ',';
        text[out++] = digits[i];
    }
    text[out] = '\0';
    return text;
}

const char *report_value(double value, char text[REPORT_NUMBER_BYTES])
{
    if (value >= 0 && value < 1e15 && value == (double)(uint64_t)value)
        return report_number((uint64_t)value, text);
    snprintf(text, REPORT_NUMBER_BYTES, "%.2f", value);
    return text;
}

static void number_cell(struct table *table, uint64_t value)
{
    char text[REPORT_NUMBER_BYTES];
    table_cell(table, "%s", report_number(value, text));
}

static void percent_cell(struct table *table, uint64_t part, uint64_t whole)
{
    if (whole)
        table_cell(table, "%.1f %%", 100.0 * (double)part / (double)whole);
    else
        table_cell(table, "-");
}

static void print_shape(const struct result *r, FILE *out)
{
    const uint32_t *g = r->launch.grid, *b = r->launch.block;
    char text[REPORT_NUMBER_BYTES];
    fprintf(out, "  launch      grid %u x %u x %u, block %u x %u x %u", g[0], g[1], g[2], b[0], b[1],
            b[2]);
    if (r->total.launches > 1)
        fprintf(out, ", %s launches", report_number(r->total.launches, text));
    if (r->shared_bytes_per_block)
        fprintf(out, ", %s bytes of shared memory a block",
                report_number(r->shared_bytes_per_block, text));
    fputc('\n', out);
    fprintf(out, "  parameters ");
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && r->kernel->params[i].name; i++)
        fprintf(out, " %s=%lld", r->kernel->params[i].name, r->args->values[i]);
    fprintf(out, "%s\n", r->kernel->params[0].name ? "" : " none");
}

static void print_occupancy(const struct result *r, FILE *out)
{
    const struct occupancy *o = &r->occupancy;
    fprintf(out, "  occupancy   %lld blocks = %lld of %lld warps an SM, limited by %s%s\n",
            (long long)o->blocks_per_sm, (long long)o->warps_per_sm,
            (long long)r->judge.arch.warps_per_sm, occupancy_limit_name(o->limit),
            r->registers_per_thread ? "" : " (registers a thread not known: --registers N)");
}

#define GLOBAL_ROW(label, kind)                                                                    \
    if (c->global_##kind##_requests)                                                               \
    global_row(&table, label, c->global_##kind##_requests, c->global_##kind##_transactions,        \
               c->global_##kind##_sectors, c->global_##kind##_ideal_sectors,                       \
               c->global_##kind##_bytes_requested, c->global_##kind##_bytes_moved)

static void global_row(struct table *table, const char *label, uint64_t requests,
                       uint64_t transactions, uint64_t sectors, uint64_t ideal, uint64_t requested,
                       uint64_t moved)
{
    table_cell(table, "%s", label);
    number_cell(table, requests);
    number_cell(table, transactions);
    number_cell(table, sectors);
    number_cell(table, ideal);
    number_cell(table, requested);
    number_cell(table, moved);
    percent_cell(table, requested, moved);
    table_row(table);
}

static void row_of_words(struct table *table, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        table_cell(table, "%s", words[i]);
    table_row(table);
}
#define HEADINGS(table, ...)                                                                       \
    row_of_words(table, (const char *const[]){__VA_ARGS__},                                        \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void print_global(const struct counters *c, FILE *out)
{
    struct table table;
    if (c->global_load_requests + c->global_store_requests + c->global_atomic_requests == 0)
        return;
    table_start(&table, 8, "lr");
    HEADINGS(&table, "global memory", "accesses", "transactions", "sectors", "ideal", "bytes asked",
             "bytes moved", "efficiency");
    GLOBAL_ROW("loads", load);
    GLOBAL_ROW("stores", store);
    GLOBAL_ROW("atomics", atomic);
    fputc('\n', out);
    table_print(&table, 2, out);
}

static void shared_row(struct table *table, const char *label, uint64_t requests, uint64_t passes,
                       uint64_t ideal, uint64_t conflicts)
{
    table_cell(table, "%s", label);
    number_cell(table, requests);
    number_cell(table, passes);
    number_cell(table, ideal);
    number_cell(table, conflicts);
    table_cell(table, "%.2f-way", (double)passes / (double)ideal);
    table_row(table);
}

#define SHARED_ROW(label, kind)                                                                    \
    if (c->shared_##kind##_requests)                                                               \
    shared_row(&table, label, c->shared_##kind##_requests, c->shared_##kind##_passes,              \
               c->shared_##kind##_ideal_passes, c->shared_##kind##_conflicts)

static void print_shared(const struct counters *c, FILE *out)
{
    struct table table;
    if (c->shared_load_requests + c->shared_store_requests + c->shared_atomic_requests == 0)
        return;
    table_start(&table, 6, "lr");
    HEADINGS(&table, "shared memory", "accesses", "passes", "ideal", "conflicts", "on average");
    SHARED_ROW("loads", load);
    SHARED_ROW("stores", store);
    SHARED_ROW("atomics", atomic);
    fputc('\n', out);
    table_print(&table, 2, out);
}

static void other_row(struct table *table, const char *label, uint64_t requests, uint64_t units,
                      const char *unit)
{
    if (requests == 0)
        return;
    table_cell(table, "%s", label);
    number_cell(table, requests);
    number_cell(table, units);
    table_cell(table, "%s", unit);
    table_row(table);
}

static void print_other(const struct counters *c, FILE *out)
{
    struct table table;
    if (c->constant_load_requests + c->read_only_load_requests + c->local_load_requests +
            c->local_store_requests ==
        0)
        return;
    table_start(&table, 4, "lrrl");
    HEADINGS(&table, "other memories", "accesses", "cost", "in");
    other_row(&table, "constant loads", c->constant_load_requests, c->constant_load_passes,
              "passes (distinct addresses)");
    other_row(&table, "texture and read-only loads", c->read_only_load_requests,
              c->read_only_load_sectors, "sectors");
    other_row(&table, "local loads", c->local_load_requests, c->local_load_sectors, "sectors");
    other_row(&table, "local stores", c->local_store_requests, c->local_store_sectors, "sectors");
    fputc('\n', out);
    table_print(&table, 2, out);
}

/* Sectors of global, read-only and local accesses; passes of shared and constant ones. */
static uint64_t part_sectors(const struct counters *c)
{
    return c->global_load_sectors + c->global_store_sectors + c->global_atomic_sectors +
           c->read_only_load_sectors + c->local_load_sectors + c->local_store_sectors;
}

static uint64_t part_ideal_sectors(const struct counters *c)
{
    return c->global_load_ideal_sectors + c->global_store_ideal_sectors +
           c->global_atomic_ideal_sectors + c->read_only_load_ideal_sectors +
           c->local_load_sectors + c->local_store_sectors;
}

static uint64_t part_transactions(const struct counters *c)
{
    return c->global_load_transactions + c->global_store_transactions +
           c->global_atomic_transactions;
}

static uint64_t part_passes(const struct counters *c)
{
    return c->shared_load_passes + c->shared_store_passes + c->shared_atomic_passes +
           c->constant_load_passes;
}

static uint64_t part_conflicts(const struct counters *c)
{
    return c->shared_load_conflicts + c->shared_store_conflicts + c->shared_atomic_conflicts;
}

static void amount_cell(struct table *table, uint64_t amount, bool applies)
{
    if (applies)
        number_cell(table, amount);
    else
        table_cell(table, "-");
}

/* Excess can be negative: lanes of one access may share bytes of another's sector only on stores that
 * a generation splits; sectors are never fewer than the ideal. */
static void part_row(struct table *table, const struct counters *c)
{
    uint64_t sectors = part_sectors(c), passes = part_passes(c);
    number_cell(table, c->warp_accesses);
    number_cell(table, c->divergent_accesses);
    amount_cell(table, part_transactions(c), part_transactions(c) != 0);
    amount_cell(table, sectors, sectors != 0);
    amount_cell(table, sectors - part_ideal_sectors(c), sectors != 0);
    amount_cell(table, passes, passes != 0);
    amount_cell(table, part_conflicts(c), passes != 0);
    table_row(table);
}

static void print_lines(const struct result *r, FILE *out)
{
    struct table table;
    table_start(&table, 8, "lr");
    HEADINGS(&table, "source line", "accesses", "divergent", "transactions", "sectors", "excess",
             "passes", "conflicts");
    for (size_t i = 0; i < r->line_count; i++) {
        table_cell(&table, "%s:%u", r->lines[i].file, r->lines[i].line);
        part_row(&table, &r->lines[i].counters);
    }
    fputc('\n', out);
    table_print(&table, 2, out);
}

static void print_arrays(const struct result *r, FILE *out)
{
    struct table table;
    table_start(&table, 8, "lr");
    HEADINGS(&table, "array", "accesses", "divergent", "transactions", "sectors", "excess", "passes",
             "conflicts");
    for (size_t i = 0; i < r->array_count; i++) {
        const struct result_part *part = &r->arrays[i];
        table_cell(&table, "%s%s%s", report_space_name((enum mem_space)part->space),
                   part->array[0] ? " " : "", part->array);
        part_row(&table, &part->counters);
    }
    fputc('\n', out);
    table_print(&table, 2, out);
}

/* The sum of the blocks' partition rows [first, last]. */
static struct partition_bytes wave_bytes(const struct judge *judge, uint32_t blocks, uint32_t p)
{
    struct partition_bytes sum = {0, 0};
    for (uint32_t b = 0; b < blocks && b < judge->block_count; b++) {
        const struct partition_bytes *row = judge->partitions + (size_t)(b + 1) * judge->partition_count;
        sum.read += row[p].read;
        sum.written += row[p].written;
    }
    return sum;
}

static void print_partitions(const struct result *r, FILE *out)
{
    const struct judge *judge = &r->judge;
    struct table table;
    fputc('\n', out);
    if (judge->partition_count == 0) {
        fprintf(out, "  DRAM partitions: this GPU hashes addresses over them; nothing camps by address.\n");
        return;
    }
    table_start(&table, 5, "lr");
    HEADINGS(&table, "DRAM partition", "bytes read", "bytes written", "read in wave 1", "written in wave 1");
    for (uint32_t p = 0; p < judge->partition_count; p++) {
        struct partition_bytes wave = wave_bytes(judge, r->wave_blocks, p);
        table_cell(&table, "%u", p);
        number_cell(&table, judge->partitions[p].read);
        number_cell(&table, judge->partitions[p].written);
        number_cell(&table, wave.read);
        number_cell(&table, wave.written);
        table_row(&table);
    }
    table_print(&table, 2, out);
    fprintf(out, "  Wave 1 is blocks 0 to %u, those that are resident first. Partition = address / %lld "
                 "mod %u.\n",
            r->wave_blocks ? r->wave_blocks - 1 : 0, (long long)judge->arch.partition_bytes,
            judge->partition_count);
}

/* "0 2 4": the partitions a block reads, or writes. */
static void partition_set_cell(struct table *table, const struct partition_bytes *row, uint32_t count,
                               bool written)
{
    char text[512] = "";
    size_t used = 0;
    for (uint32_t p = 0; p < count && used < sizeof text; p++)
        if (written ? row[p].written : row[p].read)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", used ? " " : "", p);
    table_cell(table, "%s", used ? text : "-");
}

static void print_blocks(const struct result *r, const struct report_options *options, FILE *out)
{
    const struct judge *judge = &r->judge;
    struct table table;
    if (judge->partition_count == 0)
        return;
    table_start(&table, 4, "rlll");
    HEADINGS(&table, "block", "blockIdx", "reads partitions", "writes partitions");
    for (uint32_t b = options->block_first; b <= options->block_last && b < r->total.blocks; b++) {
        const struct partition_bytes *row = judge->partitions + (size_t)(b + 1) * judge->partition_count;
        const uint32_t *g = r->launch.grid;
        table_cell(&table, "%u", b);
        table_cell(&table, "(%u,%u,%u)", b % g[0], b / g[0] % g[1], b / g[0] / g[1]);
        partition_set_cell(&table, row, judge->partition_count, false);
        partition_set_cell(&table, row, judge->partition_count, true);
        table_row(&table);
    }
    fputc('\n', out);
    table_print(&table, 2, out);
}

static void print_profiler(const struct result *r, FILE *out)
{
    struct table table;
    char text[REPORT_NUMBER_BYTES];
    table_start(&table, 3, "lrl");
    for (size_t i = 0; i < profiler_counter_count; i++) {
        double value;
        if (!(profiler_table[i].profilers & r->judge.rules.profiler) ||
            !profiler_table[i].value(&r->total, &value) || value == 0)
            continue;
        table_cell(&table, "%s", profiler_table[i].name);
        table_cell(&table, "%s", report_value(value, text));
        table_cell(&table, "%s", profiler_table[i].unit);
        table_row(&table);
    }
    fprintf(out, "\n  %s would show (counters that are 0 left out)\n",
            profiler_title(r->judge.rules.profiler));
    table_print(&table, 4, out);
}

static void print_result(const struct result *r, const struct report_options *options, FILE *out)
{
    fprintf(out, "%s on %s (%s, rules of %s)\n", r->kernel->name, r->gpu->title, r->gpu->name,
            r->judge.rules.name);
    fprintf(out, "  %s\n\n", r->kernel->summary);
    print_shape(r, out);
    print_occupancy(r, out);
    print_global(&r->total, out);
    print_shared(&r->total, out);
    print_other(&r->total, out);
    print_lines(r, out);
    print_arrays(r, out);
    print_partitions(r, out);
    if (options->blocks)
        print_blocks(r, options, out);
    print_profiler(r, out);
}

void report_text(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        print_result(&results[i], options, out);
        fputc('\n', out);
    }
    fprintf(out, "Exact by rule: accesses, transactions, sectors, bytes, passes. Not modelled: caches, time,\n"
                 "nvcc's own merging of accesses. Kernels traced as %s compiled them.\n",
            options->compiler);
}
