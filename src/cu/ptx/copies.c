/* copies.c - cp.async: one call of the runtime, at the line of its asm (warplens/cuda_async.h).
 *
 *   cp.async.ca.shared.global [d], [s+16], 4, n;
 *   wl_copy_async(at_shared(d, 0), at_global(s, 16), 4, source_size(4, n), WL_COPY_SIZED);
 *
 * .L2::64B and its like, and .L2::cache_hint with its policy, say what L2 may fetch besides: they change nothing here.
 */
#include "cu/ptx/ptx.h"

/* A copy as its name says it. */
struct copy {
    bool past_l1, has_policy;
};

static bool read_name(const struct ptx_instruction *i, struct copy *copy)
{
    unsigned k = 3;
    if (i->part_count < 5 || !ptx_is(i->parts[1], "async") || !ptx_has("ca cg ", i->parts[2]))
        return false;
    *copy = (struct copy){.past_l1 = ptx_is(i->parts[2], "cg")};
    if (!ptx_has("shared shared::cta ", i->parts[k++]) || !ptx_is(i->parts[k++], "global"))
        return false;
    if (k < i->part_count && ptx_is(i->parts[k], "L2::cache_hint"))
        copy->has_policy = ++k;
    return k == i->part_count ||
           (k + 1 == i->part_count && ptx_has("L2::64B L2::128B L2::256B ", i->parts[k]));
}

/* An operand that is a constant is looked at where it is known. */
static bool is_width(const struct copy *copy, struct ptx_word argument)
{
    return argument.at[0] == '%' || ptx_has(copy->past_l1 ? "16 " : "4 8 16 ", argument);
}

/* Whether nvcc knows what an operand is. */
static bool is_constant(const struct ptx *p, struct ptx_word argument)
{
    const int operand = ptx_operand(p, argument);
    return operand >= 0 ? p->statement->operands[operand].letter == 'n'
                        : argument.length && argument.at[0] >= '0' && argument.at[0] <= '9';
}

/* A predicate or a size: wl::source_size has one for each. */
static void put_size(struct ptx *p, struct ptx_word argument)
{
    if (is_constant(p, argument))
        ptx_put_value(p, argument, "unsigned");
    else
        ptx_put_register(p, argument);
}

static bool put_pointer(struct ptx *p, const char *space, struct ptx_word argument)
{
    if (!ptx_put_pointer(p, space, argument))
        return false;
    ptx_put(&p->out, ", ");
    return true;
}

static void put_how(struct ptx *p, const struct copy *copy, const struct ptx_instruction *i,
                    bool sized)
{
    const char *past_l1 = copy->past_l1 ? "WL_COPY_PAST_L1" : "0";
    if (!sized || !is_constant(p, i->arguments[3])) {
        ptx_put(&p->out, ", %s%s); ", past_l1, sized ? " | WL_COPY_SIZED" : "");
        return;
    }
    ptx_put(&p->out, ", ::wl::copy_how(%s, ", past_l1);
    ptx_put_value(p, i->arguments[2], "unsigned");
    ptx_put(&p->out, ", ");
    ptx_put_value(p, i->arguments[3], "unsigned");
    ptx_put(&p->out, ")); ");
}

/* The fourth operand is a predicate (where it is true nothing is read), or a size. */
static bool put_copy(struct ptx *p, const struct ptx_instruction *i)
{
    struct copy copy;
    if (!read_name(i, &copy))
        return false;
    const unsigned count = i->argument_count - copy.has_policy;
    const bool sized = count == 4;
    if ((count != 3 && !sized) || !is_width(&copy, i->arguments[2]))
        return false;
    ptx_put(&p->out, "::wl_copy_async(");
    if (!put_pointer(p, "shared", i->arguments[0]) || !put_pointer(p, "global", i->arguments[1]))
        return false;
    ptx_put_value(p, i->arguments[2], "unsigned");
    ptx_put(&p->out, ", ");
    if (sized)
        ptx_put(&p->out, "::wl::source_size(");
    ptx_put_value(p, i->arguments[2], "unsigned");
    if (sized) {
        ptx_put(&p->out, ", ");
        put_size(p, i->arguments[3]);
        ptx_put(&p->out, ")");
    }
    put_how(p, &copy, i, sized);
    return true;
}

static bool put_wait(struct ptx *p, const struct ptx_instruction *i)
{
    if (ptx_is(i->whole, "cp.async.commit_group") && i->argument_count == 0) {
        ptx_put(&p->out, "::wl_copy_commit(); ");
        return true;
    }
    if (ptx_is(i->whole, "cp.async.wait_all") && i->argument_count == 0) {
        ptx_put(&p->out, "::wl_copy_commit(); ::wl_copy_wait(0); ");
        return true;
    }
    if (!ptx_is(i->whole, "cp.async.wait_group") || i->argument_count != 1)
        return false;
    ptx_put(&p->out, "::wl_copy_wait(");
    ptx_put_value(p, i->arguments[0], "unsigned");
    ptx_put(&p->out, "); ");
    return true;
}

bool ptx_copy(struct ptx *p, const struct ptx_instruction *instruction)
{
    return ptx_is(instruction->parts[0], "cp") &&
           (put_copy(p, instruction) || put_wait(p, instruction));
}
