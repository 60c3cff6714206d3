/* sampling.c - decisions on when a group of waves has settled:
 *
 * Its waves take the same time, and move as much at each level, to within SETTLED_PERCENT. And L2 takes up no new lines:
 * as long as it does, nothing is written back, and the same waves will take longer once it is full.
 *
 * The error has four parts, which are added up since nothing says that they are independent: the difference between
 * the groups on both sides of a stretch, since what lies between may be as far from both as they are from each other; three standard errors of their means, since a mean of four waves
 * strays further than one of many; what the waves behind the stretch took more or less than those of the group,
 * since they found other caches than they would have; and the share of blocks that would have to be of another kind
 * for the blocks left out to be what was modelled.
 */
#include "sim/time/sampling.h"

#include <math.h>
#include <string.h>

enum { SETTLED_PERCENT = 10, STANDARD_ERRORS = 3 };
#define LEAST_ERROR 0.005 /* of the time of blocks left out: waves beside them may be equal to the tick */

void sampling_start(struct sampling *s, uint64_t wave_blocks, uint64_t blocks)
{
    memset(s, 0, sizeof *s);
    s->wave_blocks = wave_blocks;
    s->blocks = blocks;
    s->stretch_waves = SAMPLING_FIRST_STRETCH_WAVES;
}

bool sampling_is_long(const struct sampling *s)
{
    const uint64_t least = SAMPLING_WARM_WAVES + SAMPLING_GROUP_WAVES +
                           SAMPLING_SHORTEST_STRETCH_WAVES + SAMPLING_LAST_WAVES;
    return s->wave_blocks > 0 && s->blocks > least * s->wave_blocks; /* a wave ends when the next begins */
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static struct sampling_kind *find_kind(struct sampling *s, uint64_t kind)
{
    for (uint32_t i = 0; i < s->kind_count; i++)
        if (s->kinds[i].kind == kind)
            return &s->kinds[i];
    return NULL;
}

static void model_kind(struct sampling *s, struct sampling_kind *known, uint64_t kind)
{
    if (known == NULL && s->kind_count == SAMPLING_KINDS_MAX) {
        s->has_unlike = true;
        return;
    }
    if (known == NULL) {
        known = &s->kinds[s->kind_count++];
        *known = (struct sampling_kind){.kind = kind};
    }
    known->modelled++;
}

/* The block is modelled, the first one behind a stretch. */
static void begin_again(struct sampling *s)
{
    s->stretch_left = 0;
    s->modelled = 0;
    s->mark_count = 0;
}

bool sampling_models(struct sampling *s, uint64_t kind)
{
    struct sampling_kind *known = find_kind(s, kind);
    s->taken++;
    if (s->stretch_left && known) {
        known->left_out++;
        s->left_out++;
        s->stretch++;
        if (--s->stretch_left == 0)
            begin_again(s);
        return false;
    }
    if (s->stretch_left)
        begin_again(s);
    model_kind(s, known, kind);
    s->modelled++;
    return true;
}

/* ---- Waves ----------------------------------------------------------------------------------- */

bool sampling_ends_wave(const struct sampling *s)
{
    return s->modelled > 0 && (s->modelled - 1) % s->wave_blocks == 0 && !s->has_unlike;
}

/* The least and the most that a wave of the group has of a figure differ by no more than a share of `whole`. */
static bool agree(const struct sampling *s, int figure, double whole)
{
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; i + 1 < s->mark_count; i++) {
        const struct sampling_figures *from = &s->marks[i], *to = &s->marks[i + 1];
        const double more = (double)(figure < 0 ? to->ticks - from->ticks
                                                : to->traffic[figure] - from->traffic[figure]);
        least = more < least ? more : least;
        most = more > most ? more : most;
    }
    return (most - least) * 100 <= SETTLED_PERCENT * whole;
}

static bool has_settled(const struct sampling *s)
{
    const struct sampling_figures *first = &s->marks[0], *last = &s->marks[SAMPLING_GROUP_WAVES];
    double most = 0;
    for (int i = 0; i < SAMPLING_TRAFFIC; i++)
        most = fmax(most, (double)(last->traffic[i] - first->traffic[i]) / SAMPLING_GROUP_WAVES);
    for (int i = 0; i < SAMPLING_TRAFFIC; i++)
        if (!agree(s, i, most))
            return false;
    const double ticks = (double)(last->ticks - first->ticks) / SAMPLING_GROUP_WAVES;
    return agree(s, -1, ticks) && last->free_lines == first->free_lines;
}

