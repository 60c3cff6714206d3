/* cubin.c - the ELF file that ptxas writes: a section .text.KERNEL of code for each kernel, and .debug_line, whose sequences
 * begin at symbols that its relocations name. Each section is given addresses of its own: its number times 2^32. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "machine_code/dwarf_line.h"
#include "machine_code/elf.h"
#include "nvcc/kernels.h"
#include "nvcc/loops.h"
#include "nvcc/sass.h"
#include "text/list.h"
#include "text/memory.h"

enum {
    HEADER_BYTES = 64, /* of a section, in the table */
    SYMBOL_BYTES = 24, /* of a symbol */
    SECTION_AT = 6,    /* in a symbol: its section's number */
    ADDRESS_BYTES = 8, /* that a relocation sets */
    SECTION_SHIFT = 32,
    INSTRUCTIONS_MAX = 1 << 17,
};

struct cubin {
    uint8_t *file; /* as elf.file, to be written */
    struct elf_image elf;
    struct line_table lines;
    struct nvcc_kernels *kernels;
    int sm;
};

/* ---- Lines ------------------------------------------------------------------------------------ */

/* The number of the section that a symbol is in; 0: none. */
static uint64_t section_of_symbol(const struct elf_section *symbols, uint64_t symbol)
{
    const uint64_t at = symbol * SYMBOL_BYTES + SECTION_AT;
    if (symbol > symbols->bytes.size / SYMBOL_BYTES || at + 2 > symbols->bytes.size)
        return 0;
    return symbols->bytes.data[at] | (uint64_t)symbols->bytes.data[at + 1] << 8;
}

/* Sequences begin at the addresses that their sections are given here. Sections of a damaged file may overlap: what is
 * known of the file is no longer true. */
static void write_addresses(struct cubin *c, const struct elf_section *lines)
{
    struct elf_section symbols, relocations;
    if (!elf_find_section(&c->elf, ".symtab", &symbols) ||
        !elf_find_section(&c->elf, ".rela.debug_line", &relocations))
        return;
    struct elf_cursor cursor = elf_open_cursor(relocations.bytes);
    while (!elf_cursor_at_end(&cursor)) {
        const uint64_t offset = elf_read_uint(&cursor, 8), info = elf_read_uint(&cursor, 8);
        const uint64_t address =
            elf_read_uint(&cursor, 8) + (section_of_symbol(&symbols, info >> 32) << SECTION_SHIFT);
        if (cursor.failed || lines->bytes.size < ADDRESS_BYTES ||
            offset > lines->bytes.size - ADDRESS_BYTES)
            return;
        uint8_t *to = c->file + (lines->bytes.data - c->elf.file.data) + offset;
        for (unsigned i = 0; i < ADDRESS_BYTES; i++)
            to[i] = (uint8_t)(address >> (8 * i));
    }
}

static void relocate(struct cubin *c, const struct elf_section *lines)
{
    write_addresses(c, lines);
    elf_open_image(&c->elf, c->elf.file);
}

static struct elf_bytes strings_of(const struct elf_image *elf, const char *name)
{
    struct elf_section section;
    return elf_find_section(elf, name, &section) ? elf_cut_strings(section.bytes)
                                                 : (struct elf_bytes){NULL, 0};
}

/* Without lines the table is empty. */
static bool read_lines(struct cubin *c)
{
    struct elf_section lines;
    if (!elf_find_section(&c->elf, ".debug_line", &lines))
        return true;
    relocate(c, &lines);
    const struct dwarf_line_sections sections = {
        .lines = lines.bytes,
        .line_strings = strings_of(&c->elf, ".debug_line_str"),
        .strings = strings_of(&c->elf, ".debug_str"),
    };
    return dwarf_line_read(&c->lines, &sections);
}

/* Names are written into a source. */
static bool is_writable(const char *name)
{
    while (*name && (unsigned char)*name >= ' ' && *name != 127)
        name++;
    return *name == '\0';
}

/* A name that lives as long as the kernels; NULL: no memory. */
static const char *keep_file(struct nvcc_kernels *k, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = k->file_count; i > 0; i--)
        if (strcmp(k->files[i - 1], name) == 0)
            return k->files[i - 1];
    char *copy = memory_copy(name);
    if (copy == NULL || !LIST_MAKE_ROOM(k->files, k->file_count, k->file_room)) {
        free(copy);
        return NULL;
    }
    return k->files[k->file_count++] = copy;
}

