/* dwarf_line.c - runs the line number programs of .debug_line and keeps their rows.
 *
 * Decisions:
 * - Versions 2 to 5, 32-bit and 64-bit format. Machines with several operations an instruction
 *   (VLIW) are not read: nothing that runs this program is one.
 * - Rows count whether or not they are marked as statements: a return address may follow any.
 * - Opcodes that move neither address nor line, and those that are not known, are skipped by the
 *   operand counts or the length that the unit gives for them.
 * - Every step of every loop takes at least one byte of the section, so its size bounds time and
 *   memory.
 *
 * Sources: DWARF 4 section 6.2 and DWARF 5 section 6.2 (line number information), 7.22 (encodings).
 */
#include "machine_code/dwarf_line.h"

enum {
    DW_LNS_COPY = 1,
    DW_LNS_ADVANCE_PC = 2,
    DW_LNS_ADVANCE_LINE = 3,
    DW_LNS_SET_FILE = 4,
    DW_LNS_CONST_ADD_PC = 8,
    DW_LNS_FIXED_ADVANCE_PC = 9,

    DW_LNE_END_SEQUENCE = 1,
    DW_LNE_SET_ADDRESS = 2,
    DW_LNE_DEFINE_FILE = 3,

    DW_LNCT_PATH = 1,

    DW_FORM_DATA2 = 0x05,
    DW_FORM_DATA4 = 0x06,
    DW_FORM_DATA8 = 0x07,
    DW_FORM_STRING = 0x08,
    DW_FORM_BLOCK = 0x09,
    DW_FORM_DATA1 = 0x0b,
    DW_FORM_STRP = 0x0e,
    DW_FORM_UDATA = 0x0f,
    DW_FORM_DATA16 = 0x1e,
    DW_FORM_LINE_STRP = 0x1f
};

/* One unit: the header's values and a cursor over what is left to read of it. */
struct dwarf_unit {
    const struct dwarf_line_sections *sections;
    struct elf_cursor cursor;
    unsigned version;
    unsigned offset_bytes; /* 8 in the 64-bit format, else 4 */
    uint64_t min_instruction_bytes;
    int64_t line_base;
    uint64_t line_range;
    uint64_t opcode_base;
    struct elf_bytes operand_counts; /* of the standard opcodes, from opcode 1 on */
    size_t first_file;               /* where the unit's file 0 is in the table's files */
};

/* The registers of the line number machine. */
struct dwarf_machine {
    uint64_t address;
    uint64_t file;
    uint64_t line;
};

static const struct dwarf_machine dwarf_machine_start = {.address = 0, .file = 1, .line = 1};

/* The size of a form of fixed size that is not text, 0 for the others. */
static uint64_t dwarf_get_data_bytes(uint64_t form)
{
    switch (form) {
    case DW_FORM_DATA1:
        return 1;
    case DW_FORM_DATA2:
        return 2;
    case DW_FORM_DATA4:
        return 4;
    case DW_FORM_DATA8:
        return 8;
    case DW_FORM_DATA16:
        return 16;
    default:
        return 0;
    }
}

/* Reads a value of a form and gives its text, NULL when it is not text. */
static const char *dwarf_read_form(struct dwarf_unit *unit, uint64_t form)
{
    struct elf_cursor *cursor = &unit->cursor;
    uint64_t data_bytes = dwarf_get_data_bytes(form);
    if (form == DW_FORM_STRING)
        return elf_read_string(cursor);
    if (form == DW_FORM_LINE_STRP)
        return elf_get_string(unit->sections->line_strings,
                              elf_read_uint(cursor, unit->offset_bytes));
    if (form == DW_FORM_STRP)
        return elf_get_string(unit->sections->strings, elf_read_uint(cursor, unit->offset_bytes));
    if (form == DW_FORM_UDATA)
        elf_read_uleb(cursor);
    else if (form == DW_FORM_BLOCK)
        elf_read_bytes(cursor, elf_read_uleb(cursor));
    else if (data_bytes > 0)
        elf_read_bytes(cursor, data_bytes);
    else
        cursor->failed = true; /* of unknown length: nothing after it can be read */
    return NULL;
}

/* One directory or file of version 5, whose fields are the (content, form) pairs in `format`. */
static const char *dwarf_read_entry(struct dwarf_unit *unit, struct elf_cursor format)
{
    const char *path = NULL;
    while (!elf_cursor_at_end(&format)) {
        uint64_t content = elf_read_uleb(&format);
        const char *text = dwarf_read_form(unit, elf_read_uleb(&format));
        if (content == DW_LNCT_PATH)
            path = text;
    }
    return path;
}

