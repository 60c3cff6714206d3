/* fuzz_accelsim.c - a kernelslist.g, or a .traceg; behind lines "===" the files kernel-1.traceg,
 * kernel-2.traceg and kernel-3.traceg, in a directory of their own, which is in memory where there is
 * such a place.
 */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

enum { KERNELS = 3 };
static const char separator[] = "===\n";

static char directory[64];

static void path_of(int kernel, char path[128])
{
    snprintf(path, 128, "%s/kernel-%d.traceg", directory, kernel);
}

static void remove_all(void)
{
    char path[128];
    for (int kernel = 1; kernel <= KERNELS; kernel++) {
        path_of(kernel, path);
        unlink(path);
    }
    rmdir(directory);
}

static void make_directory(void)
{
    if (directory[0])
        return;
    strcpy(directory, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-XXXXXX" : "/tmp/fuzz-XXXXXX");
    FUZZ_ASSERT(mkdtemp(directory) != NULL);
    atexit(remove_all);
}

/* The bytes up to the separator, or all. */
static size_t piece(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memmem(data, size, separator, sizeof separator - 1) : NULL;
    return end ? (size_t)(end - data) : size;
}

static void write_kernel(int kernel, const uint8_t *data, size_t size)
{
    char path[128];
    path_of(kernel, path);
    FILE *file = fopen(path, "wb");
    FUZZ_ASSERT(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int written;
    char path[128];
    size_t list = piece(data, size), at = list;
    int kernel = 0;
    make_directory();
    while (at < size && kernel < KERNELS) {
        at += sizeof separator - 1;
        size_t bytes = piece(data + at, size - at);
        write_kernel(++kernel, data + at, bytes);
        at += bytes;
    }
    for (int left = kernel + 1; left <= written; left++) {
        path_of(left, path);
        unlink(path);
    }
    written = kernel;
    snprintf(path, sizeof path, "%s/kernelslist.g", directory);
    fuzz_trace("accelsim", path, NULL, data, list);
    return 0;
}
