/* sites.c - what the program's code says of the addresses of its accesses, a function at a time, when a lane first
 * enters it. Code does not change: it is kept over launches.
 */
#include <stdlib.h>

#include "tracer/widths/elements.h"
#include "tracer/engine.h"
#include "tracer/tracer.h"
#include "tracer/widths/kept_loads.h"
#include "tracer/widths/widths.h"

enum {
    THREAD_INDEX_WORDS = 3, /* the first of wl_indices */
    FUNCTIONS = 4096,       /* a power of two; the accesses of more functions stay as they are */
    NEAR_BYTES = 16,
    REGISTER_BYTES_MAX = 255 * 4 /* of a thread, on the GPUs that have most */
};

void __sanitizer_cov_trace_pc(void);
void __tsan_func_entry(void *caller);

/* Those that were entered. */
static struct entered {
    uintptr_t pc; /* 0: free */
    bool joins, joins_shared;
} entered[FUNCTIONS];
/* What the functions have that the launch has entered so far. */
static bool launch_joins, launch_joins_shared;

static struct width_site *sites;
static size_t site_count, site_room;
static uint32_t *site_at, *joining_at; /* by slot of the code: 1 + index; of those that may join */

/* Of the call that returns to a slot of the code. */
enum {
    MARK_UNIFORM = 1,  /* its address is one for all threads of a block */
    MARK_REGISTER = 2, /* its access to local memory is none on a GPU */
    MARK_CONSTANT_LOOP =
        4, /* it begins the first block of a loop that goes round a constant number of times */
    MARK_LOOP_LEFT = 8,   /* ... of a loop that is not unrolled whole */
    MARK_LOOP_ROLLED = 16 /* ... nor in part */
};
static uint8_t *marks_at;
static uint32_t function_count;

/* The loops of the sites' counters that go round a constant number of times. */
enum { LOOPS = 1024 };
static struct {
    uint32_t head, end;
} constant_loops[LOOPS];
static unsigned loop_count;

static struct code_loop code_loops[LOOPS];
static unsigned code_loop_count;

struct code_loop widths_loop_of_head(uint32_t head)
{
    for (unsigned i = 0; i < code_loop_count; i++)
        if (code_loops[i].head == head)
            return code_loops[i];
    return (struct code_loop){.head = head};
}

bool widths_loop_is_constant(uint32_t head, uint32_t from)
{
    for (unsigned i = 0; i < loop_count; i++)
        if (constant_loops[i].head == head && from < constant_loops[i].end)
            return true;
    return false;
}

static void note_loop(uint32_t head, uint32_t end)
{
    if (loop_count == LOOPS || widths_loop_is_constant(head, end - 1))
        return;
    constant_loops[loop_count].head = head;
    constant_loops[loop_count++].end = end;
}

void widths_launch(void)
{
    launch_joins = launch_joins_shared = false;
}

bool widths_has_sites(void)
{
    return launch_joins_shared || (launch_joins && elements_are_there());
}

static const struct width_site *find_site(const uint32_t *index_at, uint32_t pc)
{
    const size_t slot = work_slot_at(engine.image_base + pc);
    const uint32_t index = index_at && slot < work_table.slot_count ? index_at[slot] : 0;
    return index ? &sites[index - 1] : NULL;
}

const struct width_site *widths_site(uint32_t pc)
{
    return find_site(joining_at, pc);
}

const struct width_site *widths_form(uint32_t pc)
{
    return find_site(site_at, pc);
}

struct code_region widths_region(uint32_t pc)
{
    const struct width_site *site = widths_form(pc);
    return site ? (struct code_region){site->function, site->form.region}
                : (struct code_region){0, 0};
}

static bool is_marked(uint32_t pc, uint8_t mark)
{
    const size_t slot = work_slot_at(engine.image_base + pc);
    return marks_at && slot < work_table.slot_count && marks_at[slot] & mark;
}

