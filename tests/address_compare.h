/* address_compare.h - two recordings of one run: the same accesses, in the same order?
 *
 * Warps are compared one by one. An access is its line without the source line: operation, space,
 * width, array, addresses and active lanes.
 */
#ifndef WARPLENS_TESTS_ADDRESS_COMPARE_H
#define WARPLENS_TESTS_ADDRESS_COMPARE_H

#include <stddef.h>

enum address_match {
    ADDRESSES_AGREE,
    ADDRESSES_IN_OTHER_ORDER, /* each warp makes the same accesses, a warp in another order */
    ADDRESSES_DIFFER,         /* a warp makes other accesses, or launches or warps are others */
};

/* A text cut into lines. */
struct address_lines {
    char *text, **line;
    size_t count;
};

/* Takes over the text, which malloc made. */
struct address_lines address_lines(char *text);
void address_lines_free(struct address_lines *lines);

/* The lines behind "run RUN" up to the next run; count 0 and line NULL when there is no such run. They
 * belong to `all`. */
struct address_lines address_lines_of_run(const struct address_lines *all, const char *run);

/* `message` (of `bytes` bytes) says where the two first differ: warp, number of the access from 1, both
 * lines. */
enum address_match address_compare(const struct address_lines *gpu, const struct address_lines *cpu,
                                   char *message, size_t bytes);

#endif
