#!/usr/bin/env python3
"""store_merges.py BUILD [--rounds N] - which stores leave an SM as one in the model, beside what an H200 counted?

Runs tools/cuda/store_merges.cu, with fewer rounds than the GPU did, and prints by what a launch is about how far the model's sectors that
L2 is written for each sector stored, and its cycles a request, are from validation/h200_store_merges.csv; then the launches that
are furthest off. Takes ten minutes or more.
"""
import argparse
import collections
import csv
import json
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SMS = 132
NAMES = 'what stores width gap lines delay between shared warps rest'.split()
Row = collections.namedtuple('Row', 'name measured modelled measured_cycles modelled_cycles')


def measured_rows():
    with open(ROOT / 'validation/h200_store_merges.csv', encoding='utf-8') as file:
        for row in csv.DictReader(line for line in file if not line.startswith('#')):
            yield (tuple(row[name] for name in NAMES), int(row['l2_sectors']) / int(row['sectors']),
                   int(row['sm_cycles']) * SMS / int(row['requests']))


def modelled_launches(build, rounds):
    """What each launch is, as the program prints it, and its counters."""
    with tempfile.NamedTemporaryFile(suffix='.json') as result:
        printed = subprocess.run([build / 'warplens', 'run', ROOT / 'tools/cuda/store_merges.cu', '--gpu', 'h200', '-D', f'ROUNDS={rounds}',
                                  '--format', 'json', '-o', result.name], check=True, capture_output=True, text=True).stdout
        launches = json.load(result)['runs'][0]['launches']
    names = [tuple(line.split(',')) for line in printed.splitlines() if line.count(',') == len(NAMES) - 1][1:]
    assert len(names) == len(launches), (len(names), len(launches))
    return [(name, launch['counters']) for name, launch in zip(names, launches)]


def compared(build, rounds):
    modelled = modelled_launches(build, rounds)
    measured = {}
    for name, sectors, cycles in measured_rows():
        measured.setdefault(name, (sectors, cycles))
    for name, counters in modelled:
        sectors, cycles = measured[name]
        requests = counters['global_store_requests']
        yield Row(name, sectors, counters['l2_write_sectors'] / counters['global_store_sectors'], cycles,
                  counters['elapsed_cycles'] * SMS / requests)


def mean_error(pairs):
    return 100 * statistics.mean(abs(modelled / measured - 1) for measured, modelled in pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--rounds', type=int, default=8)
    arguments = parser.parse_args()
    rows = list(compared(arguments.build.resolve(), arguments.rounds))
    for what in [*dict.fromkeys(row.name[0] for row in rows), 'all']:
        some = [row for row in rows if what in ('all', row.name[0])]
        busy = [row for row in some if row.name[-1] == '0' and int(row.name[-2]) >= 16]
        cycles = f'{mean_error([(r.measured_cycles, r.modelled_cycles) for r in busy]):.0f} %' if busy else '-'
        print(f'{what}: {len(some)} launches, sectors {mean_error([(r.measured, r.modelled) for r in some]):.1f} % off; '
              f'cycles a request of 16 warps and more that do nothing else: {cycles}')
    print('\n' + ','.join(NAMES) + ': L2 sectors a sector stored, measured and modelled')
    for row in sorted(rows, key=lambda row: -abs(row.modelled / row.measured - 1))[:20]:
        print(f'{",".join(row.name)}: {row.measured:.3f} {row.modelled:.3f}')


if __name__ == '__main__':
    main()
