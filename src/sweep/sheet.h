/* sheet.h - a JSON report -> sheets: of each run the counters of the whole, of its kernels, lines and
 * arrays. What compares or limits results works on sheets, so that a result that was kept in a file and
 * one that was just made say the same. */
#ifndef WARPLENS_SWEEP_SHEET_H
#define WARPLENS_SWEEP_SHEET_H

#include "report/report.h"

/* What begins a report in JSON. */
#define SHEET_BEGIN "{\"schema\":1,\"compiler\":"

enum {
    SHEET_FILE_BYTES = 64 << 20, /* of a report */
    SHEET_PARTS_MAX = 200000,    /* of all runs of a report: 200 MB */
    SHEET_MESSAGE_BYTES = 512,
};

/* A kind of access on a line. */
struct sheet_access {
    char *array;       /* "" when it has no name */
    uint8_t space, op; /* enum mem_space, enum access_word */
};

struct sheet_part {
    char *name;    /* a line's file; an array's name; a __global__ function */
    uint32_t line; /* of a line; otherwise 0 */
    struct counters counters;
    struct sheet_access *accesses; /* of a line; one that is older than they are has none */
    size_t access_count;
};

struct sheet_parts {
    struct sheet_part *parts;
    size_t count, room;
};

struct sheet {
    struct report_entry run;    /* names, parameters, changes, the whole; its label is NULL */
    enum profiler profiler;     /* of the GPU */
    uint64_t listed_launches;   /* those that the kernels' counters are of */
    struct sheet_parts kernels; /* in the order of their first launch */
    struct sheet_parts
        lines; /* a line has all its kinds of access: counters' names tell them apart */
    struct sheet_parts arrays; /* of all spaces */
};

struct sheets {
    struct sheet *sheets; /* owned, and all in them */
    size_t count, room, part_count;
};

/* Reads a report; changes the text. False with `message` set, which says nothing of where the report is
 * from; sheets_free frees in either case. */
bool sheets_read(struct sheets *sheets, char *text, size_t bytes,
                 char message[SHEET_MESSAGE_BYTES]);
void sheets_free(struct sheets *sheets);
void sheet_free(struct sheet *sheet); /* what is in it */

/* Whether it has the counters of the model of time. */
bool sheet_has_time(const struct sheet *sheet);
/* "transpose on h200"; where it has them with parameters and changed fields: "(width=64; l2_bytes=0)". */
enum { SHEET_TITLE_BYTES = 512 };
const char *sheet_title(const struct sheet *sheet, char text[SHEET_TITLE_BYTES]);

#endif
