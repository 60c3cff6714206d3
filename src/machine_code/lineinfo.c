/* lineinfo.c - opens an ELF file and answers for addresses: source line, function, shared arrays.
 *
 * Decisions:
 * - The file is read whole and stays in memory: file and function names are pointers into it. It is
 *   read, not mapped, so that a file that shrinks meanwhile cannot end the program.
 * - A line is given only together with its file: one without the other helps no one.
 * - Where functions overlap, the one that starts nearest before the address holds it; of several
 *   names for one start the first in the symbol table is given.
 * - A TLS symbol is a static array of a kernel, and compilers decorate its name: gcc writes
 *   "tile.0", clang "kernel.tile.1", both "_ZZ6kernelPfE4tile" in C++. What stood in the source is
 *   given.
 * - TLS symbols of size 0 mark places and are no arrays; undefined symbols live in another file.
 * - Limits on the file, on the TLS symbols and on their names keep a damaged file cheap.
 *
 * Sources: System V ABI, chapter 4 "Object Files" (symbol table); Itanium C++ ABI, section 5.1
 * (mangled names).
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "machine_code/lineinfo.h"

#include "machine_code/dwarf_line.h"
#include "machine_code/elf.h"
#include "machine_code/line_table.h"
#include "machine_code/source_name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    SYMBOL_BYTES = 24,
    SYMBOL_TYPE_OBJECT = 1,
    SYMBOL_TYPE_FUNCTION = 2,
    SYMBOL_TYPE_TLS = 6,
    ARRAY_ALIGN_BYTES = 256,
    FILE_BYTES_MAX = 1 << 30,
    TLS_COUNT_MAX = 1 << 14,
    TLS_NAME_BYTES_MAX = 1 << 12
};

struct lineinfo_symbol {
    const char *name; /* NULL when unknown */
    uint64_t value;
    uint64_t size;
    unsigned type;
};

/* A function, [low, high). */
struct lineinfo_range {
    uint64_t low;
    uint64_t high;
    uint64_t reach; /* the greatest high up to here: no earlier function holds what lies beyond */
    const char *name;
    size_t order; /* position in the symbol table */
};

struct lineinfo {
    uint8_t *image;
    struct line_table lines;
    struct lineinfo_range *functions; /* sorted by low, then by falling order */
    size_t function_count;
    struct lineinfo_variable *tls; /* sorted by offset */
    size_t tls_count;
    struct lineinfo_variable *objects; /* sorted by offset */
    size_t object_count;
};

/* The size of a regular file that is open; 0 when it is none or too large. Asked of what was opened, not of its name:
 * an emulator opens its guest for "/proc/self/exe", and may let the system answer for itself. */
static size_t lineinfo_file_bytes(FILE *file)
{
    struct stat status;
    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0 ||
        status.st_size > FILE_BYTES_MAX)
        return 0;
    return (size_t)status.st_size;
}

/* Reads a regular file whole. NULL when that fails or the file is too large. */
static uint8_t *lineinfo_read_file(const char *path, size_t *byte_count)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    *byte_count = lineinfo_file_bytes(file);
    uint8_t *image = *byte_count ? malloc(*byte_count) : NULL;
    if (image != NULL && fread(image, 1, *byte_count, file) != *byte_count) {
        free(image);
        image = NULL;
    }
    fclose(file);
    return image;
}

static struct elf_bytes lineinfo_get_strings(const struct elf_image *elf, const char *name)
{
    struct elf_section section;
    if (!elf_find_section(elf, name, &section))
        return (struct elf_bytes){NULL, 0};
    return elf_cut_strings(section.bytes);
}

static bool lineinfo_load_lines(struct lineinfo *info, const struct elf_image *elf)
{
    struct elf_section lines;
    if (!elf_find_section(elf, ".debug_line", &lines))
        return true;
    struct dwarf_line_sections sections = {
        .lines = lines.bytes,
        .line_strings = lineinfo_get_strings(elf, ".debug_line_str"),
        .strings = lineinfo_get_strings(elf, ".debug_str"),
    };
    return dwarf_line_read(&info->lines, &sections);
}

