#!/usr/bin/env python3
"""check.py - does `warplens check` find in each small program what its comments say, and nothing else?

usage: check.py WARPLENS FOLDER [NAME...]

A program says what is expected on GPUs before sm_70 and from sm_70 on, with lines marked by words of comments:

    // check: sm_60 nothing
    // check: sm_90 shared_read_write @put @get

Programs are put together into few, each in a namespace of its own, since compiling takes most of the time;
`#line` keeps their names. What a kernel's end would stop (faults), or what is not to be had here, runs alone.
Prints a table: found, missed, false. NAMEs: only these programs.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HAZARDS = {"shared_write_write", "shared_read_write", "global_write_write", "global_read_write", "lost_update",
           "warp_mask", "async_copy"}
# Faults that GPUs let pass, for sure; others may stop a program.
PASSING = {"unwritten_global", "unwritten_shared", "barrier_not_reached"}
GENERATIONS = {"sm_60": ("every GPU", "before sm_70"), "sm_90": ("every GPU", "from sm_70 on")}
FILES_EACH = 40
# Expectations that are not met, and why; each is checked to be missed still.
NOT_TO_BE_TOLD = {
    # Lanes that skip an if at the end of a kernel return, as those of an early return do, which may.
    "student_compact.cu",
}


class Program:
    def __init__(self, folder, file):
        self.file = file
        with open(os.path.join(folder, file)) as stream:
            self.text = stream.read()
        self.lines = {}
        for number, line in enumerate(self.text.split("\n"), 1):
            mark = None if line.startswith("// check:") else re.search(r"//.*?(@\w+)", line)
            if mark:
                self.lines[mark.group(1)] = number
        self.expected = set()
        self.kinds = set()
        self.generations = set()
        for generation, kind, marks in re.findall(r"^// check: (\S+) (\S+)(.*)$", self.text, re.M):
            self.generations.add(generation)
            if kind != "nothing":
                self.kinds.add(kind)
                places = frozenset(self.lines[mark] for mark in marks.split())
                self.expected.add((generation, kind, places))
        if self.generations != set(GENERATIONS):
            sys.exit(f"{file}: says nothing of {set(GENERATIONS) - self.generations}")

    def may_stop(self):
        return not self.kinds <= HAZARDS | PASSING

    def is_refused(self):
        """Blocks that wait for later ones cannot run here: blocks come one after another."""
        return self.file == "message_back_ok.cu"


def put_together(programs):
    """One text, in which each is called."""
    includes, parts, calls = set(), [], []
    for number, program in enumerate(programs):
        includes |= set(re.findall(r"^#include .*$", program.text, re.M))
        body = re.sub(r"^#include .*$", "", program.text, flags=re.M)
        macros = re.findall(r"^#define (\w+)", body, re.M)
        parts.append(f'namespace program_{number} {{\n#line 1 "{program.file}"\n{body}\n}}\n'
                     + "".join(f"#undef {macro}\n" for macro in macros))
        calls.append(f"    program_{number}::main();\n")
    return ("\n".join(sorted(includes)) + "\n" + "".join(parts) + '#line 1 "all.cu"\nint main()\n{\n'
            + "".join(calls) + "    return 0;\n}\n")


def check(warplens, path):
    done = subprocess.run([warplens, "check", path, "--format", "json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=200)
    run = (json.loads(done.stdout)["runs"] or [{}])[0] if done.stdout else {}
    findings, faults = run.get("findings", []), run.get("faults", {"failed": False, "places": []})
    if done.returncode != (2 if faults["failed"] else 3 if findings or faults["places"] else 0):
        sys.exit(f"{path}: status {done.returncode} with {len(findings)} findings\n{done.stderr}")
    return findings, faults["places"]


def found_by_file(findings, faults):
    found = {}
    for fault in faults:
        for generation in GENERATIONS:
            found.setdefault(fault["file"], set()).add((generation, fault["kind"], frozenset([fault["line"]])))
    for finding in findings:
        places = frozenset(access["line"] for access in finding["accesses"])
        for generation, words in GENERATIONS.items():
            if finding["holds"] in words:
                found.setdefault(finding["accesses"][0]["file"], set()).add((generation, finding["kind"], places))
    return found


def words(finding):
    generation, kind, places = finding
    return f"{generation} {kind} at {', '.join(str(place) for place in sorted(places))}"


def main():
    warplens, folder, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    names = sorted(name for name in os.listdir(folder) if name.endswith(".cu"))
    programs = [Program(folder, name) for name in names if not only or name[:-3] in only]
    if not programs:
        sys.exit(f"{folder}: no programs")
    left_out = [p for p in programs if p.is_refused()]
    programs = [p for p in programs if p not in left_out]
    lasting = [p for p in programs if not p.may_stop()]
    found = {}
    with tempfile.TemporaryDirectory() as place:
        for first in range(0, len(lasting), FILES_EACH):
            path = os.path.join(place, f"all{first}.cu")
            with open(path, "w") as stream:
                stream.write(put_together(lasting[first:first + FILES_EACH]))
            found.update(found_by_file(*check(warplens, path)))
    for program in programs:
        if program.may_stop():
            found.update(found_by_file(*check(warplens, os.path.join(folder, program.file))))
    counts = {"found": 0, "missed": 0, "false": 0}
    for program in programs:
        seen = found.get(program.file, set())
        if program.file in NOT_TO_BE_TOLD:
            if seen:
                sys.exit(f"{program.file}: found after all: take it off NOT_TO_BE_TOLD")
            left_out.append(program)
            continue
        counts["found"] += len(seen & program.expected)
        for title, findings in (("missed", program.expected - seen), ("false", seen - program.expected)):
            counts[title] += len(findings)
            for finding in sorted(findings, key=words):
                print(f"{program.file}: {title}: {words(finding)}")
    print(f"{len(names) - len(left_out)} programs: {counts['found']} found, {counts['missed']} missed, "
          f"{counts['false']} false; left out: {len(left_out)}")
    sys.exit(counts["missed"] or counts["false"])


main()
