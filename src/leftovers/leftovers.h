/* leftovers.h - files and a child process that a signal which ends warplens takes along.
 *
 * What is made under a name for a while (a build's directory, an output that is not complete) is told here before
 * anybody can send a signal; SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU and SIGXFSZ then remove it, and end the process
 * as they would have. A child that fork made leaves its parent's alone. A signal that is ignored, as under nohup,
 * stays so. One thread calls these functions.
 */
#ifndef WARPLENS_LEFTOVERS_LEFTOVERS_H
#define WARPLENS_LEFTOVERS_LEFTOVERS_H

#include <stdbool.h>
#include <sys/types.h>

enum { LEFTOVERS_MAX = 512 };

/* Makes a file or a directory from a template as mkstemp and mkdtemp do. The text must live until it is removed
 * or forgotten. A descriptor, or -1 with errno; false with errno. */
int leftovers_make_file(char *template);
bool leftovers_make_directory(char *template);

/* A file that something will make at this path. False: there are LEFTOVERS_MAX already. */
bool leftovers_add(const char *path);

/* The same of a folder that others write files into, under any names, but no folders: they are removed with it.
 * leftovers_empty_folder removes them alone. */
bool leftovers_add_folder(const char *path);
void leftovers_empty_folder(const char *path);

/* Removes the file, or the directory when it is empty; or only forgets it, since it has another name now. */
void leftovers_remove(const char *path);
void leftovers_forget(const char *path);

/* A child process that a signal ends first; negative: the process group that it leads; 0: none. */
void leftovers_set_child(pid_t child);

#endif