bool widths_address_is_uniform(uint32_t pc)
{
    return is_marked(pc, MARK_UNIFORM);
}

bool widths_is_in_register(uint32_t pc)
{
    return is_marked(pc, MARK_REGISTER) && engine.joins_accesses && !engine.wants_values;
}

bool widths_head_is_constant(uint32_t head)
{
    return is_marked(head, MARK_CONSTANT_LOOP);
}

enum loop_kind widths_most_of_head(uint32_t head)
{
    if (is_marked(head, MARK_LOOP_ROLLED))
        return LOOP_ROLLED;
    return is_marked(head, MARK_LOOP_LEFT) ? LOOP_UNROLLED : LOOP_FLATTENED;
}

/* `at`: a place in the code. */
static void set_mark(size_t at, uint8_t mark)
{
    if (marks_at)
        marks_at[at / WORK_SLOT_BYTES] |= mark;
}

/* Places in the code -> program counters as events have them. */
static size_t event_pc(size_t at)
{
    return work_table.code_begin + at - engine.image_base;
}

static void add_site(void *context, const struct address_form *form)
{
    (void)context;
    if (form->is_uniform)
        set_mark(form->at, MARK_UNIFORM);
    if (form->kept_loads)
        kept_loads_add(form);
    if (site_count == site_room) {
        size_t room = site_room ? 2 * site_room : 256;
        struct width_site *grown = realloc(sites, room * sizeof *sites);
        if (grown == NULL)
            return;
        sites = grown;
        site_room = room;
    }
    struct width_site *site = &sites[site_count++];
    *site = (struct width_site){.form = *form, .function = function_count};
    site->form.at = event_pc(form->at);
    site->form.fixed_head = form->fixed_head ? event_pc(form->fixed_head) : 0;
    for (uint32_t i = 0; i < form->counter_count; i++) {
        site->form.counters[i].head = form->counters[i].head ? event_pc(form->counters[i].head) : 0;
        if (form->counters[i].head && form->counters[i].end)
            note_loop((uint32_t)site->form.counters[i].head,
                      (uint32_t)event_pc(form->counters[i].end));
    }
}

static bool are_near(const struct address_form *a, const struct address_form *b)
{
    int64_t apart = (int64_t)((uint64_t)a->constant - (uint64_t)b->constant);
    return a->block == b->block && a->base == b->base && apart > -NEAR_BYTES && apart < NEAR_BYTES;
}

static bool goes_on_nearby(const struct address_form *form)
{
    for (uint32_t i = 0; i < form->counter_count; i++)
        if (form->counters[i].step > -NEAR_BYTES && form->counters[i].step < NEAR_BYTES)
            return true;
    return false;
}

/* In global memory an address need not be known to be aligned. */
static bool may_join(size_t first, size_t site)
{
    bool may = sites[site].form.log2 >= 3 && goes_on_nearby(&sites[site].form);
    for (size_t i = first; i < site_count && !may; i++)
        may = i != site && are_near(&sites[i].form, &sites[site].form);
    return may;
}

static void index_sites(size_t first, struct entered *function)
{
    if (site_at == NULL && site_count) {
        site_at = calloc(work_table.slot_count, sizeof *site_at);
        joining_at = calloc(work_table.slot_count, sizeof *joining_at);
    }
    for (size_t i = first; i < site_count && site_at && joining_at; i++) {
        const size_t slot = work_slot_at(engine.image_base + sites[i].form.at);
        site_at[slot] = (uint32_t)(i + 1);
        sites[i].may_join = may_join(first, i);
        if (sites[i].may_join)
            joining_at[slot] = (uint32_t)(i + 1);
        function->joins |= sites[i].may_join;
        function->joins_shared |= sites[i].may_join && sites[i].form.log2 >= 3;
    }
}

