/* request.c - who hands in a link would choose what is read: sources are files. */
#define _GNU_SOURCE
#include "cu/request.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool request_confine(const struct cu_request *request, const struct home *home,
                     struct process_confined *confined, char *error)
{
    confined->how = request->confinement;
    for (size_t i = 0; i < request->file_count; i++) {
        struct stat info;
        if (lstat(request->files[i], &info) == 0 && S_ISLNK(info.st_mode)) {
            snprintf(error, TOOLCHAIN_ERROR_BYTES,
                     "%s: a symbolic link, which is not followed where programs are confined: name "
                     "the file that it leads to",
                     request->files[i]);
            return false;
        }
        arguments_add(&confined->reads, request->files[i]);
    }
    for (const char *const *option = request->options; option && *option; option++)
        if (strncmp(*option, "-I", 2) == 0)
            arguments_add(&confined->reads, *option + 2);
    arguments_add(&confined->reads, home->include);
    arguments_add(&confined->reads, home->library);
    return true;
}
