#!/usr/bin/env python3
"""arithmetic.py WARPLENS FOLDER - have the functions of tests/cu/arithmetic.cu the instructions that stand there, and are what their
arguments and results access accesses?"""
import json
import os
import subprocess
import sys
import tempfile

import widths

FILE = 'arithmetic.cu'


def counted(warplens, source):
    """{kernel: its counters}, of a warp each"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'run.json')
        subprocess.run([warplens, 'run', source, '--gpu', 'h200', '--format', 'json', '-o', path], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path) as file:
            launches = json.load(file)['runs'][0]['launches']
    return {launch['kernel']: launch['counters'] for launch in launches}


def main():
    given, wrong = widths.arguments(__doc__), 0
    source = os.path.join(given.folder, FILE)
    found = counted(given.warplens, source)
    with open(source) as file:
        for kernel, words in widths.described(file):
            for name in kernel, kernel + '_twice':
                accesses = tuple(found[name]['global_%s_requests' % op] for op in ('load', 'store'))
                if accesses != (3, 3):
                    print('%s: %d loads and %d stores, not 3 and 3' % ((name,) + accesses), file=sys.stderr)
                    wrong += 1
            more = found[kernel + '_twice']['instructions'] - found[kernel]['instructions']
            if more != int(words[0].split('/')[0]):
                print('%s: %d instructions, not %s' % (kernel, more, words[0]), file=sys.stderr)
                wrong += 1
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
