/* dwarf_line.h - reads the DWARF line number programs of a file into a line table.
 */
#ifndef WARPLENS_MACHINE_CODE_DWARF_LINE_H
#define WARPLENS_MACHINE_CODE_DWARF_LINE_H

#include "machine_code/elf.h"
#include "machine_code/line_table.h"

#include <stdbool.h>

/* The sections that line information is spread over. File names in the table point into them, so
 * they must outlive it. A missing section has size 0. */
struct dwarf_line_sections {
    struct elf_bytes lines;        /* .debug_line */
    struct elf_bytes line_strings; /* .debug_line_str, as cut by elf_cut_strings */
    struct elf_bytes strings;      /* .debug_str, likewise */
};

/* Reads every unit that it can into a table fresh from line_table_init and sorts it. What cannot be
 * read (damaged, or of an unknown version) is left out. False when memory ran out. */
bool dwarf_line_read(struct line_table *table, const struct dwarf_line_sections *sections);

#endif