/* The next symbol that covers bytes of this file. False at the end of the table. */
static bool lineinfo_next_symbol(struct elf_cursor *cursor, struct elf_bytes strings,
                                 struct lineinfo_symbol *symbol)
{
    uint64_t section = 0;
    symbol->size = 0;
    while (!elf_cursor_at_end(cursor) && (section == 0 || symbol->size == 0)) {
        symbol->name = elf_get_string(strings, elf_read_uint(cursor, 4));
        symbol->type = elf_read_uint(cursor, 1) & 0xf;
        elf_read_bytes(cursor, 1); /* visibility */
        section = elf_read_uint(cursor, 2);
        symbol->value = elf_read_uint(cursor, 8);
        symbol->size = elf_read_uint(cursor, 8);
    }
    return !cursor->failed && section != 0 && symbol->size != 0;
}

static bool lineinfo_add_variable(struct lineinfo_variable *list, size_t *count,
                                  const struct lineinfo_symbol *symbol)
{
    if (symbol->name == NULL || symbol->name[0] == '\0' || *count == TLS_COUNT_MAX ||
        strnlen(symbol->name, TLS_NAME_BYTES_MAX) == TLS_NAME_BYTES_MAX)
        return true;
    char *name = source_name_copy(symbol->name);
    if (name == NULL)
        return false;
    list[(*count)++] = (struct lineinfo_variable){name, symbol->value, symbol->size, symbol->name};
    return true;
}

static void lineinfo_add_function(struct lineinfo *info, const struct lineinfo_symbol *symbol,
                                  size_t order)
{
    uint64_t high = symbol->value + symbol->size;
    if (high > symbol->value)
        info->functions[info->function_count++] = (struct lineinfo_range){
            .low = symbol->value, .high = high, .name = symbol->name, .order = order};
}

