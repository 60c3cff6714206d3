/* names.h - a set of names: each has a number, in the order in which they came. */
#ifndef WARPLENS_VALIDATE_NAMES_H
#define WARPLENS_VALIDATE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAMES_NONE = UINT32_MAX >> 1 };

/* All zero: an empty set. */
struct names {
    char **texts; /* owned, by number; a text stays where it is */
    size_t count, room;
    uint32_t *slots; /* owned: hash table of number + 1, 0 where empty */
    size_t slot_count;
};

/* The number of a name, which is added when it is new; NAMES_NONE: no memory. */
uint32_t names_add(struct names *names, const char *text);
/* NAMES_NONE when it is not there. */
uint32_t names_find(const struct names *names, const char *text);
void names_free(struct names *names);

#endif
