/* test_dwarf_line.c - does each part of a line number program mean what the DWARF standard says?
 *
 * The programs are written byte by byte. Unless a test says otherwise a unit has instructions of 1
 * byte, line_base -3, line_range 12 and opcode_base 13, as gcc writes it.
 */
#include "machine_code/dwarf_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
    COPY = 1,
    ADVANCE_PC = 2,
    ADVANCE_LINE = 3,
    SET_FILE = 4,
    CONST_ADD_PC = 8,
    FIXED_ADVANCE_PC = 9,
    SET_ISA = 12
};

/* Extended opcodes; the address is given by its two lowest bytes. */
#define END_SEQUENCE 0, 1, 1
#define SET_ADDRESS(low, high) 0, 9, 2, low, high, 0, 0, 0, 0, 0, 0
/* The special opcode that moves the address and the line, and gives a row. */
#define SPECIAL(address, line) (uint8_t)(13 + 12 * (address) + (line) + 3)

/* A .debug_line section in the making. */
struct script {
    uint8_t bytes[1024];
    size_t size;
    size_t unit_start;   /* just after the unit's length */
    size_t header_start; /* just after the header's length */
    size_t offset_bytes;
};

static void put(struct script *script, const void *bytes, size_t byte_count)
{
    assert_true(script->size + byte_count <= sizeof script->bytes);
    memcpy(script->bytes + script->size, bytes, byte_count);
    script->size += byte_count;
}

