"""cluster.py - ld, st and atom of shared::cluster memory, st.async, red.async: the pattern's one warp is of block 0, the
memory of block "rank"."""
import collections

import banks
import tags
from patterns import Rule

BASE = 1024   # where dynamic shared memory begins, which the tag banks of its lines depend on
OWN = {('ld', 4): 12, ('ld', 8): 12, ('ld', 16): 13, ('st', 4): 11, ('st', 8): 12, ('st', 16): 12, ('atom', 4): 11}
OWN_OTHER = 12   # data passes of the kernel that are none of shared memory


def operation(p):
    return p.name.rsplit('.', 1)[0] if 'async' in p.name else p.name.split('.')[0]


def width(p):
    return int(p.name.rsplit('.', 1)[1])


def asynchronous(p):
    return 'async' in p.name


def remote(p):
    """st.async and red.async go over the network even to the own block, the others only to another one."""
    return bool(p.active) and (p.value('rank', 1) == 1 or asynchronous(p))


def accesses(p):
    address = p.lanes('addr')
    return [(lane, address[lane] + BASE) for lane in p.active]


def entries(p):
    return tags.entries(accesses(p), once=asynchronous(p)) if remote(p) else []


def instructions(p):
    return int(remote(p))


def own_loads(p):
    """LDS: a load of the own block's memory is a plain one."""
    return int(operation(p) == 'ld' and bool(p.active) and not remote(p))


def sectors(p):
    return sum(entry.sectors() for entry in entries(p))


def tag_wavefronts(p):
    return max((entry.wavefront + 1 for entry in entries(p)), default=0)


def stored_sectors(entry, bytes_a_lane):
    """A sector that is written in part is sent for each 16-byte half that it touches."""
    halves = collections.defaultdict(set)
    for address in entry.addresses:
        for word in range(address // 4, (address + bytes_a_lane) // 4):
            halves[word // 8].add(word)
    return sum(1 if len(words) == 8 else len({word // 4 for word in words}) for words in halves.values())


def sent_sectors(p):
    """As many are received. An atomic is asked and answered."""
    if operation(p) in ('st', 'st.async'):
        return sum(stored_sectors(entry, width(p)) for entry in entries(p))
    return sectors(p) * (2 if operation(p) == 'atom' else 1)


def own_passes(p):
    """Of the kernel: barriers of the cluster, parameters."""
    return OWN[operation(p), width(p)] + (operation(p) == 'atom' and p.value('rank', 1) == 1)


def passes_of(p, some):
    kind = operation(p)
    return banks.passes(some, width(p), merge_pairs=kind == 'ld' and not remote(p), atomic=kind == 'atom')


def shared_passes(p):
    return own_passes(p) + (0 if remote(p) else passes_of(p, accesses(p)))


def data_passes(p):
    """Of another block's memory: by tag wavefronts, as loads of global memory; an atomic twice. Of stores a bound."""
    total = shared_passes(p) + OWN_OTHER
    if remote(p):
        wavefront = tags.wavefronts([address // tags.LINE for _, address in accesses(p)])
        of_wavefront = collections.defaultdict(list)
        for lane, address in accesses(p):
            of_wavefront[wavefront[address // tags.LINE]].append((lane, address))
        times = 2 if operation(p) == 'atom' else 1
        total += times * sum(passes_of(p, some) for some in of_wavefront.values())
    return total


def operation_is(name):
    return lambda p: operation(p) == name


COUNTERS = (('dshared instructions', 'smsp__sass_inst_executed_op_dshared', instructions),
            ('LDS', 'smsp__sass_inst_executed_op_shared_ld', own_loads),
            ('sectors', 'l1tex__t_sectors_pipe_lsu_mem_dshared', sectors),
            ('tag wavefronts', 'l1tex__t_output_wavefronts_pipe_lsu_mem_dshared', tag_wavefronts),
            ('sectors sent', 'l1tex__m_l1tex2xbar_write_sectors_mem_dshared', sent_sectors),
            ('sectors received', 'l1tex__m_xbar2l1tex_read_sectors_mem_dshared', sent_sectors))
PASSES = (('passes', 'l1tex__data_pipe_lsu_wavefronts_mem_shared', shared_passes),
          ('L1 data passes', 'l1tex__data_pipe_lsu_wavefronts', data_passes))
RULES = [Rule(name if 'async' in name else name + '.shared::cluster', what, 'cluster', counter + '.sum', count,
              operation_is(name))
         for name, counters in (('ld', COUNTERS + PASSES), ('st', COUNTERS + PASSES), ('atom', COUNTERS + PASSES),
                                ('st.async', COUNTERS), ('red.async', COUNTERS))
         for what, counter, count in counters]
