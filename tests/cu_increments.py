"""cu_increments.py WARPLENS FOLDER COMPILER - does the trace of increments.cu say which additions are increments? A comment
of the program says at each line with an atomic whether it is an "increment", "plain", or both.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def expected(path):
    lines = {}
    with open(path) as file:
        for number, text in enumerate(file, 1):
            comment = re.search(r'// (increment|plain)( and plain)?$', text.rstrip())
            if comment:
                lines[number] = set(comment.group(0)[3:].split(' and '))
    return lines


def found(warplens, path):
    """By line: what its atomics are."""
    with tempfile.TemporaryDirectory() as work:
        trace = os.path.join(work, 't.wlt')
        subprocess.run([warplens, 'trace', 'record', path, '-I', os.path.dirname(path), '-o', trace], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        text = subprocess.run([warplens, 'trace', 'cat', trace], check=True, stdout=subprocess.PIPE,
                              universal_newlines=True).stdout
    line_of, lines = {}, {}
    for text_line in text.splitlines():
        words = text_line.split()
        if words[0] == 'site':
            line_of['@' + words[1]] = int(re.search(r' line=(\d+)', text_line).group(1))
        elif len(words) > 1 and words[1].startswith('atom.'):
            kind = 'increment' if re.search(r' flags=\S*increment', text_line) else 'plain'
            lines.setdefault(line_of[words[0]], set()).add(kind)
    return lines


def main():
    warplens, path = sys.argv[1], os.path.join(sys.argv[2], 'increments.cu')
    if shutil.which(sys.argv[3]) is None:
        return 77
    os.environ['WARPLENS_CXX'] = sys.argv[3]
    want, have = expected(path), found(warplens, path)
    wrong = [line for line in sorted(want.keys() | have.keys()) if want.get(line) != have.get(line)]
    for line in wrong:
        print('increments.cu:%d: %s, wanted %s' % (line, have.get(line), want.get(line)))
    return 1 if wrong or len(want) < 20 else 0


sys.exit(main())
