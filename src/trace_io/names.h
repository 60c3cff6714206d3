/* names.h - every name of a trace once: equal names have equal pointers. Memory is bounded. */
#ifndef WARPLENS_TRACE_IO_NAMES_H
#define WARPLENS_TRACE_IO_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAME_BYTES = 4096, NAMES_BYTES = 1 << 20, NAMES_SLOTS = 1 << 17, NAMES_MOST = 1 << 16 };

struct names {
    char *text;      /* owned: names, each ended by a zero */
    uint32_t *slots; /* owned: 1 + where a name begins; 0: free */
    size_t used, count;
};

/* False: no memory. */
bool names_start(struct names *names);
void names_free(struct names *names);

/* The name, which lives as long as `names`. NULL when it is longer than NAME_BYTES - 1 bytes, or
 * when all names together are too many. */
const char *names_keep(struct names *names, const char *name, size_t length);

/* The name when it is known, NULL when it is not. */
const char *names_find(const struct names *names, const char *name, size_t length);

#endif
