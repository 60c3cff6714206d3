/* test_lineinfo.c - does this program find its own source lines, functions and thread-local arrays?
 * Needs debug lines (-g1 or more) in this file.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "machine_code/lineinfo.h"

#include <inttypes.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__clang__)
#define NEVER_INLINED __attribute__((noinline))
#else
#define NEVER_INLINED __attribute__((noipa))
#endif

static const char own_path[] = "/proc/self/exe";
static const char own_name[] = "test_lineinfo.c";

/* The shared arrays of two "kernels", decorated as compilers do it. */
static _Thread_local float outer_tile[16][17];
static _Thread_local char cpp_tile[24] __asm__("_ZZ9transposePfPKfE1tE12Emangled_1_a_0");
static _Thread_local char cpp_file_tile[40] __asm__("_ZL8filetile");
static _Thread_local char lto_tile[72] __asm__("ltotile.3.lto_priv.17");

NEVER_INLINED static char *kernel_a(void)
{
    static _Thread_local char tile[100];
    return tile;
}

NEVER_INLINED static char *kernel_b(void)
{
    static _Thread_local char tile[200];
    return tile;
}

NEVER_INLINED static uintptr_t get_return_address(void)
{
    __asm__ volatile("" ::: "memory"); /* or two calls are merged into one */
    return (uintptr_t)__builtin_return_address(0);
}

/* Where this program lies in memory. */
struct own_place {
    uint64_t bias;
    uint64_t code_low; /* as linked */
    uint64_t code_high;
    const char *tls;
};

static int read_own_place(struct dl_phdr_info *program, size_t size, void *data)
{
    (void)size;
    struct own_place *place = data;
    place->bias = program->dlpi_addr;
    place->tls = program->dlpi_tls_data;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        place->code_low = segment->p_vaddr;
        place->code_high = segment->p_vaddr + segment->p_memsz;
    }
    return 1; /* the program itself comes first */
}

static struct own_place find_own_place(void)
{
    struct own_place place = {0};
    dl_iterate_phdr(read_own_place, &place);
    return place;
}

static void check_line(const struct lineinfo *info, uintptr_t return_address, uint32_t line)
{
    struct lineinfo_line found = lineinfo_find(info, return_address - find_own_place().bias);
    assert_non_null(found.file);
    assert_string_equal(found.file, own_name);
    assert_int_equal(found.line, line);
}

static void return_addresses_give_file_and_line(void **state)
{
    (void)state;
    struct lineinfo *info = lineinfo_open(own_path);
    assert_non_null(info);
    check_line(info, get_return_address(), __LINE__);
    check_line(info, get_return_address(), __LINE__);
    lineinfo_close(info);
}

static void addresses_outside_the_code_are_unknown(void **state)
{
    (void)state;
    static const uint64_t addresses[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63};
    struct lineinfo *info = lineinfo_open(own_path);
    assert_non_null(info);
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        assert_null(lineinfo_find(info, addresses[i]).file);
        assert_int_equal(lineinfo_find(info, addresses[i]).line, 0);
        assert_null(lineinfo_function(info, addresses[i]));
    }
    lineinfo_close(info);
}

static void addresses_give_their_function(void **state)
{
    (void)state;
    struct lineinfo *info = lineinfo_open(own_path);
    assert_non_null(info);
    uint64_t bias = find_own_place().bias;
    uint64_t kernel = (uintptr_t)kernel_a - bias;
    assert_string_equal(lineinfo_function(info, get_return_address() - bias), __func__);
    assert_string_equal(lineinfo_function(info, kernel), "kernel_a");
    assert_string_equal(lineinfo_function(info, kernel + 1), "kernel_a");
    lineinfo_close(info);
}

static void check_tls(const struct lineinfo *info, const char *name, const void *array, size_t size)
{
    uint64_t offset = (uint64_t)((const char *)array - find_own_place().tls);
    size_t count;
    const struct lineinfo_variable *symbols = lineinfo_tls_symbols(info, &count);
    for (size_t i = 0; i < count; i++)
        if (symbols[i].offset == offset && symbols[i].size == size) {
            assert_string_equal(symbols[i].name, name);
            return;
        }
    fail_msg("no thread-local symbol for %s at offset %" PRIu64, name, offset);
}

