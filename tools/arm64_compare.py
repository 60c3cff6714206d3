#!/usr/bin/env python3
"""Whether warplens counts on arm64 what it counts here (tools/arm64.sh runs this).

    arm64_compare.py gallery|programs HERE CXX ARM64 CXX [FILE.cu...]

HERE and ARM64 are commands that run warplens, CXX the compilers of each for programs. Both run the same, one after
the other, and their CSV is compared figure by figure: exact ones under one GPU of each rule set, then the estimate of
instructions under an H200. Of programs what they print and their exit status are compared, too.

Exit status: 0 when all exact figures, outputs and statuses are equal, 1 when not.
"""
import collections
import csv
import io
import os
import re
import subprocess
import sys
import tempfile

RULE_SETS = 'sm_10,sm_13,sm_20,sm_35,sm_52,sm_61,sm_70,sm_90'
SHOWN = 12
TIME_LIMIT_S = 900


class Machine:
    def __init__(self, command, compiler):
        self.command = command.split()
        self.environment = dict(os.environ, WARPLENS_CXX=compiler)

    def run(self, arguments, output=None):
        """Its exit status, what it prints, its messages; and the CSV that it wrote."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, 'figures.csv')
            try:
                done = subprocess.run(self.command + arguments + (['-o', file] if output else []), capture_output=True,
                                      env=self.environment, stdin=subprocess.DEVNULL, timeout=TIME_LIMIT_S, check=False)
            except subprocess.TimeoutExpired:
                return None, '', f'more than {TIME_LIMIT_S} s', {}
            text = done.stdout.decode(errors='replace')
            table = text
            if output and os.path.exists(file):
                with open(file, encoding='utf-8') as opened:
                    table = opened.read()
            return done.returncode, text, done.stderr.decode(errors='replace'), figures(table)


def figures(text):
    """(GPU, scope, where, counter) -> value."""
    rows = csv.reader(io.StringIO(text))
    if next(rows, None) != ['kernel', 'gpu', 'params', 'scope', 'where', 'counter', 'unit', 'value']:
        return {}
    return {(gpu, scope, where, counter): value for _, gpu, _, scope, where, counter, _, value in rows}


def show_differences(name, here, arm64):
    """One line a counter: in how many places, and the first of them."""
    by_counter = collections.OrderedDict()
    for key in sorted(here.keys() | arm64.keys()):
        if here.get(key) != arm64.get(key):
            by_counter.setdefault(key[3], []).append(key)
    for counter, keys in list(by_counter.items())[:SHOWN]:
        key = min(keys, key=lambda k: (k[1] != 'kernel', k))
        print(f'  {name}: {counter}: {len(keys)} figures, {" ".join(filter(None, key[:3]))}: '
              f'{here.get(key, "none")} here, {arm64.get(key, "none")} on arm64')
    if len(by_counter) > SHOWN:
        print(f'  {name}: {len(by_counter) - SHOWN} more counters')


def instructions_of(table):
    return sum(int(float(value)) for (_, scope, _, counter), value in table.items()
               if scope == 'kernel' and counter == 'instructions')


def show_instructions(pairs):
    """pairs: (name, here, on arm64)."""
    pairs = [p for p in pairs if p[1] and p[2]]
    if not pairs:
        return
    ratios = sorted((there / here, name) for name, here, there in pairs)
    equal = sum(here == there for _, here, there in pairs)
    (low, lowest), (high, highest) = ratios[0], ratios[-1]
    print(f'instructions, an estimate from machine code: {equal} of {len(pairs)} equal; arm64 over here: '
          f'median {ratios[len(ratios) // 2][0]:.2f}, from {low:.2f} ({lowest}) to {high:.2f} ({highest})')


def compare_gallery(here, arm64):
    listed = subprocess.run(here.command + ['kernels'], capture_output=True, text=True, check=True).stdout
    names = re.findall(r'^  (\w+)  ', listed, re.M)
    equal, figures_compared, instructions = 0, 0, []
    for name in names:
        exact = ['run', name, '--rules-only', '--gpu', RULE_SETS, '--format', 'csv']
        ours, theirs = here.run(exact), arm64.run(exact)
        same = ours[0] == theirs[0] == 0 and ours[3] == theirs[3] and len(ours[3]) > 0
        equal += same
        figures_compared += len(ours[3])
        if not same:
            print(f'  {name}: exit status {ours[0]} here, {theirs[0]} on arm64 {theirs[2].strip()}')
            show_differences(name, ours[3], theirs[3])
        timed = ['run', name, '--gpu', 'h200', '--format', 'csv']
        instructions.append((name, instructions_of(here.run(timed)[3]), instructions_of(arm64.run(timed)[3])))
    print(f'gallery: {equal} of {len(names)} kernels have the same figures on arm64 ({figures_compared} figures, '
          f'{RULE_SETS})')
    show_instructions(instructions)
    return equal == len(names)


def compare_program(file, here, arm64, accesses):
    """Whether it is the same."""
    folder = os.path.dirname(file) or '.'
    arguments = ['run', file, '-I', folder, '-I', 'tests/cu', '--accesses', accesses, '--rules-only',
                 '--gpu', 'h200,k20x', '--format', 'csv']
    ours, theirs = here.run(arguments, True), arm64.run(arguments, True)
    same = ours == theirs
    if not same:
        print(f'  {file} --accesses {accesses}: exit status {ours[0]} here, {theirs[0]} on arm64')
        for what, a, b in ('prints', ours[1], theirs[1]), ('says', ours[2], theirs[2]):
            for line in [line for line in b.splitlines() if line not in a.splitlines()][:3]:
                print(f'  {file}: {what} on arm64: {line[:200]}')
        show_differences(file, ours[3], theirs[3])
    return same


def compare_programs(files, here, arm64):
    all_equal = True
    for accesses in 'source', 'nvcc':
        equal = sum(compare_program(file, here, arm64, accesses) for file in files)
        print(f'programs, --accesses {accesses}: {equal} of {len(files)} print, end and count the same on arm64')
        all_equal &= equal == len(files)
    return all_equal


def main():
    what, here, here_cxx, arm64, arm64_cxx, *files = sys.argv[1:]
    sys.stdout.reconfigure(line_buffering=True)
    machines = Machine(here, here_cxx), Machine(arm64, arm64_cxx)
    sys.exit(0 if (compare_gallery(*machines) if what == 'gallery' else compare_programs(files, *machines)) else 1)


if __name__ == '__main__':
    main()
