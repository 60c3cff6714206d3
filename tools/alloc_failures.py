#!/usr/bin/env python3
"""alloc_failures.py WARPLENS FAILING_ALLOC [NAME...] - memory that runs out, wherever that is.

Runs the commands of tests/alloc/commands, and each again and again with one allocation failing: for every call stack
that warplens's own process allocates from, its first and its last call; that one alone, or every one from then on.
A run must end with the bytes of the run without a failure, or with a message and another status than 0: without a
crash or a hang, and with nothing left behind but what was there before. FAILING_ALLOC is the library of
tests/alloc/failing_alloc.c, that the build makes. NAMEs are commands of the table (or their beginnings).

  --seconds N   a sample that takes N seconds of processor time, another one each day; without what is compiled
  --seed N      the sample of that number
  --later W     once, ever; default: both
  --distinct    a call stack that several commands share is tried under the first of them alone
  -j N          runs at a time; default: processors
  --show N      so many wrong runs of each kind in full; default 3
  --messages    also the messages that were met, and how often"""
import argparse
import collections
import concurrent.futures
import os
import random
import resource
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# As in failing_alloc.c
FRAMES, STACKS, HEAD_BYTES = 30, 1 << 13, 16
STACK_BYTES = 8 * (2 + FRAMES)
TABLE_BYTES = HEAD_BYTES + STACKS * STACK_BYTES
LIMIT_SECONDS = 60

Command = collections.namedtuple("Command", "name made words stdin")
# What a run left: files by name, without what was there before.
Outcome = collections.namedtuple("Outcome", "status out err files failed")
Stack = collections.namedtuple("Stack", "key calls frames")
Case = collections.namedtuple("Case", "command stack call later")


def read_commands(path):
    commands = []
    for line in open(path):
        if line.startswith("#") or not line.strip():
            continue
        name, arguments = line.strip().split(": ", 1)
        arguments, _, stdin = arguments.partition(" < ")
        name, _, made = name.partition(" > ")
        commands.append(Command(name, made, shlex.split(arguments), stdin))
    return commands


class Bench:
    """Runs warplens in a folder of its own, each time."""

    def __init__(self, warplens, library, folder):
        self.warplens, self.library, self.folder = warplens, library, folder
        self.inputs = os.path.join(folder, "inputs")
        os.mkdir(self.inputs)
        open(os.path.join(folder, "zeros"), "wb").truncate(TABLE_BYTES)

    def lay_out(self):
        place = tempfile.mkdtemp(dir=self.folder)
        for name in "work", "tmp":
            os.mkdir(os.path.join(place, name))
        os.symlink(self.inputs, os.path.join(place, "work/in"))
        os.symlink(ROOT, os.path.join(place, "work/src"))
        with open(os.path.join(place, "work/old"), "w") as old:
            old.write("what was there before\n")
        return place

    def environment(self, place, case):
        table = os.path.join(place, "table")
        open(table, "wb").truncate(TABLE_BYTES)
        return {"PATH": os.environ["PATH"], "HOME": place, "TMPDIR": os.path.join(place, "tmp"),
                "LC_ALL": "C.UTF-8", "LD_PRELOAD": self.library, "ALLOC_TABLE": table,
                "ALLOC_STACK": "%x" % case.stack.key if case else "0",
                "ALLOC_CALL": str(case.call if case else 0), "ALLOC_LATER": case.later if case else ""}

    def arguments(self, command):
        if command.words[0] == "library":
            return [os.path.join(os.path.dirname(self.library), "library_program")] + command.words[1:]
        return [self.warplens] + command.words

    def run(self, command, case=None):
        """The outcome, and the table's bytes."""
        place = self.lay_out()
        work = os.path.join(place, "work")
        stdin = open(os.path.join(work, command.stdin)) if command.stdin else subprocess.DEVNULL
        try:
            done = subprocess.run(self.arguments(command), cwd=work, stdin=stdin, capture_output=True,
                                  env=self.environment(place, case), timeout=LIMIT_SECONDS)
            status, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            status, out, err = None, b"", b""
        with open(os.path.join(place, "table"), "rb") as table:
            noted = table.read()
        files = read_files(place)
        shutil.rmtree(place)
        place = place.encode()
        return Outcome(status, out.replace(place, b""), err.replace(place, b""), files,
                       struct.unpack_from("Q", noted)[0] > 0), noted


def read_files(place):
    files = {}
    for top, _, names in os.walk(place):
        folder = os.path.relpath(top, place)
        if folder not in (".", "work", "tmp"):
            files[folder + "/"] = b""
        for name in names:
            path = os.path.join(folder, name)
            if path != "./table" and not os.path.islink(os.path.join(top, name)):
                with open(os.path.join(top, name), "rb") as file:
                    files[path] = file.read()
    return files


def read_stacks(noted):
    stacks = []
    if struct.unpack_from("Q", noted, 8)[0]:
        sys.exit("alloc_failures: more than %d call stacks: STACKS is too small" % STACKS)
    for i in range(STACKS):
        key, calls, *frames = struct.unpack_from("%dQ" % (2 + FRAMES), noted, HEAD_BYTES + i * STACK_BYTES)
        if key:
            stacks.append(Stack(key, calls, tuple(frame for frame in frames if frame)))
    return sorted(stacks)


def is_begun(got, whole):
    """Whether a sweep's file holds whole lines of what it would have been, or of failed jobs."""
    return got.endswith(b"\n") or not got


