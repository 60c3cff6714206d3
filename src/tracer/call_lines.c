/* call_lines.c - calls that say their own place. Bounded: what is beyond the table has the place that the line
 * table gives it. */
#include <string.h>

#include "machine_code/lineinfo.h"
#include "tracer/engine.h"

enum { CALLS_MAX = 4096, SLOTS = 2 * CALLS_MAX };

static struct {
    uintptr_t pc; /* 0: free */
    struct lineinfo_line line;
} calls[SLOTS];
static unsigned call_count;

/* The call's slot, or the free one where it belongs. */
static unsigned slot_of(uintptr_t pc)
{
    unsigned slot = (unsigned)(pc * 0x9e3779b97f4a7c15ULL >> 32) % SLOTS;
    while (calls[slot].pc && calls[slot].pc != pc)
        slot = (slot + 1) % SLOTS;
    return slot;
}

void call_lines_say(uintptr_t pc, const char *file, unsigned line)
{
    const unsigned slot = slot_of(pc);
    if (calls[slot].pc == pc || call_count == CALLS_MAX)
        return;
    const char *slash = strrchr(file, '/');
    call_count++;
    calls[slot].pc = pc;
    calls[slot].line = (struct lineinfo_line){slash ? slash + 1 : file, line};
}

struct lineinfo_line call_lines_find(uintptr_t pc)
{
    return calls[slot_of(pc)].line;
}
