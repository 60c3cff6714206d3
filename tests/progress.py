"""progress.py WARPLENS - does a person at a terminal see how far a command is, when it takes over a second, on one
line that goes away, and nobody elsewhere?
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time

warplens = os.path.abspath(sys.argv[1])
COLUMNS = 72
ERASED = "\r\033[K"
failures = []


def check(fine, what):
    if not fine:
        failures.append(what)


def start(arguments, errors, output):
    return subprocess.Popen([warplens, *arguments.split()], stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                            env=dict(os.environ, TERM="xterm"))


def at_terminal(arguments, shares_output=False):
    """What a command writes to a terminal with standard error, and perhaps with standard output; its seconds."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    began, text = time.time(), b""
    process = start(arguments, theirs, theirs if shares_output else subprocess.DEVNULL)
    os.close(theirs)
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the terminal is nobody's any more
            break
        if not part:
            break
        text += part
    check(process.wait() == 0, "%s: status %d" % (arguments, process.returncode))
    os.close(ours)
    return text.decode(), time.time() - began


def lines_of(text):
    """The lines that were written over each other, in their order."""
    return [line[:-3] for line in text.split("\r")[1:] if line.endswith("\033[K") and len(line) > 3]


rows, seconds = 128, 0
while seconds < 1.4 and rows < 1024:  # long enough to be seen, on any machine
    rows *= 2
    long = "run matrixMul --rules-only --gpu v100,h200 -p wA=256 -p wB=256 -p hA=%d" % rows
    piped = start(long, subprocess.PIPE, subprocess.DEVNULL)  # beside the other
    text, seconds = at_terminal(long)
    check(piped.communicate()[1] == b"", "something in a pipe: %s" % long)
lines = lines_of(text)
check(len(lines) > 1 and lines[0].startswith("matrixMul on 2 GPUs: "), "no line: %r" % text)
check(len(lines) <= (seconds - 1) / 0.2 + 2, "%d lines in %.1f s" % (len(lines), seconds))
check(all(len(line) < COLUMNS and line.isprintable() for line in lines), "too long: %r" % lines)
check(text.endswith(ERASED), "the line stays: %r" % text[-80:])
blocks = [tuple(map(int, found)) for found in re.findall(r"launch 1, (\d+) of (\d+) blocks", text)]
check(blocks and blocks == sorted(blocks) and 0 < blocks[-1][0] <= blocks[-1][1], "blocks: %r" % blocks)
left = [int(found) for found in re.findall(r"(\d+) s left", text)]
check(left and max(left) <= 3 * seconds + 1, "time left: %r of %.1f s" % (left, seconds))

text, seconds = at_terminal("run offsetCopy -p n=64k", shares_output=True)
check("\033[K" not in text or seconds > 1, "a short run shows a line: %r" % text[:80])

for failure in failures:
    print(failure)
sys.exit(bool(failures))
