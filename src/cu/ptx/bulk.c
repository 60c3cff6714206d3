/* bulk.c - cp.async.bulk and cp.reduce.async.bulk: calls of the runtime (warplens/cuda_bulk.h), at the line of their asm.
 *
 *   cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [d], [s], bytes, [b];
 *   wl_bulk_load(at_shared(d, 0), at_global(s, 0), bytes, at_shared(b, 0), nullptr, 0);
 *   cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [d], [map, {x, y}], [b];
 *
 * A destination may be another block's of the cluster, as its address says; with .multicast::cluster several blocks' at once. What says which caches keep the data changes nothing.
 */
#include "cu/ptx/ptx.h"

#include <string.h>

enum { HOPPER = 90 };

/* The call is at its own line. */
#define NO_PLACE ", nullptr, 0"

/* "[d+16]" as a pointer, shared memory's being 32 bits wide. */
bool ptx_put_pointer(struct ptx *p, const char *space, struct ptx_word argument)
{
    struct ptx_word base, offset;
    if (!ptx_read_address(argument, &base, &offset))
        return false;
    ptx_put(&p->out, "::wl::ptx::at_%s(::wl::ptx::as<unsigned long long>(", space);
    if (!ptx_put_register(p, base))
        return true;
    ptx_put(&p->out, "), ");
    ptx_put_value(p, offset, "long long");
    ptx_put(&p->out, ")");
    return true;
}

/* call(argument, ...) by a letter each: s, g, q a pointer to shared memory, to global memory, of whatever space; u an unsigned. */
static bool put_arguments(struct ptx *p, const struct ptx_instruction *i, const char *call,
                          const char *letters)
{
    ptx_put(&p->out, "%s(", call);
    for (unsigned k = 0; letters[k]; k++) {
        const char *space = letters[k] == 's' ? "shared" : letters[k] == 'g' ? "global" : "generic";
        ptx_put(&p->out, k ? ", " : "");
        if (letters[k] == 'u' ? !ptx_put_value(p, i->arguments[k], "unsigned")
                              : !ptx_put_pointer(p, space, i->arguments[k]))
            return false;
    }
    return true;
}

bool ptx_put_set(struct ptx *p, struct ptx_word argument)
{
    if (ptx_is(argument, "_"))
        return true;
    ptx_put(&p->out, "::wl::ptx::set(");
    if (!ptx_put_register(p, argument))
        return false;
    ptx_put(&p->out, ", ");
    return true;
}

/* Parts of a name from `k` on that are in `words`: those behind them. */
unsigned ptx_skip(const struct ptx_instruction *i, unsigned k, const char *words)
{
    while (k < i->part_count && ptx_has(words, i->parts[k]))
        k++;
    return k;
}

/* ---- cp.async.bulk ----------------------------------------------------------------------------------- */

/* A hint for a cache has its policy as the last operand. */
static bool ends_at(const struct ptx_instruction *i, unsigned k, unsigned arguments)
{
    const bool hint = k < i->part_count && ptx_is(i->parts[k], "L2::cache_hint");
    return k + hint == i->part_count && i->argument_count == arguments + hint;
}

/* "shared::cluster.global...": a load; "global.shared::cta...": a store. */
static bool is_load(const struct ptx_instruction *i, unsigned k)
{
    return k + 2 < i->part_count && ptx_has("shared::cluster shared::cta ", i->parts[k]) &&
           ptx_is(i->parts[k + 1], "global");
}
static bool is_store(const struct ptx_instruction *i, unsigned k)
{
    return k + 2 < i->part_count && ptx_is(i->parts[k], "global") &&
           ptx_is(i->parts[k + 1], "shared::cta");
}

#define COMPLETES "mbarrier::complete_tx::bytes "

/* The mask of a multicast is behind the other operands, `fixed` of them. */
static bool is_multicast(const struct ptx_instruction *i, unsigned k, unsigned fixed)
{
    return k < i->part_count && ptx_is(i->parts[k], "multicast::cluster") &&
           ends_at(i, k + 1, fixed + 1);
}

static void put_mask(struct ptx *p, struct ptx_word mask)
{
    ptx_put(&p->out, ", (unsigned short)");
    if (ptx_put_value(p, mask, "unsigned"))
        ptx_put(&p->out, NO_PLACE "); ");
}

static bool is_peer(const struct ptx_instruction *i)
{
    return i->part_count > 5 && ptx_is(i->parts[3], "shared::cluster") &&
           ptx_is(i->parts[4], "shared::cta") && ptx_has(COMPLETES, i->parts[5]) &&
           i->part_count == 6 && i->argument_count == 4;
}

