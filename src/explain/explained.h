/* explained.h - what the files of explain share. Internal to explain.
 *
 * explained_make works everything out; the drawings, the steps and both writers only read it.
 */
#ifndef WARPLENS_EXPLAIN_EXPLAINED_H
#define WARPLENS_EXPLAIN_EXPLAINED_H

#include <stdio.h>

#include "explain/bank_plan.h"
#include "explain/explain.h"
#include "explain/l1_plan.h"
#include "text/text.h"
#include "models/arch.h"
#include "sim/rules/async_copy.h"
#include "sim/rules/coalesce.h"
#include "models/capabilities.h"

struct explained {
    const struct explain_subject *subject;
    const struct warp_access *access; /* of a copy, the lanes that read */
    const struct gpu_model *model;
    const struct arch *arch;
    struct rule_set rules;
    enum explain_path path;
    uint64_t low, high;   /* lowest and highest address of an active lane */
    uint32_t lanes;       /* number of active lanes */
    uint32_t bytes_asked; /* lanes times width */
    uint32_t bytes_used;  /* distinct bytes */

    /* PATH_MEMORY; PATH_COPY: of the source */
    enum coalesce_rule rule;
    struct coalesced moved;
    bool has_l1_stages;
    struct l1_plan l1;

    /* PATH_BANKS */
    struct bank_plan banks;
    struct bank_passes passes;
    uint32_t ways; /* most passes of one group of lanes, for each of its 4-byte parts on sm_1x */

    /* PATH_CONSTANT */
    struct constant_plan constant;
    uint32_t constant_ideal;

    /* PATH_COPY */
    struct warp_access reads;
    struct async_copy_counts copied;
    struct async_copy_pieces pieces; /* past the L1: those that make the passes */
};

/* False when the GPU's compute capability has no rules. The subject must outlive it. */
bool explained_make(const struct explain_subject *subject, struct explained *x);

/* The address of a lane in shared memory: of the access, or of a copy's destination. */
uint64_t explained_shared_addr(const struct explained *x, unsigned lane);

/* Whether its rows in shared memory are worth a picture: a matrix, a copy, or somebody has laid them out. */
bool explained_has_rows(const struct explained *x);

/* Lanes that go through the banks together. */
uint32_t explained_group_lanes(const struct explained *x);

/* Whether the addresses of the active lanes lie at one distance, `stride` bytes from a lane to the
 * next; needs two active lanes. */
bool explained_find_stride(const struct explained *x, int64_t *stride);

/* Distinct bytes that some lanes of an access want. */
uint32_t explained_used_bytes(const struct warp_access *a, uint32_t lanes);

/* "load of 4 bytes by 32 lanes, addresses 0x0 to 0x7c, stride 4". */
void explained_describe(const struct explained *x, struct text *t);

/* "half_warp_strict" ... and the rule in one sentence. */
const char *rule_name(const struct explained *x);
void rule_describe(const struct explained *x, struct text *t);

/* Where steps go: `put` gets each one as a sentence without a number. */
struct step_sink {
    void (*put)(struct step_sink *sink, const char *step);
    FILE *out;
    unsigned count;
};

void steps_put(struct step_sink *sink, const struct text *t);

/* The steps of the rule, by path and generation. */
void steps_write(const struct explained *x, struct step_sink *sink);
void steps_half_warp(const struct explained *x, struct step_sink *sink);
void steps_sectors(const struct explained *x, struct step_sink *sink);

/* Lanes of a request under a rule of sm_20 and later. */
uint32_t steps_request_lanes(enum coalesce_rule rule, uint32_t width);

void steps_l1_stages(const struct explained *x, struct step_sink *sink);
void steps_banks(const struct explained *x, struct step_sink *sink);
void steps_copy(const struct explained *x, struct step_sink *sink);

/* The strict rule of sm_10 on one half-warp: the first test that fails and the lowest lane that
 * fails it. */
enum strict_test { STRICT_PASSES, STRICT_WIDTH, STRICT_SEGMENT, STRICT_ORDER };
enum strict_test strict_find_failure(const struct warp_access *a, uint32_t lanes, unsigned *lane);

/* One sentence on what to do, when the figures show it; false when there is nothing to say. */
bool verdict_find(const struct explained *x, struct text *t);

/* The pictures and tables of explain_access. */
void draw_memory(const struct explained *x, FILE *out);
void draw_transactions(const struct explained *x, FILE *out);
void draw_banks(const struct explained *x, FILE *out);
void draw_constant(const struct explained *x, FILE *out);
void draw_rows(const struct explained *x, FILE *out);

/* The 128-byte lines of shared memory that lanes take part in, lowest first. Returns their number. */
enum { ROWS_LINES_MOST = WARP_LANES };
uint32_t rows_find(const struct explained *x, uint64_t lines[ROWS_LINES_MOST]);

/* The lanes with a byte in a 4-byte word. */
uint32_t rows_lanes(const struct explained *x, uint64_t word_addr);

#endif
