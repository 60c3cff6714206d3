/* name_set.h - a set of names: each has a number, in the order in which they came. */
#ifndef WARPLENS_VALIDATE_NAME_SET_H
#define WARPLENS_VALIDATE_NAME_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAME_SET_NONE = UINT32_MAX >> 1 };

/* All zero: an empty set. */
struct name_set {
    char **texts; /* owned, by number; a text stays where it is */
    size_t count, room;
    uint32_t *slots; /* owned: hash table of number + 1, 0 where empty */
    size_t slot_count;
};

/* The number of a name, which is added when it is new; NAME_SET_NONE: no memory. */
uint32_t name_set_add(struct name_set *names, const char *text);
/* NAME_SET_NONE when it is not there. */
uint32_t name_set_find(const struct name_set *names, const char *text);
void name_set_free(struct name_set *names);

#endif
