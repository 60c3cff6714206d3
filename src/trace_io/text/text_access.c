/* text_access.c - a line with an access: [FILE:LINE | @SITE] ld.global.f32 base=in+4*block ...
 *
 * Decisions. Names in an address are arrays and the indices of the warp. An access is of the array
 * that its address names first; array= says otherwise. An access of memory of the host, or managed
 * memory, has that flag when its address names the array. Without a source line, the line of the
 * trace itself is the source.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text/nearest.h"
#include "expression/expression.h"
#include "stream/launch_size.h"
#include "trace_io/text/text_reader.h"

/* The access being read. */
struct access_line {
    struct text_reader *reader;
    uint32_t warp;
};

enum { INDICES = 5 };
static const char *const index_names[INDICES] = {"block", "block.x", "block.y", "block.z", "warp"};

static int64_t index_value(const struct access_line *a, size_t index)
{
    const struct trace_builder *b = &a->reader->builder;
    const uint32_t *grid = b->launch.grid;
    const uint32_t values[INDICES] = {b->block, b->block % grid[0], b->block / grid[0] % grid[1],
                                      b->block / grid[0] / grid[1], a->warp};
    return values[index];
}

static bool is_global(enum mem_space space)
{
    return space == SPACE_GLOBAL || space == SPACE_TEXTURE;
}

