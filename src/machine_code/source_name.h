/* source_name.h - the name of a variable or function in the source, from its symbol. */
#ifndef WARPLENS_MACHINE_CODE_SOURCE_NAME_H
#define WARPLENS_MACHINE_CODE_SOURCE_NAME_H

#include <stddef.h>

/* A new string: "tile" from gcc's "tile.0", clang's "kernel.tile.1" and C++'s
 * "_ZZ6kernelPfE4tile". NULL when memory ran out. */
char *source_name_copy(const char *symbol);

/* "scale" from "_Z5scaleIfEvPT_" and from "_ZN4math5scaleEPf": without namespaces, template arguments
 * and parameters; cut when there is no room. Other symbols are names already. */
void source_name_of_function(const char *symbol, char *name, size_t room);

#endif
