"""student.py WARPLENS FOLDER [NAME...] - does `warplens advise` find the error of each program in FOLDER
(examples/student, tests/cu/advise), and does the fix save what was said? The fixed program is really run.

For each program: the first advice has the remedy that a teacher would name; the time saved that was said is
within 20 % of what the fixed program saves, or both are less than 2 % of the time; every count of requests,
transactions, sectors, bytes and passes is the fixed program's own; advice starts from the very time that
`run` gives; and a README.md beside the programs has the headline. Rows that do not hold yet are marked in PROGRAMS and print "not yet": they fail
nothing, and one that begins to hold fails until its mark is gone.
"""
import json
import os
import subprocess
import sys
import tempfile

WITHIN, NO_TIME = 0.20, 0.02

# By program: remedies of which the first advice has one, whether that holds today, and the GPU: one on which the
# error costs time.
PROGRAMS = {
    'index_swap': (['swap'], True, 'h200'),
    'big_struct': (['pack'], True, 'h200'),
    'bank_conflict': (['pad', 'swizzle'], True, 'h200'),
    'few_blocks': (['more-blocks'], True, 'h200'),
    'atomics': (['privatise', 'aggregate'], True, 'h200'),
    'managed': (['prefetch'], True, 'h200'),
    'divergent_loop': (['sort'], False, 'h200'),
    'misaligned': (['shift'], True, 'gtx280'),
    'column_copy': (['swap'], True, 'h200'),
    'array_of_structs': (['split'], True, 'h200'),
    'histogram': (['privatise'], True, 'h200'),
}

# nvcc lets one lane of a warp add to the counter in global memory, and all lanes to that in shared memory, by an increment.
INCREMENTS = {'atomics': 'shared_atomic_bytes_requested'}

# Fixed with blocks of 32 x 8 again, where a swap of x and y makes them 8 x 32.
OTHER_SHAPE = {'column_copy'}


def ask(warplens, command, source, gpu):
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, 'out.json')
        done = subprocess.run([warplens, command, source, '--gpu', gpu, '--format', 'json', '-o', out],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        if done.returncode or not {'correct', 'PASSED'} & set(done.stdout.split()):
            sys.exit('%s %s: status %d\n%s%s' % (command, source, done.returncode, done.stdout, done.stderr))
        with open(out) as file:
            return json.load(file)


def readme_lacks(examples, name, headline):
    path = os.path.join(examples, 'README.md')
    if not os.path.exists(path):
        return False
    with open(path) as file:
        return not any(line.startswith('| `%s` |' % name) and headline in line for line in file)


def us(counters):
    return counters['elapsed_ns'] / 1000


def is_close(before, said, real):
    saved_said, saved_real = before - said, before - real
    if max(abs(saved_said), abs(saved_real)) < NO_TIME * before:
        return True
    return abs(saved_said - saved_real) <= WITHIN * abs(saved_real)


def counts_differ(name, said, real):
    """Counters that are not the fixed program's: where that has blocks of another shape, rows of a warp may differ."""
    return [counter for counter in said
            if counter.split('_')[0] in ('global', 'shared', 'read') and said[counter] != real[counter]
            and not (name in OTHER_SHAPE and counter.endswith('_data_passes')) and counter != INCREMENTS.get(name)]


def examine(warplens, examples, name):
    """Prints the row of one program; whether all of it holds, and whether the time begins right."""
    source = os.path.join(examples, name + '.cu')
    remedies, expected, gpu = PROGRAMS[name]
    advice = ask(warplens, 'advise', source, gpu)['advice'][0]
    before = us(ask(warplens, 'run', source, gpu)['runs'][0]['counters'])
    fixed = ask(warplens, 'run', os.path.join(examples, name + '_fixed.cu'), gpu)['runs'][0]['counters']
    real = us(fixed)
    first = advice['changes'][0] if advice['changes'] else None
    said = us(first['after']) if first else before
    holds = first is not None and first['remedy'] in remedies and is_close(before, said, real)
    differ = counts_differ(name, first['after'], fixed) if expected and first else []
    begins = before == us(advice['counters'])
    verdict = ('holds' if holds else 'FAILS') if expected else ('HOLDS NOW' if holds else 'not yet')
    verdict += '' if begins else '; BEGINS AT %.2f us' % us(advice['counters'])
    verdict += '; COUNTS DIFFER: ' + ', '.join(differ) if differ else ''
    lacks = expected and readme_lacks(examples, name, advice['headline'])
    verdict += '; README.md DIFFERS: ' + advice['headline'] if lacks else ''
    print('%-17s %-26s %9.2f %9.2f %9.2f %8.1f %% %8.1f %%  %s' % (
        name, first['cause'] + ': ' + first['remedy'] if first else 'nothing', before, said, real,
        100 * (before - said) / before, 100 * (before - real) / before, verdict), flush=True)
    return holds == expected and begins and not differ and not lacks


def main():
    warplens, examples = os.path.abspath(sys.argv[1]), sys.argv[2]
    print('%-17s %-26s %9s %9s %9s %10s %10s' % ('program', 'named first', 'us', 'said', 'fixed', 'said', 'saved'))
    names = sys.argv[3:] or [name for name in PROGRAMS if os.path.exists(os.path.join(examples, name + '.cu'))]
    failed = [name for name in names if not examine(warplens, examples, name)]
    sys.exit('student.py: ' + ', '.join(failed) if failed else 0)


main()
