#!/usr/bin/env python3
"""tidy.py - what measure_fragments.sh makes of its programs' output.

    tidy.py good PATTERNS CHECKED.csv            PATTERNS with empty lines for those that the GPU refused
    tidy.py fragments PATTERNS COUNTERS RAWDIR   rows line,counter,value: of every pattern that was profiled,
                                                 its line of PATTERNS; counters of its group that are absent read 0

RAWDIR has GROUP.csv, the profiler's raw page, and GROUP.launches.csv, the program's launches in the same order.
"""
import csv
import os
import re
import sys


def fail(message):
    sys.exit('tidy.py: ' + message)


def read(path):
    with open(path, newline='', encoding='utf-8') as file:
        return list(csv.DictReader(file))


def good(patterns, checked):
    refused = {int(row['line']) for row in read(checked) if int(row['outcome']) < 0}
    with open(patterns, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            sys.stdout.write('\n' if number in refused else line)


def pages(path):
    """The rows of a raw page; what is no row of it is the program's output."""
    with open(path, newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(line for line in file if line.startswith('"')))
    return rows[1:]   # after the units


def kernel_of(pattern):
    """What the name of the kernel that executes a pattern must begin with."""
    for begin, kernel in (('ldmatrix', 'measured_ldmatrix'), ('stmatrix', 'measured_stmatrix'),
                          ('cp.async.bulk', 'measured_bulk'), ('cp.async', 'measured_cp_async'),
                          ('tensor.load', 'measured_tensor_load'), ('tensor.store', 'measured_tensor_store'),
                          ('wmma', 'measured_wmma'), ('red.global', 'measured_reduction'),
                          ('atom.global', 'measured_reduction')):
        if pattern.startswith(begin):
            return kernel
    return 'measured_cluster'


def put_group(out, group, counters, raw):
    page, launches = os.path.join(raw, group + '.csv'), os.path.join(raw, group + '.launches.csv')
    rows = pages(page) if os.path.exists(page) else []
    launched = [row for row in read(launches) if row['outcome'] == '0'] if os.path.exists(launches) else []
    if len(rows) != len(launched):
        print('tidy.py: %s: %d launches, %d profiled' % (group, len(launched), len(rows)), file=sys.stderr)
        return 0
    for launch, row in zip(launched, rows):
        if not re.search(r'\b' + kernel_of(launch['pattern']), row['Kernel Name']):
            fail('line %s: %s was profiled' % (launch['line'], row['Kernel Name']))
        for counter in counters:
            value = row.get(counter, '').replace(',', '')
            if value not in ('', '0'):
                out.writerow([launch['line'], counter, value])
    return len(rows)


def fragments(patterns, counters, raw):
    out = csv.writer(sys.stdout, lineterminator='\n')
    out.writerow(['line', 'counter', 'value'])
    with open(counters, encoding='utf-8') as file:
        groups = [line.split() for line in file]
    done = sum(put_group(out, group[0], group[1].split(','), raw) for group in groups if len(group) == 2)
    with open(patterns, encoding='utf-8') as file:
        all_of_them = sum(1 for line in file if not line.startswith('#'))
    print('%d of %d patterns measured' % (done, all_of_them), file=sys.stderr)


if __name__ == '__main__':
    verbs = {'good': (good, 2), 'fragments': (fragments, 3)}
    if len(sys.argv) < 2 or sys.argv[1] not in verbs or len(sys.argv) - 2 != verbs[sys.argv[1]][1]:
        fail(__doc__)
    verbs[sys.argv[1]][0](*sys.argv[2:])