/* A version 5 list: the format of its entries, how many, the entries. `files` NULL drops them. */
static void dwarf_read_entries(struct dwarf_unit *unit, struct line_table *files)
{
    struct elf_cursor *cursor = &unit->cursor;
    uint64_t format_count = elf_read_uint(cursor, 1);
    struct elf_cursor format = *cursor;
    for (uint64_t i = 0; i < 2 * format_count; i++)
        elf_read_uleb(cursor);
    format.end = cursor->at;
    uint64_t count = elf_read_uleb(cursor);
    if (format_count == 0 && count > 0)
        cursor->failed = true; /* entries of no bytes: there could be any number of them */
    for (uint64_t i = 0; i < count && !cursor->failed; i++) {
        const char *path = dwarf_read_entry(unit, format);
        if (files != NULL)
            line_table_add_file(files, path);
    }
}

/* A file of versions 2 to 4, after its name: directory, time of change, length. */
static void dwarf_skip_file_details(struct elf_cursor *cursor)
{
    for (int i = 0; i < 3; i++)
        elf_read_uleb(cursor);
}

/* The lists of versions 2 to 4: an empty name ends each. Files count from 1. */
static void dwarf_read_old_entries(struct dwarf_unit *unit, struct line_table *table)
{
    struct elf_cursor *cursor = &unit->cursor;
    const char *name = elf_read_string(cursor);
    while (name != NULL && name[0] != '\0')
        name = elf_read_string(cursor);
    line_table_add_file(table, NULL);
    for (name = elf_read_string(cursor); name != NULL && name[0] != '\0';
         name = elf_read_string(cursor)) {
        line_table_add_file(table, name);
        dwarf_skip_file_details(cursor);
    }
}

/* The fields between the header's length and its lists. False when the unit cannot be read. */
static bool dwarf_read_parameters(struct dwarf_unit *unit)
{
    struct elf_cursor *cursor = &unit->cursor;
    unit->min_instruction_bytes = elf_read_uint(cursor, 1);
    uint64_t operations_per_instruction = unit->version >= 4 ? elf_read_uint(cursor, 1) : 1;
    elf_read_bytes(cursor, 1); /* whether rows are statements unless said otherwise */
    unit->line_base = (int8_t)elf_read_uint(cursor, 1);
    unit->line_range = elf_read_uint(cursor, 1);
    unit->opcode_base = elf_read_uint(cursor, 1);
    if (operations_per_instruction > 1 || unit->line_range == 0 || unit->opcode_base == 0)
        return false;
    unit->operand_counts = elf_read_bytes(cursor, unit->opcode_base - 1);
    return !cursor->failed;
}

/* Reads the header; the cursor is left on the program. False when the unit cannot be read. */
static bool dwarf_read_header(struct dwarf_unit *unit, struct line_table *table)
{
    struct elf_cursor *cursor = &unit->cursor;
    unit->version = (unsigned)elf_read_uint(cursor, 2);
    if (unit->version < 2 || unit->version > 5)
        return false;
    if (unit->version == 5)
        elf_read_bytes(cursor, 2); /* the sizes of an address and of a segment selector */
    uint64_t header_bytes = elf_read_uint(cursor, unit->offset_bytes);
    struct elf_cursor program = *cursor;
    elf_read_bytes(&program, header_bytes);
    if (program.failed || !dwarf_read_parameters(unit))
        return false;

    cursor->end = program.at;
    unit->first_file = table->file_count;
    if (unit->version == 5) {
        dwarf_read_entries(unit, NULL);
        dwarf_read_entries(unit, table);
    } else {
        dwarf_read_old_entries(unit, table);
    }
    bool readable = !cursor->failed;
    *cursor = program;
    return readable;
}

static uint32_t dwarf_get_file_index(const struct dwarf_unit *unit, uint64_t file,
                                     const struct line_table *table)
{
    return file < table->file_count - unit->first_file ? (uint32_t)(unit->first_file + file) : 0;
}

static void dwarf_emit_row(const struct dwarf_machine *machine, const struct dwarf_unit *unit,
                           struct line_table *table)
{
    struct line_table_row row = {.address = machine->address};
    row.file = dwarf_get_file_index(unit, machine->file, table);
    row.line = machine->line <= UINT32_MAX ? (uint32_t)machine->line : 0;
    line_table_add_row(table, row);
}

