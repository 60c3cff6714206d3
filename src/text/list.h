/* list.h - lists that grow. */
#ifndef WARPLENS_TEXT_LIST_H
#define WARPLENS_TEXT_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the list, a pointer to its items, has room for one item behind `count`; a full one grows. `room`
 * is a size_t. False: no memory, and the list is as it was. The memory is the caller's to free. */
#define LIST_MAKE_ROOM(items, count, room)                                                         \
    ((count) < (room) || list_grow(&(items), &(room), sizeof *(items)))

/* Room for twice as many items, or for the first ones. `items`: the address of the pointer to them. */
bool list_grow(void *items, size_t *room, size_t item_bytes);

#endif
