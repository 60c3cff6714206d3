/* names.c - a hash table of names with open addressing. */
#include <stdlib.h>

#include "text/memory.h"

#include "cu/rewriter.h"

/* FNV-1a. */
static uint32_t hash(const struct tokens *tokens, uint32_t token)
{
    const struct token *t = &tokens->items[token];
    uint32_t h = 2166136261U;
    for (uint32_t i = 0; i < t->length; i++)
        h = (h ^ (unsigned char)tokens->text[t->at + i]) * 16777619U;
    return h;
}

/* The slot of a name, or the free one where it goes. There is one. */
static struct name_slot *find(const struct names *names, const struct tokens *tokens,
                              uint32_t token)
{
    uint32_t i = hash(tokens, token);
    for (;; i++) {
        struct name_slot *slot = &names->slots[i & (names->room - 1)];
        if (slot->bits == 0 || tokens_same(tokens, slot->token, token))
            return slot;
    }
}

static bool grow(struct names *names, const struct tokens *tokens)
{
    struct names old = *names;
    names->room = old.room ? 2 * old.room : 64;
    names->slots = memory_take(names->room, sizeof *names->slots);
    if (names->slots == NULL) {
        *names = old;
        return false;
    }
    for (uint32_t i = 0; i < old.room; i++)
        if (old.slots[i].bits)
            *find(names, tokens, old.slots[i].token) = old.slots[i];
    free(old.slots);
    return true;
}

bool names_add(struct names *names, const struct tokens *tokens, uint32_t token, uint32_t bits)
{
    if (2 * names->count >= names->room && !grow(names, tokens))
        return false;
    struct name_slot *slot = find(names, tokens, token);
    if (slot->bits == 0) {
        slot->token = token;
        names->count++;
    }
    slot->bits |= bits;
    return true;
}

bool names_add_kernel(struct names *names, const struct tokens *tokens, uint32_t token,
                      uint32_t bits, struct restricts restricts)
{
    const bool is_other = names_bits(names, tokens, token) & NAME_KERNEL;
    if (!names_add(names, tokens, token, bits))
        return false;
    struct restricts *known = &find(names, tokens, token)->restricts;
    *known = is_other ? (struct restricts){known->all & restricts.all,
                                           known->constant & restricts.constant}
                      : restricts;
    return true;
}

struct restricts names_restricts(const struct names *names, const struct tokens *tokens,
                                 uint32_t token)
{
    return names->room ? find(names, tokens, token)->restricts : (struct restricts){0, 0};
}

uint32_t names_bits(const struct names *names, const struct tokens *tokens, uint32_t token)
{
    return names->room ? find(names, tokens, token)->bits : 0;
}
