"""patterns.py - the measured patterns, and what a rule is: a function that says what a counter reads for a pattern."""
import collections
import csv
import os
import re

TABLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUN = re.compile(r'(-?\w+)([+-]\w+)\*(\d+)$')

# family, name: as the tables of the README have them; group: the table GPU/GROUP.csv; counter: its column;
# count: what the rule says of a Pattern; of: which patterns of the group the rule is for, all when None.
Rule = collections.namedtuple('Rule', 'family name group counter count of', defaults=(None,))


def expand(text):
    """The numbers of a list, whose items are numbers or runs (start+stride*count)."""
    numbers = []
    for item in text.split(','):
        run = RUN.match(item)
        if run:
            start, stride, count = (int(part, 0) for part in run.groups())
            numbers += [start + stride * i for i in range(count)]
        else:
            numbers.append(int(item, 0))
    return numbers


class Pattern:
    """A line of make_patterns.py: an instruction's name, and lists of numbers by key."""

    def __init__(self, line, text):
        name, *lists = text.split()
        self.line, self.text, self.name = line, text, name
        self.lists = {key: expand(numbers) for key, numbers in (one.split('=') for one in lists)}

    def lanes(self, key):
        """A number for each of 32 lanes: one stands for all, absent ones are 0."""
        numbers = self.lists[key]
        return numbers * 32 if len(numbers) == 1 else numbers + [0] * (32 - len(numbers))

    def value(self, key, otherwise=0):
        return self.lists[key][0] if key in self.lists else otherwise

    @property
    def active(self):
        """The lanes that execute, ascending."""
        bits = self.value('lanes', 0xffffffff)
        return [lane for lane in range(32) if bits >> lane & 1]


def read(gpu, group):
    """[(Pattern, {counter: value})] of a group on a GPU. Counters that read 0 everywhere have no column."""
    with open(os.path.join(TABLES, gpu, group + '.csv'), newline='', encoding='utf-8') as file:
        rows = csv.DictReader(file)
        return [(Pattern(int(row.pop('line')), row.pop('pattern')), {key: int(value) for key, value in row.items()})
                for row in rows]
