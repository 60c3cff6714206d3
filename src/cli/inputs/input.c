/* input.c - an operand's kind is seen by its name alone; whether it can be opened shows later. */
#include "cli/inputs/input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cu/build.h"

enum input_kind input_kind_of(const char *operand)
{
    if (strcmp(operand, "-") != 0 && strpbrk(operand, "./") == NULL)
        return INPUT_KERNEL;
    return cu_build_takes(operand) ? INPUT_PROGRAM : INPUT_TRACE;
}

const char *input_name(const struct input *input)
{
    return input->kind == INPUT_KERNEL ? input->kernel->name : input->path;
}

const struct gallery_param *input_params(const struct input *input)
{
    static const struct gallery_param none[GALLERY_PARAMS_MAX];
    return input->kind == INPUT_KERNEL ? input->kernel->params : none;
}

int input_check_file(const char *command, const char *operand)
{
    if (input_kind_of(operand) == INPUT_KERNEL || strcmp(operand, "-") == 0 ||
        access(operand, R_OK) == 0)
        return EXIT_OK;
    usage_error(command, "%s: %s", operand, strerror(errno));
    return EXIT_IO;
}
