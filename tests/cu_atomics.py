"""cu_atomics.py WARPLENS FOLDER COMPILER PROGRAM - does the trace of increments.cu, or of combine.cu, say of its atomics what
nvcc makes of them? A comment of the program says at each line with an atomic what it is: "increment", "plain", or both; the lanes
that carry it out: "one" or "all". What lanes combine is that of g++'s code.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def expected(path, kinds):
    lines = {}
    with open(path) as file:
        for number, text in enumerate(file, 1):
            comment = re.search('// (?:%s)(?: and (?:%s))?(?:[,:].*)?$' % (kinds, kinds), text.rstrip())
            if comment:
                lines[number] = set(re.findall(kinds, comment.group(0).split(',')[0].split(':')[0]))
    return lines


def increment_of(access):
    return 'increment' if re.search(r' flags=\S*increment', access) else 'plain'


def lanes_of(access):
    mask, listed = re.search(r' mask=(0x[0-9a-f]+)', access), re.search(r' addr=(\S+)', access)
    lanes = bin(int(mask.group(1), 16)).count('1') if mask else 32
    if listed:
        lanes = sum(word != '-' for word in listed.group(1).split(','))
    return 'one' if lanes == 1 else 'all'


def found(warplens, path, kind_of):
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
            lines.setdefault(line_of[words[0]], set()).add(kind_of(text_line))
    return lines


def main():
    warplens, folder, compiler, program = sys.argv[1:]
    path = os.path.join(folder, program)
    if shutil.which(compiler) is None:
        return 77
    os.environ['WARPLENS_CXX'] = compiler
    kinds, kind_of = ('one|all', lanes_of) if program == 'combine.cu' else ('increment|plain', increment_of)
    want, have = expected(path, kinds), found(warplens, path, kind_of)
    wrong = [line for line in sorted(want.keys() | have.keys()) if want.get(line) != have.get(line)]
    for line in wrong:
        print('%s:%d: %s, wanted %s' % (program, line, have.get(line), want.get(line)))
    return 1 if wrong or len(want) < 20 else 0


sys.exit(main())
