/* regions.c - decisions. Loops have no names: the source lines of their accesses tell which is which. Of nvcc's loops with
 * accesses at a line, the one that has most is the loop's main one; others go round what is left of the iterations. It
 * has so many iterations in one as it moves more bytes at a line than the host's loop does, at the line where that is most:
 * what an iteration has loaded, a later one may keep.
 *
 * Several of the host's loops may be one of nvcc's, when those within are unrolled whole. What nvcc's has instructions is
 * shared out between them as it was estimated. Where no accesses tell, the estimate stays.
 */
#include "tracer/made/regions.h"

#include <stdlib.h>
#include <string.h>

#include "machine_code/code_size.h"
#include "machine_code/lineinfo.h"
#include "tracer/engine.h"
#include "tracer/work/work.h"

enum {
    LINES_MAX = 64,
    WORK_LEAST =
        REGION_WORK_ONE / 4, /* of an estimate; and most: beyond, another loop was taken for it */
    WORK_MOST = REGION_WORK_ONE * 4,
};

#if defined(__aarch64__)
#define code_decode code_decode_arm64
#else
#define code_decode code_decode_x86_64
#endif

/* ---- Accesses --------------------------------------------------------------------------------- */

/* What a region moves at a line. */
struct moved {
    struct lineinfo_line line;
    uint32_t load_bytes, store_bytes;
};
struct accesses {
    struct moved lines[LINES_MAX];
    unsigned count;
};

#define HOOKS(bytes)                                                                               \
    void __tsan_read##bytes(void *p);                                                              \
    void __tsan_unaligned_read##bytes(void *p);                                                    \
    void __tsan_volatile_read##bytes(void *p);                                                     \
    void __tsan_write##bytes(void *p);                                                             \
    void __tsan_unaligned_write##bytes(void *p);                                                   \
    void __tsan_volatile_write##bytes(void *p);
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

