/* pages.h - the manual page and the shells' completions: templates, in which a line "@MARK@" gives its
 * place to what is written from the tables of commands and options. */
#ifndef WARPLENS_PAGES_PAGES_H
#define WARPLENS_PAGES_PAGES_H

#include <stdio.h>

#include "cli/options/table.h"
#include "pages/shape.h"
#include "pages/values.h"

struct page_mark {
    const char *name;
    void (*write)(FILE *out);
};

/* Of a page; each ends with a row without a name. */
extern const struct page_mark marks_man[], marks_bash[], marks_zsh[], marks_fish[];

/* `text` with a backslash in front of each of `special`. */
void page_put_escaped(const char *text, const char *special, FILE *out);

/* A word in single quotes, for bash and zsh. */
void page_put_quoted(const char *text, FILE *out);

/* The operands of a command, or of one of its actions. */
typedef void page_operands(const struct command *command, const struct command_action *action,
                           const struct shape *shape, FILE *out);
/* Calls for each command; for one with actions, for itself and for each of them. */
void page_each_operands(page_operands *write, FILE *out);

#endif
