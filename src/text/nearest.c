/* nearest.c - edit distance with neighbour swaps (optimal string alignment), letter case ignored. A
 * name that begins with what was typed, or holds it, counts as close. */
#include "text/nearest.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH_MAX = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][LENGTH_MAX + 1], m = strlen(a), n = strlen(b);
    if (m > LENGTH_MAX || n > LENGTH_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] =
                least(least(above[j], row[j - 1]) + 1, above[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], above2[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

static int holds(const char *name, const char *part)
{
    for (; *name; name++) {
        size_t i = 0;
        while (part[i] && name[i] && same(name[i], part[i]))
            i++;
        if (part[i] == '\0')
            return 1;
    }
    return 0;
}

struct nearest nearest_start(const char *wanted)
{
    struct nearest nearest = {.wanted = wanted};
    for (size_t i = 0; i < NEAREST_COUNT; i++)
        nearest.distances[i] = SIZE_MAX;
    return nearest;
}

void nearest_offer(struct nearest *nearest, const char *name)
{
    size_t distance = edit_distance(nearest->wanted, name), length = strlen(nearest->wanted);
    if (length >= 3 && holds(name, nearest->wanted))
        distance = least(distance, 2);
    if (distance > 1 + length / 3)
        return;
    for (size_t i = 0; i < NEAREST_COUNT && nearest->names[i]; i++)
        if (strcmp(nearest->names[i], name) == 0)
            return;
    size_t at = NEAREST_COUNT;
    while (at > 0 && distance < nearest->distances[at - 1])
        at--;
    for (size_t i = NEAREST_COUNT - 1; i > at; i--) {
        nearest->names[i] = nearest->names[i - 1];
        nearest->distances[i] = nearest->distances[i - 1];
    }
    if (at < NEAREST_COUNT) {
        nearest->names[at] = name;
        nearest->distances[at] = distance;
    }
}

const char *nearest_text(const struct nearest *nearest, char text[NEAREST_TEXT_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < NEAREST_COUNT && nearest->names[i]; i++) {
        int last = i + 1 == NEAREST_COUNT || nearest->names[i + 1] == NULL;
        const char *between = i == 0 ? "; did you mean " : last ? " or " : ", ";
        used += (size_t)snprintf(text + used, NEAREST_TEXT_BYTES - used, "%s%.63s", between,
                                 nearest->names[i]);
    }
    if (used)
        snprintf(text + used, NEAREST_TEXT_BYTES - used, "?");
    return text;
}
