/* kernel_mangled.c - names as linkers have them (the Itanium C++ ABI): the last name of a nested one, and template
 * arguments of the language's types, of classes by their names, of numbers. Where a name refers back to a part of itself
 * (S_, T_) or has what kernels rarely have, its arguments stay unknown and its base is all that counts. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/kernel_name.h"

struct mangled {
    const char *at;
    bool failed;
};

static bool take(struct mangled *m, char c)
{
    bool is = *m->at == c;
    m->at += is;
    return is;
}

/* "6reduce" -> its characters; 0: there is no such name. */
static size_t take_source_name(struct mangled *m, const char **name)
{
    size_t length = 0;
    while (isdigit((unsigned char)*m->at) && length < 100000)
        length = 10 * length + (size_t)(*m->at++ - '0');
    if (length == 0 || strnlen(m->at, length) < length) {
        m->failed = true;
        return 0;
    }
    *name = m->at;
    m->at += length;
    return length;
}

static const char *builtin_of(char letter)
{
    static const struct {
        char letter;
        const char *name;
    } types[] = {
        {'v', "void"},
        {'b', "bool"},
        {'c', "char"},
        {'a', "signed char"},
        {'h', "unsigned char"},
        {'s', "short"},
        {'t', "unsigned short"},
        {'i', "int"},
        {'j', "unsigned int"},
        {'l', "long"},
        {'m', "unsigned long"},
        {'x', "long long"},
        {'y', "unsigned long long"},
        {'f', "float"},
        {'d', "double"},
        {'w', "wchar_t"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].letter == letter)
            return types[i].name;
    return NULL;
}

/* "PKf" -> "const float *": pointers and references stand in front, and come behind. */
static void take_type(struct mangled *m, char *text, size_t bytes)
{
    char marks[16] = "";
    const char *name = "", *builtin;
    bool is_const = false;
    size_t count = 0, length = 0;
    while (strchr("PROK", *m->at) && *m->at && count + 2 < sizeof marks) {
        char c = *m->at++;
        is_const = c == 'K';
        if (c != 'K')
            marks[count++] = c == 'P' ? '*' : '&';
        if (c == 'O')
            marks[count++] = '&';
    }
    marks[count] = '\0';
    if (isdigit((unsigned char)*m->at)) {
        length = take_source_name(m, &name);
    } else if (*m->at && (builtin = builtin_of(*m->at)) != NULL) {
        name = builtin;
        length = strlen(builtin);
        m->at++;
    } else if (take(m, 'N')) {
        while (isdigit((unsigned char)*m->at))
            length = take_source_name(m, &name);
        m->failed |= !take(m, 'E');
    } else {
        m->failed = true;
    }
    snprintf(text, bytes, "%s%.*s%s", is_const ? "const " : "", (int)length, name, marks);
}

/* "Lj64E", "Lb1E", "Lin3E". */
static void take_literal(struct mangled *m, char *text, size_t bytes)
{
    char type[128];
    take_type(m, type, sizeof type);
    const char *sign = take(m, 'n') ? "-" : "";
    size_t length = strspn(m->at, "0123456789");
    snprintf(text, bytes, "%s%.*s", sign, (int)(length < 40 ? length : 40), m->at);
    m->at += length;
    m->failed |= length == 0 || !take(m, 'E');
}

static void take_arguments(struct mangled *m, struct kernel_name *name)
{
    name->arguments[0] = '\0';
    while (*m->at && *m->at != 'E' && !m->failed) {
        char text[320];
        if (take(m, 'J')) /* a pack's arguments, one by one; its E is met as the list's */
            continue;
        if (take(m, 'L'))
            take_literal(m, text, sizeof text);
        else
            take_type(m, text, sizeof text);
        if (!m->failed)
            kernel_name_add(name, text, strlen(text));
    }
    m->failed |= !take(m, 'E');
    name->has_arguments = !m->failed;
    if (m->failed)
        name->arguments[0] = '\0';
}

void kernel_name_demangle(struct kernel_name *name, const char *text)
{
    struct mangled m = {.at = text + 2};
    const char *base = "";
    size_t length = 0;
    bool nested = take(&m, 'N');
    take(&m, 'L'); /* of this file alone */
    do {
        name->has_arguments = false;
        length = take_source_name(&m, &base);
        if (!m.failed && take(&m, 'I'))
            take_arguments(&m, name);
    } while (nested && !m.failed && isdigit((unsigned char)*m.at));
    snprintf(name->base, sizeof name->base, "%.*s",
             (int)(length < sizeof name->base ? length : sizeof name->base - 1), base);
}
