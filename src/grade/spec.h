/* spec.h - what an exercise asks for, as a teacher writes it: a text file, a statement a line.
 * docs/grading.md describes it. */
#ifndef WARPLENS_GRADE_SPEC_H
#define WARPLENS_GRADE_SPEC_H

#include "gate/limit.h"

enum {
    SPEC_ITEMS_MAX = 64,
    SPEC_ARGUMENTS_MAX = 32,
    SPEC_TEXT_BYTES = 256,
    SPEC_POINTS_MAX = 1000, /* of one item */
    SPEC_FILE_BYTES = 65536,
    SPEC_MESSAGE_BYTES = 1024,
    SPEC_TIMEOUT_S = 60,
    SPEC_TIMEOUT_MAX_S = 3600,
};

/* What gives points. */
struct spec_item {
    unsigned line; /* of the file */
    unsigned points;
    bool is_pass; /* for the program's end and output; otherwise for a limit */
    struct limit limit;
};

struct grade_spec {
    char title[SPEC_TEXT_BYTES];
    char gpus[SPEC_TEXT_BYTES];   /* as --gpu takes them */
    unsigned gpus_line;           /* 0: not given */
    char prints[SPEC_TEXT_BYTES]; /* what the program's output must hold; "": nothing */
    unsigned timeout_s;
    char argument_text[SPEC_TEXT_BYTES];           /* cut into: */
    const char *arguments[SPEC_ARGUMENTS_MAX + 1]; /* ends with NULL */
    struct spec_item items[SPEC_ITEMS_MAX];
    size_t item_count;
    unsigned points; /* of all items */
};

/* Reads a file. It points into itself: do not copy it. False with "path:line: what is wrong" in `message`;
 * *is_io says whether the file could not be read. */
bool spec_read(struct grade_spec *spec, const char *path, char message[SPEC_MESSAGE_BYTES],
               bool *is_io);

#endif
