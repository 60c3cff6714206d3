/* values.h - the lists that the words of --help stand for: GPU, KERNEL, COUNTER and others, from the
 * tables that the program itself goes by. */
#ifndef WARPLENS_PAGES_VALUES_H
#define WARPLENS_PAGES_VALUES_H

#include <stdbool.h>
#include <stddef.h>

enum { VALUE_NAME_BYTES = 112 };

struct value {
    char name[VALUE_NAME_BYTES];
    const char *about; /* a few words */
};

struct value_list {
    struct value *values;
    size_t count;
};

struct value_kind {
    const char *word;
    void (*fill)(struct value_list *list);
};

extern const struct value_kind value_kinds[];
extern const size_t value_kind_count;

/* NULL when a word stands for no list. */
const struct value_kind *values_find(const char *word);

/* Each name once. Ends the program when there is no memory. */
struct value_list values_make(const struct value_kind *kind);
void values_free(struct value_list *list);

#endif
