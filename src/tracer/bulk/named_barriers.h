/* named_barriers.h - the 16 barriers of a block that PTX names by number. */
#ifndef WARPLENS_TRACER_BULK_NAMED_BARRIERS_H
#define WARPLENS_TRACER_BULK_NAMED_BARRIERS_H

/* A block begins. */
void named_barriers_block(void);

#endif
