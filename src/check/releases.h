/* releases.h - which accesses of other threads a thread may rely on: what was made visible by a fence and
 * then an atomic or a volatile store, to those who read that word.
 *
 * A release says which accesses it makes visible; those that its thread knew of by then come along as its
 * parents. Blocks come one after another in a stream, so the accesses of a block lie in one span of time.
 */
#ifndef WARPLENS_CHECK_RELEASES_H
#define WARPLENS_CHECK_RELEASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct release {
    uint32_t time; /* when it was; parents are earlier */
    uint32_t
        block_start; /* its block's accesses are from then on; UINT32_MAX: it only joins parents */
    uint32_t own_before;   /* makes visible: accesses of its thread before, */
    uint32_t warp_before;  /* of its warp before, */
    uint32_t block_before; /* of its block before, */
    uint32_t snapshot;   /* and of thread i of the block before snapshots[snapshot + i]; 0: none */
    uint32_t parents[2]; /* 0: none */
    uint32_t stamp;      /* of the search that has come here */
    uint16_t thread;
};

struct released_word {
    uint64_t key;     /* address * 2 + (shared ? 1 : 0) + 2; 0: a free slot */
    uint32_t release; /* the latest; 0: none */
};

struct releases {
    struct release *items; /* number 0 is none */
    uint32_t *heap, *visited;
    size_t count, room;
    uint32_t *snapshots;
    size_t snapshot_count, snapshot_room;
    struct released_word *words;
    size_t word_count;
    uint32_t start, stamp; /* of the search that heap and visited are of */
    size_t heap_count, visited_count;
    bool is_full; /* there was no room for something: who is ordered is not known any more */
};

void releases_clear(struct releases *releases); /* a launch begins */
void releases_free(struct releases *releases);

/* The release that a word holds. */
uint32_t releases_of_word(const struct releases *releases, uint64_t address, bool is_shared);
void releases_set_word(struct releases *releases, uint64_t address, bool is_shared,
                       uint32_t release);

/* Numbers of new ones; 0 when there is no room. */
uint32_t releases_add(struct releases *releases, const struct release *release);
uint32_t releases_join(struct releases *releases, uint32_t a, uint32_t b, uint32_t time);
/* A copy of a time for each thread. */
uint32_t releases_snapshot(struct releases *releases, const uint32_t *times, uint32_t count);

/* Whether one who knows `start` may rely on an access at `time` by thread `thread` of the block that ran
 * then. */
bool releases_cover(struct releases *releases, uint32_t start, uint32_t time, uint32_t thread);

#endif
