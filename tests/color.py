"""color.py WARPLENS DATA - do reports have colours only where somebody sees them, and the same words with and without?"""
import os
import pty
import re
import subprocess
import sys
import tempfile

warplens, data = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
folder = tempfile.TemporaryDirectory()
failures = []
SPEC = "title Copies\ngpu gtx280\npoints 1 min gst_efficiency=80\npoints 1 min gld_efficiency=101\n"
ESCAPES = re.compile(rb"\033\[[0-9]+m")
# Those whose text has styles today, and the others, which take the option too.
STYLED = {
    "compare": "compare transpose_naive,transpose -p width=64 -p height=64 --gpu gtx280",
    "diff": "diff transpose_naive transpose -p width=64 -p height=64 --gpu gtx280",
    "gate": "gate offsetCopy -p n=4k --min gst_efficiency=101 --max time=1000",
    "grade": "grade copies.grade copy.wlt",
    "merge": "merge lines.jsonl",
    "validate": "validate %s/tidy_h200.csv" % data,
}
OTHERS = {
    "run": "run offsetCopy -p n=4k",
    "advise": "advise transposeNaive -p width=64 -p height=64 --gpu gtx280",
    "explain": ["explain", "ld.global.f32 base=0x84 stride=4"],
}


def check(fine, what):
    if not fine:
        failures.append(what)


def run(command, *options, terminal=False, **variables):
    """The output, and the exit status."""
    words = (command.split() if isinstance(command, str) else command) + list(options)
    environment = {**os.environ, "TERM": "xterm", **variables}
    if "NO_COLOR" not in variables:
        environment.pop("NO_COLOR", None)
    ours, theirs = pty.openpty() if terminal else (None, subprocess.PIPE)
    process = subprocess.Popen([warplens, *words], stdout=theirs, stderr=subprocess.DEVNULL, cwd=folder.name,
                               env=environment)
    if not terminal:
        return process.communicate()[0], process.returncode
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the terminal is nobody's any more
            break
        if not part:
            break
        text += part
    os.close(ours)
    return text.replace(b"\r\n", b"\n"), process.wait()


with open(os.path.join(folder.name, "copies.grade"), "w") as spec:
    spec.write(SPEC)
run("trace record offsetCopy -p n=4k -o copy.wlt")
run("sweep offsetCopy -p n=4k -p offset=0,1 --gpu gtx280 -o lines.jsonl")

for name, command in {**STYLED, **OTHERS}.items():
    never, status = run(command, "--color", "never")
    always, status_always = run(command, "--color", "always")
    check(never and b"\033" not in never, "%s --color never: %r" % (name, never[:200]))
    check(status in (0, 3) and status == status_always, "%s: status %d and %d" % (name, status, status_always))
    check(ESCAPES.sub(b"", always) == never, "%s: other words with colours" % name)
    check(run(command)[0] == never, "%s: other text without a terminal" % name)
    check((name in STYLED) <= (b"\033" in always), "%s --color always has none" % name)

diff = STYLED["diff"]
always, never = run(diff, "--color", "always")[0], run(diff, "--color=never")[0]
check(b"\033[32mbetter\033[0m" in always, "diff: better is not green")
check(b"\033[31mworse\033[0m" in run("diff transpose transpose_naive --gpu gtx280 --color always")[0], "diff: worse is not red")
check(run(diff, terminal=True)[0] == always, "no colours at a terminal")
check(run(diff, terminal=True, NO_COLOR="")[0] == always, "no colours at a terminal with an empty NO_COLOR")
check(run(diff, terminal=True, NO_COLOR="1")[0] == never, "colours at a terminal with NO_COLOR")
check(run(diff, terminal=True, TERM="dumb")[0] == never, "colours at a dumb terminal")
check(run(diff, "--color", "always", NO_COLOR="1")[0] == always, "--color always gives in to NO_COLOR")
run(diff, "-o", "diff.txt", terminal=True)
with open(os.path.join(folder.name, "diff.txt"), "rb") as file:
    check(file.read() == never, "colours in a file")
for form in ("json", "csv"):
    check(b"\033" not in run(diff, "--format", form, "--color", "always")[0], "colours in %s" % form)

for failure in failures:
    print(failure)
sys.exit(bool(failures))
