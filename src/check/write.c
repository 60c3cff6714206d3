/* write.c - words that text and JSON share. */
#include "check/write.h"

bool check_holds(const struct check_run *run, const struct finding *f)
{
    return (f->lanes_run & run->lanes_run) != 0;
}

size_t check_count(const struct check_run *run)
{
    size_t count = run->checker->info->fault_count;
    for (size_t i = 0; i < run->checker->findings.count; i++)
        count += check_holds(run, &run->checker->findings.items[i]);
    return count;
}

const char *check_where(const struct finding *f)
{
    static const char *const names[] = {[LANES_IN_STEP] = "before sm_70",
                                        [LANES_APART] = "from sm_70 on",
                                        [LANES_EITHER] = "every GPU"};
    return names[f->lanes_run & LANES_EITHER];
}

const char *check_what_to_do(const struct finding *f)
{
    if (f->lanes_run == LANES_APART && f->kind < HAZARD_LOST_UPDATE)
        return "a __syncwarp() between the two: lanes of a warp are not in step any more";
    return hazard_words[f->kind].what_to;
}

void check_notes(const struct checker *c, const char *notes[CHECK_NOTES_MAX])
{
    const struct check_limits *l = &c->limits;
    const struct {
        bool holds;
        const char *text;
    } all[] = {
        {l->no_barriers,
         "The trace's form has no barriers: nothing is found in a block, not in shared "
         "memory and not in global memory."},
        {l->out_of_step && !l->no_barriers, "Warps go on in the trace before others have come to "
                                            "the barrier: blocks where they do are "
                                            "looked at between blocks alone."},
        {l->no_syncs,
         "The trace has no __syncwarp, shuffles, votes and fences: nothing is found within "
         "a warp, no wrong masks, and every atomic and volatile store is taken for one "
         "behind a fence."},
        {l->no_values,
         "What some stores write is not known: those of equal values are found as well."},
        {l->memory_full,
         "More memory was touched than there is room for: words beyond the first ones "
         "were not looked at."},
        {l->releases_full,
         "There were more fences, atomics and volatile stores than can be followed: "
         "from there on nothing is found between blocks."},
        {c->findings.met.is_full,
         "More words were met at than can be kept apart: their numbers are too low."},
        {l->time_is_up,
         "A launch has more than 4 billion steps: what comes later was not looked at."},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].holds)
            notes[count++] = all[i].text;
    notes[count] = NULL;
}

void check_coordinates(uint32_t index, const uint32_t size[3], uint32_t xyz[3])
{
    xyz[0] = index % size[0];
    xyz[1] = index / size[0] % size[1];
    xyz[2] = index / size[0] / size[1];
}
