/* judge_launch.c - which sites a launch has counted at, and what they had before. */
#include "sim/rules/judge.h"

#include <stdlib.h>
#include <string.h>

static size_t row_bytes(const struct judge *judge)
{
    return judge->rows_kept * judge->partitions.count * sizeof *judge->rows_before;
}

void judge_begin_launch(struct judge *judge, uint64_t blocks)
{
    const struct partition_table *table = &judge->partitions;
    judge->rows_kept = 1 + (size_t)(blocks < table->block_count ? blocks : table->block_count);
    if (table->count)
        memcpy(judge->rows_before, table->rows, row_bytes(judge));
    judge->sites_before = judge->site_count;
    judge->launch++;
    judge->touched_count = judge->before_count = 0;
}

/* Room for the counters of one site more. */
static bool reserve_before(struct judge *judge)
{
    if (judge->before_count < judge->before_room)
        return true;
    const size_t room = judge->before_room ? 2 * judge->before_room : 16;
    struct counters *grown = realloc(judge->before, room * sizeof *grown);
    if (grown == NULL)
        return false;
    judge->before = grown;
    judge->before_room = room;
    return true;
}

/* A site that no launch before has counted at needs no copy. */
void judge_touch(struct judge *judge, uint32_t site)
{
    struct judge_touched *touched = &judge->touched[judge->touched_count++];
    *touched = (struct judge_touched){.site = site};
    if (judge->met_in[site] && !reserve_before(judge)) {
        judge->short_of_memory = true;
    } else if (judge->met_in[site]) {
        judge->before[judge->before_count++] = judge->sites[site];
        touched->before = (uint32_t)judge->before_count;
    }
    judge->met_in[site] = judge->launch;
}

bool judge_add_launch(const struct judge *judge, struct counters *c)
{
    struct counters before = {0};
    for (size_t i = 0; i < judge->touched_count; i++) {
        const struct judge_touched *touched = &judge->touched[i];
        counters_add(c, &judge->sites[touched->site]);
        if (touched->before)
            counters_add(&before, &judge->before[touched->before - 1]);
    }
    counters_subtract(c, &before);
    return !judge->short_of_memory;
}

bool judge_drop_launch(struct judge *judge)
{
    static const struct counters none;
    for (size_t i = 0; i < judge->touched_count; i++) {
        const struct judge_touched *touched = &judge->touched[i];
        judge->sites[touched->site] = touched->before ? judge->before[touched->before - 1] : none;
    }
    if (judge->partitions.count)
        memcpy(judge->partitions.rows, judge->rows_before, row_bytes(judge));
    judge->site_count = judge->sites_before;
    judge->touched_count = judge->before_count = 0;
    return !judge->short_of_memory;
}

/* ---- Launches that repeat others -------------------------------------------------------------- */

static size_t row_items(const struct judge *judge)
{
    return judge->partitions.count ? judge->rows_kept * judge->partitions.count : 0;
}

static void take_sites(const struct judge *judge, struct judge_share *share)
{
    for (size_t i = 0; i < judge->touched_count; i++) {
        const struct judge_touched *touched = &judge->touched[i];
        share->sites[i] = touched->site;
        share->added[i] = judge->sites[touched->site];
        if (touched->before)
            counters_subtract(&share->added[i], &judge->before[touched->before - 1]);
    }
}

bool judge_take_share(const struct judge *judge, struct judge_share *share)
{
    const size_t rows = row_items(judge);
    *share = (struct judge_share){.sites = calloc(judge->touched_count + 1, sizeof *share->sites),
                                  .added = calloc(judge->touched_count + 1, sizeof *share->added),
                                  .count = judge->touched_count,
                                  .rows = calloc(rows + 1, sizeof *share->rows),
                                  .row_count = rows};
    if (share->sites == NULL || share->added == NULL || share->rows == NULL) {
        judge_free_share(share);
        return false;
    }
    take_sites(judge, share);
    for (size_t i = 0; i < rows; i++) {
        const struct partition_bytes *now = &judge->partitions.rows[i];
        share->rows[i].read = now->read - judge->rows_before[i].read;
        share->rows[i].written = now->written - judge->rows_before[i].written;
    }
    return !judge->short_of_memory;
}

void judge_add_share(struct judge *judge, const struct judge_share *share)
{
    for (size_t i = 0; i < share->count; i++)
        counters_add(&judge->sites[share->sites[i]], &share->added[i]);
    for (size_t i = 0; i < share->row_count; i++) {
        judge->partitions.rows[i].read += share->rows[i].read;
        judge->partitions.rows[i].written += share->rows[i].written;
    }
}

void judge_free_share(struct judge_share *share)
{
    free(share->sites);
    free(share->added);
    free(share->rows);
    *share = (struct judge_share){0};
}

void judge_move_counters(struct judge *from, struct judge *to)
{
    for (size_t i = 0; i < from->touched_count; i++) {
        const uint32_t site = from->touched[i].site;
        if (to)
            counters_add(judge_site(to, site), &from->sites[site]);
        from->sites[site] = (struct counters){0};
        from->met_in[site] = 0;
    }
    from->touched_count = 0;
}
