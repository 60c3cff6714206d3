/* laws.c - the laws of laws.def, asked of every result. */
#include "session/laws.h"

#include <stdio.h>

#include "sim/counters/laws.h"

bool laws_keep(const struct result *results, size_t count, char message[LAWS_MESSAGE_BYTES])
{
    for (size_t i = 0; i < count; i++) {
        const struct arch *arch = &results[i].arch;
        const struct law *law = laws_first_broken(&results[i].total, arch);
        if (law == NULL)
            continue;
        snprintf(message, LAWS_MESSAGE_BYTES,
                 "%s on %s: the counters contradict each other: %s (%s): %llu %s %llu does not "
                 "hold. This is a bug in warplens; please report it with this command line",
                 results[i].info->kernel, results[i].gpu->name, law->name, law->text,
                 (unsigned long long)law->left(&results[i].total, arch), law->op,
                 (unsigned long long)law->right(&results[i].total, arch));
        return false;
    }
    return true;
}
