/* quote.h - text inside of JSON, CSV, and XML with its kin. */
#ifndef WARPLENS_TEXT_QUOTE_H
#define WARPLENS_TEXT_QUOTE_H

#include <stdio.h>

/* Any bytes as a JSON string, with its quotes; as text or an attribute of XML, SVG and HTML. A parser takes it
 * whatever they are: a byte of no character (text/characters.h) becomes '?', but in JSON \u0001 to \u001f stay. */
void quote_json_string(const char *text, FILE *out);
void quote_xml(const char *text, FILE *out);

/* As a field of CSV, quoted when it has to be; the bytes are kept. */
void quote_csv_field(const char *text, FILE *out);

#endif
