/* messages_missing.c - messages of gcc, clang and linkers, as far as they are of what is known to be missing. */
#include "cu/messages_missing.h"

#include <stdio.h>
#include <string.h>

#include "cu/rewrite.h"

/* The line of a message that has `words`. */
struct message {
    const char *line, *rest; /* its begin; behind the words */
    int file_bytes, length;
    unsigned row;
};

static bool find_message(const char *text, const char *words, struct message *found)
{
    const char *at = strstr(text, words);
    if (at == NULL)
        return false;
    found->line = at;
    while (found->line > text && found->line[-1] != '\n')
        found->line--;
    found->rest = at + strlen(words);
    found->file_bytes = (int)strcspn(found->line, ":");
    found->length = (int)strcspn(found->line, "\n");
    return sscanf(found->line + found->file_bytes, ":%u", &found->row) == 1;
}

/* "file.cu:3:10: fatal error: thrust/sort.h: No such file or directory", or clang's "... fatal
 * error: 'thrust/sort.h' file not found": what to use instead, when the header is known. */
static bool explain_header(const char *text, char error[CU_ERROR_BYTES])
{
    struct message m;
    char header[256];
    if (!find_message(text, "fatal error: ", &m))
        return false;
    const char *name = m.rest + (*m.rest == '\'');
    snprintf(header, sizeof header, "%.*s", (int)strcspn(name, "':\n"), name);
    const char *advice = cu_rewrite_header_advice(header);
    if (advice)
        snprintf(error, CU_ERROR_BYTES, "%.*s:%u: #include <%s>: %s", m.file_bytes, m.line, m.row,
                 header, advice);
    return advice != NULL;
}

static bool says(const struct message *m, const char *words)
{
    const char *at = strstr(m->line, words);
    return at && at < m->line + m->length;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* The word behind `before` in the message, quotes of any kind skipped. */
static size_t word_behind(const struct message *m, const char *before, const char **word)
{
    const char *at = strstr(m->rest, before);
    if (at == NULL || at >= m->line + m->length)
        return 0;
    at += strlen(before);
    at += strcspn(at, letters);
    *word = at;
    return at < m->line + m->length ? strspn(at, letters) : 0;
}

/* "'foo' is not a member of 'cg'", "'foo' in namespace 'cg' does not name a template type", clang's "no member named
 * 'foo' in namespace 'cg'"; and the same of structures: "cg::foo". */
static bool read_member(const struct message *m, char *name, size_t room)
{
    static const struct {
        const char *words, *member, *owner;
    } forms[] = {{"has no member named", "has no member named", ""},
                 {"no member named", "no member named", " in "},
                 {"no type named", "no type named", " in "},
                 {"no template named", "no template named", " in "},
                 {"is not a member of", "", "is not a member of"},
                 {"in namespace", "", "in namespace"}};
    const char *member, *owner;
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        if (!says(m, forms[k].words))
            continue;
        const size_t member_length = word_behind(m, forms[k].member, &member);
        size_t owner_length = word_behind(m, forms[k].owner, &owner);
        while (strncmp(owner_length ? owner : "", "struct ", 7) == 0 ||
               strncmp(owner_length ? owner : "", "namespace ", 10) == 0) {
            owner += owner_length + 1 + strcspn(owner + owner_length + 1, letters);
            owner_length = strspn(owner, letters);
        }
        snprintf(name, room, "%.*s::%.*s", (int)owner_length, owner, (int)member_length, member);
        return member_length && owner_length;
    }
    return false;
}

/* "file.cu:3:10: error: 'cublasFoo' was not declared in this scope", or clang's "... use of undeclared identifier
 * 'cublasFoo'", with one kind of quotes or another: of the first error. */
static bool explain_name(const char *text, char error[CU_ERROR_BYTES])
{
    const char *advice = NULL;
    char member[128];
    struct message m;
    if (!find_message(text, ": error: ", &m))
        return false;
    if (read_member(&m, member, sizeof member))
        advice = cu_rewrite_name_advice(member, strlen(member));
    const bool is_name = says(&m, "not declared") || says(&m, "has not been declared") ||
                         says(&m, "that depend on a template parameter") ||
                         says(&m, "undeclared") || says(&m, "does not name a type") ||
                         says(&m, "unknown type name");
    const char *end = m.rest + strcspn(m.rest, ";\n"); /* "...; did you mean 'cudaFree'?" */
    for (const char *at = m.rest; is_name && advice == NULL && at < end;) {
        const size_t length = strspn(at, letters);
        advice = length ? cu_rewrite_name_advice(at, length) : NULL;
        at += length ? length : 1;
    }
    if (advice)
        snprintf(error, CU_ERROR_BYTES, "%.*s:%u: %s", m.file_bytes, m.line, m.row, advice);
    return advice != NULL;
}

/* What the linker says of a file that is a part of a program. */
static bool explain_main(const char *text, const char *file, char error[CU_ERROR_BYTES])
{
    if (strstr(text, "undefined reference to `main'") == NULL)
        return false;
    snprintf(error, CU_ERROR_BYTES,
             "%s: has no main(): a program needs one, which launches its kernels; --with names "
             "further files",
             file);
    return true;
}

bool messages_explain_missing(const char *text, const char *file, char error[CU_ERROR_BYTES])
{
    return text && (explain_header(text, error) || explain_name(text, error) ||
                    explain_main(text, file, error));
}
