/* gpc_merge.c - a table of one place for each few lines: a later line takes the place of an earlier. */
#include "sim/time/gpc_merge.h"

static struct gpc_load *place_of(struct gpc_merge *gpc, uint32_t line)
{
    return &gpc->loads[(line ^ line >> 10) & (GPC_MERGE_PLACES - 1)];
}

bool gpc_merge_join(struct gpc_merge *gpc, uint32_t line, uint32_t sectors, uint64_t now,
                    uint64_t *done)
{
    struct gpc_load *load = place_of(gpc, line);
    if (load->line != line || load->open <= now || load->joined >= gpc->most ||
        sectors != load->sectors)
        return false;
    load->joined++;
    *done = load->done;
    return true;
}

void gpc_merge_note(struct gpc_merge *gpc, uint32_t line, uint32_t sectors, uint64_t now,
                    uint64_t done, uint64_t after_first)
{
    const uint64_t way = gpc->way + after_first;
    const uint64_t open = done > now + way ? done - way : now;
    *place_of(gpc, line) = (struct gpc_load){line, (uint8_t)sectors, 1, done, open};
}
