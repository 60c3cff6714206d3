/* text_copies.c - asynchronous copies in a text trace: a line for the other side, in front of the access that reads.
 *
 *   copy.ca to=0x100+4                     lane i copies to 0x100 + 4 i; all of the access's width
 *   copy.cg to=0x0,0x10,-,0x20 bytes=16,0  lane by lane; with a source size: 16 bytes, none, ... One number is every lane's
 *   ld.global.b128 base=in
 *   copy.commit
 *   copy.wait left=1
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/access_check.h"
#include "stream/launch_size.h"
#include "trace_io/text/text_reader.h"
#include "trace_io/text/text_writer.h"

/* ---- In ---------------------------------------------------------------------------------------- */

static bool fail_list(struct text_reader *r, struct text_line *line, struct word list)
{
    words_fail(&line->words, list.s, "a list of other than 1 to 32 numbers or '-', or BASE+STEP");
    return text_fail(r);
}

/* "BASE+STEP", one number for all, or a number or '-' a lane. */
static bool read_list(struct text_reader *r, struct text_line *line, struct word list,
                      uint64_t lanes[WARP_LANES])
{
    struct word rest, base = word_cut(list, '+', &rest);
    uint64_t number = 0, step = 0;
    unsigned count = 0;
    if (rest.s) {
        if (!words_number(&line->words, base, UINT32_MAX, &number) ||
            !words_number(&line->words, rest, UINT32_MAX, &step))
            return text_fail(r);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            lanes[lane] = number + step * lane;
        return true;
    }
    memset(lanes, 0, WARP_LANES * sizeof *lanes);
    for (rest = list; rest.s; count++) {
        struct word one = word_cut(rest, ',', &rest);
        if (count == WARP_LANES || one.length == 0)
            return fail_list(r, line, list);
        if (!word_is(one, "-") && !words_number(&line->words, one, UINT32_MAX, &lanes[count]))
            return text_fail(r);
    }
    for (unsigned lane = 1; count == 1 && lane < WARP_LANES; lane++)
        lanes[lane] = lanes[0];
    return true;
}

static bool read_begin(struct text_reader *r, struct text_line *line, bool past_l1)
{
    struct word to = {0}, bytes = {0};
    uint64_t sizes[WARP_LANES] = {0};
    struct line_option options[] = {{.name = "to", .text = &to, .is_needed = true},
                                    {.name = "bytes", .text = &bytes}};
    if (!line_options(line, options, 2))
        return text_fail(r);
    if (!read_list(r, line, to, r->copy.to) || (bytes.s && !read_list(r, line, bytes, sizes)))
        return false;
    r->copy.past_l1 = past_l1;
    r->copy.sized = bytes.s != NULL;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        r->copy.bytes[lane] = (uint8_t)(sizes[lane] < UINT8_MAX ? sizes[lane] : UINT8_MAX);
    r->has_copy = true;
    return true;
}

bool text_read_copy_step(struct text_reader *r, struct text_line *line, enum copy_step step,
                         uint32_t warp)
{
    uint64_t lanes = launch_lanes(&r->builder.launch, warp), left = 0, work = 1;
    struct line_option options[] = {
        {.name = "lanes", .most = UINT32_MAX, .number = &lanes},
        {.name = "work", .most = UINT16_MAX, .number = &work},
        {.name = "left", .most = COPY_GROUPS_LEFT_MAX, .number = &left, .is_needed = true}};
    const bool commits = step == COPY_COMMIT || step == BULK_COMMIT || step == PRODUCT_COMMIT;
    if (!line_options(line, options, commits ? 2 : 3))
        return text_fail(r);
    return builder_copy_step(&r->builder, &(struct trace_copy){.step = step,
                                                               .warp = warp,
                                                               .lanes = (uint32_t)lanes,
                                                               .left = (uint32_t)left,
                                                               .work = (uint16_t)work});
}

