/* command_list.c - the subcommands as a table. */
#include <string.h>

#include "cli/commands/commands.h"

#define ROW(name) &command_##name,
const struct command *const command_list[] = {COMMANDS(ROW)};
const size_t command_count = sizeof command_list / sizeof command_list[0];

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(name, command_list[i]->name) == 0)
            return command_list[i];
    return NULL;
}
