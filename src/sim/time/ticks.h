/* ticks.h - time in the model, and the one shape in which resources are shared.
 *
 * Ticks are finer than cycles: rates such as 51.6 bytes a cycle keep their fraction, and no time
 * is ever divided on the way.
 *
 * A port serves one request after another in the order in which they ask. What asks later finds it
 * busy until free_at: that is all contention there is. Requests ask in the order of issue, and the
 * fixed latencies before a stage are added to the time they are told, so a port is never reserved
 * far ahead of what others ask of it.
 */
#ifndef WARPLENS_SIM_TIME_TICKS_H
#define WARPLENS_SIM_TIME_TICKS_H

#include "result/ticks.h"

static inline uint64_t ticks_of_millicycles(int64_t millicycles)
{
    return ((uint64_t)millicycles * TICKS_PER_CYCLE + 500) / 1000;
}

/* Clocks in kHz, times up to 10^6 ns: no product leaves 64 bits. */
static inline uint64_t ticks_of_ps(int64_t ps, int64_t clock_khz)
{
    return (uint64_t)ps * (uint64_t)clock_khz * TICKS_PER_CYCLE / 1000000000;
}

/* Of a kilobyte through one of `units` that have `megabytes_per_s` together. */
static inline uint64_t ticks_of_kilobyte(int64_t megabytes_per_s, int64_t units, int64_t clock_khz)
{
    uint64_t ticks = 1024ULL * TICKS_PER_CYCLE * (uint64_t)clock_khz * (uint64_t)units;
    uint64_t rate = 1000 * (uint64_t)megabytes_per_s;
    return (ticks + rate / 2) / rate;
}

static inline uint64_t ticks_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

struct port {
    uint64_t free_at; /* ticks */
};

/* Keeps the port for `busy` ticks from `now` on, or from when it is free. Returns when it begins. */
static inline uint64_t port_take(struct port *port, uint64_t now, uint64_t busy)
{
    uint64_t start = ticks_later(now, port->free_at);
    port->free_at = start + busy;
    return start;
}

#endif
