"""Kept tables: what compiled code executes, by kernel and line; `# FILE CHECKSUM` says of which source."""
import collections
import csv
import zlib

COLUMNS = ['kernel', 'line', 'op', 'space', 'width', 'executed']


def checksum(source):
    return '%08x' % zlib.crc32(source.encode())


def write(path, checksums, kernels):
    """kernels: {name: {(line, op, space, width): executed}}."""
    with open(path, 'w') as file:
        for name in sorted(checksums):
            file.write('# %s %s\n' % (name, checksums[name]))
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(COLUMNS)
        for kernel in sorted(kernels):
            for key in sorted(kernels[kernel]):
                writer.writerow((kernel,) + key + (kernels[kernel][key],))


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
        key = (int(row['line']), row['op'], row['space'], int(row['width']))
        kernels[row['kernel']][key] = kernels[row['kernel']].get(key, 0) + int(row['executed'])
    return checksums, dict(kernels)
