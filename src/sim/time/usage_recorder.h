/* usage_recorder.h - records what is busy when.
 *
 * Each resource adds the ticks that it was taken to one sum. At the end of a window the differences
 * say which resource was nearest its limit, and which partition was hottest. Windows double in
 * length when there are too many of them, so memory does not grow with time.
 */
#ifndef WARPLENS_SIM_TIME_USAGE_RECORDER_H
#define WARPLENS_SIM_TIME_USAGE_RECORDER_H

#include <stdbool.h>

#include "result/usage.h"

struct usage_recorder {
    uint64_t busy[USE_COUNT]; /* running sums; the stages add to them */
    uint64_t seen[USE_COUNT]; /* at the end of the last window */
    uint64_t seen_bytes[USAGE_PARTITIONS_MAX], seen_partition[USAGE_PARTITIONS_MAX];
    uint64_t window_begin, window_ticks;
    struct usage *kept; /* with room for USAGE_WINDOWS */
    struct {
        size_t count; /* windows; of those that were joined since, half as many */
        uint64_t hottest_bytes, all_bytes;
    } before; /* of `kept`, when the launch began */
};

/* Starts a kernel; the first windows are of 1,024 cycles. recorder->kept is the caller's to free. False when
 * memory is short. */
bool usage_start(struct usage_recorder *recorder, uint32_t partitions,
                 const uint64_t capacity[USE_COUNT]);

/* What is recorded from now on is a launch's, which usage_drop_launch takes back. */
void usage_begin_launch(struct usage_recorder *recorder);
void usage_drop_launch(struct usage_recorder *recorder);

/* What was recorded, the caller's to free; nothing more can be recorded. */
struct usage *usage_take(struct usage_recorder *recorder);

/* Whether `now` lies beyond the current window; then the caller closes it with the partitions' sums
 * so far, and gets a copy. */
static inline bool usage_is_over(const struct usage_recorder *recorder, uint64_t now)
{
    return now - recorder->window_begin >= recorder->window_ticks;
}
void usage_close(struct usage_recorder *recorder, uint64_t now, const uint64_t *partition_busy,
                 const uint64_t *partition_bytes, struct usage_window *closed);

/* Behind the last window of a launch: time that was not recorded, of which each resource is taken to have held up the
 * share that it has of the launch's windows, the launch itself left out; and bytes on the partitions in that time,
 * of which `camped` were on the hottest one while it camped. */
void usage_add_left_out(struct usage_recorder *recorder, uint64_t ticks, uint64_t bytes,
                        uint64_t camped);

#endif
