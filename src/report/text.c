/* text.c - the report for people: aligned tables, units in the headings, the excess beside the
 * count. */
#include "report/amounts.h"
#include "report/text_parts.h"

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
    fprintf(out, "  launch      grid %u x %u x %u, block %u x %u x %u", g[0], g[1], g[2], b[0],
            b[1], b[2]);
    if (r->total.launches > 1)
        fprintf(out, ", %s launches", report_number(r->total.launches, text));
    if (r->shared_bytes_per_block)
        fprintf(out, ", %s bytes of shared memory a block",
                report_number(r->shared_bytes_per_block, text));
    fputc('\n', out);
    fprintf(out, "  parameters  ");
    report_put_params(r, out);
    fprintf(out, "%s\n", r->info->param_count ? "" : "none");
}

static void print_changes(const struct result *r, FILE *out)
{
    size_t index = 0;
    const struct arch_field *field;
    while ((field = report_next_change(r, &index)) != NULL)
        fprintf(out, "  changed     %s=%lld (the %s has %lld)\n", field->name,
                (long long)arch_get(&r->judge.arch, field), r->gpu->title,
                (long long)arch_model_value(r->gpu, field)->value);
}

static void print_occupancy(const struct result *r, FILE *out)
{
    const struct occupancy *o = &r->occupancy;
    fprintf(out, "  occupancy   %lld blocks = %lld of %lld warps an SM, limited by %s%s",
            (long long)o->blocks_per_sm, (long long)o->warps_per_sm,
            (long long)r->judge.arch.warps_per_sm, occupancy_limit_name(o->limit),
            r->registers_per_thread ? "" : " (registers a thread not known: --registers N)");
    if (r->total.warp_room_cycles)
        fprintf(out, "; %.0f %% of the SM's warps on average",
                100.0 * (double)r->total.resident_warp_cycles / (double)r->total.warp_room_cycles);
    fputc('\n', out);
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
    text_number_cell(table, requests);
    text_number_cell(table, transactions);
    text_number_cell(table, sectors);
    text_number_cell(table, ideal);
    text_number_cell(table, requested);
    text_number_cell(table, moved);
    percent_cell(table, requested, moved);
    table_row(table);
}

static void print_global(const struct counters *c, FILE *out)
{
    struct table table;
    if (c->global_load_requests + c->global_store_requests + c->global_atomic_requests == 0)
        return;
    table_start(&table, 8, "lr");
    TEXT_HEADINGS(&table, "global memory", "accesses", "transactions", "sectors", "ideal",
                  "bytes asked", "bytes moved", "efficiency");
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
    text_number_cell(table, requests);
    text_number_cell(table, passes);
    text_number_cell(table, ideal);
    text_number_cell(table, conflicts);
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
    TEXT_HEADINGS(&table, "shared memory", "accesses", "passes", "ideal", "conflicts",
                  "on average");
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
    text_number_cell(table, requests);
    text_number_cell(table, units);
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
    TEXT_HEADINGS(&table, "other memories", "accesses", "cost", "in");
    other_row(&table, "constant loads", c->constant_load_requests, c->constant_load_passes,
              "passes (distinct addresses)");
    other_row(&table, "texture and read-only loads", c->read_only_load_requests,
              c->read_only_load_sectors, "sectors");
    other_row(&table, "local loads", c->local_load_requests, c->local_load_sectors, "sectors");
    other_row(&table, "local stores", c->local_store_requests, c->local_store_sectors, "sectors");
    fputc('\n', out);
    table_print(&table, 2, out);
}

static void amount_cell(struct table *table, uint64_t amount, bool applies)
{
    if (applies)
        text_number_cell(table, amount);
    else
        table_cell(table, "-");
}

static void part_row(struct table *table, const struct counters *c)
{
    const struct report_amounts a = report_amounts(c);
    text_number_cell(table, c->warp_accesses);
    text_number_cell(table, c->divergent_accesses);
    amount_cell(table, a.transactions, a.transactions != 0);
    amount_cell(table, a.sectors, a.sectors != 0);
    amount_cell(table, a.sectors - a.ideal_sectors, a.sectors != 0);
    amount_cell(table, a.passes, a.passes != 0);
    amount_cell(table, a.passes - a.ideal_passes, a.passes != 0);
    table_row(table);
}

static void print_lines(const struct result *r, FILE *out)
{
    struct table table;
    table_start(&table, 9, "llr");
    TEXT_HEADINGS(&table, "source line", "access", "accesses", "divergent", "transactions",
                  "sectors", "excess", "passes", "conflicts");
    for (size_t i = 0; i < r->line_count; i++) {
        const struct result_part *part = &r->lines[i];
        table_cell(&table, "%s:%u", part->file, part->line);
        table_cell(&table, "%s %s", report_space_name((enum mem_space)part->space),
                   report_op_name((enum mem_op)part->op));
        part_row(&table, &part->counters);
    }
    fputc('\n', out);
    table_print(&table, 2, out);
}

static void print_arrays(const struct result *r, FILE *out)
{
    struct table table;
    table_start(&table, 8, "lr");
    TEXT_HEADINGS(&table, "array", "accesses", "divergent", "transactions", "sectors", "excess",
                  "passes", "conflicts");
    for (size_t i = 0; i < r->array_count; i++) {
        const struct result_part *part = &r->arrays[i];
        table_cell(&table, "%s%s%s", report_space_name((enum mem_space)part->space),
                   part->array[0] ? " " : "", part->array);
        part_row(&table, &part->counters);
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
    fprintf(out, "%s on %s (%s, rules of %s)\n", r->info->kernel, r->gpu->title, r->gpu->name,
            r->judge.rules.name);
    if (r->info->summary[0])
        fprintf(out, "  %s\n", r->info->summary);
    fputc('\n', out);
    print_shape(r, out);
    print_changes(r, out);
    print_occupancy(r, out);
    text_time(r, out);
    text_launches(r, out);
    print_global(&r->total, out);
    print_shared(&r->total, out);
    print_other(&r->total, out);
    print_lines(r, out);
    print_arrays(r, out);
    text_memory(r, out);
    text_partitions(r, out);
    if (options->blocks)
        text_blocks(r, options, out);
    print_profiler(r, out);
    if (options->timeline)
        text_timeline(r, out);
}

void report_text(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        print_result(&results[i], options, out);
        fputc('\n', out);
    }
    fprintf(out, "Exact by rule: accesses, transactions, sectors, bytes, passes.");
    if (count && results[0].sim)
        fprintf(out, " Modelled: cache hits, what L2 and DRAM\n"
                     "move. Approximate: cycles, time, bandwidths, what holds the kernel up; "
                     "docs/model.md has the\nmeasured errors.");
    else
        fprintf(out, " Left out: caches, time.");
    fprintf(out,
            " Not modelled: nvcc's own merging of accesses, address translation (TLB). "
            "Kernels\ntraced as %s compiled them.\n",
            count ? results[0].info->compiler : "");
}
