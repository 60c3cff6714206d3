/* toolchain.h - the compilers of this machine, and where warplens's headers and library are. */
#ifndef WARPLENS_CU_TOOLCHAIN_H
#define WARPLENS_CU_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>

enum { TOOLCHAIN_ERROR_BYTES = 1024 };

struct compiler {
    char *path;
    bool is_clang;
    char version[64];         /* "gcc 12.2.0" */
    const char *const *flags; /* what makes its code traceable; ends with NULL */
};

/* The C++ compiler: $WARPLENS_CXX, else the first of g++ and clang++. `cc`: the C compiler:
 * $WARPLENS_CC, gcc, clang. Needs the work directory. False, with a message, when there is none. */
bool toolchain_find_compiler(struct compiler *compiler, bool cc, char *error);

/* Where a program is: the name itself when it has a slash, else on PATH; the caller's. NULL: nowhere, or no memory. */
char *toolchain_find_program(const char *name);

/* warplens's own files: $WARPLENS_HOME, the build tree or the installation this program is in. */
struct home {
    char *include, *compat; /* directories of headers */
    char *library;          /* libwarplens_program.a */
};
bool toolchain_find_home(struct home *home, char *error);
/* The folder of headers of a CUDA toolkit that has Thrust and CUB: below $CUDA_PATH, $CUDA_HOME or the usual place; the
 * caller's, NULL when there is none. */
char *toolchain_find_cccl(void);

void toolchain_free(struct compiler *compiler, struct home *home); /* either may be NULL */

/* Every flag of both lists: of all compilers, then of one. For the test that holds the build to it. */
extern const char *const toolchain_gcc_flags[], *const toolchain_clang_flags[];
/* Besides those of gcc, for CU_ACCESSES_SOURCE. */
extern const char *const toolchain_gcc_source_flags[];

#endif
