#!/usr/bin/env python3
"""kept_loads.py WARPLENS FOLDER [--nvcc NVCC] - do the kernels of tests/cu/kept_loads.cu make the loads that stand there?

With --nvcc the machine code of sm_90 is asked: a load in a loop, whose jump back is behind it, is made N times, in two N * N.
"""
import collections
import os
import struct
import subprocess
import sys
import tempfile

import widths

N = 3
BRANCH = 0x947
FILE = 'kept_loads.cu'


def target(low):
    """Where a branch goes to, in bytes from itself: its offset counts words, from behind it."""
    high = (low >> 34 & (1 << 30) - 1 ^ 1 << 29) - (1 << 29)
    return 16 + 4 * (high * 256 + (low >> 16 & 0xff))


def loads_of(code):
    instructions = list(struct.iter_unpack('<QQ', code))
    loops = set()
    for at, (low, _) in enumerate(instructions):
        back = at + target(low) // 16
        if low & 0xfff == BRANCH and back < at:
            loops.add((back, at))
    loads = collections.Counter()
    for at, (low, _) in enumerate(instructions):
        op = widths.OPS.get(low & 0xfff, '')
        if op.startswith('ld'):
            loads[op] += N ** sum(begin <= at <= end for begin, end in loops)
    return loads


def compiled(nvcc, source):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'kept_loads.cubin')
        subprocess.run([nvcc, '-cubin', '-arch=sm_90', '-o', path, source], check=True)
        with open(path, 'rb') as file:
            elf = file.read()
    return {name: loads_of(code) for name, code in widths.kernels_of(elf)}


def traced(warplens, source):
    return {kernel: {op: sum(by_width.values()) for op, by_width in ops.items()}
            for kernel, ops in widths.traced(warplens, source).items()}


def expected(source, of_nvcc):
    with open(source) as file:
        for kernel, words in widths.described(file):
            yield kernel, {op: int(count.split('/')[-1 if of_nvcc else 0]) for op, count in zip(words[::2], words[1::2])}


def main():
    given = widths.arguments(__doc__)
    source = os.path.join(given.folder, FILE)
    found, wrong = compiled(given.nvcc, source) if given.nvcc else traced(given.warplens, source), 0
    for kernel, loads in expected(source, given.nvcc):
        for op, count in loads.items():
            if found[kernel].get(op, 0) != count:
                print('%s: %d %s, not %d' % (kernel, found[kernel].get(op, 0), op, count), file=sys.stderr)
                wrong += 1
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
