"""pattern_lines.py - the lines of make_patterns.py: lists of numbers, groups, and what is random in them, the
same every time."""
import random

rng = random.Random(20250901)
SEEN = set()
LINES = []   # of the group


def numbers(values):
    """The list in as few items as runs allow."""
    values = list(values)
    if len(set(values)) == 1:
        return str(values[0]) if len(values) == 1 else '%d+0*%d' % (values[0], len(values))
    items, i = [], 0
    while i < len(values):
        j = i + 1
        if j < len(values):
            stride = values[j] - values[i]
            while j + 1 < len(values) and values[j + 1] - values[j] == stride:
                j += 1
        if j - i >= 2 and j < len(values):
            items.append('%d%+d*%d' % (values[i], stride, j - i + 1))
            i = j + 1
        else:
            items.append(str(values[i]))
            i += 1
    return ','.join(items)


def put(name, **lists):
    """Prints a line, unless it was printed before."""
    line = name
    for key, value in lists.items():
        if value is not None:
            line += ' %s=%s' % (key, numbers(value) if isinstance(value, (list, tuple)) else value)
    if line not in SEEN:
        SEEN.add(line)
        LINES.append(line)


def group(name):
    """Ends the group before, in any order: measuring that is cut short still sees every kind."""
    rng.shuffle(LINES)
    for line in LINES:
        print(line)
    LINES.clear()
    if name:
        print('# group ' + name)


def shuffled(values):
    return rng.sample(list(values), len(values))


def hashed(width, limit):
    return [width * rng.randrange(limit // width) for _ in range(32)]


def permuted(width, within):
    """Linear, lanes out of order in pieces of `within` lanes."""
    return [width * (i + j) for i in range(0, 32, within) for j in shuffled(range(within))]
