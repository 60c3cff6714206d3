"""applications.py WARPLENS SOURCES [--seed N | NAME...] - do the programs of validation/applications still run, and pass?

A sample of a dozen kinds at a tiny size, rules only, another one each day; --seed runs a day's sample again, names run
those programs. Of all kinds: each has its source, its half and its runs.
"""
import argparse
import os
import random
import subprocess
import sys
import time

SAMPLE = 12
HALVES = 'fit', 'judge', 'second', 'third', 'fourth', 'fifth'
# Sizes that every program takes; those whose size counts threads or cells of a side need more of it.
TINY = 2
SIZES = {'attention': 64, 'bfs': 300, 'convolution_2d': 40, 'decision_trees': 128, 'floyd_warshall': 64, 'game_of_life': 64,
         'image_filters': 40, 'interpolation': 40, 'lattice_boltzmann': 20, 'lu': 64, 'matrix_vector': 50,
         'optical_flow': 96, 'pagerank': 300, 'permutation': 1000, 'relaxation': 300, 'row_column_sums': 50,
         'sequence_alignment': 64, 'small_launches': 300, 'sort_bitonic': 2000, 'stencil_2d': 40, 'stencil_3d': 12,
         'transpose': 50, 'triangular_solve': 40, 'mandelbrot': 4}


def pairs(path):
    with open(path) as file:
        return [line.split() for line in file if not line.startswith('#')]


def check_lists(folder):
    """What is wrong with the two lists, as lines."""
    kinds = pairs(os.path.join(folder, 'kinds.txt'))
    measured = {program for program, _ in pairs(os.path.join(folder, 'runs.txt'))}
    names = {name for name, _ in kinds}
    sources = {name[:-3] for name in os.listdir(folder) if name.endswith('.cu')}
    wrong = ['%s: not in kinds.txt, in runs.txt and a source' % name
             for name in sorted((names | measured | sources) - (names & measured & sources))]
    return sorted(names), wrong + ['%s: %s is no half' % tuple(kind) for kind in kinds if kind[1] not in HALVES]


def runs_and_passes(warplens, folder, name):
    done = subprocess.run([warplens, 'run', os.path.join(folder, name + '.cu'), '--gpu', 'h200', '--rules-only',
                           '--error-exitcode', '3', '--', str(SIZES.get(name, TINY)), '2'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode == 0 and 'PASSED' in done.stdout.splitlines():
        return True
    print('FAILED: %s: status %d\n%s' % (name, done.returncode, done.stdout[:2000]))
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('warplens')
    parser.add_argument('sources')
    parser.add_argument('names', nargs='*')
    parser.add_argument('--seed', type=int, default=int(time.time() // 86400))
    chosen = parser.parse_args()
    folder = os.path.join(chosen.sources, 'validation/applications')
    kinds, wrong = check_lists(folder)
    for line in wrong:
        print('FAILED: ' + line)
    sample = chosen.names or sorted(random.Random(chosen.seed).sample(kinds, SAMPLE))
    print('seed %d: %s' % (chosen.seed, ' '.join(sample)), flush=True)
    passed = [runs_and_passes(os.path.abspath(chosen.warplens), folder, name) for name in sample]
    print('%d of %d programs pass' % (sum(passed), len(passed)))
    sys.exit(bool(wrong) or not all(passed))


main()
