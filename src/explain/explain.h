/* explain.h - one warp access, drawn and put into words: lanes against memory segments or banks,
 * the transaction or pass each lane rides in, the rule's steps with the actual figures.
 *
 * Everything is worked out from the rules of `arch`; `model` only names the GPU. Lines of text have
 * at most 100 columns of plain ASCII.
 */
#ifndef WARPLENS_EXPLAIN_EXPLAIN_H
#define WARPLENS_EXPLAIN_EXPLAIN_H

#include <stdio.h>

#include "sim/rules/access.h"
#include "sim/rules/tile.h"
#include "models/arch.h"
#include "sim/rules/coalesce.h"
#include "svg/svg.h"

/* Writes the explanation as text. A GPU without access rules gets one line that says so. */
void explain_access(const struct warp_access *a, const struct gpu_model *model,
                    const struct arch *arch, FILE *out);

/* Which way an access takes, and what comes of it there. */
enum explain_path { PATH_MEMORY, PATH_BANKS, PATH_CONSTANT, PATH_COPY };

struct explain_figures {
    enum explain_path path;
    enum coalesce_rule rule; /* PATH_MEMORY */
    uint32_t count; /* transactions; or passes of the banks, of constant memory, or of a copy */
    uint32_t bytes_moved; /* PATH_MEMORY */
    bool is_ideal;        /* no bytes, and no passes, that another layout would save */
};

/* An access to shared memory, or a copy to it, that one layout has to serve together with others. */
struct explain_part {
    const struct warp_access *access;
    const struct tile *tile;
};

/* An access under a GPU, with what is known besides. */
struct explain_subject {
    const char *caption; /* a line above; NULL: none */
    const struct warp_access *access;
    const struct gpu_model *model;
    const struct arch *arch;
    const struct tile *tile; /* of what it has in shared memory; NULL: not known */
    /* All that are explained at once, EXPLAIN_PARTS_MOST; NULL: it is alone. */
    const struct explain_part *parts;
    size_t part_count;
};

enum { EXPLAIN_REFUSAL_BYTES = 256, EXPLAIN_PARTS_MOST = 4 };

/* False, with a line, when the GPU does not have such an access. */
bool explain_allows(const struct explain_subject *subject, char refusal[EXPLAIN_REFUSAL_BYTES]);

/* False when the GPU has no access rules. An asynchronous copy is PATH_COPY. */
bool explain_count(const struct explain_subject *subject, struct explain_figures *figures);

/* An explanation in two pieces, for those who ask before they tell: what the access is and the rule, without
 * what comes of it; then the steps, the counts and the verdict, without the stages inside of an L1. */
void explain_head(const struct explain_subject *subject, FILE *out);
void explain_reasons(const struct explain_subject *subject, FILE *out);

/* As explain_access, and behind the last of several parts which layouts would serve them without a conflict. */
void explain_subject_text(const struct explain_subject *subject, FILE *out);

/* Writes one JSON object, without a line end: the access, the rule, the transactions or passes, the
 * counts, the steps as strings, layouts. */
void explain_access_json(const struct warp_access *a, const struct gpu_model *model,
                         const struct arch *arch, FILE *out);
void explain_subject_json(const struct explain_subject *subject, FILE *out);

/* Draws the lanes of an access and what they get, with the counts and the verdict below. */
void explain_access_svg(const struct warp_access *a, const struct gpu_model *model,
                        const struct arch *arch, enum svg_place place, FILE *out);

/* Several of them below one another in one picture. */
void explain_accesses_svg(const struct explain_subject *subjects, size_t count,
                          enum svg_place place, FILE *out);

#endif
