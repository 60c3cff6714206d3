/* text_part.c - parts of a text trace: which blocks and warps do what, and in which order.
 *
 * Decisions. A part for one warp of one block is carried out line by line, so that a trace of any
 * length streams. Other parts wait until all parts for the same blocks are known: then block after
 * block is carried out, warp after warp up to its barrier, as the tracer does it (tracer/launch.c). A
 * warp that several of these parts name does what they say, one after another. Lines that wait
 * are kept as text and read again for each warp, since names in them change their values.
 */
#include <stdlib.h>
#include <string.h>

#include "stream/access_check.h"
#include "stream/launch_size.h"
#include "text/list.h"
#include "trace_io/text/text_reader.h"

enum { PART_LINES_MOST = 1 << 16, WARPS_MOST = BLOCK_THREADS_MOST / WARP_LANES };

void text_parts_free(struct text_parts *parts)
{
    free(parts->text);
    free(parts->lines);
}

/* ---- A line ---------------------------------------------------------------------------------- */

static bool read_event(struct text_reader *r, struct text_line *line, enum trace_event_kind kind,
                       uint32_t warp)
{
    uint64_t work = 1, lag = 0;
    struct line_option options[] = {{.name = "work", .most = UINT16_MAX, .number = &work},
                                    {.name = "lag", .most = UINT16_MAX, .number = &lag}};
    const char *quote = strchr(line->at, '"');
    if (quote) { /* would be unpacked where it stands, and the line may be read again */
        words_fail(&line->words, quote, "a quote; allowed: work=N lag=N");
        return text_fail(r);
    }
    if (!line_options(line, options, 2))
        return text_fail(r);
    return builder_warp_event(&r->builder, kind, warp, (uint16_t)work, (uint16_t)lag);
}

/* Whether the word is a synchronisation's. */
static bool is_sync(struct word word, enum sync_kind *kind)
{
    for (*kind = 0; *kind < SYNC_KINDS; *kind = (enum sync_kind)(*kind + 1))
        if (word_is(word, sync_kind_names[*kind]))
            return true;
    return false;
}

static bool read_sync(struct text_reader *r, struct text_line *line, enum sync_kind kind,
                      uint32_t warp)
{
    uint64_t lanes = launch_lanes(&r->builder.launch, warp), running = lanes, source = 0;
    uint64_t mask = kind < FENCE_BLOCK ? UINT32_MAX : 0;
    struct word file = {"?", 1};
    struct line_option options[] = {{.name = "lanes", .most = UINT32_MAX, .number = &lanes},
                                    {.name = "mask", .most = UINT32_MAX, .number = &mask},
                                    {.name = "running", .most = UINT32_MAX, .number = &running},
                                    {.name = "file", .text = &file},
                                    {.name = "line", .most = UINT32_MAX, .number = &source}};
    const char *quote = strchr(line->at, '"');
    if (quote && !r->is_direct) { /* as above */
        words_fail(&line->words, quote, "a quote; allowed: in parts for one warp of one block");
        return text_fail(r);
    }
    if (!line_options(line, options, sizeof options / sizeof options[0]))
        return text_fail(r);
    struct trace_sync sync = {.kind = kind,
                              .warp = warp,
                              .lanes = (uint32_t)lanes,
                              .mask = (uint32_t)mask,
                              .running = (uint32_t)running,
                              .line = (uint32_t)source};
    sync.file = builder_name(&r->builder, file.s, file.length);
    return sync.file && builder_sync(&r->builder, &sync);
}

static bool is_access(struct word word)
{
    struct word rest;
    return word.s[0] == '@' || memchr(word.s, ':', word.length) ||
           memchr(word.s, '.', word.length) || word_is(word_cut(word, '.', &rest), "ld") ||
           word_is(word, "st") || word_is(word, "atom");
}

