/* function_counters.c - x86-64: which places of a function count a loop's iterations, and which loops go round a constant number
 * of times.
 *
 * Where a loop brings the atom of a place plus a constant to its own beginning, the place is a counter; what it is in front of the
 * loop takes its place.
 */
#include <string.h>

#include "machine_code/function_code.h"

enum { COPIES_MAX = 3 };

static bool find_counter(struct function *f, const struct atom *join, struct counter *counter,
                         unsigned copies_left);

/* What is brought is the place at the beginning of a loop inside, which leaves it as it is. */
static bool is_copy(struct function *f, uint32_t brought, uint32_t own, unsigned copies_left)
{
    const struct linear_form *form = &f->forms.forms[brought];
    struct counter counter;
    if (copies_left == 0 || form->count != 1 || form->constant || form->terms[0].times != 1)
        return false;
    const struct atom atom = f->forms.atoms[form->terms[0].atom];
    return atom.kind == ATOM_JOIN && find_counter(f, &atom, &counter, copies_left - 1) &&
           counter.step == 0 && counter.begin == own;
}

/* `form` is `own` and a constant, where loops inside leave it as it is. */
static bool is_apart(struct function *f, uint32_t form, uint32_t own, int64_t *apart,
                     unsigned copies_left)
{
    struct counter counter;
    if (linear_form_apart(&f->forms, form, own, apart))
        return true;
    for (uint32_t t = 0; copies_left > 0 && form != FORM_NONE && t < f->forms.forms[form].count;
         t++) {
        const struct atom atom = f->forms.atoms[f->forms.forms[form].terms[t].atom];
        if (atom.kind == ATOM_JOIN && !linear_form_is_atom(&f->forms, own, atom) &&
            find_counter(f, &atom, &counter, copies_left - 1) && counter.step == 0)
            return is_apart(f, linear_form_replace(&f->forms, form, t, counter.begin), own, apart,
                            copies_left - 1);
    }
    return false;
}

/* A place at the beginning of a block counts when ways there bring it plus one constant, and the others one
 * form. Where no way adds anything it is that form. */
static bool find_counter(struct function *f, const struct atom *join, struct counter *counter,
                         unsigned copies_left)
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
        if (is_apart(f, brought, own, &apart, copies_left)) {
            if (counter->step && counter->step != apart)
                return false;
            counter->step = apart;
        } else if (counter->begin == FORM_NONE || counter->begin == brought) {
            counter->begin = brought;
        } else if (!is_copy(f, brought, own, copies_left)) {
            if (!is_copy(f, counter->begin, own, copies_left))
                return false;
            counter->begin = brought;
        }
    }
    return counter->begin != FORM_NONE;
}

bool function_find_counter(struct function *f, const struct atom *join, struct counter *counter)
{
    return find_counter(f, join, counter, COPIES_MAX);
}

enum { ANY_LOOP = BLOCKS_MAX };

/* Replaces one counter of the loop that begins with block `head` by what it begins with; false when there is none. */
static bool replace_counter(struct function *f, struct resolved *r, uint32_t head)
{
    struct counter counter;
    for (uint32_t t = 0; t < f->forms.forms[r->form].count; t++) {
        const struct linear_form *now = &f->forms.forms[r->form];
        const struct atom *atom = &f->forms.atoms[now->terms[t].atom];
        int64_t times = now->terms[t].times;
        if (atom->kind != ATOM_JOIN || (head != ANY_LOOP && atom->where != head) ||
            !function_find_counter(f, atom, &counter))
            continue;
        uint32_t replaced = linear_form_replace(&f->forms, r->form, t, counter.begin);
        if (replaced == FORM_NONE || r->count == ADDRESS_COUNTERS_MAX)
            return false;
        if (counter.step) {
            r->counters[r->count].block = (uint32_t)atom->where;
            r->counters[r->count].place = atom->which;
            r->counters[r->count++].step = (int64_t)((uint64_t)times * (uint64_t)counter.step);
        }
        r->form = replaced;
        return true;
    }
    return false;
}

