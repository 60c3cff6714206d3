/* faults.c - decisions. A launch has ROWS_MAX rows; when they are full, faults are added to a row of their
 * kind: sums by kind stay right. A row is found by the place in the code that did it, through a cache, since a
 * kernel without a check of its index does it a million times. */
#include "tracer/faults.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine_code/lineinfo.h"
#include "tracer/engine.h"

enum { ROWS_MAX = 256, CACHE_SLOTS = 64, ARRAY_NAME_BYTES = 48 };

struct row {
    struct trace_fault fault;
    char array[ARRAY_NAME_BYTES], text[MESSAGE_BYTES];
};

static struct row rows[ROWS_MAX + FAULT_KINDS];
static unsigned row_count;
static struct {
    uintptr_t pc;
    const char *array;
    uint8_t kind;
    struct row *row; /* NULL: an empty slot */
} cache[CACHE_SLOTS];
static struct trace_fault stop;

void faults_launch(void)
{
    row_count = 0;
    memset(cache, 0, sizeof cache);
    stop = (struct trace_fault){.kind = FAULT_STOPPED};
}

static void keep_block(struct trace_fault *fault)
{
    fault->block[0] = engine_indices.block.x;
    fault->block[1] = engine_indices.block.y;
    fault->block[2] = engine_indices.block.z;
}

/* A row that the fault belongs to, by line; NULL: a new one, for which there is room. */
static struct row *find_row(const struct trace_fault *fault, struct lineinfo_line where)
{
    struct row *of_kind = NULL;
    for (unsigned i = 0; i < row_count; i++) {
        if (rows[i].fault.kind != fault->kind)
            continue;
        of_kind = &rows[i];
        if (rows[i].fault.line == where.line && strcmp(rows[i].fault.file, where.file) == 0 &&
            strncmp(rows[i].array, fault->array, ARRAY_NAME_BYTES - 1) == 0)
            return of_kind;
    }
    return row_count < ROWS_MAX ? NULL : of_kind;
}

static void put_text(struct row *row, const uint32_t thread[3], const char *format,
                     va_list arguments)
{
    const struct trace_fault *f = &row->fault;
    int used = snprintf(row->text, sizeof row->text, "%s:%u: in %s: ", f->file, (unsigned)f->line,
                        engine.kernel);
    char what[MESSAGE_BYTES];
    vsnprintf(what, sizeof what, format, arguments);
    if (used >= 0 && (size_t)used < sizeof row->text)
        snprintf(row->text + used, sizeof row->text - (size_t)used,
                 "%.350s [block (%u,%u,%u), thread (%u,%u,%u)]", what, f->block[0], f->block[1],
                 f->block[2], thread[0], thread[1], thread[2]);
}

static struct row *add_row(const struct trace_fault *fault, struct lineinfo_line where,
                           const uint32_t thread[3], const char *format, va_list arguments)
{
    struct row *row = &rows[row_count++];
    row->fault = *fault;
    row->fault.count = 0;
    row->fault.file = where.file;
    row->fault.line = (uint32_t)where.line;
    snprintf(row->array, sizeof row->array, "%s", fault->array);
    keep_block(&row->fault);
    memcpy(row->fault.thread, thread, sizeof row->fault.thread);
    put_text(row, thread, format, arguments);
    return row;
}

static void count(const struct trace_fault *fault, uint64_t times, const uint32_t thread[3],
                  uintptr_t pc, const char *format, va_list arguments)
{
    const unsigned slot =
        (unsigned)((pc ^ pc >> 7 ^ (uintptr_t)fault->array >> 4 ^ fault->kind) % CACHE_SLOTS);
    if (cache[slot].row == NULL || cache[slot].pc != pc || cache[slot].array != fault->array ||
        cache[slot].kind != fault->kind) {
        const struct lineinfo_line where = sites_line(pc);
        struct row *row = find_row(fault, where);
        cache[slot].row = row ? row : add_row(fault, where, thread, format, arguments);
        cache[slot].pc = pc;
        cache[slot].array = fault->array;
        cache[slot].kind = fault->kind;
    }
    cache[slot].row->fault.count += times;
}

void faults_count(const struct trace_fault *fault, uintptr_t pc, const char *format, ...)
{
    const uint3 t = engine.current->thread;
    va_list arguments;
    va_start(arguments, format);
    count(fault, 1, (const uint32_t[]){t.x, t.y, t.z}, pc, format, arguments);
    va_end(arguments);
}

void faults_count_thread(const struct trace_fault *fault, uint64_t times, const uint32_t thread[3],
                         uintptr_t pc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    count(fault, times, thread, pc, format, arguments);
    va_end(arguments);
}

void faults_stop_is(const struct trace_fault *fault)
{
    stop = *fault;
}

void faults_stop_at(uintptr_t pc, const uint32_t thread[3])
{
    const struct lineinfo_line where = sites_line(pc);
    stop.file = where.file;
    stop.line = (uint32_t)where.line;
    keep_block(&stop);
    memcpy(stop.thread, thread, sizeof stop.thread);
}

bool faults_are_there(void)
{
    return row_count > 0;
}

void faults_forget(void)
{
    row_count = 0;
}

void faults_give(void)
{
    bool goes_on = !engine.sink_is_done;
    for (unsigned i = 0; i < row_count && goes_on; i++) {
        rows[i].fault.array = rows[i].array;
        rows[i].fault.text = rows[i].text;
        goes_on = sink_fault(engine.sink, &rows[i].fault);
    }
    row_count = 0;
    if (goes_on && engine.failed && engine.program && !engine.stop_is_given) {
        engine.stop_is_given = true;
        stop.stops = true;
        stop.count = 1;
        stop.file = stop.file ? stop.file : "?";
        stop.array = stop.array ? stop.array : "";
        stop.text = engine.message;
        goes_on = sink_fault(engine.sink, &stop);
    }
    engine_heed(goes_on);
}

void faults_give_refusal(void)
{
    const struct trace_fault fault = {.kind = FAULT_STOPPED,
                                      .stops = true,
                                      .count = 1,
                                      .file = "?",
                                      .array = "",
                                      .text = engine.refusal};
    if (engine.program)
        engine_heed(sink_fault(engine.sink, &fault));
}
