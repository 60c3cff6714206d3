/* dram.c - see the header for the decisions. The bus and the banks are two limits side by side: a
 * request that waits for its bank does not hold the bus, since the scheduler has others to serve.
 */
#include "sim/time/dram.h"

/* A batch of writes of so many rows is collected for so long that the rows which reads had opened are
 * closed again. */
enum { WRITES_APART_ROWS = 4 };

/* Such writes are sorted within a small part of the batch, and an activation for a write keeps the others
 * away for twice as long: the row is open until the write has recovered. Both fitted to stores of single
 * words all over 16 to 256 MB on an H200. */
enum { WRITE_WINDOW = 32, WRITE_GAPS_TENTHS = 16 };

struct dram_times dram_times_for(const struct arch *arch)
{
    int64_t khz = arch->sm_clock_khz;
    int64_t rate = arch->peak_megabytes_per_s * arch->dram_efficiency_percent / 100;
    return (struct dram_times){
        .ticks_per_kilobyte = ticks_of_kilobyte(rate, arch->dram_partitions, khz),
        .write_ticks_per_kilobyte =
            arch->dram_write_megabytes_per_s
                ? ticks_of_kilobyte(arch->dram_write_megabytes_per_s, arch->dram_partitions, khz)
                : 0,
        .row_cycle = ticks_of_ps(arch->dram_row_cycle_ps, khz),
        .row_gap = ticks_of_ps(arch->dram_row_gap_ps, khz),
        .write_gap = ticks_of_ps(arch->dram_row_gap_ps * WRITE_GAPS_TENTHS / 10, khz),
        .turnaround = ticks_of_ps(arch->dram_turnaround_ps, khz),
        .access_bytes = (uint32_t)arch->dram_access_bytes,
        .write_batch_bytes = (uint32_t)arch->dram_write_batch_bytes,
        .window = (uint32_t)arch->dram_window,
        .writes_apart = arch->dram_write_batch_bytes >= arch->dram_row_bytes * WRITES_APART_ROWS,
    };
}

/* Whether the row counts as open; it is the bank's most recent one from now on. */
static bool row_is_open(struct dram_partition *p, struct dram_bank *bank, uint32_t row,
                        uint32_t window)
{
    uint32_t i = 0;
    while (i < DRAM_ROWS_KEPT - 1 && !(bank->row[i] == row && bank->used[i] != 0))
        i++;
    bool open = bank->row[i] == row && bank->used[i] != 0 && p->requests - bank->used[i] <= window;
    for (; i > 0; i--) {
        bank->row[i] = bank->row[i - 1];
        bank->used[i] = bank->used[i - 1];
    }
    bank->row[0] = row;
    bank->used[0] = p->requests;
    return open;
}

/* When the request's row is there: now, or after its bank and the activations before it. */
static uint64_t open_row(struct dram_partition *p, const struct dram_times *times,
                         struct dram_row at, bool apart, uint64_t now)
{
    const uint32_t window = apart && times->window > WRITE_WINDOW ? WRITE_WINDOW : times->window;
    struct dram_bank *bank = &p->banks[at.bank];
    const bool latest = bank->row[0] == (uint32_t)at.row;
    p->requests++;
    if (row_is_open(p, bank, (uint32_t)at.row, window)) {
        p->row_hits++;
        return latest ? ticks_later(now, bank->opened_at) : now; /* an earlier row: served then */
    }
    p->row_misses++;
    uint64_t start = port_take(&p->activations, now, apart ? times->write_gap : times->row_gap);
    start = ticks_later(start, bank->free_at);
    bank->opened_at = start;
    bank->free_at = start + times->row_cycle;
    return start;
}

static uint64_t bus_ticks(const struct dram_times *times, uint32_t bytes)
{
    uint32_t whole = (bytes + times->access_bytes - 1) & ~(times->access_bytes - 1);
    return (whole * times->ticks_per_kilobyte + 512) >> 10;
}

static void write_out(struct dram_partition *p, const struct dram_times *times, uint64_t now)
{
    uint64_t busy = p->write_ticks + (p->reads_since_batch ? 2 * times->turnaround : 0);
    port_take(&p->bus, now, busy);
    p->busy += busy;
    p->bytes_waiting = 0;
    p->write_ticks = 0;
    p->reads_since_batch = false;
}

uint64_t dram_read(struct dram_partition *p, const struct dram_times *times, struct dram_row at,
                   uint32_t bytes, uint64_t now)
{
    uint64_t busy = bus_ticks(times, bytes);
    uint64_t ready = open_row(p, times, at, false, now);
    uint64_t start = port_take(&p->bus, now, busy);
    p->busy += busy;
    p->reads_since_batch = true;
    return ticks_later(start, ready);
}

uint64_t dram_write(struct dram_partition *p, const struct dram_times *times, struct dram_row at,
                    uint32_t bytes, uint64_t now)
{
    uint64_t way_in = (bytes * times->write_ticks_per_kilobyte + 512) >> 10;
    p->write_busy += way_in;
    now = port_take(&p->writes, now, way_in);
    if (times->writes_apart)
        at.row = ~at.row;
    uint64_t ready = open_row(p, times, at, times->writes_apart, now);
    p->write_ticks += bus_ticks(times, bytes);
    p->bytes_waiting += bytes;
    if (p->bytes_waiting >= times->write_batch_bytes)
        write_out(p, times, now);
    return ticks_later(ready, p->bus.free_at);
}

uint64_t dram_through_at(const struct dram_partition *p, const struct dram_times *times,
                         uint32_t banks, uint64_t now)
{
    const uint64_t waiting = p->write_ticks + (p->reads_since_batch ? 2 * times->turnaround : 0);
    uint64_t end = ticks_later(now, p->bus.free_at) + (p->bytes_waiting ? waiting : 0);
    end = ticks_later(end, p->writes.free_at);
    for (uint32_t i = 0; i < banks; i++) /* the row of the last write is open by then */
        if (p->banks[i].free_at > end + times->row_cycle)
            end = p->banks[i].free_at - times->row_cycle;
    return end;
}

uint64_t dram_drain(struct dram_partition *p, const struct dram_times *times, uint32_t banks,
                    uint64_t now)
{
    if (p->bytes_waiting)
        write_out(p, times, now);
    return dram_through_at(p, times, banks, now);
}
