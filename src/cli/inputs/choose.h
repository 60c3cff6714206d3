/* choose.h - names on the command line -> jobs and GPUs, or one message. */
#ifndef WARPLENS_CLI_INPUTS_CHOOSE_H
#define WARPLENS_CLI_INPUTS_CHOOSE_H

#include "cli/inputs/arch_file.h"
#include "cli/inputs/input.h"
#include "gallery_list.h"
#include "session/session.h"
#include "text/nearest.h"

enum { CHOICE_MAX = 64, CHOICE_VALUE_BYTES = 32 };

/* The GPUs of --arch-file. */
struct user_gpus {
    struct user_gpu gpus[ARCH_FILES_MAX];
    size_t count;
};

/* Points into itself: do not copy it. */
struct gpu_choice {
    struct session_gpu gpus[CHOICE_MAX];
    size_t count;
    struct user_gpus users;
};

struct job_list {
    struct job jobs[CHOICE_MAX];
    size_t count;
};

/* Every input with every combination of the values of -p, by number. */
struct job_grid {
    struct input inputs[CHOICE_MAX];
    size_t input_count;
    const struct setting_list *params; /* of the options */
    size_t firsts[CHOICE_MAX + 1]; /* the number of each input's first job; behind them, of jobs */
};

/* Each returns EXIT_OK, or EXIT_USAGE after a message with the nearest names. A GPU of --arch-file that
 * --gpu does not name comes after those that it names; h200 is the choice when there is neither. */
int choose_gpus(struct gpu_choice *choice, const struct options *options);
int choose_jobs(struct job_list *list, const struct options *options, const char *const *operands,
                size_t operand_count);
/* The same by number; at most `limit` jobs. */
int choose_grid(struct job_grid *grid, const struct options *options, const char *const *operands,
                size_t operand_count, size_t limit);
/* Combines the grid's inputs with the values of -p. */
int choose_params(struct job_grid *grid, const struct options *options, size_t limit);
size_t choose_job_count(const struct job_grid *grid);
void choose_job(const struct job_grid *grid, size_t number, struct job *job);
/* How many values name=value,value has; the setting with one of them, which `text` may hold. */
size_t choose_value_count(const struct setting *setting);
struct setting choose_value(const struct setting *setting, size_t index,
                            char text[CHOICE_VALUE_BYTES]);
/* Checks the names of --counters. */
int choose_counters(const struct options *options);
int choose_kernel(const char *command, const char *name, const struct gallery_kernel **kernel);
/* `users` may be NULL. */
int choose_model(const char *command, const char *name, const struct user_gpus *users,
                 const struct gpu_model **model);
/* Reads the files of --arch-file; EXIT_IO when one cannot be read. */
int choose_user_gpus(const struct options *options, struct user_gpus *users);

#endif
