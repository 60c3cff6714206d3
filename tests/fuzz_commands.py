"""fuzz_commands.py WARPLENS [--runs N] [--seconds S] [--seed N] - whole commands, from the command line to the last byte:
options with good, odd and damaged values, GPU files, traces, results, specs and measured files that are changed here
and there, in random company. Whatever comes in, the exit status is one that is documented, a failure is one line
for people, success says nothing on standard error but notes, JSON is JSON, and no file is left behind.

A finding is printed with its command line, and its files stay. Sanitized builds see more."""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

parser = argparse.ArgumentParser()
parser.add_argument("warplens")
parser.add_argument("--runs", type=int, default=60)
parser.add_argument("--seconds", type=float, default=1e9)
parser.add_argument("--seed", type=int, default=20261122)
wanted = parser.parse_args()
warplens = os.path.abspath(wanted.warplens)
tests = os.path.dirname(os.path.abspath(__file__))
dice = random.Random(wanted.seed)
print("seed", wanted.seed, flush=True)

STATUSES = {0, 1, 2, 3}
# A run of these stays small whatever comes.
KERNELS = ["skipLane", "sameWord", "permuted", "lineMiss", "sharedChar", "halfWarpGap", "vec3d", "sharedStride", "misaligned"]
GPUS = ["gtx280", "m2090", "k40", "gtx1080ti", "h200", "sm_13", "sm_9", "", "h200,gtx280", "H200", "sm_"]
COUNTERS = ["gld_efficiency", "global_load_sectors", "time", "all", "time,blocks", "nothing", "", ",", "gld_efficiency@h200"]
NUMBERS = ["0", "1", "2", "32", "255", "256", "-1", "1e9", "18446744073709551616", "0x10", "", "8M", "1,2", "nan", "inf",
           "4K", "007", " 3", "3 ", "2147483648", "1.5"]
WORDS = ["a", "x" * 300, "\u00e4", "--", "-", "%s%n", "../..", "a=b=c", "\x1b[31m", "*", "'", '"', "a b", "\\", "NULL", "."]
TRACE = """warplens text trace 1
note kernel k
array in bytes=8192 base=0x100000
launch k grid=2 block=64
site 0 ld.global.b32 file="k.cu" line=7 array=in
site 1 st.shared.b32 file="k.cu" line=8 array=tile
  all warps
  @0 ld.global.b32 base=0x100000 stride=8
  bar
  @1 st.shared.b32 base=0 stride=8
  end
"""
SPEC = "kernel k\nrun skipLane\ngpu h200\npoints 2 pass PASSED\npoints 1 gld_efficiency >= 80\n"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def output_of(*words):
    return subprocess.run([warplens, *words], capture_output=True, timeout=120).stdout


def seeds():
    """Good files by kind: what commands take."""
    data = os.path.join(tests, "data")
    corpus = os.path.join(tests, "fuzz", "corpus")
    files = {
        "trace.txt": [TRACE.encode()],
        "trace.csv": [read(os.path.join(data, "csv_lanes.csv"))],
        "nvbit.txt": [read(os.path.join(data, "nvbit_first.txt"))],
        "k.traceg": [read(os.path.join(data, "accelsim_v3.traceg"))],
        "trace.wlt": [output_of("trace", "record", "sameWord", "-o", "/dev/stdout")],
        "gpu.arch": [output_of("gpus", name, "--format", "arch-file") for name in ("gtx280", "k40", "h200")],
        "result.json": [output_of("run", "sameWord,skipLane", "--gpu", "h200,m2090", "--format", "json")],
        "measured.csv": [read(os.path.join(data, name)) for name in ("tidy_h200.csv", "ncu_raw_v100.csv", "nvprof_tegra_x1.csv")],
        "sweep.jsonl": [output_of("sweep", "sameWord", "--gpu", "h200,gtx280")],
    }
    for kind, name in (("grade", "spec.grade"), ("merge", "sweep.jsonl"), ("arch_file", "gpu.arch"), ("result", "result.json")):
        folder = os.path.join(corpus, kind)
        files.setdefault(name, []).extend(read(os.path.join(folder, f)) for f in sorted(os.listdir(folder)))
    files["sweep.jsonl"] = files["sweep.jsonl"][:1] * 9 + files["sweep.jsonl"][1:]
    return {name: [text for text in texts if len(text) < 200000] for name, texts in files.items()}


SEEDS = seeds()


