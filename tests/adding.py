"""adding.py ROOT [--update] - do the recipes of docs/adding.md work, to the letter?

The recipes are done in a copy of the source: each edit that they name is made, the program is built, and the
console blocks of the page must show what it prints. Edits are written so that this script and a reader
understand them alike, a file's name in bold and then what happens to it:

    **`PATH`**, new: ...                                the next block of code is the file
    **`PATH`**, the list `NAME`: the word `'WORD'`      of a meson.build, at the end; or: behind `'WORD'`
    **`PATH`**, after `TEXT` ...                        the next block goes behind the one line that has TEXT
    **`PATH`**, above `TEXT` ...                        in front of it
    **`PATH`**, instead of `TEXT` ...                   in its place
    **`PATH`**, at the end ...                          the next block goes there

An edit that does not apply is a failure, so that the page cannot fall behind the code.
"""
import os
import re
import subprocess
import sys
import tempfile

PAGE = "docs/adding.md"
EDIT = re.compile(r"\*\*`(?P<path>[^`]+)`\*\*,\s+"
                  r"(?:(?P<new>new)|the\s+list\s+`(?P<list>\w+)`:\s+the\s+word\s+(?P<word>`'[^']+'`)"
                  r"(?:\s+behind\s+`(?P<behind>'[^']+')`)?"
                  r"|(?P<where>after|above|instead of)\s+`(?P<anchor>[^`]+)`|(?P<end>at the end))")
BLOCK = re.compile(r"^( *)```\w*\n(.*?)^ *```$", re.M | re.S)


def fail(text):
    sys.exit(f"{PAGE}: {text}")


def next_block(page, begin):
    """The next block of code, without the blanks that it has as part of a list."""
    found = BLOCK.search(page, begin) or fail(f"no block of code behind {page[begin:begin + 60]!r}")
    indent, text = found.groups()
    return "".join(line[len(indent):] if line.strip() else line for line in text.splitlines(True))


def put_beside(text, edit, block):
    lines = text.splitlines(True)
    places = [i for i, line in enumerate(lines) if edit["anchor"] in line]
    if len(places) != 1:
        fail(f"{edit['path']}: {edit['anchor']!r} is in {len(places)} lines, not in one")
    begin = places[0] + (edit["where"] == "after")
    lines[begin:places[0] + (edit["where"] != "above")] = [block]
    return "".join(lines)


def add_word(text, edit):
    word, behind = edit["word"].strip("`"), edit["behind"]
    found = re.search(rf"^{edit['list']} = \[[^\]]*", text, re.M) or fail(f"{edit['path']} has no list {edit['list']}")
    end = found.start() + found[0].index(behind) + len(behind) if behind else found.end()
    return text[:end] + f", {word}" + text[end:]


def changed(text, page, edit):
    if edit["list"]:
        return add_word(text, edit)
    block = next_block(page, edit.end())
    return text + block if edit["end"] else put_beside(text, edit, block)


def make_edits(page, root):
    edits = list(EDIT.finditer(page))
    for edit in edits:
        path = os.path.join(root, edit["path"])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        text = ""
        if not edit["new"]:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        elif os.path.exists(path):
            fail(f"{edit['path']} is there already")
        with open(path, "w", encoding="utf-8") as file:
            file.write(next_block(page, edit.end()) if edit["new"] else changed(text, page, edit))
    return len(edits)


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
                        ["ninja", "-C", build, "warplens"]):
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                fail("what the recipes make does not build:\n" + done.stdout[-4000:])
        blocks = os.path.join(source, "tests/console_blocks.py")
        checked = subprocess.run([sys.executable, blocks, os.path.join(build, "warplens"),
                                  os.path.join(source, PAGE), *update], cwd=root)
    return checked.returncode


sys.exit(main())
