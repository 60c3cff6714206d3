/* text_bulk.c - bulk copies in a text trace, a line in front of the access that reads or writes, and phases of barriers in shared memory.
 *
 *   bulk.copy to=0x0 bytes=4096 barrier=0x2000 phase=0       a row of bytes; a load's come to that phase
 *   ld.global.b128 base=in mask=0x1                          or st, or atom: a reduction
 *   bulk.copy to=0x0 box=64,8 at=0,-4 size=1000,1000 pitch=2,2000 swizzle=128 barrier=0x2000 phase=1
 *   ld.global.b128 base=matrix mask=0x1                      a box of a tensor that begins there, the innermost dimension first
 *   bulk.commit
 *   bulk.wait left=0                                         written; bulk.read left=0: read
 *   phase.arrive barrier=0x2000 phase=0 needs=32
 *   phase.wait barrier=0x2000 phase=0 needs=33 bytes=4096
 *   product columns=128 registers      of a warpgroup (wgmma); product.commit; product.wait left=0
 */
#include <inttypes.h>

#include "stream/launch_size.h"
#include "stream/limits.h"
#include "trace_io/text/text_reader.h"
#include "trace_io/text/text_writer.h"

/* ---- In ---------------------------------------------------------------------------------------- */

/* As many numbers as the others have, or the first list's. */
static bool read_list(struct text_reader *r, struct text_line *line, struct word list,
                      uint64_t most, unsigned *rank, uint64_t *numbers)
{
    unsigned count = 0;
    for (struct word rest = list; rest.s; count++) {
        struct word one = word_cut(rest, ',', &rest);
        const bool negative = one.length > 1 && one.s[0] == '-';
        one.s += negative;
        one.length -= negative;
        if (count == BULK_RANK_MAX) {
            words_fail(&line->words, list.s, "more than %d dimensions", BULK_RANK_MAX);
            return text_fail(r);
        }
        if (!words_number(&line->words, one, most, &numbers[count]))
            return text_fail(r);
        if (negative)
            numbers[count] = 0 - numbers[count];
    }
    if (*rank == 0)
        *rank = count;
    if (count == *rank)
        return true;
    words_fail(&line->words, list.s ? list.s : line->words.text,
               "box, at, size and pitch have as many numbers each");
    return text_fail(r);
}

static bool read_box(struct text_reader *r, struct text_line *line, const struct word lists[4])
{
    struct bulk_copy *b = &r->bulk;
    uint64_t box[BULK_RANK_MAX] = {0}, at[BULK_RANK_MAX] = {0}, size[BULK_RANK_MAX] = {0},
             pitch[BULK_RANK_MAX] = {0};
    unsigned rank = 0;
    if (!read_list(r, line, lists[0], UINT32_MAX, &rank, box) ||
        !read_list(r, line, lists[1], INT32_MAX, &rank, at) ||
        !read_list(r, line, lists[2], UINT32_MAX, &rank, size) ||
        !read_list(r, line, lists[3], UINT64_MAX >> 1, &rank, pitch))
        return false;
    b->rank = (uint8_t)rank;
    b->element = (uint8_t)(pitch[0] > UINT8_MAX ? 0 : pitch[0]);
    for (unsigned d = 0; d < rank; d++) {
        b->box[d] = (uint32_t)box[d];
        b->at[d] = (int32_t)(uint32_t)at[d];
        b->size[d] = (uint32_t)size[d];
        b->pitch[d] = pitch[d];
    }
    return true;
}

