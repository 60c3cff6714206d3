/* access.c - ld, st, atom and red: the access itself stands in the text, so that it has the user's own line.
 *
 *   ld.shared.v2.f32 {a, b}, [c+8]
 *   word8 *const wl_at = (word8 *)at_shared(c, 8); const word8 wl_word = *wl_at; set(a, lane<float, 0>(wl_word)); ...
 *
 * One access has one word of the whole vector's width: a GPU makes one of it, too. Where a state space is named, the
 * address is one of that space; a generic address says its space itself.
 */
#include "cu/ptx/ptx.h"

#include <stdio.h>
#include <string.h>

/* What changes nothing here: caches' policies, and scopes without an order. */
#define POLICIES                                                                                   \
    "ca cg cs lu wb wt weak L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last "  \
    "L1::no_allocate L2::64B L2::128B L2::256B "
#define SCOPES "cta cluster gpu sys "

/* An access as its name says it. */
struct access {
    char space[8]; /* "generic", "global", "shared", "local", "const" */
    bool is_volatile, read_only, acquires, releases;
    const char *fence; /* the function of its scope */
    unsigned lanes;
    struct ptx_word operation, type; /* operation: of an atomic */
};

static bool read_space(struct access *a, struct ptx_word part)
{
    static const char *const spaces[][2] = {
        {"global", "global"},          {"shared", "shared"}, {"shared::cta", "shared"},
        {"shared::cluster", "shared"}, {"local", "local"},   {"const", "const"}};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (ptx_is(part, spaces[i][0])) {
            snprintf(a->space, sizeof a->space, "%s", spaces[i][1]);
            return true;
        }
    return false;
}

static bool read_order(struct access *a, struct ptx_word part)
{
    a->acquires |= ptx_is(part, "acquire") || ptx_is(part, "acq_rel");
    a->releases |= ptx_is(part, "release") || ptx_is(part, "acq_rel");
    if (ptx_is(part, "cta"))
        a->fence = "wl_threadfence_block";
    if (ptx_is(part, "sys"))
        a->fence = "wl_threadfence_system";
    bool order = ptx_has("volatile relaxed acquire release acq_rel cv ", part);
    a->is_volatile |= order;
    return order || ptx_has(SCOPES, part);
}

static bool read_part(struct access *a, struct ptx_word part, bool atomic)
{
    if (read_space(a, part) || read_order(a, part) || ptx_has(POLICIES, part))
        return true;
    if (ptx_is(part, "nc"))
        return a->read_only = true;
    if (!atomic && (ptx_is(part, "v2") || ptx_is(part, "v4"))) {
        a->lanes = (unsigned)(part.at[1] - '0');
        return true;
    }
    if (atomic && a->operation.length == 0) {
        a->operation = part;
        return true;
    }
    return false;
}

static bool read_access(const struct ptx_instruction *instruction, bool atomic, struct access *a)
{
    *a = (struct access){.space = "generic", .fence = "wl_threadfence", .lanes = 1};
    if (instruction->part_count < 2)
        return false;
    a->type = instruction->parts[instruction->part_count - 1];
    for (unsigned i = 1; i + 1 < instruction->part_count; i++)
        if (!read_part(a, instruction->parts[i], atomic))
            return false;
    return true;
}

bool ptx_read_address(struct ptx_word argument, struct ptx_word *base, struct ptx_word *offset)
{
    if (argument.length < 3 || argument.at[0] != '[' || argument.at[argument.length - 1] != ']')
        return false;
    argument = ptx_trim((struct ptx_word){argument.at + 1, argument.length - 2});
    const char *plus = memchr(argument.at, '+', argument.length);
    *base = argument;
    *offset = (struct ptx_word){"0", 1};
    if (plus) {
        *base = ptx_trim((struct ptx_word){argument.at, (size_t)(plus - argument.at)});
        *offset = ptx_trim(
            (struct ptx_word){plus + 1, (size_t)(argument.at + argument.length - plus) - 1});
    }
    return true;
}

