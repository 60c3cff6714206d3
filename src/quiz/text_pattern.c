/* text_pattern.c - the words of questions about tiles. */
#include "quiz/text_pattern.h"

#include <inttypes.h>

#include "quiz/patterns.h"

enum { LANES_A_ROW = 8 };

void text_pattern_place(const struct quiz_question *question, FILE *out)
{
    fprintf(out, "%s\n    %s\n\n", question->pattern->title, question->pattern->text);
}

void text_pattern_destinations(const struct quiz_question *question, FILE *out)
{
    for (unsigned first = 0; first < WARP_LANES; first += LANES_A_ROW) {
        fprintf(out, "  lanes %2u-%2u go to", first, first + LANES_A_ROW - 1);
        for (unsigned lane = first; lane < first + LANES_A_ROW; lane++)
            fprintf(out, " 0x%" PRIx64, question->copy.to[lane]);
        fputc('\n', out);
    }
}

static unsigned last_lane(const struct quiz_question *question)
{
    return WARP_LANES - 1U - (unsigned)__builtin_clz(question->access.active);
}

static uint64_t element_of(const struct quiz_question *question)
{
    return question->tile.offset[last_lane(question)] / question->tile.unit_bytes;
}

uint32_t text_pattern_swizzled(const struct quiz_question *question)
{
    return (uint32_t)swizzle_apply(question->tile.swizzle, element_of(question));
}

void text_pattern_ask_swizzled(const struct quiz_question *question, FILE *out)
{
    const struct swizzle s = question->tile.swizzle;
    fprintf(out,
            "Lane %u takes element %" PRIu64
            " of the layout. At the place of which element does Swizzle<%u,%u,%d> put it?\n",
            last_lane(question), element_of(question), s.bits, s.base, s.shift);
}

void text_pattern_reason(const struct quiz_question *question, FILE *out)
{
    const struct swizzle s = question->tile.swizzle;
    const uint64_t element = element_of(question);
    const uint64_t read = element >> (s.base + s.shift) & ((UINT64_C(1) << s.bits) - 1);
    fprintf(
        out,
        "Swizzle<%u,%u,%d>: the %u bits from bit %d on are exclusive-ored into those from bit %u "
        "on.\nOf %" PRIu64 " they are %" PRIu64 ": %" PRIu64 " ^ (%" PRIu64 " << %u) = %" PRIu32
        ".\n",
        s.bits, s.base, s.shift, s.bits, s.base + s.shift, s.base, element, read, element, read,
        s.base, text_pattern_swizzled(question));
}
