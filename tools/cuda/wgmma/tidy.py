#!/usr/bin/env python3
"""tidy.py LAUNCHES.csv RAW.csv - puts the profiler's raw page beside the launches of patterns.cu, in the same order, as CSV: of each launch
its pattern, its products, and what every counter reads that is not 0 everywhere."""
import csv
import sys


def main():
    with open(sys.argv[1], newline='', encoding='utf-8') as file:
        launches = list(csv.DictReader(file))
    with open(sys.argv[2], newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(line for line in file if line.startswith('"')))[1:]   # after the units
    if not rows or len(rows) > len(launches):
        sys.exit('tidy.py: %d launches, %d profiled' % (len(launches), len(rows)))
    counters = [name for name in rows[0] if '__' in name]
    counters = [name for name in counters if any(row[name] not in ('0', '', 'n/a') for row in rows)]
    out = csv.writer(sys.stdout, lineterminator='\n')
    out.writerow([*launches[0], *counters])
    for launch, row in zip(launches, rows):
        out.writerow([*launch.values(), *(row[name].replace(',', '') for name in counters)])


main()
