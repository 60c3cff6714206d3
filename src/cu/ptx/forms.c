/* forms.c - instructions that are not of the table's form: moves of parts, comparisons, conversions, what lanes do
 * together, barriers, and what has no effect here.
 */
#include "cu/ptx/ptx.h"

#include <stdio.h>
#include <string.h>

static struct ptx_word last_part(const struct ptx_instruction *i)
{
    return i->parts[i->part_count - 1];
}

/* set(register, */
static bool put_set(struct ptx *p, struct ptx_word argument)
{
    ptx_put(&p->out, "::wl::ptx::set(");
    if (!ptx_put_register(p, argument))
        return false;
    ptx_put(&p->out, ", ");
    return true;
}

void ptx_split_destination(struct ptx_word argument, struct ptx_word *first,
                           struct ptx_word *second)
{
    const char *bar = memchr(argument.at, '|', argument.length);
    *first = argument;
    *second = (struct ptx_word){argument.at, 0};
    if (bar == NULL)
        return;
    *first = ptx_trim((struct ptx_word){argument.at, (size_t)(bar - argument.at)});
    *second =
        ptx_trim((struct ptx_word){bar + 1, (size_t)(argument.at + argument.length - bar) - 1});
}

/* ---- mov ----------------------------------------------------------------------------------------- */

static bool put_unpacked(struct ptx *p, const struct ptx_instruction *i, const char *type,
                         const char *part_type, const struct ptx_word *lanes, unsigned count)
{
    ptx_put(&p->out, "const %s wl_word = ", type);
    if (!ptx_put_value(p, i->arguments[1], type))
        return true;
    ptx_put(&p->out, "; ");
    for (unsigned k = 0; k < count; k++) {
        if (ptx_is(lanes[k], "_"))
            continue;
        if (!put_set(p, lanes[k]))
            return true;
        ptx_put(&p->out, "::wl::ptx::lane<%s, %u>(wl_word)); ", part_type, k);
    }
    return true;
}

static bool put_packed(struct ptx *p, const struct ptx_instruction *i, const char *part_type,
                       const struct ptx_word *lanes, unsigned count)
{
    if (!put_set(p, i->arguments[0]))
        return true;
    ptx_put(&p->out, "::wl::ptx::join<%s>(", part_type);
    for (unsigned k = 0; k < count; k++) {
        ptx_put(&p->out, k ? ", " : "");
        if (!ptx_put_value(p, lanes[k], part_type))
            return true;
    }
    ptx_put(&p->out, ")); ");
    return true;
}

static bool form_mov(struct ptx *p, const struct ptx_instruction *i)
{
    static const char *const words[] = {
        NULL, "unsigned char",     "unsigned short", NULL, "unsigned", NULL, NULL,
        NULL, "unsigned long long"};
    struct ptx_word to[PTX_LANES_MAX], from[PTX_LANES_MAX];
    unsigned bytes;
    const char *type = i->part_count == 2 ? ptx_type(i->parts[1], &bytes) : NULL;
    if (type == NULL || i->argument_count != 2)
        return false;
    unsigned to_count = ptx_list(i->arguments[0], to, PTX_LANES_MAX);
    unsigned from_count = ptx_list(i->arguments[1], from, PTX_LANES_MAX);
    unsigned count = to_count ? to_count : from_count;
    if (to_count && from_count)
        return false;
    if (count) {
        if (count == 3 || bytes < 2 || bytes % count || words[bytes / count] == NULL)
            return false;
        return to_count ? put_unpacked(p, i, type, words[bytes / count], to, count)
                        : put_packed(p, i, words[bytes / count], from, count);
    }
    if (put_set(p, i->arguments[0]) && ptx_put_value(p, i->arguments[1], type))
        ptx_put(&p->out, "); ");
    return true;
}

/* ---- setp, set ------------------------------------------------------------------------------------ */

#define COMPARISONS "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan "

