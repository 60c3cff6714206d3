/* instruction.c - one PTX instruction -> one C++ statement. */
#include "cu/ptx/ptx.h"

#include <stdio.h>
#include <string.h>

#include "text/list.h"

static const struct {
    const char *name, *types, *operands;
} rows[] = {
#define PTX(name, types, operands) {name, types, operands},
#include "cu/ptx/ptx.def"
};

static const char *const specials[] = {
#define PTX_REGISTER(name) name,
#include "cu/ptx/ptx.def"
};

static const struct {
    const char *name, *what;
} refused[] = {
#define PTX_NONE(name, what) {name, what},
#include "cu/ptx/ptx.def"
};

static const struct {
    const char *name, *type, *wide;
    unsigned bytes;
} types[] = {
    {"pred", "bool", NULL, 0},
    {"u8", "unsigned char", "unsigned short", 1},
    {"s8", "signed char", "short", 1},
    {"b8", "unsigned char", NULL, 1},
    {"u16", "unsigned short", "unsigned", 2},
    {"s16", "short", "int", 2},
    {"b16", "unsigned short", NULL, 2},
    {"u32", "unsigned", "unsigned long long", 4},
    {"s32", "int", "long long", 4},
    {"b32", "unsigned", NULL, 4},
    {"u64", "unsigned long long", NULL, 8},
    {"s64", "long long", NULL, 8},
    {"b64", "unsigned long long", NULL, 8},
    {"f32", "float", NULL, 4},
    {"f64", "double", NULL, 8},
};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

static size_t type_index(struct ptx_word name)
{
    size_t i = 0;
    while (i < TYPE_COUNT && !ptx_is(name, types[i].name))
        i++;
    return i;
}

const char *ptx_type(struct ptx_word name, unsigned *bytes)
{
    size_t i = type_index(name);
    if (i == TYPE_COUNT)
        return NULL;
    *bytes = types[i].bytes;
    return types[i].type;
}

/* ---- Messages ---------------------------------------------------------------------------------- */

void ptx_refuse(struct ptx *p, struct ptx_word what, const char *why)
{
    rewriter_fail(p->r, p->token, "the PTX instruction '%.*s' cannot run under warplens: %s",
                  what.length < 80 ? (int)what.length : 80, what.at, why);
}

static void refuse_unknown(struct ptx *p, const struct ptx_instruction *instruction)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (ptx_begins(instruction->whole, refused[i].name)) {
            char why[160];
            snprintf(why, sizeof why, "%s is not modelled; write it in CUDA C++", refused[i].what);
            ptx_refuse(p, instruction->whole, why);
            return;
        }
    ptx_refuse(p, instruction->whole, "it is none of those that are known; write it in CUDA C++");
}

/* ---- Arguments --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || c == '%';
}

static bool all_name(struct ptx_word word)
{
    for (size_t i = 0; i < word.length; i++)
        if (!is_name(word.at[i]))
            return false;
    return word.length > 0 && !is_digit(word.at[0]);
}

static bool is_declared(const struct ptx *p, struct ptx_word name)
{
    for (size_t i = 0; i < p->register_count; i++)
        if (p->registers[i].length == name.length &&
            memcmp(p->registers[i].at, name.at, name.length) == 0)
            return true;
    return false;
}

/* %p and p are two names. */
static void put_own_name(struct ptx_text *out, struct ptx_word name)
{
    ptx_put(out, "wl_r_");
    for (size_t i = 0; i < name.length; i++)
        ptx_put(out, name.at[i] == '%' ? "p_" : name.at[i] == '$' ? "d_" : "%c", name.at[i]);
}

int ptx_operand(const struct ptx *p, struct ptx_word word)
{
    int number = 0;
    if (word.length < 2 || word.length > 4 || word.at[0] != '%')
        return -1;
    for (size_t i = 1; i < word.length; i++) {
        if (!is_digit(word.at[i]))
            return -1;
        number = 10 * number + (word.at[i] - '0');
    }
    return (unsigned)number < p->statement->operand_count ? number : -1;
}

bool ptx_put_register(struct ptx *p, struct ptx_word argument)
{
    int operand = ptx_operand(p, argument);
    if (operand >= 0)
        ptx_put(&p->out, "wl_%d", operand);
    else if (is_declared(p, argument))
        put_own_name(&p->out, argument);
    else
        ptx_refuse(p, argument, "it is no register that this asm statement has");
    return operand >= 0 || is_declared(p, argument);
}

