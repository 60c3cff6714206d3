/* characters.h - which characters of a stranger's text are taken: in XML, in JSON, in a message, at its ends. */
#ifndef WARPLENS_TEXT_CHARACTERS_H
#define WARPLENS_TEXT_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 sequence that a text begins with, when it is a character that XML 1.0 allows and that no
 * terminal takes for a command; 0: it is none. A carriage return is none: XML would make a line break of it. */
size_t text_character_bytes(const char *text);

/* Bytes of the byte order mark that a text begins with, as some editors write it: 3, or 0. It is no part of what
 * people write. */
size_t text_mark_bytes(const char *text);

/* Columns that a text takes on a terminal: one a character, and one a byte that is no part of one. Those of
 * East Asia that take two, and those that take none, are not told apart. */
size_t text_columns(const char *text);

/* Bytes of the first `columns` characters, or of all when there are fewer. */
size_t text_bytes_of_columns(const char *text, size_t columns);

/* What is no such character becomes '?'. */
void text_make_characters(char *text);

/* A message with text from somebody's file in it stays one line that a terminal shows as it is: what is no
 * character becomes '?', and so do tabs and line ends. */
void text_make_printable(char *text);

/* Whether that would leave a text as it is. */
bool text_is_printable(const char *text);

/* A name, to be shown in every form of report: each byte that is not printable as "\xff", so that different names
 * stay different. The caller frees it; NULL: no memory. */
char *text_printable_copy(const char *text);

/* The text without the blanks at both ends: cuts it, and returns where it begins now. */
char *text_trim(char *text);

#endif
