/* embed.c - a list of files is short. */
#include "embed/embed.h"

#include <string.h>

const char *embedded_text(const struct embedded_file *files, const char *name)
{
    for (; files->name; files++)
        if (strcmp(files->name, name) == 0)
            return files->text;
    return NULL;
}
