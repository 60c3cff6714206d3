/* writer_assembly.c - inline PTX: ptx.h says what it becomes. */
#include "cu/writer.h"

#include <stdarg.h>
#include <stdio.h>

static void put_format(struct writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put_format(struct writer *w, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    writer_put(w, text);
}

static void put_asm_operand(struct writer *w, const struct asm_operand *operand, unsigned k)
{
    const unsigned bytes = ptx_register_bytes(operand->letter);
    if (operand->writes)
        put_format(w, "auto &wl_to%u = (", k);
    else if (bytes)
        put_format(w, "const ::wl::ptx::reg%u wl_%u = ::wl::ptx::word<%u>(", 8 * bytes, k, bytes);
    else
        put_format(w, "constexpr auto wl_%u = (", k);
    for (uint32_t i = operand->open + 1; i < operand->close; i++) {
        const struct token *token = &w->r->tokens.items[i];
        writer_put_edited(w, i);
        writer_put(w, token[1].at > token->at + token->length ? " " : "");
    }
    writer_put(w, "); ");
    if (operand->writes)
        put_format(w, "::wl::ptx::reg%u wl_%u", 8 * bytes, k);
    if (operand->writes && operand->reads)
        put_format(w, " = ::wl::ptx::word<%u>(wl_to%u)", bytes, k);
    writer_put(w, operand->writes ? "; " : "");
}

/* All on one line; the line breaks that it has follow it. */
void writer_put_assembly(struct writer *w, const struct assembly *a)
{
    const char *barrier = a->memory ? "__asm__ volatile(\"\" ::: \"memory\"); " : "";
    writer_put(w, "do { ");
    for (unsigned k = 0; k < a->operand_count; k++)
        put_asm_operand(w, &a->operands[k], k);
    writer_put(w, barrier);
    writer_put(w, a->code);
    writer_put(w, barrier);
    for (unsigned k = 0; k < a->operand_count; k++)
        if (a->operands[k].writes)
            put_format(w, "::wl::ptx::back(wl_to%u, wl_%u); ", k, k);
    writer_put(w, "} while (0)");
    for (uint32_t i = a->start + 1, operand = 0; i <= a->end; i++) {
        const struct token *token = &w->r->tokens.items[i];
        while (operand < a->operand_count && a->operands[operand].close <= i)
            operand++;
        const bool is_written = operand < a->operand_count && a->operands[operand].open < i;
        writer_put_gap(w, i);
        for (uint32_t k = 0; k < token->length && !is_written; k++)
            writer_put(w, w->r->tokens.text[token->at + k] == '\n' ? "\n" : "");
    }
}
