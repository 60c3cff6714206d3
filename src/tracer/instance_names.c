/* instance_names.c - "reduce<T, 64>" in a function that a compiler calls "bool run(int) [with T = int; N = 3]" is
 * reduce<int, 64>. gcc writes so, clang [T = int, N = 3]. What stands in no such list stays as the source has it. */
#include <ctype.h>
#include <string.h>

#include "tracer/engine.h"

enum { INSTANCE_NAME_BYTES = 256 };

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The character behind a value in the list: its separator or bracket. */
static const char *end_of_value(const char *at)
{
    for (int depth = 0; *at; at++) {
        if (depth == 0 && (*at == ';' || *at == ',' || *at == ']'))
            break;
        depth += *at == '<' || *at == '(' || *at == '[' || *at == '{';
        depth -= *at == '>' || *at == ')' || *at == ']' || *at == '}';
    }
    return at;
}

/* What the function's list has a template parameter for; its length, 0 when it has none of that name. */
static size_t value_of(const char *function, const char *name, size_t length, const char **value)
{
    const char *list = strstr(function, "[with ");
    list = list ? list + 6 : strrchr(function, '[') ? strrchr(function, '[') + 1 : "";
    while (*list) {
        const char *equals = strstr(list, " = ");
        if (equals == NULL)
            return 0;
        const char *end = end_of_value(equals + 3), *begin = equals;
        while (begin > list && is_word(begin[-1])) /* "int N = 3" */
            begin--;
        if ((size_t)(equals - begin) == length && memcmp(begin, name, length) == 0) {
            *value = equals + 3;
            return (size_t)(end - *value);
        }
        list = *end ? end + 1 : end;
    }
    return 0;
}

static void put(char text[INSTANCE_NAME_BYTES], size_t *used, const char *from, size_t length)
{
    for (size_t i = 0; i < length && *used + 1 < INSTANCE_NAME_BYTES; i++)
        text[(*used)++] = from[i];
    text[*used] = '\0';
}

const char *wl_instance_name(const char *name, const char *function)
{
    char text[INSTANCE_NAME_BYTES];
    size_t used = 0, base = strcspn(name, "<");
    put(text, &used, name, base);
    for (const char *at = name + base; *at;) {
        size_t length = 0, value_length = 0;
        const char *value;
        while (is_word(at[length]))
            length++;
        const char before = at > name ? at[-1] : '\0';
        const int is_member = before == ':' || before == '.' || strncmp(at + length, "::", 2) == 0;
        if (length && !is_member)
            value_length = value_of(function, at, length, &value);
        const int is_pack = value_length > 2 && strncmp(at + length, "...", 3) == 0;
        if (is_pack) /* "{int, float}", "<int, float>" */
            put(text, &used, value + 1, value_length - 2);
        else
            put(text, &used, value_length ? value : at,
                value_length ? value_length : length + !length);
        at += length + !length + (is_pack ? 3 : 0);
    }
    const char *kept = site_names_keep(text);
    return kept ? kept : name;
}
