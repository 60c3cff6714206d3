"""One file of the corpus: traced by warplens, compiled by nvcc and its PTX run, or looked up in a kept table."""
import collections
import math
import os
import signal
import struct
import subprocess

import launches
import ptx_run
import ptx_text
import tables
import traced

Compared = collections.namedtuple('Compared', 'kernel ours theirs problem')  # problem: why there is no comparison


class File:
    def __init__(self, path, work):
        self.path, self.name, self.work = path, os.path.basename(path), work
        self.compiler = None  # known when the file was traced
        self.kernels = launches.kernels(path)
        with open(path) as file:
            self.source = file.read()
        self.program = launches.program(self.source, self.kernels)
        self.checksum = tables.checksum(self.program)

    def write_program(self, kernels=None):
        os.makedirs(self.work, exist_ok=True)
        path = os.path.join(self.work, self.name)
        with open(path, 'w') as file:
            file.write(launches.program(self.source, kernels) if kernels else self.program)
        return path

    def traced(self, warplens, kernels):
        """({kernel: counts}, {(kernel, array): bytes})."""
        output, counts, self.compiler = traced.trace(warplens, self.write_program(kernels), self.work)
        if len(counts) != len(kernels):
            raise traced.TraceError('%s: %d launches, %d kernels' % (self.name, len(counts), len(kernels)))
        return {k.name: c for k, c in zip(kernels, counts)}, launches.results(output)

    def ptx(self, nvcc, arch):
        """The PTX that nvcc makes of the file, kept by what it is made of."""
        path = os.path.join(self.work, '%s.%s.%s.ptx' % (self.name, self.checksum, arch))
        if not os.path.exists(path):
            program = self.write_program()
            done = subprocess.run([nvcc, '-ptx', '-lineinfo', '-arch=' + arch, '-o', path + '.part', program],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                raise SystemExit('%s: nvcc: %s' % (self.path, done.stdout.strip()[:2000]))
            os.rename(path + '.part', path)
        with open(path) as file:
            return file.read()


def entry_of(module, kernel):
    """The entry whose mangled name begins with the kernel's."""
    begin = '_Z%d%s' % (len(kernel.name), kernel.name)
    for entry in module.entries:
        if entry.name == kernel.name or entry.name.startswith(begin):
            return entry
    raise ptx_run.PtxError('no entry %s in the PTX' % kernel.name)


SECONDS = 60  # of processor time that a kernel may take


def too_long(*_):
    raise ptx_run.PtxError('runs for more than %d seconds' % SECONDS)


def executed(module, kernel):
    """(counts, {array: bytes}, problem). A register or an address that is wrong ends a run like an unknown instruction."""
    signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return ptx_run.execute(module, entry_of(module, kernel), kernel) + (None,)
    except (ptx_run.Unknown, ptx_run.PtxError, ArithmeticError, LookupError, NameError, struct.error) as error:
        return None, None, '%s: %s' % (type(error).__name__.lower(), error)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def near(a, b):
    if a != a or b != b or math.isinf(a) or math.isinf(b):
        return a == b or (a != a and b != b)
    return abs(a - b) <= 1e-4 * max(1.0, abs(a), abs(b))


def wrong_result(kernel, ours, theirs):
    """The first array in which the program that warplens ran and the PTX that was run here left different values."""
    for array in kernel.arrays():
        given = ours.get((kernel.name, array.name))
        if given is None:
            return '%s: the program printed nothing of it' % array.name
        a, b = array.numbers(given), array.numbers(theirs[array.name])
        if array.free_order:
            a, b = sorted(a), sorted(b)
        for i, (x, y) in enumerate(zip(a, b)):
            if not (near(x, y) if array.is_float else x == y):
                return '%s[%d] is %r on the CPU, %r by the PTX' % (array.name, i, x, y)
    return None


def run_ptx(file, kernels, nvcc, arch):
    """{kernel: (counts, {array: bytes}, problem)}."""
    module = ptx_text.read(file.ptx(nvcc, arch), file.name)
    return {kernel.name: executed(module, kernel) for kernel in kernels}


def compare_with_nvcc(file, kernels, warplens, nvcc, arch):
    ours, output = file.traced(warplens, kernels)
    found = []
    for kernel, (theirs, results, problem) in zip(kernels, run_ptx(file, kernels, nvcc, arch).values()):
        problem = problem or wrong_result(kernel, output, results)
        found.append(Compared(kernel, ours[kernel.name], theirs, problem))
    return found


def compare_with_table(file, kernels, warplens, table):
    ours, _ = file.traced(warplens, kernels)
    return [Compared(kernel, ours[kernel.name], table.get(kernel.name), None if kernel.name in table else
                     'not in the table') for kernel in kernels]
