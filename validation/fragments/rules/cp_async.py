"""cp_async.py - cp.async (LDGSTS) through the L1 (ca) and past it (cg), with and without a source size."""
import collections

import cp_async_pieces as pieces
import tags
from patterns import Rule

OWN = 2           # data passes of the kernel without the instruction
OWN_COPYING = 5   # with it: nvcc puts three LDS that no lane executes before an LDGSTS


def past_l1(p):
    return '.cg.' in p.name


def width(p):
    return int(p.name.split('.')[3])


def lanes(p):
    return pieces.lanes(p, width(p))


def reading(p):
    """The lanes that read: one with size 0 does not."""
    return [lane for lane in lanes(p) if lane.size > 0]


def groups(p, some):
    """The lanes that pass the banks together: 32, 16 or 8 neighbours for 4, 8 or 16 bytes."""
    out = collections.defaultdict(list)
    for lane in some:
        out[lane.number * width(p) // 128].append(lane)
    return [out[key] for key in sorted(out)]


def conflict(p, x, y):
    """Do two lanes want the same place within 128 bytes, of the destination or, where both read, of the source?
    That it is the same word does not help."""
    bytes_a_lane = width(p)
    if x.dst % 128 // bytes_a_lane == y.dst % 128 // bytes_a_lane:
        return True
    return x.size > 0 and y.size > 0 and x.src % 128 // bytes_a_lane == y.src % 128 // bytes_a_lane


def crowd(p):
    """In each group, the most lanes that conflict with one lane, that lane included."""
    return sum(max(sum(x is y or conflict(p, x, y) for y in group) for x in group) for group in groups(p, lanes(p)))


def chain(p, group):
    """Passes in order: a lane follows every earlier lane that it conflicts with."""
    level = []
    for i, lane in enumerate(group):
        level.append(1 + max((level[j] for j in range(i) if conflict(p, lane, group[j])), default=0))
    return max(level)


def chains(p, some):
    return sum(chain(p, group) for group in groups(p, some))


def sized(p):
    """The form with a source size, LDGSTS.ZFILL, also where every size is whole."""
    return 'bytes' in p.lists


def requests(p):
    return int(bool(reading(p)))


def sectors(p):
    return pieces.sectors(p) if past_l1(p) else len({lane.src // 32 for lane in reading(p)})


def bypassing_sectors(p):
    return sectors(p) if past_l1(p) else 0


def passes(p):
    if not past_l1(p):
        return crowd(p)
    return len(pieces.pieces(p)) + (crowd(p) if sized(p) else 0)


def conflicts(p):
    if past_l1(p) and not sized(p):
        return 0
    return crowd(p) - len(groups(p, lanes(p)))


def source_wavefronts(p):
    """{line of the source: its wavefront}"""
    return tags.wavefronts([lane.src // 128 for lane in reading(p)])


def pair_wavefronts(p):
    """Past the L1: {(line of the source, line of the destination): its wavefront}. In a wavefront of the source the
    pairs queue by the destination's line modulo 4."""
    of_source, queued, out = source_wavefronts(p), collections.Counter(), {}
    for lane in reading(p):
        pair = lane.src // 128, lane.dst // 128
        if pair not in out:
            queue = of_source[pair[0]], pair[1] % 4
            out[pair] = of_source[pair[0]], queued[queue]
            queued[queue] += 1
    return out


def tag_wavefronts(p):
    if not lanes(p):
        return 0
    if past_l1(p):
        return max(1, len(set(pair_wavefronts(p).values())))
    return max(source_wavefronts(p).values(), default=0) + 1


def cached_tag_wavefronts(p):
    return 0 if past_l1(p) else tag_wavefronts(p)


def all_tag_wavefronts(p):
    return 1 + tag_wavefronts(p)


def short_passes(p):
    """Past the L1 data do not pass here; the zeros behind a short read do, a store for each tag wavefront."""
    wavefront = pair_wavefronts(p)
    stores = collections.defaultdict(list)
    for lane in lanes(p):
        if 0 < lane.size < width(p):
            stores[wavefront[lane.src // 128, lane.dst // 128]].append(lane)
    return sum(chains(p, store) for store in stores.values())


def copied_passes(p):
    """Through the L1: for each tag wavefront and group of lanes its chain."""
    wavefront, copies = source_wavefronts(p), collections.defaultdict(list)
    for lane in reading(p):
        copies[wavefront[lane.src // 128]].append(lane)
    return sum(chains(p, copy) for copy in copies.values())


def data_passes(p):
    if not lanes(p):
        return OWN
    zeros = chains(p, [lane for lane in lanes(p) if lane.size == 0])   # one store
    return OWN_COPYING + zeros + (short_passes(p) if past_l1(p) else copied_passes(p))


def bank_writes(p):
    """In words, rounded down to even: through the L1 the fill of the sectors and the copy; past it what moves, by
    halves of sectors, and zeros."""
    if past_l1(p):
        words = 4 * sum(bin(halves).count('1') for halves in pieces.moves(p, False).values())
        words += sum(4 if lane.size == 0 else (16 - lane.size) // 4 for lane in lanes(p))
    else:
        words = 8 * sectors(p) + width(p) // 4 * len(lanes(p))
    return words // 2 * 2


def l2_requests(p):
    """Past the L1 nearly a bound: some sectors that go out in two pieces are asked for once."""
    return len(pieces.pieces(p, False)) if past_l1(p) else len({lane.src // 128 for lane in reading(p)})


COUNTERS = (('requests', 'smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts', requests),
            ('sectors', 'smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts', sectors),
            ('sectors past the L1', 'smsp__sass_l1tex_m_xbar2l1tex_read_sectors_mem_global_op_ldgsts_cache_bypass',
             bypassing_sectors),
            ('passes', 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts', passes),
            ('conflicts', 'smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts', conflicts),
            ('tag wavefronts of ca', 'l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ldgsts_cache_access',
             cached_tag_wavefronts),
            ('tag wavefronts', 'l1tex__t_output_wavefronts_pipe_lsu_mem_lg', all_tag_wavefronts),
            ('L1 data passes', 'l1tex__data_pipe_lsu_wavefronts', data_passes),
            ('bank writes', 'l1tex__data_bank_writes', bank_writes),
            ('L2 requests', 'lts__t_requests_srcunit_tex_op_read', l2_requests),
            ('L2 sectors', 'lts__t_sectors_srcunit_tex_op_read', sectors))
RULES = [Rule(group, name, group, counter + '.sum', count)
         for group in ('cp.async.ca.16', 'cp.async.ca.8', 'cp.async.ca.4', 'cp.async.cg.16')
         for name, counter, count in COUNTERS]
