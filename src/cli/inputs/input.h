/* input.h - what an operand names: a kernel of the gallery, a trace file or a CUDA program; and a job: an
 * input with values of its parameters. */
#ifndef WARPLENS_CLI_INPUTS_INPUT_H
#define WARPLENS_CLI_INPUTS_INPUT_H

#include "cli/options/options.h"
#include "gallery.h"

enum { JOB_LABEL_BYTES = 128 };

enum input_kind { INPUT_KERNEL, INPUT_TRACE, INPUT_PROGRAM };

struct input {
    enum input_kind kind;
    union {
        const struct gallery_kernel *kernel;
        const char *path; /* of the others, in argv; a trace's may be "-", standard input */
    };
};

struct job {
    struct input input;
    struct gallery_args args;    /* of a kernel */
    char label[JOB_LABEL_BYTES]; /* the name, and the values of -p name=value,value */
};

/* An operand with a dot or a slash, which no kernel has, is a file; so is "-". */
enum input_kind input_kind_of(const char *operand);

/* A kernel's name, or the path. */
const char *input_name(const struct input *input);

/* Up to GALLERY_PARAMS_MAX parameters, the first without a name behind them; a file has none. */
const struct gallery_param *input_params(const struct input *input);

/* Whether an operand that names a file can be read, before a long run: EXIT_OK, or EXIT_IO after a
 * message. */
int input_check_file(const char *command, const char *operand);

#endif
