/* kept_loads.c - loads that a lane repeats in each iteration of a loop, and the compiler for the GPU makes once in front of it.
 *
 * Each iteration makes such a load as often as the loops within go round: so a lane's loads are counted, from where it enters the
 * loop.
 */
#include "tracer/widths/kept_loads.h"

#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "tracer/tracer.h"
#include "tracer/work/call_cost.h"
#include "tracer/work/math_cost.h"

enum { SITES = 64 }; /* more are loaded each time */

static struct kept_site {
    uint32_t loads; /* an iteration */
    bool
        is_uniform; /* all threads have one address: that of an operand, if it is of constant memory */
    uintptr_t entries[ADDRESS_ENTRIES_MAX];
} sites[SITES];
static unsigned site_count;
static uint8_t *site_at; /* by slot of the code: 1 + index */

/* Of each lane of the block. */
static struct {
    uint32_t left;       /* loads of the iteration */
    bool has_all, began; /* it is not the loop's first; some iteration has begun */
} iterations[SITES][BLOCK_LANES_MAX];

void kept_loads_add(const struct address_form *form)
{
    if (site_at == NULL)
        site_at = calloc(work_table.slot_count, sizeof *site_at);
    if (site_at == NULL || site_count == SITES)
        return;
    struct kept_site *site = &sites[site_count++];
    site->loads = form->kept_loads;
    site->is_uniform = form->is_uniform;
    for (unsigned i = 0; i < form->kept_entry_count; i++) {
        site->entries[i] = work_table.code_begin + form->kept_entries[i];
        work_watch(site->entries[i]);
    }
    site_at[work_slot_at(work_table.code_begin + form->at)] = (uint8_t)site_count;
    kept_loads_start();
}

void kept_loads_start(void)
{
    engine.keeps_loads = site_count > 0 && engine.joins_accesses && !engine.wants_values;
}

bool kept_loads_has(uintptr_t pc, bool is_constant)
{
    const size_t slot = work_slot_at(pc);
    const unsigned number = slot < work_table.slot_count ? site_at[slot] : 0;
    if (number == 0 || engine.current == NULL || (is_constant && sites[number - 1U].is_uniform))
        return false;
    const unsigned site = number - 1U, lane = engine.current->index;
    if (iterations[site][lane].left == 0) {
        iterations[site][lane].left = sites[site].loads;
        iterations[site][lane].has_all = iterations[site][lane].began;
        iterations[site][lane].began = true;
    }
    iterations[site][lane].left--;
    return iterations[site][lane].has_all;
}

void kept_loads_enter(uintptr_t pc)
{
    for (unsigned i = 0; i < site_count && engine.current; i++)
        for (unsigned k = 0; k < ADDRESS_ENTRIES_MAX; k++)
            if (sites[i].entries[k] == pc)
                memset(&iterations[i][engine.current->index], 0, sizeof iterations[i][0]);
}

/* ---- What functions do to memory ---------------------------------------------------------------- */

#define FUNCTIONS_OF(what)                                                                         \
    void __tsan_##what##1(void *p);                                                                \
    void __tsan_##what##2(void *p);                                                                \
    void __tsan_##what##4(void *p);                                                                \
    void __tsan_##what##8(void *p);                                                                \
    void __tsan_##what##16(void *p);                                                               \
    static void (*const what##_functions[])(void *) = {__tsan_##what##1, __tsan_##what##2,         \
                                                       __tsan_##what##4, __tsan_##what##8,         \
                                                       __tsan_##what##16};
FUNCTIONS_OF(read)
FUNCTIONS_OF(write)

enum address_call kept_loads_kind_of(size_t function)
{
    const uintptr_t at = work_table.code_begin + function;
    for (unsigned i = 0; i < sizeof read_functions / sizeof read_functions[0]; i++) {
        if (at == (uintptr_t)read_functions[i])
            return CALL_LOAD;
        if (at == (uintptr_t)write_functions[i])
            return CALL_STORE;
    }
    return at - work_table.code_begin < work_table.slot_count * WORK_SLOT_BYTES &&
                   (math_is_mathematics(at) || call_is_arithmetic(at))
               ? CALL_NOTHING
               : CALL_OTHER;
}
