/* kernel_name.h - the name of a __global__ function as profilers, compilers and people write it, taken apart so that
 * two forms of it can be compared: "void space::reduce<int, (unsigned int)64>(T1 *, const T1 *)",
 * "_ZN5space6reduceIiLj64EEEvPT_PKS1_", "reduce<T, 64>", "reduce".
 */
#ifndef WARPLENS_VALIDATE_KERNEL_NAME_H
#define WARPLENS_VALIDATE_KERNEL_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum { KERNEL_BASE_BYTES = 256, KERNEL_ARGUMENTS_BYTES = 512, KERNEL_SHOWN_BYTES = 800 };

struct kernel_name {
    char base[KERNEL_BASE_BYTES]; /* without return type, namespaces and parameters */
    bool has_arguments;           /* of a template, that are known */
    /* Each with a letter in front, which says what it is, and a line break behind it. */
    char arguments[KERNEL_ARGUMENTS_BYTES];
};

enum {
    KERNEL_NUMBER = 'n', /* "n64" */
    KERNEL_TYPE = 't',   /* of the language: "tunsigned int" */
    KERNEL_WORD = 'w',   /* anything else: "wT", "wvector<float>" */
};

void kernel_name_read(struct kernel_name *name, const char *text);

enum kernel_match {
    KERNEL_OTHER,
    KERNEL_MAYBE, /* the same function; one of the names leaves its instance open */
    KERNEL_SAME,
};
enum kernel_match kernel_name_match(const struct kernel_name *a, const struct kernel_name *b);

/* "reduce<int, 64>" */
const char *kernel_name_show(const struct kernel_name *name, char text[KERNEL_SHOWN_BYTES]);

/* ---- For the two readers ------------------------------------------------------------------------- */

/* An argument as it stands in a source or in a demangled name; what there is no room for is left out. */
void kernel_name_add(struct kernel_name *name, const char *text, size_t length);
/* Reads a name that begins with _Z, as far as it is understood. */
void kernel_name_demangle(struct kernel_name *name, const char *text);

#endif