static bool put_comparison(struct ptx *p, const struct ptx_instruction *i, const char *type,
                           bool flush)
{
    const char *before = flush ? "::wl::ptx::flush(" : "", *after = flush ? ")" : "";
    ptx_put(&p->out, "::wl::ptx::compare_%.*s<%s>(%s", (int)i->parts[1].length, i->parts[1].at,
            type, before);
    if (!ptx_put_value(p, i->arguments[1], type))
        return false;
    ptx_put(&p->out, "%s, %s", after, before);
    if (!ptx_put_value(p, i->arguments[2], type))
        return false;
    ptx_put(&p->out, "%s)", after);
    return true;
}

/* setp.lt.and.u32 p|q, a, b, c: p is (a < b) and c, q is not (a < b) and c. */
static bool form_setp(struct ptx *p, const struct ptx_instruction *i)
{
    struct ptx_word first, second, join = {"", 0};
    unsigned bytes;
    bool flush = false;
    const char *type = i->part_count > 2 ? ptx_type(last_part(i), &bytes) : NULL;
    for (unsigned k = 2; k + 1 < i->part_count; k++) {
        if (ptx_is(i->parts[k], "ftz"))
            flush = true;
        else if (ptx_has("and or xor ", i->parts[k]) && join.length == 0)
            join = i->parts[k];
        else
            return false;
    }
    if (type == NULL || !ptx_has(COMPARISONS, i->parts[1]) ||
        i->argument_count != (join.length ? 4 : 3))
        return false;
    ptx_split_destination(i->arguments[0], &first, &second);
    ptx_put(&p->out, "const bool wl_is = ");
    if (!put_comparison(p, i, type, flush))
        return true;
    ptx_put(&p->out, ", wl_with = ");
    if (join.length == 0)
        ptx_put(&p->out, "false");
    else if (!ptx_put_value(p, i->arguments[3], "bool"))
        return true;
    const char *with = ptx_is(join, "and") ? "&" : ptx_is(join, "xor") ? "^" : "|";
    ptx_put(&p->out, "; ");
    if (!ptx_is(first, "_") && put_set(p, first))
        ptx_put(&p->out, "(bool)(wl_is %s wl_with)); ", with);
    if (second.length && !ptx_is(second, "_") && put_set(p, second))
        ptx_put(&p->out, "(bool)(!wl_is %s wl_with)); ", with);
    return true;
}

/* set.lt.u32.f32 d, a, b: all ones, or 1.0f, where it is so. */
static bool form_set(struct ptx *p, const struct ptx_instruction *i)
{
    unsigned bytes;
    const char *type = i->part_count == 4 ? ptx_type(i->parts[3], &bytes) : NULL;
    if (type == NULL || !ptx_has(COMPARISONS, i->parts[1]) || i->argument_count != 3 ||
        !ptx_has("u32 s32 f32 ", i->parts[2]))
        return false;
    if (!put_set(p, i->arguments[0]) || !put_comparison(p, i, type, false))
        return true;
    ptx_put(&p->out, ptx_is(i->parts[2], "f32") ? " ? 1.0f : 0.0f); " : " ? ~0U : 0U); ");
    return true;
}

/* ---- cvt ------------------------------------------------------------------------------------------ */

