/* trace_calls.h - a sink that writes every call as a line of text, to be compared with what is
 * expected:
 *
 *   note trace=Accel-Sim traceg
 *   launch copy grid 2,1,1 block 64,1,1 shared 0 registers 32 arrays htod0@1000+64
 *   site 0 copy+0x0010:0 [htod0] global load 4
 *   access 0.1 site 0 global load 4 active ffffffff of ffffffff work 1 left none @1000+4
 *   barrier 0.1 work 3
 *   end 0.1 work 1
 *   block 0 shared 0
 *   done shared 0
 *
 * An access of block 0's warp 1 begins with "access 0.1"; its addresses are hexadecimal, base and
 * stride when it is affine, otherwise those of the active lanes. Flags stand behind the addresses.
 */
#ifndef WARPLENS_TESTS_TRACE_CALLS_H
#define WARPLENS_TESTS_TRACE_CALLS_H

#include "stream/stream.h"

struct trace_calls {
    char *text;
    size_t used, room;
    bool bare; /* leave out what an export loses: notes, sites, arrays' names; stores' loads_left */
    size_t calls_left; /* the sink wants no more after so many; 0: no end */
};

struct trace_sink trace_calls_sink(struct trace_calls *calls);
void trace_calls_free(struct trace_calls *calls);

#endif
