/* writer.c - text that grows. */
#include "cu/writer.h"

#include <stdio.h>
#include <string.h>

#include "text/memory.h"

void writer_put_bytes(struct writer *w, const char *bytes, size_t count)
{
    if (count == 0)
        return;
    if (count > w->room - w->length) {
        size_t room = 2 * w->room + count + 4096;
        char *grown = memory_grow(w->text, room);
        if (grown == NULL) {
            rewriter_fail_memory(w->r);
            return;
        }
        w->text = grown;
        w->room = room;
    }
    memcpy(w->text + w->length, bytes, count);
    w->length += count;
}

void writer_put(struct writer *w, const char *text)
{
    writer_put_bytes(w, text, strlen(text));
}

void writer_put_token(struct writer *w, uint32_t i)
{
    const struct token *token = &w->r->tokens.items[i];
    writer_put_bytes(w, w->r->tokens.text + token->at, token->length);
}

void writer_put_gap(struct writer *w, uint32_t i)
{
    const struct tokens *tokens = &w->r->tokens;
    size_t begin = i ? tokens->items[i - 1].at + (size_t)tokens->items[i - 1].length : 0;
    size_t end = i < tokens->count ? tokens->items[i].at : tokens->length;
    writer_put_bytes(w, tokens->text + begin, end - begin);
}

void writer_put_number(struct writer *w, uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    writer_put(w, text);
}
