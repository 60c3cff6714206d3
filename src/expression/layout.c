/* layout.c - reads layouts, and works out the element at a coordinate.
 *
 * Decisions: what is nested matters for reading alone, since a number as a coordinate goes through the modes from the first
 * to the last whatever the parentheses are. A composition is worked out coordinate by coordinate, A(B(c)), so it need not
 * be a layout itself, for which CuTe asks that shapes divide one another. A coordinate beyond the shape is an error; CuTe
 * would go on in the last mode.
 */
#include "expression/layout.h"

#include <inttypes.h>
#include <string.h>

enum { NESTED_MOST = 8, FORM_MOST = 8 * LAYOUT_MODES };

/* The form of a shape: its parentheses, commas and numbers ('n'), which that of the strides has to equal. */
struct form {
    size_t length;
    char s[FORM_MOST];
};

struct reader {
    const struct words *words;
    const char *s, *end;
    unsigned nested;
    uint32_t count;
    uint32_t numbers[LAYOUT_MODES];
    uint32_t top_count; /* numbers of the first mode */
    struct form form;
};

static bool at(const struct reader *r, char c)
{
    return r->s < r->end && *r->s == c;
}

static void skip_blanks(struct reader *r)
{
    while (at(r, ' ') || at(r, '\t') || at(r, '\n'))
        r->s++;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (!at(r, c))
        return false;
    r->s++;
    return true;
}

static bool note(struct reader *r, char c)
{
    if (r->form.length == FORM_MOST)
        return words_fail(r->words, r->s, "too many parentheses; allowed: %d", FORM_MOST);
    r->form.s[r->form.length++] = c;
    return true;
}

/* Digits; '_' in front of them is CuTe's for a constant. */
static bool read_digits(struct reader *r, uint64_t *value)
{
    skip_blanks(r);
    if (at(r, '_'))
        r->s++;
    struct word digits = {r->s, 0};
    while (r->s + digits.length < r->end && r->s[digits.length] >= '0' &&
           r->s[digits.length] <= '9')
        digits.length++;
    if (digits.length == 0)
        return words_fail(r->words, r->s,
                          "a number is missing in the layout; allowed: SHAPE:STRIDES, such as "
                          "(16,64):(64,1), or 16x64+8");
    r->s += digits.length;
    return words_number(r->words, digits, LAYOUT_NUMBER_MOST, value);
}

/* 64 or 64+8. */
static bool read_sum(struct reader *r, uint32_t *number)
{
    const char *from = r->s;
    uint64_t sum = 0, more;
    do {
        if (!read_digits(r, &more))
            return false;
        sum += more;
        if (sum > LAYOUT_NUMBER_MOST)
            return words_fail(r->words, from, "the sum is too large; allowed: %d",
                              LAYOUT_NUMBER_MOST);
    } while (take(r, '+'));
    *number = (uint32_t)sum;
    return true;
}

static bool read_leaf(struct reader *r)
{
    if (r->count == LAYOUT_MODES)
        return words_fail(r->words, r->s, "more than %d modes; allowed: %d", LAYOUT_MODES,
                          LAYOUT_MODES);
    return note(r, 'n') && read_sum(r, &r->numbers[r->count]) && ++r->count;
}

/* A number, or several in parentheses. */
static bool read_tuple(struct reader *r)
{
    if (!take(r, '('))
        return read_leaf(r);
    if (++r->nested > NESTED_MOST)
        return words_fail(r->words, r->s, "nested too deeply; allowed: %d levels", NESTED_MOST);
    if (!note(r, '('))
        return false;
    do {
        if (!read_tuple(r))
            return false;
        if (r->nested == 1 && r->top_count == 0)
            r->top_count = r->count;
        if (!note(r, ','))
            return false;
    } while (take(r, ','));
    r->nested--;
    if (!take(r, ')'))
        return words_fail(r->words, r->s, "')' is missing in the layout; allowed: ',' or ')'");
    return note(r, ')');
}

static bool is_small(const struct layout_part *part)
{
    return part->size <= LAYOUT_NUMBER_MOST;
}

