#!/usr/bin/env python3
"""Whether warplens counts on arm64 what it counts here (tools/arm64.sh runs this).

    arm64_compare.py gallery HERE CXX ARM64 CXX [KERNEL...]
    arm64_compare.py programs HERE CXX ARM64 CXX FILE.cu...

HERE and ARM64 are commands that run warplens, CXX the compilers of each for programs. Both run the same, one after
the other, and their CSV is compared figure by figure: exact ones under GPUs of eight rule sets, and the estimate of
instructions of every fourth kernel under an H200. Of programs what they print and their exit status are compared, too.

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

LATER = 'sm_20,sm_35,sm_52,sm_61,sm_70,sm_90'
RULE_SETS = ['sm_10,sm_13,' + LATER, LATER]
KERNELS_A_RUN = 12  # they share the emulator's start
TIMED_EVERY = 4  # of the kernels: the emulator is slow
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
    """(kernel, GPU, scope, where, counter) -> value."""
    rows = csv.reader(io.StringIO(text))
    if next(rows, None) != ['kernel', 'gpu', 'params', 'scope', 'where', 'counter', 'unit', 'value']:
        return {}
    return {(kernel, gpu, scope, where, counter): value for kernel, gpu, _, scope, where, counter, _, value in rows}


def show_differences(name, here, arm64):
    """One line a counter: in how many places, and the first of them."""
    by_counter = collections.OrderedDict()
    for key in sorted(here.keys() | arm64.keys()):
        if here.get(key) != arm64.get(key):
            by_counter.setdefault(key[4], []).append(key)
    for counter, keys in list(by_counter.items())[:SHOWN]:
        key = min(keys, key=lambda k: (k[2] != 'kernel', k))
        print(f'  {name}: {counter}: {len(keys)} figures, {" ".join(filter(None, key[1:4]))}: '
              f'{here.get(key, "none")} here, {arm64.get(key, "none")} on arm64')
    if len(by_counter) > SHOWN:
        print(f'  {name}: {len(by_counter) - SHOWN} more counters')


def of_kernel(table, name):
    return {key: value for key, value in table.items() if key[0] == name}


def instructions_of(table):
    return sum(int(float(value)) for key, value in table.items() if key[2] == 'kernel' and key[4] == 'instructions')


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


def run_kernels(names, gpus, options, machine):
    return machine.run(['run', ','.join(names), '--gpu', gpus, '--format', 'csv'] + options)


def compare_kernels(names, gpus, here, arm64):
    """How many have the same exact figures, and how many figures that are."""
    (_, _, _, ours), (status, _, messages, theirs) = (
        run_kernels(names, gpus, ['--rules-only'], machine) for machine in (here, arm64))
    if status != 0:
        print(f'  exit status {status} on arm64: {messages.strip()}')
    equal = 0
    for name in names:
        a, b = of_kernel(ours, name), of_kernel(theirs, name)
        equal += len(a) > 0 and a == b
        show_differences(name, a, b)
    print(f'  {equal} of {len(names)} equal under {gpus}: {", ".join(names)}')
    return equal, len(ours)


def compare_instructions(names, here, arm64):
    tables = [run_kernels(names, 'h200', [], machine)[3] for machine in (here, arm64)]
    show_instructions([(name, *(instructions_of(of_kernel(table, name)) for table in tables)) for name in names])


def gpus_of(name, here):
    """Some kernels have blocks that are too large for the first GPUs."""
    return next(gpus for gpus in RULE_SETS if run_kernels([name], gpus, ['--rules-only'], here)[0] == 0)


def compare_gallery(names, here, arm64):
    listed = subprocess.run(here.command + ['kernels'], capture_output=True, text=True, check=True).stdout
    names = names or re.findall(r'^  (\w+)  ', listed, re.M)
    by_gpus = collections.OrderedDict()
    for name in names:
        by_gpus.setdefault(gpus_of(name, here), []).append(name)
    equal, count = 0, 0
    for gpus, some in by_gpus.items():
        for first in range(0, len(some), KERNELS_A_RUN):
            part = compare_kernels(some[first:first + KERNELS_A_RUN], gpus, here, arm64)
            equal, count = equal + part[0], count + part[1]
    print(f'gallery: {equal} of {len(names)} kernels have the same figures on arm64 ({count} figures)')
    compare_instructions(names[::TIMED_EVERY], here, arm64)
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
    what, here, here_cxx, arm64, arm64_cxx, *names = sys.argv[1:]
    sys.stdout.reconfigure(line_buffering=True)
    machines = Machine(here, here_cxx), Machine(arm64, arm64_cxx)
    compare = {'gallery': compare_gallery, 'programs': compare_programs}[what]
    sys.exit(0 if compare(names, *machines) else 1)


if __name__ == '__main__':
    main()
