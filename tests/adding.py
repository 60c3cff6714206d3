"""adding.py ROOT [--update] - do the recipes of docs/adding.md work, to the letter?

The recipes are done in a copy of the source: each edit that they name is made, the program is built, and the
console blocks of the page must show what it prints. Edits are written so that this script and a reader
understand them alike, a file's name in bold and then what happens to it:

    **`PATH`**, new: ...                                the next block of code is the file
    **`PATH`**, the list `NAME`: the word `'WORD'`      of a meson.build
    **`PATH`**, after `TEXT`: ...                       the next block goes behind the one line that has TEXT
    **`PATH`**, at the end: ...                         the next block goes there

An edit that does not apply is a failure, so that the page cannot fall behind the code.
"""
import os
import re
import subprocess
import sys
import tempfile

PAGE = "docs/adding.md"
EDIT = re.compile(r"\*\*`(?P<path>[^`]+)`\*\*,\s+"
                  r"(?:(?P<new>new)|the list `(?P<list>\w+)`: the word `'(?P<word>[^']+)'`"
                  r"|after `(?P<after>[^`]+)`|(?P<end>at the end))")
BLOCK = re.compile(r"^( *)```\w+\n(.*?)^ *```$", re.M | re.S)


def fail(text):
    sys.exit(f"{PAGE}: {text}")


def next_block(page, begin):
    """The next block of code, without the blanks that it has as part of a list."""
    found = BLOCK.search(page, begin) or fail(f"no block of code behind {page[begin:begin + 60]!r}")
    indent, text = found.groups()
    return "".join(line[len(indent):] if line.strip() else line for line in text.splitlines(True))


def insert_behind(text, anchor, block, path):
    lines = text.splitlines(True)
    places = [i for i, line in enumerate(lines) if anchor in line]
    if len(places) != 1:
        fail(f"{path}: {anchor!r} is in {len(places)} lines, not in one")
    lines.insert(places[0] + 1, block)
    return "".join(lines)


def add_word(text, name, word, path):
    found = re.search(rf"^{name} = \[[^\]]*", text, re.M) or fail(f"{path} has no list {name}")
    return text[:found.end()] + f", '{word}'" + text[found.end():]


def make_edits(page, root):
    count = 0
    for edit in EDIT.finditer(page):
        path = os.path.join(root, edit["path"])
        if edit["new"]:
            with open(path, "x", encoding="utf-8") as file:
                file.write(next_block(page, edit.end()))
        else:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if edit["list"]:
                text = add_word(text, edit["list"], edit["word"], edit["path"])
            elif edit["end"]:
                text += next_block(page, edit.end())
            else:
                text = insert_behind(text, edit["after"], next_block(page, edit.end()), edit["path"])
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        count += 1
    return count


def main():
    source, update = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with open(os.path.join(source, PAGE), encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as folder:
        root, build = os.path.join(folder, "warplens"), os.path.join(folder, "build")
        os.mkdir(root)
        parts = ["meson.build", "meson_options.txt", "src", "include", "traces", "tests", "docs", "examples",
                 "validation", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"]
        subprocess.run(["cp", "-r", *(os.path.join(source, part) for part in parts), root], check=True)
        print(f"{make_edits(page, root)} edits")
        # Checked is what it prints, not how fast; kernels have their own optimisation.
        for command in (["meson", "setup", build, root, "-Doptimization=0", "-Ddebug=false", "-Dtests=disabled"],
                        ["ninja", "-C", build, "warplens", "libwarplens_program.a"]):
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                fail("what the recipes make does not build:\n" + done.stdout[-4000:])
        blocks = os.path.join(source, "tests/console_blocks.py")
        checked = subprocess.run([sys.executable, blocks, os.path.join(build, "warplens"),
                                  os.path.join(source, PAGE), *update], cwd=root)
    return checked.returncode


sys.exit(main())