static struct resolved resolve_of(struct function *f, uint32_t form, uint32_t head)
{
    struct resolved resolved = {.form = form};
    for (unsigned left = REPLACED_MAX; form != FORM_NONE && left > 0; left--)
        if (!replace_counter(f, &resolved, head))
            break;
    return resolved;
}

struct resolved function_resolve(struct function *f, uint32_t form)
{
    return resolve_of(f, form, ANY_LOOP);
}

/* A block jumps back to `head` when it brings that place there as it was, plus a constant. */
static bool jumps_back(struct function *f, uint32_t block, uint32_t head, uint32_t place)
{
    const struct block *b = &f->blocks[block];
    int64_t apart;
    return (b->next[0] == head || b->next[1] == head) &&
           is_apart(f, b->out[place],
                    linear_form_atom(&f->forms, (struct atom){ATOM_JOIN, head, place}), &apart,
                    COPIES_MAX);
}

/* The one block that does; BLOCKS_MAX when there are several, or none. */
static uint32_t jump_back_of(struct function *f, uint32_t head, uint32_t place)
{
    uint32_t back = BLOCKS_MAX;
    for (uint32_t b = 0; b < f->block_count; b++) {
        if (!jumps_back(f, b, head, place))
            continue;
        if (back != BLOCKS_MAX)
            return BLOCKS_MAX;
        back = b;
    }
    return back;
}

static bool is_in(const struct function *f, uint32_t block)
{
    return block != BLOCKS_MAX && f->in_loop[block];
}

/* Sets in_loop of the blocks between a loop's head and its jump back. */
static void find_loop(struct function *f, uint32_t head, uint32_t back)
{
    bool changed = true;
    memset(f->in_loop, 0, sizeof f->in_loop);
    f->in_loop[head] = f->in_loop[back] = true;
    while (changed && back != head) {
        changed = false;
        for (uint32_t b = f->block_count; b-- > 0;)
            if (!f->in_loop[b] &&
                ((f->blocks[b].next[0] != head && is_in(f, f->blocks[b].next[0])) ||
                 (f->blocks[b].next[1] != head && is_in(f, f->blocks[b].next[1]))))
                changed = f->in_loop[b] = true;
    }
}

bool function_compared(struct function *f, uint32_t block, uint32_t forms[2])
{
    const struct block *b = &f->blocks[block];
    uint32_t flags = b->end - 1, places[PLACES];
    if (f->instructions[flags].kind != CODE_BRANCH)
        return false;
    while (flags > b->first && !f->instructions[flags].effect.flags)
        flags--;
    const struct instruction *i = &f->instructions[flags];
    function_join(f, block, places);
    for (uint32_t at = b->first; at < flags + (i->effect.kind != EFFECT_COMPARE); at++)
        function_step(f, &f->instructions[at], places);
    bool is_sum = i->effect.kind == EFFECT_SUM;
    forms[0] = function_form(f, i, is_sum ? i->effect.to : i->effect.from[0], places);
    forms[1] = is_sum ? FORM_ZERO : function_form(f, i, i->effect.from[1], places);
    if (i->effect.constant)
        forms[1] = linear_form_sum(&f->forms, FORM_ZERO, FORM_ZERO, 0, i->effect.plus,
                                   (struct atom){ATOM_RESULT, i->at, RESULT_SUM});
    return i->effect.flags && (is_sum || i->effect.kind == EFFECT_COMPARE);
}

bool function_compared_at_first(struct function *f, uint32_t block, struct resolved sides[2])
{
    uint32_t forms[2];
    if (!function_compared(f, block, forms))
        return false;
    for (unsigned side = 0; side < 2; side++)
        sides[side] = function_resolve(f, forms[side]);
    return true;
}

