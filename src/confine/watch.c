/* watch.c - a thread that looks ten times a second. A program can write for that long past the limit: some 100 MB on
 * a fast disk, and then it is over. */
#define _GNU_SOURCE
#include "confine/watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

enum { STEP_MS = 100, ENTRY_BYTES = 4096, BLOCK_BYTES = 512 };

/* What is taken of the disk: an entry of the folder, too, takes some. */
static int64_t folder_bytes(const char *path)
{
    int64_t bytes = 0;
    const struct dirent *entry;
    DIR *folder = opendir(path);
    while (folder && (entry = readdir(folder))) {
        struct stat info;
        if (fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0)
            bytes += ENTRY_BYTES + (int64_t)info.st_blocks * BLOCK_BYTES;
    }
    if (folder)
        closedir(folder);
    return bytes;
}

static void *look(void *context)
{
    struct confine_watch *watch = context;
    while (!ender_sees_end(&watch->ender, STEP_MS))
        if (folder_bytes(watch->folder) > watch->most_bytes) {
            ender_kill(&watch->ender);
            break;
        }
    return NULL;
}

bool confine_watch_start(struct confine_watch *watch, pid_t pid, const char *folder,
                         int64_t most_bytes)
{
    watch->folder = folder;
    watch->most_bytes = most_bytes;
    return ender_start(&watch->ender, pid, look, watch);
}

bool confine_watch_end(struct confine_watch *watch)
{
    return ender_end(&watch->ender);
}
