/* kernel_name.c - demangled names and names of the source. nvcc, gcc and clang write the same argument in different
 * ways ((unsigned int)64, 64u, 64; const float, float const): each becomes one text. */
#define _GNU_SOURCE
#include "validate/kernel_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/result.h"

/* ---- One argument -------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128; /* UTF-8 */
}

/* What the words of an arithmetic type say, however they are ordered. */
struct arithmetic {
    unsigned is_unsigned, is_signed, longs, shorts, ints, others;
    const char *name; /* char, float, ... */
};

static void add_arithmetic(struct arithmetic *type, const char *word)
{
    static const char *const names[] = {"char", "float",   "double",   "bool",
                                        "void", "wchar_t", "char16_t", "char32_t"};
    type->is_unsigned += strcmp(word, "unsigned") == 0;
    type->is_signed += strcmp(word, "signed") == 0;
    type->longs += strcmp(word, "long") == 0;
    type->shorts += strcmp(word, "short") == 0;
    type->ints += strcmp(word, "int") == 0;
    type->others++;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(word, names[i]) == 0)
            type->name = names[i];
}

/* Names that headers give to types, where GPUs are (LP64). */
static const struct synonym {
    const char *name, *type;
} synonyms[] = {
    {"size_t", "unsigned long"}, {"uint", "unsigned int"},
    {"int8_t", "signed char"},   {"uint8_t", "unsigned char"},
    {"int16_t", "short"},        {"uint16_t", "unsigned short"},
    {"int32_t", "int"},          {"uint32_t", "unsigned int"},
    {"int64_t", "long"},         {"uint64_t", "unsigned long"},
    {"ptrdiff_t", "long"},       {"uchar", "unsigned char"},
};

/* The type that words make; false when they are not all of the language. */
static bool show_arithmetic(const struct arithmetic *t, char *text, size_t bytes)
{
    const char *sign = t->is_unsigned ? "unsigned " : "";
    unsigned known =
        t->is_unsigned + t->is_signed + t->longs + t->shorts + t->ints + (t->name != NULL);
    if (known != t->others || known == 0)
        return false;
    if (t->name && strcmp(t->name, "char") == 0)
        snprintf(text, bytes, "%schar", t->is_signed ? "signed " : sign);
    else if (t->name)
        snprintf(text, bytes, "%s%s", t->longs ? "long " : "", t->name);
    else
        snprintf(text, bytes, "%s%s", sign,
                 t->shorts      ? "short"
                 : t->longs > 1 ? "long long"
                 : t->longs     ? "long"
                                : "int");
    return true;
}

/* Splits "const unsigned int *" into words, which are sorted out, and marks, which stay in their order. */
struct type_reading {
    struct arithmetic arithmetic;
    bool is_const; /* what is pointed to */
    char other[128], marks[128];
    size_t other_length, mark_length;
};

static void take_type_word(struct type_reading *r, const char *word)
{
    static const char *const empty[] = {"struct", "class", "enum", "typename"};
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++)
        if (strcmp(word, empty[i]) == 0)
            return;
    if (strcmp(word, "const") == 0) {
        if (r->mark_length == 0)
            r->is_const = true;
        return; /* of a pointer itself: names leave it out */
    }
    add_arithmetic(&r->arithmetic, word);
    r->other_length +=
        (size_t)snprintf(r->other + r->other_length, sizeof r->other - r->other_length, "%s", word);
    if (r->other_length >= sizeof r->other)
        r->other_length = sizeof r->other - 1;
}

/* Words go by themselves; what is in brackets, and what follows it, stays as it is, without blanks. */
static void read_type(struct type_reading *r, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        char word[128];
        size_t used = 0;
        if (!is_word(text[i])) {
            bool qualifies = text[i] == ':' && r->mark_length == 0;
            if (qualifies) { /* "space::type": the last name counts */
                r->other_length = 0;
                r->arithmetic = (struct arithmetic){0};
            } else if ((unsigned char)text[i] > ' ' && r->mark_length + 1 < sizeof r->marks) {
                r->marks[r->mark_length++] = text[i];
            }
            i++;
            continue;
        }
        for (; i < length && is_word(text[i]); i++)
            if (used + 1 < sizeof word)
                word[used++] = text[i];
        word[used] = '\0';
        if (r->mark_length == 0 || strcmp(word, "const") == 0)
            take_type_word(r, word);
        else
            for (size_t k = 0; k < used && r->mark_length + 1 < sizeof r->marks; k++)
                r->marks[r->mark_length++] = word[k];
    }
}

