/* related.c - which counters explain a value: of a ratio those that it is made of, as its row in the .def
 * file names them; of a counter those of its group (global_load_requests, sectors and ideal ones for
 * global_load_transactions). */
#include "library/library.h"

static size_t add(const struct counter_info *related[LIBRARY_RELATED], size_t count,
                  const struct counter_info *counter)
{
    for (size_t i = 0; i < count; i++)
        if (related[i] == counter)
            return count;
    if (count < LIBRARY_RELATED)
        related[count++] = counter;
    return count;
}

static size_t of_expression(const char *expression,
                            const struct counter_info *related[LIBRARY_RELATED])
{
    size_t count = 0;
    const struct counter_info *counter;
    while ((counter = quantity_next_counter(&expression)) != NULL)
        count = add(related, count, counter);
    return count;
}

/* Round by round a role that tells most of a kind of access, and at last whatever the group has. */
static size_t of_group(const struct counter_info *counter,
                       const struct counter_info *related[LIBRARY_RELATED])
{
    size_t count = 0;
    for (unsigned role = ROLE_REQUESTS; role <= ROLE_IDEAL_PASSES + 1; role++)
        for (size_t i = 0; i < counter_count; i++)
            if (counter_table[i].group == counter->group && &counter_table[i] != counter &&
                (counter_table[i].role == role || role > ROLE_IDEAL_PASSES))
                count = add(related, count, &counter_table[i]);
    return count;
}

size_t library_find_related(const struct quantity *quantity,
                            const struct counter_info *related[LIBRARY_RELATED])
{
    return quantity->counter ? of_group(quantity->counter, related)
                             : of_expression(quantity->expression, related);
}
