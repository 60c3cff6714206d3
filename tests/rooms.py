#!/usr/bin/env python3
"""rooms.py ROOT - is the code laid out as docs/architecture.md says?

Its table names every room (a folder of src/, with src/sim/ in three), and what each may include. An include that
is not in the table, one in the table that no file makes, a room that stands above one it includes, and a folder
of more than 40 files are failures, and so is a header of the model of time that reaches another room through
headers. A .c and its .h count as one file. Every file begins with its name.
"""
import os
import re
import sys

FILES_MAX = 40
ENGINE = "sim/time"
ROW = re.compile(r"^\| `([^`]+)` \|.*\| ([^|]*) \|$")
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.M)


def table(path):
    """Rooms in their order, each with the set of those that it may include."""
    with open(path, encoding="utf-8") as page:
        rows = [ROW.match(line) for line in page]
    return {row[1]: set(re.findall(r"`([^`]+)`", row[2])) for row in rows if row}


def room_of(path):
    """The room of a file below src/, or of a name in an include; headers without a folder are traces/."""
    parts = path.split("/")
    if len(parts) == 1:
        return "traces"
    return "/".join(parts[:2]) if parts[0] == "sim" else parts[0]


def includes(root):
    """(file, its room, the room that it includes), of every include that leaves a room."""
    for top in ("src", "traces"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if not name.endswith((".c", ".h", ".def", ".in")):
                    continue
                path = os.path.join(folder, name)
                inside = os.path.relpath(path, os.path.join(root, "src"))
                room = "traces" if top == "traces" else "main" if inside == "main.c" else room_of(inside)
                with open(path, encoding="utf-8") as source:
                    for included in INCLUDE.findall(source.read()):
                        if room_of(included) != room:
                            yield path, room, room_of(included)


def check_includes(rooms, root):
    order = list(rooms)
    used = {room: set() for room in rooms}
    for room, allowed in rooms.items():
        for other in allowed:
            if other not in rooms or order.index(other) >= order.index(room):
                yield f"docs/architecture.md: {room} includes {other}, which must be a row above it"
    for path, room, other in includes(root):
        if room not in rooms:
            yield f"{path}: room {room} is not in the table of docs/architecture.md"
        elif other not in rooms[room]:
            yield f"{path}: {room} may not include {other}; it may include {', '.join(sorted(rooms[room])) or 'nothing'}"
        else:
            used[room].add(other)
    for room in rooms:
        for other in sorted(rooms[room] - used[room]):
            yield f"docs/architecture.md: {room} may include {other}, but no file does"


def reached(root, path, seen):
    """All headers of src/ that a file includes, through others as well."""
    with open(os.path.join(root, "src", path), encoding="utf-8") as source:
        for included in INCLUDE.findall(source.read()):
            if included not in seen and os.path.exists(os.path.join(root, "src", included)):
                seen.add(included)
                reached(root, included, seen)
    return seen


def check_engine(rooms, root):
    """No room sees a header of the engine through other rooms' headers."""
    for folder, _, names in os.walk(os.path.join(root, "src")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), os.path.join(root, "src"))
            room = "main" if path == "main.c" else room_of(path)
            if not name.endswith((".c", ".h")) or room == ENGINE or ENGINE in rooms.get(room, ()):
                continue
            for header in sorted(reached(root, path, set())):
                if room_of(header) == ENGINE:
                    yield f"src/{path}: sees {header}, of the engine"


def check_sizes(root):
    for folder, _, names in os.walk(os.path.join(root, "src")):
        files = {name.rsplit(".", 1)[0] for name in names if name.endswith((".c", ".h", ".def"))}
        if len(files) > FILES_MAX:
            yield f"{folder}: {len(files)} files; at most {FILES_MAX}, or folders"


def check_names(root):
    for folder, _, names in os.walk(os.path.join(root, "src")):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith((".c", ".h", ".def")):
                with open(path, encoding="utf-8") as source:
                    if not source.readline().startswith(f"/* {name} - "):
                        yield f"{path}: does not begin with /* {name} - and what it is"


def main():
    root = sys.argv[1]
    rooms = table(os.path.join(root, "docs/architecture.md"))
    faults = [*check_includes(rooms, root), *check_engine(rooms, root), *check_sizes(root), *check_names(root)]
    for fault in faults:
        print(fault)
    print(f"{len(rooms)} rooms, {len(faults)} faults")
    return 1 if faults or not rooms else 0


sys.exit(main())
