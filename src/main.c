/* main.c - from the command line to a command. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "text/nearest.h"

static void print_usage(FILE *out)
{
    fprintf(out,
            "warplens shows how a GPU kernel's warps touch memory, on a machine without a GPU.\n\n"
            "usage: warplens COMMAND [options]\n\n");
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "  %-9s %-26s %s\n", command_list[i]->name, command_list[i]->operands,
                command_list[i]->help);
    fprintf(out,
            "\n`warplens COMMAND --help` says more. Exit status: 0 fine, 1 a file failed, 2 bad "
            "input,\n3 a threshold not met, 70 a bug of warplens.\n");
}

static void print_command_help(const struct command *command)
{
    printf("usage: warplens %s %s [options]\n\n%s\n\n", command->name, command->operands,
           command->about);
    options_print(command->bit);
}

static int unknown_command(const char *name)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES];
    for (size_t i = 0; i < command_count; i++)
        nearest_offer(&nearest, command_list[i]->name);
    return usage_error(NULL, "unknown command %s%s; `warplens --help` lists them", name,
                       nearest_text(&nearest, text));
}

/* What went to standard output must have arrived. */
static int check_stdout(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (status == EXIT_OK && errno != EPIPE)
            perror("warplens: standard output: cannot write");
        return status == EXIT_OK ? EXIT_IO : status;
    }
    return status;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write */
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return check_stdout(EXIT_OK);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("warplens %s\n", WARPLENS_VERSION);
        return check_stdout(EXIT_OK);
    }
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(argv[1], command_list[i]->name) != 0)
            continue;
        struct options options;
        int status = options_parse(&options, argv[1], command_list[i]->bit, argc - 2, argv + 2);
        if (status == EXIT_OK && options.help)
            print_command_help(command_list[i]);
        else if (status == EXIT_OK)
            status = command_list[i]->run(&options);
        return check_stdout(status);
    }
    return unknown_command(argv[1]);
}
