#!/usr/bin/env python3
"""sass.py - what the machine code of the corpus's kernels executed on a GPU, as a kept table.

    sass.py RAW OUT.csv    RAW has, of each file NAME.cu: NAME.ncu-rep (Nsight Compute's report), NAME.sass.csv (its page
                           `source` as CSV), NAME.nvdisasm (nvdisasm -gi -c); tools/cuda/measure_corpus.sh makes them

Executed counts of an instruction come from the report, by Nsight Compute's module ncu_report, or else from the CSV; the
line of the source from nvdisasm, which knows where a function of a header was inlined, or else from the report.
Loads of kernel parameters (constant bank 0) are left out, as everywhere here.
"""
import collections
import csv
import glob
import os
import re
import sys

import launches
import tables

Instruction = collections.namedtuple('Instruction', 'offset text threads warps line')
SPACES = {'LDG': ('ld', 'global'), 'STG': ('st', 'global'), 'LDS': ('ld', 'shared'), 'STS': ('st', 'shared'),
          'LDL': ('ld', 'local'), 'STL': ('st', 'local'), 'LD': ('ld', 'global'), 'ST': ('st', 'global'),
          'ATOMG': ('atom', 'global'), 'ATOM': ('atom', 'global'), 'RED': ('atom', 'global'),
          'REDG': ('atom', 'global'), 'ATOMS': ('atom', 'shared'), 'LDGSTS': ('ld', 'global'),
          'LDSM': ('ld', 'shared'), 'STSM': ('st', 'shared')}
WIDTHS = {'U8': 1, 'S8': 1, '8': 1, 'U16': 2, 'S16': 2, '16': 2, '64': 8, 'U64': 8, 'S64': 8, 'F64': 8, '128': 16}
TRUE, WARPS = 'thread_inst_executed_true', 'inst_executed'
PLACES = '/usr/local/cuda*/nsight-compute*', '/opt/nvidia/nsight-compute*/*', '/opt/nvidia/nsight-compute*'


def accesses(text):
    """[(op, space, bytes)] of an instruction of machine code; none: it does not access memory."""
    words = re.sub(r'^\s*(@!?U?P\w+\s+)?', '', text).split(None, 1)
    if not words:
        return []
    root, *suffixes = words[0].rstrip(';').split('.')
    width = next((WIDTHS[s] for s in suffixes if s in WIDTHS), 4)
    if root in SPACES:
        both = [('st', 'shared', width)] if root == 'LDGSTS' else []
        return [SPACES[root] + (width,)] + both
    if re.search(r'c\[0x3\]', text):  # __constant__ variables, also as an operand of arithmetic
        is_double = root in ('DADD', 'DMUL', 'DFMA', 'DSETP')
        return [('ld', 'const', width if root in ('LDC', 'ULDC', 'LDCU') else 8 if is_double else 4)]
    return []


def import_ncu_report():
    for place in [os.environ.get('NCU_PYTHON', '')] + [p for pattern in PLACES for p in sorted(glob.glob(pattern))]:
        for folder in place, os.path.join(place, 'extras', 'python'):
            if os.path.exists(os.path.join(folder, 'ncu_report.py')):
                sys.path.insert(0, folder)
                import ncu_report
                return ncu_report
    return None


def instances(action, name):
    """{address: count} of a metric that is kept for each instruction."""
    metric = action.metric_by_name(name)
    if metric is None:
        return {}
    addresses = metric.correlation_ids()
    return {addresses.as_uint64(i): metric.as_uint64(i) for i in range(metric.num_instances())}


def line_of(action, address, file):
    info = action.source_info(address)
    return info.line() if info and os.path.basename(info.file_name()) == file else 0


def from_report(module, path, file):
    """{kernel: [Instruction]} of a report."""
    found, context = {}, module.load_report(path)
    for r in range(context.num_ranges()):
        actions = context.range_by_idx(r)
        for a in range(actions.num_actions()):
            action = actions.action_by_idx(a)
            threads, warps = instances(action, TRUE), instances(action, WARPS)
            if threads:
                start = min(threads)
                found[action.name()] = [Instruction(at - start, action.sass_by_pc(at), threads[at], warps.get(at, 0),
                                                    line_of(action, at, file)) for at in sorted(threads)]
    return found


def column(header, *words):
    """Where a column stands whose name has these words, the shortest such name."""
    named = [(len(name), i) for i, name in enumerate(header) if all(word in name.lower() for word in words)]
    return min(named)[1] if named else None


def first(*found):
    return next((one for one in found if one is not None), None)


