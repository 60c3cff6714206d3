/* fields.h - the words and numbers of a line of a text trace. Every function takes the whole of what
 * it is given or says no: "12x" is no number, nor is one that does not fit.
 */
#ifndef WARPLENS_TRACE_IO_FIELDS_H
#define WARPLENS_TRACE_IO_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

/* The next word between blanks, ended by a zero in place; "" at the end of the line. */
char *field_word(char **at);

bool field_u64(const char *text, uint64_t *value);
bool field_u32(const char *text, uint32_t *value);
bool field_i64(const char *text, int64_t *value);
bool field_hex(const char *text, uint64_t *value); /* with or without 0x */

/* "1,2,3" */
bool field_triple(const char *text, uint32_t value[3]);

/* What follows `prefix` in `text`; NULL when it does not begin so. */
char *field_after(char *text, const char *prefix);

/* Ends `text` in front of the last `label` in it; what was behind the label, or NULL without one. */
char *field_cut_label(char *text, const char *label);

/* Takes the blanks at the end away. */
void field_trim(char *text);

#endif
