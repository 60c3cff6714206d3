#!/usr/bin/env python3
"""sampling_error.py WARPLENS [options] [KERNEL ...] - how far is --sample off?

Runs kernels of the gallery whole and as samples, at sizes of many waves of blocks, and prints for how many the time of
the whole run is within the error that the sample states, and how large both are. Every counter of the rules must be the
same; the exit status is 1 when one is not, and when fewer runs than asked for are sampled or within their error. Runs
of which nothing is left out are counted apart.
"""
import argparse
import json
import re
import statistics
import subprocess
import sys

GPUS = "8800gtx,gtx280,m2090,k20x,gtx1080ti,h200"
# What makes a kernel larger without making it another one: a parameter, and how much it may be.
SIZES = {"n": 1 << 22, "width": 4096, "height": 2048, "nx": 4096, "ny": 2048, "blocks": 8192, "hA": 1024, "wB": 1024, "m": 1024,
         "Arows": 1024, "Bcols": 1024}


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def kernels(warplens):
    return re.findall(r"^  (\w+)  ", output(warplens, "kernels"), re.M)


def parameters(warplens, kernel, times):
    """What to run it with: sizes of long runs, `times` as large."""
    given = []
    for name, _, most in re.findall(r"^  (\w+) +(\d+) +\S+ +(\d+)", output(warplens, "kernels", kernel), re.M):
        if name in SIZES:
            given += ["-p", f"{name}={max(1, min(int(SIZES[name] * times), int(most)))}"]
    return given


def run(warplens, kernel, given, gpus, *options):
    text = output(warplens, "run", kernel, *given, "--gpu", gpus, "--format", "json", *options)
    return json.loads(text)["runs"]


def both(warplens, kernel, given, gpus):
    """(whole, sample) on each GPU that the kernel fits."""
    try:
        return list(zip(run(warplens, kernel, given, gpus), run(warplens, kernel, given, gpus, "--sample")))
    except subprocess.CalledProcessError as error:
        if error.returncode != 2:
            raise
        each = gpus.split(",")
        return sum((both(warplens, kernel, given, gpu) for gpu in each), []) if len(each) > 1 else []


def counters_of_rules(warplens):
    """Of the report with rules alone, all of whose counters are of the rules."""
    text = output(warplens, "run", "copy", "-p", "width=32", "-p", "height=32", "--rules-only", "--format", "json")
    return set(json.loads(text)["runs"][0]["counters"])


def parts(run_):
    yield "the whole", run_["counters"]
    for line in run_["lines"]:
        yield f"line {line['line']}", line["counters"]
    for array in run_["arrays"]:
        yield f"array {array['array']}", array["counters"]


def differences(whole, sample, exact):
    for (name, a), (_, b) in zip(parts(whole), parts(sample)):
        for counter in exact:
            if a.get(counter) != b.get(counter):
                yield f"{name}: {counter} is {b.get(counter)} for {a.get(counter)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warplens")
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--gpu", default=GPUS)
    parser.add_argument("--times", type=float, default=1, help="as large as usual; default 1")
    parser.add_argument("--verbose", action="store_true", help="a line for each run that was sampled")
    parser.add_argument("--at-least", type=float, default=0, metavar="PERCENT", help="of the runs, within the error")
    parser.add_argument("--runs-at-least", type=int, default=0, metavar="N", help="that are sampled")
    options = parser.parse_intermixed_args()
    exact = counters_of_rules(options.warplens)
    errors, bars, within, reasons, wrong = [], [], 0, {}, 0
    for kernel in options.kernels or kernels(options.warplens):
        given = parameters(options.warplens, kernel, options.times)
        for whole, sample in both(options.warplens, kernel, given, options.gpu):
            for difference in differences(whole, sample, exact):
                print(f"{kernel} on {whole['gpu']}: {difference}")
                wrong += 1
            told = sample["sampled"]
            if "whole_since" in told:
                reasons[told["whole_since"]] = reasons.get(told["whole_since"], 0) + 1
                continue
            took, estimate = (r["counters"]["elapsed_cycles"] for r in (whole, sample))
            errors.append(100 * abs(estimate - took) / took)
            bars.append(told["time_error_percent"])
            fits = abs(estimate - took) <= told["time_error_percent"] / 100 * estimate
            within += fits
            if options.verbose:
                dram = [sum(r["counters"][c] for c in ("dram_read_sectors", "dram_write_sectors")) for r in (whole, sample)]
                print(f"{'  ' if fits else '! '}{kernel:24} {whole['gpu']:10} {told['waves_modelled']:4} of {told['waves']:5} waves "
                      f"{100 * (estimate - took) / took:+6.2f} % +- {bars[-1]:5.2f} DRAM {100 * (dram[1] - dram[0]) / max(dram[0], 1):+6.2f} %",
                      flush=True)
    for reason, count in sorted(reasons.items()):
        print(f"modelled whole, {reason}: {count}")
    if errors:
        print(f"sampled: {len(errors)}; within the stated error: {within}")
        print(f"error of the time: median {statistics.median(errors):.2f} %, largest {max(errors):.2f} %; "
              f"stated: median {statistics.median(bars):.2f} %, largest {max(bars):.2f} %")
    missed = len(errors) < options.runs_at_least or within < options.at_least / 100 * len(errors)
    return 1 if wrong or missed else 0


if __name__ == "__main__":
    sys.exit(main())
