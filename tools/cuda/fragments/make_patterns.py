#!/usr/bin/env python3
"""make_patterns.py - writes the patterns that fragment_patterns executes, one warp instruction a line.

    make_patterns.py >PATTERNS

A line is an instruction and lists, key=numbers: a number for all lanes or one for each; start+stride*count (also
with -) stands for a run. Addresses are in bytes from a base that is a multiple of 16 MiB (global) or 1 KiB
(shared). "# group NAME" begins a group, or goes on with it; each is profiled by itself. "# refused:" is what a GPU
is known not to execute. What is random is the same every time.

    ldmatrix.xN[.trans], stmatrix.xN[.trans]    rows
    cp.async.ca.{4,8,16}, cp.async.cg.16        src dst [bytes: read, the rest zeros] [lanes: bits, else all]
    cp.async.bulk.{load,store,add,peer}         src dst size [rank]; size 0: no copy
    tensor.{load,store}                         element dims [pitch] box at [base] [at_shared] [swizzle] [promote]
    wmma.{load,store}.MATRIX.ORDER.TYPE.SPACE   ld (elements) at (bytes)
    {ld,st,atom}.shared::cluster.N, {st,red}.async.N      addr rank [lanes]
    {red,atom}.global.add.TYPE                  addr [lanes]
"""
from pattern_lines import group, hashed, permuted, put, rng, shuffled
import tile_patterns

SHARED = 65536


def swizzle(address, bits, base, shift):
    """Swizzle<B, M, S> of a byte address: bits M.. are changed by bits M+S.."""
    mask = ((1 << bits) - 1) << base
    return address ^ (address >> shift & mask)


# ---- ldmatrix, stmatrix: rows of 8x8 matrices of 16-bit elements.

SWIZZLES = [(b, m, s) for b in (1, 2, 3) for m, s in ((4, 3), (4, 2), (5, 3), (4, 4))]


