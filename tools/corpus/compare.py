"""Is what warplens traces of a kernel what the compiled code executes?

Both sides are {(line, op, space, width): executed by threads}. An access without a line (0: moved by the compiler,
or merged from several lines) may stand for one of any line.
"""
import collections

VERDICTS = ['equal', 'lines', 'widths', 'different']
MEANINGS = {'equal': 'same accesses on the same lines', 'lines': 'same accesses, some under other lines',
            'widths': 'same bytes on the same lines, in other widths', 'different': 'other accesses'}


def by(counts, key):
    summed = collections.Counter()
    for (line, op, space, width), times in counts.items():
        summed[key(line, op, space, width)] += times * (width if key is bytes_by_line else 1)
    return summed


def bytes_by_line(line, op, space, width):
    return line, op, space


def without_line(line, op, space, width):
    return op, space, width


def same_lines(ours, theirs):
    """Are two tables equal when what has no line may stand for any line? Their keys begin with the line."""
    more, fewer = collections.Counter(), collections.Counter()
    for key in set(ours) | set(theirs):
        difference = ours.get(key, 0) - theirs.get(key, 0)
        if key[0]:
            (more if difference > 0 else fewer)[key[1:]] += abs(difference)
    return all(more[k] - fewer[k] == theirs.get((0,) + k, 0) - ours.get((0,) + k, 0) and
               more[k] <= theirs.get((0,) + k, 0) and fewer[k] <= ours.get((0,) + k, 0)
               for k in {key[1:] for key in set(ours) | set(theirs)})


def verdict(ours, theirs):
    if same_lines(ours, theirs):
        return 'equal'
    if by(ours, without_line) == by(theirs, without_line):
        return 'lines'
    if same_lines(by(ours, bytes_by_line), by(theirs, bytes_by_line)):
        return 'widths'
    return 'different'


def reasons(ours, theirs):
    """How the compiled code differs, in a few words: what it has more or fewer bytes, or other widths, of."""
    words = set()
    ours_bytes, theirs_bytes = by(ours, bytes_by_line), by(theirs, bytes_by_line)
    for op, space in {key[1:3] for key in set(ours) | set(theirs)}:
        mine = {key[3]: 0 for key in ours}
        sides = []
        for table, total in (ours, ours_bytes), (theirs, theirs_bytes):
            widths = collections.Counter()
            for key, times in table.items():
                if key[1:3] == (op, space):
                    widths[key[3]] += times
            sides.append((sum(n for k, n in total.items() if k[1:] == (op, space)), widths))
        (mine, my_widths), (other, other_widths) = sides
        if mine != other:
            words.add('%s %s.%s' % ('more' if other > mine else 'fewer', op, space))
        elif my_widths != other_widths:
            words.add('%s %s.%s' % ('wider' if sum(other_widths.values()) < sum(my_widths.values()) else 'narrower',
                                    op, space))
    return sorted(words) or ['lines']


def rows(ours, theirs):
    """Both sides, line by line: (line, op, space, width, ours, theirs)."""
    return [key + (ours.get(key, 0), theirs.get(key, 0)) for key in sorted(set(ours) | set(theirs))]


def places(ours, theirs):
    """Where they differ, as text: lines with the bytes of both sides."""
    mine, other = by(ours, bytes_by_line), by(theirs, bytes_by_line)
    texts = []
    for key in sorted(set(mine) | set(other)):
        if mine.get(key, 0) != other.get(key, 0):
            texts.append('%d: %s.%s %d/%d B' % (key + (mine.get(key, 0), other.get(key, 0))))
    if not texts:
        texts = ['%d: %s.%s %d B x %d/%d' % row for row in rows(ours, theirs) if row[4] != row[5]]
    return texts
