/* text.c - a question and its answer in words.
 *
 * A question shows where the access comes from, the rule in a sentence, and the address of every
 * lane; nothing of what the rule makes of it. Addresses are hexadecimal, as in the steps of the
 * answer; shared memory is told in words of 4 bytes, since the bank is the word's number modulo the
 * number of banks.
 */
#include <inttypes.h>
#include <string.h>

#include "embed/embed.h"
#include "quiz/quiz.h"
#include "quiz/text_pattern.h"
#include "report/report.h"

enum { CELL_BYTES = 24, WORD_BYTES = 4, STATEMENT_LINES_MOST = 4 };

/* What is counted, and how it is asked for. */
struct noun {
    const char *name, *plural, *size, *verb;
};

static const struct noun nouns[COALESCE_RULE_COUNT] = {
    [COALESCE_HALF_WARP_STRICT] = {"transaction", "s", "", "make"},
    [COALESCE_HALF_WARP_SEGMENT] = {"transaction", "s", "", "make"},
    [COALESCE_LINE_128] = {"transaction", "s", " of 128 bytes", "make"},
    [COALESCE_SEGMENT_32] = {"transaction", "s", " of 32 bytes", "make"},
    [COALESCE_STORE_124] = {"transaction", "s", "", "make"},
    [COALESCE_SECTOR_GROUPED] = {"transaction", "s", " of 32 bytes", "make"},
    [COALESCE_SECTOR_SPLIT_REQUESTS] = {"sector", "s", " of 32 bytes", "move"},
    [COALESCE_SECTOR] = {"sector", "s", " of 32 bytes", "move"},
    [COALESCE_SECTOR_ROUNDS] = {"sector", "s", " of 32 bytes", "move"},
    [COALESCE_LANE] = {"transaction", "s", "", "make"},
};

static struct noun noun_of(const struct quiz_question *question)
{
    if (question->figures.path != PATH_MEMORY)
        return (struct noun){"pass", "es", "", "take"};
    if (question->asked == QUIZ_BYTES)
        return (struct noun){"byte", "s", "", "move"};
    return nouns[question->figures.rule];
}

struct warp_access quiz_access(const struct quiz_question *question)
{
    struct warp_access access = question->access;
    access.addr = question->addr;
    access.copy = question->has_copy ? &question->copy : NULL;
    return access;
}

struct explain_subject quiz_subject(const struct quiz_question *question,
                                    const struct warp_access *access)
{
    return (struct explain_subject){.access = access,
                                    .model = question->gpu->model,
                                    .arch = &question->gpu->arch,
                                    .tile = question->pattern ? &question->tile : NULL};
}

uint32_t quiz_answer(const struct quiz_question *question)
{
    if (question->asked == QUIZ_SWIZZLED)
        return text_pattern_swizzled(question);
    return question->asked == QUIZ_BYTES ? question->figures.bytes_moved : question->figures.count;
}

/* ---- the source ------------------------------------------------------------------------------ */

/* The last character of a line of the source; '\0' when it is blank or not there. */
static char end_of_line(const char *file, uint32_t line)
{
    size_t length;
    const char *text = embedded_line(gallery_texts, file, line, &length);
    return text ? text[length - 1] : '\0';
}

/* Whether a line is of the statement that the line before it has begun. */
static bool goes_on(const char *file, uint32_t line)
{
    const char end = end_of_line(file, line - 1);
    return end && strchr("=+-*,(?", end) != NULL;
}

/* The statement that the access is in, from its first line to its last. */
static void write_source(const struct quiz_question *question, FILE *out)
{
    uint32_t line = question->line;
    while (goes_on(question->file, line))
        line--;
    for (const uint32_t first = line; line < first + STATEMENT_LINES_MOST; line++) {
        size_t length;
        const char *text = embedded_line(gallery_texts, question->file, line, &length);
        if (text == NULL)
            return;
        fprintf(out, "    %s%.*s\n", line == first ? "" : "    ", (int)length, text);
        if (strchr(";{}:", text[length - 1]))
            return;
    }
}

static void write_place(const struct quiz_question *question, FILE *out)
{
    const struct gallery_args *args = &question->of->args;
    fprintf(out, "%s", question->of->kernel->name);
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && args->params[i].name; i++)
        fprintf(out, "%s %s=%lld", i ? "" : " with", args->params[i].name, args->values[i]);
    fprintf(out, ", %s:%" PRIu32 "\n", question->file, question->line);
}

/* ---- the lanes ------------------------------------------------------------------------------- */

static bool counts_words(const struct quiz_question *question)
{
    return question->access.space == SPACE_SHARED && question->access.width >= WORD_BYTES;
}

static void cell_of(const struct quiz_question *question, unsigned lane, char cell[CELL_BYTES])
{
    const uint64_t addr = question->addr[lane];
    if (!access_lane_active(&question->access, lane))
        snprintf(cell, CELL_BYTES, "--");
    else if (counts_words(question))
        snprintf(cell, CELL_BYTES, "%" PRIu64, addr / WORD_BYTES);
    else
        snprintf(cell, CELL_BYTES, "0x%" PRIx64, addr);
}