/* Bytes that a call of the function announces a load or store of; 0: none. */
static uint32_t announced(uintptr_t function, bool *is_store)
{
#define READS(bytes)                                                                               \
    {(uintptr_t)__tsan_read##bytes, bytes, false},                                                 \
        {(uintptr_t)__tsan_unaligned_read##bytes, bytes, false},                                   \
        {(uintptr_t)__tsan_volatile_read##bytes, bytes, false},                                    \
        {(uintptr_t)__tsan_write##bytes, bytes, true},                                             \
        {(uintptr_t)__tsan_unaligned_write##bytes, bytes, true},                                   \
        {(uintptr_t)__tsan_volatile_write##bytes, bytes, true},
    const struct {
        uintptr_t function;
        uint32_t bytes;
        bool is_store;
    } hooks[] = {READS(1) READS(2) READS(4) READS(8) READS(16)};
    for (unsigned i = 0; i < sizeof hooks / sizeof hooks[0]; i++)
        if (hooks[i].function == function) {
            *is_store = hooks[i].is_store;
            return hooks[i].bytes;
        }
    return 0;
}

static void add_access(struct accesses *accesses, struct lineinfo_line line, uint32_t bytes,
                       bool is_store)
{
    unsigned i = 0;
    while (i < accesses->count && (accesses->lines[i].line.line != line.line ||
                                   strcmp(accesses->lines[i].line.file, line.file) != 0))
        i++;
    if (i == LINES_MAX || line.line == 0)
        return;
    if (i == accesses->count)
        accesses->lines[accesses->count++] = (struct moved){.line = line};
    *(is_store ? &accesses->lines[i].store_bytes : &accesses->lines[i].load_bytes) += bytes;
}

/* What nvcc's loop moves at the line. */
static struct moved moved_there(const struct wl_nvcc_kernel *kernel, unsigned loop,
                                const struct lineinfo_line *line)
{
    struct moved there = {.line = *line};
    for (unsigned i = 0; i < kernel->line_count; i++) {
        const struct wl_nvcc_line *l = &kernel->lines[i];
        if (l->line != line->line || l->loop != loop || strcmp(l->file, line->file) != 0)
            continue;
        there.load_bytes += l->load_bytes;
        there.store_bytes += l->store_bytes;
    }
    return there;
}

/* What of the accesses nvcc's loop has, in bytes. */
static uint32_t in_common(const struct wl_nvcc_kernel *kernel, unsigned loop,
                          const struct accesses *accesses)
{
    uint32_t bytes = 0;
    for (unsigned i = 0; i < accesses->count; i++) {
        const struct moved *host = &accesses->lines[i];
        const struct moved there = moved_there(kernel, loop, &host->line);
        bytes +=
            (host->load_bytes ? there.load_bytes : 0) + (host->store_bytes ? there.store_bytes : 0);
    }
    return bytes;
}

static uint32_t times_of(uint32_t there, uint32_t host)
{
    return host ? (there + host / 2) / host : 0;
}

/* ---- Which loop is which ---------------------------------------------------------------------- */

static void find_loop(const struct wl_nvcc_kernel *kernel, const struct accesses *accesses,
                      struct region *region)
{
    uint32_t most = 0;
    for (unsigned loop = 1; loop < kernel->loop_count; loop++) {
        const uint32_t bytes = in_common(kernel, loop, accesses);
        if (bytes <= most)
            continue;
        most = bytes;
        region->loop = loop;
    }
    region->is_made = most > 0 || in_common(kernel, 0, accesses) > 0;
    region->times = 1;
    for (unsigned i = 0; i < accesses->count; i++) {
        const struct moved *host = &accesses->lines[i];
        const struct moved there = moved_there(kernel, region->loop, &host->line);
        const uint32_t loads = times_of(there.load_bytes, host->load_bytes);
        const uint32_t stores = times_of(there.store_bytes, host->store_bytes);
        const uint32_t times = loads > stores ? loads : stores;
        region->times = times > region->times ? times : region->times;
    }
}

/* Whether the region's loop may have become a part of nvcc's, unrolled whole: how often is not known, where it has no accesses. */
static bool may_be_in(const struct regions *r, const struct region *loop)
{
    return !loop->is_made && !r->has_others;
}

static uint32_t innermost_but(const struct regions *r, uint32_t of);

/* Each has its share of the loop's instructions; none, when others of unknown length may have one. */
static void share_out(struct regions *r, unsigned loop)
{
    uint64_t estimated = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct region *region = &r->regions[i];
        if (i && may_be_in(r, region) && r->regions[innermost_but(r, i)].loop == loop)
            return;
        if (region->is_made && region->loop == loop)
            estimated += (uint64_t)region->estimated * region->times;
    }
    if (estimated == 0)
        return;
    uint64_t work = (uint64_t)r->kernel->loops[loop].instructions * REGION_WORK_ONE / estimated;
    work = work < WORK_LEAST ? WORK_LEAST : work > WORK_MOST ? WORK_MOST : work;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->regions[i].is_made && r->regions[i].loop == loop) {
            r->regions[i].work = (uint32_t)work;
            r->regions[i].is_shared = true;
        }
}

/* Whether nvcc has loops that are none of the regions': of those without accesses, perhaps. */
static bool has_others(const struct regions *r)
{
    for (unsigned loop = 1; loop < r->kernel->loop_count; loop++) {
        bool is_one = r->kernel->loops[loop].rounds > 0;
        for (uint32_t i = 0; i < r->count; i++)
            is_one |= r->regions[i].is_made && r->regions[i].loop == loop;
        if (!is_one)
            return true;
    }
    return false;
}

/* ---- The host's code -------------------------------------------------------------------------- */

static void add_loop(struct regions *r, uintptr_t begin, uintptr_t end)
{
    if (r->count < REGIONS_MAX)
        r->regions[r->count++] = (struct region){.begin = begin, .end = end};
}

static void find_regions(struct regions *r)
{
    r->regions[0] = (struct region){.begin = r->begin, .end = r->end};
    r->count = 1;
    for (uintptr_t at = r->begin; at < r->end;) {
        const struct code_instruction in = code_decode((const uint8_t *)at, r->end - at);
        if (in.bytes == 0)
            return;
        const bool jumps = (in.kind == CODE_JUMP || in.kind == CODE_BRANCH) && in.has_target;
        const uintptr_t target = at + (uintptr_t)in.target;
        at += in.bytes;
        if (jumps && in.target < 0 && target >= r->begin)
            add_loop(r, target, at);
    }
}

/* The innermost region around a place, but for `of`, its own loop. */
static uint32_t innermost_around(const struct regions *r, uintptr_t pc, uint32_t of)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < r->count; i++) {
        const struct region *loop = &r->regions[i], *best = &r->regions[found];
        if (i != of && pc - loop->begin < loop->end - loop->begin &&
            loop->end - loop->begin < best->end - best->begin)
            found = i;
    }
    return found;
}

static uint32_t innermost(const struct regions *r, uintptr_t pc)
{
    return innermost_around(r, pc, 0);
}

static uint32_t innermost_but(const struct regions *r, uint32_t of)
{
    return innermost_around(r, r->regions[of].begin, of);
}

static void read_accesses(const struct regions *r, struct accesses *of_regions)
{
    for (uintptr_t at = r->begin; at < r->end;) {
        const struct code_instruction in = code_decode((const uint8_t *)at, r->end - at);
        bool is_store = false;
        if (in.bytes == 0)
            return;
        const uint32_t bytes = in.kind == CODE_CALL && in.has_target
                                   ? announced(at + (uintptr_t)in.target, &is_store)
                                   : 0;
        if (bytes)
            add_access(&of_regions[innermost(r, at)], sites_line(at + in.bytes), bytes, is_store);
        at += in.bytes;
    }
}

static void estimate(struct regions *r)
{
    uintptr_t next;
    for (uintptr_t at = work_next_block(r->begin, r->end); at < r->end; at = next) {
        const unsigned work = work_estimate(at, r->end, &next);
        r->regions[innermost(r, at)].estimated += work;
    }
}

void regions_read(struct regions *r, const struct wl_nvcc_kernel *kernel, uintptr_t begin,
                  uintptr_t end)
{
    *r = (struct regions){.kernel = kernel, .begin = begin, .end = end};
    find_regions(r);
    struct accesses *of_regions = calloc(r->count, sizeof *of_regions);
    if (of_regions == NULL) {
        r->count = 0;
        return;
    }
    read_accesses(r, of_regions);
    estimate(r);
    for (uint32_t i = 0; i < r->count; i++) {
        r->regions[i].work = REGION_WORK_ONE;
        find_loop(kernel, &of_regions[i], &r->regions[i]);
    }
    r->regions[0].loop = 0;
    r->regions[0].times = 1;
    r->regions[0].is_made = true;
    r->has_others = has_others(r);
    for (unsigned loop = 0; loop < kernel->loop_count; loop++)
        share_out(r, loop);
    free(of_regions);
}

const struct region *regions_at(const struct regions *r, uintptr_t pc)
{
    return &r->regions[innermost(r, pc)];
}
