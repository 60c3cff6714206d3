/* needed_form.c - x86-64: which loads the address of a load is computed from, however that is done: by a hash, a comparison, a
 * table; and those that decide whether it is made at all. A GPU's warp waits for these.
 *
 * A forward analysis over the function's blocks, until nothing changes. A value that goes along the jump back of a loop comes from
 * a load of an iteration before.
 */
#include <stdlib.h>
#include <string.h>

#include "machine_code/function_code.h"

struct analysis {
    struct function *f;
    struct flow (*in)[FLOW_PLACES]; /* of each block */
    bool *is_entered, *is_branch;   /* of each block; its branch is left to a GPU */
    struct flow *conditions,
        *waits;      /* of each block: of its branch; of the branches that it depends on */
    uint8_t *number; /* of the load that an instruction calls for, 1 + number; 0: none */
};

static bool number_loads(struct analysis *a)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < a->f->count; i++) {
        const struct instruction *call = &a->f->instructions[i];
        if (call->kind == CODE_CALL && function_call_kind(a->f, call) == CALL_LOAD &&
            count < FLOW_LOADS_MAX)
            a->number[i] = (uint8_t)++count;
    }
    return count > 0;
}

static void step(const struct analysis *a, uint32_t i, struct flow places[FLOW_PLACES])
{
    const struct instruction *instruction = &a->f->instructions[i];
    if (instruction->kind != CODE_CALL) {
        value_flow_step(places, a->f->code + instruction->at, instruction->bytes);
        return;
    }
    value_flow_call(places);
    if (function_call_kind(a->f, instruction) == CALL_OTHER)
        value_flow_add(&places[FLOW_GENERAL], (struct flow){FLOW_OF_CALL, 0});
    if (function_call_kind(a->f, instruction) == CALL_LOAD)
        places[FLOW_LOADED] =
            (struct flow){a->number[i] ? (uint64_t)1 << (a->number[i] - 1) : 0, 0};
}

/* Joins what a block leaves into one behind it; true when that was new. */
static bool join(struct analysis *a, const struct flow out[FLOW_PLACES], uint32_t from, uint32_t to)
{
    const bool back = function_jumps_back(a->f, from, to);
    bool is_new = !a->is_entered[to];
    a->is_entered[to] = true;
    for (unsigned p = 0; p < FLOW_PLACES; p++) {
        const struct flow value = back ? value_flow_before(out[p]) : out[p];
        is_new |= value_flow_add(&a->in[to][p], value);
    }
    return is_new;
}

static void find_all(struct analysis *a)
{
    bool changed = true;
    a->is_entered[0] = true;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < a->f->block_count; b++) {
            struct flow places[FLOW_PLACES];
            if (!a->is_entered[b])
                continue;
            memcpy(places, a->in[b], sizeof places);
            for (uint32_t i = a->f->blocks[b].first; i < a->f->blocks[b].end; i++)
                step(a, i, places);
            a->conditions[b] = places[FLOW_FLAGS];
            if (a->is_branch[b])
                value_flow_add(&places[FLOW_PASSED], places[FLOW_FLAGS]);
            for (unsigned way = 0; way < 2; way++)
                if (a->f->blocks[b].next[way] != BLOCKS_MAX)
                    changed |= join(a, places, b, a->f->blocks[b].next[way]);
        }
    }
}

static void report(const struct analysis *a, const struct address_listener *listener)
{
    for (uint32_t b = 0; b < a->f->block_count; b++) {
        struct flow places[FLOW_PLACES];
        memcpy(places, a->in[b], sizeof places);
        for (uint32_t i = a->f->blocks[b].first; i < a->f->blocks[b].end; i++) {
            const struct instruction *call = &a->f->instructions[i];
            struct flow needed = places[DI];
            value_flow_add(&needed, a->waits[b]);
            value_flow_add(&needed, places[FLOW_PASSED]);
            if (a->number[i])
                listener->found_needed(listener->context, call->at + call->bytes, a->number[i] - 1U,
                                       needed);
            step(a, i, places);
        }
    }
}

void function_find_needed(struct function *f, const struct behind *behind,
                          const struct address_listener *listener)
{
    struct analysis a = {.f = f,
                         .in = calloc(f->block_count, sizeof *a.in),
                         .is_entered = calloc(f->block_count, sizeof *a.is_entered),
                         .is_branch = calloc(f->block_count, sizeof *a.is_branch),
                         .conditions = calloc(f->block_count, sizeof *a.conditions),
                         .waits = calloc(f->block_count, sizeof *a.waits),
                         .number = calloc(f->count, sizeof *a.number)};
    if (listener->found_needed && a.in && a.is_entered && a.is_branch && a.conditions && a.waits &&
        a.number && number_loads(&a)) {
        function_find_branches(f, behind, a.is_branch);
        find_all(&a);
        function_find_conditions(f, behind, a.conditions, a.waits);
        report(&a, listener);
    }
    free(a.in);
    free(a.is_entered);
    free(a.is_branch);
    free(a.conditions);
    free(a.waits);
    free(a.number);
}
