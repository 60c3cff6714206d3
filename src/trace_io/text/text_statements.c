/* text_statements.c - the lines of a text trace that are no accesses: arrays, launches, managed
 * memory, sites, notes.
 */
#include <string.h>

#include "expression/expression.h"
#include "trace_io/text/text_reader.h"

enum { SHARED_GRANULE_BYTES = 256 }; /* as tracer/spaces.c places them */

/* A message that says nothing of where: the column is that of `at`. */
static bool fail_at(struct text_reader *r, const struct text_line *line, const char *at,
                    const char *message)
{
    words_fail(&line->words, at, "%s", message);
    return text_fail(r);
}

/* A name of the line, kept. NULL, with a message. */
static const char *keep(struct text_reader *r, const struct text_line *line, struct word name)
{
    r->builder.column = (size_t)(name.s - line->words.text) + 1;
    const char *kept = builder_name(&r->builder, name.s, name.length);
    r->builder.column = 0;
    return kept;
}

/* ---- Launches -------------------------------------------------------------------------------- */

bool text_launch_begins(struct text_reader *r)
{
    if (!r->launch_waits)
        return true;
    r->launch_waits = false;
    if (!builder_launch_begin(&r->builder, &r->launch))
        return false;
    r->builder.static_shared_bytes = r->shared_bytes;
    return true;
}

bool text_launch_is_over(struct text_reader *r, const uint64_t *shared)
{
    if (r->place == PLACE_TOP)
        return true;
    r->place = PLACE_TOP;
    return text_launch_begins(r) && text_parts_flush(r, true) &&
           builder_launch_end(&r->builder, shared);
}

static bool read_launch(struct text_reader *r, struct text_line *line)
{
    uint64_t shared = 0, registers = 0;
    struct word kernel, grid, block;
    struct line_option options[] = {
        {.name = "grid", .text = &grid, .is_needed = true},
        {.name = "block", .text = &block, .is_needed = true},
        {.name = "shared", .most = UINT32_MAX, .number = &shared},
        {.name = "registers", .most = UINT32_MAX, .number = &registers},
    };
    if (!text_launch_is_over(r, NULL))
        return false;
    r->launch = (struct launch_info){0};
    if (!line_name(line, "kernel's name", &kernel) || !line_options(line, options, 4) ||
        !line_sides(line, grid, r->launch.grid) || !line_sides(line, block, r->launch.block))
        return text_fail(r);
    r->launch.kernel = keep(r, line, kernel);
    r->launch.dynamic_shared_bytes = shared;
    r->launch.registers = (uint32_t)registers;
    r->place = PLACE_LAUNCH;
    r->launch_waits = true;
    r->shared_count = 0;
    r->shared_end = r->shared_bytes = 0;
    return r->launch.kernel != NULL;
}

/* "shared=128" of endblock and endlaunch. */
static bool read_shared_option(struct text_reader *r, struct text_line *line, uint64_t *number,
                               const uint64_t **given)
{
    struct line_option option = {.name = "shared", .most = UINT64_MAX, .number = number};
    if (!line_options(line, &option, 1))
        return text_fail(r);
    *given = option.at ? number : NULL;
    return true;
}

static bool read_endlaunch(struct text_reader *r, struct text_line *line)
{
    const uint64_t *shared = NULL;
    uint64_t number = 0;
    return read_shared_option(r, line, &number, &shared) && text_launch_is_over(r, shared);
}

static bool read_endblock(struct text_reader *r, struct text_line *line)
{
    const uint64_t *shared = NULL;
    const char *at = line->at;
    uint64_t number = 0;
    if (!read_shared_option(r, line, &number, &shared) || !text_parts_flush(r, true))
        return false;
    if (!r->builder.block_open)
        return fail_at(r, line, at, "no block is open; allowed: behind a part for one block");
    return builder_block_end(&r->builder, shared);
}

/* What has to come before the launch's first part. */
static bool is_early(struct text_reader *r, const struct text_line *line)
{
    return r->launch_waits ||
           fail_at(r, line, line->at, "too late; allowed: between 'launch' and its first part");
}

