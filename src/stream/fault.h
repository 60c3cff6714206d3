/* fault.h - what a kernel does wrong, as a figure: one kind a row of faults.def. */
#ifndef WARPLENS_STREAM_FAULT_H
#define WARPLENS_STREAM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

enum fault_kind {
#define X(identifier, name, title, remedy) FAULT_##identifier,
#include "stream/faults.def"
#undef X
    FAULT_KINDS
};

struct fault_kind_info {
    const char *name;   /* of options, CSV, JSON and the library */
    const char *title;  /* what it is */
    const char *remedy; /* what to do */
};
extern const struct fault_kind_info fault_kinds[FAULT_KINDS];

/* Faults of one kind, at one line, of one array, in one launch; or the one that stops a kernel. Texts are
 * never NULL. */
struct trace_fault {
    uint8_t kind; /* enum fault_kind */
    bool stops;   /* a GPU ends the kernel there */
    uint64_t
        count; /* accesses of lanes; of barrier_not_reached lanes that are missing; from 1 on */
    const char *file;             /* base name, "?" when unknown */
    uint32_t line;                /* 0 when unknown */
    const char *array;            /* "" when it is of none */
    uint8_t space, op;            /* enum mem_space, enum mem_op; of what is no access 0 */
    uint8_t width;                /* bytes; 0: it is no access */
    int64_t offset;               /* of the first, from the array's begin, in bytes */
    uint64_t array_bytes;         /* 0: unknown */
    uint32_t block[3], thread[3]; /* of the first */
    const char *text;             /* one line: where and what, of the first */
};

/* The kind of that name, FAULT_KINDS when there is none. */
enum fault_kind fault_kind_named(const char *name);

#endif
