#!/usr/bin/env python3
"""tidy_programs.py LIST FOLDER GPU >OUT.csv - what ncu counted of other people's programs, as a file that `warplens validate` runs.

LIST is one of tools/programs. FOLDER has for each program that was measured NAME.csv, as this writes it:

    ncu --csv --metrics METRICS --launch-count 10 ./NAME ARGUMENTS >FOLDER/NAME.csv

where METRICS are the columns of the result behind `kernel`. Programs are named by their place below the list's sources:

    warplens validate OUT.csv SOURCES -I SOURCES/INCLUDE
"""
import csv
import os
import re
import sys

L1 = 'l1tex__t_%s_pipe_lsu_mem_global_op_%s.sum'
SHARED = 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_%s.sum'
METRICS = ([L1 % (unit, op) for op in ('ld', 'st') for unit in ('requests', 'sectors')] +
           [SHARED % op for op in ('ld', 'st')])


def programs(path):
    """(name, folder, sources, arguments) of each line."""
    with open(path) as file:
        for line in file:
            words = [word.strip() for word in line.split('|')]
            if len(words) == 4 and not line.startswith('#'):
                yield words


def launches(path):
    """[(kernel, {metric: value})] of ncu's details page, in their order."""
    with open(path) as file:
        rows = csv.DictReader(line for line in file if line.startswith('"'))
        found = {}
        for row in rows:
            kernel = re.sub(r'\([^()]*\)$', '', row['Kernel Name'])
            values = found.setdefault(int(row['ID']), (kernel, {}))[1]
            values[row['Metric Name']] = row['Metric Value'].replace(',', '')
    return [found[number] for number in sorted(found)]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    out = csv.writer(sys.stdout, lineterminator='\n')
    out.writerow(['gpu', 'program', 'with', 'arguments', 'launch', 'kernel'] + METRICS)
    for name, folder, sources, arguments in programs(sys.argv[1]):
        path = os.path.join(sys.argv[2], name + '.csv')
        first, *others = sources.split()
        for number, (kernel, values) in enumerate(launches(path) if os.path.exists(path) else [], 1):
            out.writerow([sys.argv[3], os.path.join(folder, first), ' '.join(others), arguments, number, kernel] +
                         [values.get(metric, '') for metric in METRICS])


if __name__ == '__main__':
    main()
