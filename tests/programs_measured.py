"""programs_measured.py WARPLENS SOURCES - are the counters of CUDA programs what an H200 counted when nvcc
had compiled the same files? validation/h200_programs.csv has its figures (tools/cuda/measure_programs.sh):
requests and sectors of global memory are equal for every launch, shared passes but for those below.
"""
import collections
import csv
import json
import os
import subprocess
import sys

NAMES = ['global_load_requests', 'global_load_sectors', 'global_store_requests', 'global_store_sectors',
         'shared_load_passes', 'shared_store_passes']
# nvcc loads four words of a tile's row at once (LDS.128); in prescan it makes fewer accesses to shared
# memory than the source has, by 16 loads' passes and 8 stores' a block: which ones is not known.
DIFFERENT = {'matmul_tiled.cu': 1, 'scan.cu': 2}


def measured(path):
    programs = collections.OrderedDict()
    with open(path) as file:
        for row in list(csv.reader(file))[1:]:
            programs.setdefault(row[0], []).append([int(value) for value in row[3:]])
    return programs


def modelled(warplens, sources, program):
    path = program if '/' in program else 'tests/cu/samples/' + program
    done = subprocess.run([warplens, 'run', os.path.join(sources, path), '-I', os.path.join(sources, 'tests/cu'),
                           '--gpu', 'h200', '--rules-only', '--format', 'json'],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    launches = json.loads(done.stdout)['runs'][0]['launches']
    return [[launch['counters'].get(name, 0) for name in NAMES] for launch in launches]


def main():
    warplens, sources = os.path.abspath(sys.argv[1]), sys.argv[2]
    failures = 0
    for program, expected in measured(os.path.join(sources, 'validation/h200_programs.csv')).items():
        found = modelled(warplens, sources, program)
        whole = [launch for launch, other in zip(found, expected) if launch == other]
        wrong = len(found) != len(expected) or len(expected) - len(whole) != DIFFERENT.get(program, 0) or any(
            launch[:4] != other[:4] for launch, other in zip(found, expected))
        if wrong:
            print('FAILED: %s: %s, measured %s' % (program, found, expected))
        failures += wrong
    sys.exit(failures > 0)


main()
