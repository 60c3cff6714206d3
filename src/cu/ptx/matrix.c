/* matrix.c - ldmatrix, stmatrix and mma.sync, and conversions to what they take: calls of the runtime (warplens/cuda_ptx_matrix.h), which all lanes of a warp
 * come to.
 *
 * What the GPU that the program is compiled for does not have is refused where the program comes to it: programs have such code
 * for other GPUs, too.
 */
#include "cu/ptx/ptx.h"

#include <stdio.h>
#include <string.h>

#include "models/capabilities.h"

static const struct product_row {
    unsigned m, n, k;
    const char *d, *a, *b, *c;
    int sm;
} products[] = {
#define PTX_MMA(m, n, k, d, a, b, c, sm) {m, n, k, d, a, b, c, sm},
#include "cu/ptx/ptx.def"
};
enum { PRODUCT_COUNT = sizeof products / sizeof products[0] };

static const struct {
    const char *name, *constant;
    unsigned bits;
} elements[] = {
    {"f16", "WL_F16", 16}, {"bf16", "WL_BF16", 16}, {"tf32", "WL_TF32", 32}, {"f32", "WL_F32", 32},
    {"f64", "WL_F64", 64}, {"s8", "WL_S8", 8},      {"u8", "WL_U8", 8},      {"s32", "WL_S32", 32},
};

static size_t element_of(const char *name)
{
    size_t i = 0;
    while (strcmp(elements[i].name, name) != 0)
        i++;
    return i;
}

void ptx_put_needs(struct ptx *p, struct ptx_word name, int sm)
{
    ptx_put(&p->out,
            "if (::wl::ptx::arch < %d) ::wl_refuse(\"%.*s needs sm_%d (%s) or later: name such a "
            "GPU with --gpu\"); ",
            10 * sm, (int)name.length, name.at, sm, capability_find(sm)->generation);
}

/* ---- ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {a, b, c, d}, [address]; -------------------------- */

struct rows {
    unsigned count; /* 0: it is not said */
    bool transposed;
    const char *space;
};

static bool read_rows(const struct ptx_instruction *i, struct rows *rows)
{
    *rows = (struct rows){.space = "generic"};
    bool sync = false, aligned = false, shape = false;
    for (unsigned k = 1; k + 1 < i->part_count; k++) {
        const struct ptx_word part = i->parts[k];
        if (ptx_is(part, "x1") || ptx_is(part, "x2") || ptx_is(part, "x4"))
            rows->count = (unsigned)(part.at[1] - '0');
        else if (ptx_is(part, "trans"))
            rows->transposed = true;
        else if (ptx_is(part, "shared") || ptx_is(part, "shared::cta"))
            rows->space = "shared";
        else if (ptx_has("sync aligned m8n8 ", part))
            *(part.at[0] == 's' ? &sync : part.at[0] == 'a' ? &aligned : &shape) = true;
        else
            return false;
    }
    return sync && aligned && shape && rows->count && i->argument_count == 2 &&
           ptx_is(i->parts[i->part_count - 1], "b16");
}

/* {a, b}, or the register itself where it is one. */
static unsigned read_registers(struct ptx_word argument, struct ptx_word *registers)
{
    registers[0] = argument;
    return argument.length && argument.at[0] == '{' ? ptx_list(argument, registers, PTX_LANES_MAX)
                                                    : 1;
}

/* Register by register what the words `wl_got` have. */
static void put_got(struct ptx *p, const struct ptx_word *registers, unsigned count,
                    const char *type)
{
    for (unsigned k = 0; k < count; k++) {
        ptx_put(&p->out, "::wl::ptx::set(");
        if (!ptx_put_register(p, registers[k]))
            return;
        ptx_put(&p->out, ", ::wl::ptx::part<%s, %u>(wl_got)); ", type, k);
    }
}

static bool put_values(struct ptx *p, const struct ptx_word *registers, unsigned count,
                       const char *type)
{
    for (unsigned k = 0; k < count; k++) {
        ptx_put(&p->out, k ? ", " : "");
        if (!ptx_put_value(p, registers[k], type))
            return false;
    }
    return true;
}

static bool put_load(struct ptx *p, const struct ptx_instruction *i)
{
    struct rows rows;
    struct ptx_word registers[PTX_LANES_MAX];
    if (!read_rows(i, &rows) || read_registers(i->arguments[0], registers) != rows.count)
        return false;
    ptx_put_needs(p, i->parts[0], 75);
    if (!ptx_put_address(p, rows.space, "const void", i->arguments[1]))
        return false;
    ptx_put(&p->out, "const ::wl_words wl_got = ::wl_ldmatrix(%u, %u, wl_at); ", rows.count,
            rows.transposed);
    put_got(p, registers, rows.count, "unsigned");
    return true;
}

static bool put_store(struct ptx *p, const struct ptx_instruction *i)
{
    struct rows rows;
    struct ptx_word registers[PTX_LANES_MAX];
    if (!read_rows(i, &rows) || read_registers(i->arguments[1], registers) != rows.count)
        return false;
    ptx_put_needs(p, i->parts[0], 90);
    if (!ptx_put_address(p, rows.space, "void", i->arguments[0]))
        return false;
    ptx_put(&p->out, "::wl_stmatrix(%u, %u, wl_at, ::wl::ptx::pack(", rows.count, rows.transposed);
    if (!put_values(p, registers, rows.count < 2 ? 1 : 2, "unsigned"))
        return true;
    ptx_put(&p->out, "), ::wl::ptx::pack(");
    if (rows.count < 4)
        ptx_put(&p->out, "0");
    else if (!put_values(p, registers + 2, 2, "unsigned"))
        return true;
    ptx_put(&p->out, ")); ");
    return true;
}

