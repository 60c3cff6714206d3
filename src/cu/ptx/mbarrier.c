/* mbarrier.c - barriers in shared memory, and those that a block has by number: calls of the runtime (warplens/cuda_bulk.h), at the line of their asm.
 *
 *   mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 state, [b], bytes;
 *   set(state, wl_mbarrier_arrive_expect(at_shared(b, 0), 1, bytes, false, nullptr, 0));
 */
#include "cu/ptx/ptx.h"

#include <stdio.h>
#include <string.h>

enum { HOPPER = 90, AMPERE = 80 };

/* The call is at its own line. */
#define NO_PLACE ", nullptr, 0"

#define ORDERS "release acquire relaxed cta cluster "
#define SPACES "shared shared::cta shared::cluster "

/* The space letter of an address operand: what the name says, or the address itself. */
static const char *space_of(const struct ptx_instruction *i)
{
    for (unsigned k = 1; k < i->part_count; k++)
        if (ptx_has(SPACES, i->parts[k]))
            return "shared";
    return "generic";
}

/* The name behind "mbarrier.": its words up to what says order, scope and space. */
static bool is_operation(const struct ptx_instruction *i, const char *operation)
{
    char text[64];
    size_t used = 0;
    unsigned k = 1;
    for (; k < i->part_count && !ptx_has(ORDERS SPACES "b64 ", i->parts[k]); k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s", used ? "." : "",
                                 (int)(i->parts[k].length < 20 ? i->parts[k].length : 20),
                                 i->parts[k].at);
    k = ptx_skip(i, k, ORDERS SPACES);
    const bool named = k + 1 == i->part_count ? ptx_is(i->parts[k], "b64") : k == i->part_count;
    return named && used && strcmp(text, operation) == 0;
}

/* Arrivals: with a state or, on a barrier of the cluster, without; of one or as many as the last operand says. */
static bool put_arrive(struct ptx *p, const struct ptx_instruction *i, bool drops)
{
    const char *name = drops ? "arrive_drop" : "arrive";
    char expects[32], alone[32];
    snprintf(expects, sizeof expects, "%s.expect_tx", name);
    snprintf(alone, sizeof alone, "%s.noComplete", name);
    const bool tx = is_operation(i, expects);
    if (!tx && !is_operation(i, name) && !is_operation(i, alone))
        return false;
    const bool has_state = i->argument_count && i->arguments[0].at[0] != '[';
    const bool sets = has_state && !ptx_is(i->arguments[0], "_");
    const unsigned at = has_state, more = i->argument_count - at;
    if (more < (tx ? 2U : 1U) || more > 2)
        return false;
    if (has_state && !ptx_put_set(p, i->arguments[0]))
        return true;
    ptx_put(&p->out, "(unsigned long long)::wl_mbarrier_arrive%s(", tx ? "_expect" : "");
    if (!ptx_put_pointer(p, space_of(i), i->arguments[at]))
        return false;
    ptx_put(&p->out, tx ? ", 1, " : ", ");
    if (more == 2)
        ptx_put_value(p, i->arguments[at + 1], "unsigned");
    else
        ptx_put(&p->out, "1");
    ptx_put(&p->out, ", %s" NO_PLACE ")%s; ", drops ? "true" : "false", sets ? ")" : "");
    return true;
}

/* test_wait and try_wait: the state, or the phase's parity; try_wait may say how long. */
static bool put_wait(struct ptx *p, const struct ptx_instruction *i)
{
    const bool tests = is_operation(i, "test_wait") || is_operation(i, "test_wait.parity");
    const bool parity = is_operation(i, "try_wait.parity") || is_operation(i, "test_wait.parity");
    if (!tests && !parity && !is_operation(i, "try_wait"))
        return false;
    if (i->argument_count < 3 || i->argument_count > (tests ? 3U : 4U))
        return false;
    if (!ptx_put_set(p, i->arguments[0]))
        return true;
    ptx_put(&p->out, "(bool)::wl_mbarrier_wait%s(", parity ? "_parity" : "");
    if (!ptx_put_pointer(p, space_of(i), i->arguments[1]))
        return false;
    ptx_put(&p->out, ", ");
    ptx_put_value(p, i->arguments[2], parity ? "unsigned" : "unsigned long long");
    ptx_put(&p->out, ", %s" NO_PLACE ")%s; ", tests ? "true" : "false",
            ptx_is(i->arguments[0], "_") ? "" : ")");
    return true;
}

static bool put_other(struct ptx *p, const struct ptx_instruction *i)
{
    static const struct {
        const char *name, *call, *end;
        unsigned values;
    } rows[] = {{"init", "wl_mbarrier_init", NO_PLACE, 1},
                {"inval", "wl_mbarrier_inval", "", 0},
                {"expect_tx", "wl_mbarrier_expect", NO_PLACE, 1},
                {"complete_tx", "wl_mbarrier_complete", "", 1}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        if (!is_operation(i, rows[row].name) || i->argument_count != 1 + rows[row].values)
            continue;
        ptx_put(&p->out, "::%s(", rows[row].call);
        if (!ptx_put_pointer(p, space_of(i), i->arguments[0]))
            return false;
        ptx_put(&p->out, rows[row].values ? ", " : "");
        if (rows[row].values)
            ptx_put_value(p, i->arguments[1], "unsigned");
        ptx_put(&p->out, "%s); ", rows[row].end);
        return true;
    }
    if (!ptx_is(i->whole, "mbarrier.pending_count.b64") || i->argument_count != 2 ||
        !ptx_put_set(p, i->arguments[0]))
        return false;
    ptx_put(&p->out, "::wl_mbarrier_pending(");
    ptx_put_value(p, i->arguments[1], "unsigned long long");
    ptx_put(&p->out, ")); ");
    return true;
}

bool ptx_mbarrier(struct ptx *p, const struct ptx_instruction *i)
{
    bool hopper = false;
    for (unsigned k = 1; k < i->part_count; k++)
        hopper |= ptx_has("try_wait expect_tx complete_tx cluster shared::cluster ", i->parts[k]);
    ptx_put_needs(p, i->whole, hopper ? HOPPER : AMPERE);
    return put_arrive(p, i, false) || put_arrive(p, i, true) || put_wait(p, i) || put_other(p, i);
}

/* ---- Barriers by number -------------------------------------------------------------------------------- */

/* bar[.cta].sync a{, b}; barrier[.cta].sync[.aligned] a{, b}; the same of .arrive, which does not wait. Barrier 0 of all threads is the
 * block's. */
bool ptx_bar(struct ptx *p, const struct ptx_instruction *i)
{
    const unsigned k = ptx_skip(i, 1, "cta ");
    if (!ptx_has("bar barrier ", i->parts[0]) || k == i->part_count ||
        !ptx_has("sync arrive ", i->parts[k]) || i->argument_count > 2 ||
        ptx_skip(i, k + 1, "aligned ") != i->part_count)
        return false;
    const bool waits = ptx_is(i->parts[k], "sync");
    if (i->argument_count < 2U - waits)
        return false;
    if (waits && i->argument_count == 1 && ptx_is(i->arguments[0], "0")) {
        ptx_put(&p->out, "::wl_syncthreads(); ");
        return true;
    }
    ptx_put(&p->out, "::wl_named_barrier(");
    if (!ptx_put_value(p, i->arguments[0], "unsigned"))
        return true;
    ptx_put(&p->out, ", ");
    if (i->argument_count == 1)
        ptx_put(&p->out, "0");
    else if (!ptx_put_value(p, i->arguments[1], "unsigned"))
        return true;
    ptx_put(&p->out, waits ? ", true); " : ", false); ");
    return true;
}