static void add_loop(void *context, const struct address_loop *loop)
{
    static const uint8_t marks[LOOP_KINDS] = {
        [LOOP_ROLLED] = MARK_LOOP_LEFT | MARK_LOOP_ROLLED, [LOOP_UNROLLED] = MARK_LOOP_LEFT};
    (void)context;
    set_mark(loop->head, marks[loop->most] | (loop->is_constant ? MARK_CONSTANT_LOOP : 0));
    if (code_loop_count < LOOPS)
        code_loops[code_loop_count++] = (struct code_loop){
            .head = (uint32_t)event_pc(loop->head),
            .size = (uint32_t)(loop->size < UINT32_MAX ? loop->size : UINT32_MAX),
            .is_straight = loop->is_straight,
        };
}

static void add_spared(void *context, size_t at, int spared)
{
    (void)context;
    work_spare(work_table.code_begin + at, spared);
}

static void add_branch(void *context, size_t at, enum gpu_branch branch)
{
    (void)context;
    work_branch(work_table.code_begin + at, branch);
}

static void add_needed(void *context, size_t at, unsigned number, struct flow needed)
{
    (void)context;
    needed_add(work_table.code_begin + at, function_count, number, needed);
}

/* The local arrays of a function are in registers if all accesses to its frame are at places that are known. */
static void find_registers(size_t first)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    bool varies = false;
    for (size_t i = first; i < site_count; i++) {
        const struct address_form *form = &sites[i].form;
        varies |= form->frame == ADDRESS_FRAME_VARIES;
        if (form->frame == ADDRESS_FRAME_FIXED && form->frame_low < low)
            low = form->frame_low;
        if (form->frame == ADDRESS_FRAME_FIXED && form->frame_high > high)
            high = form->frame_high;
    }
    for (size_t i = first; i < site_count && !varies && high - low < REGISTER_BYTES_MAX; i++)
        if (sites[i].form.frame == ADDRESS_FRAME_FIXED)
            set_mark(engine.image_base + sites[i].form.at - work_table.code_begin, MARK_REGISTER);
}

static void learn_function(struct entered *function)
{
    const uintptr_t pc = function->pc;
    const struct address_calls calls = {
        .block_begins = (uintptr_t)__sanitizer_cov_trace_pc - work_table.code_begin,
        .function_begins = (uintptr_t)__tsan_func_entry - work_table.code_begin,
        .dynamic_shared = (uintptr_t)wl_dynamic_shared - work_table.code_begin,
        .thread_index = (uintptr_t)wl_indices - work_table.code_begin,
        .thread_index_end = (uintptr_t)(wl_indices + THREAD_INDEX_WORDS) - work_table.code_begin,
        .kind_of = kept_loads_kind_of,
    };
    const struct address_listener listener = {.found = add_site,
                                              .found_loop = add_loop,
                                              .found_spared = add_spared,
                                              .found_branch = add_branch,
                                              .found_needed = add_needed};
    size_t first = site_count, room = work_table.slot_count * WORK_SLOT_BYTES;
    function_count++;
    if (marks_at == NULL)
        marks_at = calloc(work_table.slot_count, sizeof *marks_at);
    if (pc - work_table.code_begin < room)
        address_forms_x86_64((const uint8_t *)work_table.code_begin, room,
                             pc - work_table.code_begin, &calls, &listener);
    find_registers(first);
    index_sites(first, function);
}

void widths_enter_function(uintptr_t pc)
{
    size_t at = pc * 0x9e3779b97f4a7c15U >> 52;
    for (unsigned tries = 0; TRACER_READS_ADDRESSES && tries < FUNCTIONS;
         tries++, at = (at + 1) % FUNCTIONS) {
        const bool is_new = entered[at].pc == 0;
        if (!is_new && entered[at].pc != pc)
            continue;
        entered[at].pc = pc;
        if (is_new)
            learn_function(&entered[at]);
        launch_joins |= entered[at].joins;
        launch_joins_shared |= entered[at].joins_shared;
        return;
    }
}
