"""hints.py - cp.async with an L2 prefetch hint, the source not in L2: sectors that L2 misses and fills."""
import cp_async_pieces
from patterns import Rule

OWN_FILLS = 619   # sectors that the kernel fills without the instruction
GROUP = 'cp.async.hints'


def distinct(p, size):
    """Blocks of `size` bytes that the source touches."""
    return len({p.lanes('src')[lane] // size for lane in p.active})


def past_l1(p):
    return '.cg.' in p.name


def missed_sectors(p):
    """64-byte blocks, 128-byte blocks with .L2::128B and .L2::256B: the latter is right for strides up to 128 alone."""
    block = 128 if '128B' in p.name or '256B' in p.name else 64
    return distinct(p, block) * block // 32


def sectors(p):
    return cp_async_pieces.sectors(p) if past_l1(p) else distinct(p, 32)


def requests(p):
    return len(cp_async_pieces.pieces(p)) if past_l1(p) else distinct(p, 128)


def filled_sectors(p):
    return OWN_FILLS + missed_sectors(p)


RULES = [Rule('L2 prefetch hints', name, GROUP, counter + '.sum', count) for name, counter, count in (
    ('L1 sectors', 'smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts', sectors),
    ('L2 sectors', 'lts__t_sectors_srcunit_tex_op_read', sectors),
    ('L2 requests', 'lts__t_requests_srcunit_tex_op_read', requests),
    ('L2 missed sectors', 'lts__t_sectors_srcunit_tex_lookup_miss', missed_sectors),
    ('sectors from memory', 'lts__d_sectors_fill_device', filled_sectors))]
