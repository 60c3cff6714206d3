/* tried.h - how many changes were tried so far, for the line of progress (text/progress.h). */
#ifndef WARPLENS_ADVISE_TRIED_H
#define WARPLENS_ADVISE_TRIED_H

#include <stdbool.h>
#include <stddef.h>

struct tried {
    bool is_on;
};

void tried_start(struct tried *tried, bool is_on);
/* `how`: "by the rules", or "in time". */
void tried_show(struct tried *tried, const char *gpu, size_t done, size_t all, const char *how);
void tried_end(struct tried *tried);

#endif
