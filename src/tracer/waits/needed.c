/* needed.c - what code tells of loads, by place; and a warp's latest loads. */
#include "tracer/waits/needed.h"

#include <stdlib.h>

#include "sim/rules/access.h"
#include "tracer/engine.h"
#include "tracer/work/work.h"

static struct known_load {
    struct flow needed;
    uint32_t function;
    uint8_t number;
} * known;
static size_t known_count, known_room;
static uint16_t *known_at; /* by slot of the code: 1 + index */

static uint16_t find(uintptr_t pc)
{
    const size_t slot = work_slot_at(pc);
    return known_at && slot < work_table.slot_count ? known_at[slot] : 0;
}

void needed_add(uintptr_t pc, uint32_t function, unsigned number, struct flow needed)
{
    if (known_at == NULL)
        known_at = calloc(work_table.slot_count, sizeof *known_at);
    if (known_count == known_room) {
        const size_t room = known_room ? 2 * known_room : 256;
        struct known_load *grown = realloc(known, room * sizeof *known);
        if (grown == NULL)
            return;
        known = grown;
        known_room = room;
    }
    if (known_at == NULL || known_count == UINT16_MAX)
        return;
    known[known_count++] = (struct known_load){needed, function, (uint8_t)number};
    known_at[work_slot_at(pc)] = (uint16_t)known_count;
}

uint16_t needed_find(const struct needed_loads *loads, uintptr_t pc)
{
    const uint16_t at = find(pc);
    if (at == 0 || !engine.joins_accesses)
        return 0;
    const struct known_load *load = &known[at - 1];
    uint64_t now = load->needed.now, before = load->needed.before;
    uint16_t found = 0;
    for (uint32_t back = 0; back < NEEDED_LOADS && back < loads->count && (now | before); back++) {
        const uint32_t i = loads->count - 1 - back;
        const uint16_t other = loads->load[i % NEEDED_LOADS];
        if (other == 0 || known[other - 1].function != load->function)
            continue;
        const uint64_t bit = (uint64_t)1 << known[other - 1].number;
        if (now & bit)
            now &= ~bit;
        else if (i < loads->jumped_at && before & bit)
            before &= ~bit;
        else
            continue;
        found |= (uint16_t)(1U << back);
    }
    return found;
}

bool needed_of_no_call(uintptr_t pc)
{
    const uint16_t at = find(pc);
    return at > 0 && !((known[at - 1].needed.now | known[at - 1].needed.before) & FLOW_OF_CALL);
}

void needed_note(struct needed_loads *loads, uintptr_t pc)
{
    loads->load[loads->count++ % NEEDED_LOADS] = find(pc);
}
