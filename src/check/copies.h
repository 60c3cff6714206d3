/* copies.h - asynchronous copies that have not arrived: which words of the block's shared memory they go to. */
#ifndef WARPLENS_CHECK_COPIES_H
#define WARPLENS_CHECK_COPIES_H

#include "stream/limits.h"

enum { COPY_WORDS = SHARED_BYTES_MAX / 4, COPY_GROUPS_KEPT = 64 };

/* A word that is copied to: by a thread, in that group of its. */
struct copied_word {
    uint32_t time;  /* of the copy; before the block began: nothing is copied there */
    uint32_t group; /* counted from 0 */
    uint16_t site, thread;
};

/* Of a thread: groups committed, those of them that it has waited for, and when, of the latest. */
struct thread_copies {
    uint32_t groups, arrived,
        arrived_at[COPY_GROUPS_KEPT]; /* group g at g modulo COPY_GROUPS_KEPT */
};

struct check_copies {
    struct copied_word *words;     /* COPY_WORDS; NULL: the run has no copies so far */
    struct thread_copies *threads; /* BLOCK_THREADS_MAX */
};

#endif
