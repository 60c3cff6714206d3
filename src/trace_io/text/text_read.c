/* text_read.c - a text trace line by line: which line may stand where. Only what the next lines need
 * is kept.
 */
#include "trace_io/text/text_read.h"

#include <string.h>

#include "trace_io/text/text_reader.h"

bool text_fail(struct text_reader *r)
{
    r->builder.column = 0; /* the message has it */
    return builder_fail(&r->builder, "%s", r->error);
}

/* ---- All lines ------------------------------------------------------------------------------- */

static const struct text_statement *find_statement(struct word word)
{
    for (size_t i = 0; i < TEXT_STATEMENTS; i++)
        if (word_is(word, text_statements[i].name))
            return &text_statements[i];
    return NULL;
}

static bool fail_place(struct text_reader *r, const struct text_line *line, struct word word)
{
    static const char *const places[] = {[PLACE_TOP] = "outside a launch; write 'launch' first",
                                         [PLACE_LAUNCH] =
                                             "outside a part; write 'all warps' or the like first",
                                         [PLACE_PART] = "inside a part; write 'end' first"};
    const char *allowed[TEXT_STATEMENTS];
    size_t count = 0;
    for (size_t i = 0; i < TEXT_STATEMENTS; i++)
        if (text_statements[i].places & r->place)
            allowed[count++] = text_statements[i].name;
    if (find_statement(word) || word_is(word, "bar") || word_is(word, "exit") ||
        memchr(word.s, '.', word.length))
        words_fail(&line->words, word.s, "this does not go here, %s", places[r->place]);
    else
        words_fail_unknown(&line->words, word, "line", allowed, count);
    return text_fail(r);
}

static bool read_line(struct text_reader *r, char *text)
{
    struct text_line line = {{text, r->error, sizeof r->error}, text};
    struct word word = word_next(text);
    if (word.length == 0 || word.s[0] == '#')
        return true;
    const struct text_statement *statement = find_statement(word);
    if (statement == NULL && r->place == PLACE_PART)
        return text_part_line(r, text);
    if (statement == NULL || !(statement->places & r->place))
        return fail_place(r, &line, word);
    line.at += word.s - text + (ptrdiff_t)word.length;
    return statement->read(r, &line);
}

static bool read_first_line(struct text_reader *r)
{
    static const char prefix[] = "warplens text trace ";
    char *text = input_line(r->input);
    if (text == NULL)
        return input_fail(r->input, "an empty file; a text trace begins with the line '%s'",
                          TEXT_TRACE_FIRST_LINE);
    line_cut_comment(text);
    text[strcspn(text, "\t")] = '\0';
    for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--)
        text[end - 1] = '\0';
    if (strcmp(text, TEXT_TRACE_FIRST_LINE) == 0)
        return true;
    if (strncmp(text, prefix, sizeof prefix - 1) == 0)
        return input_fail(r->input, "column %zu: a text trace of another version; allowed: 1",
                          sizeof prefix);
    return input_fail(r->input, "column 1: no text trace; its first line is '%s'",
                      TEXT_TRACE_FIRST_LINE);
}

static bool read_lines(struct text_reader *r)
{
    for (char *text = input_line(r->input); text; text = input_line(r->input))
        if (!read_line(r, text))
            return false;
    if (r->input->failed)
        return false;
    if (r->place == PLACE_PART)
        return input_fail(r->input,
                          "the file ends inside a part; write 'end' behind its last line");
    return text_launch_is_over(r, NULL);
}

const char *text_trace_read(struct trace_input *input, const struct trace_sink *sink)
{
    struct text_reader r = {.input = input, .place = PLACE_TOP};
    const char *slash = strrchr(input->name, '/');
    r.file = slash ? slash + 1 : input->name;
    if (builder_start(&r.builder, input, sink) && read_first_line(&r))
        read_lines(&r);
    text_parts_free(&r.waiting);
    builder_free(&r.builder);
    return input->failed ? input->message : NULL;
}