static bool fail_name(const struct access_line *a, enum mem_space space, struct word name,
                      char message[EXPRESSION_NAME_BYTES])
{
    const struct text_reader *r = a->reader;
    char wanted[64], near[NEAREST_TEXT_BYTES];
    snprintf(wanted, sizeof wanted, "%.*s", (int)name.length, name.s);
    for (char *c = wanted; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    struct nearest nearest = nearest_start(wanted);
    for (size_t i = 0; i < INDICES; i++)
        nearest_offer(&nearest, index_names[i]);
    for (size_t i = 0; is_global(space) && i < r->builder.arrays.count; i++)
        nearest_offer(&nearest, r->builder.arrays.arrays[i].name);
    for (size_t i = 0; space == SPACE_SHARED && i < r->shared_count; i++)
        nearest_offer(&nearest, r->shared[i].name);
    snprintf(message, EXPRESSION_NAME_BYTES,
             "no %s '%.20s'; allowed: numbers, %s, block, block.x, block.y, block.z, warp%.60s",
             is_global(space)        ? "array"
             : space == SPACE_SHARED ? "shared array"
                                     : "index",
             wanted,
             is_global(space)        ? "arrays"
             : space == SPACE_SHARED ? "shared arrays"
                                     : "no arrays here",
             nearest_text(&nearest, near));
    return false;
}

static bool array_value(struct access_line *a, struct word name, int64_t *value,
                        char message[EXPRESSION_NAME_BYTES])
{
    struct text_reader *r = a->reader;
    const struct trace_array *array = NULL;
    const char *known = names_find(&r->builder.names, name.s, name.length);
    size_t count = known ? array_table_find(&r->builder.arrays, known, &array) : 0;
    if (count == 0)
        return fail_name(a, SPACE_GLOBAL, name, message);
    if (count > 1) {
        snprintf(message, EXPRESSION_NAME_BYTES,
                 "%zu arrays are called '%.20s'; allowed: the address as a number", count, known);
        return false;
    }
    if (r->named == NULL)
        r->named = array;
    *value = (int64_t)array->base;
    return true;
}

static bool shared_value(struct access_line *a, struct word name, int64_t *value,
                         char message[EXPRESSION_NAME_BYTES])
{
    struct text_reader *r = a->reader;
    for (size_t i = 0; i < r->shared_count; i++)
        if (word_is(name, r->shared[i].name)) {
            if (r->named_shared == NULL)
                r->named_shared = r->shared[i].name;
            *value = (int64_t)r->shared[i].offset;
            return true;
        }
    return fail_name(a, SPACE_SHARED, name, message);
}

static bool name_value(void *context, enum mem_space space, struct word name, int64_t *value,
                       char message[EXPRESSION_NAME_BYTES])
{
    struct access_line *a = context;
    size_t index = word_find(name, index_names, INDICES);
    if (index < INDICES) {
        *value = index_value(a, index);
        return true;
    }
    if (is_global(space))
        return array_value(a, name, value, message);
    if (space == SPACE_SHARED)
        return shared_value(a, name, value, message);
    return fail_name(a, space, name, message);
}

/* What stands before the access. */
struct access_place {
    bool has_number; /* @12 */
    uint32_t number;
    struct word file; /* s is NULL: none */
    uint64_t line;
};

static bool read_place(struct text_reader *r, const struct text_line *l, struct word word,
                       struct access_place *place)
{
    const char *colon = NULL;
    for (size_t i = 0; i < word.length; i++)
        if (word.s[i] == ':')
            colon = word.s + i;
    if (word.s[0] == '@') {
        uint64_t number = 0;
        struct word digits = {word.s + 1, word.length - 1};
        if (!words_number(&l->words, digits, UINT32_MAX, &number))
            return false;
        if (number >= r->builder.sites.count)
            return words_fail(&l->words, digits.s,
                              "there is no site %" PRIu64
                              " yet; allowed: the sites before, %" PRIu32 " so far",
                              number, r->builder.sites.count);
        place->has_number = true;
        place->number = (uint32_t)number;
        return true;
    }
    place->file = (struct word){word.s, (size_t)(colon - word.s)};
    struct word digits = {colon + 1, word.length - place->file.length - 1};
    return words_number(&l->words, digits, UINT32_MAX, &place->line);
}

/* The site of an access that names its place, or nothing. */
static bool find_site(struct text_reader *r, const struct expression *e,
                      const struct access_place *place, uint32_t *number)
{
    struct site_key key = {.site = {.line = (uint32_t)place->line,
                                    .space = e->access.space,
                                    .op = e->access.op,
                                    .width = e->access.width}};
    struct word file = place->file, array = e->array;
    if (file.s == NULL) {
        file = (struct word){r->file, strlen(r->file)};
        key.site.line = (uint32_t)r->input->line;
    }
    if (array.s == NULL) {
        array.s = r->named ? r->named->name : r->named_shared ? r->named_shared : "";
        array.length = strlen(array.s);
    }
    key.site.file = builder_name(&r->builder, file.s, file.length);
    key.site.array = key.site.file ? builder_name(&r->builder, array.s, array.length) : NULL;
    return key.site.array && builder_site(&r->builder, &key, number);
}

/* The site of a numbered access is known; of others it is found by what they say. */
static bool give_site(struct text_reader *r, const struct text_line *l, struct expression *e,
                      const struct access_place *place)
{
    if (!place->has_number)
        return find_site(r, e, place, &e->access.site);
    e->access.site = place->number;
    if (e->array.s == NULL)
        return true;
    words_fail(&l->words, e->array.s, "array= does not go with @SITE; allowed: one or the other");
    return text_fail(r);
}

static bool has_place(struct word word)
{
    return word.length && (word.s[0] == '@' || memchr(word.s, ':', word.length));
}

bool text_access(struct text_reader *r, char *text, uint32_t warp)
{
    struct access_line a = {r, warp};
    struct text_line line = {{text, r->error, sizeof r->error}, text};
    struct expression_setting setting = {&a, name_value, launch_lanes(&r->builder.launch, warp)};
    struct access_place place = {0};
    struct expression e;
    struct word word = word_next(text);
    const char *at = word.s;
    r->named = NULL;
    r->named_shared = NULL;
    if (has_place(word)) {
        if (!read_place(r, &line, word, &place))
            return text_fail(r);
        at = word.s + word.length;
    }
    if (!expression_parse_traced(&line.words, at, &setting, &e))
        return text_fail(r);
    if (r->named && !e.has_flags)
        e.access.flags |= array_home_flags((enum array_home)r->named->home);
    e.access.block = r->builder.block;
    e.access.warp = warp;
    if (!give_site(r, &line, &e, &place))
        return false;
    if (r->has_bulk)
        return text_give_bulk(r, &e.access);
    return r->has_copy ? text_give_copy(r, &e.access) : builder_access(&r->builder, &e.access);
}
