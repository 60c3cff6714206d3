/* accelsim_text.h - a warp's accesses and events -> lines of a .traceg file.
 *
 * Decisions. Registers: load n of a warp writes R8 + n modulo 240, so that an event that needs a
 * value can read its register, and one whose needs are farther back reads the oldest there is. A
 * store and an atomic read what was loaded last, as they wait for all loads in the model. Addresses
 * are in R2, which nothing writes. Instructions between accesses (`work`) have no operands. Lanes
 * that have ended, as `resident` tells, leave by an EXIT of their own, one of these instructions.
 * PCs: an access 16 times its site's number behind 0x100; the others below.
 */
#ifndef WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_TEXT_H
#define WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_TEXT_H

#include <stdio.h>

#include "trace_io/trace_record.h"

#define ACCELSIM_SHARED_BASE 0x00007f0000000000ULL
#define ACCELSIM_LOCAL_BASE 0x00007f0001000000ULL

struct accelsim_text {
    FILE *file;
    bool fillers, lines;
    const uint32_t *site_lines; /* by site */
    uint32_t site_count;
    uint32_t alive; /* the warp's lanes that have not ended */
    uint64_t loads; /* of the warp, so far */
};

/* Writes a kernel's header; returns where its bytes of shared memory stand, to be written over with
 * accelsim_text_shared when they are known. */
long accelsim_text_header(FILE *file, const struct launch_info *launch, uint32_t number,
                          bool lines);
void accelsim_text_shared(FILE *file, uint64_t bytes);

/* NULL, or why the access cannot be written. */
const char *accelsim_text_check(const struct warp_access *access);

/* How many lines the record will be, and `alive` behind it. */
uint64_t accelsim_text_count(const struct trace_record *record, bool fillers, uint32_t *alive);

/* Writes the record's lines; `row` has an access's addresses. */
void accelsim_text_write(struct accelsim_text *text, const struct trace_record *record,
                         const struct lane_row *row);

#endif