static void thread_local_arrays_have_name_offset_and_size(void **state)
{
    (void)state;
    struct lineinfo *info = lineinfo_open(own_path);
    assert_non_null(info);
    check_tls(info, "outer_tile", outer_tile, sizeof outer_tile);
    check_tls(info, "tile", kernel_a(), 100);
    check_tls(info, "tile", kernel_b(), 200);
    check_tls(info, "Emangled_1_a", cpp_tile, sizeof cpp_tile);
    check_tls(info, "filetile", cpp_file_tile, sizeof cpp_file_tile);
    check_tls(info, "ltotile", lto_tile, sizeof lto_tile);
    size_t count;
    const struct lineinfo_variable *symbols = lineinfo_tls_symbols(info, &count);
    for (size_t i = 1; i < count; i++)
        assert_true(symbols[i - 1].offset <= symbols[i].offset);
    lineinfo_close(info);
}

static void other_files_do_not_open(void **state)
{
    (void)state;
    assert_null(lineinfo_open("/nonexistent/file"));
    assert_null(lineinfo_open("/proc/self"));
    assert_null(lineinfo_open("/dev/zero"));
    assert_null(lineinfo_open("/proc/self/cmdline"));
    lineinfo_close(NULL);
}

struct answer {
    char text[4096];
    const char *name;
    uint32_t line; /* 0 when addr2line does not know */
};

/* Reads "path:line", perhaps followed by a remark. */
static void read_answer(FILE *pipe, struct answer *answer)
{
    assert_non_null(fgets(answer->text, sizeof answer->text, pipe));
    char *colon = strrchr(answer->text, ':');
    assert_non_null(colon);
    *colon = '\0';
    answer->line = (uint32_t)strtoul(colon + 1, NULL, 10);
    const char *slash = strrchr(answer->text, '/');
    answer->name = slash != NULL ? slash + 1 : answer->text;
}

/* Compares `ADDRESSES` addresses spread over [low, high); the number that has a line is returned.
 */
static size_t compare_with_addr2line(const struct lineinfo *info, uint64_t low, uint64_t high)
{
    enum { ADDRESSES = 200 };
    char command[ADDRESSES * 20 + 100];
    int length = snprintf(command, sizeof command, "addr2line -e /proc/%ld/exe", (long)getpid());
    for (uint64_t i = 0; i < ADDRESSES; i++)
        length += snprintf(command + length, sizeof command - (size_t)length, " 0x%" PRIx64,
                           low + (high - low) * i / ADDRESSES);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t known = 0;
    for (uint64_t i = 0; i < ADDRESSES; i++) {
        struct answer answer;
        uint64_t address = low + (high - low) * i / ADDRESSES;
        read_answer(pipe, &answer);
        struct lineinfo_line own = lineinfo_find(info, address + 1);
        if (answer.line == 0)
            continue;
        known++;
        if (own.file == NULL || strcmp(own.file, answer.name) != 0 || own.line != answer.line)
            fail_msg("0x%" PRIx64 ": addr2line %s:%u, here %s:%u", address, answer.name,
                     answer.line, own.file != NULL ? own.file : "?", own.line);
    }
    pclose(pipe);
    return known;
}

static void lines_agree_with_addr2line(void **state);

/* Where this file's functions lie: compilers do not keep their order. */
static void find_own_functions(uint64_t *low, uint64_t *high)
{
    const uintptr_t functions[] = {
        (uintptr_t)kernel_a,
        (uintptr_t)return_addresses_give_file_and_line,
        (uintptr_t)thread_local_arrays_have_name_offset_and_size,
        (uintptr_t)lines_agree_with_addr2line,
    };
    *low = UINT64_MAX;
    *high = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        *low = functions[i] < *low ? functions[i] : *low;
        *high = functions[i] > *high ? functions[i] : *high;
    }
}

static void lines_agree_with_addr2line(void **state)
{
    (void)state;
    if (system("addr2line --version >/dev/null 2>&1") != 0)
        skip();
    struct lineinfo *info = lineinfo_open(own_path);
    assert_non_null(info);
    struct own_place place = find_own_place();
    size_t known = compare_with_addr2line(info, place.code_low, place.code_high);
    uint64_t low, high;
    find_own_functions(&low, &high);
    size_t known_here = compare_with_addr2line(info, low - place.bias, high - place.bias);
    print_message("addr2line knows %zu of 200 addresses of the program, %zu of 200 of this file\n",
                  known, known_here);
    assert_true(known_here >= 100);
    lineinfo_close(info);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(return_addresses_give_file_and_line),
        cmocka_unit_test(addresses_outside_the_code_are_unknown),
        cmocka_unit_test(addresses_give_their_function),
        cmocka_unit_test(thread_local_arrays_have_name_offset_and_size),
        cmocka_unit_test(other_files_do_not_open),
        cmocka_unit_test(lines_agree_with_addr2line),
    };
    return cmocka_run_group_tests_name("lineinfo", tests, NULL, NULL);
}
