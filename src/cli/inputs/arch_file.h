/* arch_file.h - a GPU of the user's own: a text file of `name = value` lines. docs/adding.md describes
 * the format. */
#ifndef WARPLENS_CLI_INPUTS_ARCH_FILE_H
#define WARPLENS_CLI_INPUTS_ARCH_FILE_H

#include <stdio.h>

#include "models/arch.h"

enum { ARCH_FILE_MESSAGE_BYTES = 1024 };

/* A GPU read from a file. A value that the file gives has SOURCE_NONE, for nothing but the file stands
 * behind it, and the file's path as its reference; others are the base's. The model points into the
 * struct: do not copy it. */
struct user_gpu {
    struct gpu_model model;
    char name[32], title[96], about[128];
};

/* Reads a file; `path` must live as long as the GPU. EXIT_OK; or EXIT_IO or EXIT_USAGE with `message`
 * set to "path:line: what is wrong". */
int arch_file_read(const char *path, struct user_gpu *gpu, char message[ARCH_FILE_MESSAGE_BYTES]);

/* Writes a model as a file with every field and its meaning. A model of warplens gets the name
 * my-NAME, since its own is taken. */
void arch_file_write(const struct gpu_model *model, FILE *out);

/* Reads a field's value: a number, with a suffix K, M or G (powers of 1024) unless the field is a rate,
 * a time or a percentage. When it is none or outside the range, false and `allowed` says what is. */
bool arch_file_value(const struct arch_field *field, const char *text, int64_t *value,
                     char allowed[ARCH_FILE_MESSAGE_BYTES]);

/* The title of the group of fields that begins with this one, or NULL. */
const char *arch_file_group(const struct arch_field *field);

/* The tag of a value's source; "[user]" for a value from a file. */
const char *arch_file_tag(const struct model_value *value);

#endif
