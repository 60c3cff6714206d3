#!/usr/bin/env python3
"""output_commands.py WARPLENS ROOT - does -o of every command leave the file's mode, its other names and links to it?

Each command writes through a symbolic link onto a file of mode 0640 that has two names; the file holds what the
command prints without -o. A file that is read-only is refused with one line and stays. (`grade -o` names a folder, and `sweep -o` adds lines to its file.)
"""
import os
import stat
import subprocess
import sys
import tempfile

SMALL = ["-p", "n=2048"]


def commands(root):
    """(words in front of -o FILE, the option's name, may the command end with these)."""
    measured = os.path.join(root, "tests/data/nvprof_tegra_x1.csv")
    return [
        (["run", "offsetCopy", *SMALL], "-o", {0}),
        (["run", "offsetCopy", *SMALL, "--format", "html", "--no-advice"], "-o", {0}),
        (["run", "offsetCopy", *SMALL, "--format", "json"], "-o", {0}),
        (["compare", "offsetCopy", *SMALL], "-o", {0}),
        (["explain", "ld.global.f32 base=4"], "-o", {0}),
        (["advise", "offsetCopy", *SMALL], "-o", {0}),
        (["diff", "offsetCopy", "strideCopy"], "-o", {0}),
        (["gate", "offsetCopy", *SMALL, "--min", "gld_efficiency=1"], "-o", {0}),
        (["gate", "offsetCopy", *SMALL, "--min", "gld_efficiency=1"], "--junit", {0}),
        (["sweep", "offsetCopy", *SMALL, "--list"], "-o", {0}),
        (["merge", "shard.jsonl"], "-o", {0}),
        (["validate", measured, "copyRow,copyCol,transposeSmem"], "-o", {0, 3}),
        (["kernels"], "-o", {0}),
        (["gpus"], "-o", {0}),
        (["counters"], "-o", {0}),
        (["trace", "record", "offsetCopy", *SMALL], "-o", {0}),
        (["trace", "convert", "t.wlt", "--format", "text"], "-o", {0}),
        (["trace", "cat", "t.wlt"], "-o", {0}),
        (["trace", "info", "t.wlt"], "-o", {0}),
        (["trace", "check", "t.wlt"], "-o", {0}),
        (["quiz", "--list"], "-o", {0}),
    ]


def fresh(text, mode):
    for name in ("file", "other", "link"):
        if os.path.lexists(name):
            os.remove(name)
    with open("file", "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod("file", mode)


def check(warplens, words, option, allowed):
    fresh("old\n", 0o640)
    os.link("file", "other")
    os.symlink("file", "link")
    plain = subprocess.run([warplens, *words], capture_output=True, check=False)
    run = subprocess.run([warplens, *words, option, "link"], capture_output=True, check=False)
    status = os.lstat("file")
    with open("other", "rb") as file:
        text = file.read()
    if run.returncode not in allowed:
        yield f"ends with {run.returncode}: {run.stderr.decode()}"
    if text in (b"", b"old\n") or (option == "-o" and text != plain.stdout):
        yield "the file does not hold what is printed"
    if not os.path.islink("link") or stat.S_IMODE(status.st_mode) != 0o640 or status.st_nlink != 2:
        yield "a link, a name or the mode is lost"
    fresh("old\n", 0o440)
    run = subprocess.run([warplens, *words, option, "file"], capture_output=True, check=False)
    with open("file", "rb") as file:
        text = file.read()
    if run.returncode != 1 or text != b"old\n" or b"file: cannot open: Permission denied\n" not in run.stderr:
        yield f"a read-only file: {run.returncode}: {run.stderr.decode()}"


def main():
    warplens, root = map(os.path.abspath, sys.argv[1:3])
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for words in (["trace", "record", "offsetCopy", *SMALL, "-o", "t.wlt"],
                      ["sweep", "offsetCopy", *SMALL, "-o", "shard.jsonl"]):
            subprocess.run([warplens, *words], check=True)
        for words, option, allowed in commands(root):
            failed += [f"{' '.join(words)} {option}: {text}" for text in check(warplens, words, option, allowed)]
        left = set(os.listdir()) - {"t.wlt", "shard.jsonl", "file"}
        failed += [f"left: {left}"] if left else []
        os.chdir("/")
    for text in failed:
        print("FAIL:", text)
    sys.exit(bool(failed))


main()
