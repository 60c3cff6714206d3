/* tried.c - a note in the line of progress. */
#include "advise/tried.h"

#include <stdio.h>

#include "text/progress.h"

void tried_start(struct tried *tried, bool is_on)
{
    *tried = (struct tried){.is_on = is_on};
}

void tried_show(struct tried *tried, const char *gpu, size_t done, size_t all, const char *how)
{
    char note[96];
    if (!tried->is_on)
        return;
    snprintf(note, sizeof note, "tried %zu of %zu changes %s on %.40s", done, all, how, gpu);
    progress_note(note);
}

void tried_end(struct tried *tried)
{
    if (tried->is_on)
        progress_note("");
}
