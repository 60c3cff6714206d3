/* launches_chosen.c - options -> choice. */
#include "cli/inputs/launches_chosen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KERNEL_BYTES_MAX = 512 };

struct launch_choice launches_chosen(const struct options *options)
{
    return (struct launch_choice){.kernel = options->kernel_name,
                                  .skip = options->launch_skip,
                                  .count = options->launch_count,
                                  .per_kernel = options->launches_per_kernel};
}

int launches_chosen_check(const struct options *options)
{
    const struct launch_choice choice = launches_chosen(options);
    const char *error = launch_choice_error(&choice);
    if (choice.kernel && strlen(choice.kernel) > KERNEL_BYTES_MAX)
        return usage_error(options->command, "--kernel-name: allowed are at most %d characters",
                           KERNEL_BYTES_MAX);
    if (error)
        return usage_error(options->command,
                           "--kernel-name %s: allowed is a name, or regex: and an extended regular "
                           "expression: %s",
                           choice.kernel, error);
    return EXIT_OK;
}

bool launches_chosen_write(const struct options *options, char text[LAUNCH_CHOICE_BYTES])
{
    const struct launch_choice choice = launches_chosen(options);
    return !launch_choice_is_all(&choice) && launch_choice_write(&choice, text);
}

void launches_chosen_text(const struct options *options, char text[LAUNCH_CHOICE_BYTES])
{
    const struct {
        const char *name;
        int64_t value, usual;
    } numbers[] = {{"--launch-skip", options->launch_skip, 0},
                   {"--launch-count", options->launch_count, -1},
                   {"--launches-per-kernel", options->launches_per_kernel, -1}};
    size_t used = 0;
    text[0] = '\0';
    if (options->kernel_name)
        used = (size_t)snprintf(text, LAUNCH_CHOICE_BYTES, "--kernel-name %.*s", KERNEL_BYTES_MAX,
                                options->kernel_name);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].value != numbers[i].usual)
            used += (size_t)snprintf(text + used, LAUNCH_CHOICE_BYTES - used, "%s%s %" PRId64,
                                     used ? " " : "", numbers[i].name, numbers[i].value);
}

bool launches_chosen_note(const struct options *options, const struct trace_sink *sink)
{
    char text[LAUNCH_CHOICE_BYTES];
    launches_chosen_text(options, text);
    return text[0] == '\0' || sink_note(sink, NOTE_CHOICE, text);
}
