/* test_nvcc.c - what is read of nvcc's output: ptxas's words, instructions, loops and lines of a cubin; and that none of it can do
 * harm, whatever it is. tests/data/nvcc_loop.* are what nvcc 13.0 has made of tests/cu/nvcc_loop.cu for sm_90. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_support.h"
#include "nvcc/kernels.h"
#include "nvcc/loops.h"
#include "nvcc/sass.h"

/* A data file with a 0 behind it. */
static uint8_t *read_data(const char *name, size_t *bytes)
{
    char path[1024];
    snprintf(path, sizeof path, DATA_DIR "/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    uint8_t *text = malloc(*bytes + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *bytes, file), *bytes);
    text[*bytes] = 0;
    fclose(file);
    return text;
}

static const struct nvcc_kernel *kernel_of(const struct nvcc_kernels *kernels, const char *symbol)
{
    for (size_t i = 0; i < kernels->count; i++)
        if (strcmp(kernels->items[i].symbol, symbol) == 0)
            return &kernels->items[i];
    fail_msg("no %s", symbol);
    return NULL;
}

/* ---- ptxas -v --------------------------------------------------------------------------------- */

static void test_ptxas_real(void **state)
{
    (void)state;
    size_t bytes;
    struct nvcc_kernels kernels = {0};
    uint8_t *text = read_data("nvcc_loop.ptxas", &bytes);
    assert_true(ptxas_text_read((const char *)text, &kernels));
    assert_int_equal(kernels.count, 4);
    assert_int_equal(kernel_of(&kernels, "_Z3sumPfPKfi")->registers, 16);
    assert_int_equal(kernel_of(&kernels, "_Z4copyPfPKfi")->registers, 10);
    assert_int_equal(kernel_of(&kernels, "_Z4fillIdEvPT_S0_")->spill_bytes, 0);
    nvcc_kernels_free(&kernels);
    free(text);
}

#define ENTRY(name) "ptxas info    : Compiling entry function '" name "' for 'sm_90'\n"
#define SPILLS "    48 bytes stack frame, 40 bytes spill stores, 44 bytes spill loads\n"
#define USED(registers)                                                                            \
    "ptxas info    : Used " registers " registers, used 1 barriers, 128 bytes smem\n"

/* The kernel's own properties come first; those of functions that it calls behind them. */
static void test_ptxas_spills(void **state)
{
    (void)state;
    struct nvcc_kernels kernels = {0};
    assert_true(
        ptxas_text_read(ENTRY("k") "ptxas info    : Function properties for k\n" SPILLS
                                   "ptxas info    : Function properties for f\n" SPILLS USED("255"),
                        &kernels));
    assert_int_equal(kernels.count, 1);
    assert_int_equal(kernels.items[0].registers, 255);
    assert_int_equal(kernels.items[0].spill_bytes, 84);
    nvcc_kernels_free(&kernels);
}

static void test_ptxas_damaged(void **state)
{
    (void)state;
    static const char *const none[] = {"",
                                       "\n\n",
                                       USED("32"),
                                       ENTRY("k"),
                                       ENTRY("") USED("32"),
                                       ENTRY("k") USED("256"),
                                       ENTRY("k") USED("0"),
                                       ENTRY("k") USED("99999999999999999999"),
                                       ENTRY("k") USED(""),
                                       ENTRY("a\"b") USED("32"),
                                       "Compiling entry function 'k" /* no end */ "\n" USED("32")};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        struct nvcc_kernels kernels = {0};
        assert_true(ptxas_text_read(none[i], &kernels));
        assert_int_equal(kernels.count, 0);
        nvcc_kernels_free(&kernels);
    }
}

/* ---- Instructions ----------------------------------------------------------------------------- */

static struct sass_instruction decode(uint64_t low, uint64_t high, int sm)
{
    uint8_t code[SASS_BYTES];
    for (unsigned i = 0; i < 8; i++) {
        code[i] = (uint8_t)(low >> (8 * i));
        code[8 + i] = (uint8_t)(high >> (8 * i));
    }
    return sass_decode(code, sm);
}

