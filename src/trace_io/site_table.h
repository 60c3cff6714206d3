/* site_table.h - sites of a trace by what tells them apart. */
#ifndef WARPLENS_TRACE_IO_SITE_TABLE_H
#define WARPLENS_TRACE_IO_SITE_TABLE_H

#include "stream/stream.h"

enum { SITES_MOST = 65535 };

/* The names of `site` are those of one struct names, so that pointers tell them apart. */
struct site_key {
    uint64_t pc; /* 0 where there is none */
    struct trace_site site;
};

struct site_table {
    struct site_key *keys; /* owned, by number */
    uint32_t *slots;       /* owned: 1 + number; 0: free */
    uint32_t count, room, slot_count;
};

enum site_found { SITE_KNOWN, SITE_NEW, SITE_TOO_MANY, SITE_NO_MEMORY };

void site_table_free(struct site_table *table);

/* The number of the site; a new one gets the next. */
enum site_found site_table_find(struct site_table *table, const struct site_key *key,
                                uint32_t *number);

/* Gives the next number to a site, whether there is one like it or not. */
enum site_found site_table_add(struct site_table *table, const struct site_key *key,
                               uint32_t *number);

#endif
