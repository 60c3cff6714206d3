/* oracle.h - the access rules a second time, slow and obvious.
 *
 * Each function follows the words of the rule: it loops over every lane, byte or bank, keeps sets
 * as plain arrays and takes no short cut, so that it can be compared with the text by eye. The
 * tests compare the model with it. Addresses are plain lists of 32; only those of active lanes are
 * read.
 */
#ifndef WARPLENS_TESTS_ORACLE_H
#define WARPLENS_TESTS_ORACLE_H

#include "sim/rules/banks.h"
#include "sim/rules/coalesce.h"
#include "sim/rules/l1stage.h"

/* Global memory: the transactions of one warp access, in the order of coalesce.h. */
void oracle_coalesce(enum coalesce_rule rule, const uint64_t addr[WARP_LANES], uint32_t active,
                     unsigned width, struct coalesced *out);

/* The number of distinct bytes that the active lanes want. */
uint32_t oracle_distinct_bytes(const uint64_t addr[WARP_LANES], uint32_t active, unsigned width);

/* Shared memory. Of the two operations only a load can merge pairs of groups. */
struct bank_passes oracle_banks(enum bank_rule rule, enum mem_op op,
                                const uint64_t addr[WARP_LANES], uint32_t active, unsigned width);

/* Shared-memory atomics. */
struct bank_passes oracle_banks_atomic(enum bank_rule rule, const uint64_t addr[WARP_LANES],
                                       uint32_t active, unsigned width);

/* Additions of the constant 1 whose result nobody uses, to words of 4 bytes, from sm_80 on. */
struct bank_passes oracle_banks_increment(const uint64_t addr[WARP_LANES], uint32_t active);

/* Constant memory: distinct addresses of the warp, or of each half-warp and added up. */
uint32_t oracle_constant_passes(const uint64_t addr[WARP_LANES], uint32_t active, bool half_warp);

/* ldmatrix and stmatrix: 8 lanes after 8, the most different rows of 16 bytes whose number modulo 8 is the same. */
struct bank_passes oracle_banks_matrix(const uint64_t addr[WARP_LANES], uint32_t active);

/* The bank of a byte address and the number of banks. */
unsigned oracle_bank_of(enum bank_rule rule, uint64_t addr);
unsigned oracle_bank_number(enum bank_rule rule);

/* Atomics, sm_70 on: of the lanes left, those of the next round, the lowest of each address. */
uint32_t oracle_round(const uint64_t addr[WARP_LANES], uint32_t left);

/* Inside the L1: the tag bank of a 128-byte line number, and the wavefronts of both stages. */
uint32_t oracle_tag_bank(uint64_t line);
struct l1_wavefronts oracle_l1stage(enum mem_op op, const uint64_t addr[WARP_LANES],
                                    uint32_t active, unsigned width);
uint32_t oracle_l1stage_atomic(const uint64_t addr[WARP_LANES], uint32_t active, unsigned width);

#endif
