/* address_form.c - x86-64: a function's code -> the forms of the addresses that it hands to calls.
 *
 * The code is read from the function's first block on, along all branches, and cut into blocks. Each place (a register,
 * a slot of the frame) has a form at the beginning of each block: the one that all ways there bring, or an atom of
 * its own. That is done over and over until nothing changes. Where a loop brings such an atom plus a constant, the place is a
 * counter; what it is in front of the loop takes its place.
 *
 * Decisions. Arithmetic is as of integers without bounds: an index that wraps around is undefined in C where
 * it is signed. Stores through pointers leave the frame's slots as they are: kernels do not point to spilled values.
 */
#include "machine_code/address_form.h"

#include <stdlib.h>
#include <string.h>

#include "machine_code/code_effect.h"
#include "machine_code/code_size.h"
#include "machine_code/linear_form.h"

enum {
    BYTES_MAX = 65536, /* of a function */
    INSTRUCTIONS_MAX = 8192,
    BLOCKS_MAX = 1024,
    SLOTS_MAX = 48, /* of the frame, that are followed */
    REGISTERS = 16,
    PLACES = REGISTERS + SLOTS_MAX,
    ROUNDS_FREE = 6, /* from then on what was joined once stays so: it might be joined in turns */
    ROUNDS_MAX = 64,
    REPLACED_MAX = 16, /* counters in counters */
    AX = 0,
    DI = 7,
};

struct instruction {
    size_t at;
    uint8_t bytes;
    enum code_kind kind;
    bool has_target;
    size_t target;
    struct code_effect effect;
};

struct block {
    uint32_t first, end;  /* instructions */
    uint32_t next[2];     /* blocks; BLOCKS_MAX: none */
    size_t begins;        /* where its call that begins a block returns to; 0: it has none */
    uint32_t out[PLACES]; /* forms at its end */
    bool joined[PLACES];  /* at its beginning: for good */
};

struct function {
    const uint8_t *code;
    size_t room, entry;
    const struct address_calls *calls;
    bool is_lost;               /* the code is not one that can be followed */
    uint16_t number[BYTES_MAX]; /* 1 + of the instruction there */
    bool is_leader[BYTES_MAX];  /* a block begins there */
    struct instruction read[INSTRUCTIONS_MAX],
        instructions[INSTRUCTIONS_MAX]; /* as read; in order */
    uint32_t count;
    size_t to_read[BLOCKS_MAX * 2];
    uint32_t to_read_count;
    struct block blocks[BLOCKS_MAX];
    uint32_t block_count;
    int64_t slots[SLOTS_MAX];
    uint32_t slot_count;
    unsigned round; /* of finding forms */
    struct linear_forms forms;
};

/* ---- Reading ---------------------------------------------------------------------------------- */

static bool is_inside(const struct function *f, size_t at)
{
    return at - f->entry < BYTES_MAX && at < f->room;
}

static void read_later(struct function *f, size_t at)
{
    if (!is_inside(f, at))
        return;
    f->is_leader[at - f->entry] = true;
    if (f->number[at - f->entry])
        return;
    if (f->to_read_count == sizeof f->to_read / sizeof f->to_read[0])
        f->is_lost = true;
    else
        f->to_read[f->to_read_count++] = at;
}

static bool read_one(struct function *f, size_t at)
{
    struct code_instruction code = code_decode_x86_64(f->code + at, f->room - at);
    f->is_lost |= code.bytes == 0 || f->count == INSTRUCTIONS_MAX ||
                  (code.kind == CODE_JUMP && !code.has_target);
    if (f->is_lost)
        return false;
    f->read[f->count] = (struct instruction){
        .at = at,
        .bytes = code.bytes,
        .kind = code.kind,
        .has_target = code.has_target,
        .target = at + (size_t)code.target,
        .effect = code_effect_x86_64(f->code + at, f->room - at),
    };
    f->number[at - f->entry] = (uint16_t)++f->count;
    return true;
}

/* Whether the code goes on behind that instruction, where *at is then. A function that has called what does not come back may
 * seem to go on into the next one. */