/* Words that nvcc 13.0 has written. */
static void test_sass(void **state)
{
    (void)state;
    struct sass_instruction in =
        decode(0x0000000604067981, 0x000ee2000c1e1900, 90); /* ldg, 4 bytes */
    assert_int_equal(in.kind, SASS_LOAD);
    assert_int_equal(in.bytes, 4);
    assert_int_equal(in.counter, 3);
    assert_int_equal(in.waits, 0);
    in = decode(0x0000000404047981, 0x001ea8000c1e1d00, 80); /* ldg, 16 bytes, behind counter 0 */
    assert_int_equal(in.bytes, 16);
    assert_int_equal(in.waits, 1);
    in = decode(0x00000e0408087981, 0x000ee2000c1e1500, 80); /* a short */
    assert_int_equal(in.bytes, 2);
    in = decode(0x00000000020e7381, 0x000ea200001ee900, 75); /* as sm_75 has it */
    assert_int_equal(in.kind, SASS_LOAD);
    assert_int_equal(in.bytes, 4);
    in = decode(0x000000041a1a7984, 0x000ea80008000800, 90); /* lds */
    assert_int_equal(in.kind, SASS_LOAD_SHARED);
    in = decode(0x0000000502007986, 0x001fe2000c101904, 80); /* stg: no counter */
    assert_int_equal(in.kind, SASS_STORE);
    assert_true(in.counter >= SASS_COUNTERS);
    assert_int_equal(decode(0x0000000000007918, 0x000fc00000000000, 90).kind, SASS_NOTHING);
    assert_int_equal(decode(0x000000141a1c7223, 0x004fc60000000015, 90).kind, SASS_OTHER);
}

static void test_sass_branches(void **state)
{
    (void)state;
    struct sass_instruction in = decode(0xffffff5000008947, 0x000fea000383ffff, 80);
    assert_int_equal(in.kind, SASS_BRANCH);
    assert_int_equal(in.target, 0x1a0 - 0x240);
    in = decode(0xfffffffc00d48947, 0x000fea000383ffff, 90); /* eight bits more below */
    assert_int_equal(in.target, 0x190 - 0x230);
    in = decode(0x0000000800e48947, 0x000fea0003800000, 90);
    assert_int_equal(in.target, 0xcd0 - 0x130);
    assert_int_equal(decode(0xfffffffc00fc7947, 0x000fc0000383ffff, 90).target, 0);
}

/* ---- Loops ------------------------------------------------------------------------------------ */

static void put(uint8_t *code, size_t i, uint64_t low, uint64_t high)
{
    for (unsigned b = 0; b < 8; b++) {
        code[i * SASS_BYTES + b] = (uint8_t)(low >> (8 * b));
        code[i * SASS_BYTES + 8 + b] = (uint8_t)(high >> (8 * b));
    }
}
static void put_branch(uint8_t *code, size_t i,
                       int64_t by) /* of so many instructions, from its own place */
{
    const uint64_t units = (uint64_t)(by - 1) * (SASS_BYTES / 4);
    put(code, i, 0x947 | (units & 0xff) << 16 | (units >> 8) << 34, 0x7ULL << 46);
}
static void put_load(uint8_t *code, size_t i, unsigned counter)
{
    put(code, i, 0x981, 4ULL << 9 | (uint64_t)counter << 46);
}
static void put_other(uint8_t *code, size_t i, unsigned waits)
{
    put(code, i, 0x223, 7ULL << 46 | (uint64_t)waits << 52);
}

