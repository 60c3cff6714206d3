/* verdict_words.c - the words that stand for facts in a verdict's sentence.
 *
 * Decision: what held the kernel up for less than 60 % of its time is told with what comes next.
 */
#include "report/verdict_facts.h"

#include <string.h>

#include "report/amounts.h"
#include "report/report.h"

static const double MOST_OF_THE_TIME = 0.6;

bool verdict_is_mostly(const struct verdict_limits *limits)
{
    return limits->first_share >= MOST_OF_THE_TIME;
}

static void put_percent(double share, struct text *out)
{
    text_add(out, "%.*f %%", share > 0 && share < 0.1 ? 1 : 0, 100 * share);
}

/* "loads of in (a.cu:7)", "shared stores to tile (a.cu:9)"; of an array without a name "loads of a.cu:7". */
static void put_part(const struct result_part *part, struct text *out)
{
    static const char *const toward[OP_COUNT] = {
        [OP_LOAD] = "of", [OP_STORE] = "to", [OP_ATOMIC] = "on"};
    const char *many = mem_op_plurals[result_part_word(part)];
    if (part->space != SPACE_GLOBAL)
        text_add(out, "%s ", mem_space_names[part->space]);
    if (part->array && part->array[0])
        text_add(out, "%s %s %.100s (%.100s:%u)", many, toward[part->op], part->array, part->file,
                 part->line);
    else
        text_add(out, "%s of %.100s:%u", many, part->file, part->line);
}

static void put_amount(uint64_t amount, struct text *out)
{
    char text[REPORT_NUMBER_BYTES];
    text_add(out, "%s", report_amount((double)amount, text));
}

/* A line that is to blame: "these" when the sentence has just named it as the one that waits. */
static void put_blamed(const struct verdict_facts *f, const struct result_part *part,
                       struct text *out)
{
    if (f->limits.first == USE_LATENCY && part == f->waited)
        text_add(out, "these");
    else
        put_part(part, out);
}

/* Accesses whose passes report_amounts() adds up. */
static uint64_t requests_of_banks(const struct counters *c)
{
    return c->shared_load_requests + c->shared_store_requests + c->shared_atomic_requests +
           c->constant_load_requests;
}

/* "Held up by L2 71 % of the time"; "Held up most of all by L2 (39 % of the time), then by latency (30 %)". */
static void put_held_up(const struct verdict_limits *limits, struct text *out)
{
    const bool mostly = verdict_is_mostly(limits);
    text_add(out, "Held up %sby %s %s", mostly ? "" : "most of all ", usage_words(limits->first),
             mostly ? "" : "(");
    put_percent(limits->first_share, out);
    text_add(out, " of the time%s", mostly ? "" : ")");
    if (mostly || limits->second_share <= 0)
        return;
    text_add(out, ", then by %s (", usage_words(limits->second));
    put_percent(limits->second_share, out);
    text_add(out, ")");
}

#define WORD(name) static void put_##name(const struct verdict_facts *f, struct text *out)
WORD(held)
{
    put_held_up(&f->limits, out);
}
WORD(waster)
{
    put_blamed(f, f->waster, out);
}
WORD(wasted)
{
    put_amount(f->level.sectors(f->waster->counters), out);
}
WORD(ideal_sectors)
{
    put_amount(report_amounts(f->waster->counters).ideal_sectors, out);
}
WORD(where)
{
    text_add(out, "%s", f->level.where);
}
WORD(mover)
{
    put_part(f->mover, out);
}
WORD(moved)
{
    put_amount(f->level.sectors(f->mover->counters), out);
}
WORD(total)
{
    put_amount(f->level.total, out);
}
WORD(conflicted)
{
    put_blamed(f, f->conflicted, out);
}
WORD(passes)
{
    const struct counters *c = f->conflicted->counters;
    text_add(out, "%.3g", report_share(report_amounts(c).passes, requests_of_banks(c)));
}
WORD(ideal_passes)
{
    const struct counters *c = f->conflicted->counters;
    text_add(out, "%.3g", report_share(report_amounts(c).ideal_passes, requests_of_banks(c)));
}
WORD(waited)
{
    if (f->waited == NULL)
        return;
    text_add(out, ", ");
    put_percent(report_share(f->waited->counters->stall_cycles, f->r->total.stall_cycles), out);
    text_add(out, " of it for ");
    put_part(f->waited, out);
}
WORD(camper)
{
    put_part(f->camper, out);
}
WORD(index)
{
    text_add(out, "%.1f", report_metric(&f->r->total, "camping_index"));
}
WORD(excess)
{
    put_percent(f->level.excess, out);
}
WORD(peak)
{
    const double peak = (double)f->r->arch.peak_megabytes_per_s / 1000;
    put_percent(peak > 0 ? report_metric(&f->r->total, "dram_bandwidth") / peak : 0, out);
}
WORD(faults)
{
    put_amount(f->r->total.page_faults, out);
}
WORD(fault_share)
{
    put_percent(report_share(f->r->total.fault_group_ns, f->r->total.elapsed_ns), out);
}
WORD(host_bytes)
{
    char text[REPORT_NUMBER_BYTES];
    text_add(
        out, "%s",
        report_bytes((double)(f->r->total.host_read_bytes + f->r->total.host_write_bytes), text));
}
WORD(blocks)
{
    const uint64_t blocks = f->r->total.blocks / f->r->total.launches;
    put_amount(blocks, out);
    text_add(out, " block%s%s", blocks == 1 ? "" : "s",
             f->r->total.launches > 1 ? " a launch" : "");
    text_add(out, "%s", blocks == 1 ? " is" : " are");
}
WORD(started)
{
    put_amount(f->r->total.blocks, out);
    text_add(out, " blocks");
}
WORD(starts)
{
    put_percent(f->starts < 1 ? f->starts : 1, out);
}
WORD(launch_time)
{
    text_add(out, "%.3g us", 1e-3 * (double)f->r->arch.launch_ns);
}
WORD(sm_count)
{
    put_amount((uint64_t)f->r->arch.sm_count, out);
}
WORD(occupancy)
{
    put_percent(report_share(f->r->total.resident_warp_cycles, f->r->total.warp_room_cycles), out);
}
#undef WORD

static const struct word {
    const char *name;
    void (*put)(const struct verdict_facts *, struct text *);
} words[] = {
#define WORD(name)                                                                                 \
    {                                                                                              \
#name, put_##name                                                                          \
    }
    WORD(held),         WORD(waster),    WORD(wasted),      WORD(ideal_sectors), WORD(where),
    WORD(mover),        WORD(moved),     WORD(total),       WORD(conflicted),    WORD(passes),
    WORD(ideal_passes), WORD(waited),    WORD(camper),      WORD(index),         WORD(excess),
    WORD(peak),         WORD(faults),    WORD(fault_share), WORD(host_bytes),    WORD(blocks),
    WORD(sm_count),     WORD(occupancy), WORD(started),     WORD(starts),        WORD(launch_time),
#undef WORD
};

static void put_word(const char *name, size_t length, const struct verdict_facts *facts,
                     struct text *out)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].name) == length && strncmp(words[i].name, name, length) == 0)
            words[i].put(facts, out);
}

void verdict_put_words(const struct verdict_facts *facts, const char *sentence, struct text *out)
{
    for (const char *c = sentence; *c;) {
        const size_t plain = strcspn(c, "{");
        text_add(out, "%.*s", (int)plain, c);
        c += plain;
        const char *end = *c ? strchr(c, '}') : NULL;
        if (end == NULL)
            return;
        put_word(c + 1, (size_t)(end - c - 1), facts, out);
        c = end + 1;
    }
}
