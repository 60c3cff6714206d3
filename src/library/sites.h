/* sites.h - static accesses get numbers in the order in which they are first seen. */
#ifndef WARPLENS_LIBRARY_SITES_H
#define WARPLENS_LIBRARY_SITES_H

#include "stream/stream.h"

struct sites {
    struct trace_site *sites; /* with texts of their own */
    uint32_t count, room;
    uint32_t *slots; /* number + 1 by hash; 0: free. 2 * room of them, room is a power of two */
};

void sites_free(struct sites *sites);

/* The number of an equal site, which *is_new says was not there before. False without memory. */
bool sites_number(struct sites *sites, const struct trace_site *site, uint32_t *number,
                  bool *is_new);

#endif
