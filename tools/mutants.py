"""mutants.py - the changes that tools/mutants.sh makes, and the suites that are to notice them.

A change is one operator, constant, condition or statement of a line. Each file gives as many as it is long, picked
by a hash of their text: the same ones every time, and others stay the same where a line is added. Lines about
memory that is short, assertions and prints are left out.
"""
import hashlib
import os
import queue
import re
import subprocess
import sys
import threading
import time

LINES_A_CHANGE = 32

# Fast and telling ones first: the first that fails ends it. Room -> suites, each with its arguments.
SUITES = {
    'rules': ['judge', 'judge_sums', 'rules', 'rules_shared', 'rules_l1', 'address_map', 'occupancy',
              'book_coalescing', 'book_banks', 'book_partitions', 'footprint', 'properties',
              'oracle 20260301 100000', 'memsys'],
    'counters': ['counters', 'quantity', 'limit', 'diff', 'measured', 'library', 'counter_marks', 'conservation'],
    'time': ['memsys', 'memsys_paths', 'request_queue', 'sim_threads', 'sm_unit', 'sm_beyond', 'carve_out', 'cache',
             'dram', 'merges', 'usage', 'sampling', 'left_out', 'steps', 'sim_warps', 'sim_queue', 'sim_blocks',
             'sim_launches', 'sim_windows', 'timeline_stages', 'cache_fills', 'managed_driver', 'timeline',
             'managed', 'zero_copy', 'wheel', 'timeline_order', 'formula', 'conservation', 'sim_laws'],
}
LEFT_OUT = re.compile(r'alloc|free\(|\bNULL\b|assert|printf|prefetch|sizeof|^\s*#|:\s*\d+;|\\$')
SWAPS = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '+': '-', '-': '+', '*': '+', '&&': '||',
         '||': '&&', '<<': '>>', '>>': '<<', '&': '|', '|': '&', '+=': '-=', '-=': '+=', '|=': '&=', '&=': '|='}
OPERATOR = re.compile(r'(?<= )(' + '|'.join(re.escape(s) for s in sorted(SWAPS, key=len, reverse=True)) + r')(?= |$)')
NUMBER = re.compile(r'(?<![\w.])(0x[0-9a-f]+|\d+)(U|ULL|LL)?(?![\w.])')
CONDITION = re.compile(r'\b(if|while) \((.*)\)( \{)?$')
STATEMENT = re.compile(r'(?!(return|break|continue|goto|case|default|struct|static|const|enum|typedef|extern|void|bool|'
                       r'u?int\w*|size_t|double|char|unsigned)\b)[\w*+(][^{}]*;$')


def code_of(text):
    """The text with blanks in place of comments and of what is in quotes."""
    blank = lambda found: re.sub(r'[^\n]', ' ', found.group())
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\])+\'', blank, text, flags=re.S)


def edits_of(line, before):
    """(begin, end, replacement) of each change of a line, given the line of code before it."""
    for found in OPERATOR.finditer(line):
        yield *found.span(), SWAPS[found.group()]
    for found in NUMBER.finditer(line):
        value = int(found.group(1), 0) + 1
        yield *found.span(1), hex(value) if found.group().startswith('0x') else str(value)
    found = CONDITION.search(line)
    if found and found.group(2).count('(') == found.group(2).count(')'):
        yield *found.span(2), '!(' + found.group(2) + ')'
    text = line.strip()
    begins = before.endswith((';', '{', '}', ')', ':', 'else'))
    if begins and STATEMENT.match(text) and text.count('(') == text.count(')'):
        begin = line.index(text)
        yield begin, begin + len(text), ';'
    for word, other in (('true', 'false'), ('false', 'true')):
        for found in re.finditer(r'\b' + word + r'\b', line):
            yield *found.span(), other