bool ptx_put_address(struct ptx *p, const char *space, const char *word, struct ptx_word argument)
{
    struct ptx_word base, offset;
    if (!ptx_read_address(argument, &base, &offset))
        return false;
    ptx_put(&p->out, "%s *%s wl_at = (%s *)::wl::ptx::at_%s(", word, p->is_volatile ? "" : "const",
            word, space);
    ptx_put(&p->out, "::wl::ptx::as<unsigned long long>(");
    if (!ptx_put_register(p, base))
        return true;
    ptx_put(&p->out, "), ");
    ptx_put_value(p, offset, "long long");
    ptx_put(&p->out, "); %s", p->is_volatile ? "::wl::ptx::hide(wl_at); " : "");
    return true;
}

static unsigned read_lanes(const struct access *a, struct ptx_word argument, struct ptx_word *lanes)
{
    lanes[0] = argument;
    return a->lanes == 1 ? 1 : ptx_list(argument, lanes, PTX_LANES_MAX);
}

static void put_load(struct ptx *p, const struct access *a, const char *word, const char *type,
                     const struct ptx_word *lanes)
{
    if (a->read_only)
        ptx_put(&p->out, "::wl_next_load_read_only(wl_at); ");
    ptx_put(&p->out, "const %s wl_word = *(%s%s *)wl_at; ", word, a->is_volatile ? "volatile " : "",
            word);
    if (p->is_volatile)
        ptx_put(&p->out, "::wl::ptx::use(wl_word); ");
    for (unsigned i = 0; i < a->lanes; i++) {
        if (ptx_is(lanes[i], "_"))
            continue;
        ptx_put(&p->out, "::wl::ptx::set(");
        if (!ptx_put_register(p, lanes[i]))
            return;
        ptx_put(&p->out, ", ::wl::ptx::lane<%s, %u>(wl_word)); ", type, i);
    }
    if (a->acquires)
        ptx_put(&p->out, "::%s(); ", a->fence);
}

static void put_store(struct ptx *p, const struct access *a, const char *word, const char *type,
                      const struct ptx_word *lanes)
{
    if (a->releases)
        ptx_put(&p->out, "::%s(); ", a->fence);
    ptx_put(&p->out, "*(%s%s *)wl_at = ::wl::ptx::join<%s>(", a->is_volatile ? "volatile " : "",
            word, type);
    for (unsigned i = 0; i < a->lanes; i++) {
        ptx_put(&p->out, i ? ", " : "");
        if (!ptx_put_value(p, lanes[i], type))
            return;
    }
    ptx_put(&p->out, "); ");
}

static bool put_plain(struct ptx *p, const struct ptx_instruction *instruction, bool load)
{
    struct access a;
    struct ptx_word lanes[PTX_LANES_MAX];
    unsigned bytes;
    char word[32];
    if (instruction->argument_count != 2 || !read_access(instruction, false, &a))
        return false;
    const char *type = ptx_type(a.type, &bytes);
    if (type == NULL || bytes == 0 || bytes * a.lanes > 16 ||
        read_lanes(&a, instruction->arguments[load ? 0 : 1], lanes) != a.lanes ||
        (!load && (a.read_only || strcmp(a.space, "const") == 0)))
        return false;
    snprintf(word, sizeof word, "::wl::ptx::word%u", bytes * a.lanes);
    if (!ptx_put_address(p, a.space, word, instruction->arguments[load ? 1 : 0]))
        return false;
    if (load)
        put_load(p, &a, word, type, lanes);
    else
        put_store(p, &a, word, type, lanes);
    return true;
}

/* ---- Atomics: the runtime's functions (warplens/cuda_calls.h) ------------------------------------ */