/* 0: other; 1 to 8: a loop of [3 4 5 6 7] in it, where two loads are waited for, then one; 9: end. */
static void test_loops(void **state)
{
    (void)state;
    uint8_t code[12 * SASS_BYTES];
    uint16_t in_loop[12];
    struct nvcc_kernel kernel = {0};
    put_other(code, 0, 0);
    put_other(code, 1, 0);
    put_load(code, 2, 4);
    put_load(code, 3, 0);
    put_load(code, 4, 1);
    put_other(code, 5, 1 << 1);
    put_load(code, 6, 2);
    put_branch(code, 7, -4);
    put_branch(code, 8, -7);
    put_other(code, 9, 0);
    put_branch(code, 10, 0);
    put(code, 11, 0x918, 0);
    assert_true(loops_find(code, 12, 90, in_loop, &kernel));
    assert_int_equal(kernel.loop_count, 3);
    assert_int_equal(kernel.loops[0].instructions, 2);
    assert_int_equal(kernel.loops[1].instructions, 3); /* the outer one is longer */
    assert_int_equal(kernel.loops[1].rounds, 1);
    assert_int_equal(kernel.loops[2].instructions, 5);
    assert_int_equal(kernel.loops[2].rounds, 2);
    const uint16_t want[12] = {0, 1, 1, 2, 2, 2, 2, 2, 1, 0, UINT16_MAX, UINT16_MAX};
    assert_memory_equal(in_loop, want, sizeof want);
    free(kernel.loops);
}

/* ---- A cubin ---------------------------------------------------------------------------------- */

static void read_both(const char *text, uint8_t *file, size_t bytes, struct nvcc_kernels *kernels)
{
    assert_true(ptxas_text_read(text, kernels));
    assert_true(cubin_read(file, bytes, 90, kernels, 0));
}

static uint32_t bytes_at(const struct nvcc_kernel *kernel, uint32_t line, uint32_t loop,
                         bool stores)
{
    uint32_t bytes = 0;
    for (size_t i = 0; i < kernel->line_count; i++)
        if (kernel->lines[i].line == line && kernel->lines[i].loop == loop) {
            assert_string_equal(kernel->lines[i].file, "nvcc_loop.cu");
            bytes += stores ? kernel->lines[i].store_bytes : kernel->lines[i].load_bytes;
        }
    return bytes;
}

static void test_cubin(void **state)
{
    (void)state;
    size_t bytes, length;
    struct nvcc_kernels kernels = {0};
    uint8_t *text = read_data("nvcc_loop.ptxas", &length),
            *file = read_data("nvcc_loop.cubin", &bytes);
    read_both((const char *)text, file, bytes, &kernels);
    const struct nvcc_kernel *copy = kernel_of(&kernels, "_Z4copyPfPKfi");
    assert_int_equal(copy->loop_count, 1);
    assert_int_equal(copy->loops[0].instructions, 16);
    assert_int_equal(bytes_at(copy, 9, 0, false), 4);
    assert_int_equal(bytes_at(copy, 9, 0, true), 4);
    const struct nvcc_kernel *sum = kernel_of(&kernels, "_Z3sumPfPKfi");
    assert_int_equal(sum->loop_count, 3);
    assert_int_equal(sum->loops[0].instructions, 30);
    assert_int_equal(sum->loops[1].instructions, 16); /* four iterations, whose loads come first */
    assert_int_equal(sum->loops[1].rounds, 1);
    assert_int_equal(bytes_at(sum, 17, 1, false), 16);
    assert_int_equal(bytes_at(sum, 17, 2, false), 4);
    assert_int_equal(bytes_at(sum, 18, 0, true), 4);
    nvcc_kernels_free(&kernels);
    free(text);
    free(file);
}

