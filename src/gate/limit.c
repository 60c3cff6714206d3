/* limit.c - text <-> limit. */
#include "gate/limit.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "models/models.h"
#include "text/nearest.h"
#include "text/characters.h"

#define ALLOWED "allowed is [FILE:LINE:|array NAME:|kernel NAME:]COUNTER[@GPU]=VALUE"

__attribute__((format(printf, 2, 3))) static bool refuse(char message[LIMIT_MESSAGE_BYTES],
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, LIMIT_MESSAGE_BYTES, format, arguments);
    va_end(arguments);
    text_make_printable(message);
    return false;
}

/* Copies a piece that fits and is not empty. */
static bool copy_piece(char *to, size_t room, const char *begin, const char *end)
{
    size_t length = (size_t)(end - begin);
    if (begin >= end || length >= room)
        return false;
    memcpy(to, begin, length);
    to[length] = '\0';
    return true;
}

static bool read_bound(struct limit *limit, const char *text)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    limit->bound = strtod(text, &end);
    return *end == '\0' && isfinite(limit->bound) && strpbrk(text, "xX") == NULL;
}

/* FILE:LINE, "array NAME" or "kernel NAME", from begin to end. */
static bool read_place(struct limit *limit, const char *begin, const char *end)
{
    static const struct {
        const char *word;
        enum limit_place place;
    } words[] = {{"array ", LIMIT_ARRAY}, {"kernel ", LIMIT_KERNEL}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if ((size_t)(end - begin) > length && strncmp(begin, words[i].word, length) == 0) {
            limit->place = words[i].place;
            return copy_piece(limit->name, sizeof limit->name, begin + length, end);
        }
    }
    const char *digits = end;
    while (digits > begin && isdigit((unsigned char)digits[-1]))
        digits--;
    unsigned long line = digits < end && end - digits <= 9 ? strtoul(digits, NULL, 10) : 0;
    if (line == 0 || digits == begin || digits[-1] != ':')
        return false;
    for (const char *at = begin; at < digits - 1; at++) /* results have base names */
        begin = *at == '/' ? at + 1 : begin;
    limit->place = LIMIT_LINE;
    limit->line = (uint32_t)line;
    return copy_piece(limit->name, sizeof limit->name, begin, digits - 1);
}

bool limit_is_of_faults(const struct limit *limit, enum fault_kind *kind)
{
    *kind = fault_kind_named(limit->quantity);
    return *kind < FAULT_KINDS || strcmp(limit->quantity, "faults") == 0;
}

static bool know_quantity(const struct limit *limit, char message[LIMIT_MESSAGE_BYTES])
{
    struct quantity quantity;
    enum fault_kind kind;
    struct nearest nearest = nearest_start(limit->quantity);
    char text[NEAREST_TEXT_BYTES];
    if (limit_is_of_faults(limit, &kind) ||
        quantity_find(limit->quantity, ~0U, &quantity) == QUANTITY_FOUND)
        return true;
    for (size_t i = 0; i < quantity_count(); i++)
        nearest_offer(&nearest, quantity_at(i).name);
    nearest_offer(&nearest, "faults");
    for (unsigned i = 0; i < FAULT_KINDS; i++)
        nearest_offer(&nearest, fault_kinds[i].name);
    return refuse(message, "unknown counter %s%s; `warplens counters` lists them", limit->quantity,
                  nearest_text(&nearest, text));
}

/* sm_13 and the like get the chip's name. */
static void name_chip(struct limit *limit)
{
    const struct gpu_model *model = models_find(limit->gpu);
    if (model)
        snprintf(limit->gpu, sizeof limit->gpu, "%s", model->name);
}

bool limit_read(struct limit *limit, const char *text, bool is_least,
                char message[LIMIT_MESSAGE_BYTES])
{
    *limit = (struct limit){.is_least = is_least};
    const char *equals = strrchr(text, '=');
    if (equals == NULL || !read_bound(limit, equals + 1))
        return refuse(message, "%.200s: " ALLOWED ", with a value from 0 on", text);
    const char *at = equals;
    while (at > text && at[-1] != '@' && at[-1] != ':')
        at--;
    bool has_gpu = at > text && at[-1] == '@';
    const char *end = has_gpu ? at - 1 : equals;
    if (has_gpu && !copy_piece(limit->gpu, sizeof limit->gpu, at, equals))
        return refuse(message, "%.200s: " ALLOWED, text);
    const char *name = end;
    while (name > text && name[-1] != ':')
        name--;
    if (!copy_piece(limit->quantity, sizeof limit->quantity, name, end) ||
        (name > text && !read_place(limit, text, name - 1)))
        return refuse(message, "%.200s: " ALLOWED, text);
    name_chip(limit);
    return know_quantity(limit, message);
}

bool limit_is_for(const struct limit *limit, const char *gpu)
{
    return limit->gpu[0] == '\0' || strcmp(limit->gpu, gpu) == 0;
}

const char *limit_subject(const struct limit *limit, char text[LIMIT_TEXT_BYTES])
{
    static const char *const words[] = {[LIMIT_WHOLE] = "",
                                        [LIMIT_LINE] = "",
                                        [LIMIT_ARRAY] = "array ",
                                        [LIMIT_KERNEL] = "kernel "};
    char line[16] = "";
    if (limit->place == LIMIT_LINE)
        snprintf(line, sizeof line, ":%u", limit->line);
    snprintf(text, LIMIT_TEXT_BYTES, "%s%s%s%s%s%s%s", words[limit->place], limit->name, line,
             limit->place == LIMIT_WHOLE ? "" : ":", limit->quantity, limit->gpu[0] ? "@" : "",
             limit->gpu);
    return text;
}

const char *limit_wanted(const struct limit *limit, char text[LIMIT_TEXT_BYTES])
{
    int used = snprintf(text, LIMIT_TEXT_BYTES, "at %s %.10g", limit->is_least ? "least" : "most",
                        limit->bound);
    if (limit->is_baseline && limit->tolerance_percent > 0)
        snprintf(text + used, LIMIT_TEXT_BYTES - (size_t)used, " (%.10g and %.10g %%)",
                 limit->baseline, limit->tolerance_percent);
    return text;
}

const char *limit_seen(const struct outcome *outcome, char text[LIMIT_TEXT_BYTES])
{
    if (outcome->status == LIMIT_NO_VALUE)
        snprintf(text, LIMIT_TEXT_BYTES, "no value");
    else
        snprintf(text, LIMIT_TEXT_BYTES, "%.10g %s", outcome->value, outcome->unit);
    return text;
}