static bool put_bulk(struct ptx *p, const struct ptx_instruction *i)
{
    if (is_peer(i)) {
        if (put_arguments(p, i, "::wl_bulk_peer", "ssus"))
            ptx_put(&p->out, NO_PLACE "); ");
        return true;
    }
    if (is_load(i, 3) && ptx_has(COMPLETES, i->parts[5]) && is_multicast(i, 6, 4)) {
        if (put_arguments(p, i, "::wl_bulk_load_multicast", "sgus"))
            put_mask(p, i->arguments[4]);
        return true;
    }
    if (is_load(i, 3) && ptx_has(COMPLETES, i->parts[5]) && ends_at(i, 6, 4)) {
        if (put_arguments(p, i, "::wl_bulk_load", "sgus"))
            ptx_put(&p->out, NO_PLACE "); ");
        return true;
    }
    if (!is_store(i, 3) || !ptx_is(i->parts[5], "bulk_group") || !ends_at(i, 6, 3))
        return false;
    if (put_arguments(p, i, "::wl_bulk_store", "gsu"))
        ptx_put(&p->out, NO_PLACE "); ");
    return true;
}

/* "[map, {x, y}]": false when it is none of so many coordinates. */
static bool read_box(struct ptx_word argument, unsigned rank, struct ptx_word *map,
                     struct ptx_word *at)
{
    const char *comma = memchr(argument.at, ',', argument.length);
    if (argument.length < 5 || argument.at[0] != '[' || argument.at[argument.length - 1] != ']' ||
        comma == NULL)
        return false;
    const char *end = argument.at + argument.length - 1;
    *map = ptx_trim((struct ptx_word){argument.at + 1, (size_t)(comma - argument.at) - 1});
    return ptx_list(ptx_trim((struct ptx_word){comma + 1, (size_t)(end - comma) - 1}), at,
                    PTX_DIMENSIONS_MAX) == rank;
}

/* ", x, y, 0, 0, 0" */
static void put_coordinates(struct ptx *p, const struct ptx_word *at, unsigned rank)
{
    for (unsigned k = 0; k < PTX_DIMENSIONS_MAX; k++) {
        ptx_put(&p->out, k < rank ? ", " : ", 0");
        if (k < rank && !ptx_put_value(p, at[k], "int"))
            return;
    }
}

static void put_map(struct ptx *p, struct ptx_word map)
{
    ptx_put(&p->out, "::wl::ptx::at_generic(");
    ptx_put_value(p, map, "unsigned long long");
    ptx_put(&p->out, ", 0), ");
}

static bool put_tensor_load(struct ptx *p, const struct ptx_instruction *i, unsigned rank,
                            bool multicast)
{
    struct ptx_word map, at[PTX_DIMENSIONS_MAX];
    if (!read_box(i->arguments[1], rank, &map, at))
        return false;
    ptx_put(&p->out, "::wl_tensor_load%s(", multicast ? "_multicast" : "");
    if (!ptx_put_pointer(p, "shared", i->arguments[0]))
        return false;
    ptx_put(&p->out, ", ");
    put_map(p, map);
    ptx_put(&p->out, "%u", rank);
    put_coordinates(p, at, rank);
    ptx_put(&p->out, ", ");
    if (!ptx_put_pointer(p, "shared", i->arguments[2]))
        return true;
    if (multicast)
        put_mask(p, i->arguments[3]);
    else
        ptx_put(&p->out, NO_PLACE "); ");
    return true;
}

static bool put_tensor_store(struct ptx *p, const struct ptx_instruction *i, unsigned rank)
{
    struct ptx_word map, at[PTX_DIMENSIONS_MAX];
    if (!read_box(i->arguments[0], rank, &map, at))
        return false;
    ptx_put(&p->out, "::wl_tensor_store(");
    put_map(p, map);
    if (!ptx_put_pointer(p, "shared", i->arguments[1]))
        return false;
    ptx_put(&p->out, ", %u", rank);
    put_coordinates(p, at, rank);
    ptx_put(&p->out, NO_PLACE "); ");
    return true;
}

static bool put_tensor(struct ptx *p, const struct ptx_instruction *i)
{
    const unsigned rank = (unsigned)(i->parts[4].at[0] - '0');
    if (i->parts[4].length != 2 || i->parts[4].at[1] != 'd' || rank < 1 ||
        rank > PTX_DIMENSIONS_MAX || i->part_count < 8)
        return false;
    const unsigned mode = ptx_skip(i, 7, "tile ");
    if (mode >= i->part_count)
        return false;
    if (is_load(i, 5))
        return ptx_has(COMPLETES, i->parts[mode]) &&
               ((ends_at(i, mode + 1, 3) && put_tensor_load(p, i, rank, false)) ||
                (is_multicast(i, mode + 1, 3) && put_tensor_load(p, i, rank, true)));
    return is_store(i, 5) && ptx_is(i->parts[mode], "bulk_group") && ends_at(i, mode + 1, 2) &&
           put_tensor_store(p, i, rank);
}