static const struct {
    const char *operation, *types, *function, *cpp;
} atomics[] = {
    {"add", "s32 ", "Add_i32", "int"},
    {"add", "u32 ", "Add_u32", "unsigned"},
    {"add", "u64 s64 ", "Add_u64", "unsigned long long"},
    {"add", "f32 ", "Add_f32", "float"},
    {"add", "f64 ", "Add_f64", "double"},
    {"min", "s32 ", "Min_i32", "int"},
    {"min", "u32 ", "Min_u32", "unsigned"},
    {"min", "s64 ", "Min_i64", "long long"},
    {"min", "u64 ", "Min_u64", "unsigned long long"},
    {"max", "s32 ", "Max_i32", "int"},
    {"max", "u32 ", "Max_u32", "unsigned"},
    {"max", "s64 ", "Max_i64", "long long"},
    {"max", "u64 ", "Max_u64", "unsigned long long"},
    {"and", "b32 ", "And_u32", "unsigned"},
    {"and", "b64 ", "And_u64", "unsigned long long"},
    {"or", "b32 ", "Or_u32", "unsigned"},
    {"or", "b64 ", "Or_u64", "unsigned long long"},
    {"xor", "b32 ", "Xor_u32", "unsigned"},
    {"xor", "b64 ", "Xor_u64", "unsigned long long"},
    {"inc", "u32 ", "Inc_u32", "unsigned"},
    {"dec", "u32 ", "Dec_u32", "unsigned"},
    {"exch", "b32 u32 s32 f32 ", "Exch_u32", "unsigned"},
    {"exch", "b64 u64 s64 ", "Exch_u64", "unsigned long long"},
    {"cas", "b16 ", "CAS_u16", "unsigned short"},
    {"cas", "b32 u32 s32 ", "CAS_u32", "unsigned"},
    {"cas", "b64 u64 s64 ", "CAS_u64", "unsigned long long"},
};
enum { ATOMIC_COUNT = sizeof atomics / sizeof atomics[0] };

static bool put_atomic(struct ptx *p, const struct ptx_instruction *instruction, bool reduces)
{
    struct access a;
    size_t row = 0;
    unsigned first = reduces ? 0 : 1; /* the argument that is the address */
    if (!read_access(instruction, true, &a) || a.read_only)
        return false;
    while (row < ATOMIC_COUNT &&
           !(ptx_is(a.operation, atomics[row].operation) && ptx_has(atomics[row].types, a.type)))
        row++;
    if (row == ATOMIC_COUNT ||
        instruction->argument_count != first + (ptx_is(a.operation, "cas") ? 3 : 2))
        return false;
    const char *type = atomics[row].cpp;
    if (!ptx_put_address(p, a.space, type, instruction->arguments[first]))
        return false;
    if (a.releases)
        ptx_put(&p->out, "::%s(); ", a.fence);
    ptx_put(&p->out, "const %s wl_old = ::wl_atomic%s(wl_at", type, atomics[row].function);
    for (unsigned i = first + 1; i < instruction->argument_count; i++) {
        ptx_put(&p->out, ", ");
        if (!ptx_put_value(p, instruction->arguments[i], type))
            return true;
    }
    ptx_put(&p->out, "); ");
    if (a.acquires)
        ptx_put(&p->out, "::%s(); ", a.fence);
    if (reduces || ptx_is(instruction->arguments[0], "_"))
        return true;
    ptx_put(&p->out, "::wl::ptx::set(");
    if (ptx_put_register(p, instruction->arguments[0]))
        ptx_put(&p->out, ", wl_old); ");
    return true;
}

bool ptx_access(struct ptx *p, const struct ptx_instruction *instruction)
{
    struct ptx_word name = instruction->parts[0];
    if (ptx_is(name, "ld") || ptx_is(name, "ldu") || ptx_is(name, "st"))
        return put_plain(p, instruction, !ptx_is(name, "st"));
    if (ptx_is(name, "atom") || ptx_is(name, "red"))
        return put_atomic(p, instruction, ptx_is(name, "red"));
    return false;
}
