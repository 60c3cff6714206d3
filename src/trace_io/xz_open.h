/* xz_open.h - a compressed file, read through the program xz. */
#ifndef WARPLENS_TRACE_IO_XZ_OPEN_H
#define WARPLENS_TRACE_IO_XZ_OPEN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct xz_file {
    FILE *stream;
    pid_t process;
};

/* NULL, or why it cannot be read. */
const char *xz_open(struct xz_file *file, const char *path);

/* False when xz could not decompress all of it; not to be asked of a file that was not read to its
 * end. */
bool xz_close(struct xz_file *file);

#endif