static bool read_copy(struct text_reader *r, struct text_line *line)
{
    uint64_t to = 0, bytes = 0, swizzle = 0, barrier = 0, phase = 0, more = 0;
    struct word lists[4] = {{0}};
    struct line_option options[] = {
        {.name = "to", .most = UINT32_MAX, .number = &to, .is_needed = true},
        {.name = "bytes", .most = UINT32_MAX, .number = &bytes},
        {.name = "barrier", .most = UINT32_MAX, .number = &barrier},
        {.name = "phase", .most = UINT32_MAX, .number = &phase},
        {.name = "swizzle", .most = UINT8_MAX, .number = &swizzle},
        {.name = "more", .most = CLUSTER_BLOCKS_MOST - 1, .number = &more},
        {.name = "box", .text = &lists[0]},
        {.name = "at", .text = &lists[1]},
        {.name = "size", .text = &lists[2]},
        {.name = "pitch", .text = &lists[3]}};
    if (!line_options(line, options, sizeof options / sizeof options[0]))
        return text_fail(r);
    r->bulk = (struct bulk_copy){.shared = to,
                                 .barrier = barrier,
                                 .phase = (uint32_t)phase,
                                 .swizzle = (uint8_t)swizzle,
                                 .more = (uint8_t)more,
                                 .rank = 1,
                                 .element = 1,
                                 .box = {(uint32_t)bytes},
                                 .size = {(uint32_t)bytes},
                                 .pitch = {1}};
    r->has_bulk = true;
    return lists[0].s == NULL || read_box(r, line, lists);
}

static bool read_phase(struct text_reader *r, struct text_line *line, enum copy_step step,
                       uint32_t warp)
{
    uint64_t lanes = launch_lanes(&r->builder.launch, warp), work = 1, barrier = 0, phase = 0,
             needs = 0, bytes = 0;
    struct line_option options[] = {
        {.name = "barrier", .most = UINT32_MAX, .number = &barrier, .is_needed = true},
        {.name = "phase", .most = PHASE_NUMBERS - 1, .number = &phase, .is_needed = true},
        {.name = "needs", .most = PHASE_COUNT_MAX, .number = &needs, .is_needed = true},
        {.name = "lanes", .most = UINT32_MAX, .number = &lanes},
        {.name = "work", .most = UINT16_MAX, .number = &work},
        {.name = "bytes", .most = PHASE_COUNT_MAX, .number = &bytes}};
    if (!line_options(line, options, step == PHASE_ARRIVE ? 5 : 6))
        return text_fail(r);
    return builder_copy_step(&r->builder, &(struct trace_copy){.step = step,
                                                               .warp = warp,
                                                               .lanes = (uint32_t)lanes,
                                                               .work = (uint16_t)work,
                                                               .barrier = (uint32_t)barrier,
                                                               .phase = (uint32_t)phase,
                                                               .needs = (uint32_t)needs,
                                                               .bytes = (uint32_t)bytes});
}

static bool read_product(struct text_reader *r, struct text_line *line, uint32_t warp)
{
    uint64_t lanes = launch_lanes(&r->builder.launch, warp), work = 1, columns = 0;
    bool registers = false;
    struct line_option options[] = {
        {.name = "columns", .most = PRODUCT_COLUMNS_MAX, .number = &columns, .is_needed = true},
        {.name = "registers", .flag = &registers},
        {.name = "lanes", .most = UINT32_MAX, .number = &lanes},
        {.name = "work", .most = UINT16_MAX, .number = &work}};
    if (!line_options(line, options, 4))
        return text_fail(r);
    if (columns == 0 || columns % PRODUCT_COLUMNS)
        return builder_fail(&r->builder,
                            "a product of a warpgroup; allowed: multiples of %d columns, up to %d",
                            PRODUCT_COLUMNS, PRODUCT_COLUMNS_MAX);
    const struct warpgroup_product product = {(uint32_t)columns, registers};
    return builder_copy_step(&r->builder,
                             &(struct trace_copy){.step = PRODUCT_BEGINS,
                                                  .warp = warp,
                                                  .lanes = (uint32_t)lanes,
                                                  .work = (uint16_t)work,
                                                  .left = stream_product_left(product)});
}

static const struct {
    const char *name;
    enum copy_step step;
} steps[] = {{"bulk.commit", BULK_COMMIT},       {"bulk.wait", BULK_WAIT},
             {"bulk.read", BULK_WAIT_READ},      {"phase.arrive", PHASE_ARRIVE},
             {"phase.wait", PHASE_WAIT},         {"product", PRODUCT_BEGINS},
             {"product.commit", PRODUCT_COMMIT}, {"product.wait", PRODUCT_WAIT}};
