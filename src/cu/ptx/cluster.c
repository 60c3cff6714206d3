/* cluster.c - thread block clusters: addresses of other blocks, the cluster's barrier, st.async and red.async.
 *
 *   mapa.shared::cluster.u32 d, a, rank;       set(d, (unsigned)wl_cluster_address(a, rank));
 *   st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [d], {a, b}, [m];
 */
#include "cu/ptx/ptx.h"

#include <string.h>

enum { HOPPER = 90 };

/* The call is at its own line. */
#define NO_PLACE ", nullptr, 0"
#define COMPLETES "mbarrier::complete_tx::bytes "

/* A 64-bit address without a space is generic; a 32-bit one is of shared memory. */
static bool is_generic(const struct ptx_instruction *i)
{
    return i->part_count == 2 && ptx_is(i->parts[1], "u64");
}

static bool has_address_form(const struct ptx_instruction *i)
{
    const unsigned k = ptx_skip(i, 1, "shared::cluster ");
    return k + 1 == i->part_count && ptx_has("u32 u64 ", i->parts[k]);
}

static bool put_mapa(struct ptx *p, const struct ptx_instruction *i)
{
    const bool wide = ptx_is(i->parts[i->part_count - 1], "u64");
    if (!has_address_form(i) || i->argument_count != 3)
        return false;
    ptx_put_needs(p, i->whole, HOPPER);
    if (!ptx_put_set(p, i->arguments[0]))
        return true;
    ptx_put(&p->out, "(%s)::%s", wide ? "unsigned long long" : "unsigned",
            is_generic(i) ? "wl_cluster_map((const void *)" : "wl_cluster_address(");
    if (!ptx_put_value(p, i->arguments[1], wide ? "unsigned long long" : "unsigned"))
        return true;
    ptx_put(&p->out, ", ");
    if (ptx_put_value(p, i->arguments[2], "unsigned"))
        ptx_put(&p->out, "%s)); ", is_generic(i) ? NO_PLACE : "");
    return true;
}

static bool put_rank(struct ptx *p, const struct ptx_instruction *i)
{
    if (!has_address_form(i) || i->argument_count != 2)
        return false;
    ptx_put_needs(p, i->whole, HOPPER);
    if (!ptx_put_set(p, i->arguments[0]))
        return true;
    ptx_put(&p->out, "(unsigned)::wl_cluster_rank_of(::wl::ptx::at_%s(",
            is_generic(i) ? "generic" : "shared");
    if (ptx_put_value(p, i->arguments[1],
                      ptx_is(i->parts[i->part_count - 1], "u64") ? "unsigned long long"
                                                                 : "unsigned"))
        ptx_put(&p->out, ", 0))); ");
    return true;
}

static bool put_barrier(struct ptx *p, const struct ptx_instruction *i)
{
    if (i->part_count < 3 || !ptx_is(i->parts[1], "cluster") || i->argument_count != 0)
        return false;
    const bool arrives = ptx_is(i->parts[2], "arrive");
    const unsigned k = ptx_skip(i, 3, arrives ? "release relaxed aligned " : "acquire aligned ");
    if ((!arrives && !ptx_is(i->parts[2], "wait")) || k != i->part_count)
        return false;
    ptx_put_needs(p, i->whole, HOPPER);
    ptx_put(&p->out, "::wl_cluster_%s(); ", arrives ? "arrive" : "wait");
    return true;
}

/* ---- st.async, red.async -------------------------------------------------------------------------------- */

/* "[d]" and, behind the value, "[m]". */
static bool put_pointers_end(struct ptx *p, const struct ptx_instruction *i)
{
    ptx_put(&p->out, ", ");
    if (ptx_put_pointer(p, "shared", i->arguments[2]))
        ptx_put(&p->out, NO_PLACE "); ");
    return true;
}

