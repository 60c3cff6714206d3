/* ticks.h - the unit of time: a tick is 1/256 of an SM cycle. 64 bits of them are 400 days at 2 GHz. */
#ifndef WARPLENS_RESULT_TICKS_H
#define WARPLENS_RESULT_TICKS_H

#include <stdint.h>

enum { TICKS_LOG2 = 8, TICKS_PER_CYCLE = 1 << TICKS_LOG2 };

static inline uint64_t ticks_of_cycles(int64_t cycles)
{
    return (uint64_t)cycles << TICKS_LOG2;
}

#endif