static unsigned cell_width(const struct quiz_question *question)
{
    unsigned width = 2;
    char cell[CELL_BYTES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        cell_of(question, lane, cell);
        width = strlen(cell) > width ? (unsigned)strlen(cell) : width;
    }
    return width;
}

static void write_lanes(const struct quiz_question *question, FILE *out)
{
    const unsigned width = cell_width(question);
    const unsigned lanes_a_row = 16 * (width + 1) + 10 <= 100 ? 16 : 8;
    char cell[CELL_BYTES];
    for (unsigned first = 0; first < WARP_LANES; first += lanes_a_row) {
        fputs("  lane   ", out);
        for (unsigned lane = first; lane < first + lanes_a_row; lane++)
            fprintf(out, " %*u", (int)width, lane);
        fprintf(out, "\n  %-7s", counts_words(question) ? "word" : "address");
        for (unsigned lane = first; lane < first + lanes_a_row; lane++) {
            cell_of(question, lane, cell);
            fprintf(out, " %*s", (int)width, cell);
        }
        fputc('\n', out);
    }
}

/* From where the numbers of the table count. */
static void write_origin(const struct quiz_question *question, FILE *out)
{
    if (counts_words(question))
        fputs("  A word is 4 bytes; word 0 is in bank 0.\n", out);
    else if (question->access.space == SPACE_SHARED)
        fputs("  Address 0 is in bank 0.\n", out);
    else if (question->access.space == SPACE_GLOBAL && question->array[0] != '\0')
        fprintf(out, "  Addresses count from the beginning of %s, a multiple of 256.\n",
                question->array);
    else if (question->access.space != SPACE_CONSTANT)
        fputs("  Addresses count from a multiple of 256.\n", out);
    if (~question->access.active != 0)
        fputs("  A lane with -- is off.\n", out);
}

/* ---- question and answer --------------------------------------------------------------------- */

static void write_access(const struct quiz_question *question, const struct warp_access *access,
                         FILE *out)
{
    const struct explain_subject subject = quiz_subject(question, access);
    explain_head(&subject, out);
    fputc('\n', out);
    write_lanes(question, out);
    if (question->has_copy)
        text_pattern_destinations(question, out);
    write_origin(question, out);
}

void quiz_write_question(const struct quiz_question *question, FILE *out)
{
    const struct warp_access access = quiz_access(question);
    const struct noun noun = noun_of(question);
    if (question->pattern)
        text_pattern_place(question, out);
    if (question->asked == QUIZ_SWIZZLED) {
        text_pattern_ask_swizzled(question, out);
        return;
    }
    if (question->pattern) {
        write_access(question, &access, out);
        fprintf(out, "\nHow many passes%s does this access take?\n",
                question->has_copy ? " into shared memory" : "");
        return;
    }
    write_place(question, out);
    write_source(question, out);
    fprintf(out, "%s %s%s%s, block %" PRIu32 ", warp %" PRIu32 "\n\n",
            mem_space_names[access.space], mem_op_names[access.op],
            question->array[0] ? " of " : "", question->array, access.block, access.warp);
    write_access(question, &access, out);
    fprintf(out, "\nHow many %s%s%s does this access %s?\n", noun.name, noun.plural, noun.size,
            noun.verb);
}

void quiz_write_answer(const struct quiz_question *question, FILE *out)
{
    const uint32_t answer = quiz_answer(question);
    const struct noun noun = noun_of(question);
    if (question->asked == QUIZ_SWIZZLED) {
        fprintf(out, "element %" PRIu32, answer);
        return;
    }
    fprintf(out, "%" PRIu32 " %s%s%s", answer, noun.name, answer == 1 ? "" : noun.plural,
            noun.size);
}

void quiz_write_reasons(const struct quiz_question *question, FILE *out)
{
    const struct warp_access access = quiz_access(question);
    const struct explain_subject subject = quiz_subject(question, &access);
    if (question->asked == QUIZ_SWIZZLED)
        text_pattern_reason(question, out);
    else
        explain_reasons(&subject, out);
}

/* ---- the course ------------------------------------------------------------------------------ */

static bool is_struct(const struct quiz_question *question)
{
    return strcmp(question->file, "structs.c") == 0 || strcmp(question->file, "layouts.c") == 0;
}

const char *quiz_lesson(const struct quiz_question *question)
{
    const enum coalesce_rule rule = question->figures.rule;
    if (question->pattern)
        return "docs/layouts.md";
    if (access_is_matrix(&question->access))
        return "docs/course/14-fragments.md";
    if (question->figures.path == PATH_BANKS)
        return "docs/course/07-banks.md";
    if (question->access.space != SPACE_GLOBAL)
        return "docs/course/11-reuse.md";
    if (is_struct(question))
        return "docs/course/06-structs.md";
    if (rule == COALESCE_HALF_WARP_STRICT || rule == COALESCE_HALF_WARP_SEGMENT)
        return "docs/course/03-half-warps.md";
    if (rule == COALESCE_LINE_128 || rule == COALESCE_STORE_124 || rule == COALESCE_SECTOR_GROUPED)
        return "docs/course/05-lines-and-segments.md";
    return "docs/course/04-offset-and-stride.md";
}
