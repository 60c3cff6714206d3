"""console_blocks.py WARPLENS FILE... [--update] - is every console block of the documents what the
program prints? A block holds commands ("$ warplens ...", continued with a backslash) and their output;
a line "..." stands for any lines. --update rewrites the outputs; where there are such lines, what stands between
them becomes the lines of the new output that are most like it: read the diff. Commands run in a folder of their own, in which they find what is in the current one and leave what they write.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

COMMAND = r'^(echo (?:\S+|"[^"]*") \| )?warplens\b'  # something may be typed


def run(warplens, command):
    """The output of a command, error messages included, with the compiler's version left as it is."""
    script = re.sub(COMMAND, r'\1"$WARPLENS"', command)
    done = subprocess.run(['sh', '-c', script], env=dict(os.environ, WARPLENS=warplens),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=WORK)
    return done.stdout.rstrip('\n').split('\n')


def neutral(line):
    return re.sub(r'compiled by \w+ [0-9.]+[0-9]', 'compiled by COMPILER', line).rstrip()


def matches(expected, actual):
    """Whether the lines agree, "..." standing for any number of lines."""
    pattern = '\n'.join('(?s:.*)' if line.strip() == '...' else re.escape(neutral(line))
                        for line in expected)
    pattern = pattern.replace('(?s:.*)\n', '(?s:.*)').replace('\n(?s:.*)', '(?s:.*)')
    return re.fullmatch(pattern, '\n'.join(neutral(line) for line in actual)) is not None


def commands_of(block):
    """[(first line, last line + 1, command, expected lines)] of the lines of a block."""
    found, i = [], 0
    while i < len(block):
        if not (block[i].startswith('$ ') and re.match(COMMAND, block[i][2:])):
            i += 1
            continue
        command, i = block[i][2:], i + 1
        while command.endswith('\\'):
            command, i = command[:-1] + block[i].strip(), i + 1
        begin = i
        while i < len(block) and not block[i].startswith('$ '):
            i += 1
        expected = block[begin:i]
        while expected and expected[-1] == '':
            expected.pop()
        found.append((begin, begin + len(expected), command, expected))
    return found


def most_alike(lines, actual, first):
    """Where in actual, from first on, as many lines stand as there are, most like them."""
    def likeness(place):
        return sum(difflib.SequenceMatcher(None, old, new).ratio() for old, new in zip(lines, actual[place:]))
    return max(range(first, len(actual) - len(lines) + 1), key=likeness, default=None)


def updated(expected, actual):
    """The lines of actual that stand for those of expected, around the same "..."; None if they cannot be told."""
    runs, place, new = [[]], 0, []
    for line in expected:
        if line.strip() == '...':
            runs += [line, []]
        else:
            runs[-1].append(line)
    for number, lines in enumerate(runs):
        if isinstance(lines, str):
            new.append(lines)
        elif lines:
            if number == 0:
                begin = 0
            elif number == len(runs) - 1:
                begin = len(actual) - len(lines)
            else:
                begin = most_alike(lines, actual, place)
            if begin is None or begin < place:
                return None
            place = begin + len(lines)
            new += actual[begin:place]
    return new


def check_block(warplens, where, block, update):
    failures = 0
    commands = commands_of(block)
    outputs = [run(warplens, command) for _, _, command, _ in commands]
    for (begin, end, command, expected), actual in reversed(list(zip(commands, outputs))):
        if not expected or matches(expected, actual):
            continue
        new = updated(expected, actual) if '...' in [line.strip() for line in expected] else actual
        if update and new:
            block[begin:end] = new
            continue
        failures += 1
        print('FAILED: %s: %s\n-- written\n%s\n-- printed\n%s'
              % (where, command, '\n'.join(expected), '\n'.join(actual[:60])))
    return failures


def check_file(warplens, path, update):
    with open(path) as file:
        parts = re.split(r'(^```console\n.*?^```$)', file.read(), flags=re.M | re.S)
    failures = 0
    for i, part in enumerate(parts):
        if part.startswith('```console\n'):
            block = part.split('\n')[1:-1]
            failures += check_block(warplens, path, block, update)
            parts[i] = '\n'.join(['```console'] + block + ['```'])
    if update:
        with open(path, 'w') as file:
            file.write(''.join(parts))
    return failures


WORK = tempfile.mkdtemp()
for name in os.listdir('.'):
    os.symlink(os.path.abspath(name), os.path.join(WORK, name))
arguments = [a for a in sys.argv[1:] if a != '--update']
program = os.path.abspath(arguments[0])
failed = sum(check_file(program, path, '--update' in sys.argv) for path in arguments[1:])
shutil.rmtree(WORK)
sys.exit(failed > 0)
