#!/usr/bin/env python3
"""make_patterns.py - writes the patterns that fragment_patterns executes, one warp instruction a line.

    make_patterns.py >PATTERNS

A line is an instruction and lists, key=numbers: a number for all lanes or one for each; start+stride*count (also
with -) stands for a run. Addresses are in bytes from a base that is a multiple of 16 MiB (global) or 1 KiB
(shared). "# group NAME" begins a group, which is profiled by itself. What is random is the same every time.

    ldmatrix.xN[.trans], stmatrix.xN[.trans]    rows
    cp.async.ca.{4,8,16}, cp.async.cg.16        src dst [bytes: read, the rest zeros] [lanes: bits, else all]
    cp.async.bulk.{load,store,add,peer}         src dst size [rank]; size 0: no copy
    tensor.{load,store}                         element dims [pitch] box at [base] [at_shared] [swizzle] [promote]
    wmma.{load,store}.MATRIX.ORDER.TYPE.SPACE   ld (elements) at (bytes)
    {ld,st,atom}.shared::cluster.N, {st,red}.async.N      addr rank [lanes]
    {red,atom}.global.add.TYPE                  addr [lanes]
"""
import random

rng = random.Random(20250901)
SHARED = 65536
SEEN = set()
LINES = []   # of the group


def numbers(values):
    """The list in as few items as runs allow."""
    values = list(values)
    if len(set(values)) == 1:
        return str(values[0]) if len(values) == 1 else '%d+0*%d' % (values[0], len(values))
    items, i = [], 0
    while i < len(values):
        j = i + 1
        if j < len(values):
            stride = values[j] - values[i]
            while j + 1 < len(values) and values[j + 1] - values[j] == stride:
                j += 1
        if j - i >= 2 and j < len(values):
            items.append('%d%+d*%d' % (values[i], stride, j - i + 1))
            i = j + 1
        else:
            items.append(str(values[i]))
            i += 1
    return ','.join(items)


def put(name, **lists):
    """Prints a line, unless it was printed before."""
    line = name
    for key, value in lists.items():
        if value is not None:
            line += ' %s=%s' % (key, numbers(value) if isinstance(value, (list, tuple)) else value)
    if line not in SEEN:
        SEEN.add(line)
        LINES.append(line)


def group(name):
    """Ends the group before, in any order: measuring that is cut short still sees every kind."""
    rng.shuffle(LINES)
    for line in LINES:
        print(line)
    LINES.clear()
    if name:
        print('# group ' + name)


def swizzle(address, bits, base, shift):
    """Swizzle<B, M, S> of a byte address: bits M.. are changed by bits M+S.."""
    mask = ((1 << bits) - 1) << base
    return address ^ (address >> shift & mask)


def shuffled(values):
    return rng.sample(list(values), len(values))


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