# How much of a command is odd: most of them get past the first check.
oddness = 0.0


def odd():
    return dice.random() < oddness


def damage(text):
    """A file with some bytes, lines or numbers changed; often as it is."""
    text = bytearray(text)
    for _ in range(dice.choice([1, 1, 2, 5]) if odd() else 0):
        if not text:
            break
        at = dice.randrange(len(text))
        how = dice.randrange(7)
        if how == 0:
            text[at] = dice.randrange(256)
        elif how == 1:
            del text[at:at + dice.choice([1, 4, 100])]
        elif how == 2:
            text[at:at] = text[dice.randrange(len(text)):][:dice.choice([1, 20, 300])]
        elif how == 3:
            del text[at:]
        elif how == 4:
            numbers = list(re.finditer(rb"-?\d+", bytes(text)))
            if numbers:
                number = dice.choice(numbers)
                text[number.start():number.end()] = dice.choice(NUMBERS).encode()
        elif how == 5:
            lines = bytes(text).split(b"\n")
            dice.shuffle(lines)
            text = bytearray(b"\n".join(lines))
        else:
            lines = bytes(text).split(b"\n")
            lines[dice.randrange(len(lines))] = dice.choice(WORDS).encode()
            text = bytearray(b"\n".join(lines))
    return bytes(text)


def file_of(folder, name):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(damage(dice.choice(SEEDS[name])))
    return name


def options_of(command):
    """(option, what it takes) of a command, as its help lists them."""
    text = subprocess.run([warplens, "help", command], capture_output=True, text=True, timeout=60).stdout
    found = re.findall(r"^  (?:(-\w), )?(--[\w-]+)(?: ([^\s]+))?", text, re.M)
    return [(short if short and dice.randrange(2) else name, value) for short, name, value in found]


COMMANDS = "run compare explain advise diff gate grade sweep merge validate kernels gpus counters quiz trace".split()
OPTIONS = {command: options_of(command) for command in COMMANDS}


def value_of(folder, option, value):
    if option in ("-o", "--output", "--junit"):
        return dice.choice(["no/such/folder/out", "."]) if odd() else dice.choice(["out", "out.html", "out.wlt"])
    if odd():
        return dice.choice(WORDS + NUMBERS)
    if "arch" in option:
        return file_of(folder, "gpu.arch")
    if option == "--baseline":
        return file_of(folder, "result.json")
    if option == "--gpu":
        return dice.choice(GPUS if odd() else GPUS[:6])
    if option in ("--min", "--max", "--max-error"):
        return dice.choice(COUNTERS) + "=" + dice.choice(NUMBERS)
    if option in ("-p", "--param"):
        return dice.choice(["n", "offset", "stride", "width", "blocks"]) + "=" + dice.choice(NUMBERS[:6] if odd() else ["1", "64"])
    if option == "--set":
        return dice.choice(["l1_bytes", "sm_count", "sm", "l2_bytes", "l1_line", "dram_partitions", "loads_in_flight", "x",
                            "gpcs", "l2_slices", "warps_per_sm"]) + "=" + dice.choice(NUMBERS if odd() else ["1", "2", "4", "64K", "96"])
    if "|" in value:
        return dice.choice(value.split("|"))
    if option == "--picture":
        return dice.choice("lines arrays access banks partitions flow limits timeline gpus none".split())
    if option == "--from":
        return dice.choice("binary text csv nvbit accelsim".split())
    if option == "--shard":
        return dice.choice(["1/1", "1/2", "2/2"])
    if option == "--counters":
        return dice.choice(COUNTERS[:5])
    if option in ("-j", "--jobs", "-n", "--questions"):
        return dice.choice(["1", "2"])
    if option in ("--with", "-I", "--include", "-D", "--define"):
        return dice.choice(WORDS)
    return dice.choice(NUMBERS if odd() else ["1", "2", "8", "0-1", "csv", "1/2"])


