/* warpgroup.c - wgmma: calls of the runtime (warplens/cuda_ptx_matrix.h), which all lanes of a warp come to.
 *
 *   wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, ..., %7}, %8, %9, p, 1, 1, 0, 0;
 *   wl_warpgroup_give(0, wl_0, wl_1, wl_2, wl_3); ...; wl_warpgroup_mma(&product, wl_8, wl_9, flags(p, 1, 1, 0, 0));
 *   set(wl_0, wl_warpgroup_take(0)); ...
 *
 * PTX ISA: target sm_90a, so no GPU but those of sm_90 has it.
 */
#include "cu/ptx/ptx.h"

#include <stdio.h>
#include <string.h>

static const struct product_row {
    unsigned k;
    const char *d, *a, *b;
    char forms;
} products[] = {
#define PTX_WGMMA(k, d, a, b, forms) {k, d, a, b, forms},
#include "cu/ptx/ptx.def"
};
enum { PRODUCT_COUNT = sizeof products / sizeof products[0] };

enum {
    ROWS = 64,
    COLUMNS_MAX = 256,
    COLUMNS_STEP = 8,
    WARPGROUP_LANES = 128,
    REGISTERS_MAX = 128,
    AT_ONCE = 4, /* registers of a call, and of A */
};

/* One that stands in the text. */
struct product {
    const struct product_row *row;
    unsigned n, registers;                     /* of D, a lane */
    bool saturates, a_in_registers, of_floats; /* of_floats: D */
};

static void put_target(struct ptx *p, struct ptx_word name)
{
    ptx_put(&p->out,
            "if (::wl::ptx::arch < 900 || ::wl::ptx::arch >= 1000) ::wl_refuse(\"%.*s needs sm_90a "
            "(Hopper), which later generations are not: name such a GPU with --gpu\"); ",
            (int)name.length, name.at);
}

/* Of bytes as integers, shapes above 32 columns are multiples of 16, but for 24. */
static bool is_shape(const struct product *product)
{
    const unsigned n = product->n;
    return n >= COLUMNS_STEP && n <= COLUMNS_MAX && n % COLUMNS_STEP == 0 &&
           (product->row->forms != 'I' || n <= 24 || n % (2 * COLUMNS_STEP) == 0);
}

static bool read_shape(const struct ptx_instruction *i, struct product *product)
{
    unsigned m, k;
    int used = 0;
    char text[24];
    snprintf(text, sizeof text, "%.*s", (int)i->parts[4].length, i->parts[4].at);
    if (sscanf(text, "m%3un%3uk%3u%n", &m, &product->n, &k, &used) != 3 || text[used] != '\0')
        return false;
    return m == ROWS && k == product->row->k && is_shape(product);
}

/* "wgmma.mma_async.sync.aligned.SHAPE.D.A.B", with .satfinite in front of the types or behind them: ptxas takes both. */
static bool read_name(const struct ptx_instruction *i, struct product *product)
{
    const bool ends_so = i->part_count == 9 && ptx_is(i->parts[8], "satfinite");
    product->saturates = ends_so || (i->part_count == 9 && ptx_is(i->parts[5], "satfinite"));
    if (i->part_count != 8U + product->saturates || !ptx_is(i->parts[1], "mma_async") ||
        !ptx_is(i->parts[2], "sync") || !ptx_is(i->parts[3], "aligned"))
        return false;
    const struct ptx_word *types = &i->parts[i->part_count - 3 - ends_so];
    for (const struct product_row *row = products; row < products + PRODUCT_COUNT; row++)
        if (ptx_is(types[0], row->d) && ptx_is(types[1], row->a) && ptx_is(types[2], row->b) &&
            (!product->saturates || row->forms == 'I')) {
            product->row = row;
            return read_shape(i, product);
        }
    return false;
}

static bool read_product(const struct ptx_instruction *i, struct product *product)
{
    if (!read_name(i, product) || i->argument_count < 4)
        return false;
    const unsigned bits = strcmp(product->row->d, "f16") == 0 ? 16 : 32;
    const char form = product->row->forms;
    product->registers = ROWS * product->n * bits / 32 / WARPGROUP_LANES;
    product->of_floats = strcmp(product->row->d, "f32") == 0;
    product->a_in_registers = i->arguments[1].length && i->arguments[1].at[0] == '{';
    /* Behind scale-d: imm-scale-a and -b; imm-trans-a, unless A is in registers, and -b. */
    const unsigned behind = form == 'I' ? 0 : form == 'S' ? 2 : product->a_in_registers ? 3 : 4;
    return i->argument_count == 4 + behind;
}

/* "wl_0, wl_1, ..." of registers from `first` on; 0 for the rest. */
static bool put_registers(struct ptx *p, const struct ptx_word *registers, unsigned count,
                          unsigned first, const char *type)
{
    for (unsigned k = first; k < first + AT_ONCE; k++) {
        ptx_put(&p->out, k < count ? ", " : ", 0");
        if (k < count && !ptx_put_value(p, registers[k], type))
            return false;
    }
    return true;
}