static bool put_store(struct ptx *p, const struct ptx_instruction *i)
{
    struct ptx_word lanes[PTX_LANES_MAX];
    unsigned bytes, k = ptx_skip(i, 2, "weak "), count = 1;
    if (k + 3 > i->part_count || !ptx_is(i->parts[k], "shared::cluster") ||
        !ptx_has(COMPLETES, i->parts[k + 1]) || i->argument_count != 3)
        return false;
    k += 2;
    if (ptx_has("v2 v4 ", i->parts[k]))
        count = (unsigned)(i->parts[k++].at[1] - '0');
    const char *type = k + 1 == i->part_count ? ptx_type(i->parts[k], &bytes) : NULL;
    if (type == NULL || bytes < 4 || bytes * count > 16)
        return false;
    lanes[0] = i->arguments[1];
    if (count > 1 && ptx_list(i->arguments[1], lanes, PTX_LANES_MAX) != count)
        return false;
    ptx_put(&p->out, "const unsigned __int128 wl_word = ::wl::ptx::join<%s>(", type);
    for (unsigned lane = 0; lane < count; lane++) {
        ptx_put(&p->out, lane ? ", " : "");
        if (!ptx_put_value(p, lanes[lane], type))
            return true;
    }
    ptx_put(&p->out, "); ::wl_store_async(");
    if (!ptx_put_pointer(p, "shared", i->arguments[0]))
        return false;
    ptx_put(&p->out, ", (unsigned long long)wl_word, (unsigned long long)(wl_word >> 64), %u",
            bytes * count);
    return put_pointers_end(p, i);
}

static const struct {
    const char *operation, *types, *name;
} reductions[] = {
    {"add", "u32 s32 u64 ", "ADD"}, {"min", "s32 ", "MIN_S32"}, {"min", "u32 ", "MIN_U32"},
    {"max", "s32 ", "MAX_S32"},     {"max", "u32 ", "MAX_U32"}, {"inc", "u32 ", "INC"},
    {"dec", "u32 ", "DEC"},         {"and", "b32 ", "AND"},     {"or", "b32 ", "OR"},
    {"xor", "b32 ", "XOR"},
};

/* red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [d], a, [m]; */
static bool put_reduction(struct ptx *p, const struct ptx_instruction *i)
{
    unsigned bytes;
    size_t row = 0;
    const unsigned k = ptx_skip(i, 2, "relaxed cluster ");
    if (k + 4 != i->part_count || !ptx_is(i->parts[k], "shared::cluster") ||
        !ptx_has(COMPLETES, i->parts[k + 1]) || i->argument_count != 3)
        return false;
    while (row < sizeof reductions / sizeof reductions[0] &&
           !(ptx_is(i->parts[k + 2], reductions[row].operation) &&
             ptx_has(reductions[row].types, i->parts[k + 3])))
        row++;
    const char *type = ptx_type(i->parts[k + 3], &bytes);
    if (row == sizeof reductions / sizeof reductions[0] || type == NULL)
        return false;
    ptx_put(&p->out, "::wl_reduce_async(");
    if (!ptx_put_pointer(p, "shared", i->arguments[0]))
        return false;
    ptx_put(&p->out, ", (unsigned long long)");
    if (!ptx_put_value(p, i->arguments[1], type))
        return true;
    ptx_put(&p->out, ", %u, WL_ASYNC_%s", bytes, reductions[row].name);
    return put_pointers_end(p, i);
}

static bool is_async(const struct ptx_instruction *i)
{
    return i->part_count > 2 && ptx_is(i->parts[1], "async");
}

bool ptx_cluster(struct ptx *p, const struct ptx_instruction *i)
{
    if (ptx_is(i->parts[0], "mapa"))
        return put_mapa(p, i);
    if (ptx_is(i->parts[0], "getctarank"))
        return put_rank(p, i);
    if (ptx_is(i->parts[0], "barrier"))
        return put_barrier(p, i);
    if (!is_async(i) || !ptx_has("st red ", i->parts[0]))
        return false;
    ptx_put_needs(p, i->whole, HOPPER);
    return ptx_is(i->parts[0], "st") ? put_store(p, i) : put_reduction(p, i);
}
