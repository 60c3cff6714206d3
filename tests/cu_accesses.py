"""cu_accesses.py WARPLENS FOLDER - are the accesses of accesses.cu those of its source, or nvcc's, as --accesses says?

A comment of the program, `// source 2 0 nvcc 1 0`, says how many loads and stores a line makes. Every line that makes an
access has one. `warplens check`, which looks for what the source does, must take those of the source by itself.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys


def expected(path):
    """{choice: {line: (loads, stores)}}, lines without accesses left out."""
    lines = {'source': {}, 'nvcc': {}}
    with open(path) as file:
        for number, text in enumerate(file, 1):
            for choice, loads, stores in re.findall(r'(source|nvcc) (\d+) (\d+)', text):
                if int(loads) + int(stores):
                    lines[choice][number] = (int(loads), int(stores))
    return lines


def run(warplens, *arguments):
    return subprocess.run([warplens, *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True).stdout


def found(warplens, path, choice):
    lines = {}
    text = run(warplens, 'run', path, '--rules-only', '--format', 'csv', *choice)
    for row in csv.DictReader(io.StringIO(text)):
        if row['scope'] == 'line' and row['counter'] == 'warp_accesses':
            number = int(re.search(r':(\d+) ', row['where']).group(1))
            loads, stores = lines.get(number, (0, 0))
            count = int(row['value'])
            lines[number] = (loads + count, stores) if row['where'].endswith('load') else (loads, stores + count)
    return lines


def main():
    warplens, path = sys.argv[1], os.path.join(sys.argv[2], 'accesses.cu')
    want = expected(path)
    wrong = 0
    for choice, arguments in (('nvcc', []), ('nvcc', ['--accesses', 'nvcc']), ('source', ['--accesses', 'source'])):
        have = found(warplens, path, arguments)
        for line in sorted(want[choice].keys() | have.keys()):
            if want[choice].get(line) != have.get(line):
                print('accesses.cu:%d: %s %s: %s, wanted %s' % (line, choice, arguments, have.get(line),
                                                              want[choice].get(line)))
                wrong += 1
    checked = json.loads(run(warplens, 'check', path, '--format', 'json'))['runs'][0]
    of_source = sum(sum(pair) for pair in want['source'].values())
    if checked['accesses'] != of_source:
        print('check saw %d accesses, the source has %d' % (checked['accesses'], of_source))
        wrong += 1
    return 1 if wrong or len(want['source']) < 10 else 0


sys.exit(main())
