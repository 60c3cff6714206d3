"""What warplens traces of a program: executed loads, stores and atomics of threads, by launch."""
import collections
import os
import re
import subprocess

SITE = re.compile(r'site (\d+) (\w+)\.(\w+)\.(\S+) file=("[^"]*"|\S+) line=(\d+)')
ACCESS = re.compile(r'@(\d+) ')
WIDTHS = {'8': 1, '16': 2, '32': 4, '64': 8, '128': 16}
FACTORS = {'v2': 2, 'v4': 4}


class TraceError(Exception):
    pass


def width_of(form):
    """Bytes a lane, of what stands behind the space: `b32`, `nc.v2.f32`, `add.u32`."""
    words = form.split('.')
    return WIDTHS[re.sub(r'\D', '', words[-1])] * max(FACTORS.get(word, 1) for word in words)


def lanes_of(line, warp_lanes):
    mask = re.search(r' mask=(\w+)', line)
    if mask:
        return int(mask.group(1), 0).bit_count()
    listed = re.search(r' addr=(\S+)', line)
    if listed:
        return sum(word != '-' for word in listed.group(1).split(','))
    return warp_lanes


def counted(lines, file):
    """A list with {(line, op, space, width): executed by threads} of every launch; line 0: not of this file."""
    launches, sites, threads, warp_lanes = [], {}, 0, 0
    for text in lines:
        text = text.strip()
        access = ACCESS.match(text)
        if access:
            launches[-1][sites[int(access.group(1))]] += lanes_of(text, warp_lanes)
        elif text.startswith('block '):
            warp = int(text.split()[3])
            warp_lanes = min(32, threads - 32 * warp)
        elif text.startswith('site '):
            number, op, space, form, source, line = SITE.match(text).groups()
            own = os.path.basename(source.strip('"')) == file
            sites[int(number)] = (int(line) if own else 0, op, space, width_of(form))
        elif text.startswith('launch '):
            sides = re.search(r' block=([\d,]+)', text).group(1).split(',')
            threads = 1
            for side in sides:
                threads *= int(side)
            launches.append(collections.Counter())
        elif text.startswith('fault '):
            raise TraceError(text)
    return launches


def compiler_of(lines):
    """`gcc 12` of the trace's note: what its accesses may depend on."""
    for text in lines:
        note = re.match(r'note compiler "(\w+) (\d+)', text)
        if note:
            return ' '.join(note.groups())
    return 'unknown'


def trace(warplens, program, work):
    """The program's output, the counts of its launches, and the compiler that made them."""
    path = os.path.join(work, os.path.basename(program) + '.wlt.txt')
    done = subprocess.run([warplens, 'trace', 'record', program, '-o', path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise TraceError(done.stderr.strip() or 'warplens trace record ended with %d' % done.returncode)
    with open(path) as file:
        lines = file.readlines()
    os.remove(path)
    return done.stdout, counted(lines, os.path.basename(program)), compiler_of(lines[:20])
