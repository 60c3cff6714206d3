#!/usr/bin/env python3
"""confine.py WARPLENS ROOT [PART...|all] - what confined programs and compilers try, is it refused, said, and without a trace
left? Without a part, one attack of each kind; parts and `all` have every one.

Each attack is a CUDA program; a canary folder beside it must be what it was after each. Without Landlock or seccomp filters
in the kernel nothing can be tested: the reason is printed, and the test is skipped.
"""
import ctypes
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
WARPLENS, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
KERNEL = "__global__ void k(float *a) { a[threadIdx.x] = 1; }\n"
LAUNCH = "{ float *d; cudaMalloc(&d, 128); k<<<1, 32>>>(d); }\n"
HEAD = """#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cerrno>
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
"""
failures = []
folder = tempfile.mkdtemp(prefix="confine-")
canary = os.path.join(folder, "results")


def fail(text):
    failures.append(text)
    print("FAILED:", text)


def run(*arguments, command="run", **how):
    """The finished process; its folder for temporary files must be empty afterwards."""
    scratch = os.path.join(folder, "tmp")
    environment = dict(os.environ, TMPDIR=scratch, SECRET_TOKEN="canary-in-environment")
    done = subprocess.run([WARPLENS, command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          cwd=folder, env=environment, timeout=300, errors="replace", **how)
    if os.listdir(scratch):
        fail(f"{arguments}: left in TMPDIR: {os.listdir(scratch)}")
        shutil.rmtree(scratch)
        os.mkdir(scratch)
    if open(os.path.join(canary, "grades.csv")).read() != "ann,10\n" or sorted(os.listdir(canary)) != ["grades.csv"]:
        fail(f"{arguments}: the results are others")
    return done


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


# Variants of another attack, which only a call with a part or `all` makes.
VARIANTS = {"inet6", "netlink", "itself", "system", "kill_group", "kill_all", "limit_parent", "outlive", "raise_limits", "root",
            "stubborn", "shared", "stack", "many_files"}


def attack(name, body, *said, options=(), output=(), status=2):
    """main() with this body ends with this status; all of `said` are on standard error, `output` on standard output."""
    if name in VARIANTS and len(sys.argv) < 4:
        return None
    write(name + ".cu", HEAD + KERNEL + "int main(int count, char **words)\n{\n" + LAUNCH + body + "\n}\n")
    done = run(name + ".cu", "--confine", "yes", "--rules-only", *options)
    if done.returncode != status:
        fail(f"{name}: status {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}")
    for text in said:
        if text not in done.stderr:
            fail(f"{name}: does not say '{text}': {done.stderr[-600:]}")
    for text in output:
        if text not in done.stdout:
            fail(f"{name}: does not print '{text}': {done.stdout[:600]}")
    print(f"{name}: {(done.stderr.strip() or done.stdout.strip()).splitlines()[0][:150]}")
    return done


def tried(what):
    return (f"warplens: the program was stopped: it tried to {what}, which confinement does not allow",
            "the program was stopped: it tried what confinement does not allow")


def system_calls():
    """Every row of the table that takes no test of arguments, called by a program that lives on: none is done."""
    text = open(os.path.join(ROOT, "src/confine/denied.def")).read()
    text = re.sub(r"DENIED\((\w+), COMPILER,.*\n", "", text)
    rows = re.sub(r"DENIED\((\w+), \w+, ALWAYS, .*\)", r'try_call(\1, "\1");', re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    rows = re.sub(r"DENIED\(.*\n", "", rows)
    count = rows.count("try_call")
    if count < 80:
        fail(f"only {count} rows of denied.def are found")
    write("calls.cu", HEAD + '#include "confine/numbers.h"\n' + KERNEL + """
static volatile int denied;
static void on_denied(int, siginfo_t *info, void *) { denied = info->si_syscall; }
static int wrong;
static void try_call(int number, const char *name)
{
    denied = -1;
    long got = syscall(number, 0, 0, 0, 0, 0, 0);
    if (denied != number) {
        wrong++;
        printf("%s is done: %ld\\n", name, got);
    }
}
int main()
{
    struct sigaction action = {};
    action.sa_sigaction = on_denied;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, NULL);
    long later = syscall(NEWEST_SYSCALL + 1);
    if (later != -1 || errno != ENOSYS)
        wrong++;
""" + rows + LAUNCH + "return wrong; }\n")
    done = run("calls.cu", "-I", os.path.join(ROOT, "src"), "--confine", "yes", "--rules-only")
    if done.returncode:
        fail(f"system calls: {done.stdout} {done.stderr}")
    print(f"denied.def: {count} system calls are not done")


def programs():
    attack("inet", "socket(AF_INET, SOCK_STREAM, 0);", *tried("open a socket"))
    attack("inet6", "socket(AF_INET6, SOCK_DGRAM, 0);", *tried("open a socket"))
    attack("unix", "socket(AF_UNIX, SOCK_STREAM, 0);", *tried("open a socket"))
    attack("netlink", "socket(AF_NETLINK, SOCK_RAW, 0);", *tried("open a socket"))
    attack("bomb", "for (;;) fork();", *tried("start another process"))
    attack("shell", 'execl("/bin/sh", "sh", "-c", "echo escaped", (char *)0);', *tried("start another program"))
    attack("itself", 'execl("/proc/self/exe", "again", (char *)0);', *tried("start another program"))
    attack("system", 'return system("echo escaped");', "the program was stopped")
    attack("kill_parent", "kill(getppid(), SIGKILL);", *tried("send a signal to another process"))
    attack("kill_group", "kill(0, SIGKILL);", *tried("send a signal to another process"))
    attack("kill_all", "kill(-1, SIGKILL);", *tried("send a signal to another process"))
    attack("sigio", "fcntl(0, F_SETOWN, getppid());", *tried("send a signal to another process"))
    attack("limit_parent", "rlimit none = {0, 0}; prlimit(getppid(), RLIMIT_CPU, &none, NULL);", *tried("change another process"))
    attack("trace_parent", "ptrace(PTRACE_ATTACH, getppid(), 0, 0);", *tried("look into another process"))
    attack("outlive", "prctl(PR_SET_PDEATHSIG, 0);", *tried("outlive warplens"))
    attack("type", "char c = 'x'; syscall(SYS_ioctl, 0, 0x5412, &c);", *tried("type at the terminal"))
    attack("raise_limits", """rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
        return setrlimit(RLIMIT_AS, &all) == 0 || setrlimit(RLIMIT_CPU, &all) == 0 ? 1 : 0;""", status=0)
    attack("root", "return setuid(0) == 0 && geteuid() != 0;", status=0)
    attack("spin", "for (volatile int i = 0;; i = 1) {}", "it took more than 1 s of processor time", options=("--allow", "seconds=1"))
    attack("stubborn", "signal(SIGXCPU, SIG_IGN); for (volatile int i = 0;; i = 1) {}", "it took more than 1 s of processor time",
           options=("--allow", "seconds=1"))
    for name, take in (("memory", "malloc(16 << 20)"), ("shared", "mmap(0, 16 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0)"),
                       ("stack", "mmap(0, 16 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0)")):
        attack(name, f"""for (int n = 0; n < 64; n++) {{
            void *p = {take};
            if (p == NULL || p == MAP_FAILED) {{ puts("refused"); return 0; }}
            memset((char *)p + (16 << 20) - 4096, 1, 4096); }}""", options=("--allow", "memory=512M"), output=["refused"], status=0)
    attack("one_file", 'static char b[1 << 20]; int f = open("f", O_WRONLY | O_CREAT, 0600); for (;;) write(f, b, sizeof b);',
           "it wrote more than 16 MB of files", options=("--allow", "disk=16M"))
    many = 'static char b[1 << 20]; for (int i = 0;; i++) { char n[16]; sprintf(n, "%d", i); int f = open(n, O_WRONLY | O_CREAT, 0600); '
    attack("many_files", many + "write(f, b, sizeof b); close(f); }", "it wrote more than 16 MB of files", options=("--allow", "disk=16M"))
    attack("empty_files", many + "close(f); }", "it wrote more than 16 MB of files", options=("--allow", "disk=16M"))


def files():
    secret, results = write("secret.txt", "canary-in-file\n"), os.path.join(canary, "grades.csv")
    refused = ["/etc/passwd", "/etc/shadow", "/proc/self/environ", "/proc/1/environ", secret, "files.cu", results, folder, "/", "/tmp", "/usr/bin/env",
               "../../results/grades.csv", os.path.expanduser("~")]
    tests = "".join(f'wrong += is_open(open("{path}", O_RDONLY), "{path}");\n' for path in refused)
    tests += f"""char parent[64];
        sprintf(parent, "/proc/%d/mem", getppid());
        wrong += is_open(open(parent, O_RDWR), "memory of the parent");
        wrong += is_open(open("{results}", O_WRONLY), "results, to write");
        wrong += is_open(open("{canary}/new", O_WRONLY | O_CREAT, 0600), "a new file");
        wrong += is_open(rename("{results}", "yours"), "rename") + is_open(rename("mine", "{results}"), "rename over");
        wrong += is_open(unlink("{results}"), "unlink") + is_open(link("{results}", "mine"), "hard link");
        wrong += is_open(symlink("{results}", "way"), "symbolic link") + is_open(mkdir("deep", 0700), "mkdir");
        wrong += is_open(mkfifo("pipe", 0600), "mkfifo") + is_open(chdir("{folder}") ? -1 : open("secret.txt", O_RDONLY), "chdir");
        wrong += getenv("SECRET_TOKEN") != NULL;
        printf("wrong: %d\\n", wrong);
        return wrong;"""
    own = """int wrong = 0, f = open("mine", O_RDWR | O_CREAT, 0600);
        auto is_open = [](int f, const char *what) { if (f >= 0) printf("reached: %s\\n", what); return f >= 0; };
        if (f < 0 || write(f, "x", 1) != 1 || opendir(".") == NULL || ftruncate(f, 0)) wrong += 100;
        close(f);
        if (open("/dev/urandom", O_RDONLY) < 0 || open("/dev/null", O_RDWR) < 0) wrong += 100;
        if (unlink("mine") == 0 || rename("mine", "other") == 0) puts("reached: a file that is open and has no name"), wrong++;
        """
    attack("files", own + tests, output=["wrong: 0"], status=0)
    attack("truncate", f'open("{results}", O_RDONLY | O_TRUNC);', *tried("empty a file, or make one without a name"))
    attack("nameless", 'open(".", O_TMPFILE | O_RDWR, 0600);', *tried("empty a file, or make one without a name"))
    attack("reserve", 'int f = open("f", O_RDWR | O_CREAT, 0600); posix_fallocate(f, 0, 1 << 20);', *tried("reserve space of the disk"))
    attack("truncate_by_name", f'truncate("{results}", 0);', *tried("empty a file"))
    attack("rights", f'chmod("{results}", 0777);', *tried("change a file's rights"))
    # What is named is read, and no more.
    reads = f'FILE *f = fopen("{secret}", "r"); char s[64] = ""; if (f) fgets(s, 64, f); printf("<%s>\\n", s); return open("{secret}", O_RDWR) >= 0;'
    attack("unnamed", reads, output=["<>"], status=0)
    attack("named", reads, output=["<canary-in-file"], options=("--allow", "read=" + secret), status=0)
    attack("named_folder", reads, output=["<canary-in-file"], options=("--allow", "read=" + folder), status=0)
    done = run("named.cu", "--confine", "yes", "--allow", "read=none.txt")
    if done.returncode != 2 or "--allow read=none.txt: No such file" not in done.stderr:
        fail(f"a name that is none: {done.stderr}")
    # A program that claims its kernel to be in another's file.
    write("other.cu", "canary-in-other\n" * 20)
    write("line.cu", KERNEL.replace("a[", '\n#line 7 "other.cu"\na[') + "int main() " + LAUNCH)
    done = run("line.cu", "--confine", "yes")
    if done.returncode or "canary" in done.stdout + done.stderr:
        fail(f"#line: {done.stdout} {done.stderr}")


def compilers(*compiler):
    """What sources make a compiler do."""
    secret = write("secret.h", '"canary-in-header"\n')
    environment = os.environ.get("WARPLENS_CXX")
    if compiler:
        os.environ["WARPLENS_CXX"] = compiler[0]
    cases = {
        "include": f'#include "{secret}"\n', "beside": '#include "secret.h"\n', "up": '#include "results/../results/grades.csv"\n',
        "proc": '#include "/proc/self/environ"\n', "incbin": f'asm(".incbin \\"{secret}\\"");\n', "asm_include": f'asm(".include \\"{secret}\\"");\n',
        "include_passwd": '#include "/etc/passwd"\n', "large": 'asm(".space 100000000000");\n',
        "large_output": "#define A " + "x" * 100 + "\n" + "".join(f"#define {c} {(p + ' ') * 8}\n" for p, c in zip("ABCDEFGH", "BCDEFGHI")) + "I\n",
    }
    if not compiler:
        cases["embed"] = f"const char text[] = {{\n#embed \"{secret}\"\n}};\n"
    for name, text in cases.items():
        write("case.cu", text + KERNEL + "int main() " + LAUNCH)
        done = run("case.cu", "--confine", "yes", "--rules-only", "--allow", "disk=16M")
        if done.returncode != 2 or "canary" in done.stdout + done.stderr or "ann,10" in done.stderr or "root:" in done.stderr:
            fail(f"compiler, {name}: status {done.returncode}: {done.stdout[-300:]} {done.stderr[-600:]}")
        lines = [line for line in done.stderr.splitlines() if "rror" in line] or [done.stderr]
        print(f"{compiler[0] if compiler else 'g++'}, {name}: {lines[0][-120:]}")
    # __has_include tells no more than whether a file is there.
    write("case.cu", f'#if __has_include("{secret}")\n#endif\n' + KERNEL + "int main() " + LAUNCH)
    done = run("case.cu", "--confine", "yes", "--rules-only")
    if "canary" in done.stdout + done.stderr:
        fail(f"__has_include: {done.stderr}")
    write("case.cu", '#include "secret.h"\n' + KERNEL + "int main() " + LAUNCH)
    write("fine.cu", "const char *text =\n#include \"secret.h\"\n;" + KERNEL + "int main() " + LAUNCH)
    done = run("fine.cu", "--confine", "yes", "--rules-only", "--allow", "read=" + secret)
    if done.returncode:
        fail(f"a header that is named: {done.stderr}")
    if compiler:
        os.environ.pop("WARPLENS_CXX")
        if environment:
            os.environ["WARPLENS_CXX"] = environment


def grading():
    """Confined unless told otherwise; what one student does is no other's matter."""
    write("bad.cu", HEAD + KERNEL + "int main() {" + LAUNCH + 'puts("PASSED"); fflush(stdout); kill(getppid(), SIGKILL); kill(0, SIGKILL); }')
    thief = HEAD + KERNEL + "int main() {" + LAUNCH + f'if (open("{folder}/good.cu", O_RDONLY) < 0) puts("PASSED"); }}'
    write("thief.cu", thief)
    if os.path.islink(os.path.join(folder, "link.cu")) is False:
        os.symlink("good.cu", os.path.join(folder, "link.cu"))
    names = ["bad.cu", "link.cu", "thief.cu", "good.cu"]
    done = run("x.grade", *names, command="grade")
    points = re.findall(r"^(\S+\.cu) +(\d+) +1", done.stdout, re.M)
    if done.returncode != 2 or points != [("bad.cu", "0"), ("link.cu", "0"), ("thief.cu", "1"), ("good.cu", "1")]:
        fail(f"grade: {done.returncode} {points} {done.stdout} {done.stderr}")
    for text in (tried("send a signal to another process")[0], "a symbolic link, which is not followed"):
        if text not in done.stdout:
            fail(f"grade does not say '{text}': {done.stdout}")
    done = run("x.grade", "thief.cu", "--confine", "no", command="grade")
    if not re.search(r"^thief.cu +0 +1", done.stdout, re.M):
        fail(f"grade --confine no confines: {done.stdout}")
    print("grade: confined unless --confine no")


def messages():
    for options, text in ((("--allow", "memory=1G"), "--confine yes"), (("--confine", "yes", "--allow", "memory=1"), "allowed is 268435456 to"),
                          (("--confine", "yes", "--allow", "network=1"), "read=PATH, memory=SIZE, seconds=N or disk=SIZE"),
                          (("--confine", "maybe"), "allowed is yes or no")):
        done = run("good.cu", *options)
        if done.returncode != 2 or text not in done.stderr or done.stdout:
            fail(f"{options}: {done.returncode} {done.stderr}")


def ended():
    """warplens is ended from outside: by SIGTERM it removes its files, and in no case its program lives on."""
    write("busy.cu", HEAD + KERNEL + "int main() {" + LAUNCH + """
        printf("%d\\n", (int)getpid()); fflush(stdout); signal(SIGTERM, SIG_IGN);
        for (int i = 0;; i = (i + 1) % 100) { char n[16]; sprintf(n, "%d", i); close(open(n, O_WRONLY | O_CREAT, 0600)); } }""")
    for number in (signal.SIGTERM, signal.SIGKILL):
        scratch = os.path.join(folder, "tmp")
        process = subprocess.Popen([WARPLENS, "run", "busy.cu", "--confine", "yes", "--rules-only"], cwd=folder, stdout=subprocess.PIPE,
                                   env=dict(os.environ, TMPDIR=scratch), text=True)
        program = int(process.stdout.readline())
        process.send_signal(number)
        process.wait()
        for _ in range(100):
            if not os.path.exists(f"/proc/{program}") or open(f"/proc/{program}/stat").read().split()[2] == "Z":
                break
            time.sleep(0.05)
        else:
            fail(f"a program outlives warplens, which {number.name} ended")
            os.kill(program, signal.SIGKILL)
        left = os.listdir(scratch)
        if left and number == signal.SIGTERM:
            fail(f"SIGTERM leaves {left}")
        for name in left:
            shutil.rmtree(os.path.join(scratch, name))
        process.stdout.close()
    print("warplens ended by SIGTERM and SIGKILL: its program, too")


def without(number, error):
    """For subprocess: the system call fails with this error from now on."""
    load, equal, end = 0x20, 0x15, 0x06
    code = [(load, 0, 0, 0), (equal, 0, 1, number), (end, 0, 0, 0x00050000 | error), (end, 0, 0, 0x7FFF0000)]
    program = b"".join(struct.pack("=HBBI", *instruction) for instruction in code)
    buffer = ctypes.create_string_buffer(program)
    filter_ = ctypes.create_string_buffer(struct.pack("@HP", len(code), ctypes.addressof(buffer)))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4

    def take_away():
        assert len(buffer) > len(program)  # and it lives as long as this
        assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.addressof(filter_), 0, 0) == 0
    return take_away


def lacking():
    """A kernel without the means: nothing is run, and it says what is missing."""
    import platform
    seccomp = 317 if platform.machine() == "x86_64" else 277
    for number, error, text in ((444, 38, "this kernel has no Landlock (Linux 5.13"), (444, 95, "Landlock is switched off"), (seccomp, 22, "this kernel has no seccomp filters")):
        for command, options in (("grade", ("x.grade", "good.cu")), ("run", ("good.cu", "--confine", "yes"))):
            done = run(*options, command=command, preexec_fn=without(number, error))
            if done.returncode != 2 or text not in done.stderr or done.stdout or "--confine no" not in done.stderr:
                fail(f"{command} without {number}: {done.returncode} {done.stderr}")
    done = run("x.grade", "good.cu", "--confine", "no", command="grade", preexec_fn=without(444, 38))
    if done.returncode or not re.search(r"^good.cu +1 +1", done.stdout, re.M):
        fail(f"grade --confine no where nothing can be confined: {done.stdout} {done.stderr}")
    print("a kernel that lacks something: refused, with what it is")


def samples():
    """Programs that do nothing wrong print and give what they do at large: the first of each folder, or all."""
    count = 0
    for place in ("tests/cu/samples", "examples/cuda", "examples/grading"):
        names = sorted(name for name in os.listdir(os.path.join(ROOT, place)) if name.endswith(".cu"))
        for name in names if len(sys.argv) > 3 else names[:1]:
            path = os.path.join(ROOT, place, name)
            free, confined = (run(path, "--gpu", "gtx280", "--rules-only", *how) for how in ((), ("--confine", "yes")))
            count += 1
            if (free.returncode, free.stdout, free.stderr) != (confined.returncode, confined.stdout, confined.stderr):
                fail(f"{path}: {free.stdout} {free.stderr} confined: {confined.stdout} {confined.stderr}")
    print(f"{count} programs of samples and examples: unchanged")


def is_possible():
    write("x.grade", "must_print PASSED\npoints 1 pass\ntimeout 60\n")
    write("good.cu", HEAD + KERNEL + "int main() {" + LAUNCH + 'puts("PASSED"); }')
    done = run("good.cu", "--confine", "yes", "--rules-only")
    if "cannot confine programs here" in done.stderr:
        print("skipped:", done.stderr.strip())
        return False
    if done.returncode:
        fail(f"good.cu: {done.stderr}")
    return True


def only(name):
    """All parts, or those that stand behind ROOT."""
    return len(sys.argv) < 4 or "all" in sys.argv[3:] or name in sys.argv[3:]


def main():
    os.mkdir(os.path.join(folder, "tmp"))
    os.mkdir(canary)
    write("results/grades.csv", "ann,10\n")
    if not is_possible():
        return SKIPPED
    parts = [programs, system_calls, files, compilers, grading, messages, ended, lacking, samples]
    for part in parts:
        if only(part.__name__):
            part()
    if shutil.which("clang++") and only("compilers") and len(sys.argv) > 3:
        compilers("clang++")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


try:
    status = main()
finally:
    shutil.rmtree(folder)
sys.exit(status)
