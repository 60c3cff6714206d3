/* test_lineinfo.c - does this program find its own source lines, functions and thread-local arrays,
 * and does it survive a damaged copy of itself? Needs debug lines (-g1 or more) in this file.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "trace/elf.h"
#include "trace/lineinfo.h"

#include <inttypes.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static void return_addresses_give_file_and_line(void **state)
{
    (void)state;
    struct lineinfo *info = lineinfo_open(own_path);
    assert_non_null(info);
    uint64_t bias = find_own_place().bias;
    uint64_t first = get_return_address() - bias, first_line = __LINE__;
    uint64_t second = get_return_address() - bias, second_line = __LINE__;
    struct lineinfo_line line = lineinfo_find(info, first);
    assert_string_equal(line.file, own_name);
    assert_int_equal(line.line, first_line);
    line = lineinfo_find(info, second);
    assert_string_equal(line.file, own_name);
    assert_int_equal(line.line, second_line);
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
    const struct lineinfo_tls *symbols = lineinfo_tls_symbols(info, &count);
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
    const struct lineinfo_tls *symbols = lineinfo_tls_symbols(info, &count);
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

/* A file that lasts as long as it is open, and a path to it. */
struct scratch_file {
    FILE *file;
    char path[40];
};

static struct scratch_file open_scratch(const void *bytes, size_t byte_count)
{
    struct scratch_file scratch = {.file = tmpfile()};
    assert_non_null(scratch.file);
    assert_int_equal(write(fileno(scratch.file), bytes, byte_count), byte_count);
    snprintf(scratch.path, sizeof scratch.path, "/proc/self/fd/%d", fileno(scratch.file));
    return scratch;
}

static uint8_t *read_own_file(size_t *byte_count)
{
    struct stat status;
    assert_int_equal(stat(own_path, &status), 0);
    *byte_count = (size_t)status.st_size;
    uint8_t *bytes = malloc(*byte_count);
    FILE *file = fopen(own_path, "rb");
    assert_true(bytes != NULL && file != NULL);
    assert_int_equal(fread(bytes, 1, *byte_count, file), *byte_count);
    fclose(file);
    return bytes;
}

/* Asks a file everything, so that a sanitizer sees every wrong answer. True when it opens. */
static bool ask_everything(const char *path, uint64_t address)
{
    struct lineinfo *info = lineinfo_open(path);
    if (info == NULL)
        return false;
    size_t text_bytes = 0;
    for (uint64_t i = 0; i < 64; i++) {
        struct lineinfo_line line = lineinfo_find(info, address + 16 * i);
        const char *function = lineinfo_function(info, address + 16 * i);
        assert_int_equal(line.file == NULL, line.line == 0);
        text_bytes += line.file != NULL ? strlen(line.file) : 0;
        text_bytes += function != NULL ? strlen(function) : 0;
    }
    size_t count;
    const struct lineinfo_tls *symbols = lineinfo_tls_symbols(info, &count);
    for (size_t i = 0; i < count; i++)
        text_bytes += strlen(symbols[i].name);
    lineinfo_close(info);
    return text_bytes != SIZE_MAX;
}

static void a_truncated_file_does_no_harm(void **state)
{
    (void)state;
    enum { LENGTHS = 2000 };
    struct own_place place = find_own_place();
    uint64_t address = (uintptr_t)kernel_a - place.bias;
    size_t byte_count;
    uint8_t *bytes = read_own_file(&byte_count);
    struct scratch_file scratch = open_scratch(bytes, byte_count);
    size_t opened = 0;
    for (size_t i = LENGTHS; i-- > 0;) {
        assert_int_equal(ftruncate(fileno(scratch.file), (off_t)(byte_count * i / LENGTHS)), 0);
        opened += ask_everything(scratch.path, address);
    }
    print_message("%zu of %d truncated copies of %zu bytes open\n", opened, LENGTHS, byte_count);
    fclose(scratch.file);
    free(bytes);
}

/* The start of the sections that matter, at most `limit` bytes of each, as a file of its own: damage
 * then hits something that is read. */
struct excerpt {
    uint8_t bytes[1 << 17];
    size_t size;
    uint8_t headers[8][64];
    uint16_t section_count;
};

static void put_uint(uint8_t *at, uint64_t value, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static void add_section(struct excerpt *excerpt, size_t name, const struct elf_section *section,
                        uint32_t link, size_t limit)
{
    size_t size = section->bytes.size < limit ? section->bytes.size : limit;
    assert_true(excerpt->size + size <= sizeof excerpt->bytes);
    uint8_t *header = excerpt->headers[excerpt->section_count++];
    put_uint(header, name, 4);
    put_uint(header + 4, section->type, 4);
    put_uint(header + 24, excerpt->size, 8);
    put_uint(header + 32, size, 8);
    put_uint(header + 40, link, 4);
    put_uint(header + 56, section->entry_size, 8);
    memcpy(excerpt->bytes + excerpt->size, section->bytes.data, size);
    excerpt->size += size;
}

static void build_excerpt(struct excerpt *excerpt, const struct elf_image *elf)
{
    static const char names[] = "\0.symtab\0.strtab\0.debug_line\0.debug_line_str\0.debug_str";
    static const struct elf_section name_section = {
        .type = 3, .bytes = {(const uint8_t *)names, sizeof names}};
    *excerpt = (struct excerpt){.size = 64, .section_count = 1};
    memcpy(excerpt->bytes, elf->file.data, 64);
    for (size_t at = 1; at < sizeof names; at += strlen(names + at) + 1) {
        struct elf_section section = {.type = 1};
        elf_find_section(elf, names + at, &section);
        add_section(excerpt, at, &section, excerpt->section_count + 1u, 15 * 1000 * 1000 / 1000);
    }
    add_section(excerpt, 0, &name_section, 0, sizeof names);
    put_uint(excerpt->bytes + 40, excerpt->size, 8);
    put_uint(excerpt->bytes + 58, 64, 2);
    put_uint(excerpt->bytes + 60, excerpt->section_count, 2);
    put_uint(excerpt->bytes + 62, excerpt->section_count - 1u, 2);
    memcpy(excerpt->bytes + excerpt->size, excerpt->headers, sizeof excerpt->headers);
    excerpt->size += sizeof excerpt->headers;
}
