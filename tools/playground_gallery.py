"""playground_gallery.py WARPLENS [--check KERNEL...] - writes docs/playground/gallery.js: accesses of the
gallery's kernels to choose from. Each is what a warp did at a line under GPU, the costliest there, as `warplens
explain KERNEL:LINE` finds it. --check writes nothing: are the list's accesses of those kernels what they do?
"""
import json
import os
import re
import subprocess
import sys

GPU = 'h200'
TARGET = 'docs/playground/gallery.js'
# Which kernels, with parameters; of accesses that look alike the first one stays.
KERNELS = ['offsetCopy -p offset=1', 'strideCopy -p stride=2', 'halfWarpGap', 'halfWarpCrossed', 'halfWarpTwoSegments',
           'scattered384', 'sameWord', 'permuted', 'storeScattered', 'vec3d', 'vec3dAligned', 'incrementInnerStruct',
           'sumFourInts', 'copyKernelLdg', 'transpose_naive', 'transpose', 'matrixMul', 'sharedStride -p stride=2',
           'sharedChar', 'sharedDouble', 'sharedStruct3', 'sharedBroadcastGroups', 'setRowReadCol', 'setRowReadColPad',
           'reduce1', 'reduce2', 'matrixMult', 'constantPerLane', 'addKernel', 'texture2DColumns', 'localDynamic']
TYPES = {1: 'u8', 2: 'u16', 4: 'f32', 8: 'f64', 16: 'v4.f32'}
OPERATIONS = {'load': 'ld', 'store': 'st', 'atomic': 'atom'}
SPACES = {'constant': 'const', 'texture': 'tex'}


def run(warplens, *arguments):
    return subprocess.run([warplens, *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout


def expression_of(access):
    """The access as the command line takes it: an even distance as base and stride, else a list."""
    space = SPACES.get(access['space'], access['space'])
    head = '.'.join([OPERATIONS[access['op']], space] + ['nc'] * access['read_only'] + [TYPES[access['width']]])
    lanes = [(lane, addr) for lane, addr in enumerate(access['addresses']) if addr is not None]
    (first, low), (last, high) = lanes[0], lanes[-1]
    stride = (high - low) // (last - first) if last > first else access['width']
    if all(addr == low + stride * (lane - first) for lane, addr in lanes) and low >= stride * first:
        mask = '' if len(lanes) == 32 else ' mask=' + access['active']
        return '%s base=0x%x stride=%d%s' % (head, low - stride * first, stride, mask)
    return head + ' addr=' + ','.join('-' if addr is None else hex(addr) for addr in access['addresses'])


def shape_of(access):
    """What makes an access look different: all but whether it loads or stores, and where its first line begins."""
    low = min(addr for addr in access['addresses'] if addr is not None) // 128 * 128
    return (access['space'], access['width'], access['read_only'],
            tuple(None if addr is None else addr - low for addr in access['addresses']))


def source_line(file, line):
    with open(os.path.join('traces', file), encoding='utf-8') as source:
        return re.sub(r'\s+', ' ', source.read().split('\n')[line - 1]).strip()


def accesses_of(warplens, kernel, about):
    """[(shape, entry)]: all accesses of a kernel's lines."""
    name, *parameters = kernel.split()
    result = json.loads(run(warplens, 'run', name, *parameters, '--gpu', GPU, '--rules-only', '--format', 'json'))
    found = []
    for at in result['runs'][0]['lines']:
        explain = ('explain', '%s:%d' % (name, at['line']), *parameters, '--gpu', GPU, '--format')
        captions = re.findall(r'^\w+:\d+: (.*), the costliest of [\d,]+ access\w* \(block \d+\)',
                              run(warplens, *explain, 'text'), re.M)
        for what, explained in zip(captions, json.loads(run(warplens, *explain, 'json'))['explanations']):
            found.append((shape_of(explained['access']),
                          {'kernel': kernel, 'line': at['line'], 'file': at['file'], 'what': what,
                           'about': about[name], 'source': source_line(at['file'], at['line']),
                           'expression': expression_of(explained['access'])}))
    return found


def distinct_accesses(warplens, about):
    accesses, shapes = [], set()
    for kernel in KERNELS:
        for shape, entry in accesses_of(warplens, kernel, about):
            if shape not in shapes:
                accesses.append(entry)
            shapes.add(shape)
    return accesses


def check(warplens, about, names):
    with open(TARGET, encoding='utf-8') as target:
        listed = json.loads(re.search(r'\[.*\]', target.read(), re.S).group())
    for name in names:
        done = [entry for _, entry in accesses_of(warplens, name, about)]
        wanted = [entry for entry in listed if entry['kernel'] == name]
        if not wanted or any(entry not in done for entry in wanted):
            sys.exit('%s: of %s not what it does: python3 tools/playground_gallery.py WARPLENS' % (TARGET, name))


def main():
    warplens = sys.argv[1]
    about = dict(re.findall(r'^  (\w+) +(.+)$', run(warplens, 'kernels'), re.M))
    if sys.argv[2:3] == ['--check']:
        check(warplens, about, sys.argv[3:])
        return
    accesses = distinct_accesses(warplens, about)
    with open(TARGET, 'w', encoding='utf-8') as target:
        target.write('/* Made by tools/playground_gallery.py from `warplens explain KERNEL:LINE --gpu %s`. */\n'
                     'var warplensGallery = [\n%s\n];\n'
                     % (GPU, ',\n'.join(json.dumps(access, ensure_ascii=False) for access in accesses)))
    print('%s: %d accesses' % (TARGET, len(accesses)))


main()
