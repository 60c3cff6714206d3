#!/usr/bin/env python3
"""tidy.py - what measure_fragments.sh makes of its programs' output.

    tidy.py good PATTERNS CHECKED.csv     PATTERNS with empty lines for those that were refused or not tried
    tidy.py tables COUNTERS RAWDIR DIR    DIR/GROUP.csv: of every pattern that was profiled its line of PATTERNS, itself,
                                          and what each counter of the group reads that is not 0 everywhere

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


def measured(group, counters, raw):
    """[[line, pattern, a value for each counter]] of the group's launches that were profiled."""
    page, launches = os.path.join(raw, group + '.csv'), os.path.join(raw, group + '.launches.csv')
    rows = pages(page) if os.path.exists(page) else []
    launched = [row for row in read(launches) if row['outcome'] == '0'] if os.path.exists(launches) else []
    if len(rows) != len(launched):
        print('tidy.py: %s: %d launches, %d profiled' % (group, len(launched), len(rows)), file=sys.stderr)
        return []
    out = []
    for launch, row in zip(launched, rows):
        if not re.search(r'\b' + kernel_of(launch['pattern']), row['Kernel Name']):
            fail('line %s: %s was profiled' % (launch['line'], row['Kernel Name']))
        values = [row.get(counter, '').replace(',', '') or '0' for counter in counters]
        out.append([launch['line'], launch['pattern']] + values)
    return out


def put_table(path, counters, rows):
    """Counters that read 0 of every pattern have no column."""
    kept = [i for i, counter in enumerate(counters) if any(row[2 + i] != '0' for row in rows)]
    with open(path, 'w', newline='', encoding='utf-8') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(['line', 'pattern'] + [counters[i] for i in kept])
        out.writerows(row[:2] + [row[2 + i] for i in kept] for row in rows)


def tables(counters, raw, folder):
    os.makedirs(folder, exist_ok=True)
    done = 0
    with open(counters, encoding='utf-8') as file:
        groups = [line.split() for line in file]
    for group, names in (words for words in groups if len(words) == 2):
        rows = measured(group, names.split(','), raw)
        if rows:
            put_table(os.path.join(folder, group + '.csv'), names.split(','), rows)
        done += len(rows)
    print('%d patterns measured' % done, file=sys.stderr)


if __name__ == '__main__':
    verbs = {'good': (good, 2), 'tables': (tables, 3)}
    if len(sys.argv) < 2 or sys.argv[1] not in verbs or len(sys.argv) - 2 != verbs[sys.argv[1]][1]:
        fail(__doc__)
    verbs[sys.argv[1]][0](*sys.argv[2:])
