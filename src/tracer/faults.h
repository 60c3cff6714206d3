/* faults.h - the tracer's faults: counted by kind, line and array until the launch ends, or told at once
 * where they stop it. */
#ifndef WARPLENS_TRACER_FAULTS_H
#define WARPLENS_TRACER_FAULTS_H

#include <stdint.h>

#include "stream/fault.h"

/* Forgets those of the launch before. */
void faults_launch(void);

/* Counts what the running lane does at `pc`: `fault` has its kind, array (which tells arrays apart by its
 * address), space, operation, width, offset and array_bytes. The text is made of the first one alone. */
void faults_count(const struct trace_fault *fault, uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same `times`, for the thread `thread` of the running block. */
void faults_count_thread(const struct trace_fault *fault, uint64_t times, const uint32_t thread[3],
                         uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* What the launch fails of, next, in engine_fail_lane or engine_fail_barrier; kind, array and so on as above.
 * Without a word it is FAULT_STOPPED. */
void faults_stop_is(const struct trace_fault *fault);
/* Where and by whom. */
void faults_stop_at(uintptr_t pc, const uint32_t thread[3]);

/* The launch has some that were counted. */
bool faults_are_there(void);
/* Forgets those: the sink knows of no launch that had them. */
void faults_forget(void);
/* Gives the launch's faults to the sink: those that were counted, and, in a program that has failed, the one that
 * has stopped it. Of host code when no launch runs. */
void faults_give(void);

/* Tells the sink of a launch that a program has asked for in vain, as engine.refusal says. */
void faults_give_refusal(void);

#endif
