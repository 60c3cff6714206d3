#!/usr/bin/env python3
"""limits.py WARPLENS - does what is documented as the most still work, and what is one beyond say so, in one line?

Traces at each limit and one beyond, through reader, guard, session and reports; numbers of GPUs and settings on the
command line.
"""
import json
import os
import subprocess
import sys
import tempfile

HEAD = "warplens text trace 1\n"
ARRAY = "array a bytes=8192 base=0x100000\n"
ACCESS = "all warps\nld.global.f32 base=0x100000\nend\n"


def launch(words="grid=1 block=32", before=ARRAY, access=ACCESS):
    return f"{HEAD}{before}launch k {words}\n{access}"


def sites(count):
    lines = [f"site {i} ld.global.f32 file=a.cu line={i + 1} array=a\n" for i in range(count)]
    return HEAD + ARRAY + "launch k grid=1 block=32\n" + "".join(lines) + f"all warps\n@{count - 1} ld.global.f32 base=0x100000\nend\n"


def arrays(count):
    return launch(before="".join(f"array a{i} bytes=1024 base={0x100000 + 1024 * i}\n" for i in range(count)))


def named(length):
    name = "n" * length
    return launch(before=f"array {name} bytes=8192 base=0x100000\n")


def managed(count):
    return launch(before="".join(f"array a{i} bytes=4096 base={0x200000 * (i + 1)} managed\n" for i in range(count)),
                  access="all warps\nld.global.f32 base=0x200000\nend\n")


def file_of(length):
    name = "f" * length
    return launch(access=f"site 0 ld.global.f32 file={name} line=1 array=a\nall warps\n@0 ld.global.f32 base=0x100000\nend\n")


# What is made, the most, and the message of one more. sm_90 takes all that any GPU takes.
TRACES = [
    ("sites", sites, 65535, "more than 65535 different accesses (line, array, kind); allowed: 65535"),
    ("arrays of a launch", arrays, 4096, "4096"),
    ("bytes of an array's name", named, 4095, "names of up to 4095 bytes"),
    ("bytes of a file's name", file_of, 4095, "names of up to 4095 bytes"),
    ("managed arrays", managed, 64, "more than 64 managed arrays, or 16 GB of them"),
    ("threads of a block", lambda n: launch(f"grid=1 block={n}"), 1024, "allowed: 1 to 1024 threads"),
    ("blocks in y", lambda n: launch(f"grid=1,{n} block=32", access="block 0 warp 0\nld.global.f32 base=0x100000\nend\n"), 65535,
     "allowed: 1 to 2147483647 x 65535 x 65535, and below 2^32 in all"),
    ("blocks in z", lambda n: launch(f"grid=1,1,{n} block=32", access="block 0 warp 0\nld.global.f32 base=0x100000\nend\n"), 65535,
     "allowed: 1 to 2147483647 x 65535 x 65535, and below 2^32 in all"),
    ("bytes of shared memory", lambda n: launch(f"grid=1 block=32 shared={n}"), 232448, "allowed: 0 to 232448"),
    ("registers", lambda n: launch(f"grid=1 block=32 registers={n}"), 255, "allowed: 0 (unknown) to 255"),
]


class Checks:
    def __init__(self, warplens):
        self.warplens, self.failed = warplens, []

    def run(self, *words):
        run = subprocess.run([self.warplens, *words], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout, run.stderr

    def fail(self, text):
        print("FAIL:", text)
        self.failed.append(text)

    def fine(self, what, *words):
        status, out, messages = self.run(*words)
        if status != 0 or messages:
            self.fail(f"{what}: ends with {status}: {messages[:300]}")
        return out

    def refused(self, what, pattern, *words):
        status, out, messages = self.run(*words)
        if status != 2 or out or pattern not in messages or messages.count("\n") != 1:
            self.fail(f"{what}: {status}: {messages[:300]}")

    def trace(self, what, make, most, message):
        for count in (most, most + 1):
            with open("t.wlt.txt", "w", encoding="utf-8") as file:
                file.write(make(count))
            if count == most:
                self.fine(f"{count} {what}", "trace", "convert", "t.wlt.txt", "-o", "t.wlt")
                if "blocks" not in what: # most warps of such grids have no accesses
                    self.fine(f"{count} {what}, run", "run", "t.wlt", "--rules-only", "--gpu", "h200", "--format", "json")
            else:
                self.refused(f"{count} {what}", message, "trace", "convert", "t.wlt.txt", "-o", "t.wlt")


def launches(count):
    return HEAD + ARRAY + f"launch k grid=1 block=32\n{ACCESS}" * count


def check_launches(checks):
    """Of later launches than the first 10,000 a result has the sums alone."""
    for count in (10000, 10001):
        with open("l.wlt.txt", "w", encoding="utf-8") as file:
            file.write(launches(count))
        run = json.loads(checks.fine(f"{count} launches", "run", "l.wlt.txt", "--rules-only", "--gpu", "gtx280", "--format", "json"))["runs"][0]
        if len(run["launches"]) != 10000 or run["counters"]["launches"] != count or \
                run["counters"]["warp_accesses"] != count:
            checks.fail(f"{count} launches: {len(run['launches'])} are listed")


def check_words(checks):
    """Operands and values of the command line."""
    at = ["run", "offsetCopy", "-p", "n=2048", "--rules-only", "--format", "csv", "--gpu"]
    checks.fine("64 GPUs", *at, ",".join(["gtx280"] * 64))
    checks.refused("65 GPUs", "64", *at, ",".join(["gtx280"] * 65))
    values = [str(i) for i in range(65)]
    checks.fine("64 values", "sweep", "offsetCopy", "--list", "-p", "offset=" + ",".join(values[:64]))
    checks.refused("65 runs", "64", "compare", "offsetCopy", "--gpu", "gtx280", "-p", "offset=" + ",".join(values))


def main():
    checks = Checks(os.path.abspath(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for row in TRACES:
            checks.trace(*row)
        check_launches(checks)
        check_words(checks)
        os.chdir("/")
    sys.exit(bool(checks.failed))


main()
