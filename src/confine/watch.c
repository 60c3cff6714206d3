/* watch.c - a thread that looks ten times a second. A program can write for that long past the limit: some 100 MB on
 * a fast disk, and then it is over. */
#define _GNU_SOURCE
#include "confine/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine/numbers.h"

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
    struct pollfd ended = {.fd = watch->process, .events = POLLIN};
    while (poll(&ended, 1, STEP_MS) == 0)
        if (folder_bytes(watch->folder) > watch->most_bytes) {
            atomic_store(&watch->has_ended_it, true);
            syscall(NR_pidfd_send_signal, watch->process, SIGKILL, NULL, 0);
            break;
        }
    return NULL;
}

bool confine_watch_start(struct confine_watch *watch, pid_t pid, const char *folder,
                         int64_t most_bytes)
{
    sigset_t all, before;
    watch->folder = folder;
    watch->most_bytes = most_bytes;
    watch->process = (int)syscall(NR_pidfd_open, pid, 0);
    atomic_init(&watch->has_ended_it, false);
    if (watch->process < 0)
        return false;
    sigfillset(&all); /* signals are the other threads' */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&watch->thread, NULL, look, watch);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        close(watch->process);
    errno = error;
    return error == 0;
}

bool confine_watch_end(struct confine_watch *watch)
{
    pthread_join(watch->thread, NULL);
    close(watch->process);
    return atomic_load(&watch->has_ended_it);
}
