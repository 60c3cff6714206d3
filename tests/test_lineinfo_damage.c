/* test_lineinfo_damage.c - can a damaged executable crash or hang the reader of debug lines? Best
 * run under a sanitizer. Needs debug lines (-g1 or more) in this file.
 *
 * The damage: this program cut off at many lengths, and an excerpt of it that holds nothing but
 * what the reader reads, cut off as a whole, in every section, and with random bytes changed.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "machine_code/elf.h"
#include "machine_code/lineinfo.h"

#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char own_path[] = "/proc/self/exe";

static _Thread_local char tile[100];

static int read_bias(struct dl_phdr_info *program, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = program->dlpi_addr;
    return 1; /* the program itself comes first */
}

/* An address of this file as linked. */
static uint64_t find_own_address(void)
{
    uint64_t bias = 0;
    dl_iterate_phdr(read_bias, &bias);
    tile[0] = 1; /* an array that is not used has no symbol */
    return (uintptr_t)read_bias - bias;
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
    const struct lineinfo_variable *symbols = lineinfo_tls_symbols(info, &count);
    for (size_t i = 0; i < count; i++)
        text_bytes += strlen(symbols[i].name);
    lineinfo_close(info);
    return text_bytes != SIZE_MAX;
}

/* The start of the sections that matter as a file of its own: damage then hits something that is
 * read. The section headers come right after the file header, so that a file cut short still has
 * sections. */
enum { SECTION_BYTES_MAX = 500 * 24, HEADER_BYTES = 64, HEADERS_BYTES = 8 * HEADER_BYTES };

struct excerpt {
    uint8_t bytes[HEADERS_BYTES + 6 * SECTION_BYTES_MAX];
    size_t size;
    uint16_t section_count;
};

static void put_uint(uint8_t *at, uint64_t value, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static void add_section(struct excerpt *excerpt, size_t name, const struct elf_section *section,
                        size_t limit)
{
    size_t size = section->bytes.size < limit ? section->bytes.size : limit;
    uint8_t *header = excerpt->bytes + HEADER_BYTES * (1u + excerpt->section_count++);
    assert_true(header + HEADER_BYTES <= excerpt->bytes + HEADERS_BYTES);
    put_uint(header, name, 4);
    put_uint(header + 4, section->type, 4);
    put_uint(header + 24, excerpt->size, 8);
    put_uint(header + 32, size, 8);
    put_uint(header + 40, excerpt->section_count, 4); /* a symbol table's strings come next */
    put_uint(header + 56, section->entry_size, 8);
    if (size > 0)
        memcpy(excerpt->bytes + excerpt->size, section->bytes.data, size);
    excerpt->size += size;
}

/* At most `limit` bytes of each section. */
static void build_excerpt(struct excerpt *excerpt, const struct elf_image *elf, size_t limit)
{
    static const char names[] = "\0.symtab\0.strtab\0.debug_line\0.debug_line_str\0.debug_str";
    const struct elf_section name_section = {.type = 3,
                                             .bytes = {(const uint8_t *)names, sizeof names}};
    *excerpt = (struct excerpt){.size = HEADERS_BYTES, .section_count = 1};
    memcpy(excerpt->bytes, elf->file.data, HEADER_BYTES);
    for (size_t at = 1; at < sizeof names; at += strlen(names + at) + 1) {
        struct elf_section section;
        if (!elf_find_section(elf, names + at, &section))
            section = (struct elf_section){.type = 1};
        add_section(excerpt, at, &section, limit);
    }
    add_section(excerpt, 0, &name_section, SECTION_BYTES_MAX);
    put_uint(excerpt->bytes + 40, HEADER_BYTES, 8);
    put_uint(excerpt->bytes + 58, HEADER_BYTES, 2);
    put_uint(excerpt->bytes + 60, excerpt->section_count, 2);
    put_uint(excerpt->bytes + 62, excerpt->section_count - 1u, 2);
}

static void check_truncated(const void *bytes, size_t byte_count)
{
    enum { LENGTHS = 2000 };
    struct scratch_file scratch = open_scratch(bytes, byte_count);
    size_t opened = 0;
    for (size_t i = LENGTHS; i-- > 0;) {
        assert_int_equal(ftruncate(fileno(scratch.file), (off_t)(byte_count * i / LENGTHS)), 0);
        opened += ask_everything(scratch.path, find_own_address());
    }
    print_message("%zu of %d truncated copies of %zu bytes open\n", opened, LENGTHS, byte_count);
    fclose(scratch.file);
}

static void a_truncated_file_does_no_harm(void **state)
{
    (void)state;
    static struct excerpt excerpt;
    size_t byte_count;
    uint8_t *file = read_own_file(&byte_count);
    struct elf_image elf;
    assert_true(elf_open_image(&elf, (struct elf_bytes){file, byte_count}));
    build_excerpt(&excerpt, &elf, SECTION_BYTES_MAX);
    check_truncated(file, byte_count);
    check_truncated(excerpt.bytes, excerpt.size);
    free(file);
}

static void sections_cut_short_do_no_harm(void **state)
{
    (void)state;
    static struct excerpt excerpt;
    size_t byte_count;
    uint8_t *file = read_own_file(&byte_count);
    struct elf_image elf;
    assert_true(elf_open_image(&elf, (struct elf_bytes){file, byte_count}));
    for (size_t limit = 0; limit <= SECTION_BYTES_MAX; limit += limit < 300 ? 1 : 24) {
        build_excerpt(&excerpt, &elf, limit);
        struct scratch_file scratch = open_scratch(excerpt.bytes, excerpt.size);
        assert_true(ask_everything(scratch.path, find_own_address()));
        fclose(scratch.file);
    }
    free(file);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545f4914f6cdd1d) >> 32;
}

