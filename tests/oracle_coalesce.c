/* oracle_coalesce.c - how a warp access becomes transactions, written from the rule text alone.
 *
 * Decisions: the two 128-byte transactions of a strict half-warp of 16-byte words are sent one by
 * one, and only when an active lane needs them. A transaction carries every lane whose word lies in
 * it, among the lanes that are coalesced together. A store merges over the warp, so it is one
 * request at any width.
 *
 * Sources: CUDA C Programming Guide 3.2, G.3.2 (sm_1x); 5.5, G.4.2 and G.5.2 (sm_2x, sm_3x); 11.7,
 * K.4 to K.8 (sm_5x to sm_90).
 */
#include "oracle.h"

#include <string.h>

static bool has_lane(uint32_t lanes, unsigned lane)
{
    return (lanes >> lane & 1U) != 0;
}

/* Sizes are powers of two. */
static uint64_t align_down(uint64_t addr, uint64_t size)
{
    return addr & ~(size - 1);
}

/* The lanes first, first + 1, ... of a group of `count`, which is at least 1. */
static uint32_t group_lanes(unsigned first, unsigned count)
{
    return UINT32_MAX >> (WARP_LANES - count) << first;
}

/* Those of `lanes` whose word lies in the `bytes` from `start`. */
static uint32_t lanes_inside(const uint64_t addr[WARP_LANES], uint32_t lanes, uint64_t start,
                             uint64_t bytes)
{
    uint32_t inside = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (has_lane(lanes, lane) && align_down(addr[lane], bytes) == start)
            inside |= (uint32_t)1 << lane;
    }
    return inside;
}

static void emit(struct coalesced *out, uint64_t addr, uint32_t bytes, uint32_t lanes)
{
    out->list[out->transactions] = (struct transaction){addr, bytes, lanes};
    out->transactions++;
    out->bytes_moved += bytes;
}

/* Groups of `count` lanes with an active lane. */
static uint32_t active_groups(uint32_t active, unsigned count)
{
    uint32_t groups = 0;
    for (unsigned first = 0; first < WARP_LANES; first += count) {
        if ((active & group_lanes(first, count)) != 0)
            groups++;
    }
    return groups;
}

/* Every distinct aligned segment of `bytes` once for each group of `count` lanes. */
static void emit_segments(const uint64_t addr[WARP_LANES], uint32_t active, unsigned count,
                          uint32_t bytes, struct coalesced *out)
{
    for (unsigned first = 0; first < WARP_LANES; first += count) {
        uint32_t unserved = active & group_lanes(first, count);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (!has_lane(unserved, lane))
                continue;
            uint64_t start = align_down(addr[lane], bytes);
            uint32_t served = lanes_inside(addr, unserved, start, bytes);
            emit(out, start, bytes, served);
            unserved &= ~served;
        }
    }
}

/* sm_10: may these lanes of the half-warp from `first` use segments of `bytes`? */
static bool is_strict_sequence(const uint64_t addr[WARP_LANES], uint32_t lanes, unsigned first,
                               unsigned width)
{
    uint64_t segment_bytes = width == 4 ? 64 : 128;
    unsigned words = (unsigned)segment_bytes / width;
    bool seen[2] = {false, false};
    uint64_t segment[2] = {0, 0};
    if (width < 4)
        return false;
    for (unsigned k = 0; k < 16; k++) {
        if (!has_lane(lanes, first + k))
            continue;
        unsigned which = k / words; /* 1 only for lanes 8 to 15 of 16-byte words */
        uint64_t start = align_down(addr[first + k], segment_bytes);
        if (addr[first + k] != start + (uint64_t)(k % words) * width)
            return false;
        if (seen[which] && segment[which] != start)
            return false;
        seen[which] = true;
        segment[which] = start;
    }
    return !(seen[0] && seen[1]) || segment[1] == segment[0] + segment_bytes;
}

static void emit_each_lane(const uint64_t addr[WARP_LANES], uint32_t lanes, struct coalesced *out)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (has_lane(lanes, lane))
            emit(out, align_down(addr[lane], 32), 32, (uint32_t)1 << lane);
    }
}

static void coalesce_strict(const uint64_t addr[WARP_LANES], uint32_t active, unsigned width,
                            struct coalesced *out)
{
    for (unsigned first = 0; first < WARP_LANES; first += 16) {
        uint32_t half = active & group_lanes(first, 16);
        if (is_strict_sequence(addr, half, first, width))
            emit_segments(addr, half, WARP_LANES, width == 4 ? 64 : 128, out);
        else
            emit_each_lane(addr, half, out);
    }
}

/* sm_12: one step of the segment protocol; the lanes that it served. */
static uint32_t serve_one_segment(const uint64_t addr[WARP_LANES], uint32_t unserved,
                                  unsigned width, struct coalesced *out)
{
    unsigned lane = 0;
    while (!has_lane(unserved, lane))
        lane++;
    uint32_t bytes = width == 1 ? 32 : width == 2 ? 64 : 128;
    uint64_t start = align_down(addr[lane], bytes);
    uint32_t served = lanes_inside(addr, unserved, start, bytes);
    while (bytes > 32) {
        uint32_t half_bytes = bytes / 2;
        bool lower = lanes_inside(addr, served, start, half_bytes) != 0;
        bool upper = lanes_inside(addr, served, start + half_bytes, half_bytes) != 0;
        if (lower && upper)
            break;
        start += upper ? half_bytes : 0;
        bytes = half_bytes;
    }
    emit(out, start, bytes, served);
    return served;
}