static int lineinfo_compare_variables(const void *left, const void *right)
{
    const struct lineinfo_variable *a = left;
    const struct lineinfo_variable *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int lineinfo_compare_functions(const void *left, const void *right)
{
    const struct lineinfo_range *a = left;
    const struct lineinfo_range *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->order > b->order ? -1 : 1; /* the search takes the last of equals */
}

static void lineinfo_sort_symbols(struct lineinfo *info)
{
    qsort(info->tls, info->tls_count, sizeof *info->tls, lineinfo_compare_variables);
    qsort(info->objects, info->object_count, sizeof *info->objects, lineinfo_compare_variables);
    qsort(info->functions, info->function_count, sizeof *info->functions,
          lineinfo_compare_functions);
    uint64_t reach = 0;
    for (size_t i = 0; i < info->function_count; i++) {
        if (info->functions[i].high > reach)
            reach = info->functions[i].high;
        info->functions[i].reach = reach;
    }
}

/* __device__, __managed__ and __constant__ align as __shared__ does: few others do. */
static bool lineinfo_is_array(const struct lineinfo_symbol *symbol)
{
    return symbol->type == SYMBOL_TYPE_OBJECT && symbol->value % ARRAY_ALIGN_BYTES == 0;
}

/* Makes room for all symbols of the types that are kept. */
static bool lineinfo_make_room(struct lineinfo *info, struct elf_cursor cursor)
{
    struct lineinfo_symbol symbol;
    size_t tls_count = 1; /* never nothing: malloc(0) may give NULL */
    size_t function_count = 1, object_count = 1;
    while (lineinfo_next_symbol(&cursor, (struct elf_bytes){NULL, 0}, &symbol)) {
        tls_count += symbol.type == SYMBOL_TYPE_TLS;
        object_count += lineinfo_is_array(&symbol);
        function_count += symbol.type == SYMBOL_TYPE_FUNCTION;
    }
    info->tls = calloc(tls_count, sizeof *info->tls);
    info->objects = calloc(object_count, sizeof *info->objects);
    info->functions = calloc(function_count, sizeof *info->functions);
    return info->tls != NULL && info->objects != NULL && info->functions != NULL;
}

static bool lineinfo_load_symbols(struct lineinfo *info, const struct elf_image *elf)
{
    struct elf_section symbols;
    struct elf_section strings;
    if (!elf_find_section(elf, ".symtab", &symbols) || symbols.entry_size != SYMBOL_BYTES ||
        !elf_get_section(elf, symbols.link, &strings))
        return true;
    struct elf_cursor cursor = elf_open_cursor(symbols.bytes);
    if (!lineinfo_make_room(info, cursor))
        return false;
    struct elf_bytes names = elf_cut_strings(strings.bytes);
    struct lineinfo_symbol symbol;
    for (size_t order = 0; lineinfo_next_symbol(&cursor, names, &symbol); order++) {
        if (symbol.type == SYMBOL_TYPE_FUNCTION)
            lineinfo_add_function(info, &symbol, order);
        else if (symbol.type == SYMBOL_TYPE_TLS &&
                 !lineinfo_add_variable(info->tls, &info->tls_count, &symbol))
            return false;
        else if (lineinfo_is_array(&symbol) &&
                 !lineinfo_add_variable(info->objects, &info->object_count, &symbol))
            return false;
    }
    lineinfo_sort_symbols(info);
    return true;
}

struct lineinfo *lineinfo_open(const char *path)
{
    struct lineinfo *info = calloc(1, sizeof *info);
    if (info == NULL)
        return NULL;
    errno = 0;
    size_t byte_count = 0;
    info->image = lineinfo_read_file(path, &byte_count);
    line_table_init(&info->lines);
    struct elf_image elf;
    if (info->image == NULL || !elf_open_image(&elf, (struct elf_bytes){info->image, byte_count}) ||
        !lineinfo_load_lines(info, &elf) || !lineinfo_load_symbols(info, &elf)) {
        lineinfo_close(info);
        return NULL;
    }
    return info;
}

void lineinfo_close(struct lineinfo *info)
{
    if (info == NULL)
        return;
    for (size_t i = 0; i < info->tls_count; i++)
        free((char *)info->tls[i].name);
    for (size_t i = 0; i < info->object_count; i++)
        free((char *)info->objects[i].name);
    free(info->tls);
    free(info->objects);
    free(info->functions);
    line_table_free(&info->lines);
    free(info->image);
    free(info);
}

struct lineinfo_line lineinfo_find(const struct lineinfo *info, uint64_t address)
{
    const struct lineinfo_line unknown = {NULL, 0};
    const struct line_table_row *row = line_table_find(&info->lines, address - 1);
    const char *path = row != NULL ? info->lines.files[row->file] : NULL;
    if (path == NULL || row->line == 0)
        return unknown;
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    return name[0] != '\0' ? (struct lineinfo_line){name, row->line} : unknown;
}

/* The function that holds the address; NULL. */
static const struct lineinfo_range *lineinfo_range_of(const struct lineinfo *info, uint64_t address)
{
    size_t low = 0;
    size_t high = info->function_count;
    while (low < high) { /* until `low` is the first function that starts after the address */
        size_t middle = low + (high - low) / 2;
        if (info->functions[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low > 0 && address < info->functions[low - 1].reach; low--)
        if (address < info->functions[low - 1].high)
            return &info->functions[low - 1];
    return NULL;
}

const char *lineinfo_function(const struct lineinfo *info, uint64_t address)
{
    const struct lineinfo_range *function = lineinfo_range_of(info, address);
    return function ? function->name : NULL;
}

bool lineinfo_function_code(const struct lineinfo *info, uint64_t address, uint64_t *low,
                            uint64_t *high)
{
    const struct lineinfo_range *function = lineinfo_range_of(info, address);
    if (function == NULL)
        return false;
    *low = function->low;
    *high = function->high;
    return true;
}

const struct lineinfo_variable *lineinfo_tls_symbols(const struct lineinfo *info, size_t *count)
{
    *count = info->tls_count;
    return info->tls;
}

const struct lineinfo_variable *lineinfo_objects(const struct lineinfo *info, size_t *count)
{
    *count = info->object_count;
    return info->objects;
}
