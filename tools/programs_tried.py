#!/usr/bin/env python3
"""programs_tried.py SOURCES [LIST...] - tries the programs of tools/programs/*.txt and writes docs/programs-tried.md.

    python3 tools/programs_tried.py ~/cuda                     # all lists: some hours of one processor
    python3 tools/programs_tried.py ~/cuda polybench           # one of them; what is known of the others stays
    python3 tools/programs_tried.py ~/cuda --again "slow wrong"  # again what had these results
    python3 tools/programs_tried.py --write                    # the document alone, from the results that are there
    python3 tools/programs_tried.py --check                    # is it what the results make of it?

SOURCES has a copy of each repository that a list names in its line `source | OWNER/NAME | COMMIT | TITLE`, in a folder NAME and at that
commit (git checkout COMMIT). The warplens that is tried is build/warplens, or $WARPLENS; tools/try_programs.sh says what
else can be set. What the programs print is left in build/programs/LIST. A run that was interrupted goes on where it was when it is
started again; `--again all` forgets what is there.

Results go to tools/programs/results/LIST.csv: "program,result,message", without times, so that the same results are the same bytes.
"""
import argparse
import collections
import csv
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTS = ROOT / 'tools/programs'
RESULTS = LISTS / 'results'
WORK = ROOT / 'build/programs'
DOCUMENT = ROOT / 'docs/programs-tried.md'
ORDER = ['cuda_samples', 'tensor_samples', 'cute_tutorial', 'cute_gemm', 'fast_cu', 'llm_c', 'sgemm', 'tensor_transposes', 'matrix_moves',
          'training_series', 'cuda_by_example', 'professional_cuda', 'developer_blog', 'polybench']
KINDS = ['verified', 'ran', 'wrong', 'refused', 'slow', 'invalid']

Source = collections.namedtuple('Source', 'repository commit title sizes')
Program = collections.namedtuple('Program', 'name folder note')


def read_list(name):
    """The source that a list names, and its programs; lines `note | NAME | TEXT` in front of them say what is known of some."""
    source, programs, notes, sizes = None, [], {}, []
    for line in (LISTS / f'{name}.txt').read_text().splitlines():
        words = [word.strip() for word in line.split('|')]
        if words[0] == 'source':
            source = Source(*words[1:4], sizes)
        elif words[0] == 'size':
            sizes.append(f'`{words[1]}` is `{words[2]}`')
        elif words[0] == 'note':
            notes[words[1]] = words[2]
        elif line.strip() and not line.startswith('#') and words[0] not in ('include', 'options', 'file', 'size'):
            programs.append(Program(*words[:2], notes.get(words[0], '')))
    if source is None:
        sys.exit(f'programs_tried.py: {name}.txt has no line "source | OWNER/NAME | COMMIT | TITLE"')
    return source, programs


def read_results(path):
    """Of each program its result and message."""
    if not path.exists():
        return {}
    with path.open(newline='') as file:
        return {row['program']: (row['result'], row['message']) for row in csv.DictReader(file)}


def write_results(name, programs, results):
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f'{name}.csv').open('w', newline='') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(['program', 'result', 'message'])
        out.writerows([program.name, *results[program.name]] for program in programs if program.name in results)


# ---- Trying -------------------------------------------------------------------------------------------------------------------


def folder_of(sources, source):
    """The copy of a repository, at the commit that the list names."""
    folder = sources / source.repository.split('/')[1]
    head = subprocess.run(['git', '-C', folder, 'rev-parse', 'HEAD'], capture_output=True, text=True, check=False)
    if head.stdout.strip() != source.commit:
        sys.exit(f'programs_tried.py: {folder}: has to be a copy of {source.repository} at {source.commit}')
    return folder


def try_list(name, sources, again):
    source, programs = read_list(name)
    out = WORK / f'{name}.csv'
    WORK.mkdir(parents=True, exist_ok=True)
    if again == 'all':
        out.unlink(missing_ok=True)
    environment = dict(os.environ, KEEP=str(WORK / name), AGAIN='' if again == 'all' else again)
    subprocess.run(['sh', ROOT / 'tools/try_programs.sh', LISTS / f'{name}.txt', folder_of(sources, source), out],
                   cwd=ROOT, env=environment, check=True)
    write_results(name, programs, read_results(out))


# ---- What is missing ------------------------------------------------------------------------------------------------------------

COMPILERS_WORDS = re.compile(r'\berror:|undefined reference|does not (compile|preprocess|link)')


def kind_of(message):
    """Of a refusal: what is missing, in words that are the same for all programs that miss it."""
    if COMPILERS_WORDS.search(message):
        return "a message of the compiler's (a defect of warplens)"
    text = re.sub(r"^[^ ']*:\d+: |^[^ :]*\.(cu|cpp|c): ", '', message)
    text = re.sub(r'^#include <[^>]*>: ', '', text)
    known = re.match(r'(.*?)( \([^()]*\))? cannot run under warplens', text)
    if known:
        return re.sub(r"^the PTX instruction '(\w+).*", r'the PTX instruction \1', known.group(1))
    missing = re.search(r'is not among what warplens has of (.*?) \(', text)
    if missing:
        return f'names of {missing.group(1)} that are not there'
    if 'no room in the memory of this computer' in text:
        return 'more memory than the computer has that it was tried on'
    stopped = re.search(r': in [^:]*: (.*?)( \[block|$)', ': ' + text)
    return stopped.group(1) if stopped else text