/* The loop lies from its head to its jump back, and nothing leaves it from within. */
static bool lies_straight(const struct function *f, uint32_t head, uint32_t back)
{
    if (back == BLOCKS_MAX || back < head)
        return false;
    for (uint32_t b = head; b < back; b++)
        for (unsigned way = 0; way < 2; way++)
            if (f->blocks[b].next[way] != BLOCKS_MAX &&
                (f->blocks[b].next[way] < head || f->blocks[b].next[way] > back))
                return false;
    return true;
}

static uint64_t size_of(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* How much counters of that block's loop add to a form in an iteration. */
static int64_t step_in(const struct resolved *resolved, uint32_t head)
{
    int64_t step = 0;
    for (uint32_t i = 0; i < resolved->count; i++)
        if (resolved->counters[i].block == head)
            step += resolved->counters[i].step;
    return step;
}

/* Two forms, of which all counters are replaced, are apart by a constant and what one of them counts in the loop: loops around add
 * the same to both. */
static bool are_apart(struct function *f, const struct resolved *a, const struct resolved *b,
                      uint32_t head, int64_t *apart, int64_t *step)
{
    if (a->form == FORM_NONE || b->form == FORM_NONE ||
        !linear_form_apart(&f->forms, a->form, b->form, apart))
        return false;
    for (uint32_t i = 0; i < a->count + b->count; i++) {
        const uint32_t of = i < a->count ? a->counters[i].block : b->counters[i - a->count].block;
        if (of != head && step_in(a, of) != step_in(b, of))
            return false;
    }
    *step = step_in(a, head) - step_in(b, head);
    return *step != 0;
}

/* The branch at the end of that block compares a counter of the loop with what is a constant away from where it began. */
static bool counts_to_constant(struct function *f, uint32_t block, uint32_t head, uint64_t *rounds)
{
    uint32_t forms[2];
    int64_t apart, step;
    if (!function_compared(f, block, forms))
        return false;
    /* Counters of loops around are what they are in all of its iterations. */
    struct resolved one = resolve_of(f, forms[0], head), other = resolve_of(f, forms[1], head);
    if (!are_apart(f, &one, &other, head, &apart, &step)) {
        one = function_resolve(f, forms[0]);
        other = function_resolve(f, forms[1]);
        if (!are_apart(f, &one, &other, head, &apart, &step))
            return false;
    }
    *rounds = size_of(apart) / size_of(step);
    return true;
}

/* Whether some branch out of the loop does. */
static bool ends_constantly(struct function *f, uint32_t head, uint32_t back, uint64_t *rounds)
{
    find_loop(f, head, back);
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct block *block = &f->blocks[b];
        if (f->in_loop[b] && !(is_in(f, block->next[0]) && is_in(f, block->next[1])) &&
            counts_to_constant(f, b, head, rounds))
            return true;
    }
    return false;
}

bool function_counts_constantly(struct function *f, uint32_t head, uint32_t place, uint64_t *rounds)
{
    const uint32_t back = jump_back_of(f, head, place);
    return back != BLOCKS_MAX && ends_constantly(f, head, back, rounds);
}

bool function_is_constant_loop(struct function *f, uint32_t head, uint64_t *rounds)
{
    uint32_t tried = BLOCKS_MAX; /* most places have the same jump back */
    for (uint32_t place = 0; place < REGISTERS + f->slot_count; place++) {
        const uint32_t back = jump_back_of(f, head, place);
        if (back != BLOCKS_MAX && back != tried && ends_constantly(f, head, back, rounds))
            return true;
        tried = back != BLOCKS_MAX ? back : tried;
    }
    return false;
}

size_t function_constant_end(struct function *f, uint32_t head, uint32_t place)
{
    const uint32_t back = jump_back_of(f, head, place);
    uint64_t rounds;
    if (!lies_straight(f, head, back) || !ends_constantly(f, head, back, &rounds))
        return 0;
    const struct instruction *last = &f->instructions[f->blocks[back].end - 1];
    return last->at + last->bytes;
}
