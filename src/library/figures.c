/* figures.c - which counters explain a value: of a ratio those that it is made of, as its line in the
 * .def file names them; of a counter those of the same kind of access (global_load_requests, sectors and
 * ideal ones for global_load_transactions), or else those whose name begins with the same word. */
#include "library/library.h"

#include <string.h>

static size_t add(const struct counter_info *figures[LIBRARY_FIGURES], size_t count,
                  const struct counter_info *counter, const char *except)
{
    if (counter == NULL || count == LIBRARY_FIGURES || strcmp(counter->name, except) == 0)
        return count;
    for (size_t i = 0; i < count; i++)
        if (figures[i] == counter)
            return count;
    figures[count] = counter;
    return count + 1;
}

static size_t from_expression(const char *expression, const char *except,
                              const struct counter_info *figures[LIBRARY_FIGURES])
{
    size_t count = 0;
    const struct counter_info *counter;
    while ((counter = figure_next_counter(&expression)) != NULL)
        count = add(figures, count, counter, except);
    return count;
}

/* "global_load_" of a name: the longest beginning of which there are requests; 0: none. */
static size_t kind_length(const char *name)
{
    char requests[128];
    for (size_t length = strlen(name); length; length--) {
        if (name[length - 1] != '_' || length > 64)
            continue;
        memcpy(requests, name, length);
        strcpy(requests + length, "requests");
        if (figure_find_counter(requests, strlen(requests)))
            return length;
    }
    return 0;
}

static size_t from_kind(const char *name, size_t length,
                        const struct counter_info *figures[LIBRARY_FIGURES])
{
    static const char *const telling[] = {"requests", "sectors", "ideal_sectors", "passes",
                                          "ideal_passes"};
    size_t count = 0;
    char full[128];
    for (size_t i = 0; i < sizeof telling / sizeof telling[0]; i++) {
        memcpy(full, name, length);
        strcpy(full + length, telling[i]);
        count = add(figures, count, figure_find_counter(full, strlen(full)), name);
    }
    return count;
}

static size_t from_first_word(const char *name, const struct counter_info *figures[LIBRARY_FIGURES])
{
    size_t count = 0, length = strcspn(name, "_");
    for (size_t i = 0; i < counter_count; i++)
        if (strncmp(counter_table[i].name, name, length) == 0 &&
            counter_table[i].name[length] == '_')
            count = add(figures, count, &counter_table[i], name);
    return count;
}

size_t library_find_figures(const char *name, const char *expression,
                            const struct counter_info *figures[LIBRARY_FIGURES])
{
    if (expression)
        return from_expression(expression, name, figures);
    size_t length = kind_length(name);
    return length ? from_kind(name, length, figures) : from_first_word(name, figures);
}
