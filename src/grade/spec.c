/* spec.c - strict: a word that is not known, one that is there twice, a value that is not allowed end the
 * reading with a message. Limits are those of `warplens gate` (limit.h). */
#include "grade/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/memory.h"
#include "text/nearest.h"
#include "text/characters.h"
#include "stream/input.h"

struct reader {
    struct trace_input input;
    struct grade_spec *spec;
    bool given[8]; /* words, by their place in the table */
};

static bool refuse_text(struct reader *r, const char *word, const char *allowed)
{
    return input_fail(&r->input, "%s: allowed is %s", word, allowed);
}

/* Cuts the first word off; what is behind it, without blanks in front. */
static char *split_word(char *text)
{
    size_t length = strcspn(text, " \t");
    char *rest = text + length;
    if (*rest)
        *rest++ = '\0';
    return text_trim(rest);
}

static bool copy_text(struct reader *r, const char *word, char to[SPEC_TEXT_BYTES],
                      const char *value)
{
    if (strlen(value) >= SPEC_TEXT_BYTES)
        return refuse_text(r, word, "at most 255 bytes");
    for (const char *at = value; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return refuse_text(r, word, "text without control characters");
    strcpy(to, value);
    return true;
}

/* Digits from `least` to `most`, and nothing behind. */
static bool read_number(const char *text, unsigned least, unsigned most, unsigned *value)
{
    char *end;
    if (!isdigit((unsigned char)*text) || strlen(text) > 6)
        return false;
    *value = (unsigned)strtoul(text, &end, 10);
    return *end == '\0' && *value >= least && *value <= most;
}

/* ---- Statements ------------------------------------------------------------------------------------ */

static bool take_title(struct reader *r, char *value)
{
    return copy_text(r, "title", r->spec->title, value);
}

static bool take_gpu(struct reader *r, char *value)
{
    r->spec->gpus_line = (unsigned)r->input.line;
    return copy_text(r, "gpu", r->spec->gpus, value);
}

static bool take_must_print(struct reader *r, char *value)
{
    return copy_text(r, "must_print", r->spec->prints, value);
}

static bool take_timeout(struct reader *r, char *value)
{
    return read_number(value, 1, SPEC_TIMEOUT_MAX_S, &r->spec->timeout_s) ||
           refuse_text(r, "timeout", "1 to 3600 seconds");
}

static bool take_arguments(struct reader *r, char *value)
{
    size_t count = 0;
    if (!copy_text(r, "arguments", r->spec->argument_text, value))
        return false;
    for (char *at = text_trim(r->spec->argument_text), *next; *at; at = next) {
        next = split_word(at);
        if (count == SPEC_ARGUMENTS_MAX)
            return refuse_text(r, "arguments", "at most 32 words");
        r->spec->arguments[count++] = at;
    }
    return true;
}

static bool take_limit(struct reader *r, struct spec_item *item, const char *kind, char *text)
{
    char message[LIMIT_MESSAGE_BYTES];
    return limit_read(&item->limit, text, strcmp(kind, "min") == 0, message) ||
           input_fail(&r->input, "%.300s", message);
}

/* points N pass | points N no faults | points N min LIMIT | points N max LIMIT */
static bool take_points(struct reader *r, char *value)
{
    struct grade_spec *spec = r->spec;
    char *kind = split_word(value), *rest = split_word(kind);
    if (spec->item_count == SPEC_ITEMS_MAX)
        return input_fail(&r->input, "points: more than %d lines", SPEC_ITEMS_MAX);
    struct spec_item *item = &spec->items[spec->item_count];
    *item = (struct spec_item){.line = (unsigned)r->input.line};
    if (!read_number(value, 1, SPEC_POINTS_MAX, &item->points))
        return refuse_text(r, "points",
                           "points N pass, points N no faults, points N min LIMIT or points N max "
                           "LIMIT, with N from 1 to 1000");
    item->is_pass = strcmp(kind, "pass") == 0 && *rest == '\0';
    static char none[] = "faults=0";
    const bool is_none = strcmp(kind, "no") == 0 && strcmp(rest, "faults") == 0;
    const bool is_limit = is_none || strcmp(kind, "min") == 0 || strcmp(kind, "max") == 0;
    rest = is_none ? none : rest;
    if (!item->is_pass && !is_limit)
        return refuse_text(r, "points N", "pass, no faults, min LIMIT or max LIMIT");
    if (is_limit && !take_limit(r, item, kind, rest))
        return false;
    spec->item_count++;
    spec->points += item->points;
    return true;
}

static const struct {
    const char *name;
    bool is_often;
    bool (*take)(struct reader *r, char *value);
} words[] = {
    {"title", false, take_title},           {"gpu", false, take_gpu},
    {"arguments", false, take_arguments},   {"timeout", false, take_timeout},
    {"must_print", false, take_must_print}, {"points", true, take_points},
};

static bool unknown_word(struct reader *r, const char *word)
{
    struct nearest nearest = nearest_start(word);
    char text[NEAREST_TEXT_BYTES];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        nearest_offer(&nearest, words[i].name);
    return input_fail(&r->input,
                      "%.40s: unknown word%s; there are title, gpu, arguments, timeout, must_print "
                      "and points",
                      word, nearest_text(&nearest, text));
}

static bool take_line(struct reader *r, char *line)
{
    line = text_trim(line);
    if (*line == '\0' || *line == '#')
        return true;
    char *value = split_word(line);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(line, words[i].name) != 0)
            continue;
        if (r->given[i] && !words[i].is_often)
            return input_fail(&r->input, "%s: given before", line);
        if (*value == '\0')
            return input_fail(&r->input, "%s: has no value", line);
        r->given[i] = true;
        return words[i].take(r, value);
    }
    return unknown_word(r, line);
}

/* ---- The whole ------------------------------------------------------------------------------------- */

static bool take_lines(struct reader *r)
{
    char *line;
    while ((line = input_line(&r->input)) != NULL) {
        if (r->input.bytes > SPEC_FILE_BYTES)
            return input_fail(&r->input, "more than %d bytes", SPEC_FILE_BYTES);
        if (!take_line(r, line))
            return false;
    }
    if (!r->input.failed && r->spec->item_count == 0)
        input_fail(&r->input, "no line gives points: points N pass, points N min LIMIT, ...");
    return !r->input.failed;
}

bool spec_read(struct grade_spec *spec, const char *path, char message[SPEC_MESSAGE_BYTES],
               bool *is_io)
{
    struct reader *r = memory_take(1, sizeof *r);
    FILE *file = fopen(path, "rbe");
    bool fine = r && file;
    *spec = (struct grade_spec){.gpus = "h200", .timeout_s = SPEC_TIMEOUT_S};
    *is_io = !fine;
    if (fine) {
        r->spec = spec;
        input_start(&r->input, file, path);
        input_skip_mark(&r->input);
        fine = take_lines(r);
        *is_io = ferror(file) != 0;
        snprintf(message, SPEC_MESSAGE_BYTES, "%s", r->input.message);
    } else {
        snprintf(message, SPEC_MESSAGE_BYTES, "%.300s: cannot open: %s", path,
                 strerror(errno ? errno : ENOMEM));
    }
    if (spec->title[0] == '\0')
        snprintf(spec->title, sizeof spec->title, "%.250s", path);
    if (file)
        fclose(file);
    free(r);
    return fine;
}