def hashed(width, limit):
    return [width * rng.randrange(limit // width) for _ in range(32)]


def permuted(width, within):
    """Linear, lanes out of order in pieces of `within` lanes."""
    return [width * (i + j) for i in range(0, 32, within) for j in shuffled(range(within))]


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


# ---- cp.async.bulk.

SIZES = [16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 192, 208, 256, 272, 384, 400, 512, 528, 1024, 1040, 2048, 4096]


def bulk():
    group('cp.async.bulk')
    for name, step in (('load', 1), ('store', 1), ('add', 3), ('peer', 3)):
        name = 'cp.async.bulk.' + name
        put(name, src=0, dst=0, size=0)
        for size in SIZES[::step]:
            for offset in range(0, 145, 16 * (1 if step == 1 else 3)):
                put(name, src=offset, dst=0, size=size)
                if offset % (16 if name.endswith('store') else 48) == 0:
                    put(name, src=0, dst=offset, size=size)
        for _ in range(40 // step):
            put(name, src=16 * rng.randrange(512), dst=16 * rng.randrange(512), size=16 * rng.randrange(1, 256))
    for size in (16, 128, 144, 1024):
        put('cp.async.bulk.peer', src=0, dst=0, size=size, rank=0)
    for size in (8192, 16384, 32768):
        put('cp.async.bulk.load', src=0, dst=0, size=size)
        put('cp.async.bulk.store', src=0, dst=0, size=size)


# ---- Tensors.

def tile(op, element, dims, box, at, **more):
    pitch = more.pop('pitch', None)
    if pitch is None and len(dims) > 1:
        pitch = [dims[0] * element]
        if len(dims) > 2:
            pitch.append(pitch[0] * dims[1])
    put('tensor.' + op, element=element, dims=tuple(dims), pitch=pitch, box=tuple(box), at=tuple(at),
        **{k: v for k, v in more.items() if v})


def tiles_inside(op, share):
    for element in (2, 4):
        for width in (16, 32, 48, 64, 96, 128, 256):
            for height in (1, 2, 4, 7, 8, 16, 32, 64):
                for swizzle_bytes in (0, 32, 64, 128):
                    if swizzle_bytes and width > swizzle_bytes or width * height > 16384:
                        continue
                    main = height in (1, 8, 64) and element == 2
                    if main and share == 1 or rng.random() < (.25 if share == 1 else share):
                        tile(op, element, [512, 128], [width // element, height], [0, 0], swizzle=swizzle_bytes)


def tiles_at(op, count):
    """Begun anywhere; partly or wholly outside; rows that begin anywhere in a sector."""
    for at in ((8, 0), (16, 3), (24, 5), (1, 1), (-8, 0), (-1, -1), (0, -4), (500, 0), (511, 127), (480, 124), (512, 0),
               (0, 128), (-64, 0), (-56, 0), (0, 121), (4, 0), (12, 0)):
        for swizzle_bytes in (0, 128):
            tile(op, 2, [512, 128], [64, 8], at, swizzle=swizzle_bytes)
        tile(op, 4, [512, 128], [16, 8], at, swizzle=64)
    for pitch in (1024, 1040, 1056, 1088, 1152, 208, 144, 272):
        tile(op, 2, [min(512, pitch // 2), 64], [64, 8], [0, 0], pitch=[pitch])
        tile(op, 2, [min(512, pitch // 2), 64], [32, 16], [8, 1], pitch=[pitch], swizzle=64)
    for base in (16, 32, 48, 64, 112):
        tile(op, 2, [512, 64], [64, 8], [0, 0], base=base)
        tile(op, 2, [512, 64], [64, 8], [0, 0], base=base, swizzle=128)
    for _ in range(count):
        element = rng.choice((1, 2, 4))
        width = rng.choice((16, 32, 48, 64, 128))
        swizzles = [s for s in (0, 32, 64, 128) if not s or width <= s]
        tile(op, element, [rng.randrange(100, 800) // 16 * 16, rng.randrange(20, 100)],
             [width // element, rng.randrange(1, 40)], [rng.randrange(-40, 200), rng.randrange(-10, 80)],
             swizzle=rng.choice(swizzles), base=16 * rng.randrange(9))


def tiles_of_other_rank(op):
    for at_shared in (128, 256, 512, 1024, 1152):
        tile(op, 2, [512, 128], [64, 8], [0, 0], at_shared=at_shared)
        tile(op, 2, [512, 128], [64, 8], [0, 0], at_shared=at_shared, swizzle=128)
    for size in (16, 32, 64, 96, 128, 256):
        for at in (0, 4, 8, 16, 24):
            tile(op, 4, [4096], [size // 4], [at])
    tile(op, 4, [4096], [256], [0])
    tile(op, 4, [100], [64], [80])
    for box in ([64, 4, 2], [64, 1, 8], [32, 8, 4], [8, 8, 8], [16, 2, 16]):
        for at in ([0, 0, 0], [8, 3, 1], [0, 14, 0]):
            tile(op, 2, [128, 16, 16], box, at)
            if box[0] <= 64:
                tile(op, 2, [128, 16, 16], box, at, swizzle=128)


def tensors():
    for op, share in (('load', 1), ('store', .2)):
        group('tensor.' + op)
        tiles_inside(op, share)
        tiles_at(op, 60 if share == 1 else 20)
        tiles_of_other_rank(op)
        for promote in (0, 64, 128, 256):
            for width in (16, 64, 128):
                tile(op, 2, [4096, 64], [width // 2, 8], [0, 0], promote=promote)
                tile(op, 2, [4096, 64], [width // 2, 8], [24, 0], promote=promote)


# ---- wmma, cluster, reductions.

def wmma():
    group('wmma')
    kinds = ['load.%s.%s.f16' % (m, o) for m in 'abc' for o in ('row', 'col')]
    kinds += ['load.c.%s.f32' % o for o in ('row', 'col')]
    kinds += ['store.d.%s.%s' % (o, t) for o in ('row', 'col') for t in ('f16', 'f32')]
    for kind in kinds:
        step = 8 if kind.endswith('f16') else 4
        for ld in list(range(16, 97, step)) + list(range(104, 273, 4 * step)) + [128, 256, 136, 264, 272]:
            put('wmma.%s.shared' % kind, ld=ld, at=0)
        for ld in (16, 24, 32, 40, 64, 72, 128, 256, 1024):
            put('wmma.%s.global' % kind, ld=ld, at=0)
        for at in (32, 64, 96):
            put('wmma.%s.shared' % kind, ld=24, at=at)
            put('wmma.%s.global' % kind, ld=24, at=at)


def cluster():
    group('cluster')
    for name, width in (('ld.shared::cluster', 4), ('ld.shared::cluster', 8), ('ld.shared::cluster', 16),
                        ('st.shared::cluster', 4), ('st.shared::cluster', 8), ('st.shared::cluster', 16),
                        ('atom.shared::cluster', 4), ('st.async', 4), ('st.async', 8), ('st.async', 16),
                        ('red.async', 4)):
        for rank in (1, 0):
            full = '%s.%d' % (name, width)
            put(full, addr=[width * i for i in range(32)], rank=rank)
            put(full, addr=[width * i for i in range(32)], rank=rank, lanes=0)
            put(full, addr=[0] * 32, rank=rank, lanes=1)
            put(full, addr=[0] * 32, rank=rank)
            for stride in (2, 4, 8, 9, 32, 33):
                put(full, addr=[width * stride * i for i in range(32)], rank=rank)
            for lanes in (0xffff, 0x55555555):
                put(full, addr=[width * i for i in range(32)], rank=rank, lanes=lanes)
            for limit in (256, 4096):
                put(full, addr=hashed(width, limit), rank=rank)
            put(full, addr=permuted(width, 32), rank=rank)


def reductions():
    group('reductions')
    for kind, width in (('f32', 4), ('v2.f32', 8), ('v4.f32', 16), ('u32', 4), ('u64', 8), ('v4.f16x2', 16)):
        for op in ('red', 'atom'):
            name = '%s.global.add.%s' % (op, kind)
            put(name, addr=[width * i for i in range(32)])
            put(name, addr=[width * i for i in range(32)], lanes=0)
            put(name, addr=[0] * 32)
            put(name, addr=[0] * 32, lanes=1)
            for stride in (2, 4, 8, 32, 33):
                put(name, addr=[width * stride * i for i in range(32)])
            put(name, addr=[width * (i // 4) for i in range(32)])
            put(name, addr=[width * (i % 4) for i in range(32)])
            put(name, addr=[width * i for i in range(32)], lanes=0x55555555)
            for limit in (128, 256, 1024, 65536):
                put(name, addr=hashed(width, limit))


def main():
    matrices('ldmatrix', .3)
    matrices('stmatrix', .2)
    copies(16, 'cg', 16)
    copies(16, 'ca', 10)
    copies(8, 'ca', 6)
    copies(4, 'ca', 6)
    hints()
    bulk()
    tensors()
    wmma()
    cluster()
    reductions()
    group('')


main()
