#!/usr/bin/env python3
"""check_known.py WARPLENS ROOT - does `warplens check` show of the gallery and of sample programs what is true of
them, and nothing else? What is known stands in tests/data/check_known.txt, a line a finding; a first word that
stands there alone is checked and has none. Kernels of more than 100,000 warp accesses are left out for time.
"""
import json
import os
import subprocess
import sys

JOBS_EACH = 60


def known_of(path):
    known = {}
    with open(path) as stream:
        for line in stream:
            if line.strip() and not line.startswith("#"):
                name, _, finding = line.strip().partition(" ")
                findings = known.setdefault(name, set())
                if finding:
                    findings.add(finding)
    return known


def words(finding):
    places = " ".join(f"{access['file']}:{access['line']}" for access in finding["accesses"])
    return f"{finding['kind']} {places} {finding['holds']}"


def main():
    warplens, root = map(os.path.abspath, sys.argv[1:])
    known = known_of(f"{root}/tests/data/check_known.txt")
    names = list(known)
    failed = 0
    for first in range(0, len(names), JOBS_EACH):
        done = subprocess.run([warplens, "check", *names[first:first + JOBS_EACH], "--format", "json"], cwd=root,
                              stdout=subprocess.PIPE, text=True, timeout=110)
        runs = json.loads(done.stdout)["runs"]
        for name, run in zip(names[first:first + JOBS_EACH], runs, strict=True):
            found = {words(finding) for finding in run["findings"]}
            for title, findings in (("missed", known[name] - found), ("false", found - known[name])):
                failed += len(findings)
                for finding in sorted(findings):
                    print(f"{name}: {title}: {finding}")
    print(f"{len(names)} kernels and programs, {sum(map(len, known.values()))} findings")
    sys.exit(failed != 0)


main()
