/* ptxas_text.c - what `ptxas -v` says (CUDA Compiler Driver NVCC, "Printing Code Generation Statistics"): of each kernel
 *
 *     ptxas info    : Compiling entry function 'NAME' for 'sm_90'
 *     ptxas info    : Function properties for NAME
 *         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
 *     ptxas info    : Used 32 registers, used 1 barriers, 128 bytes smem
 *
 * Functions that are not inlined have properties alone, which come behind those of the kernel: the kernel's are the first.
 */
#define _GNU_SOURCE
#include "nvcc/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "text/list.h"
#include "text/memory.h"

/* The kernel whose lines come. */
struct reading {
    struct nvcc_kernels *kernels;
    const char *symbol; /* in the text; NULL: none */
    size_t symbol_length;
    uint32_t spill_bytes;
    bool has_spills;
};

/* The text behind `words` in the line [line, end); NULL when they are not there. */
static const char *behind(const char *line, const char *end, const char *words)
{
    const size_t length = strlen(words);
    const char *at = memmem(line, (size_t)(end - line), words, length);
    return at ? at + length : NULL;
}

/* The number that ends in front of `at`, which is in the line: "128" of "128 bytes"; 0 when there is none or it is too large. */
static uint32_t number_before(const char *line, const char *at)
{
    const char *begin = at;
    uint64_t number = 0;
    while (begin > line && begin[-1] >= '0' && begin[-1] <= '9')
        begin--;
    for (const char *digit = begin; digit < at && number <= UINT32_MAX; digit++)
        number = number * 10 + (uint64_t)(*digit - '0');
    return number <= UINT32_MAX ? (uint32_t)number : 0;
}

static bool is_symbol(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '.' || c == '$';
}

static void begin_kernel(struct reading *r, const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && is_symbol(at[length]))
        length++;
    const bool is_whole =
        length > 0 && length <= NVCC_SYMBOL_MAX && at + length < end && at[length] == '\'';
    *r = (struct reading){
        .kernels = r->kernels, .symbol = is_whole ? at : NULL, .symbol_length = length};
}

/* "8 bytes spill stores, 12 bytes spill loads" */
static void take_spills(struct reading *r, const char *line, const char *end)
{
    static const char *const words[] = {" bytes spill stores", " bytes spill loads"};
    for (size_t i = 0; i < 2 && !r->has_spills; i++) {
        const char *at = behind(line, end, words[i]);
        if (at)
            r->spill_bytes += number_before(line, at - strlen(words[i]));
    }
    r->has_spills |= behind(line, end, words[0]) != NULL;
}

static bool add_kernel(struct reading *r, uint32_t registers)
{
    struct nvcc_kernels *k = r->kernels;
    const bool is_wanted = r->symbol && registers >= 1 && registers <= NVCC_REGISTERS_MAX;
    if (!is_wanted || k->count == NVCC_KERNELS_MAX)
        return true;
    char *symbol = memory_format("%.*s", (int)r->symbol_length, r->symbol);
    if (symbol == NULL || !LIST_MAKE_ROOM(k->items, k->count, k->room)) {
        free(symbol);
        return false;
    }
    k->items[k->count++] = (struct nvcc_kernel){
        .symbol = symbol, .registers = registers, .spill_bytes = r->spill_bytes};
    r->symbol = NULL;
    return true;
}

static bool take_line(struct reading *r, const char *line, const char *end)
{
    const char *at = behind(line, end, "Compiling entry function '");
    if (at) {
        begin_kernel(r, at, end);
        return true;
    }
    if (r->symbol == NULL)
        return true;
    take_spills(r, line, end);
    at = behind(line, end, ": Used ");
    const char *registers = at ? behind(at, end, " registers") : NULL;
    return registers == NULL || add_kernel(r, number_before(at, registers - strlen(" registers")));
}

bool ptxas_text_read(const char *text, struct nvcc_kernels *kernels)
{
    struct reading r = {.kernels = kernels};
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        if (!take_line(&r, text, end))
            return false;
        text = end + (*end == '\n');
    }
    return true;
}

void nvcc_kernels_free(struct nvcc_kernels *kernels)
{
    for (size_t i = 0; i < kernels->count; i++) {
        free(kernels->items[i].symbol);
        free(kernels->items[i].loops);
        free(kernels->items[i].lines);
    }
    for (size_t i = 0; i < kernels->file_count; i++)
        free(kernels->files[i]);
    free(kernels->files);
    free(kernels->items);
    *kernels = (struct nvcc_kernels){0};
}
