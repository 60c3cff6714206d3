/* helper_string.h - command lines of NVIDIA's samples, by the names of their helper header: options
 * are "-name", "--name" or "-name=value".
 */
#ifndef WARPLENS_COMPAT_HELPER_STRING_H
#define WARPLENS_COMPAT_HELPER_STRING_H
#pragma GCC system_header

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "warplens/cuda.h"

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, bytes, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

inline int stringRemoveDelimiter(char delimiter, const char *text)
{
    int at = 0;
    while (text[at] == delimiter)
        at++;
    return at >= (int)strlen(text) - 1 ? 0 : at;
}

/* Behind "-name" in the arguments: "" or "value"; NULL when it is not there. */
inline const char *wl_find_option(int argc, const char **argv, const char *name)
{
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i] + stringRemoveDelimiter('-', argv[i]);
        if (strncasecmp(option, name, length) != 0)
            continue;
        if (option[length] == '\0')
            return option + length;
        if (option[length] == '=')
            return option + length + 1;
    }
    return NULL;
}
inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
    return wl_find_option(argc, argv, name) != NULL;
}
inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
    const char *value = wl_find_option(argc, argv, name);
    return value ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
    const char *value = wl_find_option(argc, argv, name);
    return value ? (float)atof(value) : 0.0f;
}
inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **value)
{
    *value = const_cast<char *>(wl_find_option(argc, argv, name));
    return *value != NULL;
}
template <class T>
inline bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *value)
{
    const char *text = wl_find_option(argc, argv, name);
    if (text)
        *value = (T)atof(text);
    return text != NULL;
}

inline int getFileExtension(char *name, char **extension)
{
    char *dot = strrchr(name, '.');
    *extension = dot ? dot + 1 : NULL;
    return dot ? (int)(dot + 1 - name) : 0;
}

/* A new string with where a file is: here, in ./data or next to the program. */
inline char *sdkFindFilePath(const char *name, const char *program)
{
    static const char *const folders[] = {"./", "./data/", "../data/", "../../data/"};
    const char *slash = program ? strrchr(program, '/') : NULL;
    for (size_t i = 0; i <= sizeof folders / sizeof *folders; i++) {
        char path[4096];
        if (i < sizeof folders / sizeof *folders)
            snprintf(path, sizeof path, "%s%s", folders[i], name);
        else if (slash)
            snprintf(path, sizeof path, "%.*s/%s", (int)(slash - program), program, name);
        else
            break;
        FILE *file = fopen(path, "rb");
        if (file) {
            fclose(file);
            return strdup(path);
        }
    }
    return NULL;
}

#endif