static void put_argument(struct kernel_name *name, char kind, const char *text)
{
    size_t used = strlen(name->arguments);
    if (used + strlen(text) + 3 <= sizeof name->arguments)
        snprintf(name->arguments + used, sizeof name->arguments - used, "%c%s\n", kind, text);
}

static void add_type(struct kernel_name *name, const char *text, size_t length)
{
    struct type_reading r = {0};
    char type[64], whole[320];
    read_type(&r, text, length);
    bool known = show_arithmetic(&r.arithmetic, type, sizeof type);
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0] && !known; i++)
        if ((known = strcmp(r.other, synonyms[i].name) == 0))
            snprintf(type, sizeof type, "%s", synonyms[i].type);
    snprintf(whole, sizeof whole, "%s%s%s", r.is_const ? "const " : "", known ? type : r.other,
             r.marks);
    put_argument(name, known ? KERNEL_TYPE : KERNEL_WORD, whole);
}

/* "64", "64u", "-3", "0x40", "true", "'a'"; false: none of them. */
static bool add_number(struct kernel_name *name, const char *text, size_t length)
{
    char digits[48], *end;
    if (length == 3 && text[0] == '\'' && text[2] == '\'')
        snprintf(digits, sizeof digits, "%d", text[1]);
    else
        snprintf(digits, sizeof digits, "%.*s", (int)(length < 47 ? length : 47), text);
    if (strcmp(digits, "true") == 0 || strcmp(digits, "false") == 0)
        snprintf(digits, sizeof digits, "%d", digits[0] == 't');
    const char *first = digits + (digits[0] == '-');
    if (!isdigit((unsigned char)*first))
        return false;
    unsigned long long value = strtoull(first, &end, 0);
    if (end[strspn(end, "uUlL")] != '\0')
        return false;
    snprintf(digits, sizeof digits, "%s%llu", first == digits || value == 0 ? "" : "-", value);
    put_argument(name, KERNEL_NUMBER, digits);
    return true;
}

/* The character behind the bracket that closes the one at *text; the end when nothing does. */
static const char *behind_bracket(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += *text == '(' || *text == '[' || *text == '{' || *text == '<';
        depth -= *text == ')' || *text == ']' || *text == '}' ||
                 (*text == '>' && (depth == 0 || text[-1] != '-'));
        if (depth == 0)
            return text + 1;
    }
    return text;
}

void kernel_name_add(struct kernel_name *name, const char *text, size_t length)
{
    const char *end = text + length;
    const char *equals = memchr(text, '=', length);
    if (equals && memchr(text, '<', length) == NULL) /* nvprof: int=32 */
        text = equals + 1;
    while (text < end && *text == ' ')
        text++;
    if (text < end && *text == '(') { /* a cast, or the brackets of an expression */
        const char *behind = behind_bracket(text);
        if (behind < end)
            text = behind;
    }
    while (text < end && *text == ' ')
        text++;
    while (end > text && end[-1] == ' ')
        end--;
    if (!add_number(name, text, (size_t)(end - text)))
        add_type(name, text, (size_t)(end - text));
}

/* ---- The whole name ------------------------------------------------------------------------------ */

/* Arguments from behind < to its >; the character behind that. Where there is none the name is cut, and they are
 * unknown. */
