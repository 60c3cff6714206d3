/* sass_opcode.c - one table both ways: the first row of a space and an operation is the opcode that
 * is written for it.
 *
 * An atomic is written as RED or ATOMS without a destination: a stream does not say whether the old
 * value is used.
 */
#include "trace_io/sass_opcode.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t space, op;
    const char *suffix; /* behind the name when it is written */
} memory_opcodes[] = {
    {"LDG", SPACE_GLOBAL, OP_LOAD, ".E"},       {"STG", SPACE_GLOBAL, OP_STORE, ".E"},
    {"RED", SPACE_GLOBAL, OP_ATOMIC, ".E.ADD"}, {"LDS", SPACE_SHARED, OP_LOAD, ""},
    {"STS", SPACE_SHARED, OP_STORE, ""},        {"ATOMS", SPACE_SHARED, OP_ATOMIC, ".ADD"},
    {"LDL", SPACE_LOCAL, OP_LOAD, ""},          {"STL", SPACE_LOCAL, OP_STORE, ""},
    {"LDC", SPACE_CONSTANT, OP_LOAD, ""},       {"TLD", SPACE_TEXTURE, OP_LOAD, ".LZ"},
    {"TEX", SPACE_TEXTURE, OP_LOAD, ""},        {"LDGSTS", SPACE_GLOBAL, OP_LOAD, ""},
    {"ATOMG", SPACE_GLOBAL, OP_ATOMIC, ""},     {"REDG", SPACE_GLOBAL, OP_ATOMIC, ""},
    {"LDSM", SPACE_SHARED, OP_LOAD, ""},        {"STSM", SPACE_SHARED, OP_STORE, ""},
    {"LD", SPACE_GENERIC, OP_LOAD, ""},         {"ST", SPACE_GENERIC, OP_STORE, ""},
    {"ATOM", SPACE_GENERIC, OP_ATOMIC, ""},
};
enum { MEMORY_OPCODES = sizeof memory_opcodes / sizeof memory_opcodes[0] };

/* One suffix of an opcode: [text, text + length). */
struct suffix {
    const char *text;
    size_t length;
};

static bool suffix_is(struct suffix suffix, const char *word)
{
    return strlen(word) == suffix.length && memcmp(suffix.text, word, suffix.length) == 0;
}

/* Goes on to the next suffix; false when there is none. */
static bool suffix_next(struct suffix *suffix)
{
    const char *end = suffix->text + suffix->length;
    if (*end != '.')
        return false;
    suffix->text = end + 1;
    suffix->length = strcspn(end + 1, ".");
    return true;
}

/* The bits that a suffix names; 0 when it names none. */
static unsigned suffix_bits(struct suffix suffix)
{
    static const struct {
        const char *text;
        unsigned bits;
    } sizes[] = {{"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}, {"128", 128}, {"256", 256}};
    if (suffix.length > 1 && memchr("USFB", suffix.text[0], 4)) {
        suffix.text++;
        suffix.length--;
    }
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (suffix_is(suffix, sizes[i].text))
            return sizes[i].bits;
    return 0;
}

static bool has_suffix(struct suffix name, const char *word)
{
    while (suffix_next(&name))
        if (suffix_is(name, word))
            return true;
    return false;
}

static unsigned first_bits(struct suffix name)
{
    while (suffix_next(&name))
        if (suffix_bits(name))
            return suffix_bits(name);
    return 32;
}

static void read_matrix(struct suffix name, struct sass_opcode *opcode)
{
    opcode->width = 16;
    opcode->flags |= ACCESS_MATRIX;
    opcode->lanes = has_suffix(name, "4") ? UINT32_MAX : has_suffix(name, "2") ? 0xffff : 0xff;
}

static bool read_memory(struct suffix name, struct sass_opcode *opcode)
{
    unsigned bits = first_bits(name);
    opcode->kind = SASS_MEMORY;
    opcode->copies = suffix_is(name, "LDGSTS");
    opcode->width = (uint8_t)(bits / 8);
    if (suffix_is(name, "RED"))
        opcode->space = SPACE_GENERIC;
    if (opcode->op == OP_LOAD && (has_suffix(name, "CONSTANT") || has_suffix(name, "NC")))
        opcode->flags |= ACCESS_READ_ONLY;
    if (opcode->op == OP_LOAD && has_suffix(name, "STRONG"))
        opcode->flags |= ACCESS_VOLATILE;
    if (suffix_is(name, "ATOMS") && has_suffix(name, "POPC") && has_suffix(name, "INC") &&
        bits == 32)
        opcode->flags |= ACCESS_INCREMENT;
    if (opcode->op == OP_ATOMIC && has_suffix(name, "ADD") &&
        (has_suffix(name, "F32") || has_suffix(name, "F64")))
        opcode->flags |= ACCESS_FLOAT;
    if (suffix_is(name, "LDSM") || suffix_is(name, "STSM"))
        read_matrix(name, opcode);
    return bits <= 128;
}

bool sass_opcode_read(const char *text, struct sass_opcode *opcode)
{
    struct suffix name = {text, strcspn(text, ".")};
    *opcode = (struct sass_opcode){.kind = SASS_PLAIN, .lanes = UINT32_MAX};
    if (suffix_is(name, "EXIT"))
        opcode->kind = SASS_EXIT;
    if (suffix_is(name, "BAR") && !has_suffix(name, "ARV")) /* ARV: says that it came, goes on */
        opcode->kind = SASS_BARRIER;
    for (unsigned i = 0; i < MEMORY_OPCODES; i++) {
        if (!suffix_is(name, memory_opcodes[i].name))
            continue;
        opcode->space = memory_opcodes[i].space;
        opcode->op = memory_opcodes[i].op;
        return read_memory(name, opcode);
    }
    return true;
}

static const char *width_suffix(const struct warp_access *access)
{
    if (access->op == OP_ATOMIC && access->flags & ACCESS_FLOAT)
        return access->width == 8 ? ".F64.RN" : ".F32.FTZ.RN";
    switch (access->width) {
    case 1:
        return ".U8";
    case 2:
        return ".U16";
    case 8:
        return ".64";
    case 16:
        return ".128";
    default:
        return "";
    }
}

static const char *order_suffix(const struct warp_access *access)
{
    if (access->space != SPACE_GLOBAL)
        return "";
    if (access->op == OP_ATOMIC)
        return ".STRONG.GPU";
    if (access->op == OP_LOAD && access->flags & ACCESS_VOLATILE)
        return ".STRONG.SYS";
    return access->op == OP_LOAD && access->flags & ACCESS_READ_ONLY ? ".CONSTANT" : "";
}

bool sass_opcode_write(const struct warp_access *access, char text[SASS_TEXT_BYTES])
{
    for (unsigned i = 0; i < MEMORY_OPCODES; i++) {
        if (memory_opcodes[i].space != access->space || memory_opcodes[i].op != access->op)
            continue;
        const bool counts = access->space == SPACE_SHARED && access->flags & ACCESS_INCREMENT;
        snprintf(text, SASS_TEXT_BYTES, "%s%s%s%s", memory_opcodes[i].name,
                 counts ? ".POPC.INC.32" : memory_opcodes[i].suffix, width_suffix(access),
                 order_suffix(access));
        return true;
    }
    return false;
}