/* Carries a line out for a warp of the open block. */
static bool run_line(struct text_reader *r, char *text, uint32_t warp)
{
    static const char *const allowed[] = {
        "ld.",          "st.",         "atom.",          "bar",          "exit",
        "site",         "syncwarp",    "exchange",       "fence.block",  "fence.device",
        "fence.system", "copy.ca",     "copy.cg",        "copy.commit",  "copy.wait",
        "bulk.copy",    "bulk.commit", "bulk.wait",      "bulk.read",    "phase.arrive",
        "phase.wait",   "product",     "product.commit", "product.wait", "end"};
    enum sync_kind kind;
    bool good;
    struct text_line line = {{text, r->error, sizeof r->error}, text};
    struct word word = word_next(text);
    line.at += word.s - text + (ptrdiff_t)word.length;
    if (word_is(word, "bar"))
        return read_event(r, &line, TRACE_BARRIER, warp);
    if (word_is(word, "exit"))
        return read_event(r, &line, TRACE_WARP_END, warp);
    if (is_sync(word, &kind))
        return read_sync(r, &line, kind, warp);
    if (text_read_copy(r, &line, word, warp, &good))
        return good;
    if (is_access(word))
        return text_access(r, text, warp);
    words_fail_unknown(&line.words, word, "line", allowed, sizeof allowed / sizeof allowed[0]);
    return text_fail(r);
}

static bool is_barrier(const char *text)
{
    return word_is(word_next(text), "bar");
}

/* ---- Lines that wait ------------------------------------------------------------------------- */

static bool reserve(struct text_parts *parts, size_t bytes)
{
    while (parts->used + bytes > parts->room)
        if (!list_grow(&parts->text, &parts->room, sizeof *parts->text))
            return false;
    return LIST_MAKE_ROOM(parts->lines, parts->line_count, parts->line_room);
}

static bool keep_line(struct text_reader *r, const char *text)
{
    struct text_parts *parts = &r->waiting;
    size_t bytes = strlen(text) + 1;
    if (parts->used + bytes > PART_BYTES_MOST || parts->line_count == PART_LINES_MOST)
        return input_fail(r->input,
                          "more lines for several warps than there is room for; allowed: "
                          "%d lines, 1 MB, or any number in parts for one warp of one "
                          "block",
                          PART_LINES_MOST);
    if (!reserve(parts, bytes))
        return input_fail(r->input, "no memory for the lines of the part");
    parts->lines[parts->line_count++] =
        (struct part_line){parts->count - 1, (uint32_t)parts->used, r->input->line};
    memcpy(parts->text + parts->used, text, bytes);
    parts->used += bytes;
    return true;
}

bool text_part_line(struct text_reader *r, char *text)
{
    line_cut_comment(text);
    if (word_next(text).length == 0)
        return true;
    return r->is_direct ? run_line(r, text, r->warp) : keep_line(r, text);
}

/* Carries out what the warp does up to its next barrier, from line *at on. *waits: it came to one. */
static bool run_warp(struct text_reader *r, uint32_t warp, size_t *at, bool *waits)
{
    struct text_parts *parts = &r->waiting;
    *waits = false;
    while (*at < parts->line_count && !*waits) {
        const struct part_line *line = &parts->lines[(*at)++];
        const struct text_part *part = &parts->parts[line->part];
        char *text = parts->text + line->offset;
        if (warp < part->first_warp || warp > part->last_warp)
            continue;
        r->input->line = line->number;
        if (!run_line(r, text, warp))
            return false;
        *waits = is_barrier(text);
    }
    return true;
}

/* Carries out what waits for the open block. `all`: the warps have ended then. */
static bool run_block(struct text_reader *r, bool all)
{
    uint32_t warps = launch_warps(&r->builder.launch), running;
    size_t at[WARPS_MOST] = {0};
    bool done[WARPS_MOST] = {false};
    do {
        running = 0;
        for (uint32_t warp = 0; warp < warps; warp++) {
            bool waits;
            if (done[warp])
                continue;
            if (!run_warp(r, warp, &at[warp], &waits))
                return false;
            running += waits;
            done[warp] = !waits;
            if (!waits && all && !builder_warp_has_ended(&r->builder, warp) &&
                !builder_warp_event(&r->builder, TRACE_WARP_END, warp, 1, 0))
                return false;
        }
    } while (running);
    return true;
}