/* Of the waves between the marks, of which there is one at least: a single one strays twice as far as four. */
static struct sampling_mean mean_of(const struct sampling *s)
{
    const uint32_t waves = s->mark_count - 1;
    const double mean = (double)(s->marks[waves].ticks - s->marks[0].ticks) / waves;
    double squares = 0;
    for (uint32_t i = 0; i < waves; i++) {
        const double off = (double)(s->marks[i + 1].ticks - s->marks[i].ticks) - mean;
        squares += off * off;
    }
    return (struct sampling_mean){mean, waves > 1 ? sqrt(squares / (waves - 1) / waves)
                                                  : 2 * s->before.deviation};
}

/* The stretch takes the mean of the groups on its sides; `found`: ticks that the waves behind it took more. */
static void close_stretch(struct sampling *s, struct sampling_mean after, double found)
{
    const double waves = (double)s->stretch / (double)s->wave_blocks;
    const double apart = fabs(after.ticks - s->before.ticks);
    const double strays = STANDARD_ERRORS * hypot(after.deviation, s->before.deviation) / 2;
    const double ticks = waves * (after.ticks + s->before.ticks) / 2;
    s->ticks += ticks;
    s->error_ticks += fmax(waves * (apart + strays), LEAST_ERROR * ticks) + fabs(found);
    s->stretch = 0;
}

/* How long a stretch may begin now: whole waves, so that those behind it are as they would have been. */
static uint64_t next_stretch(struct sampling *s)
{
    const uint64_t left = (s->blocks - s->taken) / s->wave_blocks;
    uint64_t waves = s->stretch_waves;
    if (left < SAMPLING_SHORTEST_STRETCH_WAVES + SAMPLING_LAST_WAVES)
        return 0;
    if (waves > left - SAMPLING_LAST_WAVES)
        waves = left - SAMPLING_LAST_WAVES;
    if (s->stretch_waves < SAMPLING_LONGEST_STRETCH_WAVES)
        s->stretch_waves *= 2;
    return waves * s->wave_blocks;
}

/* Ticks beyond the mean of the waves that were modelled behind the stretch before the group began. */
static double found_more(const struct sampling *s, struct sampling_mean mean)
{
    const uint64_t before_group = s->modelled - 1 - (s->mark_count - 1) * s->wave_blocks;
    const double waves = (double)before_group / (double)s->wave_blocks;
    return (double)(s->marks[0].ticks - s->began_ticks) - waves * mean.ticks;
}

static void settle(struct sampling *s)
{
    const struct sampling_mean mean = mean_of(s);
    if (s->stretch)
        close_stretch(s, mean, found_more(s, mean));
    s->has_settled = true;
    s->before = mean;
    s->stretch_left = next_stretch(s);
}

enum sampling_mark sampling_note(struct sampling *s, const struct sampling_figures *now)
{
    if (s->modelled == 1)
        s->began_ticks = now->ticks;
    if (s->modelled <= SAMPLING_WARM_WAVES * s->wave_blocks)
        return SAMPLING_GOES_ON;
    s->marks[s->mark_count++] = *now;
    if (s->mark_count == 1)
        return SAMPLING_GROUP_BEGINS;
    if (s->mark_count <= SAMPLING_GROUP_WAVES)
        return SAMPLING_GOES_ON;
    if (has_settled(s)) {
        settle(s);
        if (s->stretch_left)
            return SAMPLING_GROUP_SETTLED;
    }
    s->marks[0] = *now;
    s->mark_count = 1;
    return SAMPLING_GROUP_BEGINS;
}

/* ---- The end --------------------------------------------------------------------------------- */

/* The share of the blocks left out that are of other kinds than as many of those modelled. */
static double mix_differs(const struct sampling *s)
{
    double modelled = 0, apart = 0;
    for (uint32_t i = 0; i < s->kind_count; i++)
        modelled += (double)s->kinds[i].modelled;
    for (uint32_t i = 0; i < s->kind_count; i++)
        apart += fabs((double)s->kinds[i].modelled / modelled -
                      (double)s->kinds[i].left_out / (double)s->left_out);
    return apart / 2;
}

void sampling_end(struct sampling *s)
{
    if (s->stretch && s->mark_count > 1) {
        const struct sampling_mean mean = mean_of(s);
        close_stretch(s, mean, found_more(s, mean));
    } else if (s->stretch) {
        close_stretch(s, s->before, 0);
    }
    if (s->left_out)
        s->error_ticks += mix_differs(s) * s->ticks;
}