/* Cut off anywhere, and with any byte changed: it is read, or it is not. */
static void test_cubin_damaged(void **state)
{
    (void)state;
    size_t bytes, length;
    uint8_t *text = read_data("nvcc_loop.ptxas", &length),
            *file = read_data("nvcc_loop.cubin", &bytes);
    for (size_t i = 0; i < bytes; i += 3) {
        struct nvcc_kernels kernels = {0};
        uint8_t *cut = malloc(i ? i : 1), *changed = malloc(bytes);
        assert_true(cut && changed);
        memcpy(cut, file, i);
        memcpy(changed, file, bytes);
        changed[i] ^= (uint8_t)(1 + i % 255);
        read_both((const char *)text, cut, i, &kernels);
        nvcc_kernels_free(&kernels);
        read_both((const char *)text, changed, bytes, &kernels);
        nvcc_kernels_free(&kernels);
        free(cut);
        free(changed);
    }
    for (; length > 0; length--) {
        struct nvcc_kernels kernels = {0};
        text[length - 1] = 0;
        assert_true(ptxas_text_read((const char *)text, &kernels));
        nvcc_kernels_free(&kernels);
    }
    free(text);
    free(file);
}

/* What a reader goes by of a section's entry in the table; its other bytes are 0. */
static void put_section(uint8_t *header, uint32_t name, uint64_t offset, uint64_t bytes)
{
    const uint32_t words[2] = {name, 1};
    memcpy(header, words, sizeof words);
    memcpy(header + 24, &offset, sizeof offset);
    memcpy(header + 32, &bytes, sizeof bytes);
}

/* The line table lies where the names of sections are, and a relocation of it takes the 0 behind the last name. */
static void test_cubin_names_relocated(void **state)
{
    (void)state;
    static const char names[] =
        "\0.symtab\0.rela.debug_line\0.debug_line\0.shstrtab\0.text.1234567";
    enum {
        TABLE = 64,
        SYMBOLS = TABLE + 6 * 64,
        RELOCATIONS = SYMBOLS + 24,
        NAMES = RELOCATIONS + 24
    };
    const size_t bytes = NAMES + sizeof names;
    const uint64_t offset = sizeof names - 8, sections = TABLE;
    uint8_t *file = calloc(1, bytes);
    struct nvcc_kernels kernels = {0};
    assert_non_null(file);
    memcpy(file, "\177ELF\2\1", 6);
    memcpy(file + 40, &sections, sizeof sections);
    file[58] = 64; /* bytes, number, and the names' number, of sections */
    file[60] = 6;
    file[62] = 4;
    put_section(file + TABLE + 64, 1, SYMBOLS, 24);
    put_section(file + TABLE + 128, 9, RELOCATIONS, 24);
    put_section(file + TABLE + 192, 26, NAMES, sizeof names);
    put_section(file + TABLE + 256, 38, NAMES, sizeof names);
    put_section(file + TABLE + 320, 48, SYMBOLS, 16);
    memcpy(file + RELOCATIONS, &offset, sizeof offset);
    memcpy(file + RELOCATIONS + 16, "_Z3sumPf", 8);
    memcpy(file + NAMES, names, sizeof names);
    assert_true(ptxas_text_read(ENTRY("_Z3sumPfPKfi") USED("32"), &kernels));
    assert_true(cubin_read(file, bytes, 90, &kernels, 0));
    assert_int_equal(kernels.items[0].loop_count, 0);
    nvcc_kernels_free(&kernels);
    free(file);
}

/* Code of before sm_70 has other instructions. */
static void test_cubin_old(void **state)
{
    (void)state;
    size_t bytes, length;
    struct nvcc_kernels kernels = {0};
    uint8_t *text = read_data("nvcc_loop.ptxas", &length),
            *file = read_data("nvcc_loop.cubin", &bytes);
    assert_true(ptxas_text_read((const char *)text, &kernels));
    assert_true(cubin_read(file, bytes, 61, &kernels, 0));
    assert_int_equal(kernels.items[0].loop_count, 0);
    nvcc_kernels_free(&kernels);
    free(text);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ptxas_real),    cmocka_unit_test(test_ptxas_spills),
        cmocka_unit_test(test_ptxas_damaged), cmocka_unit_test(test_sass),
        cmocka_unit_test(test_sass_branches), cmocka_unit_test(test_loops),
        cmocka_unit_test(test_cubin),         cmocka_unit_test(test_cubin_damaged),
        cmocka_unit_test(test_cubin_old),     cmocka_unit_test(test_cubin_names_relocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
