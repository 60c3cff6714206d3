"""measured_times.py - the launches whose time was measured or published, beside the modelled one.

`warplens validate` on the files of validation/ that have times, and the table of published times: what the commands print is
kept in a folder, and taken from there when it is newer than the program.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIME = 'gpu__time_duration.sum'
MEASURED = ['gallery_small', 'gallery_medium', 'gallery_large', 'sweeps_fit', 'sweeps_judge', 'applications_fit',
            'applications_judge']
# Two figures of a generation, as the GTX 980 and the V100 have, are no generation.
PUBLISHED_FAMILIES = {'8800gtx': 'Tesla', 'fx5600': 'Tesla', 'gtx280': 'Tesla', 'm2050': 'Fermi', 'm2090': 'Fermi', 'gtx580': 'Fermi',
                      'k20': 'Kepler', 'k20x': 'Kepler', 'k40': 'Kepler'}

Launch = collections.namedtuple('Launch', 'source family kind run function limiter measured modelled')


def output(command, path):
    """What validate prints is whole when some programs fail, too: they are on standard error."""
    if not pathlib.Path(command[0]).exists():
        sys.exit('measured_times.py: there is no %s: build it with ninja' % command[0])
    print('measured_times.py:', ' '.join(command), file=sys.stderr)
    with open(path, 'w') as out:
        done = subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    if path.stat().st_size == 0:
        sys.exit('measured_times.py: nothing was printed: ' + done.stderr.strip()[-400:])


def measure(build, folder, is_kept):
    """The files of the commands, made where there are none or older ones."""
    warplens = build / 'warplens'
    commands = {name + '.json': [str(warplens), 'validate', 'validation/h200_%s.csv' % name, '--details', '--format', 'json',
                                 '-j', '2'] + (['validation/applications'] if name.startswith('applications') else [])
                for name in MEASURED}
    commands['published.txt'] = [str(build / 'tests' / 'test_published_times')]
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in commands.items():
        path = folder / name
        if not path.exists() or path.stat().st_size == 0 or \
                not is_kept and path.stat().st_mtime < warplens.stat().st_mtime:
            output(command, path)
    return warplens


def topics(warplens):
    """Kernel -> topic of the gallery."""
    found, topic = {}, ''
    for line in subprocess.run([warplens, 'kernels'], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        kernel = re.match(r'  (\w+)  ', line)
        if kernel:
            found[kernel.group(1)] = topic
        elif line:
            topic = line
    return found


def kind_of(source, kernel, topic_of):
    if source.startswith('applications'):
        return pathlib.Path(kernel).stem
    return kernel if source.startswith('sweeps') else topic_of.get(kernel, kernel)


def launches_of(source, path, topic_of):
    found = []
    for launch in json.loads(path.read_text())['launches']:
        time = launch['counters'].get(TIME)
        if not time or 'limiter' not in launch or time['measured'] <= 0 or time['modelled'] <= 0:
            continue
        is_program = source.startswith('applications')
        run = (source, launch['kernel'], launch['parameters'], launch['cache_control']) if is_program else (source,)
        found.append(Launch(source, 'Hopper', kind_of(source, launch['kernel'], topic_of), run,
                            launch['function'] + ('' if is_program else ' ' + launch['parameters']),
                            launch['limiter'], time['measured'], time['modelled']))
    return found


def published_launches(path, topic_of):
    """The lines "gpu, kernel parameters: 113.1 GB/s, published 96.9", but those that a parameter was fitted to; bandwidths are taken for
    times upside down."""
    found = []
    for gpu, kernel, got, unit, published in re.findall(
            r'^(\w+)[^,\n]*, (\w+)[^:\n]*: ([\d.]+) (us|ms|GB/s), published ([\d.]+)(?!.*fitted:)', path.read_text(), re.M):
        if gpu in PUBLISHED_FAMILIES:
            times = (float(published), float(got)) if unit != 'GB/s' else (1 / float(published), 1 / float(got))
            to_ns = {'us': 1e3, 'ms': 1e6, 'GB/s': 1e9}[unit]  # of bandwidths any long time will do
            family = PUBLISHED_FAMILIES[gpu]
            found.append(Launch('published', family, family + ' ' + topic_of.get(kernel, kernel), (), kernel, '', *(to_ns * t for t in times)))
    return found


def gather(warplens, folder):
    topic_of = topics(warplens)
    found = [launch for source in MEASURED for launch in launches_of(source, folder / (source + '.json'), topic_of)]
    return found + published_launches(folder / 'published.txt', topic_of)
