#!/usr/bin/env python3
"""Compiles one file with nvcc, with calls of wl_record in front of its kernels' accesses.

    instrument_nvcc.py --first-site N --sites SITES.inc --work DIR -- nvcc -x cu -dc ... -c FILE -o OUT

Asks nvcc which steps it would take (-dryrun), and takes them: the PTX that a ptxas step is about to
read goes through instrument_ptx.py first. Intermediate files stay in DIR: FILE.ptx is what ptxas
read, FILE.plain.ptx what the compiler made.
"""
import argparse
import os
import re
import subprocess
import sys

import instrument_ptx


def fail(message):
    print(f"instrument_nvcc.py: {message}", file=sys.stderr)
    sys.exit(1)


def nvcc_steps(command, work):
    """nvcc's settings and the commands it would run."""
    answer = subprocess.run(command + ["-dryrun", "--keep", "--keep-dir", work],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if answer.returncode != 0:
        fail(f"{' '.join(command)} -dryrun:\n{answer.stdout}")
    settings, steps = dict(os.environ), []
    for line in answer.stdout.splitlines():
        match = re.match(r"#\$ (?:(\w+)=(.*)|(.+))$", line)
        if match and match.group(1):
            settings[match.group(1)] = match.group(2).strip()
        elif match:
            steps.append(match.group(3))
    return settings, steps


def instrument(ptx, options):
    plain = ptx[:-len(".ptx")] + ".plain.ptx"
    os.rename(ptx, plain)
    status = subprocess.run([sys.executable, instrument_ptx.__file__, "--first-site",
                             str(options.first_site), plain, ptx, options.sites]).returncode
    if status != 0:
        sys.exit(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--first-site", type=int, required=True)
    parser.add_argument("--sites", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("nvcc", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    settings, steps = nvcc_steps(options.nvcc, options.work)
    instrumented = set()
    for step in steps:
        ptx = re.search(r'"?([^"\s]+\.ptx)"?', step) if re.match(r'"?[^"\s]*ptxas\b', step) else None
        if ptx and ptx.group(1) not in instrumented:
            instrument(ptx.group(1), options)
            instrumented.add(ptx.group(1))
        status = subprocess.run(step, shell=True, env=settings).returncode
        if status != 0:
            fail(f"this step failed:\n{step}")
    if len(instrumented) != 1:
        fail(f"nvcc runs ptxas on {len(instrumented)} PTX files, not on one")


if __name__ == "__main__":
    main()
