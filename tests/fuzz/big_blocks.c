/* big_blocks.c - keeps big blocks for the next input. Readers take up to 24 MB and touch little of it;
 * with AddressSanitizer getting and giving back as much costs more than the reading: it takes 1 ms
 * an input. Blocks are asked for again by their exact sizes, so that their ends are still
 * guarded; that they are used after they were freed is not seen. Linked with --wrap.
 */
#include <string.h>

#include "fuzz.h"

enum { BIG_BYTES = 1 << 17, BLOCKS = 64 };

void *__real_malloc(size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
void *__real_calloc(size_t count, size_t each);
void *__wrap_malloc(size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);
void *__wrap_calloc(size_t count, size_t each);

static struct {
    void *at;
    size_t bytes;
    bool used;
} blocks[BLOCKS];

static size_t find(const void *at)
{
    size_t i = 0;
    while (i < BLOCKS && blocks[i].at != at)
        i++;
    return i;
}

/* A block that is not used becomes none, so that there is room. */
static size_t make_place(void)
{
    size_t i = find(NULL);
    for (size_t old = 0; i == BLOCKS && old < BLOCKS; old++)
        if (!blocks[old].used) {
            __real_free(blocks[old].at);
            i = old;
        }
    FUZZ_ASSERT(i < BLOCKS); /* else: big blocks are never freed */
    return i;
}

void *__wrap_malloc(size_t bytes)
{
    if (bytes < BIG_BYTES)
        return __real_malloc(bytes);
    for (size_t i = 0; i < BLOCKS; i++)
        if (blocks[i].at && !blocks[i].used && blocks[i].bytes == bytes) {
            blocks[i].used = true;
            return blocks[i].at;
        }
    void *at = __real_malloc(bytes);
    size_t i = at ? make_place() : 0;
    if (at) {
        blocks[i].at = at;
        blocks[i].bytes = bytes;
        blocks[i].used = true;
    }
    return at;
}

void *__wrap_calloc(size_t count, size_t each)
{
    if (each && count > SIZE_MAX / each)
        return __real_calloc(count, each);
    void *at = count * each < BIG_BYTES ? __real_calloc(count, each) : __wrap_malloc(count * each);
    if (at && count * each >= BIG_BYTES)
        memset(at, 0, count * each);
    return at;
}

void __wrap_free(void *block)
{
    size_t i = block ? find(block) : BLOCKS;
    if (i == BLOCKS) {
        __real_free(block);
        return;
    }
    FUZZ_ASSERT(blocks[i].used);
    blocks[i].used = false;
}

void *__wrap_realloc(void *block, size_t bytes)
{
    size_t i = block ? find(block) : BLOCKS;
    if (i < BLOCKS)
        blocks[i].at = NULL;
    return __real_realloc(block, bytes);
}
