#!/usr/bin/env python3
"""compare_applications.py WARPLENS MEASURED.csv [PROGRAM...] - how far the model is from the measured applications.

Runs each program and size of a CSV of measure_applications.sh under the model with two rounds. Prints for each counter
in how many launches it is equal, and how many times the measured one it is (smallest, median, largest); for the time
the same per program and for all, as the launches of the second round with warm caches. Cold rows give the counters of
the first round; their times are left out, since the model keeps L2 between launches and ncu empties it before each.
"""
import csv
import json
import math
import os
import statistics
import subprocess
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../validation/applications')
LD, ST = 'l1tex__t_%s_pipe_lsu_mem_global_op_ld.sum', 'l1tex__t_%s_pipe_lsu_mem_global_op_st.sum'
SHARED = 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_%s.sum'
COUNTERS = [(LD % 'requests', 'global_load_requests'), (LD % 'sectors', 'global_load_sectors'),
            (ST % 'requests', 'global_store_requests'), (ST % 'sectors', 'global_store_sectors'),
            (SHARED % 'ld', 'shared_load_passes'), (SHARED % 'st', 'shared_store_passes'),
            (SHARED % 'atom', 'shared_atomic_passes')]
TIME = 'gpu__time_duration.sum'


def modelled(warplens, program, size):
    done = subprocess.run([warplens, 'run', os.path.join(FOLDER, program + '.cu'), '--gpu', 'h200', '--format', 'json',
                           '--', size, '2'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return [launch['counters'] for launch in json.loads(done.stdout)['runs'][0]['launches']]


def spread(ratios):
    if not ratios:
        return 'none to compare'
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
    near = [sum(1 / limit <= ratio <= limit for ratio in ratios) / len(ratios) * 100 for limit in (1.25, 1.5, 2)]
    return '%5d  %6.2f  %6.2f  %6.2f  %6.2f   %3.0f %%  %3.0f %%  %3.0f %%' % (
        len(ratios), min(ratios), statistics.median(ratios), max(ratios), mean, *near)


def read(path, wanted):
    runs = {}
    with open(path, newline='') as file:
        for row in csv.DictReader(file):
            if not wanted or row['program'] in wanted:
                runs.setdefault((row['program'], row['arguments']), []).append(row)
    return runs


def compare(rows, launches, counts, times):
    if max(int(row['launch']) for row in rows) > len(launches):
        sys.exit('%s %s: fewer launches under the model than measured' % (rows[0]['program'], rows[0]['arguments']))
    for row in rows:
        model = launches[int(row['launch']) - 1]
        for name, ours in COUNTERS if row['cache'] == 'cold' else ():
            if row[name]:
                counts[name].append((model.get(ours, 0), float(row[name])))
        if row['cache'] == 'warm' and row[TIME]:
            times.append(model['elapsed_ns'] / float(row[TIME]))


def main():
    warplens, path = sys.argv[1:3]
    counts, programs = {name: [] for name, _ in COUNTERS}, {}
    print('time, warm       launches     min  median     max    mean   +25 %  +50 %  x 2')
    for (program, size), rows in read(path, sys.argv[3:]).items():
        times = []
        compare(rows, modelled(warplens, program, size), counts, times)
        programs.setdefault(program, []).extend(times)
        print('%-20s %s' % ('%s %s' % (program, size), spread(times)), flush=True)
    print('%-20s %s' % ('all', spread([time for times in programs.values() for time in times])))
    middle = [math.exp(statistics.fmean(map(math.log, times))) for times in programs.values() if times]
    print('%-20s %s' % ('means of programs', spread(middle)))
    for name, found in counts.items():
        ratios = [ours / theirs for ours, theirs in found if ours and theirs]
        print('%s: %d of %d equal; %s' % (name, sum(ours == theirs for ours, theirs in found), len(found), spread(ratios)))


main()