static bool goes_on(struct function *f, const struct instruction *read, size_t *at)
{
    if (read->kind == CODE_JUMP || read->kind == CODE_BRANCH)
        read_later(f, read->target);
    *at = read->at + read->bytes;
    if (read->kind == CODE_BRANCH)
        read_later(f, *at);
    bool next_function =
        read->kind == CODE_CALL && read->has_target && read->target == f->calls->function_begins;
    return read->kind == CODE_CALL
               ? !next_function
               : read->kind != CODE_JUMP && read->kind != CODE_RETURN && read->kind != CODE_BRANCH;
}

static void read_all(struct function *f)
{
    read_later(f, f->entry);
    while (f->to_read_count > 0 && !f->is_lost) {
        size_t at = f->to_read[--f->to_read_count];
        bool on = true;
        while (on && is_inside(f, at) && f->number[at - f->entry] == 0 && read_one(f, at))
            on = goes_on(f, &f->read[f->count - 1], &at);
    }
}

/* ---- Blocks ----------------------------------------------------------------------------------- */

static uint32_t block_at(const struct function *f, size_t at)
{
    uint32_t low = 0, high = f->block_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (f->instructions[f->blocks[middle].first].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->block_count && f->instructions[f->blocks[low].first].at == at ? low
                                                                                  : BLOCKS_MAX;
}

/* Puts what was read in order and cuts it where blocks begin. */
static void cut_blocks(struct function *f)
{
    uint32_t count = 0;
    for (size_t at = 0; at < BYTES_MAX && !f->is_lost; at++) {
        if (f->number[at] == 0)
            continue;
        struct instruction *next = &f->instructions[count];
        *next = f->read[f->number[at] - 1];
        bool follows = count > 0 && next[-1].at + next[-1].bytes == next->at;
        if (!follows || f->is_leader[at]) {
            f->is_lost |= f->block_count == BLOCKS_MAX;
            if (!f->is_lost)
                f->blocks[f->block_count++].first = count;
        }
        if (!f->is_lost)
            f->blocks[f->block_count - 1].end = ++count;
    }
}

static bool calls_to(const struct instruction *i, size_t function)
{
    return i->kind == CODE_CALL && i->has_target && i->target == function;
}

static void link_block(struct function *f, struct block *block)
{
    const struct instruction *last = &f->instructions[block->end - 1];
    bool ends = last->kind == CODE_JUMP || last->kind == CODE_RETURN ||
                calls_to(last, f->calls->function_begins);
    bool jumps = last->kind == CODE_JUMP || last->kind == CODE_BRANCH;
    block->next[0] = jumps && is_inside(f, last->target) ? block_at(f, last->target) : BLOCKS_MAX;
    block->next[1] = ends ? BLOCKS_MAX : block_at(f, last->at + last->bytes);
    for (uint32_t i = block->end; i-- > block->first;)
        if (calls_to(&f->instructions[i], f->calls->block_begins))
            block->begins = f->instructions[i].at + f->instructions[i].bytes;
}

/* ---- Forms ------------------------------------------------------------------------------------ */

/* The number of a place that is followed; PLACES for others. */
static uint32_t place_number(struct function *f, int64_t place)
{
    uint32_t i = 0;
    if (place >= 0 && place < REGISTERS)
        return (uint32_t)place;
    if (place < PLACE_SLOT / 2)
        return PLACES;
    while (i < f->slot_count && f->slots[i] != place)
        i++;
    if (i == SLOTS_MAX)
        return PLACES;
    if (i == f->slot_count)
        f->slots[f->slot_count++] = place;
    return REGISTERS + i;
}

static uint32_t result_of(struct function *f, const struct instruction *i, uint32_t which)
{
    return linear_form_atom(&f->forms, (struct atom){ATOM_RESULT, i->at, which});
}

enum { RESULT_MIX = REGISTERS, RESULT_MEMORY, RESULT_SUM };

static uint32_t variable(struct function *f, const struct instruction *i)
{
    const struct code_effect *effect = &i->effect;
    if (effect->of_thread && effect->variable == 0) /* which holds its own address */
        return linear_form_atom(&f->forms, (struct atom){ATOM_THREAD, 0, 0});
    if (effect->of_thread)
        return result_of(f, i, RESULT_MEMORY);
    uint64_t where = (uint64_t)effect->variable + (effect->relative ? i->at : 0);
    return linear_form_atom(&f->forms, (struct atom){ATOM_VARIABLE, where, effect->relative});
}

static uint32_t form_of(struct function *f, const struct instruction *i, int64_t place,
                        const uint32_t *places)
{
    if (place == PLACE_NONE)
        return FORM_ZERO;
    if (place == PLACE_FIXED)
        return variable(f, i);
    uint32_t number = place_number(f, place);
    return number < PLACES ? places[number] : result_of(f, i, RESULT_MEMORY);
}

static uint32_t sum_of(struct function *f, const struct instruction *i, const uint32_t *places)
{
    const struct code_effect *e = &i->effect;
    struct atom otherwise = {ATOM_RESULT, i->at, RESULT_SUM};
    if (e->kind == EFFECT_SUM)
        return linear_form_sum(&f->forms, form_of(f, i, e->from[0], places),
                               form_of(f, i, e->from[1], places), e->factor, e->plus, otherwise);
    if (e->times == 0)
        return linear_form_sum(&f->forms, FORM_ZERO, result_of(f, i, RESULT_MIX),
                               1LL << e->zero_bits, 0, otherwise);
    int64_t from = e->from[0] == PLACE_NONE ? e->from[1] : e->from[0];
    return linear_form_sum(&f->forms, FORM_ZERO, form_of(f, i, from, places), e->times, e->plus,
                           otherwise);
}

static void step(struct function *f, const struct instruction *i, uint32_t *places)
{
    const struct code_effect *effect = &i->effect;
    for (uint32_t r = 0; effect->kind == EFFECT_CLOBBER && r < REGISTERS; r++)
        if (effect->registers >> r & 1U)
            places[r] = result_of(f, i, r);
    if (calls_to(i, f->calls->dynamic_shared))
        places[AX] = linear_form_atom(&f->forms, (struct atom){ATOM_DYNAMIC, 0, 0});
    if (effect->kind != EFFECT_SUM && effect->kind != EFFECT_MIX)
        return;
    uint32_t form = sum_of(f, i, places), to = place_number(f, effect->to);
    if (to < PLACES)
        places[to] = form;
}

static void bring(struct function *f, uint32_t block, uint32_t place, uint32_t brought,
                  uint32_t *form)
{
    struct atom own = {ATOM_JOIN, block, place};
    bool *joined = &f->blocks[block].joined[place];
    if (brought == FORM_NONE || (brought == *form && !*joined) ||
        linear_form_is_atom(&f->forms, brought, own))
        return;
    bool differs = *form != FORM_NONE;
    *form = differs || *joined ? linear_form_atom(&f->forms, own) : brought;
    *joined |= differs && f->round >= ROUNDS_FREE;
}

/* The places' forms at the beginning of a block: what the ways there bring that bring another than the block's own
 * atom; that atom when they differ. */
static void join(struct function *f, uint32_t block, uint32_t *places)
{
    for (uint32_t p = 0; p < PLACES; p++)
        places[p] =
            block == 0 ? linear_form_atom(&f->forms, (struct atom){ATOM_ENTRY, 0, p}) : FORM_NONE;
    for (uint32_t from = 0; from < f->block_count; from++) {
        const struct block *way = &f->blocks[from];
        if (way->next[0] != block && way->next[1] != block)
            continue;
        for (uint32_t p = 0; p < PLACES; p++)
            bring(f, block, p, way->out[p], &places[p]);
    }
}

/* Goes through a block, and tells of the forms of its calls' first arguments. */
static void run_block(struct function *f, uint32_t number, uint32_t *places,
                      void (*call)(void *, struct function *, uint32_t, const struct instruction *,
                                   uint32_t),
                      void *context)
{
    const struct block *block = &f->blocks[number];
    join(f, number, places);
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instruction *instruction = &f->instructions[i];
        if (call && instruction->kind == CODE_CALL)
            call(context, f, number, instruction, places[DI]);
        step(f, instruction, places);
    }
}

