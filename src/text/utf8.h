/* utf8.h - text of strangers inside of XML and JSON. */
#ifndef WARPLENS_TEXT_UTF8_H
#define WARPLENS_TEXT_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 sequence that a text begins with, when it is a character that XML 1.0 allows; 0: none
 * is. A carriage return is none: XML would make a line break of it. */
size_t text_character_bytes(const char *text);

/* What is no such character becomes '?'. */
void text_make_characters(char *text);

#endif
