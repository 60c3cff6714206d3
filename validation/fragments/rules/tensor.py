"""tensor.py - tensor copies: each row of the box is a bulk copy of its own (bulk.py)."""
import collections
import itertools

import bulk
from patterns import Rule

# Where a row lies in global and in shared memory, its bytes; those that are inside the tensor by its innermost
# coordinate: the first one and how many; whether the further coordinates are inside.
Row = collections.namedtuple('Row', 'address shared size first inner inside')


def rows(p):
    """Rows lie dense in shared memory; with a swizzle each takes the swizzle's width."""
    element, dims, box, at = p.value('element', 2), p.lists['dims'], p.lists['box'], p.lists['at']
    pitch = [element] + p.lists.get('pitch', [])
    shared_pitch = p.value('swizzle') or box[0] * element
    first, end = max(0, -at[0]) * element, min(box[0], dims[0] - at[0]) * element
    out = []
    for k, reversed_index in enumerate(itertools.product(*[range(count) for count in box[:0:-1]])):
        place = [at[d + 1] + i for d, i in enumerate(reversed_index[::-1])]
        address = p.value('base') + at[0] * element + sum(c * pitch[d + 1] for d, c in enumerate(place))
        inside = all(0 <= c < dims[d + 1] for d, c in enumerate(place))
        out.append(Row(address, p.value('at_shared') + k * shared_pitch, box[0] * element, first, max(0, end - first), inside))
    return out


def of_loads(count):
    """The sum of a bulk copy's count over the rows. All of a row is loaded, with what is beside the tensor; of a row
    that is outside, as much from a place that is aligned, as if it went to one."""
    def total(p):
        return sum(count(row.address, row.shared, row.size) if row.inside and row.inner else count(0, 0, row.size)
                   for row in rows(p))
    return total


def of_stores(count):
    """The sum of a bulk copy's count over the parts of the rows that are inside the tensor."""
    def total(p):
        return sum(count(row.address + row.first, row.shared + row.first, row.inner) for row in rows(p) if row.inside)
    return total


def words(_, __, size):
    return size // 4


LOADS = (('sectors', 'l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld', bulk.read_sectors),
         ('L2 sectors', 'lts__t_sectors_srcunit_tex_op_read', bulk.read_sectors),
         ('L2 requests', 'lts__t_requests_srcunit_tex_op_read', bulk.read_requests),
         ('bank writes', 'l1tex__data_bank_writes', words))
STORES = (('sectors', 'l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st', bulk.written_sectors),
          ('L2 sectors', 'lts__t_sectors_srcunit_tex_op_write', bulk.written_sectors),
          ('L2 requests', 'lts__t_requests_srcunit_tex_op_write', bulk.written_requests),
          ('bank reads', 'l1tex__data_bank_reads', words))
RULES = [Rule(group.replace('.', ' '), name, group, counter + '.sum', of(count))
         for group, counters, of in (('tensor.load', LOADS, of_loads), ('tensor.store', STORES, of_stores))
         for name, counter, count in counters]
