/* diff_match.c - what was before -> what it is now, the surest matches first. Runs: the same kernel, GPU,
 * parameters and changes; then what is left alone of its kind. Spots: the same line, access and arrays;
 * then the only one with that access to those arrays, for code that has moved or is in another file; then
 * the same line and access, for arrays that got another name. What could be one of several has no partner:
 * a wrong one would be worse. */
#include <stdlib.h>
#include <string.h>

#include "gate/diff.h"
#include "text/memory.h"

/* ---- Runs ------------------------------------------------------------------------------------------ */

enum { SAME_GPU = 1, SAME_KERNEL = 2, SAME_PARAMS = 4, SAME_CHANGES = 8 };

static bool is_like(const struct report_entry *a, const struct report_entry *b, unsigned what)
{
    return (!(what & SAME_GPU) || strcmp(a->gpu, b->gpu) == 0) &&
           (!(what & SAME_KERNEL) || strcmp(a->kernel, b->kernel) == 0) &&
           (!(what & SAME_PARAMS) || strcmp(a->params, b->params) == 0) &&
           (!(what & SAME_CHANGES) || strcmp(a->changes, b->changes) == 0);
}

/* The only free sheet that is like this one; NULL when there is none, or several. */
static const struct sheet *only_like(const struct sheets *sheets, const bool *taken,
                                     const struct sheet *like, unsigned what)
{
    const struct sheet *found = NULL;
    for (size_t i = 0; i < sheets->count; i++) {
        if (taken[i] || !is_like(&sheets->sheets[i].run, &like->run, what))
            continue;
        if (found)
            return NULL;
        found = &sheets->sheets[i];
    }
    return found;
}

static void pair_like(struct diff *diff, const struct sheets *before, const struct sheets *after,
                      bool *taken, unsigned what)
{
    bool *before_taken = taken, *after_taken = taken + before->count;
    for (size_t i = 0; i < before->count; i++) {
        if (before_taken[i])
            continue;
        const struct sheet *found = only_like(after, after_taken, &before->sheets[i], what);
        if (found == NULL || only_like(before, before_taken, found, what) == NULL)
            continue;
        diff->pairs[i].after = found;
        before_taken[i] = after_taken[found - after->sheets] = true;
    }
}

bool diff_match_runs(struct diff *diff, const struct sheets *before, const struct sheets *after)
{
    static const unsigned kinds[] = {SAME_GPU | SAME_KERNEL | SAME_PARAMS | SAME_CHANGES,
                                     SAME_GPU | SAME_PARAMS | SAME_CHANGES,
                                     SAME_GPU | SAME_KERNEL | SAME_CHANGES,
                                     SAME_GPU | SAME_CHANGES,
                                     SAME_GPU,
                                     SAME_KERNEL | SAME_PARAMS,
                                     0};
    bool *taken = memory_take(before->count + after->count + 1, sizeof *taken);
    diff->pairs = memory_take(before->count + after->count + 1, sizeof *diff->pairs);
    if (taken == NULL || diff->pairs == NULL) {
        free(taken);
        return false;
    }
    for (size_t i = 0; i < before->count; i++)
        diff->pairs[diff->count++].before = &before->sheets[i];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        pair_like(diff, before, after, taken, kinds[i]);
    for (size_t i = 0; i < after->count; i++)
        if (!taken[before->count + i])
            diff->pairs[diff->count++].after = &after->sheets[i];
    free(taken);
    return true;
}

/* ---- Spots ----------------------------------------------------------------------------------------- */

struct spots {
    struct diff_spot *spots; /* owned */
    bool *taken;             /* owned */
    size_t count;
};

static bool is_kind(const struct sheet_access *access, const struct diff_spot *spot)
{
    return access->space == spot->space && access->op == spot->op;
}

static void add_spots(struct spots *spots, const struct sheet_part *line)
{
    size_t first = spots->count;
    for (size_t i = 0; i < line->access_count; i++) {
        size_t k = first;
        while (k < spots->count && !is_kind(&line->accesses[i], &spots->spots[k]))
            k++;
        if (k == spots->count)
            spots->spots[spots->count++] = (struct diff_spot){
                .line = line, .space = line->accesses[i].space, .op = line->accesses[i].op};
    }
    if (spots->count == first + 1)
        spots->spots[first].is_whole_line = true;
}

