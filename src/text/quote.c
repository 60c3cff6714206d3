/* quote.c - text inside of JSON, CSV, and XML with its kin. */
#include "text/quote.h"

#include <string.h>

#include "text/characters.h"

/* The character that a text begins with, '?' in the place of a byte of none; returns how many bytes it is. */
static size_t put_character(const char *text, FILE *out)
{
    const size_t bytes = text_character_bytes(text);
    if (bytes)
        fwrite(text, 1, bytes, out);
    else
        fputc('?', out);
    return bytes ? bytes : 1;
}

void quote_json_string(const char *text, FILE *out)
{
    fputc('"', out);
    for (size_t bytes = 1; *text; text += bytes, bytes = 1) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            bytes = put_character(text, out);
    }
    fputc('"', out);
}

void quote_xml(const char *text, FILE *out)
{
    static const char special[] = "&<>\"";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (size_t bytes = 1; *text; text += bytes, bytes = 1) {
        const char *found = strchr(special, *text);
        if (found)
            fputs(names[found - special], out);
        else
            bytes = put_character(text, out);
    }
}

void quote_csv_field(const char *text, FILE *out)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}
