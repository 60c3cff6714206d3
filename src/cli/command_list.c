/* command_list.c - the subcommands as a table. */
#include "cli/commands.h"

#define ROW(name) &command_##name,
const struct command *const command_list[] = {COMMANDS(ROW)};
const size_t command_count = sizeof command_list / sizeof command_list[0];