def missing_of(results):
    refused = [message for result, message in results if result == 'refused']
    return collections.Counter(kind_of(message) for message in refused).most_common()


# ---- The document -----------------------------------------------------------------------------------------------------------------


def percent(part, whole):
    return f'{100 * part / whole:.0f} %' if whole else '-'


def count_row(title, results):
    """Programs that nvcc does not compile either count as none."""
    count = collections.Counter(result for result, _ in results)
    valid = len(results) - count['invalid']
    return (f'| {title} | {valid} | {percent(count["verified"] + count["ran"], valid)} | {percent(count["verified"], valid)} | '
            + ' | '.join(str(count[kind]) for kind in KINDS) + ' |')


def escape(text):
    return re.sub(r'([|<>*_`\[\]])', r'\\\1', text)


HEAD = """# Programs that were tried

Other people's CUDA programs, unchanged, at the sizes that they come with (where a list says so, at smaller ones), run by `warplens run --rules-only --gpu h200`. This page
is made of `tools/programs/results/*.csv` by `tools/programs_tried.py`; the same script tries them:

```sh
{clones}
python3 tools/programs_tried.py cuda
```

| | |
|---|---|
| **verified** | ran to its end, and says itself that its results are right |
| **ran** | ran to its end, with status 0, and says nothing of its results |
| **wrong** | ran to its end, and says that they are not right, or has another status than 0 |
| **refused** | does not run; warplens says why |
| **slow** | was not done in the time that its row names, of one processor |
| **invalid** | does not compile here, and not with nvcc 13.0 either; counts in no percentage |

*Run* are those that are verified or ran. *Verified* takes a program at its word: most examples of the books print results and judge none.

| list | programs | run % | verified % | {kinds} |
|---|--:|--:|--:|{dashes}
"""


def head(lists):
    repositories = dict.fromkeys((source.repository, source.commit) for source, _, _ in lists)
    clones = '\n'.join(f'git clone https://github.com/{repository} cuda/{repository.split("/")[1]}\n'
                       f'git -C cuda/{repository.split("/")[1]} checkout {commit}' for repository, commit in repositories)
    rows = [count_row(source.title, results) for source, _, results in lists]
    rows.append(count_row('**all**', [one for _, _, results in lists for one in results]))
    return HEAD.format(clones=clones, kinds=' | '.join(KINDS), dashes='--:|' * len(KINDS)) + '\n'.join(rows)


def missing_table(lists):
    rows = missing_of([one for _, _, results in lists for one in results])
    if not rows:
        return ''
    return ('\n\n## What the refused programs miss\n\nBy what the message names first; a program may miss more.\n\n'
            '| programs | what |\n|--:|---|\n' + '\n'.join(f'| {count} | {escape(kind)} |' for kind, count in rows))


def said(program, result, message):
    """With what is known of a program that does not end well."""
    known = program.note if result not in ('verified', 'ran') else ''
    return f'{message} ({known})' if message and known else message or known


def section(source, programs, results):
    rows = [f'| {escape(program.name)} | `{program.folder}` | {result} | {escape(said(program, result, message))} |'
            for program, (result, message) in zip(programs, results)]
    smaller = f' Made smaller: {", ".join(source.sizes)}.' if source.sizes else ''
    return (f'\n\n## {source.title}\n\n{source.repository}, commit {source.commit[:12]}.{smaller}\n\n'
            '| program | where | result | message |\n|---|---|---|---|\n' + '\n'.join(rows))


def document():
    lists = []
    for name in ORDER:
        source, programs = read_list(name)
        results = read_results(RESULTS / f'{name}.csv')
        if {program.name for program in programs} != set(results):
            sys.exit(f'programs_tried.py: results/{name}.csv has other programs than {name}.txt: '
                     f'{sorted({program.name for program in programs} ^ set(results))}')
        lists.append((source, programs, [results[program.name] for program in programs]))
    return head(lists) + missing_table(lists) + ''.join(section(*one) for one in lists) + '\n'


def compilers_words():
    """Refusals that are not in words of warplens's own."""
    for name in ORDER:
        for program, (result, message) in read_results(RESULTS / f'{name}.csv').items():
            if result == 'refused' and (not message or COMPILERS_WORDS.search(message)):
                yield f"{name}: {program} is refused in the compiler's words: {message}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('sources', nargs='?', type=pathlib.Path)
    parser.add_argument('lists', nargs='*', default=[])
    parser.add_argument('--again', default='', help='results that are tried again, or all')
    parser.add_argument('--write', action='store_true', help='write the document alone')
    parser.add_argument('--check', action='store_true', help='is the document what the results make of it?')
    asked = parser.parse_args()
    if not (asked.write or asked.check or asked.sources):
        parser.error('SOURCES, --write or --check')
    for name in (asked.lists or ORDER) if asked.sources else []:
        try_list(name, asked.sources, asked.again)
    text = document()
    if asked.check and text != DOCUMENT.read_text():
        sys.exit('programs_tried.py: docs/programs-tried.md is not what the results make of it: run it with --write')
    if asked.check:
        return 0
    DOCUMENT.write_text(text)
    defects = list(compilers_words())
    print('\n'.join(defects), end='\n' if defects else '')
    return 1 if defects else 0


if __name__ == '__main__':
    sys.exit(main())
