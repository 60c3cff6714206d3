/* number.h - numbers as people write them. */
#ifndef WARPLENS_TEXT_NUMBER_H
#define WARPLENS_TEXT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* A decimal or 0x number with an optional suffix k, K, m, M, g, G (powers of 1024). */
bool text_number(const char *text, int64_t *value);

#endif