static bool put_group(struct ptx *p, const struct ptx_instruction *i)
{
    const bool read = ptx_is(i->whole, "cp.async.bulk.wait_group.read");
    if (ptx_is(i->whole, "cp.async.bulk.commit_group") && i->argument_count == 0) {
        ptx_put(&p->out, "::wl_bulk_commit(); ");
        return true;
    }
    if ((!read && !ptx_is(i->whole, "cp.async.bulk.wait_group")) || i->argument_count != 1)
        return false;
    ptx_put(&p->out, "::wl_bulk_wait%s(", read ? "_read" : "");
    ptx_put_value(p, i->arguments[0], "unsigned");
    ptx_put(&p->out, "); ");
    return true;
}

/* cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [d], [s], bytes; */
static bool put_reduction(struct ptx *p, const struct ptx_instruction *i)
{
    static const char *const types[][2] = {{"u32", "WL_BULK_U32"}, {"s32", "WL_BULK_U32"},
                                           {"u64", "WL_BULK_U64"}, {"s64", "WL_BULK_U64"},
                                           {"f32", "WL_BULK_F32"}, {"f64", "WL_BULK_F64"}};
    if (i->part_count < 9 || !ptx_is(i->parts[3], "bulk") || !is_store(i, 4) ||
        !ptx_is(i->parts[6], "bulk_group"))
        return false;
    const bool hint = ptx_is(i->parts[7], "L2::cache_hint");
    const unsigned k = 7U + hint;
    if (k + 2 != i->part_count || !ptx_is(i->parts[k], "add") || i->argument_count != 3U + hint)
        return false;
    for (size_t row = 0; row < sizeof types / sizeof types[0]; row++)
        if (ptx_is(i->parts[k + 1], types[row][0])) {
            if (put_arguments(p, i, "::wl_bulk_add", "gsu"))
                ptx_put(&p->out, ", %s" NO_PLACE "); ", types[row][1]);
            return true;
        }
    return false;
}

/* ---- What has no effect here --------------------------------------------------------------------------- */

static bool put_nothing(const struct ptx_instruction *i)
{
    static const char *const names[] = {"fence.mbarrier_init.release.cluster", "fence.proxy.async",
                                        "fence.proxy.async.global", "fence.proxy.async.shared::cta",
                                        "fence.proxy.async.shared::cluster"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (ptx_is(i->whole, names[k]) && i->argument_count == 0)
            return true;
    return (ptx_is(i->whole, "prefetch.tensormap") ||
            ptx_is(i->whole, "prefetch.param.tensormap") ||
            ptx_is(i->whole, "prefetch.const.tensormap")) &&
           i->argument_count == 1;
}

/* elect.sync d|p, mask: one lane of the mask; on a GPU any, here the lowest. */
static bool put_elect(struct ptx *p, const struct ptx_instruction *i)
{
    struct ptx_word first, second;
    if (!ptx_is(i->whole, "elect.sync") || i->argument_count != 2)
        return false;
    ptx_split_destination(i->arguments[0], &first, &second);
    if (second.length == 0)
        return false;
    ptx_put(&p->out, "const unsigned wl_leader = __ffs(");
    ptx_put_value(p, i->arguments[1], "unsigned");
    ptx_put(&p->out, ") - 1; ");
    if (!ptx_is(first, "_") && ptx_put_set(p, first))
        ptx_put(&p->out, "wl_leader); ");
    if (!ptx_is(second, "_") && ptx_put_set(p, second))
        ptx_put(&p->out, "(bool)(::wl::ptx::sreg_laneid() == wl_leader)); ");
    return true;
}

bool ptx_bulk(struct ptx *p, const struct ptx_instruction *i)
{
    if (ptx_is(i->parts[0], "mbarrier"))
        return ptx_mbarrier(p, i);
    if (ptx_is(i->parts[0], "elect"))
        return put_elect(p, i);
    if (put_nothing(i))
        return true;
    if (!ptx_begins(i->whole, "cp.async.bulk.") && !ptx_begins(i->whole, "cp.reduce.async.bulk."))
        return false;
    ptx_put_needs(p, i->whole, HOPPER);
    if (ptx_is(i->parts[1], "reduce"))
        return put_reduction(p, i);
    return put_group(p, i) ||
           (ptx_is(i->parts[3], "tensor") && i->part_count > 4 ? put_tensor(p, i) : put_bulk(p, i));
}
