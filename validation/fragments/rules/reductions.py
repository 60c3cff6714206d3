"""reductions.py - red.global and atom.global, scalar and vector."""
import collections

import tags
from patterns import Rule

WIDTHS = {'f32': 4, 'u32': 4, 'u64': 8, 'v2.f32': 8, 'v4.f32': 16, 'v4.f16x2': 16}


def width(p):
    return WIDTHS[p.name.split('.', 3)[3]]


def entries(p):
    address = p.lanes('addr')
    return tags.entries([(lane, address[lane]) for lane in p.active], once=True)


def requests(p):
    return int(bool(p.active))


def sectors(p):
    return sum(entry.sectors() for entry in entries(p))


def l2_requests(p):
    return len(entries(p))


def tag_wavefronts(p):
    return max((entry.wavefront + 1 for entry in entries(p)), default=0)


def data_passes(p):
    """One for the warp; for each tag wavefront and neighbours of 128 bytes together the most lanes in a bank, on the
    way in, where a vector passes two lines at most, and, of an atomic, on the way out."""
    bytes_a_lane, groups, total = width(p), collections.defaultdict(list), 1
    for entry in entries(p):
        for lane, address in entry.lanes:
            groups[entry.wavefront, lane * bytes_a_lane // 128].append(address)
    for addresses in groups.values():
        crowded = max(collections.Counter(address % 128 // bytes_a_lane for address in addresses).values())
        line_pairs = (len({address // 128 for address in addresses}) + 1) // 2
        total += max(crowded, line_pairs) if '.v' in p.name else crowded
        total += crowded if p.name.startswith('atom') else 0
    return total


def operation_is(name):
    return lambda p: p.name.startswith(name)


def counters(kind):
    l1 = 'l1tex__%s_pipe_lsu_mem_global_op_' + kind
    rows = [('requests', l1 % 't_requests', requests), ('sectors', l1 % 't_sectors', sectors),
            ('tag wavefronts', l1 % 't_output_wavefronts', tag_wavefronts),
            ('sectors sent', 'l1tex__m_l1tex2xbar_write_sectors_mem_global_op_' + kind, sectors)]
    if kind == 'atom':
        rows.append(('sectors received', 'l1tex__m_xbar2l1tex_read_sectors_mem_global_op_atom', sectors))
    return rows + [('L2 requests', 'lts__t_requests_srcunit_tex', l2_requests),
                   ('L2 sectors', 'lts__t_sectors_srcunit_tex_op_' + kind, sectors),
                   ('L1 data passes', 'l1tex__data_pipe_lsu_wavefronts', data_passes)]


RULES = [Rule(kind + '.global', name, 'reductions', counter + '.sum', count, operation_is(kind))
         for kind in ('atom', 'red') for name, counter, count in counters(kind)]
