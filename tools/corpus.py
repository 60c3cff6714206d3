#!/usr/bin/env python3
"""How near are the accesses that warplens traces to those that nvcc makes of the same kernels?

    python3 tools/corpus.py build/warplens                    all kernels of tests/corpus against nvcc's PTX
    python3 tools/corpus.py build/warplens --kernel NAME ...  both sides of some, line by line, with the source
    python3 tools/corpus.py build/warplens --kept             against the kept table: no nvcc is needed
    python3 tools/corpus.py build/warplens --record           writes that table anew
    python3 tools/corpus.py --main FILE.cu                    prints a file with its main

Counted are executed accesses of threads, by source line, operation, space and width. See docs/measuring.md.
"""
import argparse
import csv
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'corpus'))

import compare  # noqa: E402
import files  # noqa: E402
import launches  # noqa: E402
import show  # noqa: E402
import tables  # noqa: E402
import traced  # noqa: E402

CORPUS = os.path.join(os.path.dirname(HERE), 'tests', 'corpus')
MOST_UNKNOWN = 3  # kernels that may have PTX that is not known here


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('warplens', nargs='?', help='the program that is judged')
    parser.add_argument('--kernel', nargs='+', metavar='NAME', help='these kernels alone, line by line')
    parser.add_argument('--files', nargs='+', metavar='FILE', help='kernels of these files (names without folder)')
    parser.add_argument('--half', choices=['a', 'b'], help='kernels of one half alone')
    parser.add_argument('--kept', action='store_true', help='compare with the kept table, and not with nvcc')
    parser.add_argument('--against', choices=['ptx', 'sass'], default='ptx',
                        help='nvcc\'s PTX, or what an H200 executed (a kept table)')
    parser.add_argument('--table', help='another kept table')
    parser.add_argument('--record', action='store_true', help='write the kept table of PTX')
    parser.add_argument('--differ', metavar='FILE', help='assert that exactly these kernels differ, and how')
    parser.add_argument('--record-differ', metavar='FILE', help='write that list')
    parser.add_argument('--csv', metavar='FILE', help='write both sides as a tidy table')
    parser.add_argument('--main', metavar='FILE.cu', help='print a file of the corpus with its main')
    parser.add_argument('--nvcc', default=os.environ.get('NVCC') or shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc')
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('--work', help='folder of built files; default: `corpus` beside WARPLENS')
    return parser.parse_args()


def chosen(file, given):
    return [k for k in file.kernels if (not given.kernel or k.name in given.kernel) and
            (not given.half or k.half == given.half)]


def load(given):
    paths = sorted(os.path.join(CORPUS, name) for name in os.listdir(CORPUS) if name.endswith('.cu'))
    work = given.work or os.path.join(os.path.dirname(os.path.abspath(given.warplens)), 'corpus')
    loaded = [files.File(path, work) for path in paths]
    names = [kernel.name for file in loaded for kernel in file.kernels]
    twice = sorted({name for name in names if names.count(name) > 1})
    missing = sorted(set(given.kernel or []) - set(names))
    if twice or missing:
        raise SystemExit('corpus: %s %s' % ('twice:' if twice else 'no kernel', ' '.join(twice or missing)))
    return [file for file in loaded if not given.files or file.name in given.files]


def record(loaded, given):
    found, checksums = {}, {}
    for file in loaded:
        checksums[file.name] = file.checksum
        for one in files.compare_with_nvcc(file, file.kernels, given.warplens, given.nvcc, given.arch):
            if one.problem:
                print('%s: not recorded: %s' % (one.kernel.name, one.problem), file=sys.stderr)
            else:
                found[one.kernel.name] = one.theirs
    tables.write(kept_table(given), checksums, found)


def kept_table(given):
    return given.table or os.path.join(CORPUS, '%s_%s.csv' % (given.against, given.arch))


def compared(loaded, given):
    """All comparisons that were asked for."""
    found, table, checksums = [], {}, {}
    kept = given.kept or given.table or given.against == 'sass'
    if kept:
        checksums, table = tables.read(kept_table(given))
    for file in loaded:
        kernels = chosen(file, given)
        if kept and checksums.get(file.name) != file.checksum:
            raise SystemExit('%s: %s was recorded of another text of it; run with --record' %
                             (file.path, kept_table(given)))
        if kernels and kept:
            found += files.compare_with_table(file, kernels, given.warplens, table)
        elif kernels:
            found += files.compare_with_nvcc(file, kernels, given.warplens, given.nvcc, given.arch)
    return found


def write_csv(path, found):
    with open(path, 'w') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(['file', 'kernel', 'half', 'line', 'op', 'space', 'width', 'warplens', 'nvcc'])
        for one in found:
            if not one.problem:
                for row in compare.rows(one.ours, one.theirs):
                    writer.writerow((one.kernel.file, one.kernel.name, one.kernel.half) + row)


def main():
    given = options()
    if given.main:
        with open(given.main) as file:
            print(launches.program(file.read(), launches.kernels(given.main)), end='')
        return 0
    if not given.warplens:
        raise SystemExit('corpus: which warplens? --help says more')
    loaded = load(given)
    if given.record:
        record(loaded, given)
        return 0
    found = compared(loaded, given)
    if given.csv:
        write_csv(given.csv, found)
    compiler = ', '.join(sorted({file.compiler for file in loaded if file.compiler}))
    if given.record_differ:
        show.write_differ(given.record_differ, found, compiler, 'machine code' if given.against == 'sass' else 'PTX')
    if given.differ:
        return show.check_differ(given.differ, found, compiler)
    if given.kernel:
        show.line_by_line(found, {file.name: file.source.split('\n') for file in loaded})
    else:
        show.summary(found)
    return sum(one.problem is not None for one in found) > MOST_UNKNOWN


try:
    sys.exit(main())
except traced.TraceError as error:
    sys.exit('corpus: %s' % error)
