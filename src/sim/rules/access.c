/* access.c - the words for operations and spaces. */
#include "sim/rules/access.h"

const char *const mem_op_names[WORD_COUNT] = {
    [OP_LOAD] = "load",
    [OP_STORE] = "store",
    [OP_ATOMIC] = "atomic",
    [WORD_COPY] = "copy",
    [WORD_BULK_LOAD] = "bulk load",
    [WORD_BULK_STORE] = "bulk store",
    [WORD_BULK_REDUCTION] = "bulk reduction",
};
const char *const mem_op_plurals[WORD_COUNT] = {
    [OP_LOAD] = "loads",
    [OP_STORE] = "stores",
    [OP_ATOMIC] = "atomics",
    [WORD_COPY] = "copies",
    [WORD_BULK_LOAD] = "bulk loads",
    [WORD_BULK_STORE] = "bulk stores",
    [WORD_BULK_REDUCTION] = "bulk reductions",
};
const char *const mem_op_mnemonics[OP_COUNT] = {"ld", "st", "atom"};
const char *const mem_space_names[SPACE_COUNT] = {"global", "shared", "local", "constant",
                                                  "texture"};
const char *const mem_space_mnemonics[SPACE_COUNT] = {"global", "shared", "local", "const", "tex"};
