#!/usr/bin/env python3
"""check.py - how many of the measured patterns the rules say exactly.

    check.py GPU                    family, counter, equal/total of the lines with odd and with even numbers
    check.py GPU --differ           and each pattern that the rule says otherwise: measured, said
    check.py GPU --table            the GPU's table of ../README.md: counters of a family with the same counts in one row
    check.py GPU --expect README    that README has just this table; fails, with the rows that differ, if it has not

GPU: h200, h100. The rules were sought on odd lines of the h200. One warp, one instruction, cold caches."""
import difflib
import os
import sys

sys.dont_write_bytecode = True

import bulk          # noqa: E402 - what is imported is to leave nothing beside the sources
import cluster       # noqa: E402
import cp_async      # noqa: E402
import hints         # noqa: E402
import matrix        # noqa: E402
import patterns      # noqa: E402
import reductions    # noqa: E402
import tensor        # noqa: E402
import wmma          # noqa: E402

RULES = (matrix.RULES + cp_async.RULES + hints.RULES + bulk.RULES + tensor.RULES + wmma.RULES + cluster.RULES +
         reductions.RULES)
HEAD = ['| family, on an %s | counters | odd | even | errors |', '|---|---|---|---|---|']


class Score:
    """A rule's: [even, odd] counts of equal and of all patterns, and (pattern, measured, said) where they differ."""

    def __init__(self, rule, rows):
        self.rule, self.equal, self.total, self.differ = rule, [0, 0], [0, 0], []
        for pattern, counters in rows:
            if rule.of is None or rule.of(pattern):
                self.add(pattern, counters.get(rule.counter, 0))

    def add(self, pattern, measured):
        said = self.rule.count(pattern)
        self.total[pattern.line % 2] += 1
        self.equal[pattern.line % 2] += said == measured
        if said != measured:
            self.differ.append((pattern, measured, said))

    def half(self, odd):
        return '%d/%d' % (self.equal[odd], self.total[odd])

    def errors(self):
        """The least and the greatest of (said - measured) / measured."""
        if not self.differ:
            return ''
        errors = [100 * (said - measured) / measured for _, measured, said in self.differ]
        return '%+.0f .. %+.0f %%' % (min(min(errors), 0), max(max(errors), 0))


def scores(gpu):
    tables = {}
    for rule in RULES:
        if rule.group not in tables:
            tables[rule.group] = patterns.read(gpu, rule.group)
        yield Score(rule, tables[rule.group])


def head(gpu):
    return HEAD[0] % gpu.upper()


def table(gpu):
    rows = {}
    for score in scores(gpu):
        key = score.rule.family, score.half(1), score.half(0), score.errors()
        rows.setdefault(key, []).append(score.rule.name)
    return [head(gpu), HEAD[1]] + ['| %s | %s | %s | %s | %s |' % (key[0], ', '.join(names), *key[1:]) for key, names in rows.items()]


def expect(path, rows):
    """0 if the file's table with the head rows[0] is `rows`."""
    with open(path, encoding='utf-8') as file:
        lines = file.read().splitlines()
    if rows[0] not in lines:
        sys.exit('check.py: %s has no table of families of this GPU' % path)
    first = end = lines.index(rows[0])
    while end < len(lines) and lines[end].startswith('|'):
        end += 1
    for row in difflib.unified_diff(lines[first:end], rows, path, 'found', n=0, lineterm=''):
        print(row)
    return int(lines[first:end] != rows)


def show(score, differ):
    rule = score.rule
    print('%-19s %-88s odd %-8s even %-8s %s' % (rule.family, rule.counter, score.half(1), score.half(0), score.errors()))
    for pattern, measured, said in score.differ if differ else ():
        print('    line %d: measured %d, said %d: %s' % (pattern.line, measured, said, pattern.text))


def main(arguments):
    gpu, *arguments = arguments or ['']
    if not os.path.isdir(os.path.join(patterns.TABLES, gpu or 'none')):
        sys.exit(__doc__)
    if arguments == ['--table']:
        print('\n'.join(table(gpu)))
    elif len(arguments) == 2 and arguments[0] == '--expect':
        return expect(arguments[1], table(gpu))
    elif arguments in ([], ['--differ']):
        for score in scores(gpu):
            show(score, bool(arguments))
    else:
        sys.exit(__doc__)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
