/* subscript.c - reads an index or a condition: a parser by precedence, as C has it.
 *
 * Terms are put behind their operands, so that the last one is the whole.
 */
#include "expression/subscript.h"

#include <ctype.h>
#include <string.h>

#include "expression/subscript_terms.h"

enum { NESTED_MOST = 32 };

struct reader {
    const struct words *words;
    struct subscript *out;
    const char *s, *end;
    unsigned nested;
};

/* What binds two operands; more binds tighter. */
static const struct binder {
    char text[3];
    uint8_t binds;
    uint8_t kind;
} binders[] = {
    /* Those of two characters first: "<<" is not "<". */
    {"||", 1, TERM_LOGICAL_OR}, {"&&", 2, TERM_LOGICAL_AND}, {"==", 6, TERM_EQUAL},
    {"!=", 6, TERM_UNEQUAL},    {"<=", 7, TERM_AT_MOST},     {">=", 7, TERM_AT_LEAST},
    {"<<", 8, TERM_SHIFT_LEFT}, {">>", 8, TERM_SHIFT_RIGHT}, {"|", 3, TERM_OR},
    {"^", 4, TERM_XOR},         {"&", 5, TERM_AND},          {"<", 7, TERM_LESS},
    {">", 7, TERM_GREATER},     {"+", 9, TERM_ADD},          {"-", 9, TERM_SUBTRACT},
    {"*", 10, TERM_MULTIPLY},   {"/", 10, TERM_DIVIDE},      {"%", 10, TERM_REMAINDER},
};
enum { BINDERS = sizeof binders / sizeof binders[0] };

static void skip_blanks(struct reader *r)
{
    while (r->s < r->end && isspace((unsigned char)*r->s))
        r->s++;
}

static bool begins_with(const struct reader *r, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(r->end - r->s) >= length && memcmp(r->s, text, length) == 0;
}

static bool take(struct reader *r, const char *text)
{
    skip_blanks(r);
    if (!begins_with(r, text))
        return false;
    r->s += strlen(text);
    return true;
}

static bool add(struct reader *r, struct subscript_term term, uint16_t *index)
{
    if (r->out->count == SUBSCRIPT_TERMS)
        return words_fail(r->words, term.at,
                          "the expression is too long; allowed: %d numbers, names and operators",
                          SUBSCRIPT_TERMS);
    *index = (uint16_t)r->out->count;
    r->out->term[r->out->count++] = term;
    return true;
}

static bool expect(struct reader *r, const char *text)
{
    if (take(r, text))
        return true;
    return words_fail(r->words, r->s, "'%s' is missing; allowed: '%s' or an operator", text, text);
}

static bool enter(struct reader *r)
{
    if (r->nested++ < NESTED_MOST)
        return true;
    return words_fail(r->words, r->s, "nested too deeply; allowed: %d levels", NESTED_MOST);
}

static bool read_choice(struct reader *r, uint16_t *index);

static bool is_name_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* A number or a name, without what follows. */
static struct word next_word(const struct reader *r)
{
    struct word word = {r->s, 0};
    while (word.s + word.length < r->end && is_name_part(word.s[word.length]))
        word.length++;
    return word;
}

static bool read_number(struct reader *r, struct word word, uint16_t *index)
{
    uint64_t number;
    if (!words_number(r->words, word, INT64_MAX, &number))
        return false;
    r->s += word.length;
    return add(
        r, (struct subscript_term){.kind = TERM_NUMBER, .at = word.s, .number = (int64_t)number},
        index);
}

/* min(a, b), max(a, b). */
static bool read_call(struct reader *r, struct word name, uint16_t *index)
{
    static const char *const functions[] = {"min", "max"};
    const size_t found = word_find(name, functions, 2);
    struct subscript_term term = {.kind = found ? TERM_MAX : TERM_MIN, .at = name.s};
    if (found == 2)
        return words_fail_unknown(r->words, name, "function", functions, 2);
    return read_choice(r, &term.part[0]) && expect(r, ",") && read_choice(r, &term.part[1]) &&
           expect(r, ")") && add(r, term, index);
}