static bool form_cvt(struct ptx *p, const struct ptx_instruction *i)
{
    unsigned to_bytes, from_bytes;
    struct ptx_word rounding = {"", 0};
    bool flush = false, saturate = false;
    if (i->part_count < 3 || i->argument_count != 2)
        return false;
    struct ptx_word to = i->parts[i->part_count - 2], from = last_part(i);
    const char *to_type = ptx_type(to, &to_bytes), *from_type = ptx_type(from, &from_bytes);
    for (unsigned k = 1; k + 2 < i->part_count; k++) {
        flush |= ptx_is(i->parts[k], "ftz");
        saturate |= ptx_is(i->parts[k], "sat");
        if (ptx_has("rn rz rm rp rni rzi rmi rpi ", i->parts[k]) && rounding.length == 0)
            rounding = i->parts[k];
        else if (!ptx_has("ftz sat ", i->parts[k]))
            return false;
    }
    if (to_type == NULL || from_type == NULL || !to_bytes || !from_bytes || to.at[0] == 'b' ||
        from.at[0] == 'b')
        return false;
    bool to_float = to.at[0] == 'f', from_float = from.at[0] == 'f';
    bool whole = rounding.length == 3, needs_whole = from_float && !to_float;
    bool needs_rounding = needs_whole || (to_float && (!from_float || to_bytes < from_bytes));
    bool widens = from_float && to_float && to_bytes > from_bytes;
    if ((needs_whole && !whole) || (needs_rounding && !rounding.length) ||
        (to_float && whole && to_bytes != from_bytes) || (!from_float && whole) ||
        (rounding.length == 2 && (!needs_rounding || widens)) ||
        (rounding.length == 2 && !from_float && !ptx_is(rounding, "rn")))
        return false;
    if (!put_set(p, i->arguments[0]))
        return true;
    bool flush_from = flush && from_bytes == 4 && from_float,
         flush_to = flush && to_float && to_bytes == 4;
    ptx_put(&p->out, "%s%s::wl::ptx::cvt%s%.*s%s<%s, %s>(%s", flush_to ? "::wl::ptx::flush(" : "",
            saturate && to_float ? "::wl::ptx::saturate(" : "", rounding.length ? "_" : "",
            (int)rounding.length, rounding.at, saturate && !to_float ? "_sat" : "", to_type,
            from_type, flush_from ? "::wl::ptx::flush(" : "");
    if (ptx_put_value(p, i->arguments[1], from_type))
        ptx_put(&p->out, ")%s%s%s); ", flush_from ? ")" : "", saturate && to_float ? ")" : "",
                flush_to ? ")" : "");
    return true;
}

/* ---- Lanes together ------------------------------------------------------------------------------- */

/* shfl.sync.down.b32 d|p, a, b, c, mask: the lane comes with its predicate in bit 32. */
static bool form_shfl(struct ptx *p, const struct ptx_instruction *i)
{
    static const char *const modes[][2] = {{"idx", "WL_SHFL_IDX"},
                                           {"up", "WL_SHFL_UP"},
                                           {"down", "WL_SHFL_DOWN"},
                                           {"bfly", "WL_SHFL_XOR"}};
    bool sync = i->part_count == 4 && ptx_is(i->parts[1], "sync");
    struct ptx_word first, second;
    size_t mode = 0;
    if ((i->part_count != 3 && !sync) || i->argument_count != (sync ? 5 : 4) ||
        !ptx_has("b32 u32 s32 f32 ", last_part(i)))
        return false;
    while (mode < 4 && !ptx_is(i->parts[sync ? 2 : 1], modes[mode][0]))
        mode++;
    if (mode == 4)
        return false;
    ptx_split_destination(i->arguments[0], &first, &second);
    ptx_put(&p->out, "const unsigned long long wl_word = ::wl_ptx_shuffle(%s, ", modes[mode][1]);
    if (sync ? !ptx_put_value(p, i->arguments[4], "unsigned") : false)
        return true;
    ptx_put(&p->out, sync ? "" : "0");
    for (unsigned k = 1; k < 4; k++) {
        ptx_put(&p->out, ", ");
        if (!ptx_put_value(p, i->arguments[k], "unsigned"))
            return true;
    }
    ptx_put(&p->out, "); ");
    if (!ptx_is(first, "_") && put_set(p, first))
        ptx_put(&p->out, "(unsigned)wl_word); ");
    if (second.length && !ptx_is(second, "_") && put_set(p, second))
        ptx_put(&p->out, "(bool)(wl_word >> 32)); ");
    return true;
}

