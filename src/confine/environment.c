/* environment.c - which variables confined processes see. */
#include <string.h>

#include "confine/confine.h"

bool confine_keeps_variable(const char *variable)
{
    static const char *const kept[] = {"PATH=", "LANG=", "LANGUAGE=",       "LC_",
                                       "TZ=",   "TERM=", "LD_LIBRARY_PATH="};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (strncmp(variable, kept[i], strlen(kept[i])) == 0)
            return true;
    return false;
}