static bool read_shared(struct text_reader *r, struct text_line *line)
{
    struct shared_array *array = &r->shared[r->shared_count];
    struct line_option options[] = {
        {.name = "bytes", .most = 256 * 1024, .number = &array->bytes, .is_needed = true}};
    struct word name;
    if (!is_early(r, line))
        return false;
    if (r->shared_count == SHARED_ARRAYS_MOST)
        return fail_at(r, line, line->at, "more than 256 shared arrays; allowed: 256");
    if (!line_name(line, "array's name", &name) || !line_options(line, options, 1))
        return text_fail(r);
    for (size_t i = 0; i < r->shared_count; i++)
        if (word_is(name, r->shared[i].name))
            return fail_at(r, line, name.s, "a shared array of that name is there; allowed: once");
    array->name = keep(r, line, name);
    array->offset = r->shared_end;
    r->shared_end +=
        (array->bytes + SHARED_GRANULE_BYTES - 1) / SHARED_GRANULE_BYTES * SHARED_GRANULE_BYTES;
    r->shared_bytes += array->bytes;
    r->shared_count++;
    return array->name != NULL;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

static bool read_array(struct text_reader *r, struct text_line *line)
{
    uint64_t base = 0, bytes = 0;
    bool is_device = false, is_host = false, is_managed = false;
    struct line_option options[] = {
        {.name = "bytes", .most = ARRAY_ADDRESS_END, .number = &bytes, .is_needed = true},
        {.name = "base", .most = ARRAY_ADDRESS_END, .number = &base},
        {.name = "device", .flag = &is_device},
        {.name = "host", .flag = &is_host},
        {.name = "managed", .flag = &is_managed},
    };
    struct word name;
    const struct trace_array *other;
    if (!text_launch_is_over(r, NULL))
        return false;
    if (!line_name(line, "array's name", &name) || !line_options(line, options, 5))
        return text_fail(r);
    if (is_device + is_host + is_managed > 1)
        return fail_at(r, line, name.s, "one of device, host, managed is allowed");
    const char *kept = keep(r, line, name);
    if (kept == NULL)
        return false;
    if (options[1].at == NULL && array_table_find(&r->builder.arrays, kept, &other))
        return fail_at(r, line, name.s,
                       "an array of that name is there; allowed: another name, 'free all' before, "
                       "or base= for one of the same name");
    const char *error =
        array_table_add(&r->builder.arrays, kept, options[1].at ? &base : NULL, bytes,
                        is_host      ? HOME_HOST
                        : is_managed ? HOME_MANAGED
                                     : HOME_DEVICE);
    return error == NULL || fail_at(r, line, name.s, error);
}

static bool read_free(struct text_reader *r, struct text_line *line)
{
    struct text_word word;
    if (!text_launch_is_over(r, NULL))
        return false;
    if (!line_word(line, &word))
        return text_fail(r);
    if (!word_is(word.name, "all"))
        return fail_at(r, line, word.at, "arrays are freed together; allowed: free all");
    array_table_clear(&r->builder.arrays);
    return line_is_over(line) || text_fail(r);
}

static bool read_managed(struct text_reader *r, struct text_line *line)
{
    uint64_t base = 0, bytes = 0;
    bool none = false;
    struct line_option options[] = {
        {.name = "none", .flag = &none},
        {.name = "base", .most = ARRAY_ADDRESS_END, .number = &base},
        {.name = "bytes", .most = ARRAY_ADDRESS_END, .number = &bytes},
    };
    const char *at = line->at;
    if (!is_early(r, line))
        return false;
    if (!line_options(line, options, 3))
        return text_fail(r);
    if (none ? options[1].at || options[2].at : bytes == 0)
        return fail_at(r, line, at, "managed what?; allowed: base=ADDRESS bytes=NUMBER, or none");
    const char *error = none ? array_table_managed_none(&r->builder.arrays)
                             : array_table_managed(&r->builder.arrays, base, bytes);
    return error == NULL || fail_at(r, line, at, error);
}

/* "16*1": so many pages with those bits. */
static bool read_run(struct text_reader *r, struct text_line *line, struct word run)
{
    struct word bits;
    uint64_t count = 0, value = 0;
    struct word number = word_cut(run, '*', &bits);
    if (bits.s == NULL)
        return fail_at(r, line, run.s, "no run of pages; allowed: COUNT*BITS, such as 16*1");
    if (!words_number(&line->words, number, MANAGED_PAGES_MOST, &count) ||
        !words_number(&line->words, bits, 7, &value))
        return text_fail(r);
    const char *error = array_table_pages(&r->builder.arrays, count, (uint8_t)value);
    return error == NULL || fail_at(r, line, run.s, error);
}

static bool read_pages(struct text_reader *r, struct text_line *line)
{
    struct text_word word;
    if (!is_early(r, line))
        return false;
    while (true) {
        if (!line_word(line, &word))
            return text_fail(r);
        if (word.is_end)
            return true;
        if (!read_run(r, line, word.name))
            return false;
    }
}

/* ---- Notes and sites ------------------------------------------------------------------------- */

static const char *ended(struct word word)
{
    char *s = (char *)(uintptr_t)word.s; /* of the line, which is the reader's to write to */
    s[word.length] = '\0';
    return s;
}

static bool read_note(struct text_reader *r, struct text_line *line)
{
    struct word key, value;
    if (!line_name(line, "note's key", &key) || !line_name(line, "note's value", &value) ||
        !line_is_over(line))
        return text_fail(r);
    return (r->place == PLACE_TOP || text_launch_begins(r)) &&
           builder_note(&r->builder, ended(key), ended(value));
}

static bool read_site(struct text_reader *r, struct text_line *line)
{
    uint64_t number = 0, source = 0;
    struct word head, file = {"?", 1}, array = {"", 0};
    struct line_option options[] = {{.name = "file", .text = &file},
                                    {.name = "line", .most = UINT32_MAX, .number = &source},
                                    {.name = "array", .text = &array}};
    struct warp_access access;
    const char *at = line->at;
    if (r->place != PLACE_TOP && !text_launch_begins(r))
        return false;
    if (!line_number(line, UINT32_MAX, &number) || !line_name(line, "kind of access", &head) ||
        !expression_parse_head(&line->words, head, &access) || !line_options(line, options, 3))
        return text_fail(r);
    if (number != r->builder.sites.count)
        return fail_at(r, line, at, "sites are numbered from 0, in their order in the file");
    struct site_key key = {.site = {.file = builder_name(&r->builder, file.s, file.length),
                                    .line = (uint32_t)source,
                                    .space = access.space,
                                    .op = access.op,
                                    .width = access.width}};
    key.site.array = key.site.file ? builder_name(&r->builder, array.s, array.length) : NULL;
    return key.site.array && builder_site_add(&r->builder, &key);
}

/* ---- Heads and ends --------------------------------------------------------------------------- */

static bool read_part_head(struct text_reader *r, struct text_line *line)
{
    line->at = (char *)(uintptr_t)line->words.text;
    return text_part_begin(r, line);
}

static bool read_end(struct text_reader *r, struct text_line *line)
{
    r->place = PLACE_LAUNCH;
    return line_is_over(line) || text_fail(r);
}

const struct text_statement text_statements[TEXT_STATEMENTS] = {
    {"note", read_note, PLACE_TOP | PLACE_LAUNCH},
    {"array", read_array, PLACE_TOP | PLACE_LAUNCH},
    {"free", read_free, PLACE_TOP | PLACE_LAUNCH},
    {"launch", read_launch, PLACE_TOP | PLACE_LAUNCH},
    {"site", read_site, PLACE_TOP | PLACE_LAUNCH | PLACE_PART},
    {"shared", read_shared, PLACE_LAUNCH},
    {"managed", read_managed, PLACE_LAUNCH},
    {"pages", read_pages, PLACE_LAUNCH},
    {"all", read_part_head, PLACE_LAUNCH},
    {"block", read_part_head, PLACE_LAUNCH},
    {"blocks", read_part_head, PLACE_LAUNCH},
    {"warp", read_part_head, PLACE_LAUNCH},
    {"warps", read_part_head, PLACE_LAUNCH},
    {"end", read_end, PLACE_PART},
    {"endblock", read_endblock, PLACE_LAUNCH},
    {"fault", text_read_fault, PLACE_TOP | PLACE_LAUNCH},
    {"endlaunch", read_endlaunch, PLACE_LAUNCH},
};