static bool find_spots(struct spots *spots, const struct sheet *sheet)
{
    size_t room = 1;
    for (size_t i = 0; i < sheet->lines.count; i++)
        room += sheet->lines.parts[i].access_count;
    *spots = (struct spots){.spots = memory_take(room, sizeof *spots->spots),
                            .taken = memory_take(room, sizeof *spots->taken)};
    if (spots->spots == NULL || spots->taken == NULL)
        return false;
    for (size_t i = 0; i < sheet->lines.count; i++)
        add_spots(spots, &sheet->lines.parts[i]);
    return true;
}

static bool has_array(const struct diff_spot *spot, const char *array)
{
    for (size_t i = 0; i < spot->line->access_count; i++)
        if (is_kind(&spot->line->accesses[i], spot) &&
            strcmp(spot->line->accesses[i].array, array) == 0)
            return true;
    return false;
}

/* All arrays of a spot are the other's too. */
static bool has_arrays(const struct diff_spot *spot, const struct diff_spot *of, bool named)
{
    for (size_t i = 0; i < of->line->access_count; i++) {
        const struct sheet_access *access = &of->line->accesses[i];
        if (is_kind(access, of) &&
            ((named && access->array[0] == '\0') || !has_array(spot, access->array)))
            return false;
    }
    return true;
}

static bool same_place(const struct diff_spot *a, const struct diff_spot *b)
{
    return a->line->line == b->line->line && strcmp(a->line->name, b->line->name) == 0;
}

static bool is_same(const struct diff_spot *a, const struct diff_spot *b)
{
    return same_place(a, b) && has_arrays(a, b, false) && has_arrays(b, a, false);
}

static bool has_moved(const struct diff_spot *a, const struct diff_spot *b)
{
    return has_arrays(a, b, true) && has_arrays(b, a, true);
}

/* How many free spots are like this one by `like`; the first of them in *found. */
static size_t count_like(const struct spots *spots, const struct diff_spot *spot,
                         bool (*like)(const struct diff_spot *, const struct diff_spot *),
                         size_t *found)
{
    size_t count = 0;
    for (size_t i = 0; i < spots->count; i++) {
        const struct diff_spot *other = &spots->spots[i];
        if (spots->taken[i] || other->space != spot->space || other->op != spot->op ||
            !like(other, spot))
            continue;
        if (count++ == 0)
            *found = i;
    }
    return count;
}

static void match_like(struct diff_pair *pair, struct spots *before, struct spots *after,
                       bool (*like)(const struct diff_spot *, const struct diff_spot *))
{
    for (size_t i = 0; i < before->count; i++) {
        size_t there, back;
        if (before->taken[i])
            continue;
        size_t count = count_like(after, &before->spots[i], like, &there);
        if (count == 0)
            continue;
        if (count > 1 || count_like(before, &after->spots[there], like, &back) > 1) {
            pair->matches[i].is_ambiguous = true;
            continue;
        }
        pair->matches[i].after = after->spots[there];
        pair->matches[i].is_ambiguous = false;
        before->taken[i] = after->taken[there] = true;
    }
}

static bool match_spots(struct diff_pair *pair, struct spots *before, struct spots *after)
{
    size_t unused;
    pair->matches = memory_take(before->count + after->count + 1, sizeof *pair->matches);
    if (pair->matches == NULL)
        return false;
    for (size_t i = 0; i < before->count; i++)
        pair->matches[i].before = before->spots[i];
    pair->match_count = before->count;
    match_like(pair, before, after, is_same);
    match_like(pair, before, after, has_moved);
    match_like(pair, before, after, same_place);
    for (size_t i = 0; i < after->count; i++)
        if (!after->taken[i])
            pair->matches[pair->match_count++] = (struct diff_match){
                .after = after->spots[i],
                .is_ambiguous = count_like(before, &after->spots[i], has_moved, &unused) > 0};
    return true;
}

bool diff_match_lines(struct diff_pair *pair)
{
    struct spots before = {0}, after = {0};
    bool fine = find_spots(&before, pair->before) && find_spots(&after, pair->after) &&
                match_spots(pair, &before, &after);
    free(before.spots);
    free(before.taken);
    free(after.spots);
    free(after.taken);
    return fine;
}
