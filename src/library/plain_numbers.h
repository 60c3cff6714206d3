/* plain_numbers.h - numbers as the C locale writes them, while a function of the library writes some: the caller's
 * locale may have a decimal comma, and JSON, CSV and messages have points.
 */
#ifndef WARPLENS_LIBRARY_PLAIN_NUMBERS_H
#define WARPLENS_LIBRARY_PLAIN_NUMBERS_H

#include <locale.h>

struct plain_numbers {
    locale_t plain, callers; /* `plain` is 0 where there is no memory: then the caller's stays */
};

static inline struct plain_numbers plain_numbers_begin(void)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (struct plain_numbers){plain, uselocale(plain)};
}

static inline void plain_numbers_end(struct plain_numbers *numbers)
{
    uselocale(numbers->callers);
    if (numbers->plain)
        freelocale(numbers->plain);
}

/* From here to the end of the block, in this thread alone. */
#define PLAIN_NUMBERS                                                                              \
    __attribute__((cleanup(plain_numbers_end), unused)) struct plain_numbers plain_numbers =       \
        plain_numbers_begin()

#endif
