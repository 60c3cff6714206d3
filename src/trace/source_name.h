/* source_name.h - the name of a variable in the source, from its symbol. */
#ifndef WARPLENS_TRACE_SOURCE_NAME_H
#define WARPLENS_TRACE_SOURCE_NAME_H

/* A new string: "tile" from gcc's "tile.0", clang's "kernel.tile.1" and C++'s
 * "_ZZ6kernelPfE4tile". NULL when memory ran out. */
char *source_name_copy(const char *symbol);

#endif
