#!/usr/bin/env python3
"""arithmetic.py WARPLENS FOLDER - have the functions of tests/cu/arithmetic.cu the instructions that stand there?"""
import json
import os
import subprocess
import sys
import tempfile

import widths

FILE = 'arithmetic.cu'


def instructions(warplens, source):
    """{kernel: of its warp}"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'run.json')
        subprocess.run([warplens, 'run', source, '--gpu', 'h200', '--format', 'json', '-o', path], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path) as file:
            launches = json.load(file)['runs'][0]['launches']
    return {launch['kernel']: launch['counters']['instructions'] for launch in launches}


def main():
    given, wrong = widths.arguments(__doc__), 0
    source = os.path.join(given.folder, FILE)
    found = instructions(given.warplens, source)
    with open(source) as file:
        for kernel, words in widths.described(file):
            more = found[kernel + '_twice'] - found[kernel]
            if more != int(words[0].split('/')[0]):
                print('%s: %d instructions, not %s' % (kernel, more, words[0]), file=sys.stderr)
                wrong += 1
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
