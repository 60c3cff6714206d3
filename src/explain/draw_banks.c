/* draw_banks.c - the picture of the banks: a column is a bank, a row is a pass, a cell shows the
 * lane that the bank serves in that pass.
 *
 * Rows are labelled with two digits, because 32 columns of three characters leave no more room.
 */
#include "explain/explained.h"

enum { CELL_CHARS = 3, ROWS_MOST = 40 };

static void print_legend(const struct explained *x, FILE *out)
{
    struct text t;
    text_start(&t);
    text_add(&t,
             "a column is one of the %u banks of %u bytes, a row is a pass; a cell shows the lane "
             "served, ** several lanes, . nobody",
             (unsigned)x->banks.banks, (unsigned)x->banks.bank_bytes);
    text_print_wrapped(out, "Banks: ", 7, t.s);
    fputs("   ", out);
    for (uint32_t bank = 0; bank < x->banks.banks; bank++)
        fprintf(out, "%*u", CELL_CHARS, (unsigned)bank);
    fputs("\n   ", out);
    for (uint32_t bank = 0; bank < x->banks.banks; bank++)
        fputs(" --", out);
    fputc('\n', out);
}

static bool starts_section(const struct bank_plan *plan, uint32_t i)
{
    const struct bank_pass *pass = &plan->pass[i];
    return i == 0 || pass->group != pass[-1].group || pass->first_part != pass[-1].first_part;
}

/* Says which lanes and which part of their words the rows below are about, where that is not the
 * whole of both. */
static void print_section(const struct explained *x, const struct bank_pass *pass, FILE *out)
{
    const struct bank_plan *plan = &x->banks;
    const unsigned first = pass->group * plan->group_lanes;
    const bool has_parts = pass->parts * 4U < x->access->width;
    if (access_is_matrix(x->access) && plan->group_lanes == 8)
        fprintf(out, "   matrix %u, lanes %u to %u", first / 8, first, first + 7);
    else if (plan->group_lanes < WARP_LANES)
        fprintf(out, "   lanes %u to %u", first, first + plan->group_lanes - 1);
    if (has_parts)
        fprintf(out, ", 4-byte part %u of %u", pass->first_part + 1U, x->access->width / 4U);
    if (plan->group_lanes < WARP_LANES || has_parts)
        fputc('\n', out);
}

static void print_cell(uint32_t lanes, FILE *out)
{
    if (lanes == 0)
        fprintf(out, "%*s", CELL_CHARS, ".");
    else if ((lanes & (lanes - 1)) == 0)
        fprintf(out, "%*d", CELL_CHARS, __builtin_ctz(lanes));
    else
        fprintf(out, "%*s", CELL_CHARS, "**");
}

static void print_pass(const struct explained *x, uint32_t i, FILE *out)
{
    const struct bank_pass *pass = &x->banks.pass[i];
    fprintf(out, "%2u:", (unsigned)i + 1);
    if (pass->is_overhead) {
        fputs(" the additional pass of 16-byte words\n", out);
        return;
    }
    for (uint32_t bank = 0; bank < x->banks.banks; bank++)
        print_cell(pass->lanes[bank], out);
    fputc('\n', out);
}

void draw_banks(const struct explained *x, FILE *out)
{
    print_legend(x, out);
    for (uint32_t i = 0; i < x->banks.passes && i < ROWS_MOST; i++) {
        if (starts_section(&x->banks, i))
            print_section(x, &x->banks.pass[i], out);
        print_pass(x, i, out);
    }
    if (x->banks.passes > ROWS_MOST)
        fprintf(out, "   ... and %u more passes of the same kind\n",
                (unsigned)x->banks.passes - ROWS_MOST);
}
