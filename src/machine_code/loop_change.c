/* loop_change.c - how values change over an iteration, and where they come from in front of a loop. The decisions are in loop_step.c. */
#include "machine_code/loop_code.h"

bool loop_writes(const struct code_effect *effect, int64_t place)
{
    if (effect->kind == EFFECT_CLOBBER)
        return place < 16 && effect->registers >> place & 1U;
    return (effect->kind == EFFECT_SUM || effect->kind == EFFECT_MIX) && effect->to == place;
}

/* The last instruction in front of `at`, around the loop, that writes `place` with anything but
 * itself plus a constant, which sets *stepped; `at` itself is the last one looked at. False when
 * there is none. */
static bool find_source(const struct loop_range *loop, int64_t place, unsigned *at, bool *stepped)
{
    *stepped = false;
    for (unsigned left = loop->last - loop->first + 1; left > 0; left--) {
        *at = *at == loop->first ? loop->last : *at - 1;
        const struct code_effect *effect = &loop->code[*at].effect;
        if (code_effect_adds_constant(effect) && effect->to == place)
            *stepped = true;
        else if (loop_writes(effect, place))
            return true;
    }
    return false;
}

/* How the value in `place` changes that the instruction `at` finds there. `copies`: all that was
 * followed up to here were copies and additions of constants, so going on for ever means that they
 * go round the loop, and the value with them by a constant. */
static enum change change_of(const struct loop_range *loop, int64_t place, unsigned at,
                             unsigned depth, bool copies)
{
    bool stepped;
    if (place == PLACE_NONE || place == PLACE_FIXED)
        return CHANGE_NONE;
    if (place == PLACE_UNKNOWN)
        return CHANGE_OTHER;
    if (!find_source(loop, place, &at, &stepped))
        return stepped ? CHANGE_CONSTANT : CHANGE_NONE;
    const struct code_effect *source = &loop->code[at].effect;
    if (source->kind == EFFECT_CLOBBER)
        return CHANGE_OTHER;
    if (depth == LOOP_DEPTH_MAX)
        return copies ? CHANGE_CONSTANT : CHANGE_OTHER;
    copies = copies && source->kind == EFFECT_SUM && source->from[1] == PLACE_NONE;
    enum change first = change_of(loop, source->from[0], at, depth + 1, copies);
    enum change change =
        loop_larger(first, change_of(loop, source->from[1], at, depth + 1, copies));
    return source->kind == EFFECT_MIX && change != CHANGE_NONE ? CHANGE_OTHER : change;
}

enum change loop_change(const struct loop_range *loop, int64_t place, unsigned at)
{
    return change_of(loop, place, at, 0, true);
}

bool loop_grows_steadily(const struct loop_range *loop, int64_t place, unsigned at, int64_t *step)
{
    unsigned grown_at = LOOP_NOBODY;
    bool stepped;
    *step = PLACE_NONE;
    for (unsigned left = LOOP_DEPTH_MAX; left > 0; left--) {
        if (place < 0 || !find_source(loop, place, &at, &stepped) || stepped)
            return false;
        if (at == grown_at)
            return true;
        const struct code_effect *source = &loop->code[at].effect;
        if (source->kind != EFFECT_SUM || (source->from[1] != PLACE_NONE && source->factor != 1))
            return false;
        place = source->from[0];
        if (source->from[1] == PLACE_NONE)
            continue;
        const bool is_step[] = {loop_change(loop, source->from[0], at) == CHANGE_NONE,
                                loop_change(loop, source->from[1], at) == CHANGE_NONE};
        if (is_step[0] == is_step[1] || grown_at != LOOP_NOBODY)
            return false;
        place = source->from[is_step[0]];
        grown_at = at;
        *step = source->from[is_step[1]];
    }
    return false;
}

static bool adds_steady(const struct loop_range *loop, int64_t place, unsigned at, unsigned depth)
{
    bool stepped;
    int64_t step;
    if (loop_grows_steadily(loop, place, at, &step))
        return true;
    if (depth == 0 || place < 0 || !find_source(loop, place, &at, &stepped) ||
        loop->code[at].effect.kind != EFFECT_SUM)
        return false;
    const int64_t *from = loop->code[at].effect.from;
    return adds_steady(loop, from[0], at, depth - 1) || adds_steady(loop, from[1], at, depth - 1);
}

bool loop_adds_steady(const struct loop_range *loop, int64_t place, unsigned at)
{
    return adds_steady(loop, place, at, LOOP_DEPTH_MAX / 2);
}

/* ---- Before the loop -------------------------------------------------------------------------- */

unsigned loop_find_before(const struct loop_instruction *code, int64_t place, unsigned at)
{
    while (at > 0) {
        const struct code_effect *effect = &code[--at].effect;
        if (loop_writes(effect, place) && !code_effect_adds_constant(effect))
            return at;
    }
    return LOOP_NOBODY;
}

int64_t loop_trace_back(const struct loop_instruction *code, int64_t place, unsigned *at)
{
    for (unsigned left = LOOP_DEPTH_MAX; left > 0 && place >= 0; left--) {
        unsigned source = loop_find_before(code, place, *at);
        if (source == LOOP_NOBODY) {
            *at = LOOP_NOBODY;
            return place;
        }
        const struct code_effect *effect = &code[source].effect;
        *at = source;
        if (effect->kind != EFFECT_SUM || effect->from[1] != PLACE_NONE)
            return place;
        place = effect->from[0];
    }
    return place;
}
