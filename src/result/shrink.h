/* shrink.h - gives back what memory was reserved beyond what is used. */
#ifndef WARPLENS_RESULT_SHRINK_H
#define WARPLENS_RESULT_SHRINK_H

#include <stdlib.h>

/* The memory with its first `bytes`, at least 1; it may move. */
static inline void *shrink(void *memory, size_t bytes)
{
    void *shrunk = realloc(memory, bytes);
    return shrunk ? shrunk : memory;
}

#endif
