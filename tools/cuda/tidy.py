#!/usr/bin/env python3
"""tidy.py - what a profiler said about the harness's launches, as one tidy CSV.

    tidy.py ncu     LAUNCHES.csv RAW.csv COUNTERS.txt    Nsight Compute, --csv --page raw
    tidy.py nvprof  LAUNCHES.csv DIR COUNTERS.txt        one nvprof CSV a run: DIR/<run>.csv
    tidy.py times   TIMES.csv                            the harness's own times

Writes rows gpu,driver,tool,run,kernel,parameters,launch,function,counter,value to standard output.
The machine's names come from the environment: WL_GPU, WL_DRIVER, WL_TOOL. Counters that read 0 are left
out; a line "#counters a,b,c" says which were collected.
"""
import csv
import os
import re
import sys

FIELDS = ['gpu', 'driver', 'tool', 'run', 'kernel', 'parameters', 'launch', 'function', 'counter',
          'value']
ATOMS = 'l1tex__t_%s_pipe_lsu_mem_global_op_%s.sum'
LOADS = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld%s.sum'
# Made of counters: nvprof's name of a ratio, and what the profiler splits by whether a result is used.
DERIVED = [
    ('global_hit_rate', lambda v: 100 * v[LOADS % '_lookup_hit'] / v[LOADS % '']
     if v[LOADS % ''] else None, [LOADS % '', LOADS % '_lookup_hit']),
    ('global_atom_or_red_requests', lambda v: v[ATOMS % ('requests', 'atom')] +
     v[ATOMS % ('requests', 'red')], [ATOMS % ('requests', 'atom'), ATOMS % ('requests', 'red')]),
    ('global_atom_or_red_sectors', lambda v: v[ATOMS % ('sectors', 'atom')] +
     v[ATOMS % ('sectors', 'red')], [ATOMS % ('sectors', 'atom'), ATOMS % ('sectors', 'red')]),
]
# What units of time are in microseconds, and the other units that are scaled, in their own.
SCALES = {'nsecond': 1e-3, 'ns': 1e-3, 'usecond': 1, 'us': 1, 'msecond': 1e3, 'ms': 1e3,
          'second': 1e6, 's': 1e6}


def fail(message):
    sys.exit('tidy.py: ' + message)


def machine():
    return [os.environ.get(name, '') for name in ('WL_GPU', 'WL_DRIVER', 'WL_TOOL')]


def plain_name(kernel):
    """The function of 'void name<(int)5>(float *, int)'."""
    name = re.split(r'[(<]', kernel.strip(), maxsplit=1)[0]
    return name.split()[-1] if name.split() else kernel


def read_launches(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file))


def counters_in(path):
    with open(path) as file:
        return [line.split('#')[0].strip() for line in file if line.split('#')[0].strip()]


def number(text):
    value = float(text.replace(',', ''))
    return '%d' % value if value == int(value) else '%.10g' % value


def begin(counters):
    print('#counters ' + ','.join(counters))
    print(','.join(FIELDS))
    return csv.writer(sys.stdout, lineterminator='\n')


def put(out, launch, counter, value):
    if value not in ('', '0'):
        out.writerow(machine() + [launch[f] for f in ('run', 'kernel', 'parameters', 'launch',
                                                      'function')] + [counter, value])


def ncu_rows(path):
    """(units, rows) of a raw page; what comes before its header is the program's output."""
    with open(path, newline='') as file:
        rows = list(csv.DictReader(line for line in file if line.startswith('"')))
    if not rows or 'Kernel Name' not in rows[0]:
        fail('%s: no page of Nsight Compute in it; is the permission to read counters missing?'
             % path)
    return rows[0], rows[1:]


def ncu(launches_path, raw_path, counters_path):
    launches, counters = read_launches(launches_path), counters_in(counters_path)
    units, rows = ncu_rows(raw_path)
    missing = [c for c in counters if c not in units]
    if missing:
        fail('%s: this profiler has no counter %s; remove it from %s'
             % (raw_path, ', '.join(missing), counters_path))
    if len(rows) != len(launches):
        fail('%d launches were made, %d profiled' % (len(launches), len(rows)))
    derived = [d for d in DERIVED if all(part in counters for part in d[2])]
    out = begin(counters + [name for name, _, _ in derived])
    for launch, row in zip(launches, rows):
        if plain_name(row['Kernel Name']) != launch['function']:
            fail('run %s launched %s, the profiler saw %s'
                 % (launch['run'], launch['function'], row['Kernel Name']))
        for counter in counters:
            value = number(row[counter]) if row[counter] else ''
            unit = units[counter]
            if value and counter.startswith('gpu__time') and unit in SCALES:
                value = number(repr(float(value) * SCALES[unit] * 1000))
            put(out, launch, counter, value)
        for name, function, parts in derived:
            result = function({part: float(row[part].replace(',', '')) for part in parts})
            if result is not None:
                put(out, launch, name, number(repr(result)))


def nvprof_rows(path):
    """{(function, counter): average} of one run."""
    found = {}
    with open(path, newline='') as file:
        lines = [line for line in file if line.startswith('"')]
    header = None
    for row in csv.reader(lines):
        if 'Kernel' in row and 'Avg' in row:
            header = row
        elif header and len(row) == len(header):
            cells = dict(zip(header, row))
            name = cells.get('Metric Name') or cells.get('Event Name')
            value = re.sub(r'[^0-9.eE+-].*$', '', cells['Avg'].replace(',', ''))
            if name and value:
                found[plain_name(cells['Kernel']), name] = value
    return found


def nvprof(launches_path, directory, counters_path):
    launches, counters = read_launches(launches_path), counters_in(counters_path)
    out = begin(counters)
    for launch in launches:
        path = os.path.join(directory, launch['run'] + '.csv')
        values = nvprof_rows(path) if os.path.exists(path) else {}
        if not any(function == launch['function'] for function, _ in values):
            print('tidy.py: %s: nothing about %s' % (path, launch['function']), file=sys.stderr)
        for counter in counters:
            value = values.get((launch['function'], counter), '')
            put(out, launch, counter, number(value) if value else '')


def times(path):
    out = begin(['time_us'])
    for launch in read_launches(path):
        put(out, launch, 'time_us', launch['median_us'])


if __name__ == '__main__':
    verbs = {'ncu': (ncu, 3), 'nvprof': (nvprof, 3), 'times': (times, 1)}
    if len(sys.argv) < 2 or sys.argv[1] not in verbs or len(sys.argv) - 2 != verbs[sys.argv[1]][1]:
        fail(__doc__)
    verbs[sys.argv[1]][0](*sys.argv[2:])
