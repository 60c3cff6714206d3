/* json_read.h - reads the JSON that warplens writes, from memory and front to back. After the first
 * fault everything fails, and `at` stays at the fault: at `end` when the text is cut short. */
#ifndef WARPLENS_SWEEP_JSON_READ_H
#define WARPLENS_SWEEP_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_reader {
    const char *at, *end;
    bool failed;
};

/* Exactly these bytes. */
bool json_read_bytes(struct json_reader *reader, const char *bytes);
/* Digits without a sign. */
bool json_read_uint(struct json_reader *reader, uint64_t *value);
bool json_read_int(struct json_reader *reader, int64_t *value);
bool json_read_bool(struct json_reader *reader, bool *value);
/* A string; the caller frees it. NULL when there is none, or no memory. */
char *json_read_string(struct json_reader *reader);
/* Any value; what is in it has to be well formed. */
bool json_skip_value(struct json_reader *reader);

/* Walks through an object, its opening brace read by the first call: true with the next name (not
 * unescaped), and the value is next; false behind the closing brace or on a fault. `first` starts as
 * true. */
enum { JSON_NAME_BYTES = 192 };
bool json_next_name(struct json_reader *reader, bool *first, char name[JSON_NAME_BYTES]);
/* The same for an array: true when a value is next. */
bool json_next_value(struct json_reader *reader, bool *first);

#endif
