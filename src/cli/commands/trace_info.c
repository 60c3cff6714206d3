/* trace_info.c - launches with the same kernel and shape are one row; beyond ROWS_MAX they are only
 * counted. */
#define _GNU_SOURCE
#include "cli/commands/trace_info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/faults.h"
#include "report/report.h"
#include "report/table.h"
#include "report/traced.h"
#include "result/run_info.h"
#include "text/characters.h"
#include "text/memory.h"

enum { ROWS_MAX = 64, NAME_BYTES = 64, ARRAYS_MAX = 64 };

struct launch_row {
    char kernel[NAME_BYTES];
    uint32_t grid[3], block[3];
    uint64_t launches, accesses, barriers, shared_bytes;
};

struct array_row {
    char name[NAME_BYTES];
    uint64_t base, bytes;
    uint8_t home;
};

struct trace_info {
    struct run_info *run;
    bool in_launch;
    struct launch_row rows[ROWS_MAX + 1]; /* the last one: all others */
    size_t row_count;
    struct launch_row *row; /* of the running launch */
    struct array_row arrays[ARRAYS_MAX];
    size_t array_count;
    uint64_t accesses[SPACE_COUNT][WORD_COUNT], launches, warp_ends, all;
    uint64_t full, affine; /* accesses with all lanes; with a base and a stride */
};

struct trace_info *trace_info_new(void)
{
    struct trace_info *info = memory_take(1, sizeof *info);
    if (info)
        info->run = run_info_new();
    if (info && info->run)
        return info;
    free(info);
    return NULL;
}

void trace_info_free(struct trace_info *info)
{
    run_info_release(info->run);
    free(info);
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct trace_info *info = context;
    return run_info_note(info->run, key, value);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct trace_info *info = context;
    (void)number;
    return run_info_add_site(info->run, site);
}

static struct launch_row *row_for(struct trace_info *info, const struct launch_info *launch)
{
    struct launch_row row = {0};
    snprintf(row.kernel, sizeof row.kernel, "%s", launch->kernel);
    text_make_printable(row.kernel); /* a character that is cut */
    memcpy(row.grid, launch->grid, sizeof row.grid);
    memcpy(row.block, launch->block, sizeof row.block);
    for (size_t i = 0; i < info->row_count; i++)
        if (strcmp(info->rows[i].kernel, row.kernel) == 0 &&
            memcmp(info->rows[i].grid, row.grid, sizeof row.grid) == 0 &&
            memcmp(info->rows[i].block, row.block, sizeof row.block) == 0)
            return &info->rows[i];
    if (info->row_count == ROWS_MAX)
        return &info->rows[ROWS_MAX];
    info->rows[info->row_count] = row;
    return &info->rows[info->row_count++];
}

static void note_array(struct trace_info *info, const struct trace_array *array)
{
    for (size_t i = 0; i < info->array_count; i++)
        if (info->arrays[i].base == array->base && info->arrays[i].bytes == array->bytes)
            return;
    if (info->array_count == ARRAYS_MAX)
        return;
    struct array_row *row = &info->arrays[info->array_count++];
    snprintf(row->name, sizeof row->name, "%s", array->name);
    text_make_printable(row->name);
    row->base = array->base;
    row->bytes = array->bytes;
    row->home = array->home;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct trace_info *info = context;
    info->row = row_for(info, launch);
    info->in_launch = true;
    info->row->launches++;
    info->launches++;
    for (size_t i = 0; i < launch->array_count; i++)
        note_array(info, &launch->arrays[i]);
    return true;
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct trace_info *info = context;
    info->row->accesses++;
    info->all++;
    info->accesses[access->space][access_word(access)]++;
    info->full += access->active == UINT32_MAX;
    info->affine += access->addr == NULL;
    return true;
}

/* An asynchronous copy counts as the load that it is of global memory. */
static bool on_copy(void *context, const struct trace_copy *copy)
{
    return !copy_step_begins(copy->step) || on_access(context, copy->access);
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct trace_info *info = context;
    info->row->barriers += event->kind == TRACE_BARRIER;
    info->warp_ends += event->kind == TRACE_WARP_END;
    return true;
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct trace_info *info = context;
    const char *kernel = info->in_launch ? info->row->kernel : "";
    const bool fine = run_info_add_fault(info->run, kernel, fault);
    info->in_launch = info->in_launch && !fault->stops;
    return fine;
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct trace_info *info = context;
    info->row->shared_bytes = shared_bytes_per_block;
    info->in_launch = false;
    info->run->traced++;
    return true;
}

static bool on_launch_left_out(void *context, const struct trace_left_out *launch)
{
    struct trace_info *info = context;
    *(launch->repeats ? &info->run->repeated : &info->run->untraced) += 1;
    return true;
}