/* ---- Kernels ---------------------------------------------------------------------------------- */

/* Adds an access to its line; latest ones are at the end, where they are looked for. */
static bool add_access(struct cubin *c, struct nvcc_kernel *kernel, uint64_t address, uint32_t loop,
                       const struct sass_instruction *in)
{
    const struct line_table_row *row = line_table_find(&c->lines, address);
    const char *path = row ? c->lines.files[row->file] : NULL;
    if (path == NULL || row->line == 0 || !is_writable(path) ||
        kernel->line_count == NVCC_LINES_MAX)
        return true;
    const char *file = keep_file(c->kernels, path);
    size_t i = kernel->line_count;
    while (file && i > 0 &&
           !(kernel->lines[i - 1].line == row->line && kernel->lines[i - 1].loop == loop &&
             kernel->lines[i - 1].file == file))
        i--;
    if (file == NULL ||
        (i == 0 && !LIST_MAKE_ROOM(kernel->lines, kernel->line_count, kernel->line_room)))
        return false;
    if (i == 0) {
        kernel->lines[kernel->line_count] =
            (struct nvcc_line){.file = file, .line = row->line, .loop = loop};
        i = ++kernel->line_count;
    }
    *(in->kind == SASS_STORE ? &kernel->lines[i - 1].store_bytes
                             : &kernel->lines[i - 1].load_bytes) += in->bytes;
    return true;
}

static bool read_code(struct cubin *c, struct nvcc_kernel *kernel, struct elf_bytes code,
                      uint64_t address)
{
    const size_t count = code.size / SASS_BYTES;
    uint16_t *in_loop = memory_take(count + 1, sizeof *in_loop);
    bool fine = in_loop && loops_find(code.data, count, c->sm, in_loop, kernel);
    for (size_t i = 0; fine && i < count; i++) {
        const struct sass_instruction in = sass_decode(code.data + i * SASS_BYTES, c->sm);
        if (in_loop[i] != UINT16_MAX && in.bytes)
            fine = add_access(c, kernel, address + i * SASS_BYTES, in_loop[i], &in);
    }
    free(in_loop);
    return fine;
}

static struct nvcc_kernel *find_kernel(struct cubin *c, size_t first, const char *symbol)
{
    for (size_t i = first; i < c->kernels->count; i++)
        if (strcmp(c->kernels->items[i].symbol, symbol) == 0)
            return &c->kernels->items[i];
    return NULL;
}

static bool read_kernels(struct cubin *c, size_t first)
{
    static const char prefix[] = ".text.";
    const size_t count = c->elf.headers.size / HEADER_BYTES;
    for (size_t i = 1; i < count; i++) {
        struct elf_bytes header = {c->elf.headers.data + i * HEADER_BYTES, 4};
        struct elf_cursor cursor = elf_open_cursor(header);
        const char *name = elf_get_string(c->elf.header_names, elf_read_uint(&cursor, 4));
        struct elf_section section;
        if (name == NULL || strncmp(name, prefix, sizeof prefix - 1) != 0)
            continue;
        struct nvcc_kernel *kernel = find_kernel(c, first, name + sizeof prefix - 1);
        if (kernel && kernel->loops == NULL && elf_get_section(&c->elf, i, &section) &&
            section.bytes.size / SASS_BYTES <= INSTRUCTIONS_MAX &&
            !read_code(c, kernel, section.bytes, (uint64_t)i << SECTION_SHIFT))
            return false;
    }
    return true;
}

bool cubin_read(uint8_t *file, size_t bytes, int sm, struct nvcc_kernels *kernels, size_t first)
{
    struct cubin c = {.file = file, .kernels = kernels, .sm = sm};
    if (sm < SASS_SM_FIRST || !elf_open_image(&c.elf, (struct elf_bytes){file, bytes}))
        return true;
    line_table_init(&c.lines);
    const bool fine = read_lines(&c) && read_kernels(&c, first);
    line_table_free(&c.lines);
    return fine;
}
