#!/usr/bin/env python3
"""needed.py WARPLENS FOLDER - do the accesses of tests/cu/needed.cu come in the order, and wait for the loads, that stand there?"""
import os
import re
import subprocess
import sys
import tempfile

import widths

FILE = 'needed.cu'


def accesses(path):
    """{kernel: its accesses as the program's lines have them} of a trace."""
    bases, kernels, sites, words = {}, {}, {}, None
    with open(path) as file:
        for line in file:
            array = re.match(r'array (\S+) bytes=(\d+) base=(\w+)', line)
            launch = re.match(r'\s*launch (\w+)', line)
            site = re.match(r'\s*site (\d+) (ld|st)\.global', line)
            access = re.match(r'\s*@(\d+) \S+ (?:base|addr)=(0x\w+)', line)
            if array:
                bases[len(bases)] = int(array.group(3), 0)
            elif launch:
                words = kernels[launch.group(1)] = []
            elif site:
                sites[site.group(1)] = site.group(2)
            elif access and access.group(1) in sites:
                at = int(access.group(2), 0)
                name = ['p', 'q', 'r', 'out'][max(i for i, base in bases.items() if base <= at)]
                needs = re.search(r'needs=(\d+)', line)
                is_load = sites[access.group(1)] == 'ld'
                words.append('%s%s%s' % ('' if is_load else '>', name, '.' + needs.group(1) if needs and is_load else ''))
    return kernels


def main():
    given, wrong = widths.arguments(__doc__), 0
    source = os.path.join(given.folder, FILE)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'trace.wlt.txt')
        subprocess.run([given.warplens, 'trace', 'record', source, '-o', path], check=True, stdout=subprocess.DEVNULL)
        found = accesses(path)
    with open(source) as file:
        for kernel, words in widths.described(file):
            if found[kernel] != words:
                print('%s: %s, not %s' % (kernel, ' '.join(found[kernel]), ' '.join(words)), file=sys.stderr)
                wrong += 1
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
