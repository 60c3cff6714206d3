"""cp_async_pieces.py - cp.async.cg: the pieces in which data go from the crossbar to shared memory.

A 32-byte sector of the source goes to a 32-byte sector of shared memory, straight or with its 16-byte halves swapped,
all of it or one half. Sectors of one source line that go to one line of shared memory in the same manner are one piece
if a symmetry of the square does it: sector s of the line goes to c + s, or to c - s, modulo 4."""
import collections

SYMMETRIES = {tuple((c + sign * s) % 4 for s in range(4)) for c in range(4) for sign in (1, -1)}

Lane = collections.namedtuple('Lane', 'number src dst size')


def lanes(p, width=16):
    """The lanes that execute; size: the bytes that are read, the rest of `width` is zeros."""
    src, dst = p.lanes('src'), p.lanes('dst')
    size = p.lanes('bytes') if 'bytes' in p.lists else [width] * 32
    return [Lane(i, src[i], dst[i], size[i]) for i in p.active]


def moves(p, zeros_hide):
    """{(source sector, destination sector, swapped): the halves that are written, as bits}. Of lanes with the same
    destination the first counts; with `zeros_hide` also one that only writes zeros hides later ones."""
    seen, out = set(), collections.Counter()
    for lane in lanes(p):
        if lane.dst in seen or (lane.size == 0 and not zeros_hide):
            continue
        seen.add(lane.dst)
        if lane.size > 0:
            out[lane.src // 32, lane.dst // 32, (lane.dst - lane.src) % 32 == 16] |= 1 << lane.dst // 16 % 2
    return out


def sectors(p):
    return len(moves(p, False))


def pieces(p, zeros_hide=True):
    """[(symmetries that are left, source sectors)], first fit."""
    alike = collections.defaultdict(list)
    for (source, destination, swapped), halves in moves(p, zeros_hide).items():
        fitting = {to for to in SYMMETRIES if to[source % 4] == destination % 4}
        group = alike[source // 4, destination // 4, swapped, halves]
        for i, (symmetries, members) in enumerate(group):
            if symmetries & fitting and source not in members:
                group[i] = symmetries & fitting, members | {source}
                break
        else:
            group.append((fitting, {source}))
    return [piece for group in alike.values() for piece in group]
