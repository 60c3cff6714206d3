#!/usr/bin/env python3
"""signals.py WARPLENS [SECONDS [SEED]] - does a signal at any moment leave no file behind, and the old file whole?

For SECONDS (5): a command with -o, and a CUDA program that is compiled, run and reported, each sent SIGINT, SIGTERM,
SIGHUP, SIGQUIT, SIGXCPU or SIGXFSZ at a random moment of its life. The directory and TMPDIR hold afterwards what they held
before, or the complete new file when it was done first. Then SIGKILL: neither the program nor a child of its own
goes on. The seed is printed; the same seed picks the same moments.
"""
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGXFSZ]
PROGRAM = """#include <cstdio>
__global__ void k(float *a) { a[threadIdx.x] += 1; }
int main() { float *a; cudaMalloc(&a, 4096); cudaMemset(a, 0, 4096);
    for (int i = 0; i < 300; i++) k<<<64, 128>>>(a); cudaDeviceSynchronize(); }
"""
FORKS = """#include <cstdio>
#include <unistd.h>
#include <sys/wait.h>
static void tell(const char *name)
{
    FILE *out = fopen("telling", "w");
    fprintf(out, "%d\\n", (int)getpid());
    fclose(out);
    rename("telling", name);
}
int main()
{
    tell("program.pid");
    if (fork() == 0) {
        tell("child.pid");
        for (int i = 0; i < 60; i++) sleep(1);
        _exit(0);
    }
    wait(NULL);
}
"""


class Place:
    """A directory with an old file, and a TMPDIR in it."""

    def __init__(self, folder):
        self.folder = folder
        self.temporary = os.path.join(folder, "tmp")
        self.out = os.path.join(folder, "out")
        os.mkdir(self.temporary)
        for name, text in (("p.cu", PROGRAM), ("forks.cu", FORKS)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)

    def reset(self):
        with open(self.out, "w", encoding="utf-8") as file:
            file.write("old\n")

    def start(self, command):
        return subprocess.Popen(command, cwd=self.folder, env=dict(os.environ, TMPDIR=self.temporary),
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def complaints(self, whole):
        left = sorted(set(os.listdir(self.folder)) - {"tmp", "out", "p.cu", "forks.cu"})
        left += [os.path.join("tmp", name) for name in os.listdir(self.temporary)]
        if left:
            yield "leaves " + ", ".join(left)
        with open(self.out, "rb") as file:
            if file.read() not in (b"old\n", whole):
                yield "the old file is neither as it was nor the new one"


def life(place, command):
    """The seconds that a command takes, and what it writes."""
    place.reset()
    began = time.monotonic()
    process = place.start(command)
    messages = process.communicate()[1]
    if process.returncode != 0:
        sys.exit(f"signals.py: {' '.join(command)}: {process.returncode}: {messages.decode()}")
    with open(place.out, "rb") as file:
        return time.monotonic() - began, file.read()


def send(place, command, seconds, whole, rng):
    number, moment = rng.choice(SIGNALS), rng.uniform(0, seconds)
    place.reset()
    process = place.start(command)
    time.sleep(moment)
    process.send_signal(number)
    process.communicate()
    if process.returncode not in (0, -number):
        yield f"ends with {process.returncode}"
    yield from (f"{number.name} after {moment:.3f} of {seconds:.3f} s: {text}" for text in place.complaints(whole))


def wait_for(condition):
    for _ in range(1200):
        if condition():
            return True
        time.sleep(0.05)
    return False


def runs(pid):
    """A zombie runs no more."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return not any(line.startswith("State:") and "Z" in line for line in file)
    except (FileNotFoundError, ProcessLookupError):
        return False


def check_kill(warplens, place):
    process = place.start([warplens, "run", "forks.cu"])
    names = [os.path.join(place.folder, name) for name in ("program.pid", "child.pid")]
    if not wait_for(lambda: all(map(os.path.exists, names)) or process.poll() is not None):
        yield "the program does not begin"
    if process.poll() is not None:
        yield "the program ends: " + process.communicate()[1].decode()
        return
    process.kill()
    process.communicate()
    for name in names:
        with open(name, encoding="utf-8") as file:
            pid = int(file.read())
        if not wait_for(lambda pid=pid: not runs(pid)):
            yield f"SIGKILL: {os.path.basename(name)} goes on"
            os.kill(pid, signal.SIGKILL)


def main():
    warplens = os.path.abspath(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
    rng = random.Random(seed)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    failed, sent = [], 0
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        commands = [[warplens, "trace", "record", "transpose", "-o", "out"],
                    [warplens, "run", "p.cu", "--gpu", "gtx280", "-o", "out"]]
        known = [(command, *life(place, command)) for command in commands]
        end = time.monotonic() + seconds
        while time.monotonic() < end and not failed:
            command, takes, whole = known[sent % len(known)]
            failed += [f"{' '.join(command[1:])}: {text}" for text in send(place, command, takes, whole, rng)]
            sent += 1
        failed += [] if failed else check_kill(warplens, place)
    print(f"seed {seed}: {sent} signals sent")
    for text in failed:
        print("FAIL:", text)
    sys.exit(bool(failed))


main()
