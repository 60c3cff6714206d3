#!/usr/bin/env python3
"""lags.py WARPLENS FOLDER - do the warps of tests/cu/lags.cu lag as long as stands there?"""
import collections
import os
import re
import subprocess
import sys
import tempfile

import widths

FILE = 'lags.cu'


def traced(path):
    """{kernel: the lags of its accesses, added up}"""
    lags, kernel = collections.Counter(), None
    with open(path) as file:
        for line in file:
            launch, lag = re.match(r'\s*launch (\w+)', line), re.search(r' lag=(\d+)', line)
            if launch:
                kernel = launch.group(1)
            if lag:
                lags[kernel] += int(lag.group(1))
    return lags


def main():
    given, wrong = widths.arguments(__doc__), 0
    source = os.path.join(given.folder, FILE)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'trace.wlt.txt')
        subprocess.run([given.warplens, 'trace', 'record', source, '-o', path], check=True, stdout=subprocess.DEVNULL)
        lags = traced(path)
    with open(source) as file:
        for kernel, words in widths.described(file):
            if lags[kernel] != int(words[0]):
                print('%s: %d cycles, not %s' % (kernel, lags[kernel], words[0]), file=sys.stderr)
                wrong += 1
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