/* Functions of a mask and a value: the mask is PTX's last argument. Bit by bit those without a mask. */
static const struct {
    const char *name, *function, *type;
} votes[] = {
    {"vote.sync.ballot.b32", "::wl_ballot", "bool"},
    {"vote.sync.any.pred", "(bool)::wl_any", "bool"},
    {"vote.sync.all.pred", "(bool)::wl_all", "bool"},
    {"vote.ballot.sync.b32", "::wl_ballot", "bool"}, /* as ptxas has it, too */
    {"vote.any.sync.pred", "(bool)::wl_any", "bool"},
    {"vote.all.sync.pred", "(bool)::wl_all", "bool"},
    {"match.any.sync.b32", "::wl_match_any", "unsigned"},
    {"match.any.sync.b64", "::wl_match_any", "unsigned long long"},
    {"redux.sync.add.u32", "(unsigned)::wl_reduce(WL_REDUCE_ADD, ", "unsigned"},
    {"redux.sync.add.s32", "(int)::wl_reduce(WL_REDUCE_ADD, ", "int"},
    {"redux.sync.min.u32", "(unsigned)::wl_reduce(WL_REDUCE_MIN, ", "unsigned"},
    {"redux.sync.min.s32", "(int)::wl_reduce(WL_REDUCE_MIN, ", "int"},
    {"redux.sync.max.u32", "(unsigned)::wl_reduce(WL_REDUCE_MAX, ", "unsigned"},
    {"redux.sync.max.s32", "(int)::wl_reduce(WL_REDUCE_MAX, ", "int"},
    {"redux.sync.and.b32", "(unsigned)::wl_reduce(WL_REDUCE_AND, ", "unsigned"},
    {"redux.sync.or.b32", "(unsigned)::wl_reduce(WL_REDUCE_OR, ", "unsigned"},
    {"redux.sync.xor.b32", "(unsigned)::wl_reduce(WL_REDUCE_XOR, ", "unsigned"},
};

static bool form_vote(struct ptx *p, const struct ptx_instruction *i)
{
    size_t row = 0;
    while (row < sizeof votes / sizeof votes[0] && !ptx_is(i->whole, votes[row].name))
        row++;
    if (row == sizeof votes / sizeof votes[0] || i->argument_count != 3)
        return false;
    if (!put_set(p, i->arguments[0]))
        return true;
    ptx_put(&p->out, "%s%s", votes[row].function, strchr(votes[row].function, ',') ? "" : "(");
    if (!ptx_put_value(p, i->arguments[2], "unsigned"))
        return true;
    ptx_put(&p->out, ", ");
    if (ptx_put_value(p, i->arguments[1], votes[row].type))
        ptx_put(&p->out, ")); ");
    return true;
}

static bool form_activemask(struct ptx *p, const struct ptx_instruction *i)
{
    if (!ptx_is(i->whole, "activemask.b32") || i->argument_count != 1)
        return false;
    if (put_set(p, i->arguments[0]))
        ptx_put(&p->out, "::wl_activemask()); ");
    return true;
}

/* ---- Barriers, fences, and what has no result ------------------------------------------------------ */

/* Those with one argument have it, as it stands here, or any where it is "*". */
static const struct {
    const char *name, *argument, *call;
} plain[] = {
    {"membar.cta", NULL, "::wl_threadfence_block(); "},
    {"membar.gl", NULL, "::wl_threadfence(); "},
    {"membar.sys", NULL, "::wl_threadfence_system(); "},
    {"fence.cta", NULL, "::wl_threadfence_block(); "},
    {"fence.acq_rel.cta", NULL, "::wl_threadfence_block(); "},
    {"fence.sc.cta", NULL, "::wl_threadfence_block(); "},
    {"fence.cluster", NULL, "::wl_threadfence(); "},
    {"fence.acq_rel.cluster", NULL, "::wl_threadfence(); "},
    {"fence.sc.cluster", NULL, "::wl_threadfence(); "},
    {"fence.acquire.sync_restrict::shared::cluster.cluster", NULL, "::wl_threadfence(); "},
    {"fence.release.sync_restrict::shared::cta.cluster", NULL, "::wl_threadfence(); "},
    {"fence.gpu", NULL, "::wl_threadfence(); "},
    {"fence.acq_rel.gpu", NULL, "::wl_threadfence(); "},
    {"fence.sc.gpu", NULL, "::wl_threadfence(); "},
    {"fence.acq_rel.sys", NULL, "::wl_threadfence_system(); "},
    {"fence.sc.sys", NULL, "::wl_threadfence_system(); "},
    {"trap", NULL, "::__trap(); "},
    {"brkpt", NULL, ""},
    {"nanosleep.u32", "*", ""},
    {"setmaxnreg.inc.sync.aligned.u32", "*", ""},
    {"setmaxnreg.dec.sync.aligned.u32", "*", ""},
    /* Kernels of a stream run one after another (warplens/cuda_warp.h). */
    {"griddepcontrol.wait", NULL, ""},
    {"griddepcontrol.launch_dependents", NULL, ""},
    {"prefetch.global.L1", "*", ""},
    {"prefetch.global.L2", "*", ""},
    {"prefetch.L1", "*", ""},
    {"prefetch.L2", "*", ""},
    {"prefetchu.L1", "*", ""},
};

