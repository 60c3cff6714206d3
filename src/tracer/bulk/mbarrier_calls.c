/* mbarrier_calls.c - barriers in shared memory as inline PTX and cuda::ptx call them (warplens/cuda_bulk.h). */
#include <string.h>

#include "tracer/bulk/mbarriers.h"
#include "tracer/grid/cluster.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

void wl_mbarrier_init(void *barrier, unsigned arrivals, const char *file, int line);
void wl_mbarrier_inval(void *barrier);
unsigned long long wl_mbarrier_arrive(void *barrier, unsigned arrivals, bool drops,
                                      const char *file, int line);
unsigned long long wl_mbarrier_arrive_expect(void *barrier, unsigned arrivals, unsigned bytes,
                                             bool drops, const char *file, int line);
void wl_mbarrier_expect(void *barrier, unsigned bytes, const char *file, int line);
void wl_mbarrier_complete(void *barrier, unsigned bytes);
bool wl_mbarrier_wait(const void *barrier, unsigned long long state, bool tests, const char *file,
                      int line);
bool wl_mbarrier_wait_parity(const void *barrier, unsigned parity, bool tests, const char *file,
                             int line);
unsigned wl_mbarrier_pending(unsigned long long state);

/* A state: the phase and, above it, the arrivals that were pending in front of it (an H200 says the same to all lanes of a
 * warp: those that were pending in front of the warp's). */
enum { PENDING_SHIFT = 32 };

/* The return address, with the place that the program says it has. */
static uintptr_t at_line(uintptr_t pc, const char *file, int line)
{
    if (file && engine.current)
        call_lines_say(pc, file, (unsigned)line);
    return pc;
}

WORK_COST_1 void wl_mbarrier_init(void *barrier, unsigned arrivals, const char *file, int line)
{
    mbarriers_make(barrier, arrivals, at_line(RETURN_ADDRESS, file, line));
}

WORK_COST_1 void wl_mbarrier_inval(void *barrier)
{
    mbarriers_check_own(barrier, "an invalidation of", RETURN_ADDRESS);
    mbarriers_at(barrier, RETURN_ADDRESS);
    memset(barrier, 0, BARRIER_BYTES);
}

static unsigned long long arrive(void *barrier, unsigned arrivals, bool drops, uintptr_t pc)
{
    if (cluster_holds(
            barrier)) /* of another block's there is no state (PTX ISA, mbarrier.arrive) */
        return mbarriers_arrive(barrier, arrivals, drops, pc);
    const uint64_t pending = mbarriers_at(barrier, pc)->pending;
    return mbarriers_arrive(barrier, arrivals, drops, pc) | pending << PENDING_SHIFT;
}

WORK_COST_1 unsigned long long wl_mbarrier_arrive(void *barrier, unsigned arrivals, bool drops,
                                                  const char *file, int line)
{
    return arrive(barrier, arrivals, drops, at_line(RETURN_ADDRESS, file, line));
}

WORK_COST_1 unsigned long long wl_mbarrier_arrive_expect(void *barrier, unsigned arrivals,
                                                         unsigned bytes, bool drops,
                                                         const char *file, int line)
{
    const uintptr_t pc = at_line(RETURN_ADDRESS, file, line);
    mbarriers_expect(barrier, bytes, pc);
    return arrive(barrier, arrivals, drops, pc);
}

WORK_COST_1 void wl_mbarrier_expect(void *barrier, unsigned bytes, const char *file, int line)
{
    mbarriers_expect(barrier, bytes, at_line(RETURN_ADDRESS, file, line));
}

WORK_COST_1 void wl_mbarrier_complete(void *barrier, unsigned bytes)
{
    mbarriers_complete(barrier, bytes, RETURN_ADDRESS);
}

WORK_COST_1 bool wl_mbarrier_wait(const void *barrier, unsigned long long state, bool tests,
                                  const char *file, int line)
{
    return mbarriers_wait(barrier, (uint32_t)state, tests, at_line(RETURN_ADDRESS, file, line));
}

/* The phase of that parity that runs, or else the one before it, which has ended. */
WORK_COST_1 bool wl_mbarrier_wait_parity(const void *barrier, unsigned parity, bool tests,
                                         const char *file, int line)
{
    const uintptr_t pc = at_line(RETURN_ADDRESS, file, line);
    mbarriers_check_own(barrier, "a wait at", pc);
    const struct mbarrier *b = mbarriers_at(barrier, pc);
    if ((b->phase & 1) == (parity & 1))
        return mbarriers_wait(barrier, b->phase, tests, pc);
    return b->phase == 0 || mbarriers_wait(barrier, b->phase - 1, tests, pc);
}

WORK_COST_0 unsigned wl_mbarrier_pending(unsigned long long state)
{
    return (unsigned)(state >> PENDING_SHIFT);
}