def changes_of(path):
    """(key, path, line number, old line, new line), as many as the file's lines of code ask for."""
    with open(path) as file:
        text = file.read()
    found, before, length = [], ';', 0
    for number, (line, code) in enumerate(zip(text.split('\n'), code_of(text).split('\n')), 1):
        code = code.rstrip()
        if not code.strip():
            continue
        length += 1
        if not LEFT_OUT.search(code):
            for begin, end, new in edits_of(code, before):
                changed = line[:begin] + new + line[end:]
                order = hashlib.md5((path + line + changed).encode()).hexdigest()
                found.append((order, number, line, changed))
        before = code
    picked, lines = [], set()
    for order, number, line, changed in sorted(found):
        if len(picked) < -(-length // LINES_A_CHANGE) and number not in lines:
            lines.add(number)
            key = f'{path}:{number}: {line.strip()}  ->  {changed.strip()}'
            picked.append((key, path, number, line, changed))
    return sorted(picked, key=lambda change: change[2])


def all_changes(only):
    """Room -> changes."""
    rooms = {}
    for room in SUITES:
        if only in ('', room):
            folder = 'src/sim/' + room
            files = sorted(f for f in os.listdir(folder) if f.endswith(('.c', '.h', '.def')))
            rooms[room] = [change for name in files for change in changes_of(folder + '/' + name)]
    return rooms


def build(copy, suite):
    return subprocess.run(['ninja', '-C', copy + '/build', 'tests/test_' + suite.split()[0]],
                          capture_output=True, text=True).returncode == 0


def passes(copy, suite, limit):
    name, *arguments = suite.split()
    try:
        return subprocess.run(['./tests/test_' + name, *arguments], cwd=copy + '/build', timeout=limit,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def limits_of(copy, room):
    """Seconds that each suite of a room may take; ends when one fails as it is."""
    limits = {}
    for suite in SUITES[room]:
        if not build(copy, suite):
            sys.exit(f'{suite}: does not build in {copy}')
        began = time.monotonic()
        if not passes(copy, suite, 600):
            sys.exit(f'{suite}: fails without a change')
        limits[suite] = 10 + 5 * (time.monotonic() - began)
    return limits


def result_of(copy, room, change, limits):
    """'noticed by SUITE', 'survives' or 'does not build'."""
    _, path, number, _, changed = change
    place = copy + '/' + path
    with open(place) as file:
        text = file.read()
    lines = text.split('\n')
    lines[number - 1] = changed
    try:
        with open(place, 'w') as file:
            file.write('\n'.join(lines))
        for suite in SUITES[room]:
            if not build(copy, suite):
                return 'does not build'
            if not passes(copy, suite, limits[suite]):
                return 'noticed by ' + suite.split()[0]
        return 'survives'
    finally:
        with open(place, 'w') as file:
            file.write(text)


def try_all(copy, work, limits, results, lock, out):
    while True:
        try:
            room, change = work.get_nowait()
        except queue.Empty:
            return
        result = result_of(copy, room, change, limits[room])
        with lock:
            results[change[0]] = result
            out.write(f'{result}\t{change[0]}\n')
            out.flush()
            print(f'{result:24} {change[0]}', flush=True)


def report(rooms, results):
    for room, changes in rooms.items():
        known = [results.get(change[0], 'does not build') for change in changes]
        known = [result for result in known if result != 'does not build']
        noticed = sum(result != 'survives' for result in known)
        for change in changes:
            if results.get(change[0]) == 'survives':
                print('survives:', change[0])
        print(f'{room}: {noticed} of {len(known)} noticed, {100 * noticed / max(1, len(known)):.0f} %')


def run(only, path, copies):
    rooms, results, work = all_changes(only), {}, queue.Queue()
    if os.path.exists(path):
        with open(path) as file:
            results = {key: result for result, key in (line.rstrip('\n').split('\t', 1) for line in file)}
    for room, changes in rooms.items():
        for change in changes:
            if change[0] not in results:
                work.put((room, change))
    limits = {room: limits_of(copies[0], room) for room in rooms if not work.empty()}
    lock = threading.Lock()
    with open(path, 'a') as out:
        threads = [threading.Thread(target=try_all, args=(copy, work, limits, results, lock, out)) for copy in copies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    report(rooms, results)


if sys.argv[1] == 'list':
    for room, changes in all_changes(sys.argv[2]).items():
        for change in changes:
            print(change[0])
        print(f'{room}: {len(changes)} changes')
else:
    run(sys.argv[2], sys.argv[3], sys.argv[4:])
