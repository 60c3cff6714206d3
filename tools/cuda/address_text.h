/* address_text.h - one warp access as a line of a recording of addresses. The device's recorder and the
 * CPU's trace (tests/address_trace.c) both write with these functions, so that equal accesses are
 * equal lines. C and C++.
 *
 *     ld.global.32 transpose.c:33 idata+0x80 stride=4 mask=ffffffff
 *     st.shared.32 transpose.c:33 block+0x0 at=0:4*16,68:4*16 mask=ffffffff
 *
 * Operation, space, bits a lane; source line; the array and the offset in bytes of the first active
 * lane. stride: from one active lane to the next, in bytes; a lone lane has none. at: runs of active
 * lanes in lane order, `first:stride*lanes`, or `first` for a run of one, in bytes from the first
 * active lane. mask: the active lanes, in hexadecimal.
 */
#ifndef WARPLENS_ADDRESS_TEXT_H
#define WARPLENS_ADDRESS_TEXT_H

#include <inttypes.h>
#include <stdio.h>

/* What a recording holds of a launch: the first warps of the first blocks. */
enum { ADDRESS_BLOCKS = 2, ADDRESS_WARPS = 4 };
enum { ADDRESS_LANES = 32, ADDRESS_LINE_BYTES = 1024 };

#define ADDRESS_HEADING "# warplens addresses 1"

struct address_access {
    const char *op;    /* "ld", "st", "atom" */
    const char *space; /* "global", "shared", "local", "const", "texture" */
    unsigned width;    /* bytes a lane */
    int read_only;     /* a global load on the read-only path */
    const char *file;
    unsigned line;
    const char *array; /* its name; the space's where arrays are not told apart */
    uint32_t mask;
    uint64_t offset[ADDRESS_LANES]; /* in the array, by lane; those of active lanes count */
};

static inline size_t address_put(char *text, size_t used, const char *separator, int64_t first,
                                 int64_t stride, unsigned lanes)
{
    size_t room = ADDRESS_LINE_BYTES - used;
    int put = lanes == 1 ? snprintf(text + used, room, "%s%" PRId64, separator, first)
                         : snprintf(text + used, room, "%s%" PRId64 ":%" PRId64 "*%u", separator,
                                    first, stride, lanes);
    used += put > 0 ? (size_t)put : 0;
    return used < ADDRESS_LINE_BYTES ? used : ADDRESS_LINE_BYTES - 1;
}

/* Lanes from `begin` on that lie at one distance from each other, and that distance. */
static inline unsigned address_run(const uint64_t *at, unsigned begin, unsigned count,
                                   int64_t *stride)
{
    unsigned lanes = 1;
    *stride = 0;
    if (begin + 1 < count)
        *stride = (int64_t)(at[begin + 1] - at[begin]);
    while (begin + lanes < count && (int64_t)(at[begin + lanes] - at[begin + lanes - 1]) == *stride)
        lanes++;
    return lanes;
}

static inline size_t address_put_lanes(char *text, size_t used, const uint64_t *at, unsigned count)
{
    int64_t stride;
    if (count < 2)
        return used;
    if (address_run(at, 0, count, &stride) == count)
        return used +
               (size_t)snprintf(text + used, ADDRESS_LINE_BYTES - used, " stride=%" PRId64, stride);
    const char *separator = " at=";
    for (unsigned begin = 0; begin < count; separator = ",") {
        unsigned lanes = address_run(at, begin, count, &stride);
        /* Of a pair that begins no longer run, the second lane may begin the next one. */
        lanes = lanes == 2 && begin + 2 < count ? 1 : lanes;
        used = address_put(text, used, separator, (int64_t)(at[begin] - at[0]), stride, lanes);
        begin += lanes;
    }
    return used;
}

/* Writes the line, without a line end, into ADDRESS_LINE_BYTES bytes. */
static inline void address_text(char *text, const struct address_access *access)
{
    uint64_t at[ADDRESS_LANES];
    unsigned count = 0;
    for (unsigned lane = 0; lane < ADDRESS_LANES; lane++)
        if (access->mask >> lane & 1U)
            at[count++] = access->offset[lane];
    size_t used = (size_t)snprintf(text, ADDRESS_LINE_BYTES, "%s.%s%s.%u %.80s:%u %.80s+0x%" PRIx64,
                                   access->op, access->space, access->read_only ? ".nc" : "",
                                   access->width * 8, access->file, access->line, access->array,
                                   count ? at[0] : 0);
    used = address_put_lanes(text, used, at, count);
    snprintf(text + used, ADDRESS_LINE_BYTES - used, " mask=%08" PRIx32, access->mask);
}

#endif