static bool read_name(struct reader *r, struct word word, uint16_t *index)
{
    r->s += word.length;
    if (take(r, "("))
        return read_call(r, word, index);
    return add(r, (struct subscript_term){.kind = TERM_NAME, .at = word.s, .name = word}, index);
}

static bool read_marked(struct reader *r, uint16_t *index);

static bool read_operand(struct reader *r, uint16_t *index)
{
    static const char marks[] = "-~!";
    static const uint8_t kinds[] = {TERM_NEGATE, TERM_INVERT, TERM_NOT};
    skip_blanks(r);
    const struct word word = next_word(r);
    const char *at = r->s;
    const char *mark = at < r->end && *at ? strchr(marks, *at) : NULL;
    if (word.length != 0)
        return isdigit((unsigned char)word.s[0]) ? read_number(r, word, index)
                                                 : read_name(r, word, index);
    if (take(r, "("))
        return read_choice(r, index) && expect(r, ")");
    if (take(r, "+"))
        return read_marked(r, index);
    if (mark == NULL)
        return words_fail(
            r->words, at,
            "a number or a name is missing; allowed: a number, a name, '(', '+', '-', '~', "
            "'!', min(a, b), max(a, b)");
    struct subscript_term term = {.kind = kinds[mark - marks], .at = at};
    r->s++;
    return read_marked(r, &term.part[0]) && add(r, term, index);
}

/* Behind a mark: one level deeper, for there may be many. */
static bool read_marked(struct reader *r, uint16_t *index)
{
    if (!enter(r) || !read_operand(r, index))
        return false;
    r->nested--;
    return true;
}

static const struct binder *next_binder(struct reader *r)
{
    skip_blanks(r);
    for (size_t i = 0; i < BINDERS; i++)
        if (begins_with(r, binders[i].text))
            return &binders[i];
    return NULL;
}

/* Operands and operators that bind at least as tightly as `least`. */
static bool read_operation(struct reader *r, unsigned least, uint16_t *index)
{
    if (!read_operand(r, index))
        return false;
    while (true) {
        const struct binder *binder = next_binder(r);
        if (binder == NULL || binder->binds < least)
            return true;
        struct subscript_term term = {.kind = binder->kind, .at = r->s, .part = {*index}};
        r->s += strlen(binder->text);
        if (!read_operation(r, binder->binds + 1U, &term.part[1]) || !add(r, term, index))
            return false;
    }
}

static bool read_branches(struct reader *r, uint16_t *index)
{
    struct subscript_term term = {.kind = TERM_CHOICE, .at = r->s - 1, .part = {*index}};
    return read_choice(r, &term.part[1]) && expect(r, ":") && read_choice(r, &term.part[2]) &&
           add(r, term, index);
}

/* An operation, and ?: behind it: what stands alone, in parentheses or as an argument. */
static bool read_choice(struct reader *r, uint16_t *index)
{
    if (!enter(r) || !read_operation(r, 1, index) || (take(r, "?") && !read_branches(r, index)))
        return false;
    r->nested--;
    return true;
}

bool subscript_parse(const struct words *words, struct word text, struct subscript *out)
{
    struct reader r = {.words = words, .out = out, .s = text.s, .end = text.s + text.length};
    uint16_t index;
    out->count = 0;
    if (!read_choice(&r, &index))
        return false;
    skip_blanks(&r);
    if (r.s == r.end)
        return true;
    return words_fail(
        words, r.s,
        "'%c' cannot stand here; allowed: + - * / %% << >> & ^ | < <= > >= == != && || "
        "?:, or the end",
        *r.s >= ' ' && *r.s <= '~' ? *r.s : '?');
}
