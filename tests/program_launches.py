"""program_launches.py - what was measured of a program's launches, and what the model says of them."""
import csv
import json
import subprocess


def measured_rows(path):
    """The rows of a CSV whose first lines may be comments."""
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith('#')))


def modelled(warplens, program, counter, arguments=()):
    """That counter of each launch on an H200 with caches that are emptied before it."""
    run = subprocess.run([warplens, 'run', program, '--gpu', 'h200', '--cache-control', 'all', '--format', 'json', '--', *arguments],
                         check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [launch['counters'].get(counter) or 0 for launch in json.loads(run.stdout)['runs'][0]['launches']]
