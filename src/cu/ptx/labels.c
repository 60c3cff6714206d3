/* labels.c - labels of an asm statement, and jumps to them: labels and goto of C++, which are the statement's own (__label__). */
#include "cu/ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

/* A name, a colon and no second one, in front of an instruction. */
static bool is_label(struct ptx_word text)
{
    size_t n = strcspn(text.at, ": \t\n.,[%;");
    return n < text.length && n > 0 && text.at[n] == ':' &&
           (n + 1 == text.length || text.at[n + 1] != ':');
}

void ptx_put_label(struct ptx *p, struct ptx_word name)
{
    for (size_t i = 0; i < name.length; i++)
        ptx_put(&p->out, name.at[i] == '$' ? "d_" : name.at[i] == '%' ? "p_" : "%c", name.at[i]);
}

/* A label, and the instruction that it stands in front of. Of one name there is one in a statement, in whatever block. */
void ptx_put_labels(struct ptx *p, struct ptx_word text)
{
    while (is_label(text)) {
        const struct ptx_word name = {text.at, strcspn(text.at, ": \t\n")};
        const char *colon = memchr(text.at, ':', text.length);
        if (p->labels.bytes && ptx_has(p->labels.bytes, name)) {
            ptx_refuse(p, name, "this asm statement has the label twice: give each another name");
            return;
        }
        ptx_put(&p->labels, "%.*s ", (int)name.length, name.at);
        ptx_put(&p->out, "wl_l_");
        ptx_put_label(p, name);
        ptx_put(&p->out, ":; ");
        text = ptx_trim((struct ptx_word){colon + 1, (size_t)(text.at + text.length - colon) - 1});
    }
    if (text.length)
        ptx_translate(p, text);
}

/* A jump out of the statement cannot be. */
static void check_jumps(struct ptx *p)
{
    for (const char *at = p->jumps.bytes; at && *at && p->r->error[0] == '\0';) {
        const struct ptx_word name = {at, strcspn(at, " ")};
        if (p->labels.bytes == NULL || !ptx_has(p->labels.bytes, name))
            ptx_refuse(p, name, "it is no label of this asm statement");
        at += name.length + 1;
    }
}

/* Labels are the statement's own, wherever it is inlined: "{ __label__ wl_l_A; ... }". */
void ptx_declare_labels(struct ptx *p)
{
    struct ptx_text code = p->out;
    check_jumps(p);
    if (p->labels.bytes == NULL)
        return;
    p->out = (struct ptx_text){0};
    ptx_put(&p->out, "{ ");
    for (const char *at = p->labels.bytes; *at;) {
        const struct ptx_word name = {at, strcspn(at, " ")};
        ptx_put(&p->out, "__label__ wl_l_");
        ptx_put_label(p, name);
        ptx_put(&p->out, "; ");
        at += name.length + 1;
    }
    ptx_put(&p->out, "%s} ", code.bytes ? code.bytes : "");
    p->out.failed |= code.failed;
    free(code.bytes);
}
