/* hex_bytes.h - bytes as tests write them: two hexadecimal digits each, with blanks between. */
#ifndef WARPLENS_TESTS_HEX_BYTES_H
#define WARPLENS_TESTS_HEX_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* How many there are; no more than `room`. */
static inline size_t from_hex(const char *hex, uint8_t *bytes, size_t room)
{
    size_t count = 0;
    unsigned value;
    int read;
    while (count < room && sscanf(hex, " %2x%n", &value, &read) == 1) {
        bytes[count++] = (uint8_t)value;
        hex += read;
    }
    return count;
}

#endif
