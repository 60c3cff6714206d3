/* causes_managed.c - managed memory whose pages come to the GPU one fault after another, while the kernel
 * waits.
 */
#include "advise/causes.h"

/* Microseconds that PCIe takes for so many bytes. */
static double pcie_us(const struct findings *f, uint64_t bytes)
{
    return (double)bytes / (double)f->result->arch.pcie_megabytes_per_s;
}

static void say_faults(const struct findings *f, struct candidate *c)
{
    const struct counters *total = &f->result->total;
    char us[REPORT_NUMBER_BYTES];
    snprintf(c->why, sizeof c->why,
             "pages are not on the GPU when the kernel starts: %s page faults, in %s groups "
             "that the driver serves one after another, for %.0f %% of the time",
             FINDINGS_COUNT(total->page_faults), FINDINGS_COUNT(total->fault_groups),
             100 * (double)total->fault_group_ns / (double)total->elapsed_ns);
    snprintf(c->change, sizeof c->change,
             "call cudaMemPrefetchAsync for all of @ before the launch");
    snprintf(c->cost, sizeof c->cost,
             "%s bytes move before the kernel instead: %s us of PCIe, unless other work hides it",
             FINDINGS_COUNT(total->migrated_bytes),
             report_rounded(pcie_us(f, total->migrated_bytes), us));
}

void find_managed(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        if (object->home != HOME_MANAGED || f->by_object[i].page_faults == 0)
            continue;
        struct candidate *c = findings_add(f, "prefetch", i);
        if (c == NULL)
            return;
        c->map.kind = MAP_PREFETCH;
        c->needs_time = true;
        say_faults(f, c);
    }
}
