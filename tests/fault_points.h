/* fault_points.h - the n-th call of malloc and its like, of tmpfile, open_memstream and pthread_create
 * fails; memory that is never freed is counted. For executables that are linked with
 * --wrap for each of them (tests/meson.build): what the C library calls inside of itself goes on.
 */
#ifndef WARPLENS_TESTS_FAULT_POINTS_H
#define WARPLENS_TESTS_FAULT_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins: calls are counted, and the `failing`-th one (from 1) fails; 0: none does. */
void faults_begin(uint64_t failing);
/* Ends; whether one failed. */
bool faults_end(void);
/* Blocks taken since the beginning that are there still. */
size_t faults_blocks_left(void);
/* No thread can be had from now on. */
void faults_refuse_threads(bool refuse);

#endif