/* Changes one to four bytes, half of the time one of them in the headers, which are a small part.
 */
static void damage_bytes(uint8_t *bytes, size_t byte_count, uint64_t *random)
{
    size_t range = next_random(random) % 2 ? HEADERS_BYTES : byte_count;
    for (uint64_t i = next_random(random) % 4 + 1; i > 0; i--, range = byte_count)
        bytes[next_random(random) % range] ^= (uint8_t)(next_random(random) % 255 + 1);
}

static void damaged_bytes_do_no_harm(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    const uint64_t seed = 20240611;
    size_t byte_count;
    uint8_t *file = read_own_file(&byte_count);
    struct elf_image elf;
    assert_true(elf_open_image(&elf, (struct elf_bytes){file, byte_count}));
    static struct excerpt excerpt;
    static uint8_t damaged[sizeof excerpt.bytes];
    build_excerpt(&excerpt, &elf, SECTION_BYTES_MAX);
    struct scratch_file scratch = open_scratch(excerpt.bytes, excerpt.size);
    assert_true(ask_everything(scratch.path, find_own_address()));

    size_t opened = 0;
    uint64_t random = seed;
    for (size_t i = 0; i < ROUNDS; i++) {
        memcpy(damaged, excerpt.bytes, excerpt.size);
        damage_bytes(damaged, excerpt.size, &random);
        assert_int_equal(pwrite(fileno(scratch.file), damaged, excerpt.size, 0), excerpt.size);
        opened += ask_everything(scratch.path, find_own_address());
    }
    print_message("seed %llu: %zu of %d damaged copies of %zu bytes open\n",
                  (unsigned long long)seed, opened, ROUNDS, excerpt.size);
    fclose(scratch.file);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_truncated_file_does_no_harm),
        cmocka_unit_test(sections_cut_short_do_no_harm),
        cmocka_unit_test(damaged_bytes_do_no_harm),
    };
    return cmocka_run_group_tests_name("lineinfo damage", tests, NULL, NULL);
}