bool text_parts_flush(struct text_reader *r, bool all)
{
    struct text_parts *parts = &r->waiting;
    uint64_t line = r->input->line;
    bool is_one = parts->first_block == parts->last_block, good = true;
    if (parts->count == 0)
        return true;
    for (uint64_t block = parts->first_block; good && block <= parts->last_block; block++)
        good = builder_block(&r->builder, block) && run_block(r, all) &&
               (is_one || builder_block_end(&r->builder, NULL));
    if (good)
        r->input->line = line;
    parts->count = 0;
    parts->used = parts->line_count = 0;
    return good;
}

/* ---- Heads and ends -------------------------------------------------------------------------- */

struct range {
    uint64_t first, last;
};

/* "3" or "0-3". */
static bool read_range(struct text_line *line, uint64_t most, const char *what, struct range *range)
{
    struct word word, last;
    if (!line_name(line, what, &word))
        return false;
    struct word first = word_cut(word, '-', &last);
    if (!words_number(&line->words, first, UINT32_MAX, &range->first))
        return false;
    range->last = range->first;
    if (last.s && !words_number(&line->words, last, UINT32_MAX, &range->last))
        return false;
    if (range->last > most || range->first > range->last)
        return words_fail(&line->words, word.s,
                          "there are no such %s; allowed: N or FIRST-LAST, of 0 to %llu", what,
                          (unsigned long long)most);
    return true;
}

static bool is_either(struct word word, const char *one, const char *many)
{
    return word_is(word, one) || word_is(word, many);
}

/* "all blocks", "all warps", "block 0-3", "warp 1": one or two of them. */
static bool read_head(struct text_line *line, struct range *blocks, struct range *warps)
{
    static const char *const allowed[] = {"all", "block", "warp"};
    const uint64_t last_block = blocks->last, last_warp = warps->last;
    struct text_word word;
    bool good = line_word(line, &word);
    for (; good && !word.is_end; good = good && line_word(line, &word)) {
        if (is_either(word.name, "block", "blocks"))
            good = read_range(line, last_block, "blocks", blocks);
        else if (is_either(word.name, "warp", "warps"))
            good = read_range(line, last_warp, "warps", warps);
        else if (!word_is(word.name, "all"))
            good = words_fail_unknown(&line->words, word.name, "word", allowed, 3);
        else if (good = line_word(line, &word), good && !is_either(word.name, "block", "blocks") &&
                                                    !is_either(word.name, "warp", "warps"))
            good =
                words_fail(&line->words, word.at, "all of what?; allowed: all warps, all blocks");
    }
    return good;
}

/* Finishes what waits for other blocks, or has to come before. */
static bool make_room(struct text_reader *r, const struct range *blocks)
{
    struct text_parts *parts = &r->waiting;
    bool is_same = parts->first_block == blocks->first && parts->last_block == blocks->last;
    if (parts->count && (!is_same || r->is_direct) && !text_parts_flush(r, !is_same))
        return false;
    if (blocks->first == blocks->last)
        return builder_block(&r->builder, blocks->first);
    return parts->count || (builder_block_end(&r->builder, NULL) &&
                            builder_block_check(&r->builder, blocks->first));
}

bool text_part_begin(struct text_reader *r, struct text_line *line)
{
    if (!text_launch_begins(r))
        return false;
    struct range blocks = {0, launch_blocks(&r->builder.launch) - 1};
    struct range warps = {0, launch_warps(&r->builder.launch) - 1};
    if (!read_head(line, &blocks, &warps))
        return text_fail(r);
    r->is_direct = blocks.first == blocks.last && warps.first == warps.last;
    r->warp = (uint32_t)warps.first;
    if (!make_room(r, &blocks))
        return false;
    r->place = PLACE_PART;
    if (r->is_direct)
        return true;
    if (r->waiting.count == PARTS_MOST)
        return input_fail(r->input,
                          "more parts for the same blocks than there is room for; "
                          "allowed: %d",
                          PARTS_MOST);
    r->waiting.first_block = blocks.first;
    r->waiting.last_block = blocks.last;
    r->waiting.parts[r->waiting.count++] =
        (struct text_part){(uint32_t)warps.first, (uint32_t)warps.last};
    return true;
}
