/* trim.c - see trim.h. */
#include "text/trim.h"

#include <ctype.h>
#include <string.h>

char *text_trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}
