/* ptx.c - the asm statements of device code: operands, and the PTX between the quotes.
 *
 * Such a statement is PTX in every function that runs on the device, also on the host: __CUDA_ARCH__ is defined, so that
 * it is the device's branch that is compiled. In a function of the host's alone it is the host's own.
 */
#include "cu/ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

#include "text/list.h"
#include "text/memory.h"

/* The template's text, and which literal each piece of it stands in. */
struct literal {
    size_t begin; /* in the text */
    uint32_t token;
};
struct template
{
    char *bytes;
    size_t length;
    struct literal *literals;
    size_t literal_count, literal_room;
};

unsigned ptx_register_bytes(char letter)
{
    return letter == 'h'                    ? 2
           : letter == 'r' || letter == 'f' ? 4
           : letter == 'l' || letter == 'd' ? 8
                                            : 0;
}

/* ---- The text of the literals ---------------------------------------------------------------------- */

static char unescape(char c)
{
    return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* Raw and ordinary literals; of %% one is left. */
static void add_literal(struct rewriter *r, struct template *t, uint32_t token)
{
    const struct token *item = &r->tokens.items[token];
    const char *at = r->tokens.text + item->at, *end = at + item->length;
    const bool raw = memchr(at, 'R', strcspn(at, "\"")) != NULL;
    if (!LIST_MAKE_ROOM(t->literals, t->literal_count, t->literal_room)) {
        rewriter_fail_memory(r);
        return;
    }
    t->literals[t->literal_count++] = (struct literal){t->length, token};
    while (at < end && *at != (raw ? '(' : '"'))
        at++;
    if (raw)
        while (end > at && end[-1] != ')')
            end--;
    for (at++; at + 1 < end; at++) {
        if (*at == '\\' && !raw && at + 2 < end)
            t->bytes[t->length++] = unescape(*++at);
        else
            t->bytes[t->length++] = *at;
        if (*at == '%' && at[1] == '%')
            at++;
    }
}

/* Comments become spaces: a place in the text stays what it is. */
static void blank_comments(struct template *t)
{
    for (size_t i = 0; i + 1 < t->length; i++) {
        bool line = t->bytes[i] == '/' && t->bytes[i + 1] == '/';
        bool block = t->bytes[i] == '/' && t->bytes[i + 1] == '*';
        size_t end = i + 2;
        if (!line && !block)
            continue;
        while (end < t->length && !(line && t->bytes[end] == '\n') &&
               !(block && t->bytes[end - 1] == '*' && t->bytes[end] == '/' && end > i + 2))
            end++;
        end += block && end < t->length;
        memset(t->bytes + i, ' ', end - i);
        i = end - 1;
    }
}

/* ---- Statements of the text -------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';';
}

static uint32_t literal_of(const struct template *t, size_t place)
{
    size_t i = 0;
    while (i + 1 < t->literal_count && t->literals[i + 1].begin <= place)
        i++;
    return t->literals[i].token;
}

static void translate_all(struct ptx *p, const struct template *t)
{
    size_t end;
    for (size_t i = 0; i < t->length && p->r->error[0] == '\0'; i = end) {
        end = i + 1;
        if (is_space(t->bytes[i]))
            continue;
        if (t->bytes[i] == '{' || t->bytes[i] == '}') {
            ptx_put(&p->out, "%c ", t->bytes[i]);
            continue;
        }
        while (end < t->length && t->bytes[end] != ';' &&
               !(t->bytes[end] == '}' && memchr(t->bytes + i, '{', end - i) == NULL))
            end++;
        struct ptx_word text = ptx_trim((struct ptx_word){t->bytes + i, end - i});
        p->token = literal_of(t, i);
        ptx_put_labels(p, text);
    }
    ptx_declare_labels(p);
}

static bool is_blank(const struct template *t)
{
    for (size_t i = 0; i < t->length; i++)
        if (!is_space(t->bytes[i]))
            return false;
    return true;
}

/* Nothing but a hint for the compiler that values change, or memory. */
static void put_blank(struct ptx *p, const struct assembly *a)
{
    for (unsigned k = 0; k < a->operand_count; k++)
        if (a->operands[k].writes)
            ptx_put(&p->out, "::wl::ptx::hide(wl_%u); ", k);
}

static void translate(struct rewriter *r, struct assembly *a, struct template *t)
{
    struct ptx p = {.r = r, .statement = a, .is_volatile = a->is_volatile, .token = a->start};
    blank_comments(t);
    ptx_put(&p.out, "%s", "");
    if (is_blank(t))
        put_blank(&p, a);
    else
        translate_all(&p, t);
    if (p.out.failed || p.labels.failed || p.jumps.failed)
        rewriter_fail_memory(r);
    free(p.registers);
    free(p.labels.bytes);
    free(p.jumps.bytes);
    a->code = p.out.bytes;
}

/* ---- The statement in the tokens ----------------------------------------------------------------------- */

/* "=r", "+&l", "n", also in several literals, [i, open): false when it is none that PTX has. */
static bool read_constraint(const struct tokens *tokens, uint32_t i, uint32_t open, bool output,
                            struct asm_operand *operand)
{
    char text[8] = "";
    size_t length = 0;
    for (; i < open; i++) {
        const struct token *token = &tokens->items[i];
        const char *at = tokens->text + token->at;
        if (token->kind != TOKEN_LITERAL || token->length < 2 || at[0] != '"' ||
            length + token->length >= sizeof text)
            return false;
        memcpy(text + length, at + 1, token->length - 2);
        length += token->length - 2;
    }
    const char *at = text;
    operand->writes = output;
    operand->reads = !output || *at == '+';
    if (output && *at != '=' && *at != '+')
        return false;
    at += output;
    at += output && *at == '&';
    operand->letter = *at;
    return *at && at[1] == '\0' && (ptx_register_bytes(*at) || (*at == 'n' && !output));
}

/* The operand at token `i`: the token behind it, or TOKEN_NONE. */
static uint32_t read_operand(struct rewriter *r, struct assembly *a, uint32_t i, bool output)
{
    const struct tokens *tokens = &r->tokens;
    struct asm_operand operand = {.open = i};
    while (operand.open < a->end && tokens->items[operand.open].kind == TOKEN_LITERAL)
        operand.open++;
    if (!tokens_is_mark(tokens, operand.open, '(') ||
        tokens->items[operand.open].match == TOKEN_NONE ||
        !read_constraint(tokens, i, operand.open, output, &operand) ||
        a->operand_count == PTX_OPERANDS_MAX)
        return TOKEN_NONE;
    operand.close = tokens->items[operand.open].match;
    if (!LIST_MAKE_ROOM(a->operands, a->operand_count, a->operand_room)) {
        rewriter_fail_memory(r);
        return TOKEN_NONE;
    }
    a->operands[a->operand_count++] = operand;
    return operand.close + 1;
}

/* What stands behind the literals, from the first colon on; false when it is of another form. */
static bool read_operands(struct rewriter *r, struct assembly *a, uint32_t i)
{
    const struct tokens *tokens = &r->tokens;
    unsigned section = 0;
    while (i < a->end) {
        if (tokens_is_mark(tokens, i, ':'))
            section++;
        else if (tokens->items[i].kind == TOKEN_SCOPE)
            section += 2;
        else if (section > 2)
            a->memory |= tokens_is(tokens, i, "\"memory\"");
        else if (!tokens_is_mark(tokens, i, ',')) {
            i = read_operand(r, a, i, section == 1);
            if (i == TOKEN_NONE)
                return false;
            continue;
        }
        i++;
    }
    return section <= 3;
}

static void refuse(struct rewriter *r, uint32_t i)
{
    rewriter_fail(r, i,
                  "an asm statement of this form cannot run under warplens: PTX in literals, and "
                  "operands with one of the constraints r, l, f, d, h and n");
}

/* The literals from token `i` on; the token behind them. */
static uint32_t read_literals(struct rewriter *r, struct template *t, uint32_t i, uint32_t end)
{
    uint32_t begin = i;
    size_t room = 1;
    for (; i < end && r->tokens.items[i].kind == TOKEN_LITERAL; i++)
        room += r->tokens.items[i].length;
    t->bytes = memory_take(1, room);
    if (t->bytes == NULL)
        rewriter_fail_memory(r);
    for (uint32_t k = begin; k < i && r->error[0] == '\0'; k++)
        add_literal(r, t, k);
    return i;
}

/* A header has statements that a program never comes to, a library many of them: what cannot run ends the launch that does. */
static void refuse_when_reached(struct rewriter *r, struct assembly *a)
{
    struct ptx_text out = {0};
    ptx_put(&out, "::wl_refuse(\"");
    for (const char *at = r->error; *at; at++)
        ptx_put(&out, *at == '"' || *at == '\\' ? "\\%c" : *at < ' ' ? " " : "%c", *at);
    ptx_put(&out, "\"); ");
    r->error[0] = '\0';
    free(a->code);
    a->code = out.bytes;
    a->operand_count = 0;
    if (out.failed)
        rewriter_fail_memory(r);
}

/* The statement at token `i`, whose parentheses end at a->end. */
static void read_statement(struct rewriter *r, uint32_t i, struct assembly *a)
{
    const struct tokens *tokens = &r->tokens;
    struct template t = {0};
    *a = (struct assembly){.start = i};
    for (i++; tokens_is_word(tokens, i); i++)
        a->is_volatile |= tokens_is(tokens, i, "volatile") || tokens_is(tokens, i, "__volatile__");
    a->end = tokens_is_mark(tokens, i, '(') ? tokens->items[i].match : TOKEN_NONE;
    if (a->end == TOKEN_NONE) {
        refuse(r, a->start);
        return;
    }
    const uint32_t behind = read_literals(r, &t, i + 1, a->end);
    if (r->error[0] == '\0' && (behind == i + 1 || !read_operands(r, a, behind)))
        refuse(r, a->start);
    if (r->error[0] == '\0')
        translate(r, a, &t);
    free(t.bytes);
    free(t.literals);
}

static void forget(struct assembly *a)
{
    free(a->operands);
    free(a->code);
}

static void read_assembly(struct rewriter *r, uint32_t i)
{
    struct assembly a;
    r->refuses_later = true;
    read_statement(r, i, &a);
    r->refuses_later = false;
    if (r->error[0] && a.end != TOKEN_NONE && rewriter_is_in_header(r, i)) {
        refuse_when_reached(r, &a);
    } else if (r->error[0]) { /* the same again, with its place */
        forget(&a);
        r->error[0] = '\0';
        read_statement(r, i, &a);
    }
    if (LIST_MAKE_ROOM(r->assemblies, r->assembly_count, r->assembly_room)) {
        r->assemblies[r->assembly_count++] = a;
        return;
    }
    rewriter_fail_memory(r);
    forget(&a);
}

static bool is_asm(const struct tokens *tokens, uint32_t i)
{
    return tokens_is(tokens, i, "asm") || tokens_is(tokens, i, "__asm__") ||
           tokens_is(tokens, i, "__asm");
}

/* Not where it is a declaration's label, which has no semicolon before it. */
void ptx_read(struct rewriter *r)
{
    const struct tokens *tokens = &r->tokens;
    uint32_t next = 0, device_end = 0;
    for (uint32_t i = 0; i < tokens->count && r->error[0] == '\0'; i++) {
        for (; next < r->body_count && r->bodies[next].begin <= i; next++)
            if (r->bodies[next].end > device_end)
                device_end = r->bodies[next].end;
        if (i >= device_end || (tokens->items[i].system && !tokens->items[i].library) ||
            tokens->items[i].kind != TOKEN_WORD || !is_asm(tokens, i))
            continue;
        read_assembly(r, i);
        i = r->assembly_count ? r->assemblies[r->assembly_count - 1].end : i;
    }
}
