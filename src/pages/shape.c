/* shape.c - words of --help -> what can stand there. */
#include "pages/shape.h"

#include <ctype.h>
#include <string.h>

#include "pages/values.h"

/* Lists that the shells have, or the command line: see the scripts. */
static bool is_list_elsewhere(const char *word)
{
    return strcmp(word, "FILE") == 0 || strcmp(word, "DIR") == 0 || strcmp(word, "PARAMETER") == 0;
}

static void add(struct shape *shape, const char *word, bool is_list, char behind)
{
    if (shape->count == SHAPE_ITEMS_MAX)
        return;
    struct shape_item *item = &shape->items[shape->count++];
    snprintf(item->word, sizeof item->word, "%s", word);
    item->is_list = is_list;
    item->behind = behind;
}

static void add_word(struct shape *shape, const char *word, char behind,
                     const struct command *command)
{
    if (strcmp(word, "ACTION") == 0 && command->actions) {
        for (const struct command_action *action = command->actions; action->name; action++)
            add(shape, action->name, false, 0);
    } else if (strcmp(word, "NAME") == 0) {
        add(shape, "KERNEL", true, behind);
        add(shape, "FILE", true, 0);
    } else if (islower((unsigned char)word[0]) && !behind) {
        add(shape, word, false, 0);
    } else if (values_find(word) || is_list_elsewhere(word)) {
        add(shape, word, true, behind);
    }
}

/* ',' for "GPU,..." and "GPU[,GPU...]". */
static char what_is_behind(const char *rest)
{
    if (*rest == '[')
        rest++;
    return *rest && strchr(",=:", *rest) ? *rest : 0;
}

/* One alternative, such as "KERNEL,...", "[GPU]" or "[mean:]FIGURE=PERCENT". */
static void read_alternative(struct shape *shape, const char *text, size_t length,
                             const struct command *command)
{
    char copy[128], word[SHAPE_WORD_BYTES];
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    char *begin = copy, *close = strchr(copy, ']');
    if (*begin == '[' && close && close[1])
        begin = close + 1;
    else if (*begin == '[')
        begin++;
    size_t word_length = strspn(begin, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-");
    if (word_length == 0 || word_length >= sizeof word)
        return;
    snprintf(word, sizeof word, "%.*s", (int)word_length, begin);
    add_word(shape, word, what_is_behind(begin + word_length), command);
}

struct shape shape_read(const char *words, const struct command *command)
{
    struct shape shape = {.count = 0};
    while (*words) {
        size_t length = strcspn(words, " |");
        read_alternative(&shape, words, length, command);
        words += length + (words[length] != '\0');
    }
    return shape;
}

bool shape_has(const struct shape *shape, const char *list)
{
    for (size_t i = 0; i < shape->count; i++)
        if (shape->items[i].is_list && strcmp(shape->items[i].word, list) == 0)
            return true;
    return false;
}

void shape_put(const struct shape *shape, FILE *out)
{
    for (size_t i = 0; i < shape->count; i++) {
        const struct shape_item *item = &shape->items[i];
        fprintf(out, "%s%s%.*s", i ? " " : "", item->word, item->behind != 0, &item->behind);
    }
}
