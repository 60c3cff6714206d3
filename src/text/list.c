/* list.c - a list doubles. Its pointer, of whatever type, is copied as bytes: all pointers to data have the
 * same ones, but may not be read through a `void **`. */
#include "text/list.h"
#include "text/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

bool list_grow(void *items, size_t *room, size_t item_bytes)
{
    const size_t wanted = *room ? 2 * *room : FIRST_ROOM;
    void *list;
    memcpy(&list, items, sizeof list);
    list = wanted <= SIZE_MAX / item_bytes ? realloc(list, wanted * item_bytes) : NULL;
    if (list == NULL) {
        memory_note_failure();
        return false;
    }
    memcpy(items, &list, sizeof list);
    *room = wanted;
    return true;
}
