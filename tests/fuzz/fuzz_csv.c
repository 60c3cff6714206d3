/* fuzz_csv.c - a CSV trace behind a line with the map of its columns; an empty line is no map. */
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char map[512];
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    if (end == NULL || (size_t)(end - data) >= sizeof map)
        return 0;
    size_t length = (size_t)(end - data);
    memcpy(map, data, length);
    map[length] = '\0';
    fuzz_trace("csv", "t.csv", length ? map : NULL, end + 1, size - length - 1);
    return 0;
}
