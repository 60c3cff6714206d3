/* number.c - numbers as people write them. */
#include "text/number.h"

#include <errno.h>
#include <stdlib.h>

bool text_number(const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
    int shift = 0;
    if (*end == 'k' || *end == 'K')
        shift = 10;
    else if (*end == 'm' || *end == 'M')
        shift = 20;
    else if (*end == 'g' || *end == 'G')
        shift = 30;
    if (end == text || errno || end[shift != 0] != '\0' || text[0] == ' ')
        return false;
    if (number > INT64_MAX >> shift || number < INT64_MIN >> shift)
        return false;
    *value = (int64_t)number * ((int64_t)1 << shift);
    return true;
}
