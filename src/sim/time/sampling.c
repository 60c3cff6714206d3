/* sampling.c - decisions on when a group of waves has settled:
 *
 * Both halves take the same time on average, and move as much at each level, to within SETTLED_PERCENT. Single waves need
 * not be alike: where every eighth is a slow one, groups that have none would be taken for the rule. And L2 takes up
 * no new lines, or less than a thousandth of it: as long as it does, nothing is written back, and the same waves will take longer once it is full.
 *
 * The error has parts, which are added up since nothing says that they are independent: the difference between the
 * groups on both sides of a stretch, since what lies between may be as far from both as they are from each other; three
 * standard errors of their means, or the drift within a group where that is more, since a GPU whose blocks have not run
 * is behind the stretch where it was before; what the waves behind the stretch took more or less than those of the
 * group, since they found other caches than they would have; and the share of blocks that would have to be of another
 * kind for the blocks left out to be what was modelled.
 */
#include "sim/time/sampling.h"

#include <math.h>
#include <string.h>

enum { SETTLED_PERCENT = 10, STANDARD_ERRORS = 3, FILLS_ONE_OF = 1000 };
#define LEAST_ERROR                                                                                \
    0.005 /* of the time of blocks left out: waves beside them may be equal to the tick */

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
    return s->wave_blocks > 0 &&
           s->blocks > least * s->wave_blocks; /* a wave ends when the next begins */
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

/* What the waves from mark `from` to mark `to` add to a figure, each on average; -1: ticks. */
static double each(const struct sampling *s, int figure, uint32_t from, uint32_t to)
{
    const struct sampling_figures *a = &s->marks[from], *b = &s->marks[to];
    const uint64_t more =
        figure < 0 ? b->ticks - a->ticks : b->traffic[figure] - a->traffic[figure];
    return (double)more / (to - from);
}

/* Both halves of the group have as much of a figure, to within a share of `whole`. */
static bool halves_agree(const struct sampling *s, int figure, double whole)
{
    const uint32_t end = SAMPLING_GROUP_WAVES, half = end / 2;
    const double apart = fabs(each(s, figure, 0, half) - each(s, figure, half, end));
    return apart * 100 <= SETTLED_PERCENT * whole;
}

/* The last of many sets may get their last lines late. */
static bool is_filling(const struct sampling *s)
{
    const struct sampling_figures *first = &s->marks[0], *last = &s->marks[SAMPLING_GROUP_WAVES];
    return (first->free_lines - last->free_lines) * FILLS_ONE_OF > last->lines;
}

static bool has_settled(const struct sampling *s)
{
    double most = 0;
    for (int i = 0; i < SAMPLING_TRAFFIC; i++)
        most = fmax(most, each(s, i, 0, SAMPLING_GROUP_WAVES));
    for (int i = 0; i < SAMPLING_TRAFFIC; i++)
        if (!halves_agree(s, i, most))
            return false;
    return halves_agree(s, -1, each(s, -1, 0, SAMPLING_GROUP_WAVES)) && !is_filling(s);
}

/* Of the waves between the marks, of which there is one at least. Of a single one it is not known how it strays. */
static struct sampling_mean mean_of(const struct sampling *s)
{
    const uint32_t waves = s->mark_count - 1;
    struct sampling_mean mean = {.ticks = each(s, -1, 0, waves), .error = 2 * s->before.error};
    double squares = 0;
    if (waves == 1)
        return mean;
    for (uint32_t i = 0; i < waves; i++) {
        const double off = each(s, -1, i, i + 1) - mean.ticks;
        squares += off * off;
    }
    mean.error = sqrt(squares / (waves - 1) / waves);
    mean.drift = fabs(each(s, -1, 0, waves / 2) - each(s, -1, waves / 2, waves));
    return mean;
}

/* The stretch takes the mean of the groups on its sides; `found`: ticks that the waves behind it took more. */
static void close_stretch(struct sampling *s, struct sampling_mean after, double found)
{
    const struct sampling_mean before = s->before;
    const double waves = (double)s->stretch / (double)s->wave_blocks;
    const double ticks = waves * (after.ticks + before.ticks) / 2;
    const double strays = STANDARD_ERRORS * hypot(after.error, before.error) / 2;
    const double wrong =
        fabs(after.ticks - before.ticks) + fmax(strays, fmax(before.drift, after.drift));
    s->ticks += ticks;
    s->error_ticks += fmax(waves * wrong, LEAST_ERROR * ticks) + fabs(found);
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
    const uint64_t waves = (s->modelled - 1) / s->wave_blocks - (s->mark_count - 1);
    return (double)(s->marks[0].ticks - s->began_ticks) - (double)waves * mean.ticks;
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
