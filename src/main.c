/* main.c - from the command line to a command. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "text/memory.h"

/* What went to standard output must have arrived, whole. */
static int check_stdout(int status)
{
    if (status == EXIT_OK && memory_failures()) {
        fprintf(stderr, "warplens: standard output: no memory for all of it\n");
        return EXIT_IO;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (status == EXIT_OK && errno != EPIPE)
            perror("warplens: standard output: cannot write");
        return status == EXIT_OK ? EXIT_IO : status;
    }
    return status;
}

static int run_command(const struct command *command, int count, char **argv)
{
    struct options options;
    int status = options_parse(&options, command->name, command->bit, count, argv);
    if (status == EXIT_OK) {
        options_use_styles(&options);
        if (options.help)
            help_print_command(command);
        else
            status = command->run(&options);
    }
    options_free(&options);
    return status;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write */
    if (argc < 2) {
        help_print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_print_usage(stdout);
        return check_stdout(EXIT_OK);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("warplens %s\n", WARPLENS_VERSION);
        return check_stdout(EXIT_OK);
    }
    const struct command *command = command_find(argv[1]);
    if (command == NULL)
        return help_unknown_command(NULL, argv[1]);
    return check_stdout(run_command(command, argc - 2, argv + 2));
}
