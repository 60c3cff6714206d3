#!/usr/bin/env python3
"""lags.py WARPLENS FOLDER - do the warps of tests/cu/lags.cu lag as long as stands there?"""
import collections
import re
import sys

import widths

FILE = 'lags.cu'


def lags_of(lines):
    """{kernel: [the lags of its accesses, added up]}"""
    lags, kernel = collections.Counter(), None
    for line in lines:
        launch, lag = re.match(r'\s*launch (\w+)', line), re.search(r' lag=(\d+)', line)
        if launch:
            kernel = launch.group(1)
        if lag:
            lags[kernel] += int(lag.group(1))
    return {kernel: [str(lag)] for kernel, lag in lags.items()}


if __name__ == '__main__':
    sys.exit(widths.compare_kernels(__doc__, FILE, lags_of))