static void find_forms(struct function *f)
{
    bool changed = true;
    for (; changed && !f->forms.is_full; f->round++) {
        f->is_lost |= f->round == ROUNDS_MAX;
        if (f->is_lost)
            return;
        changed = false;
        for (uint32_t b = 0; b < f->block_count; b++) {
            uint32_t places[PLACES];
            run_block(f, b, places, NULL, NULL);
            changed |= memcmp(places, f->blocks[b].out, sizeof places) != 0;
            memcpy(f->blocks[b].out, places, sizeof places);
        }
    }
    f->is_lost |= f->forms.is_full;
}

/* ---- Counters --------------------------------------------------------------------------------- */

struct counter {
    uint32_t begin; /* the form in front of the loop */
    int64_t step;
};

/* A place at the beginning of a block counts when ways there bring it plus one constant, and the others one
 * form. Where no way adds anything it is that form. */
static bool find_counter(struct function *f, const struct atom *join, struct counter *counter)
{
    uint32_t block = (uint32_t)join->where, own = linear_form_atom(&f->forms, *join);
    *counter = (struct counter){FORM_NONE, 0};
    for (uint32_t from = 0; from < f->block_count; from++) {
        const struct block *way = &f->blocks[from];
        uint32_t brought = way->out[join->which];
        int64_t apart;
        if ((way->next[0] != block && way->next[1] != block) || brought == own ||
            brought == FORM_NONE)
            continue;
        if (linear_form_apart(&f->forms, brought, own, &apart)) {
            if (counter->step && counter->step != apart)
                return false;
            counter->step = apart;
        } else if (counter->begin == FORM_NONE || counter->begin == brought) {
            counter->begin = brought;
        } else {
            return false;
        }
    }
    return counter->begin != FORM_NONE;
}

