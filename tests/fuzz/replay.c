/* replay.c - feeds files, and the files of directories, to a fuzz target that libFuzzer is not there
 * for. Checks what libFuzzer would: that no input takes more than 64 MB.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <string.h>
#include <sys/resource.h>

#include "fuzz.h"

enum { PEAK_KB = 64 << 10 };

static unsigned count;

static bool replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    static uint8_t bytes[1 << 17];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    bool read = !ferror(file);
    fclose(file);
    if (!read)
        return false;
    uint8_t *exact = malloc(size ? size : 1); /* a byte too far is one that AddressSanitizer sees */
    FUZZ_ASSERT(exact != NULL);
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    count++;
    return true;
}

static bool replay(const char *path)
{
    struct dirent **names;
    int found = scandir(path, &names, NULL, alphasort);
    bool good = true;
    if (found < 0)
        return replay_file(path);
    for (int i = 0; i < found; i++) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.')
            good &= replay_file(file);
        free(names[i]);
    }
    free(names);
    return good;
}

int main(int count_of_paths, char **paths)
{
    struct rusage usage;
    fuzz_takes_all_steps = true;
    for (int i = 1; i < count_of_paths; i++)
        if (!replay(paths[i])) {
            fprintf(stderr, "%s cannot be read\n", paths[i]);
            return 1;
        }
    getrusage(RUSAGE_SELF, &usage);
    printf("%u inputs, peak of %ld KB\n", count, usage.ru_maxrss);
    FUZZ_ASSERT(count > 0 && (FUZZ_IS_SANITIZED || usage.ru_maxrss <= PEAK_KB));
    return 0;
}