def matrix_rows(n):
    """(rows of n matrices, is it one of the main patterns) of every kind."""
    for pitch in range(16, 273, 16):
        yield [r * pitch for r in range(8 * n)], True
        if n > 1:   # 16 rows, matrices side by side
            yield [(i // 8 % 2 * 8 + i % 8) * pitch + i // 16 * 16 for i in range(8 * n)], True
            yield [i % 8 * pitch + i // 8 * 16 for i in range(8 * n)], pitch % 64 == 0
    for bits, base, shift in SWIZZLES:
        for pitch in (32, 64, 128, 256):
            for column in (0, 2):
                yield [swizzle((i // 8 % 2 * 8 + i % 8) * pitch + i // 16 * 16 + column * 16, bits, base, shift)
                       for i in range(8 * n)], column == 0 and base == 4 and shift == 3
    yield [0] * (8 * n), True
    yield [16 * (i // 8) for i in range(8 * n)], True
    yield [128 * (i // 8) for i in range(8 * n)], True
    yield [i % 2 * 128 for i in range(8 * n)], True
    yield [i % 4 * 128 for i in range(8 * n)], True
    for pitch in (16, 32, 80, 128, 144):
        yield shuffled([r * pitch for r in range(8 * n)]), True
        yield [(8 * n - 1 - r) * pitch for r in range(8 * n)], True
    for spread in (256, 1024, 4096, SHARED):
        for _ in range(12):
            yield [16 * rng.randrange(spread // 16) for _ in range(8 * n)], True


def matrices(name, random_share):
    group(name)
    for n in (4, 2, 1):
        for rows, main in matrix_rows(n):
            if main or rng.random() < random_share:
                put('%s.x%d' % (name, n), rows=rows)
            if main and rng.random() < random_share:
                put('%s.x%d.trans' % (name, n), rows=rows)


# ---- cp.async.

def lines_of(width, row_bytes, pitch, start=0):
    """Lanes over rows of row_bytes, pitch apart."""
    return [start + (i * width // row_bytes) * pitch + i * width % row_bytes for i in range(32)]


def rows_to_pitches(name, width):
    """Tiles: dense or spaced rows of global memory, to rows in shared memory."""
    for row in (32, 64, 128, 256):
        if row < width:
            continue
        for pitch in (row, row + 4, row + 8, row + 16, row + 32, row + 48, row + 64, row + 80):
            if pitch % width:
                continue
            put(name, src=lines_of(width, row, 1024), dst=lines_of(width, row, pitch))
            put(name, src=lines_of(width, row, row), dst=lines_of(width, row, pitch))
            if pitch in (row, row + 16):
                put(name, src=lines_of(width, row, pitch), dst=lines_of(width, row, row))
                put(name, src=lines_of(width, row, row + 144), dst=lines_of(width, row, pitch))


def linear_and_pitched(name, width):
    linear = [width * i for i in range(32)]
    put(name, src=linear, dst=linear, lanes=0)
    for pitch in sorted({width} | {p for p in range(16, 273, 16) if p % width == 0}):
        there = [pitch * i for i in range(32)]
        put(name, src=linear, dst=there)
        put(name, src=there, dst=linear)
        if pitch % 64 in (0, 16):
            put(name, src=there, dst=there)
    if width < 16:
        for pitch in (width, 2 * width, 3 * width, 5 * width):
            put(name, src=linear, dst=[pitch * i for i in range(32)])
            put(name, src=[pitch * i for i in range(32)], dst=linear)
    put(name, src=linear[::-1], dst=linear)
    put(name, src=linear, dst=linear[::-1])
    put(name, src=linear[::-1], dst=linear[::-1])
    put(name, src=[0] * 32, dst=linear)
    put(name, src=linear, dst=[width * (i // 2) for i in range(32)])
    put(name, src=[width * (i // 2) for i in range(32)], dst=linear)
    put(name, src=[width * (i // 4) for i in range(32)], dst=linear)


def offsets(name, width):
    """Where source and destination begin, relative to sectors and lines."""
    linear = [width * i for i in range(32)]
    for start in (4, 8, 12, 16, 32, 48, 64, 80, 96, 112):
        if start % width:
            continue
        moved = [start + a for a in linear]
        put(name, src=moved, dst=linear)
        put(name, src=linear, dst=moved)
        put(name, src=moved, dst=moved)
    for a in range(0, 128, 16):
        for b in (0, 16, 32):
            put(name, src=[a + 160 * i for i in range(32)], dst=[b + 80 * i for i in range(32)])


def swizzled(name, width):
    for row in (32, 64, 128, 256):
        for bits, base, shift in ((1, 4, 3), (2, 4, 3), (3, 4, 3), (3, 4, 2), (2, 5, 3)):
            to = [swizzle(width * i, bits, base, shift) for i in range(32)]
            put(name, src=lines_of(width, row, 1024), dst=to)
            put(name, src=to, dst=[width * i for i in range(32)])


def at_random(name, width, count):
    linear = [width * i for i in range(32)]
    for k in range(count):
        limit = (512, 2048, 8192, 65536)[k % 4]
        there = width * rng.randrange(64)
        put(name, src=linear, dst=hashed(width, limit))
        put(name, src=hashed(width, limit), dst=[there + a for a in linear])
        put(name, src=hashed(width, 16 * limit), dst=hashed(width, limit))
        put(name, src=permuted(width, (2, 4, 8, 32)[k % 4]), dst=linear)
        put(name, src=linear, dst=permuted(width, (2, 4, 8, 32)[k % 4]))
        put(name, src=permuted(width, 32), dst=permuted(width, 32))
        put(name, src=hashed(width, 256), dst=hashed(width, 256))


def pairs_and_parts(name, width, count):
    """Two lanes alone, and parts of a warp."""
    linear = [width * i for i in range(32)]
    for src in (0, width, 2 * width, 32, 128, 144):
        for dst in (0, width, 2 * width, 32, 128, 144, 4096):
            put(name, src=[0, src] + [0] * 30, dst=[1024, 1024 + dst] + [0] * 30, lanes=3)
    for lanes in (1, 0x80000000, 0xffff, 0xffff0000, 0x55555555, 0xaaaaaaaa, 0x33333333, 0x0f0f0f0f, 0x11111111,
                  0x01010101):
        put(name, src=linear, dst=linear, lanes=lanes)
        put(name, src=linear, dst=[80 * i for i in range(32)], lanes=lanes)
    for _ in range(count):
        put(name, src=hashed(width, 2048), dst=hashed(width, 2048), lanes=rng.getrandbits(32))
        put(name, src=linear, dst=permuted(width, 8), lanes=rng.getrandbits(32))


def zeros(name, width):
    linear = [width * i for i in range(32)]
    for read in range(0, width + 1, 4):
        put(name, src=linear, dst=linear, bytes=read)
        put(name, src=linear, dst=[80 * i for i in range(32)], bytes=read)
        put(name, src=[48 * i // width * width for i in range(32)], dst=linear, bytes=read)
    for _ in range(10):
        some = [rng.choice((0, width)) for _ in range(32)]
        put(name, src=linear, dst=linear, bytes=some)
        put(name, src=hashed(width, 4096), dst=hashed(width, 4096), bytes=some)
        put(name, src=linear, dst=linear, bytes=[4 * rng.randrange(width // 4 + 1) for _ in range(32)])
    for rows in (8, 24):   # the last rows of a matrix
        put(name, src=linear, dst=linear, bytes=[width if i < rows else 0 for i in range(32)])


def copies(width, cache, count):
    name = 'cp.async.%s.%d' % (cache, width)
    group(name)
    linear_and_pitched(name, width)
    rows_to_pitches(name, width)
    offsets(name, width)
    if width == 16:
        swizzled(name, width)
    at_random(name, width, count)
    pairs_and_parts(name, width, count)
    zeros(name, width)


def hints():
    group('cp.async.hints')
    for name, width in (('cp.async.ca.4', 4), ('cp.async.ca.16', 16), ('cp.async.cg.16', 16)):
        for hint in ('', '.L2::64B', '.L2::128B', '.L2::256B'):
            for pitch in (width, 32, 64, 128, 256, 512):
                put(name + hint, src=[(1 << 20) + pitch * i for i in range(32)], dst=[width * i for i in range(32)])
            put(name + hint, src=[1 << 20] * 32, dst=[width * i for i in range(32)], lanes=1)
            put(name + hint, src=[(1 << 20) + 96] * 32, dst=[width * i for i in range(32)], lanes=1)


def main():
    matrices('ldmatrix', .3)
    matrices('stmatrix', .2)
    copies(16, 'cg', 16)
    copies(16, 'ca', 10)
    copies(8, 'ca', 6)
    copies(4, 'ca', 6)
    hints()
    tile_patterns.bulk()
    tile_patterns.tensors()
    tile_patterns.wmma()
    tile_patterns.cluster()
    tile_patterns.reductions()
    tile_patterns.more_tensors()
    group('')


main()