def judge(command, right, got):
    """What is wrong with a run in which an allocation failed; None: nothing."""
    if got.status is None:
        return "hang"
    if got.status < 0:
        return "crash"
    if got[:4] == right[:4]:
        return None
    if not got.failed:
        return "other output though nothing failed"
    if got.status == 0:
        return "other output, status 0"
    if not got.err.strip() or (got.err == right.err and right.err):
        return "status %d without a message" % got.status
    if got.status == right.status and right.out:
        return "other output, the usual status"
    before = {"work/old": b"what was there before\n"}
    left = {name: text for name, text in got.files.items() if before.get(name) != text}
    if "work/old" not in got.files:
        return "the old file is gone"
    for name, text in left.items():
        if text != right.files.get(name) and not (name.endswith(".jsonl") and is_begun(text, right.files.get(name))):
            return "left: " + name
    return None


def cases_of(commands, stacks, chosen):
    seen = set()
    for command in commands:
        for stack in stacks[command.name]:
            if chosen.distinct and stack.key in seen:
                continue
            seen.add(stack.key)
            for call in sorted({1, stack.calls}):
                for later in [chosen.later] if chosen.later else ["once", "ever"]:
                    yield Case(command, stack, call, later)


def symbols(warplens, frames):
    own = ["0x%x" % ((frame & (1 << 48) - 1) - 1) for frame in frames if frame >> 48 == 1]
    named = subprocess.run(["addr2line", "-fpse", warplens] + own, capture_output=True, text=True).stdout
    return [line.replace(ROOT + "/", "").replace("../", "") for line in named.splitlines()]


def show(warplens, case, why, got):
    print("\n%s: %s (call %d of %d, %s)" % (case.command.name, why, case.call, case.stack.calls, case.later))
    for line in symbols(warplens, case.stack.frames):
        print("    " + line)
    print("    status %s: %s" % (got.status, got.err.decode(errors="replace")[:400]))


def is_compiled(command):
    return any(word.endswith(".cu") for word in command.words)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warplens")
    parser.add_argument("library")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=int(time.time() // 86400))
    parser.add_argument("--later", choices=["once", "ever"])
    parser.add_argument("--distinct", action="store_true")
    parser.add_argument("-j", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--messages", action="store_true")
    return parser.parse_args()


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Tally:
    def __init__(self):
        self.runs = self.not_reached = 0
        self.same = collections.Counter()
        self.wrong = collections.Counter()
        self.messages = collections.Counter()

    def add(self, case, right, got):
        self.runs += 1
        self.not_reached += not got.failed
        why = judge(case.command, right, got)
        if why:
            self.wrong[case.command.name, why.split(":")[0]] += 1
        elif got[:4] == right[:4]:
            self.same[case.command.name] += 1
        else:
            self.messages[got.status, got.err.decode(errors="replace").splitlines()[-1]] += 1
        return why


def prepare(bench, commands):
    """What each command gives when nothing fails, and the stacks that it allocates from."""
    right, stacks = {}, {}
    for command in commands:
        outcome, noted = bench.run(command)
        if command.made:
            if outcome.status != 0:
                sys.exit("alloc_failures: %s: %s" % (command.made, outcome.err.decode()))
            with open(os.path.join(bench.inputs, command.made), "wb") as file:
                file.write(outcome.files.get("work/out", outcome.out))
        else:
            right[command.name], stacks[command.name] = outcome, read_stacks(noted)
    return right, stacks


def fail_all(bench, cases, right, chosen):
    tally, begin = Tally(), processor_seconds()
    with concurrent.futures.ThreadPoolExecutor(chosen.j) as pool:
        for at in range(0, len(cases), 4 * chosen.j):
            if chosen.seconds and processor_seconds() - begin > chosen.seconds:
                break
            batch = cases[at : at + 4 * chosen.j]
            for case, (got, _) in zip(batch, pool.map(lambda case: bench.run(case.command, case), batch)):
                why = tally.add(case, right[case.command.name], got)
                if why and tally.wrong[case.command.name, why.split(":")[0]] <= chosen.show:
                    show(bench.warplens, case, why, got)
                    sys.stdout.flush()
            if sys.stderr.isatty():
                print("%d of %d cases\r" % (tally.runs, len(cases)), end="", file=sys.stderr, flush=True)
    return tally


def report(tally, commands, stacks, cases, chosen):
    if chosen.messages:
        for (status, message), count in tally.messages.most_common():
            print("%6d  status %d  %s" % (count, status, message))
    for (name, why), count in sorted(tally.wrong.items()):
        print("WRONG %6d  %s: %s" % (count, name, why))
    if chosen.seconds:
        print("seed %d, %d of %d cases" % (chosen.seed, tally.runs, len(cases)))
    print("%d commands, %d call stacks, %d runs (%d did not reach the call), %d as without a failure, wrong: %d" %
          (len(commands), sum(map(len, stacks.values())), tally.runs, tally.not_reached, sum(tally.same.values()),
           sum(tally.wrong.values())))


def main():
    chosen = options()
    with tempfile.TemporaryDirectory(prefix="alloc_failures-") as folder:
        bench = Bench(os.path.abspath(chosen.warplens), os.path.abspath(chosen.library), folder)
        table = read_commands(os.path.join(ROOT, "tests/alloc/commands"))
        commands = [c for c in table if c.made or not chosen.names or any(map(c.name.startswith, chosen.names))]
        if chosen.seconds:
            commands = [c for c in commands if not is_compiled(c)]
        right, stacks = prepare(bench, commands)
        commands = [c for c in commands if not c.made]
        cases = list(cases_of(commands, stacks, chosen))
        print("%d commands, %d call stacks, %d cases" % (len(commands), sum(map(len, stacks.values())), len(cases)),
              flush=True)
        if chosen.seconds:
            random.Random(chosen.seed).shuffle(cases)
        tally = fail_all(bench, cases, right, chosen)
        report(tally, commands, stacks, cases, chosen)
    sys.exit(1 if tally.wrong or not tally.runs else 0)


main()
