"""Kept tables: what compiled code executes, by kernel and line; `# FILE CHECKSUM` says of which source.

A kernel without any access has one row, of the operation `none`.
"""
import collections
import csv
import zlib

COLUMNS = ['kernel', 'line', 'op', 'space', 'width', 'executed']


def checksum(source):
    return '%08x' % zlib.crc32(source.encode())


def rows(counts, zero):
    """(key, count) of one kernel, in order; of a kernel without accesses the row that says so."""
    return sorted(counts.items()) or [((0, 'none', 'none', 0), zero)]


def write(path, checksums, kernels):
    """kernels: {name: {(line, op, space, width): executed}}."""
    with open(path, 'w') as file:
        for name in sorted(checksums):
            file.write('# %s %s\n' % (name, checksums[name]))
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(COLUMNS)
        for kernel in sorted(kernels):
            for key, times in rows(kernels[kernel], 0):
                writer.writerow((kernel,) + key + (times,))


def read(path):
    """({file: checksum}, {kernel: {(line, op, space, width): executed}})."""
    checksums, kernels = {}, collections.defaultdict(dict)
    with open(path) as file:
        lines = file.readlines()
    for line in lines:
        if line.startswith('#'):
            words = line.split()
            checksums[words[1]] = words[2]
    for row in csv.DictReader(line for line in lines if not line.startswith('#')):
        counts = kernels[row['kernel']]
        if row['op'] == 'none':
            continue
        key = (int(row['line']), row['op'], row['space'], int(row['width']))
        counts[key] = counts.get(key, 0) + int(row['executed'])
    return checksums, dict(kernels)
