/* fuzz_cubin.c - what nvcc has written: ptxas's words and a cubin. A first byte says of which compute capability. */
#define _GNU_SOURCE
#include <string.h>

#include "fuzz.h"
#include "nvcc/kernels.h"
#include "nvcc/sass.h"

/* Kernels of tests/cu/nvcc_loop.cu, and one whose name is easy to find. */
static const char words[] =
    "Compiling entry function '_Z3sumPfPKfi' for 'sm_90'\nptxas info    : Used 16 registers\n"
    "Compiling entry function '_Z4copyPfPKfi' for 'sm_90'\nptxas info    : Used 10 registers\n"
    "Compiling entry function 'k' for 'sm_90'\nptxas info    : Used 8 registers\n";

static bool is_of(const struct nvcc_kernels *kernels, const char *file)
{
    size_t i = 0;
    while (i < kernels->file_count && kernels->files[i] != file)
        i++;
    return i < kernels->file_count;
}

static void check(const struct nvcc_kernels *kernels, size_t bytes)
{
    FUZZ_ASSERT(kernels->count <= NVCC_KERNELS_MAX);
    for (size_t i = 0; i < kernels->count; i++) {
        const struct nvcc_kernel *k = &kernels->items[i];
        size_t instructions = 0;
        FUZZ_ASSERT(*k->symbol && strlen(k->symbol) < NVCC_SYMBOL_MAX);
        FUZZ_ASSERT(k->registers && k->registers <= NVCC_REGISTERS_MAX);
        FUZZ_ASSERT(k->loop_count <= NVCC_LOOPS_MAX + 1 && k->line_count <= NVCC_LINES_MAX);
        for (size_t l = 0; l < k->loop_count; l++)
            instructions += k->loops[l].instructions;
        FUZZ_ASSERT(instructions <= bytes / SASS_BYTES);
        for (size_t l = 0; l < k->line_count; l++)
            FUZZ_ASSERT(k->lines[l].loop < k->loop_count && k->lines[l].line &&
                        is_of(kernels, k->lines[l].file));
    }
}

static void read_words(const uint8_t *data, size_t size)
{
    struct nvcc_kernels kernels = {0};
    char *text = strndup((const char *)data, size);
    if (text && ptxas_text_read(text, &kernels))
        check(&kernels, 0);
    nvcc_kernels_free(&kernels);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nvcc_kernels kernels = {0};
    if (size == 0)
        return 0;
    read_words(data + 1, size - 1);
    uint8_t *file = malloc(size); /* of its own, so that no byte behind it is read */
    if (file && ptxas_text_read(words, &kernels)) {
        const size_t bytes = size - 1;
        memcpy(file, data + 1, bytes);
        uint8_t *exact = realloc(file, bytes ? bytes : 1);
        file = exact ? exact : file;
        if (cubin_read(file, bytes, data[0], &kernels, 0))
            check(&kernels, bytes);
    }
    nvcc_kernels_free(&kernels);
    free(file);
    return 0;
}
