#!/usr/bin/env python3
"""widths.py WARPLENS FOLDER [--nvcc NVCC] - do the kernels of tests/cu/widths*.cu make the accesses that stand there?

With --nvcc the machine code of sm_90 is asked, whose loops are unrolled: one instruction is one access of a thread.
Of shared memory (ld, st), global memory (ldg, stg) and local memory (ldl, stl: `some`, or none) what does not stand there is not asked for.
"""
import argparse
import collections
import os
import re
import struct
import subprocess
import sys
import tempfile

FILES = ('widths.cu', 'widths_members.cu', 'local_arrays.cu')
# LDS, STS, LDG, STG, LDL, STL: the low 12 bits
OPS = {0x984: 'ld', 0x388: 'st', 0x981: 'ldg', 0x986: 'stg', 0x983: 'ldl', 0x387: 'stl'}
LETTER = {'shared': '', 'global': 'g', 'local': 'l', 'const': 'c'}
BYTES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 8, 6: 16}  # the instruction's bits 73 to 75
KERNEL = re.compile(r'//: (\w+) (.*)')
SITE = re.compile(r'site (\d+) (ld|st)\.(shared|global|local|const)\.\w*?(\d+) .*line=(\d+)')


def described(file):
    """(kernel, [words behind it]) of a program's lines."""
    for match in filter(None, map(KERNEL.match, file)):
        yield match.group(1), match.group(2).split()


def expected(source):
    """{kernel: {op: {width: accesses}}}"""
    kernels = {}
    with open(source) as file:
        for kernel, words in described(file):
            ops, op = {}, None
            for word in words:
                if '*' in word:
                    width, count = word.split('*')
                    ops[op][int(width)] = int(count)
                elif word == 'some':
                    ops[op] = word
                else:
                    op = word
                    ops[op] = {}
            kernels[kernel] = ops
    return kernels


def recorded(warplens, source):
    """The lines of the program's trace."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'trace.wlt.txt')
        subprocess.run([warplens, 'trace', 'record', source, '-o', path], check=True, stdout=subprocess.DEVNULL)
        with open(path) as file:
            return file.readlines()


def traced(warplens, source):
    """{kernel: {op: {width: accesses of a warp}}} of the program."""
    lines = recorded(warplens, source)
    kernels, sites, counts = {}, {}, None
    for line in lines:
        launch = re.match(r'\s*launch (\w+)', line)
        site, access = SITE.match(line.strip()), re.match(r'\s*@(\d+) ', line)
        if launch:
            counts = kernels[launch.group(1)] = collections.defaultdict(collections.Counter)
        elif site:
            op = site.group(2) + LETTER[site.group(3)]
            sites[site.group(1)] = (op, int(site.group(4)) // 8)
        elif access and access.group(1) in sites:
            op, width = sites[access.group(1)]
            counts[op][width] += 1
    return kernels


def compare_kernels(doc, file, read):
    """Whether `read` finds other words in a program's trace, {kernel: [word]}, than stand in the program for its kernels."""
    given, wrong = arguments(doc), 0
    source = os.path.join(given.folder, file)
    found = read(recorded(given.warplens, source))
    with open(source) as lines:
        for kernel, words in described(lines):
            if found[kernel] != words:
                print('%s: %s, not %s' % (kernel, ' '.join(found[kernel]), ' '.join(words)), file=sys.stderr)
                wrong += 1
    return wrong > 0


def sections(elf):
    table, = struct.unpack_from('<Q', elf, 0x28)
    size, count, names = struct.unpack_from('<HHH', elf, 0x3a)
    headers = [struct.unpack_from('<IIQQQQ', elf, table + i * size) for i in range(count)]
    for header in headers:
        name = headers[names][4] + header[0]
        yield elf[name:elf.index(0, name)].decode(), elf[header[4]:header[4] + header[5]]


def kernels_of(elf):
    """(name, code) of each kernel that is no template."""
    for name, code in sections(elf):
        match = re.match(r'\.text\._Z(\d+)(\w+)', name)
        if match:
            yield match.group(2)[:int(match.group(1))], code


def compiled(nvcc, source):
    """The same of nvcc's machine code."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'widths.cubin')
        subprocess.run([nvcc, '-cubin', '-arch=sm_90', '-o', path, source], check=True)
        with open(path, 'rb') as file:
            elf = file.read()
    kernels = {}
    for name, code in kernels_of(elf):
        counts = kernels[name] = collections.defaultdict(collections.Counter)
        for low, high in struct.iter_unpack('<QQ', code):
            if low & 0xfff in OPS:
                counts[OPS[low & 0xfff]][BYTES[high >> 9 & 7]] += 1
    return kernels


def wrong_ones(source, found):
    """How many kernels' accesses are others; each is printed."""
    kernels, wrong = expected(source), 0
    if set(kernels) != set(found):
        raise SystemExit('widths: described and found: %s' % sorted(set(kernels) ^ set(found)))
    for kernel, ops in kernels.items():
        for op, widths in ops.items():
            made = dict(found[kernel][op])
            if bool(made) != bool(widths) or (widths != 'some' and made != widths):
                print('%s: %s are %s, not %s' % (kernel, op, dict(found[kernel][op]), widths), file=sys.stderr)
                wrong += 1
    return wrong


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument('warplens')
    parser.add_argument('folder')
    parser.add_argument('--nvcc')
    return parser.parse_args()


def main():
    given = arguments(__doc__)
    wrong = 0
    for name in FILES:
        source = os.path.join(given.folder, name)
        wrong += wrong_ones(source, compiled(given.nvcc, source) if given.nvcc else traced(given.warplens, source))
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