static bool put_given(struct ptx *p, const struct ptx_instruction *i, const struct product *product,
                      const struct ptx_word *d)
{
    for (unsigned first = 0; first < product->registers; first += AT_ONCE) {
        ptx_put(&p->out, "::wl_warpgroup_give%s(%u", product->of_floats ? "_floats" : "", first);
        if (!put_registers(p, d, product->registers, first,
                           product->of_floats ? "float" : "unsigned"))
            return false;
        ptx_put(&p->out, "); ");
    }
    struct ptx_word a[AT_ONCE];
    if (!product->a_in_registers)
        return true;
    if (ptx_list(i->arguments[1], a, AT_ONCE) != AT_ONCE) {
        ptx_refuse(p, i->arguments[1], "A has four registers");
        return false;
    }
    ptx_put(&p->out, "::wl_fragment_give_registers(WL_MATRIX_A");
    if (!put_registers(p, a, AT_ONCE, 0, "unsigned"))
        return false;
    ptx_put(&p->out, "); ");
    return true;
}

static bool put_flags(struct ptx *p, const struct ptx_instruction *i, const struct product *product)
{
    ptx_put(&p->out, "::wl::ptx::warpgroup_flags(");
    if (!ptx_put_value(p, i->arguments[3], "bool"))
        return false;
    for (unsigned k = 4; k < i->argument_count; k++) {
        if (k == 6 && product->a_in_registers)
            ptx_put(&p->out, ", 0");
        ptx_put(&p->out, ", ");
        if (!ptx_put_value(p, i->arguments[k], "int"))
            return false;
    }
    ptx_put(&p->out, ")");
    return true;
}

static bool put_call(struct ptx *p, const struct ptx_instruction *i, const struct product *product)
{
    ptx_put(&p->out, "::wl_warpgroup_mma(&::wl::ptx::warpgroup_product<%u, %u, ::wl::ptx::of_%s, ",
            product->n, product->row->k, product->row->a);
    ptx_put(&p->out, "::wl::ptx::of_%s, ::wl::ptx::of_%s, %d, %d>::value, ", product->row->b,
            product->row->d, product->saturates, product->a_in_registers);
    if (product->a_in_registers)
        ptx_put(&p->out, "0");
    else if (!ptx_put_value(p, i->arguments[1], "unsigned long long"))
        return false;
    ptx_put(&p->out, ", ");
    if (!ptx_put_value(p, i->arguments[2], "unsigned long long"))
        return false;
    ptx_put(&p->out, ", ");
    if (!put_flags(p, i, product))
        return false;
    ptx_put(&p->out, "); ");
    return true;
}

static void put_taken(struct ptx *p, const struct product *product, const struct ptx_word *d)
{
    for (unsigned k = 0; k < product->registers; k++) {
        ptx_put(&p->out, "::wl::ptx::set(");
        if (!ptx_put_register(p, d[k]))
            return;
        ptx_put(&p->out, ", ::wl_warpgroup_take%s(%u)); ", product->of_floats ? "_float" : "", k);
    }
}

static bool put_product(struct ptx *p, const struct ptx_instruction *i)
{
    struct product product = {0};
    struct ptx_word d[REGISTERS_MAX];
    if (!read_product(i, &product))
        return false;
    put_target(p, i->whole);
    if (ptx_list(i->arguments[0], d, REGISTERS_MAX) != product.registers) {
        ptx_refuse(p, i->whole, "the matrix D has another number of registers");
        return true;
    }
    if (put_given(p, i, &product, d) && put_call(p, i, &product))
        put_taken(p, &product, d);
    return true;
}

/* wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned N; */
static bool put_step(struct ptx *p, const struct ptx_instruction *i)
{
    const bool waits = ptx_is(i->whole, "wgmma.wait_group.sync.aligned");
    if (!waits && !ptx_is(i->whole, "wgmma.fence.sync.aligned") &&
        !ptx_is(i->whole, "wgmma.commit_group.sync.aligned"))
        return false;
    if (i->argument_count != waits)
        return false;
    put_target(p, i->whole);
    ptx_put(&p->out, "::wl_warpgroup_%s(",
            waits                                 ? "wait"
            : ptx_is(i->parts[1], "commit_group") ? "commit"
                                                  : "fence");
    if (!waits || ptx_put_value(p, i->arguments[0], "unsigned"))
        ptx_put(&p->out, "); ");
    return true;
}

bool ptx_warpgroup(struct ptx *p, const struct ptx_instruction *instruction)
{
    return ptx_is(instruction->parts[0], "wgmma") &&
           (put_step(p, instruction) || put_product(p, instruction));
}
