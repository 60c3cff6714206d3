/* language.h - what a source file is: by its name, and where that leaves it open by what stands in it. */
#ifndef WARPLENS_CU_LANGUAGE_H
#define WARPLENS_CU_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

enum cu_language { CU_LANGUAGE_C, CU_LANGUAGE_CXX, CU_LANGUAGE_CUDA };

/* Whether a file is taken for a program's source by its name. */
bool cu_language_takes(const char *file);
/* A .cu file is CUDA; .c is C and .cpp, .cc and .cxx are C++, unless they have a launch or a kernel. */
enum cu_language cu_language_of(const char *file, const char *text, size_t length);

#endif
