/* access.c - the words for operations and spaces. */
#include "sim/rules/access.h"

const char *const mem_op_names[OP_COUNT] = {"load", "store", "atomic"};
const char *const mem_op_mnemonics[OP_COUNT] = {"ld", "st", "atom"};
const char *const mem_space_names[SPACE_COUNT] = {"global", "shared", "local", "constant",
                                                  "texture"};
const char *const mem_space_mnemonics[SPACE_COUNT] = {"global", "shared", "local", "const", "tex"};
