/* shape.h - what can stand where an option's argument or an operand stands, read from the words that
 * --help shows. They are a small language:
 *
 *   text|json|csv      one of these words
 *   GPU                one of a list that the program has (values.h), or FILE, DIR: of the file system;
 *                      NAME: a kernel or a file; ACTION: one of the command's
 *   GPU,...            several, separated by commas
 *   FIELD=value        one of the list, and behind "=" something that nobody can list
 *   NAME:LINE          the same behind ":"
 *   [KERNEL], FILE...  may be left out; may be repeated
 *
 * Other capitals (N, US, MACRO) stand for what nobody can list.
 */
#ifndef WARPLENS_PAGES_SHAPE_H
#define WARPLENS_PAGES_SHAPE_H

#include <stdio.h>

#include "cli/commands/commands.h"

enum { SHAPE_ITEMS_MAX = 16, SHAPE_WORD_BYTES = 32 };

struct shape_item {
    char word[SHAPE_WORD_BYTES];
    bool is_list; /* the word stands for a list; otherwise it is meant as it is */
    char behind;  /* what follows it: ',' '=' ':'; 0: nothing */
};

struct shape {
    struct shape_item items[SHAPE_ITEMS_MAX];
    size_t count;
};

/* `command`: whose argument it is; it has the actions. What nobody can list is not among the items. */
struct shape shape_read(const char *words, const struct command *command);

bool shape_has(const struct shape *shape, const char *list);

/* The items as the completions' scripts take them: "all COUNTER,". */
void shape_put(const struct shape *shape, FILE *out);

#endif