static bool put_special(struct ptx *p, struct ptx_word argument)
{
    struct ptx_word name = {argument.at + 1, argument.length - 1};
    for (size_t i = 0; argument.at[0] == '%' && i < sizeof specials / sizeof specials[0]; i++)
        if (ptx_is(name, specials[i])) {
            ptx_put(&p->out, "::wl::ptx::sreg_");
            ptx_put_name(p, name);
            ptx_put(&p->out, "()");
            return true;
        }
    return false;
}

/* 12, -0x1f, 07U, 1.5, 0f3F800000 and 0d3FF0000000000000, the bits of a float and of a double. */
static bool put_number(struct ptx *p, struct ptx_word argument, const char *type)
{
    bool minus = argument.at[0] == '-';
    struct ptx_word digits = {argument.at + minus, argument.length - minus};
    if (digits.length == 0 || !is_digit(digits.at[0]))
        return false;
    for (size_t i = 0; i < digits.length; i++)
        if (!is_name(digits.at[i]) && digits.at[i] != '.' && digits.at[i] != '-' &&
            digits.at[i] != '+')
            return false;
    bool of_float = digits.length == 10 && (digits.at[1] == 'f' || digits.at[1] == 'F');
    bool of_double = digits.length == 18 && (digits.at[1] == 'd' || digits.at[1] == 'D');
    if (of_float || of_double)
        ptx_put(&p->out, "(%s)(%s::wl::ptx::as<%s>(0x%.*s%s))", type, minus ? "-" : "",
                of_float ? "float" : "double", (int)digits.length - 2, digits.at + 2,
                of_float ? "U" : "ULL");
    else
        ptx_put(&p->out, "(%s)(%.*s)", type, (int)argument.length, argument.at);
    return true;
}

bool ptx_put_value(struct ptx *p, struct ptx_word argument, const char *type)
{
    bool inverted = argument.length && argument.at[0] == '!';
    if (inverted) {
        argument = ptx_trim((struct ptx_word){argument.at + 1, argument.length - 1});
        ptx_put(&p->out, "!");
    }
    if (argument.length == 0) {
        ptx_refuse(p, argument, "an operand is missing");
        return false;
    }
    if (put_number(p, argument, type))
        return true;
    ptx_put(&p->out, "::wl::ptx::as<%s>(", type);
    bool known = put_special(p, argument) || ptx_put_register(p, argument);
    ptx_put(&p->out, ")");
    return known;
}

void ptx_put_name(struct ptx *p, struct ptx_word name)
{
    for (size_t i = 0; i < name.length; i++)
        ptx_put(&p->out, "%c", name.at[i] == '.' || name.at[i] == ':' ? '_' : name.at[i]);
}

/* ---- Declarations: .reg .u32 a, b, r<4>; -------------------------------------------------------- */

static void declare(struct ptx *p, struct ptx_word name, const char *type)
{
    if (!LIST_MAKE_ROOM(p->registers, p->register_count, p->register_room)) {
        p->out.failed = true;
        return;
    }
    p->registers[p->register_count++] = name;
    ptx_put(&p->out, "%s ", type);
    put_own_name(&p->out, name);
    ptx_put(&p->out, "; ");
}

static void put_registers(struct ptx *p, struct ptx_word text)
{
    static const char *const words[] = {
        "bool", "::wl::ptx::reg8", "::wl::ptx::reg16", NULL, "::wl::ptx::reg32", NULL, NULL,
        NULL,   "::wl::ptx::reg64"};
    struct ptx_word whole = text, name, type = {text.at + 1, 0};
    unsigned bytes = 0;
    if (!ptx_begins(text, ".")) {
        ptx_refuse(p, whole, "a type of registers is missing");
        return;
    }
    while (type.length + 1 < text.length && is_name(type.at[type.length]))
        type.length++;
    if (ptx_type(type, &bytes) == NULL) {
        ptx_refuse(p, whole, "its type is none of those that are known");
        return;
    }
    text = (struct ptx_word){type.at + type.length, text.length - 1 - type.length};
    while (text.length) {
        const char *comma = memchr(text.at, ',', text.length);
        size_t n = comma ? (size_t)(comma - text.at) : text.length;
        name = ptx_trim((struct ptx_word){text.at, n});
        if (!all_name(name)) {
            ptx_refuse(p, whole, "declare its registers one by one");
            return;
        }
        declare(p, name, words[bytes]);
        n += comma != NULL;
        text = (struct ptx_word){text.at + n, text.length - n};
    }
}

/* ---- Instructions ------------------------------------------------------------------------------- */

/* What a row's name leaves out of an instruction's: .rn, and .ftz and .sat, which are said beside. */
struct plain_name {
    char text[80];
    bool ftz, sat;
};

