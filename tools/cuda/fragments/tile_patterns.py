"""tile_patterns.py - the patterns of what one lane or a whole warp moves at once: bulk copies, tensors, wmma,
memory of a cluster, reductions."""
from pattern_lines import group, hashed, permuted, put, rng


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

def refused(element, at):
    """An H200 ends in an illegal instruction where a box begins at no multiple of 16 bytes. (Stores at negative
    coordinates did so, too, two of two: some are left in, to see.)"""
    return element * at[0] % 16 != 0


def tile(op, element, dims, box, at, **more):
    pitch = more.pop('pitch', None)
    if pitch is None and len(dims) > 1:
        pitch = [dims[0] * element]
        if len(dims) > 2:
            pitch.append(pitch[0] * dims[1])
    name = ('# refused: ' if refused(element, at) else '') + 'tensor.' + op
    put(name, element=element, dims=tuple(dims), pitch=pitch, box=tuple(box), at=tuple(at),
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


def tiles_at_random(op, count):
    for _ in range(count):
        element = rng.choice((1, 2, 4))
        width = rng.choice((16, 32, 48, 64, 96, 128))
        first = 16 * rng.randrange(-3 if op == 'load' else 0, 20) // element
        tile(op, element, [rng.randrange(100, 800) // 16 * 16, rng.randrange(20, 100)],
             [width // element, rng.randrange(1, 40)], [first, rng.randrange(-5 if op == 'load' else 0, 80)],
             swizzle=rng.choice([s for s in (0, 32, 64, 128) if not s or width <= s]), base=16 * rng.randrange(9))


def more_tensors():
    """Behind all others, whose lines keep their numbers."""
    for op in ('load', 'store'):
        group('tensor.' + op)
        tiles_at_random(op, 80)


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
