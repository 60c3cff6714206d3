/* gate.h - runs held to limits and to an earlier result, and how that is written. */
#ifndef WARPLENS_GATE_GATE_H
#define WARPLENS_GATE_GATE_H

#include <stdio.h>

#include "gate/limit.h"

/* What all limits said of one run. */
struct gate_run {
    const struct sheet *sheet;
    struct outcome *outcomes; /* owned */
    size_t count;
    struct limit *baselines;          /* owned; outcomes point to them */
    struct limit faults[FAULT_KINDS]; /* none is allowed of a kind that no limit names; the same */
};

struct gate {
    struct gate_run *runs; /* owned: one a sheet */
    size_t count;
    const char *baseline; /* the file's name; NULL: none */
    char message[LIMIT_MESSAGE_BYTES];
};

/* What runs are held to. The limits and sheets must outlive the gate. */
struct gate_request {
    const struct limit *limits;
    size_t limit_count;
    /* NULL: none. No quantity of the rules that has a direction may be worse than there, nor the time; the other
     * quantities of the model of time are noted: a good change may well trade one for another. */
    const struct sheets *baseline;
    const char *baseline_name;
    double tolerance_percent; /* of the baseline's time */
};

/* Besides the limits a run must have no faults, but those that a limit names. False with gate->message: a limit has no run or no value, a run is not in the baseline. gate_free frees
 * in either case. */
bool gate_check(struct gate *gate, const struct sheets *sheets, const struct gate_request *request);
void gate_free(struct gate *gate);

enum { GATE_TOLERANCE_PERCENT = 2 }; /* unless somebody says more or less: the model's noise */

/* How many outcomes have that status. */
size_t gate_count(const struct gate *gate, enum limit_status status);
/* The same of the limits of a run: those that were asked for, or the baseline's. */
size_t gate_run_count(const struct gate_run *run, enum limit_status status, bool baseline);

void gate_write_text(const struct gate *gate, FILE *out);
void gate_write_json(const struct gate *gate, FILE *out);
/* A test suite a run, a test case a limit. */
void gate_write_junit(const struct gate *gate, FILE *out);

#endif