/* A form, and the counters that were in it. */
struct resolved {
    uint32_t form, count;
    struct {
        uint32_t block, place; /* where it is joined: the loop's first */
        int64_t step;
    } counters[ADDRESS_COUNTERS_MAX];
};

/* Replaces one counter by what it begins with; false when there is none. */
static bool replace_counter(struct function *f, struct resolved *r)
{
    struct counter counter;
    for (uint32_t t = 0; t < f->forms.forms[r->form].count; t++) {
        const struct linear_form *now = &f->forms.forms[r->form];
        const struct atom *atom = &f->forms.atoms[now->terms[t].atom];
        int64_t times = now->terms[t].times;
        if (atom->kind != ATOM_JOIN || !find_counter(f, atom, &counter))
            continue;
        uint32_t replaced = linear_form_replace(&f->forms, r->form, t, counter.begin);
        if (replaced == FORM_NONE || r->count == ADDRESS_COUNTERS_MAX)
            return false;
        if (counter.step) {
            r->counters[r->count].block = (uint32_t)atom->where;
            r->counters[r->count].place = atom->which;
            r->counters[r->count++].step = times * counter.step;
        }
        r->form = replaced;
        return true;
    }
    return false;
}

static struct resolved resolve(struct function *f, uint32_t form)
{
    struct resolved resolved = {.form = form};
    for (unsigned left = REPLACED_MAX; form != FORM_NONE && left > 0; left--)
        if (!replace_counter(f, &resolved))
            break;
    return resolved;
}

/* A block jumps back to `head` when it brings that place there as it was, plus a constant. */
static bool jumps_back(struct function *f, uint32_t block, uint32_t head, uint32_t place)
{
    const struct block *b = &f->blocks[block];
    int64_t apart;
    uint32_t own = linear_form_atom(&f->forms, (struct atom){ATOM_JOIN, head, place});
    return (b->next[0] == head || b->next[1] == head) &&
           linear_form_apart(&f->forms, b->out[place], own, &apart);
}

/* The one block that does; BLOCKS_MAX when there are others, or one can leave the loop from within it. */
static uint32_t jump_back_of(struct function *f, uint32_t head, uint32_t place)
{
    uint32_t back = BLOCKS_MAX;
    for (uint32_t b = 0; b < f->block_count; b++) {
        if (!jumps_back(f, b, head, place))
            continue;
        if (back != BLOCKS_MAX || b < head)
            return BLOCKS_MAX;
        back = b;
    }
    for (uint32_t b = head; back != BLOCKS_MAX && b < back; b++)
        for (unsigned way = 0; way < 2; way++)
            if (f->blocks[b].next[way] != BLOCKS_MAX &&
                (f->blocks[b].next[way] < head || f->blocks[b].next[way] > back))
                return BLOCKS_MAX;
    return back;
}

