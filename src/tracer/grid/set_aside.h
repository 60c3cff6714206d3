/* set_aside.h - the inside of the tracer: a block that waits for others of its grid or cluster while these run. */
#ifndef WARPLENS_TRACER_SET_ASIDE_H
#define WARPLENS_TRACER_SET_ASIDE_H

#include <stdbool.h>

/* NULL: no memory, and the launch fails. Takes the present block's stacks: they are free for the next one's lanes. */
struct aside *aside_take(void);
/* It is the present one again, as it was. */
void aside_bring_back(struct aside *aside);
void aside_free(struct aside *aside);
/* Whether some of its lanes can go on; whether some of them only test a barrier, and now go on without. */
bool aside_can_go_on(struct aside *aside);
bool aside_give_up(struct aside *aside);

#endif
