/* fault.c - the table of kinds. */
#include "stream/fault.h"

#include <string.h>

const struct fault_kind_info fault_kinds[FAULT_KINDS] = {
#define X(identifier, name, title, remedy) [FAULT_##identifier] = {#name, title, remedy},
#include "stream/faults.def"
#undef X
};

enum fault_kind fault_kind_named(const char *name)
{
    unsigned kind = 0;
    while (kind < FAULT_KINDS && strcmp(fault_kinds[kind].name, name) != 0)
        kind++;
    return (enum fault_kind)kind;
}
