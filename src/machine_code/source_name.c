/* source_name.c - symbols -> names in the source: without what compilers and linkers put around them.
 *
 * Source: Itanium C++ ABI, section 5.1 (mangled names).
 */
#include "machine_code/source_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a compiler or linker put behind a dot to tell copies of one name apart. */
static bool is_decoration(const char *part, size_t length)
{
    static const char *const words[] = {"lto_priv", "llvm"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length == strlen(words[i]) && memcmp(part, words[i], length) == 0)
            return true;
    return strspn(part, "0123456789") >= length;
}

/* The last part between dots that is no decoration: "tile" in "kernel.tile.1". */
static const char *find_last_part(const char *symbol, size_t *length)
{
    const char *end = symbol + strlen(symbol);
    const char *start = end;
    for (;;) {
        while (start > symbol && start[-1] != '.')
            start--;
        *length = (size_t)(end - start);
        if (start == symbol || !is_decoration(start, *length))
            return start;
        end = --start;
    }
}

/* The name of a variable in a function or of a static one, as C++ compilers mangle it: "_ZZ", the
 * function, "E", or just "_ZL"; then the name's length, the name, perhaps "_0" or "__10_". */
static const char *find_mangled_name(const char *mangled, size_t *length)
{
    const char *end = mangled + *length;
    if (strncmp(mangled, "_ZZ", 3) != 0 && strncmp(mangled, "_ZL", 3) != 0)
        return mangled;
    for (const char *at = mangled + 2; at != NULL && at < end; at = strchr(at + 1, 'E')) {
        char *name;
        unsigned long name_bytes = isdigit((unsigned char)at[1]) ? strtoul(at + 1, &name, 10) : 0;
        if (name_bytes == 0 || name_bytes > (size_t)(end - name))
            continue;
        const char *rest = name + name_bytes;
        if (rest == end || (*rest == '_' && rest + strspn(rest, "_0123456789") == end)) {
            *length = name_bytes;
            return name;
        }
    }
    return mangled;
}

char *source_name_copy(const char *symbol)
{
    size_t length;
    const char *name = find_last_part(symbol, &length);
    name = find_mangled_name(name, &length);
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, name, length);
        copy[length] = '\0';
    }
    return copy;
}

/* Behind "_Z" and what says that a name is static or nested. */
static const char *skip_prefix(const char *symbol)
{
    const char *at = symbol + 2;
    if (*at == 'N')
        at++;
    while (*at == 'K' || *at == 'L')
        at++;
    return at;
}

void source_name_of_function(const char *symbol, char *name, size_t room)
{
    snprintf(name, room, "%s", symbol);
    if (strncmp(symbol, "_Z", 2) != 0)
        return;
    for (const char *at = skip_prefix(symbol); isdigit((unsigned char)*at);) {
        char *part;
        unsigned long length = strtoul(at, &part, 10);
        if (length == 0 || length > strlen(part))
            return;
        snprintf(name, room, "%.*s", (int)length, part);
        at = part + length;
        if (symbol[2] != 'N')
            return;
    }
}
