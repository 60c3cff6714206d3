/* access_cases.h - random warp accesses for the tests, each one made from (seed, number) alone.
 *
 * All widths, operations, masks and address patterns that kernels make, and the corners that they
 * rarely make: see access_cases.c. Addresses of active lanes are naturally aligned.
 */
#ifndef WARPLENS_TESTS_ACCESS_CASES_H
#define WARPLENS_TESTS_ACCESS_CASES_H

#include "sim/rules/access.h"

struct random_bits {
    uint64_t state;
};

struct access_case {
    uint64_t addr[WARP_LANES]; /* true addresses, valid for active lanes */
    uint32_t active;
    unsigned width;
    bool affine; /* access.addr is NULL */
    const char *pattern;
    struct warp_access access;   /* the same access as the model takes it */
    uint64_t listed[WARP_LANES]; /* where access.addr points: noise in inactive lanes */
};

uint64_t random_next(struct random_bits *random);

/* A number from 0 to below - 1. */
uint64_t random_below(struct random_bits *random, uint64_t below);

/* A generator for one case of one run. */
struct random_bits random_start(uint64_t seed, uint64_t number);

/* Draws a case. `access` points into `c`: after copying a case, call access_case_list on the copy.
 */
void access_case_draw(struct random_bits *random, struct access_case *c);

/* Puts `access` in the listed form, from addr, active and width. */
void access_case_list(struct random_bits *random, struct access_case *c);

/* Fills `to` with the lanes of `from`: lane i takes the address and the activity of source[i]. */
void access_case_take_lanes(struct random_bits *random, const struct access_case *from,
                            const unsigned source[WARP_LANES], struct access_case *to);

/* Shuffles the lanes within each group of `group` lanes. */
void access_case_permute(struct random_bits *random, const struct access_case *from, unsigned group,
                         struct access_case *to);

/* Adds `bytes` to every address; an affine access stays affine. */
void access_case_translate(struct random_bits *random, const struct access_case *from,
                           uint64_t bytes, struct access_case *to);

/* Writes width, mask, form and every address to stderr, with a line in front. */
void access_case_print(const struct access_case *c, const char *title);

#endif
