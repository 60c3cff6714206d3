/* language.c - the language of a source file.
 *
 * nvcc compiles by the name alone, and gives plain C and C++ files none of CUDA's names. Files with kernels are
 * CUDA here under any name, since courses hand them out so. What comments and strings hold counts for nothing.
 */
#define _GNU_SOURCE
#include "cu/language.h"

#include <string.h>

static const struct {
    const char *extension;
    enum cu_language language;
} names[] = {
    {".cu", CU_LANGUAGE_CUDA}, {".cpp", CU_LANGUAGE_CXX}, {".cc", CU_LANGUAGE_CXX},
    {".cxx", CU_LANGUAGE_CXX}, {".c", CU_LANGUAGE_C},
};
enum { NAME_COUNT = sizeof names / sizeof names[0] };

/* Its place in `names`; NAME_COUNT. */
static size_t find_name(const char *file)
{
    const char *dot = strrchr(file, '.'), *slash = strrchr(file, '/');
    size_t i = dot && (slash == NULL || slash < dot) ? 0 : NAME_COUNT;
    while (i < NAME_COUNT && strcmp(dot, names[i].extension) != 0)
        i++;
    return i;
}

bool cu_language_takes(const char *file)
{
    return find_name(file) < NAME_COUNT;
}

/* Behind the comment, string or character that begins at `at`; `at` itself where none does. An apostrophe behind a
 * letter or digit is one of a number or of a word in a directive. */
static size_t skip_words(const char *text, size_t at, size_t length)
{
    const char c = text[at], next = at + 1 < length ? text[at + 1] : '\0';
    const char *end = NULL;
    if (c == '/' && next == '*')
        end = memmem(text + at + 2, length - at - 2, "*/", 2);
    else if (c == '/' && next == '/')
        end = memchr(text + at, '\n', length - at);
    else if (c != '"' && (c != '\'' || (at > 0 && strchr("0123456789abcdefghijklmnopqrstuvwxyz",
                                                         text[at - 1] | 0x20))))
        return at;
    if (c == '/')
        return next != '*' && next != '/' ? at
               : end                      ? (size_t)(end - text) + (next == '*' ? 2 : 0)
                                          : length;
    for (at++; at < length && text[at] != c && text[at] != '\n'; at++)
        at += text[at] == '\\';
    return at < length ? at + 1 : length;
}

static bool has_kernel(const char *text, size_t length)
{
    static const char kernel[] = "__global__";
    for (size_t at = 0; at < length;) {
        const size_t behind = skip_words(text, at, length);
        if (length - at >= 3 && memcmp(text + at, "<<<", 3) == 0)
            return true;
        if (length - at >= strlen(kernel) && memcmp(text + at, kernel, strlen(kernel)) == 0)
            return true;
        at = behind > at ? behind : at + 1;
    }
    return false;
}

enum cu_language cu_language_of(const char *file, const char *text, size_t length)
{
    const size_t i = find_name(file);
    if (i == NAME_COUNT || has_kernel(text, length))
        return CU_LANGUAGE_CUDA;
    return names[i].language;
}
