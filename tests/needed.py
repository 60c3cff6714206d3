#!/usr/bin/env python3
"""needed.py WARPLENS FOLDER - do the accesses of tests/cu/needed.cu come in the order, and wait for the loads, that stand there?"""
import re
import sys

import widths

FILE = 'needed.cu'


def accesses(lines):
    """{kernel: its accesses as the program's lines have them} of a trace."""
    bases, kernels, sites, words = {}, {}, {}, None
    for line in lines:
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


if __name__ == '__main__':
    sys.exit(widths.compare_kernels(__doc__, FILE, accesses))