#define PUT(script, ...)                                                                           \
    put((script), (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static void put_length(struct script *script, size_t at, size_t value, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        script->bytes[at + i] = (uint8_t)((uint64_t)value >> (8 * i));
}

/* The header up to opcode_base and the operand counts. */
static void start_unit(struct script *script, uint8_t version, size_t offset_bytes,
                       uint8_t instruction_bytes)
{
    static const uint8_t zeros[8];
    static const uint8_t operand_counts[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    script->offset_bytes = offset_bytes;
    if (offset_bytes == 8)
        PUT(script, 0xff, 0xff, 0xff, 0xff);
    put(script, zeros, offset_bytes);
    script->unit_start = script->size;
    PUT(script, version, 0);
    if (version >= 5)
        PUT(script, 8, 0);
    put(script, zeros, offset_bytes);
    script->header_start = script->size;
    PUT(script, instruction_bytes);
    if (version >= 4)
        PUT(script, 1);
    PUT(script, 1, (uint8_t)-3, 12, 13);
    put(script, operand_counts, sizeof operand_counts);
}

static void end_header(struct script *script)
{
    put_length(script, script->header_start - script->offset_bytes,
               script->size - script->header_start, script->offset_bytes);
}

static void end_unit(struct script *script)
{
    put_length(script, script->unit_start - script->offset_bytes, script->size - script->unit_start,
               script->offset_bytes);
}

/* A whole version 4 unit with the files a.c (1) and b.c (2). */
static void put_unit(struct script *script, const uint8_t *program, size_t byte_count)
{
    static const char lists[] = "dir\0\0a.c\0\1\0\0b.c\0\1\0\0";
    start_unit(script, 4, 4, 1);
    put(script, lists, sizeof lists);
    end_header(script);
    put(script, program, byte_count);
    end_unit(script);
}

#define PUT_UNIT(script, ...)                                                                      \
    put_unit((script), (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static void read_script(struct line_table *table, const struct script *script)
{
    static const char line_strings[] = "zero\0line_a.c";
    static const char strings[] = "one\0str_b.c";
    const struct dwarf_line_sections sections = {
        .lines = {script->bytes, script->size},
        .line_strings = {(const uint8_t *)line_strings, sizeof line_strings},
        .strings = {(const uint8_t *)strings, sizeof strings},
    };
    line_table_init(table);
    assert_true(dwarf_line_read(table, &sections));
}

static void check_row(const struct line_table *table, uint64_t address, const char *file,
                      uint32_t line)
{
    const struct line_table_row *row = line_table_find(table, address);
    assert_non_null(row);
    assert_int_equal(row->line, line);
    if (file == NULL)
        assert_null(table->files[row->file]);
    else
        assert_string_equal(table->files[row->file], file);
}

static void opcodes_move_address_line_and_file(void **state)
{
    (void)state;
    struct script script = {0};
    PUT_UNIT(&script, SET_ADDRESS(0x00, 0x10), COPY,           /* 0x1000: line 1 */
             SPECIAL(4, 5),                                    /* 0x1004: line 6 */
             ADVANCE_PC, 0x80, 1, ADVANCE_LINE, 0xe4, 0, COPY, /* 0x1084: line 106 */
             SET_FILE, 2, ADVANCE_LINE, 0x7e, COPY,            /* the same place: b.c, line 104 */
             CONST_ADD_PC, SPECIAL(0, -3),                     /* 0x1098: line 101 */
             FIXED_ADVANCE_PC, 0x02, 0x01, SPECIAL(0, 1),      /* 0x119a: line 102 */
             ADVANCE_PC, 6, END_SEQUENCE);
    struct line_table table;
    read_script(&table, &script);
    assert_null(line_table_find(&table, 0xfff));
    check_row(&table, 0x1000, "a.c", 1);
    check_row(&table, 0x1003, "a.c", 1);
    check_row(&table, 0x1004, "a.c", 6);
    check_row(&table, 0x1083, "a.c", 6);
    check_row(&table, 0x1084, "b.c", 104);
    check_row(&table, 0x1098, "b.c", 101);
    check_row(&table, 0x119a, "b.c", 102);
    check_row(&table, 0x119f, "b.c", 102);
    assert_null(line_table_find(&table, 0x11a0));
    line_table_free(&table);
}

static void unknown_opcodes_are_skipped(void **state)
{
    (void)state;
    struct script script = {0};
    PUT_UNIT(&script, SET_ADDRESS(0x00, 0x10), /* */
             SET_ISA, 0x81, 0x01, 5, 3, 6, 7, 10, 11, 0, 4, 0x80, 1, 1,
             1,                                  /* an extended one that nobody knows */
             0, 2, 4, 7,                         /* a discriminator */
             0, 8, 3, 'c', '.', 'h', 0, 0, 0, 0, /* a file defined on the way */
             COPY, SET_FILE, 3, SPECIAL(1, 1), SET_FILE, 9, SPECIAL(1, 1), SPECIAL(1, 0),
             END_SEQUENCE);
    struct line_table table;
    read_script(&table, &script);
    check_row(&table, 0x1000, "a.c", 1);
    check_row(&table, 0x1001, "c.h", 2);
    check_row(&table, 0x1002, NULL, 3);
    line_table_free(&table);
}

static void a_row_without_a_line_extends_the_row_before(void **state)
{
    (void)state;
    struct script script = {0};
    PUT_UNIT(&script, SET_ADDRESS(0x00, 0x10), SPECIAL(0, -1), /* line 0, nothing before it */
             SPECIAL(4, 7), ADVANCE_LINE, 0x79, SPECIAL(4, 0), SPECIAL(4, 8), SPECIAL(4, 0),
             END_SEQUENCE);
    struct line_table table;
    read_script(&table, &script);
    check_row(&table, 0x1000, "a.c", 0);
    check_row(&table, 0x1004, "a.c", 7);
    check_row(&table, 0x1008, "a.c", 7);
    check_row(&table, 0x100c, "a.c", 8);
    line_table_free(&table);
}

static void sequences_are_sorted_and_keep_their_ends(void **state)
{
    (void)state;
    struct script script = {0};
    PUT_UNIT(&script, /* the higher code comes first */
             SET_ADDRESS(0x00, 0x30), COPY, ADVANCE_PC, 8, END_SEQUENCE, /* */
             SET_ADDRESS(0x00, 0x10), SPECIAL(0, 1), ADVANCE_PC, 8, END_SEQUENCE);
    PUT_UNIT(&script, /* the second one is a copy of code that is there already */
             SET_ADDRESS(0x08, 0x10), SPECIAL(0, 3), ADVANCE_PC, 8, END_SEQUENCE, /* */
             SET_ADDRESS(0x00, 0x10), SPECIAL(0, 4), ADVANCE_PC, 8, END_SEQUENCE);
    struct line_table table;
    read_script(&table, &script);
    check_row(&table, 0x1000, "a.c", 2);
    check_row(&table, 0x1007, "a.c", 2);
    check_row(&table, 0x1008, "a.c", 4);
    check_row(&table, 0x3000, "a.c", 1);
    assert_null(line_table_find(&table, 0x1010));
    line_table_free(&table);
}

static void sequences_that_make_no_sense_are_dropped(void **state)
{
    (void)state;
    struct script script = {0};
    PUT_UNIT(&script, /* dropped by the linker */
             SET_ADDRESS(0x00, 0x00), SPECIAL(0, 2), ADVANCE_PC, 8, END_SEQUENCE);
    PUT_UNIT(&script, /* goes backwards */
             SET_ADDRESS(0x00, 0x20), COPY, SET_ADDRESS(0x00, 0x1f), COPY, END_SEQUENCE);
    PUT_UNIT(&script, /* ends before its last row */
             SET_ADDRESS(0x00, 0x30), COPY, SPECIAL(8, 1), SET_ADDRESS(0x04, 0x30), END_SEQUENCE);
    PUT_UNIT(&script, /* covers nothing */
             SET_ADDRESS(0x00, 0x40), COPY, END_SEQUENCE);
    PUT_UNIT(&script, /* has no end */
             SET_ADDRESS(0x00, 0x50), COPY, SPECIAL(8, 1));
    PUT_UNIT(&script, SET_ADDRESS(0x00, 0x60), COPY, ADVANCE_PC, 8, END_SEQUENCE);
    struct line_table table;
    read_script(&table, &script);
    assert_int_equal(table.sequence_count, 1);
    assert_int_equal(table.row_count, 1);
    check_row(&table, 0x6000, "a.c", 1);
    line_table_free(&table);
}

/* Version 5, 64-bit format, instructions of 4 bytes: files in every form. */
static void put_version_5_unit(struct script *script)
{
    start_unit(script, 5, 8, 4);
    PUT(script, 1, 1, 0x08, 2, 'd', 0, 'e', 0); /* two directories: path as string */
    PUT(script, 6, 1, 0x1f, 2, 0x0b, 3, 0x0f, 4, 0x06, 5, 0x1e, 0x81, 0x40, 0x09, 1);
    PUT(script, 5, 0, 0, 0, 0, 0, 0, 0);      /* line_strp: 5 */
    PUT(script, 7, 0x80, 1, 1, 2, 3, 4);      /* data1, udata, data4 */
    put(script, "0123456789abcdef\3xyz", 20); /* data16, block */
    end_header(script);
    PUT(script, SET_ADDRESS(0x00, 0x50), SET_FILE, 0, COPY, SPECIAL(1, 2), SET_FILE, 1,
        SPECIAL(1, 2), ADVANCE_PC, 1, END_SEQUENCE);
    end_unit(script);
}

static void version_5_units_are_read(void **state)
{
    (void)state;
    struct script script = {0};
    put_version_5_unit(&script);
    start_unit(&script, 5, 4, 1);
    PUT(&script, 0, 0);                                     /* no directories */
    PUT(&script, 3, 1, 0x0e, 2, 0x05, 3, 0x07, 2);          /* path, directory, time of change */
    PUT(&script, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8); /* strp, data2, data8 */
    PUT(&script, 4, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    end_header(&script);
    PUT(&script, SET_ADDRESS(0x00, 0x60), COPY, ADVANCE_PC, 1, END_SEQUENCE);
    end_unit(&script);
    struct line_table table;
    read_script(&table, &script);
    check_row(&table, 0x5000, "line_a.c", 1);
    check_row(&table, 0x5003, "line_a.c", 1);
    check_row(&table, 0x5004, "line_a.c", 3);
    check_row(&table, 0x5008, NULL, 5);
    check_row(&table, 0x500b, NULL, 5);
    assert_null(line_table_find(&table, 0x500c));
    check_row(&table, 0x6000, "str_b.c", 1);
    line_table_free(&table);
}

/* Puts a unit that is damaged in one byte before a sound one. */
static void check_damaged_unit(size_t at, uint8_t value)
{
    struct script script = {0};
    PUT_UNIT(&script, SET_ADDRESS(0x00, 0x10), COPY, ADVANCE_PC, 8, END_SEQUENCE);
    script.bytes[at] = value;
    PUT_UNIT(&script, SET_ADDRESS(0x00, 0x20), COPY, ADVANCE_PC, 8, END_SEQUENCE);
    struct line_table table;
    read_script(&table, &script);
    assert_null(line_table_find(&table, 0x1000));
    check_row(&table, 0x2000, "a.c", 1);
    line_table_free(&table);
}

static void a_unit_that_cannot_be_read_is_left_out(void **state)
{
    (void)state;
    check_damaged_unit(4, 6);    /* version */
    check_damaged_unit(6, 0xff); /* the header is longer than the unit */
    check_damaged_unit(11, 4);   /* several operations an instruction */
    check_damaged_unit(14, 0);   /* line_range */
    check_damaged_unit(15, 0);   /* opcode_base */
}

static void entries_of_no_bytes_do_not_hang(void **state)
{
    (void)state;
    struct script script = {0};
    start_unit(&script, 5, 4, 1);
    PUT(&script, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
    end_header(&script);
    end_unit(&script);
    struct line_table table;
    read_script(&table, &script);
    assert_int_equal(table.file_count, 1);
    line_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opcodes_move_address_line_and_file),
        cmocka_unit_test(unknown_opcodes_are_skipped),
        cmocka_unit_test(a_row_without_a_line_extends_the_row_before),
        cmocka_unit_test(sequences_are_sorted_and_keep_their_ends),
        cmocka_unit_test(sequences_that_make_no_sense_are_dropped),
        cmocka_unit_test(version_5_units_are_read),
        cmocka_unit_test(a_unit_that_cannot_be_read_is_left_out),
        cmocka_unit_test(entries_of_no_bytes_do_not_hang),
    };
    return cmocka_run_group_tests_name("dwarf_line", tests, NULL, NULL);
}
