"""bulk.py - cp.async.bulk. A copy is cut at the 128-byte lines of shared memory (of the destination of a load, of the
source of a store, a reduction and a copy to a peer); every piece then counts by itself."""
from patterns import Rule

GROUP = 'cp.async.bulk'


def cut(start, size):
    """The pieces of [start, start + size) at multiples of 128: [(offset, bytes)]."""
    pieces, offset = [], 0
    while offset < size:
        count = min(size - offset, 128 - (start + offset) % 128)
        pieces.append((offset, count))
        offset += count
    return pieces


def spanned(address, count, block):
    """Aligned blocks of `block` bytes that [address, address + count) touches."""
    return (address + count - 1) // block - address // block + 1


def read_sectors(source, shared, size):
    return sum(spanned(source + offset, count, 32) for offset, count in cut(shared, size))


def read_requests(source, shared, size):
    """A piece's sectors of one source line that are wanted alike (whole, lower half, upper half) are a request."""
    requests = 0
    for offset, count in cut(shared, size):
        halves = {}
        for at in range(source + offset, source + offset + count, 16):
            halves[at // 32] = halves.get(at // 32, 0) | 1 << at // 16 % 2
        requests += len({(sector // 4, wanted) for sector, wanted in halves.items()})
    return requests


def written_sectors(target, shared, size):
    return sum(spanned(target + offset, count, 32) for offset, count in cut(shared, size))


def written_requests(target, shared, size):
    return sum(spanned(target + offset, count, 128) for offset, count in cut(shared, size))


def load_sectors(p):
    return read_sectors(p.value('src'), p.value('dst'), p.value('size'))


def load_requests(p):
    return read_requests(p.value('src'), p.value('dst'), p.value('size'))


def store_sectors(p):
    return written_sectors(p.value('dst'), p.value('src'), p.value('size'))


def store_requests(p):
    return written_requests(p.value('dst'), p.value('src'), p.value('size'))


def peer_sectors(p):
    """A piece that crosses a line of the destination goes in two parts, each of a sector more than it has whole ones."""
    source, target, sectors = p.value('src'), p.value('dst'), 0
    for offset, count in cut(source, p.value('size')):
        parts = cut(target + offset, count)
        if len(parts) == 1:
            sectors += spanned(target + offset, count, 32)
        else:
            sectors += sum(part // 32 + 1 for _, part in parts)
    return sectors


def words(p):
    return p.value('size') // 4


def words_and(own):
    return lambda p: words(p) + own


def kind_is(kind):
    return lambda p: p.name.split('.')[3] == kind


BANK_READS, BANK_WRITES = 'l1tex__data_bank_reads', 'l1tex__data_bank_writes'
COUNTERS = {
    'load': (('sectors', 'l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld', load_sectors),
             ('L2 sectors', 'lts__t_sectors_srcunit_tex_op_read', load_sectors),
             ('L2 requests', 'lts__t_requests_srcunit_tex_op_read', load_requests),
             ('bank writes', BANK_WRITES, words), ('bank reads', BANK_READS, lambda p: 4)),
    'store': (('sectors', 'l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st', store_sectors),
              ('L2 sectors', 'lts__t_sectors_srcunit_tex_op_write', store_sectors),
              ('L2 requests', 'lts__t_requests_srcunit_tex_op_write', store_requests), ('bank reads', BANK_READS, words)),
    'add': (('sectors', 'l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red', store_sectors),
            ('L2 sectors', 'lts__t_sectors_srcunit_tex_op_red', store_sectors),
            ('L2 requests', 'lts__t_requests_srcunit_tex', store_requests), ('bank reads', BANK_READS, words)),
    'peer': (('sectors out', 'l1tex__m_l1tex2xbar_write_sectors_mem_dshared_op_tma_st', peer_sectors),
             ('sectors in', 'l1tex__m_xbar2l1tex_read_sectors_mem_dshared_op_tma_st', peer_sectors),
             ('bank reads', BANK_READS, words_and(8)), ('bank writes', BANK_WRITES, words_and(4))),
}
RULES = [Rule('bulk ' + kind, name, GROUP, counter + '.sum', count, kind_is(kind))
         for kind, counters in COUNTERS.items() for name, counter, count in counters]