static void coalesce_segment_protocol(const uint64_t addr[WARP_LANES], uint32_t active,
                                      unsigned width, struct coalesced *out)
{
    for (unsigned first = 0; first < WARP_LANES; first += 16) {
        uint32_t unserved = active & group_lanes(first, 16);
        while (unserved != 0)
            unserved &= ~serve_one_segment(addr, unserved, width, out);
    }
}

/* One aligned 64-byte half of a line: one transaction when both segments are touched. */
static void emit_store_half(const uint64_t addr[WARP_LANES], uint32_t active, uint64_t start,
                            struct coalesced *out)
{
    uint32_t lower = lanes_inside(addr, active, start, 32);
    uint32_t upper = lanes_inside(addr, active, start + 32, 32);
    if (lower != 0 && upper != 0) {
        emit(out, start, 64, lower | upper);
        return;
    }
    if (lower != 0)
        emit(out, start, 32, lower);
    if (upper != 0)
        emit(out, start + 32, 32, upper);
}

static void emit_store_line(const uint64_t addr[WARP_LANES], uint32_t active, uint64_t line,
                            struct coalesced *out)
{
    unsigned touched = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (lanes_inside(addr, active, line + (uint64_t)32 * i, 32) != 0)
            touched++;
    }
    if (touched == 4) {
        emit(out, line, 128, lanes_inside(addr, active, line, 128));
        return;
    }
    emit_store_half(addr, active, line, out);
    emit_store_half(addr, active, line + 64, out);
}

/* Lines in address order: the lowest line with an unsent lane comes next. */
static void coalesce_store(const uint64_t addr[WARP_LANES], uint32_t active, struct coalesced *out)
{
    uint32_t unsent = active;
    while (unsent != 0) {
        uint64_t line = UINT64_MAX;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (has_lane(unsent, lane) && align_down(addr[lane], 128) < line)
                line = align_down(addr[lane], 128);
        }
        emit_store_line(addr, active, line, out);
        unsent &= ~lanes_inside(addr, active, line, 128);
    }
}

uint32_t oracle_round(const uint64_t addr[WARP_LANES], uint32_t left)
{
    uint32_t round = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool waits = !has_lane(left, lane);
        for (unsigned other = 0; other < lane; other++)
            waits = waits || (has_lane(round, other) && addr[other] == addr[lane]);
        if (!waits)
            round |= (uint32_t)1 << lane;
    }
    return round;
}

static void emit_rounds(const uint64_t addr[WARP_LANES], uint32_t active, struct coalesced *out)
{
    uint32_t left = active;
    while (left != 0) {
        uint32_t round = oracle_round(addr, left);
        emit_segments(addr, round, WARP_LANES, 32, out);
        left &= ~round;
    }
}

/* Lanes that make one request. */
static unsigned request_lanes(enum coalesce_rule rule, unsigned width)
{
    switch (rule) {
    case COALESCE_HALF_WARP_STRICT:
    case COALESCE_HALF_WARP_SEGMENT:
    case COALESCE_LANE:
        return 16;
    case COALESCE_LINE_128:
    case COALESCE_SEGMENT_32:
        return width <= 4 ? 32 : width == 8 ? 16 : 8;
    case COALESCE_SECTOR_GROUPED:
    case COALESCE_SECTOR_SPLIT_REQUESTS:
        return width <= 4 ? 8 : width == 8 ? 4 : 2;
    default:
        return 32;
    }
}

void oracle_coalesce(enum coalesce_rule rule, const uint64_t addr[WARP_LANES], uint32_t active,
                     unsigned width, struct coalesced *out)
{
    memset(out, 0, sizeof *out);
    out->requests = active_groups(active, request_lanes(rule, width));
    if (rule == COALESCE_HALF_WARP_STRICT)
        coalesce_strict(addr, active, width, out);
    if (rule == COALESCE_HALF_WARP_SEGMENT)
        coalesce_segment_protocol(addr, active, width, out);
    if (rule == COALESCE_LINE_128)
        emit_segments(addr, active, request_lanes(rule, width), 128, out);
    if (rule == COALESCE_SEGMENT_32 || rule == COALESCE_SECTOR_GROUPED)
        emit_segments(addr, active, request_lanes(rule, width), 32, out);
    if (rule == COALESCE_STORE_124)
        coalesce_store(addr, active, out);
    if (rule == COALESCE_SECTOR_SPLIT_REQUESTS || rule == COALESCE_SECTOR)
        emit_segments(addr, active, WARP_LANES, 32, out);
    if (rule == COALESCE_SECTOR_ROUNDS)
        emit_rounds(addr, active, out);
    if (rule == COALESCE_LANE)
        emit_each_lane(addr, active, out);
}

/* A map of the bytes of one aligned 16-byte block: no lane's word reaches into two of them. */
struct byte_map {
    uint64_t block;
    bool wanted[16];
};

static struct byte_map *find_map(struct byte_map *maps, unsigned *count, uint64_t block)
{
    for (unsigned i = 0; i < *count; i++) {
        if (maps[i].block == block)
            return &maps[i];
    }
    maps[*count] = (struct byte_map){.block = block};
    *count += 1;
    return &maps[*count - 1];
}

uint32_t oracle_distinct_bytes(const uint64_t addr[WARP_LANES], uint32_t active, unsigned width)
{
    struct byte_map maps[WARP_LANES];
    unsigned count = 0;
    uint32_t bytes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!has_lane(active, lane))
            continue;
        struct byte_map *map = find_map(maps, &count, addr[lane] / 16);
        for (unsigned i = 0; i < width; i++)
            map->wanted[addr[lane] % 16 + i] = true;
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned byte = 0; byte < 16; byte++)
            bytes += maps[i].wanted[byte] ? 1 : 0;
    }
    return bytes;
}
