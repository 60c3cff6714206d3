/* set_aside.h - the inside of the tracer: a block that waits at a barrier of the grid while others run. */
#ifndef WARPLENS_TRACER_SET_ASIDE_H
#define WARPLENS_TRACER_SET_ASIDE_H

/* NULL: no memory, and the launch fails. Takes the present block's stacks: they are free for the next one's lanes. */
struct aside *aside_take(void);
/* It is the present one again, as it was. */
void aside_bring_back(struct aside *aside);
void aside_free(struct aside *aside);

#endif