static bool finish_shape(const struct reader *r, const char *from, struct layout_part *part)
{
    part->modes = r->count;
    part->size = part->top_size = 1;
    part->is_flat = r->form.s[0] == 'n';
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->numbers[i] == 0)
            return words_fail(r->words, from, "a shape of 0; allowed: 1 or more");
        part->mode[i] = (struct layout_mode){r->numbers[i], (uint32_t)part->size};
        part->size *= r->numbers[i];
        if (!is_small(part))
            return words_fail(r->words, from, "the shape has too many coordinates; allowed: %d",
                              LAYOUT_NUMBER_MOST);
        if (i < r->top_count || part->is_flat)
            part->top_size = part->size;
    }
    return true;
}

static bool read_strides(struct reader *shape, struct layout_part *part)
{
    struct reader r = {.words = shape->words, .s = shape->s, .end = shape->end};
    const char *from = r.s;
    if (!read_tuple(&r))
        return false;
    if (r.form.length != shape->form.length || memcmp(r.form.s, shape->form.s, r.form.length) != 0)
        return words_fail(r.words, from,
                          "the strides do not have the form of the shape; allowed: a stride for "
                          "each number of the shape, in the same parentheses");
    for (uint32_t i = 0; i < r.count; i++)
        part->mode[i].stride = r.numbers[i];
    shape->s = r.s;
    return true;
}

/* 16x64+8, behind the 16. */
static bool read_rows(struct reader *r, struct layout_part *part)
{
    uint64_t columns, pad = 0;
    const char *from = r->s;
    if (!read_digits(r, &columns) || (take(r, '+') && !read_digits(r, &pad)))
        return false;
    if (r->form.length != 1 || columns == 0 || columns * r->numbers[0] > LAYOUT_NUMBER_MOST)
        return words_fail(r->words, from,
                          "no rows and columns; allowed: ROWSxCOLUMNS, such as 16x64 or 16x64+8");
    part->modes = 2;
    part->mode[0] = (struct layout_mode){r->numbers[0], (uint32_t)(columns + pad)};
    part->mode[1] = (struct layout_mode){(uint32_t)columns, 1};
    part->size = columns * r->numbers[0];
    part->top_size = r->numbers[0];
    part->is_flat = false;
    return true;
}

static bool read_part(struct reader *r, struct layout_part *part)
{
    const char *from = r->s;
    struct reader one = {.words = r->words, .s = r->s, .end = r->end};
    if (!read_tuple(&one) || !finish_shape(&one, from, part))
        return false;
    const bool good = take(&one, ':')   ? read_strides(&one, part)
                      : take(&one, 'x') ? read_rows(&one, part)
                                        : true;
    r->s = one.s;
    return good;
}

bool layout_parse(const struct words *words, struct word text, struct layout *out)
{
    struct reader r = {.words = words, .s = text.s, .end = text.s + text.length};
    out->parts = 0;
    do {
        if (out->parts == LAYOUT_PARTS)
            return words_fail(words, r.s, "more than %d layouts in a composition; allowed: %d",
                              LAYOUT_PARTS, LAYOUT_PARTS);
        skip_blanks(&r);
        if (!read_part(&r, &out->part[out->parts]))
            return false;
        out->parts++;
    } while (take(&r, 'o'));
    skip_blanks(&r);
    return r.s == r.end ||
           words_fail(words, r.s,
                      "'%c' cannot stand in a layout; allowed: SHAPE:STRIDES, such as "
                      "(16,64):(64,1), 'o' between two of them, or the end",
                      *r.s > ' ' && *r.s <= '~' ? *r.s : '?');
}

bool layout_find(const struct words *words, const struct layout *layout, const char *from,
                 unsigned lane, uint64_t coordinate, uint64_t *element)
{
    for (uint32_t i = layout->parts; i-- != 0;) {
        const struct layout_part *part = &layout->part[i];
        uint64_t rest = coordinate;
        if (coordinate >= part->size)
            return words_fail(words, from,
                              "lane %u takes coordinate %" PRIu64 " of %s, which has %" PRIu64
                              "; allowed: a layout with it, or mask= without the lane",
                              lane, coordinate,
                              layout->parts == 1 ? "the layout"
                              : i == 0           ? "the first layout"
                                                 : "a layout behind 'o'",
                              part->size);
        coordinate = 0;
        for (uint32_t k = 0; k < part->modes; k++) {
            coordinate += rest % part->mode[k].shape * part->mode[k].stride;
            rest /= part->mode[k].shape;
        }
    }
    *element = coordinate;
    return true;
}