static void dwarf_run_extended(struct dwarf_machine *machine, struct dwarf_unit *unit,
                               struct line_table *table)
{
    struct elf_bytes operands = elf_read_bytes(&unit->cursor, elf_read_uleb(&unit->cursor));
    struct elf_cursor cursor = elf_open_cursor(operands);
    switch (elf_read_uint(&cursor, 1)) {
    case DW_LNE_END_SEQUENCE:
        line_table_end_sequence(table, machine->address);
        *machine = dwarf_machine_start;
        break;
    case DW_LNE_SET_ADDRESS:
        machine->address = elf_read_uint(&cursor, operands.size - 1 == 4 ? 4 : 8);
        break;
    case DW_LNE_DEFINE_FILE:
        line_table_add_file(table, elf_read_string(&cursor));
        break;
    default:
        break;
    }
}

static void dwarf_run_special(struct dwarf_machine *machine, const struct dwarf_unit *unit,
                              uint64_t opcode, struct line_table *table)
{
    uint64_t adjusted = opcode - unit->opcode_base;
    machine->address += adjusted / unit->line_range * unit->min_instruction_bytes;
    machine->line += (uint64_t)(unit->line_base + (int64_t)(adjusted % unit->line_range));
    dwarf_emit_row(machine, unit, table);
}

static void dwarf_run_standard(struct dwarf_machine *machine, struct dwarf_unit *unit,
                               uint64_t opcode, struct line_table *table)
{
    struct elf_cursor *cursor = &unit->cursor;
    switch (opcode) {
    case DW_LNS_COPY:
        dwarf_emit_row(machine, unit, table);
        break;
    case DW_LNS_ADVANCE_PC:
        machine->address += elf_read_uleb(cursor) * unit->min_instruction_bytes;
        break;
    case DW_LNS_ADVANCE_LINE:
        machine->line += (uint64_t)elf_read_sleb(cursor);
        break;
    case DW_LNS_SET_FILE:
        machine->file = elf_read_uleb(cursor);
        break;
    case DW_LNS_CONST_ADD_PC:
        machine->address +=
            (255 - unit->opcode_base) / unit->line_range * unit->min_instruction_bytes;
        break;
    case DW_LNS_FIXED_ADVANCE_PC:
        machine->address += elf_read_uint(cursor, 2);
        break;
    default: /* moves neither address nor line, or is not known: the header gives its operands */
        for (unsigned i = 0; i < unit->operand_counts.data[opcode - 1]; i++)
            elf_read_uleb(cursor);
    }
}

static void dwarf_run_program(struct dwarf_unit *unit, struct line_table *table)
{
    struct dwarf_machine machine = dwarf_machine_start;
    while (!elf_cursor_at_end(&unit->cursor) && !table->out_of_memory) {
        uint64_t opcode = elf_read_uint(&unit->cursor, 1);
        if (opcode >= unit->opcode_base)
            dwarf_run_special(&machine, unit, opcode, table);
        else if (opcode == 0)
            dwarf_run_extended(&machine, unit, table);
        else
            dwarf_run_standard(&machine, unit, opcode, table);
    }
    line_table_drop_sequence(table); /* one without an end */
}

/* One unit of the section. The cursor moves past it, whether or not it can be read. */
static void dwarf_read_unit(struct elf_cursor *section, const struct dwarf_line_sections *sections,
                            struct line_table *table)
{
    struct dwarf_unit unit = {.sections = sections, .offset_bytes = 4};
    uint64_t unit_bytes = elf_read_uint(section, 4);
    if (unit_bytes == UINT32_MAX) {
        unit.offset_bytes = 8;
        unit_bytes = elf_read_uint(section, 8);
    }
    unit.cursor = elf_open_cursor(elf_read_bytes(section, unit_bytes));
    if (dwarf_read_header(&unit, table))
        dwarf_run_program(&unit, table);
}

bool dwarf_line_read(struct line_table *table, const struct dwarf_line_sections *sections)
{
    struct elf_cursor section = elf_open_cursor(sections->lines);
    while (!elf_cursor_at_end(&section) && !table->out_of_memory)
        dwarf_read_unit(&section, sections, table);
    line_table_sort(table);
    return !table->out_of_memory;
}