static bool form_plain(struct ptx *p, const struct ptx_instruction *i)
{
    if (ptx_is(i->whole, "bar.warp.sync") && i->argument_count == 1) {
        ptx_put(&p->out, "::wl_syncwarp_mask(");
        if (ptx_put_value(p, i->arguments[0], "unsigned"))
            ptx_put(&p->out, "); ");
        return true;
    }
    for (size_t row = 0; row < sizeof plain / sizeof plain[0]; row++) {
        const char *argument = plain[row].argument;
        if (!ptx_is(i->whole, plain[row].name) || i->argument_count != (argument != NULL) ||
            (argument && argument[0] != '*' && !ptx_is(i->arguments[0], argument)))
            continue;
        ptx_put(&p->out, "%s", plain[row].call);
        return true;
    }
    return false;
}

static bool form_isspacep(struct ptx *p, const struct ptx_instruction *i)
{
    if (i->part_count != 2 || i->argument_count != 2 ||
        !ptx_has("global shared shared::cta shared::cluster local const ", i->parts[1]))
        return false;
    if (!put_set(p, i->arguments[0]))
        return true;
    if (ptx_is(i->parts[1], "shared::cluster"))
        ptx_put(&p->out, "::wl::ptx::is_cluster(");
    else
        ptx_put(&p->out, "::wl::ptx::is_%.*s(",
                ptx_is(i->parts[1], "shared::cta") ? 6 : (int)i->parts[1].length, i->parts[1].at);
    if (ptx_put_value(p, i->arguments[1], "unsigned long long"))
        ptx_put(&p->out, ")); ");
    return true;
}

/* Within the statement (ptx.c). */
static bool form_bra(struct ptx *p, const struct ptx_instruction *i)
{
    if ((!ptx_is(i->whole, "bra") && !ptx_is(i->whole, "bra.uni")) || i->argument_count != 1)
        return false;
    ptx_put(&p->jumps, "%.*s ", (int)i->arguments[0].length, i->arguments[0].at);
    ptx_put(&p->out, "goto wl_l_");
    ptx_put_label(p, i->arguments[0]);
    ptx_put(&p->out, "; ");
    return true;
}

static const struct {
    const char *name;
    bool (*put)(struct ptx *p, const struct ptx_instruction *i);
} forms[] = {
    {"mov", form_mov},           {"setp", form_setp},  {"set", form_set},
    {"cvt", form_cvt},           {"shfl", form_shfl},  {"vote", form_vote},
    {"match", form_vote},        {"redux", form_vote}, {"activemask", form_activemask},
    {"isspacep", form_isspacep}, {"bra", form_bra},
};

bool ptx_form(struct ptx *p, const struct ptx_instruction *instruction)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (ptx_is(instruction->parts[0], forms[i].name))
            return forms[i].put(p, instruction);
    return ptx_bar(p, instruction) || form_plain(p, instruction);
}
