/* validate_operands.h - what the operands of `validate` are: measurements, and what is to be run. */
#ifndef WARPLENS_CLI_COMMANDS_VALIDATE_OPERANDS_H
#define WARPLENS_CLI_COMMANDS_VALIDATE_OPERANDS_H

#include "cli/inputs/choose.h"
#include "cli/inputs/source.h"
#include "validate/validate.h"

enum { VALIDATE_ARGUMENTS_BYTES = 4096 };

/* Makes the sources of programs and traces. Points into itself: do not copy it. */
struct program_opener {
    const struct options *options;
    struct options own; /* with the run's arguments */
    char text[VALIDATE_ARGUMENTS_BYTES];
    const char *arguments[VALIDATE_ARGUMENTS_BYTES / 2 + 1]; /* in `text` */
    char *with[OPTION_LIST_MAX]; /* owned, ends with NULL: paths of the run's further files */
    int64_t launches_skipped;    /* of all kernels; -1: of some */
    struct job job;
    struct opened_source opened;
    struct run_opener opener;
};

struct validate_operands {
    const char *files[OPTION_LIST_MAX];  /* measurements */
    const char *inputs[OPTION_LIST_MAX]; /* kernels, programs, traces */
    const char *places[OPTION_LIST_MAX]; /* folders and programs: where files' programs are */
    size_t file_count, input_count, place_count;
    struct job_list jobs; /* of the inputs */
    struct validate_operand operands[CHOICE_MAX];
    struct validate_skip skips[OPTION_LIST_MAX];
    char skip_kernels[OPTION_LIST_MAX][128];
    char arguments[VALIDATE_ARGUMENTS_BYTES]; /* behind --, between blanks */
    struct program_opener programs;
};

/* Both: EXIT_OK or EXIT_USAGE after a message. Which operand is what. */
int validate_operands_sort(struct validate_operands *o, const struct options *options);
/* What is to be run, as the validation takes it; the measurements are read. */
int validate_operands_choose(struct validate_operands *o, const struct options *options,
                             struct validation *v);
/* Whether programs will run, which write when they want. */
bool validate_operands_has_programs(const struct validation *v);

#endif
