/* verdict_facts.c - what held a kernel up, and which accesses have to do with it.
 *
 * A line is blamed by what reaches the level that holds the kernel up: sectors that L1 absorbs are no load of
 * L2, and those that L2 absorbs are none of DRAM. At each level a line needs at most its ideal sectors, those
 * of its accesses' distinct bytes, so only what passes beyond them is called excessive. Reuse may hide some of
 * it: the excess is a lower bound. Where nothing is near its limit what leaves the SM counts, since warps
 * wait for that.
 */
#include "report/verdict_facts.h"

#include "report/amounts.h"
#include "report/report.h"
#include "sim/rules/sectors.h"

/* ---- Levels ---------------------------------------------------------------------------------- */

static uint64_t asked_sectors(const struct counters *c)
{
    return report_amounts(c).sectors;
}

static uint64_t crossbar_sectors(const struct counters *c)
{
    return (c->crossbar_read_bytes + c->crossbar_write_bytes) / SECTOR_BYTES;
}

static uint64_t l2_sectors(const struct counters *c)
{
    return c->l2_read_sectors + c->l2_write_sectors + c->l2_atomic_sectors;
}

static uint64_t dram_sectors(const struct counters *c)
{
    return c->dram_read_sectors + c->dram_write_sectors;
}

static struct verdict_level level_of(enum resource limiter)
{
    switch (limiter) {
    case USE_CROSSBAR:
    case USE_LATENCY:
        return (struct verdict_level){.where = " beyond the SM", .sectors = crossbar_sectors};
    case USE_L2:
        return (struct verdict_level){.where = " to and from L2", .sectors = l2_sectors};
    case USE_DRAM:
        return (struct verdict_level){.where = " to and from DRAM", .sectors = dram_sectors};
    default:
        return (struct verdict_level){.where = "", .sectors = asked_sectors};
    }
}

uint64_t verdict_excess(const struct verdict_level *level, const struct counters *c)
{
    const uint64_t moved = level->sectors(c), ideal = report_amounts(c).ideal_sectors;
    return ideal && moved > ideal ? moved - ideal : 0; /* constants have sectors and no ideal */
}

/* Those accesses, where they have more than the most so far. */
static void keep_most(const struct result_part *part, uint64_t amount, uint64_t *most,
                      const struct result_part **kept)
{
    if (amount > *most) {
        *most = amount;
        *kept = part;
    }
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* Whether passes through a space's banks can be what holds the kernel up: constants pass the load/store
 * units or a unit of their own, shared memory has a way of its own. */
static bool passes_matter(const struct verdict_limits *limits, uint8_t space)
{
    if (limits->first_share > 0 && limits->first == USE_SHARED)
        return space == SPACE_SHARED;
    if (limits->first_share > 0 && limits->first == USE_CONSTANT)
        return space == SPACE_CONSTANT;
    if (limits->first_share > 0 && limits->first == USE_LSU)
        return space != SPACE_SHARED;
    return true;
}

static uint64_t excess_passes(const struct report_amounts *a)
{
    return a->passes > a->ideal_passes ? a->passes - a->ideal_passes : 0;
}

static void find_conflicts(struct verdict_facts *facts)
{
    uint64_t passes = 0, ideal = 0, most = 0;
    for (size_t i = 0; i < facts->r->access_count; i++) {
        const struct result_part *part = &facts->r->accesses[i];
        const struct report_amounts a = report_amounts(part->counters);
        if (!passes_matter(&facts->limits, part->space))
            continue;
        passes += a.passes;
        ideal += a.ideal_passes;
        keep_most(part, excess_passes(&a), &most, &facts->conflicted);
    }
    facts->ways = report_share(passes, ideal);
}

/* ---- Accesses ----------------------------------------------------------------------------------- */

static void find_most(struct verdict_facts *facts)
{
    uint64_t wasted = 0, moved = 0, camped = 0, waited = 0, paged = 0, hosted = 0, excess = 0;
    for (size_t i = 0; i < facts->r->access_count; i++) {
        const struct result_part *part = &facts->r->accesses[i];
        const struct counters *c = part->counters;
        keep_most(part, verdict_excess(&facts->level, c), &wasted, &facts->waster);
        keep_most(part, facts->level.sectors(c), &moved, &facts->mover);
        keep_most(part, c->camped_bytes, &camped, &facts->camper);
        keep_most(part, c->stall_cycles, &waited, &facts->waited);
        keep_most(part, c->page_faults, &paged, &facts->pager);
        keep_most(part, c->host_read_bytes + c->host_write_bytes, &hosted, &facts->guest);
        excess += verdict_excess(&facts->level, c);
    }
    facts->level.total = facts->level.sectors(&facts->r->total);
    facts->level.excess = report_share(excess, facts->level.total);
}

struct verdict_facts verdict_facts_of(const struct result *r, const struct verdict_limits *limits)
{
    struct verdict_facts facts = {
        .r = r,
        .limits = *limits,
        .level = level_of(limits->first_share > 0 ? limits->first : USE_LSU),
    };
    if (r->total.elapsed_cycles)
        facts.starts = report_start_cycles(&r->arch, r->total.blocks, r->total.warps) /
                       (double)r->total.elapsed_cycles;
    find_conflicts(&facts);
    find_most(&facts);
    return facts;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

struct verdict_limits verdict_limits_of(const struct result *r)
{
    struct usage_limit limits[USE_COUNT];
    if (r->usage == NULL)
        return (struct verdict_limits){.first = USE_ISSUE};
    usage_rank(r->usage, limits);
    return (struct verdict_limits){limits[0].resource, limits[1].resource, limits[0].share,
                                   limits[1].share};
}
