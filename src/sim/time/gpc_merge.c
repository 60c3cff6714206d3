/* gpc_merge.c - a table of one place for each few lines: a later line takes the place of an earlier. */
#include "sim/time/gpc_merge.h"

static struct gpc_load *place_of(struct gpc_merge *gpc, uint32_t line)
{
    return &gpc->loads[(line ^ line >> 10) & (GPC_MERGE_PLACES - 1)];
}

struct gpc_load *gpc_merge_join(struct gpc_merge *gpc, uint32_t line, uint32_t sectors,
                                uint64_t now)
{
    struct gpc_load *load = place_of(gpc, line);
    if (load->line != line || load->open <= now || load->joined >= gpc->most ||
        sectors & ~(uint32_t)load->sectors)
        return NULL;
    load->joined++;
    return load;
}

struct gpc_load *gpc_merge_note(struct gpc_merge *gpc, uint32_t line, uint32_t sectors,
                                uint64_t now)
{
    struct gpc_load *load = place_of(gpc, line);
    load->line = line;
    load->sectors = (uint8_t)sectors;
    load->joined = 1;
    load->open = now + gpc->ticks;
    return load;
}