enum { STEP_COUNT = sizeof steps / sizeof steps[0] };

bool text_read_bulk(struct text_reader *r, struct text_line *line, struct word word, uint32_t warp,
                    bool *good)
{
    if (word_is(word, "bulk.copy")) {
        *good = read_copy(r, line);
        return true;
    }
    for (size_t i = 0; i < STEP_COUNT; i++)
        if (word_is(word, steps[i].name)) {
            const enum copy_step step = steps[i].step;
            const bool of_phase = step == PHASE_ARRIVE || step == PHASE_WAIT;
            *good = step == PRODUCT_BEGINS
                        ? read_product(r, line, warp)
                        : (of_phase ? read_phase : text_read_copy_step)(r, line, step, warp);
            return true;
        }
    return false;
}

bool text_give_bulk(struct text_reader *r, struct warp_access *access)
{
    const struct bulk_copy bulk = r->bulk;
    r->has_bulk = false;
    access->bulk = &bulk;
    return builder_copy(&r->builder, access);
}

/* ---- Out --------------------------------------------------------------------------------------- */

static void put_box(struct text_writer *w, const struct bulk_copy *b)
{
    for (unsigned d = 0; d < b->rank; d++)
        fprintf(w->out, "%s%" PRIu32, d ? "," : " box=", b->box[d]);
    for (unsigned d = 0; d < b->rank; d++)
        fprintf(w->out, "%s%" PRId32, d ? "," : " at=", b->at[d]);
    for (unsigned d = 0; d < b->rank; d++)
        fprintf(w->out, "%s%" PRIu32, d ? "," : " size=", b->size[d]);
    for (unsigned d = 0; d < b->rank; d++)
        fprintf(w->out, "%s%" PRIu64, d ? "," : " pitch=", b->pitch[d]);
    if (b->swizzle)
        fprintf(w->out, " swizzle=%u", b->swizzle);
}

void text_put_bulk(struct text_writer *w, const struct warp_access *a)
{
    const struct bulk_copy *b = a->bulk;
    fprintf(w->out, "    bulk.copy to=0x%" PRIx64, b->shared);
    if (b->rank == 1 && b->element == 1 && b->at[0] == 0 && b->size[0] == b->box[0])
        fprintf(w->out, " bytes=%" PRIu32, b->box[0]);
    else
        put_box(w, b);
    if (a->op == OP_LOAD)
        fprintf(w->out, " barrier=0x%" PRIx64 " phase=%" PRIu32, b->barrier, b->phase);
    if (b->more)
        fprintf(w->out, " more=%u", b->more);
    fputc('\n', w->out);
}

void text_put_bulk_step(struct text_writer *w, const struct trace_copy *copy)
{
    size_t i = 0;
    while (i + 1 < STEP_COUNT && steps[i].step != copy->step)
        i++;
    fprintf(w->out, "    %s", steps[i].name);
    if (copy->step == BULK_WAIT || copy->step == BULK_WAIT_READ || copy->step == PRODUCT_WAIT)
        fprintf(w->out, " left=%" PRIu32, copy->left);
    if (copy->step == PRODUCT_BEGINS)
        fprintf(w->out, " columns=%" PRIu32 "%s", stream_product(copy->left).columns,
                stream_product(copy->left).a_in_registers ? " registers" : "");
    if (copy->step == PHASE_ARRIVE || copy->step == PHASE_WAIT)
        fprintf(w->out, " barrier=0x%" PRIx32 " phase=%" PRIu32 " needs=%" PRIu32, copy->barrier,
                copy->phase, copy->needs);
    if (copy->step == PHASE_WAIT)
        fprintf(w->out, " bytes=%" PRIu32, copy->bytes);
    if (copy->lanes != launch_lanes(&w->launch, copy->warp))
        fprintf(w->out, " lanes=0x%" PRIx32, copy->lanes);
    if (copy->work != 1)
        fprintf(w->out, " work=%u", copy->work);
    fputc('\n', w->out);
}
