/* tried.h - how many changes were tried so far, on standard error: one line that is written over, on a
 * terminal alone, when it takes longer than a second.
 */
#ifndef WARPLENS_ADVISE_TRIED_H
#define WARPLENS_ADVISE_TRIED_H

#include <stdbool.h>
#include <stddef.h>

struct tried {
    double began, shown; /* seconds */
    bool is_on, has_line;
};

void tried_start(struct tried *tried, bool is_on);
/* `how`: "by the rules", or "in time". */
void tried_show(struct tried *tried, const char *gpu, size_t done, size_t all, const char *how);
/* Takes the line away. */
void tried_end(struct tried *tried);

#endif