def operands_of(folder, command):
    def input_of():
        traces = ["trace.txt", "trace.csv", "nvbit.txt", "k.traceg", "trace.wlt"]
        return dice.choice(WORDS if odd() else KERNELS + [file_of(folder, dice.choice(traces)) for _ in range(6)])

    if command == "grade":
        return [file_of(folder, "spec.grade"), file_of(folder, dice.choice(["trace.txt", "trace.wlt", "k.traceg"]))]
    if command == "merge":
        return [file_of(folder, "sweep.jsonl")]
    if command == "validate":
        return [file_of(folder, "measured.csv")] + ([dice.choice(KERNELS)] if dice.randrange(2) else [])
    if command == "diff":
        return [dice.choice([input_of(), file_of(folder, "result.json")]) for _ in range(2)]
    if command == "trace":
        action = dice.choice(["record", "cat", "convert", "check", "info", "none"])
        return [action, input_of()]
    if command == "explain":
        return [dice.choice([input_of(), "ld.global.f32 [4*threadIdx.x]", "st.shared.f32 [threadIdx.x*33 % 96 + 1]", "sameWord:1",
                             "cp.async.cg.16 to layout=64x64 o (8,4):(512,1) f16 ; ldmatrix.x4 layout=64x64 f16"])]
    if command in ("gpus", "counters", "kernels", "quiz"):
        names = {"gpus": GPUS, "counters": COUNTERS, "kernels": KERNELS, "quiz": KERNELS}[command]
        return dice.choice([[], [dice.choice(WORDS if odd() else names)]])
    return [input_of() for _ in range(dice.choice([1, 1, 1, 2]))]


def some_command(folder):
    global oddness
    oddness = dice.choice([0.0, 0.05, 0.2, 0.5])
    command = dice.choice(COMMANDS)
    words = operands_of(folder, command)
    for option, value in dice.sample(OPTIONS[command], min(len(OPTIONS[command]), dice.choice([0, 1, 2, 4]))):
        words += [option] + ([value_of(folder, option, value)] if value else [])
    if odd() and odd():
        words.append(dice.choice(WORDS))
    if command == "quiz": # nobody is asked
        words.append("--list")
    if command == "gate" and not odd():
        words += ["--max", dice.choice(COUNTERS[:3]) + "=" + dice.choice(NUMBERS[:5])]
    return [command] + words


def readable(words, text, folder):
    """NULL bytes and bad JSON or XML are findings; what went to a file is looked at there."""
    name = next((words[i + 1] for i, word in enumerate(words[:-1]) if word in ("-o", "--output")), None)
    if name and os.path.isfile(os.path.join(folder, name)):
        text = read(os.path.join(folder, name))
    form = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--format"][-1:]
    if form == ["json"]:
        json.loads(text.decode())
    if form == ["svg"] or "--picture" in words:
        xml.fromstring(text.decode())


def wrong(words, done, folder, before):
    """What is not as promised, or None."""
    errors = done.stderr.decode("utf-8", "replace")
    if done.returncode not in STATUSES:
        return "exit status %d" % done.returncode
    if re.search(r"(runtime error|Sanitizer)", errors):
        return "a sanitizer's message"
    if done.returncode in (1, 2) and words[:2] != ["trace", "check"] and not errors.startswith("warplens"):
        return "a failure without a message"
    if re.search("[\x00-\x08\x0b-\x1f\x7f]", errors):
        return "control characters on standard error"
    if done.returncode in (0, 3) and words[0] not in ("trace", "grade") and "--list" not in words:
        try:
            readable(words, done.stdout, folder)
        except (ValueError, xml.ParseError) as error:
            return "unreadable output: %s" % error
    left = set(os.listdir(folder)) - before - {"out", "out.html", "out.wlt"}
    if left:
        return "files left behind: %s" % sorted(left)
    return None


def main():
    findings = 0
    end = time.monotonic() + wanted.seconds
    runs = 0
    statuses = {}
    while runs < wanted.runs and time.monotonic() < end:
        folder = tempfile.mkdtemp()
        words = [word.replace("\0", "") for word in some_command(folder)]
        before = set(os.listdir(folder))
        try:
            done = subprocess.run([warplens, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                                  env=dict(os.environ, ASAN_OPTIONS="detect_leaks=1"))
            what = wrong(words, done, folder, before)
            errors = done.stderr
            statuses[done.returncode] = statuses.get(done.returncode, 0) + 1
        except subprocess.TimeoutExpired:
            what, errors = "takes more than five minutes", b""
        runs += 1
        if what is None:
            shutil.rmtree(folder)
            continue
        findings += 1
        print("%s: cd %s; warplens %s\n%s" % (what, folder, " ".join(map(repr, words)), errors.decode("utf-8", "replace")[-2000:]),
              flush=True)
    print("%d commands, %d findings; exit statuses: %s" % (runs, findings, dict(sorted(statuses.items()))))
    return findings != 0


sys.exit(main())