struct trace_sink trace_info_sink(struct trace_info *info)
{
    return (struct trace_sink){.context = info,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .event = on_event,
                               .copy = on_copy,
                               .fault = on_fault,
                               .launch_end = on_launch_end,
                               .launch_left_out = on_launch_left_out,
                               .takes_repeats = true};
}

/* ---- Printing -------------------------------------------------------------------------------- */

static void print_run(const struct trace_info *info, const char *path, FILE *out)
{
    const struct run_info *run = info->run;
    fprintf(out, "%s: %s", path, run->kernel[0] ? run->kernel : "a run without a name");
    for (size_t i = 0; i < run->param_count; i++)
        fprintf(out, " %s=%s", run->params[i].name, run->params[i].value);
    fprintf(out, "\n  %s%straced as %s compiled it\n", run->summary, run->summary[0] ? "\n  " : "",
            run->compiler);
    struct text traced;
    report_traced(run, &traced);
    if (traced.length)
        fprintf(out, "  traced: %s\n", traced.s);
}

static void print_sums(const struct trace_info *info, FILE *out)
{
    char all[REPORT_NUMBER_BYTES], count[REPORT_NUMBER_BYTES];
    double percent = info->all ? 100.0 / (double)info->all : 0;
    int width = 6;
    fprintf(out,
            "  %s warp accesses, %.1f %% of them by all 32 lanes, %.1f %% at a constant stride\n",
            report_number(info->all, all), percent * (double)info->full,
            percent * (double)info->affine);
    for (int word = 0; word < WORD_COUNT; word++) /* of global memory alone, when they are long */
        if (info->accesses[SPACE_GLOBAL][word] && (int)strlen(mem_op_names[word]) > width)
            width = (int)strlen(mem_op_names[word]);
    for (int space = 0; space < SPACE_COUNT; space++)
        for (int word = 0; word < WORD_COUNT; word++)
            if (info->accesses[space][word])
                fprintf(out, "    %-8s %-*s %14s\n", mem_space_names[space], width,
                        mem_op_names[word], report_number(info->accesses[space][word], count));
    fprintf(out, "  %s places in the source\n", report_number(info->run->site_count, count));
}

static void put_row(struct table *table, const struct launch_row *row)
{
    char number[REPORT_NUMBER_BYTES];
    const uint32_t *g = row->grid, *b = row->block;
    table_cell(table, "%s", row->kernel[0] ? row->kernel : "others");
    table_cell(table, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, g[0], g[1], g[2]);
    table_cell(table, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, b[0], b[1], b[2]);
    table_cell(table, "%s", report_number(row->launches, number));
    table_cell(table, "%s", report_number(row->accesses, number));
    table_cell(table, "%s", report_number(row->barriers, number));
    table_cell(table, "%s B", report_number(row->shared_bytes, number));
    table_row(table);
}

static void print_launches(const struct trace_info *info, FILE *out)
{
    static const char *const heads[] = {"kernel",        "grid",     "block",       "launches",
                                        "warp accesses", "barriers", "shared/block"};
    struct table table;
    table_start(&table, sizeof heads / sizeof heads[0], "lllr");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        table_cell(&table, "%s", heads[i]);
    table_row(&table);
    for (size_t i = 0; i < info->row_count; i++)
        put_row(&table, &info->rows[i]);
    if (info->rows[ROWS_MAX].launches)
        put_row(&table, &info->rows[ROWS_MAX]);
    fputc('\n', out);
    table_print(&table, 2, out);
}

static void print_arrays(const struct trace_info *info, FILE *out)
{
    static const char *const homes[] = {"device", "host (pinned)", "managed"};
    char number[REPORT_NUMBER_BYTES];
    struct table table;
    if (info->array_count == 0)
        return;
    table_start(&table, 4, "lrrl");
    table_cell(&table, "array");
    table_cell(&table, "address");
    table_cell(&table, "bytes");
    table_cell(&table, "memory");
    table_row(&table);
    for (size_t i = 0; i < info->array_count; i++) {
        const struct array_row *row = &info->arrays[i];
        table_cell(&table, "%s", row->name);
        table_cell(&table, "0x%" PRIx64, row->base);
        table_cell(&table, "%s", report_number(row->bytes, number));
        table_cell(&table, "%s", homes[row->home]);
        table_row(&table);
    }
    fputc('\n', out);
    table_print(&table, 2, out);
}

void trace_info_print(const struct trace_info *info, const char *path, FILE *out)
{
    report_faults_text(info->run, true, out);
    print_run(info, path, out);
    print_sums(info, out);
    print_launches(info, out);
    print_arrays(info, out);
}
