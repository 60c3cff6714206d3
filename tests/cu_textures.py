"""cu_textures.py WARPLENS FOLDER - are the fetches of texture_sectors.cu the requests and sectors that its comments say?"""
import csv
import io
import os
import re
import subprocess
import sys

COUNTERS = {'read_only_load_requests': ('requests', 0), 'read_only_load_sectors': ('requests', 1),
            'global_store_requests': ('stores', 0), 'global_store_sectors': ('stores', 1)}


def expected(path):
    """{(kind, line): [requests, sectors]}"""
    lines = {}
    with open(path) as file:
        for number, text in enumerate(file, 1):
            for kind, requests, sectors in re.findall(r'// (requests|stores) (\d+) sectors (\d+)', text):
                lines[kind, number] = [int(requests), int(sectors)]
    return lines


def found(warplens, path):
    lines = {}
    text = subprocess.run([warplens, 'run', path, '--rules-only', '--format', 'csv', '--gpu', 'h200'], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True).stdout
    for row in csv.DictReader(io.StringIO(text)):
        if row['scope'] == 'line' and row['counter'] in COUNTERS:
            kind, place = COUNTERS[row['counter']]
            number = int(re.search(r':(\d+) ', row['where']).group(1))
            lines.setdefault((kind, number), [0, 0])[place] += int(row['value'])
    return lines


def main():
    path = os.path.join(sys.argv[2], 'texture_sectors.cu')
    want, have = expected(path), found(sys.argv[1], path)
    # Lines of textures store what they fetch, too: that is not asked.
    wrong = [key for key in have if key[0] == 'requests' and key not in want]
    wrong += [key for key in want if have.get(key) != want[key]]
    for key in wrong:
        print('texture_sectors.cu:%d: %s and sectors %s, wanted %s' % (key[1], key[0], have.get(key), want.get(key)))
    return 1 if wrong or len(want) < 10 else 0


sys.exit(main())
