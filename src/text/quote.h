/* quote.h - text inside of JSON and CSV. */
#ifndef WARPLENS_TEXT_QUOTE_H
#define WARPLENS_TEXT_QUOTE_H

#include <stdio.h>

/* Text as a JSON string, with its quotes; as a field of CSV, quoted when it has to be. */
void quote_json_string(const char *text, FILE *out);
void quote_csv_field(const char *text, FILE *out);

#endif