/* ---- mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c; -------------------------------------- */

static const struct product_row *find_product(const struct ptx_instruction *i, bool *saturates)
{
    const struct ptx_word *end = i->parts + i->part_count;
    char shape[24];
    *saturates = i->part_count > 6 && ptx_is(i->parts[6], "satfinite");
    if (i->part_count != (*saturates ? 11 : 10) || !ptx_is(i->parts[1], "sync") ||
        !ptx_is(i->parts[2], "aligned") || !ptx_is(i->parts[4], "row") ||
        !ptx_is(i->parts[5], "col") || i->argument_count != 4)
        return NULL;
    for (const struct product_row *row = products; row < products + PRODUCT_COUNT; row++) {
        snprintf(shape, sizeof shape, "m%un%uk%u", row->m, row->n, row->k);
        if (ptx_is(i->parts[3], shape) && ptx_is(end[-4], row->d) && ptx_is(end[-3], row->a) &&
            ptx_is(end[-2], row->b) && ptx_is(end[-1], row->c) &&
            (!*saturates || strcmp(row->d, "s32") == 0))
            return row;
    }
    return NULL;
}

/* Registers of a lane for `count` elements of a matrix; their type in C++ is `type`. */
static unsigned registers_of(const char *element, unsigned count, const char **type)
{
    const unsigned bits = elements[element_of(element)].bits;
    *type = bits == 64 ? "unsigned long long" : "unsigned";
    return count * bits / 32 / (bits == 64 ? 64 : 32);
}

static bool put_given(struct ptx *p, const char *use, const char *element, unsigned count,
                      struct ptx_word argument)
{
    struct ptx_word registers[PTX_LANES_MAX];
    const char *type;
    const unsigned wanted = registers_of(element, count, &type);
    if (read_registers(argument, registers) != wanted) {
        ptx_refuse(p, argument, "the matrix has another number of registers");
        return false;
    }
    ptx_put(&p->out, "::wl::ptx::give%s<%s>(", type[8] ? "_wide" : "", use);
    if (!put_values(p, registers, wanted, type))
        return false;
    ptx_put(&p->out, "); ");
    return true;
}

static bool put_product(struct ptx *p, const struct ptx_instruction *i)
{
    struct ptx_word registers[PTX_LANES_MAX];
    const char *type;
    bool saturates;
    const struct product_row *row = find_product(i, &saturates);
    if (row == NULL)
        return false;
    const unsigned wanted = registers_of(row->d, row->m * row->n, &type);
    ptx_put_needs(p, i->whole, row->sm);
    if (!put_given(p, "WL_MATRIX_A", row->a, row->m * row->k, i->arguments[1]) ||
        !put_given(p, "WL_MATRIX_B", row->b, row->k * row->n, i->arguments[2]) ||
        !put_given(p, "WL_ACCUMULATOR", row->c, row->m * row->n, i->arguments[3]))
        return true;
    if (read_registers(i->arguments[0], registers) != wanted)
        return false;
    ptx_put(&p->out, "const ::wl_words wl_got = ::wl_mma(&::wl::ptx::product<%u, %u, %u, %s, ",
            row->m, row->n, row->k, elements[element_of(row->d)].constant);
    ptx_put(&p->out, "%s, %s, %s, %d>::value); ", elements[element_of(row->a)].constant,
            elements[element_of(row->b)].constant, elements[element_of(row->c)].constant,
            saturates);
    put_got(p, registers, wanted, type);
    return true;
}

/* ---- What makes elements of fragments: cvt.rn.f16x2.f32 d, a, b; ---------------------------------------- */

static const struct {
    const char *name, *function;
    unsigned arguments;
} conversions[] = {
    {"cvt.rna.tf32.f32", "tf32_of", 1},
    {"cvt.rn.f16x2.f32", "two_of<5, 10>", 2},
    {"cvt.rn.bf16x2.f32", "two_of<8, 7>", 2},
};

static bool put_conversion(struct ptx *p, const struct ptx_instruction *i)
{
    size_t row = 0;
    while (row < sizeof conversions / sizeof conversions[0] &&
           !ptx_is(i->whole, conversions[row].name))
        row++;
    if (row == sizeof conversions / sizeof conversions[0] ||
        i->argument_count != 1 + conversions[row].arguments)
        return false;
    ptx_put(&p->out, "::wl::ptx::set(");
    if (!ptx_put_register(p, i->arguments[0]))
        return true;
    ptx_put(&p->out, ", ::wl::ptx::%s(", conversions[row].function);
    if (put_values(p, i->arguments + 1, conversions[row].arguments, "float"))
        ptx_put(&p->out, ")); ");
    return true;
}

bool ptx_matrix(struct ptx *p, const struct ptx_instruction *instruction)
{
    if (ptx_is(instruction->parts[0], "cvt"))
        return put_conversion(p, instruction);
    if (ptx_is(instruction->parts[0], "ldmatrix"))
        return put_load(p, instruction);
    if (ptx_is(instruction->parts[0], "stmatrix"))
        return put_store(p, instruction);
    return ptx_is(instruction->parts[0], "mma") && put_product(p, instruction);
}
