/* nearest.h - "did you mean": the names closest to a misspelt one. */
#ifndef WARPLENS_TEXT_NEAREST_H
#define WARPLENS_TEXT_NEAREST_H

#include <stddef.h>

enum { NEAREST_COUNT = 3, NEAREST_TEXT_BYTES = 256 };

struct nearest {
    const char *wanted;
    const char *names[NEAREST_COUNT]; /* nearest first; NULL where there is none */
    size_t distances[NEAREST_COUNT];
};

struct nearest nearest_start(const char *wanted);

/* Considers one name; it must live as long as the struct. */
void nearest_offer(struct nearest *nearest, const char *name);

/* "; did you mean a, b or c?", or "" when nothing is close. Returns `text`. */
const char *nearest_text(const struct nearest *nearest, char text[NEAREST_TEXT_BYTES]);

#endif
