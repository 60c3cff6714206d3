"""What a comparison of the corpus looks like: the table, one kernel line by line, the list of those that differ."""
import collections

from compare import MEANINGS, VERDICTS, places, reasons, rows, verdict

SKIPPED = 77  # the status by which meson knows a test that could not be run


def verdicts(found):
    """{kernel's name: verdict} of those that could be compared."""
    return {one.kernel.name: verdict(one.ours, one.theirs) for one in found if not one.problem}


def share(found, judged, half, accepted):
    names = [one.kernel.name for one in found if one.kernel.name in judged and one.kernel.half in half]
    equal = sum(judged[name] in accepted for name in names)
    return '%4d of %3d  %5.1f %%' % (equal, len(names), 100.0 * equal / max(1, len(names)))


def summary(found):
    judged = verdicts(found)
    for one in found:
        name = one.kernel.name
        if one.problem:
            print('%-26s %s  NOT COMPARED  %s' % (name, one.kernel.half, one.problem))
        elif judged[name] != 'equal':
            print('%-26s %s  %-9s  %-34s %s' % (name, one.kernel.half, judged[name], ', '.join(
                reasons(one.ours, one.theirs)), '; '.join(places(one.ours, one.theirs)[:3])))
    print('\n%-34s %20s  %20s  %20s' % ('', 'half a', 'half b', 'all'))
    for label, accepted in (('counts and widths equal, by line', ['equal']), ('bytes equal, by line', ['equal', 'widths']),
                            ('counts and widths equal in all', ['equal', 'lines'])):
        print('%-34s %20s  %20s  %20s' % ((label,) + tuple(share(found, judged, h, accepted) for h in ('a', 'b', 'ab'))))
    print()
    for word in VERDICTS:
        print('%-10s %4d  %s' % (word, sum(v == word for v in judged.values()), MEANINGS[word]))
    print('%-10s %4d' % ('problems', len(found) - len(judged)))
    print('\nhow nvcc\'s code differs from what is traced:')
    how = collections.Counter(', '.join(reasons(one.ours, one.theirs)) for one in found
                              if judged.get(one.kernel.name, 'equal') != 'equal')
    for words, times in sorted(how.items(), key=lambda item: (-item[1], item[0])):
        print('%4d  %s' % (times, words))


def line_by_line(found, sources):
    for one in found:
        print('%s (%s:%d, half %s): %s' % (one.kernel.name, one.kernel.file, one.kernel.line, one.kernel.half,
                                           one.problem or verdict(one.ours, one.theirs)))
        if one.theirs is None:
            continue
        print('  %5s  %-12s %5s  %9s  %9s' % ('line', 'access', 'bytes', 'warplens', 'nvcc'))
        last = None
        for line, op, space, width, ours, theirs in rows(one.ours, one.theirs):
            text = sources[one.kernel.file][line - 1].strip() if line and line != last else ''
            print('%s %5s  %-12s %5d  %9s  %9s   %s' % (' ' if ours == theirs else '*', line or '?', op + '.' + space, width,
                                                      ours or '-', theirs or '-', text))
            last = line
        print()


def differing(found):
    """{name: (verdict, how)} of the kernels that are not equal."""
    return {one.kernel.name: (verdict(one.ours, one.theirs), ', '.join(reasons(one.ours, one.theirs))) for one in found
            if not one.problem and verdict(one.ours, one.theirs) != 'equal'}


def write_differ(path, found, compiler, theirs):
    judged = verdicts(found)
    with open(path, 'w') as file:
        file.write('# Kernels of which warplens traces other accesses than nvcc makes (tools/corpus.py --record-differ):\n'
                   '# what kind of difference, and what nvcc\'s %s has more, fewer, wider or narrower. Traced with %s.\n'
                   % (theirs, compiler))
        for half in 'a', 'b', 'ab':
            file.write('# Equal, in half %-2s %s\n' % (half, share(found, judged, half, ['equal'])))
        for name, (word, how) in sorted(differing(found).items()):
            file.write('%-26s %-10s %s\n' % (name, word, how))


def check_differ(path, found, compiler):
    """Are the kernels that differ exactly those of the list? What of the list was not compared is left out."""
    with open(path) as file:
        text = file.read()
    if 'Traced with %s.' % compiler not in text:
        print('SKIPPED: %s is of another compiler than %s' % (path, compiler))
        return SKIPPED
    lines = [line.split(None, 2) for line in text.splitlines() if not line.startswith('#')]
    compared = {one.kernel.name for one in found}
    listed = {words[0]: (words[1], words[2].strip()) for words in lines if words[0] in compared}
    now, wrong = differing(found), sum(one.problem is not None for one in found)
    for name in sorted(set(listed) | set(now)):
        if listed.get(name) != now.get(name):
            wrong += 1
            print('FAILED: %s: %s, listed as %s' % (name, ': '.join(now.get(name, ('equal',))),
                                                    ': '.join(listed.get(name, ('equal',)))))
    print('%d kernels compared, %d differ, %d other than listed' % (len(compared), len(now), wrong))
    return wrong > 0 or not compared