bool text_read_copy(struct text_reader *r, struct text_line *line, struct word word, uint32_t warp,
                    bool *good)
{
    if (word_is(word, "copy.ca") || word_is(word, "copy.cg"))
        *good = read_begin(r, line, word_is(word, "copy.cg"));
    else if (word_is(word, "copy.commit"))
        *good = text_read_copy_step(r, line, COPY_COMMIT, warp);
    else if (word_is(word, "copy.wait"))
        *good = text_read_copy_step(r, line, COPY_WAIT, warp);
    else
        return text_read_bulk(r, line, word, warp, good);
    return true;
}

bool text_give_copy(struct text_reader *r, struct warp_access *access)
{
    struct async_copy copy = r->copy;
    r->has_copy = false;
    if (!copy.sized)
        memset(copy.bytes, access->width, sizeof copy.bytes);
    access->copy = &copy;
    return builder_copy(&r->builder, access);
}

/* ---- Out --------------------------------------------------------------------------------------- */

/* The lanes' step when all are as far apart as the first two, else -1. */
static int64_t step_of(const struct warp_access *a)
{
    const int64_t step = (int64_t)(a->copy->to[1] - a->copy->to[0]);
    for (unsigned lane = 1; lane < WARP_LANES; lane++)
        if ((int64_t)(a->copy->to[lane] - a->copy->to[lane - 1]) != step)
            return -1;
    return a->active == UINT32_MAX ? step : -1;
}

static void put_to(struct text_writer *w, const struct warp_access *a)
{
    const int64_t step = step_of(a);
    if (step >= 0) {
        fprintf(w->out, " to=0x%" PRIx64 "+%" PRId64, a->copy->to[0], step);
        return;
    }
    const char *before = " to=";
    for (uint32_t left = a->active, lane = 0; left; left >>= 1, lane++, before = ",")
        if (left & 1)
            fprintf(w->out, "%s0x%" PRIx64, before, a->copy->to[lane]);
        else
            fprintf(w->out, "%s-", before);
    if (a->active == 1) /* one number would be every lane's */
        fputs(",-", w->out);
}

static void put_bytes(struct text_writer *w, const struct warp_access *a)
{
    const char *before = " bytes=";
    for (uint32_t left = a->active, lane = 0; left; left >>= 1, lane++, before = ",")
        fprintf(w->out, "%s%u", before, left & 1 ? a->copy->bytes[lane] : 0U);
    if (a->active == 1)
        fputs(",0", w->out);
}

static void put_begin(struct text_writer *w, const struct warp_access *a)
{
    fprintf(w->out, "    copy.%s", a->copy->past_l1 ? "cg" : "ca");
    put_to(w, a);
    if (a->copy->sized)
        put_bytes(w, a);
    fputc('\n', w->out);
}

static void put_step(struct text_writer *w, const struct trace_copy *copy)
{
    fputs(copy->step == COPY_WAIT ? "    copy.wait" : "    copy.commit", w->out);
    if (copy->step == COPY_WAIT)
        fprintf(w->out, " left=%" PRIu32, copy->left);
    if (copy->lanes != launch_lanes(&w->launch, copy->warp))
        fprintf(w->out, " lanes=0x%" PRIx32, copy->lanes);
    if (copy->work != 1)
        fprintf(w->out, " work=%u", copy->work);
    fputc('\n', w->out);
}

bool text_writer_copy(void *context, const struct trace_copy *copy)
{
    struct text_writer *w = context;
    char text[CHECK_TEXT_BYTES];
    if (!text_writer_turn_to(w, copy->block, copy->warp))
        return false;
    if (!copy_step_begins(copy->step)) {
        (copy->step < BULK_BEGINS ? put_step : text_put_bulk_step)(w, copy);
        return text_writer_goes_on(w);
    }
    const char *error = access_check_copy(copy->access, text);
    if (error)
        return text_writer_fail(w, "a copy of block %" PRIu32 ", warp %" PRIu32 ": %s", copy->block,
                                copy->warp, error);
    (copy->access->bulk ? text_put_bulk : put_begin)(w, copy->access);
    return text_writer_access(w, copy->access);
}