static const char *read_arguments(struct kernel_name *name, const char *text)
{
    const char *begin = text;
    name->arguments[0] = '\0';
    name->has_arguments = false;
    while (*text && *text != '>') {
        if (*text == ',' || *text == ';') { /* ; is what files of ours had for , */
            kernel_name_add(name, begin, (size_t)(text - begin));
            begin = ++text;
        } else if (strchr("([{<", *text)) {
            text = behind_bracket(text);
        } else {
            text++;
        }
    }
    if (*text == '\0') {
        name->arguments[0] = '\0';
        return text;
    }
    if (text > begin)
        kernel_name_add(name, begin, (size_t)(text - begin));
    name->has_arguments = true;
    return text + 1;
}

/* Namespaces without a name, which look like parameters and arguments. */
static size_t unnamed_at(const char *text)
{
    static const char *const unnamed[] = {
        "(anonymous namespace)::", "<unnamed>::", "{anonymous}::", "(anonymous)::"};
    for (size_t i = 0; i < sizeof unnamed / sizeof unnamed[0]; i++)
        if (strncmp(text, unnamed[i], strlen(unnamed[i])) == 0)
            return strlen(unnamed[i]);
    return 0;
}

void kernel_name_read(struct kernel_name *name, const char *text)
{
    size_t length = 0;
    bool begins = true; /* with the next word, a name that takes the place of the one before */
    *name = (struct kernel_name){.has_arguments = false};
    if (strncmp(text, "_Z", 2) == 0) {
        kernel_name_demangle(name, text);
        return;
    }
    for (size_t unnamed; *text;) {
        if ((unnamed = unnamed_at(text)) != 0) {
            text += unnamed;
            begins = true;
        } else if (strchr("([{", *text)) {
            break;
        } else if (*text == '<') {
            text = read_arguments(name, text + 1);
        } else if (!is_word(*text)) {
            text++;
            begins = true;
        } else {
            if (begins) {
                length = 0;
                name->has_arguments = begins = false;
            }
            if (length + 1 < sizeof name->base)
                name->base[length++] = *text;
            text++;
        }
    }
    name->base[length] = '\0';
}

/* ---- Two names ----------------------------------------------------------------------------------- */

/* Of two arguments, each up to its line break. */
static enum kernel_match match_argument(const char *a, size_t a_length, const char *b,
                                        size_t b_length)
{
    if (a_length == b_length && memcmp(a, b, a_length) == 0)
        return KERNEL_SAME;
    return *a == KERNEL_WORD || *b == KERNEL_WORD ? KERNEL_MAYBE : KERNEL_OTHER;
}

/* Results keep this many characters of a name. */
enum { COMPARED_BYTES = RESULT_KERNEL_BYTES - 1 };

enum kernel_match kernel_name_match(const struct kernel_name *a, const struct kernel_name *b)
{
    const char *x = a->arguments, *y = b->arguments;
    enum kernel_match match = KERNEL_SAME;
    if (strncmp(a->base, b->base, COMPARED_BYTES) != 0)
        return KERNEL_OTHER;
    if (!a->has_arguments || !b->has_arguments)
        return a->has_arguments == b->has_arguments ? KERNEL_SAME : KERNEL_MAYBE;
    while (*x && *y) {
        size_t x_length = strcspn(x, "\n"), y_length = strcspn(y, "\n");
        enum kernel_match here = match_argument(x, x_length, y, y_length);
        match = here < match ? here : match;
        x += x_length + 1;
        y += y_length + 1;
    }
    return match == KERNEL_SAME && (*x || *y) ? KERNEL_MAYBE : match; /* defaults are not written */
}

const char *kernel_name_show(const struct kernel_name *name, char text[KERNEL_SHOWN_BYTES])
{
    size_t used = (size_t)snprintf(text, KERNEL_SHOWN_BYTES, "%s%s", name->base,
                                   name->has_arguments ? "<" : "");
    for (const char *at = name->arguments; *at && name->has_arguments;) {
        size_t length = strcspn(at, "\n");
        used += (size_t)snprintf(text + used, KERNEL_SHOWN_BYTES - used, "%s%.*s",
                                 at == name->arguments ? "" : ", ", (int)length - 1, at + 1);
        at += length + 1;
    }
    if (name->has_arguments)
        snprintf(text + used, KERNEL_SHOWN_BYTES - used, ">");
    return text;
}
