#!/usr/bin/env python3
"""tidy_applications.py RAW OUT - what ncu said about the application programs, as one CSV a half.

RAW has PROGRAM.cold.csv, PROGRAM.alone.csv and PROGRAM.warm.csv, ncu's logs with its raw page in CSV, each beside PROGRAM.MODE.pids with
lines "process size". Writes OUT/GPU_applications_HALF.csv for the halves of kinds.txt that were measured: a row a launch and state of the
caches, a column a counter, empty where it was not collected. Rows of warm caches are the launches of the second round, with their place
among the launches of both. The machine's names come from the
environment: WL_GPU, WL_DRIVER, WL_TOOL.
"""
import csv
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
APPLICATIONS = os.path.join(HERE, '../../validation/applications')
KEYS = ['gpu', 'driver', 'tool', 'program', 'arguments', 'cache', 'launch', 'kernel', 'grid', 'block']


def lines_of(path):
    with open(path) as file:
        return [line.split() for line in file if line.strip() and not line.startswith('#')]


def without_parameters(kernel):
    """'void f<(int)5>(float *, int)' without the parentheses at its end, which may hold others."""
    depth = 0
    for place in range(len(kernel) - 1, -1, -1):
        depth += {')': 1, '(': -1}.get(kernel[place], 0)
        if depth == 0:
            return kernel[:place].strip() if kernel[place] == '(' else kernel.strip()
    return kernel.strip()


def number(text):
    value = float(text.replace(',', ''))
    return '%d' % value if value == int(value) else '%.10g' % value


def launches(path, counters):
    """The launches in the order of ncu's log: {size: [(kernel, grid, block, {counter: value})]}."""
    sizes = {process: size for process, size in lines_of(path[:-len('csv')] + 'pids')}
    with open(path, newline='') as file:
        rows = list(csv.reader(line for line in file if line.startswith('"')))
    found = {}
    for row in rows[2:]:
        named = dict(zip(rows[0], row))
        values = {name: number(named[name]) for name in counters if named.get(name)}
        found.setdefault(sizes[named['Process ID']], []).append(
            (without_parameters(named['Kernel Name']), named['Grid Size'], named['Block Size'], values))
    return found


def value_of_the_same(found, place, kernel):
    if place > len(found) or found[place - 1][0] != kernel:
        return {}
    return found[place - 1][3]


def rows_of(raw, program, modes):
    """Rows as `warplens validate` takes them: the file and the arguments that ran."""
    def read(mode):
        path = os.path.join(raw, '%s.%s.csv' % (program, mode))
        return launches(path, modes[mode]) if os.path.exists(path) else {}
    alone = read('alone')
    for size, found in read('cold').items():
        for place, (kernel, grid, block, values) in enumerate(found, 1):
            values.update(value_of_the_same(alone.get(size, []), place, kernel))
            yield [program + '.cu', size + ' 1', 'cold', place, kernel, grid, block, values]
    for size, found in read('warm').items():
        for place, (kernel, grid, block, values) in enumerate(found, 1):
            if place > len(found) // 2:
                yield [program + '.cu', size + ' 2', 'warm', place, kernel, grid, block, values]


def main():
    raw, out = sys.argv[1:]
    machine = [os.environ.get(name, '') for name in ('WL_GPU', 'WL_DRIVER', 'WL_TOOL')]
    modes = {}
    for mode, counter in lines_of(os.path.join(HERE, 'counters_applications.txt')):
        modes.setdefault(mode, []).append(counter)
    counters = modes['cold'] + modes['alone']
    chip = re.search('[A-Z]+[0-9]+', machine[0]).group().lower()
    halves = {}
    for program, half in lines_of(os.path.join(APPLICATIONS, 'kinds.txt')):
        halves.setdefault(half, []).extend(rows_of(raw, program, modes))
    for half, rows in halves.items():
        path = os.path.join(out, '%s_applications_%s.csv' % (chip, half))
        if not rows:
            continue
        with open(path + '.new', 'w', newline='') as file:
            writer = csv.writer(file, lineterminator='\n')
            writer.writerow(KEYS + counters)
            for row in rows:
                writer.writerow(machine + row[:-1] + [row[-1].get(name, '') for name in counters])
        os.replace(path + '.new', path)


if __name__ == '__main__':
    main()