def from_csv(path, kernels):
    """{kernel: [Instruction]} of the page `source`; a line without such columns may name the next kernel."""
    found, name, header = {}, None, None
    with open(path, newline='', errors='replace') as file:
        for row in csv.reader(file):
            said = [k for k in kernels for cell in row if re.search(r'\b%s\b' % k, cell)]
            true = first(column(row, 'predicated-on', 'thread', 'executed'), column(row, TRUE))
            if true is not None:
                header = (column(row, 'source'), true, first(column(row, 'instructions executed'), column(row, WARPS)))
                found.setdefault(name, [])
            elif said and (header is None or len(row) <= max(header[:2])):
                name, header = said[0], None
            elif header and len(row) > max(header[:2]) and row[header[1]].replace(',', '').strip().isdigit():
                count = int(row[header[1]].replace(',', ''))
                warps = row[header[2]].replace(',', '') if header[2] is not None else ''
                found[name].append(Instruction(16 * len(found[name]), row[header[0]], count,
                                               int(warps) if warps.isdigit() else 0, 0))
    return found


def mangled(row, kernels):
    """The kernel that a line of a listing names, mangled."""
    return next((k for k in kernels if '_Z%d%s' % (len(k), k) in row), None)


def lines_of(path, file, kernels):
    """{kernel: {offset: line}} of nvdisasm's text: the first of the comments in front of an instruction is the innermost."""
    found, current, line, fresh = {}, None, 0, True
    with open(path, errors='replace') as text:
        for row in text:
            place = re.search(r'//## File "([^"]*)", line (\d+)', row)
            code = re.match(r'\s*/\*([0-9a-f]{4,})\*/\s+\S', row)
            if re.match(r'\s*(\.section\s+)?\.text\.', row):
                name = mangled(row, kernels)
                current, line = found.setdefault(name, {}) if name else None, 0
            elif place:
                line, fresh = 0 if fresh else line, False
                if line == 0 and os.path.basename(place.group(1)) == file:
                    line = int(place.group(2))
            elif code and current is not None:
                current[int(code.group(1), 16)] = line
                fresh = True
    return found


def counted(instructions, lines):
    """{(line, op, space, width): [threads, warps]}."""
    counts = collections.defaultdict(lambda: [0, 0])
    for one in instructions:
        for access in accesses(one.text):
            total = counts[(lines.get(one.offset, one.line),) + access]
            total[0] += one.threads
            total[1] += one.warps
    return {key: total for key, total in counts.items() if total[0]}


def file_counts(raw, path, module):
    """({kernel: counts}, a word on where they are from) of one file of the corpus."""
    name = os.path.basename(path)
    base = os.path.join(raw, name[:-3])
    kernels = [k.name for k in launches.kernels(path)]
    found, source = {}, 'nothing'
    if module and os.path.exists(base + '.ncu-rep'):
        try:
            found, source = from_report(module, base + '.ncu-rep', name), 'report'
        except Exception as error:  # whatever another version of the module raises: the CSV has the counts as well
            print('%s.ncu-rep: %s: %s' % (base, type(error).__name__, error), file=sys.stderr)
    if not found and os.path.exists(base + '.sass.csv'):
        found, source = from_csv(base + '.sass.csv', kernels), 'csv'
    lines = lines_of(base + '.nvdisasm', name, kernels) if os.path.exists(base + '.nvdisasm') else {}
    return {k: counted(found[k], lines.get(k, {})) for k in kernels if k in found}, source, kernels


def main():
    raw, out = sys.argv[1:3]
    module = import_ncu_report()
    corpus = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tests', 'corpus')
    checksums, rows = {}, []
    for path in sorted(glob.glob(os.path.join(corpus, '*.cu'))):
        with open(path) as file:
            program = launches.program(file.read(), launches.kernels(path))
        found, source, kernels = file_counts(raw, path, module)
        if found:
            checksums[os.path.basename(path)] = tables.checksum(program)
        missing = [k for k in kernels if k not in found]
        print('%s: %d of %d kernels, from %s%s' % (os.path.basename(path), len(kernels) - len(missing), len(kernels),
                                                   source, '; none of ' + ' '.join(missing) if missing else ''))
        rows += [(k,) + key + tuple(total) for k in sorted(found) for key, total in tables.rows(found[k], (0, 0))]
    with open(out, 'w') as file:
        for name in sorted(checksums):
            file.write('# %s %s\n' % (name, checksums[name]))
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(tables.COLUMNS + ['warps'])
        writer.writerows(rows)
    return not rows


if __name__ == '__main__':
    sys.exit(main())