/* The two forms that the branch at the end of a block compares; false when it is of another kind. */
static bool compared(struct function *f, uint32_t block, uint32_t forms[2])
{
    const struct block *b = &f->blocks[block];
    uint32_t flags = b->end - 1, places[PLACES];
    if (f->instructions[flags].kind != CODE_BRANCH)
        return false;
    while (flags > b->first && !f->instructions[flags].effect.flags)
        flags--;
    const struct instruction *i = &f->instructions[flags];
    join(f, block, places);
    for (uint32_t at = b->first; at < flags + (i->effect.kind != EFFECT_COMPARE); at++)
        step(f, &f->instructions[at], places);
    bool is_sum = i->effect.kind == EFFECT_SUM;
    forms[0] = form_of(f, i, is_sum ? i->effect.to : i->effect.from[0], places);
    forms[1] = is_sum ? FORM_ZERO : form_of(f, i, i->effect.from[1], places);
    return i->effect.flags && (is_sum || i->effect.kind == EFFECT_COMPARE);
}

/* Behind the jump back to a loop's first block, if the loop goes round a constant number of times: its counter is compared with
 * what is a constant away from where it began. 0 otherwise. */
static size_t constant_end(struct function *f, uint32_t head, uint32_t place)
{
    uint32_t back = jump_back_of(f, head, place), forms[2];
    int64_t apart;
    if (back == BLOCKS_MAX || !compared(f, back, forms))
        return 0;
    struct resolved one = resolve(f, forms[0]), other = resolve(f, forms[1]);
    bool counts = one.count + other.count == 1 &&
                  (one.count ? one.counters[0].block : other.counters[0].block) == head;
    const struct instruction *last = &f->instructions[f->blocks[back].end - 1];
    return counts && linear_form_apart(&f->forms, one.form, other.form, &apart)
               ? last->at + last->bytes
               : 0;
}

struct report {
    void (*found)(void *context, const struct address_form *form);
    void *context;
};

/* A base is a form without its constant: the number of the one whose constant is 0. */
static uint32_t base_of(struct function *f, uint32_t form)
{
    return linear_form_sum(&f->forms, form, FORM_ZERO, 0, -f->forms.forms[form].constant,
                           (struct atom){ATOM_RESULT, 0, 0});
}

static void report_call(void *context, struct function *f, uint32_t block,
                        const struct instruction *call, uint32_t form)
{
    const struct report *report = context;
    struct address_form to = {.at = call->at + call->bytes, .block = block};
    if (form == FORM_NONE || calls_to(call, f->calls->block_begins))
        return;
    struct resolved resolved = resolve(f, form);
    to.base = base_of(f, resolved.form);
    to.log2 = (uint8_t)linear_form_log2(&f->forms, resolved.form);
    to.constant = f->forms.forms[resolved.form].constant;
    to.counter_count = resolved.count;
    for (uint32_t i = 0; i < resolved.count; i++) {
        to.counters[i].head = f->blocks[resolved.counters[i].block].begins;
        to.counters[i].end =
            constant_end(f, resolved.counters[i].block, resolved.counters[i].place);
        to.counters[i].step = resolved.counters[i].step;
    }
    if (!f->forms.is_full)
        report->found(report->context, &to);
}

bool address_forms_x86_64(const uint8_t *code, size_t room, size_t entry,
                          const struct address_calls *calls,
                          void (*found)(void *context, const struct address_form *form),
                          void *context)
{
    struct report report = {found, context};
    struct function *f = calloc(1, sizeof *f);
    if (f == NULL)
        return false;
    f->code = code;
    f->room = room;
    f->entry = entry;
    f->calls = calls;
    linear_forms_begin(&f->forms);
    read_all(f);
    cut_blocks(f);
    for (uint32_t b = 0; b < f->block_count && !f->is_lost; b++)
        link_block(f, &f->blocks[b]);
    if (!f->is_lost)
        find_forms(f);
    for (uint32_t b = 0; b < f->block_count && !f->is_lost; b++) {
        uint32_t places[PLACES];
        run_block(f, b, places, report_call, &report);
    }
    free(f);
    return true;
}