static struct plain_name plain_name(const struct ptx_instruction *instruction, bool is_float)
{
    struct plain_name name = {.text = ""};
    size_t used = 0;
    for (unsigned i = 0; i + 1 < instruction->part_count; i++) {
        struct ptx_word part = instruction->parts[i];
        bool ftz = is_float && ptx_is(part, "ftz"), sat = is_float && ptx_is(part, "sat");
        name.ftz |= ftz;
        name.sat |= sat;
        if (ftz || sat || (is_float && ptx_is(part, "rn")) ||
            used + part.length + 2 > sizeof name.text)
            continue;
        used += (size_t)snprintf(name.text + used, sizeof name.text - used, "%s%.*s",
                                 used ? "." : "", (int)part.length, part.at);
    }
    return name;
}

/* Arguments of a call, by the row's letters. */
static void put_arguments(struct ptx *p, const struct ptx_instruction *instruction,
                          const char *operands, size_t type, bool ftz)
{
    for (unsigned i = 0; operands[i]; i++) {
        const char *as = operands[i] == 'U'   ? "unsigned"
                         : operands[i] == 'P' ? "bool"
                         : operands[i] == 'W' ? types[type].wide
                                              : types[type].type;
        ptx_put(&p->out, i ? ", " : "");
        ptx_put(&p->out, ftz ? "::wl::ptx::flush(" : "");
        if (!ptx_put_value(p, instruction->arguments[i + 1], as))
            return;
        ptx_put(&p->out, ftz ? ")" : "");
    }
}

/* vabsdiff4.u32.u32.u32.add says behind its types what others say in front: vabsdiff4.add.u32.u32.u32. */
static struct ptx_instruction with_type_last(const struct ptx_instruction *instruction)
{
    struct ptx_instruction turned = *instruction;
    struct ptx_word last = turned.parts[turned.part_count - 1];
    if (turned.part_count > 2 && ptx_is(last, "add")) {
        memmove(turned.parts + 2, turned.parts + 1, (turned.part_count - 2) * sizeof last);
        turned.parts[1] = last;
    }
    return turned;
}

static bool put_row(struct ptx *p, const struct ptx_instruction *given)
{
    if (given->part_count < 2)
        return false;
    const struct ptx_instruction turned = with_type_last(given), *instruction = &turned;
    size_t type = type_index(instruction->parts[instruction->part_count - 1]), row = 0;
    if (type == TYPE_COUNT)
        return false;
    struct ptx_word type_name = instruction->parts[instruction->part_count - 1];
    struct plain_name name = plain_name(instruction, type_name.at[0] == 'f');
    while (row < sizeof rows / sizeof rows[0] &&
           !(strcmp(rows[row].name, name.text) == 0 && ptx_has(rows[row].types, type_name)))
        row++;
    if (row == sizeof rows / sizeof rows[0] ||
        instruction->argument_count != strlen(rows[row].operands) + 1)
        return false;
    ptx_put(&p->out, "::wl::ptx::set(");
    if (!ptx_put_register(p, instruction->arguments[0]))
        return true;
    ptx_put(&p->out, ", %s%s::wl::ptx::", name.ftz ? "::wl::ptx::flush(" : "",
            name.sat ? "::wl::ptx::saturate(" : "");
    ptx_put_name(p, (struct ptx_word){name.text, strlen(name.text)});
    ptx_put(&p->out, "_<%s>(", types[type].type);
    put_arguments(p, instruction, rows[row].operands, type, name.ftz);
    ptx_put(&p->out, ")%s%s); ", name.ftz ? ")" : "", name.sat ? ")" : "");
    return true;
}

static void put_guard(struct ptx *p, struct ptx_word guard)
{
    if (guard.length == 0)
        return;
    ptx_put(&p->out, "if (");
    ptx_put_value(p, (struct ptx_word){guard.at + 1, guard.length - 1}, "bool");
    ptx_put(&p->out, ") ");
}

void ptx_translate(struct ptx *p, struct ptx_word text)
{
    struct ptx_instruction instruction;
    if (ptx_begins(text, ".reg")) {
        put_registers(p, ptx_trim((struct ptx_word){text.at + 4, text.length - 4}));
        return;
    }
    if (ptx_begins(text, ".pragma"))
        return;
    bool read = ptx_instruction_read(text, &instruction);
    put_guard(p, instruction.guard);
    ptx_put(&p->out, "{ ");
    if (!read || (!put_row(p, &instruction) && !ptx_cluster(p, &instruction) &&
                  !ptx_access(p, &instruction) && !ptx_matrix(p, &instruction) &&
                  !ptx_warpgroup(p, &instruction) && !ptx_copy(p, &instruction) &&
                  !ptx_bulk(p, &instruction) && !ptx_form(p, &instruction)))
        refuse_unknown(p, &instruction);
    ptx_put(&p->out, "} ");
}
