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

const char *embedded_line(const struct embedded_file *files, const char *name, size_t line,
                          size_t *length)
{
    const char *text = embedded_text(files, name);
    for (size_t at = 1; text && at < line; at++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (text == NULL || line == 0)
        return NULL;
    text += strspn(text, " ");
    *length = strcspn(text, "\n");
    return *length ? text : NULL;
}
