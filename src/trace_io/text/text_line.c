/* text_line.c - see text_line.h. Texts in quotes are unpacked where they stand. */
#include "trace_io/text/text_line.h"

#include <string.h>

static const char blanks[] = " \t";

enum { OPTIONS_MOST = 16 };

void line_cut_comment(char *line)
{
    for (char *mark = strchr(line, '#'); mark; mark = strchr(mark + 1, '#'))
        if (mark == line || mark[-1] == ' ' || mark[-1] == '\t') {
            *mark = '\0';
            return;
        }
}

static int hex_value(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* The character behind a backslash; *at is moved behind it. 0: there is no such thing. */
static char take_escaped(char **at)
{
    char c = *(*at)++;
    int high = c == 'x' ? hex_value((*at)[0]) : -1;
    int low = high >= 0 ? hex_value((*at)[1]) : -1;
    if (c == '"' || c == '\\')
        return c;
    if (c == 'n' || c == 't')
        return c == 'n' ? '\n' : '\t';
    if (low < 0)
        return 0;
    *at += 2;
    return (char)(unsigned char)(16 * high + low);
}

static bool take_quoted(struct text_line *line, struct word *text)
{
    char *begin = line->at, *from = begin + 1, *to = begin;
    while (*from != '"') {
        if (*from == '\0')
            return words_fail(&line->words, begin, "a quote that is not closed; allowed: \"text\"");
        char c = *from++;
        if (c == '\\') {
            const char *backslash = from - 1;
            c = take_escaped(&from);
            if (c == 0)
                return words_fail(&line->words, backslash,
                                  "what is behind the backslash is unknown; allowed: \\\" \\\\ \\n "
                                  "\\t \\x01 to \\xff");
        }
        *to++ = c;
    }
    *text = (struct word){begin, (size_t)(to - begin)};
    line->at = from + 1;
    if (*line->at != '\0' && *line->at != '=' && strchr(blanks, *line->at) == NULL)
        return words_fail(&line->words, line->at, "text behind a closing quote; allowed: a blank");
    return true;
}

static bool take_text(struct text_line *line, const char *ends, struct word *text)
{
    if (*line->at == '"')
        return take_quoted(line, text);
    *text = (struct word){line->at, strcspn(line->at, ends)};
    line->at += text->length;
    return true;
}

bool line_word(struct text_line *line, struct text_word *word)
{
    line->at += strspn(line->at, blanks);
    *word = (struct text_word){.at = line->at, .name = {line->at, 0}};
    word->is_end = *line->at == '\0' || *line->at == '#';
    if (word->is_end)
        return true;
    if (!take_text(line, " \t=", &word->name))
        return false;
    if (*line->at != '=')
        return true;
    line->at++;
    return take_text(line, blanks, &word->value);
}

bool line_name(struct text_line *line, const char *what, struct word *name)
{
    struct text_word word;
    if (!line_word(line, &word))
        return false;
    if (word.is_end || word.value.s)
        return words_fail(&line->words, word.at, "the %s is missing; allowed: a word, or \"text\"",
                          what);
    *name = word.name;
    return true;
}

bool line_number(struct text_line *line, uint64_t most, uint64_t *number)
{
    struct text_word word;
    return line_word(line, &word) && words_number(&line->words, word.name, most, number);
}

static bool read_option(struct text_line *line, const struct text_word *word,
                        struct line_option *option)
{
    if (option->at)
        return words_fail(&line->words, word->at, "'%s' is given twice; allowed: once",
                          option->name);
    option->at = word->at;
    if (option->flag && word->value.s)
        return words_fail(&line->words, word->value.s, "'%s' has no value; allowed: %s alone",
                          option->name, option->name);
    if (!option->flag && word->value.s == NULL)
        return words_fail(&line->words, line->at, "'%s' has no value; allowed: %s=...",
                          option->name, option->name);
    if (option->flag)
        *option->flag = true;
    else if (option->text)
        *option->text = word->value;
    else
        return words_number(&line->words, word->value, option->most, option->number);
    return true;
}

/* The option that a word names; NULL, with a message, when there is none. */
static struct line_option *find_option(const struct text_line *line, const struct text_word *word,
                                       struct line_option *options, size_t count)
{
    const char *names[OPTIONS_MOST];
    for (size_t i = 0; i < count; i++)
        names[i] = options[i].name;
    size_t found = word_find(word->name, names, count);
    if (found < count)
        return &options[found];
    words_fail_unknown(&line->words, word->name, "word", names, count);
    return NULL;
}

bool line_options(struct text_line *line, struct line_option *options, size_t count)
{
    struct text_word word;
    while (true) {
        if (!line_word(line, &word))
            return false;
        if (word.is_end)
            break;
        struct line_option *option = find_option(line, &word, options, count);
        if (option == NULL || !read_option(line, &word, option))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        if (options[i].is_needed && options[i].at == NULL)
            return words_fail(&line->words, word.at, "%s= is missing; allowed: %s=...",
                              options[i].name, options[i].name);
    return true;
}

bool line_is_over(struct text_line *line)
{
    struct text_word word;
    if (!line_word(line, &word))
        return false;
    return word.is_end ||
           words_fail(&line->words, word.at, "more than belongs here; allowed: the line's end");
}

bool line_sides(const struct text_line *line, struct word word, uint32_t sides[3])
{
    struct word rest = word;
    sides[0] = sides[1] = sides[2] = 1;
    for (int i = 0; rest.s != NULL; i++) {
        struct word side = word_cut(rest, ',', &rest);
        uint64_t number = 0;
        if (i == 3)
            return words_fail(&line->words, side.s,
                              "more than three sides; allowed: X, X,Y or "
                              "X,Y,Z");
        if (!words_number(&line->words, side, UINT32_MAX, &number))
            return false;
        sides[i] = (uint32_t)number;
    }
    return true;
}
