/* filter.c - decisions. A list of what is denied, and not of what is allowed: C libraries and compilers change,
 * and Landlock, which is a list of what is allowed, holds the files. What the list cannot know, later
 * system calls, does not exist for the process; a call by another convention (32 bits, x32) ends it.
 *
 * Where a system call has a test, an argument's lower half decides if the kernel takes an int.
 */
#define _GNU_SOURCE
#include "confine/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "confine/numbers.h"

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#else
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif

enum when {
    ALWAYS,
    OTHER_PROCESS,      /* argument 0 is another process than the caller */
    OTHER_PROCESS_OR_0, /* the same, where 0 is the caller, too */
    OTHER_PROGRAM,      /* execve of another path than the first one */
    NEW_NAMESPACE,      /* clone */
    DEATH_SIGNAL,       /* prctl takes back the signal that comes when warplens ends */
    SIGNAL_OWNER,       /* fcntl names who gets a signal, or which */
    TERMINAL_INPUT,     /* ioctl puts characters into the terminal's input */
    STRANGE_OPEN, /* open with O_TRUNC and without writing, which Landlock 1 and 2 let pass; or O_TMPFILE */
    STRANGE_OPEN_AT, /* openat */
};

enum { COMPILER = CONFINE_COMPILER, PROGRAM = CONFINE_PROGRAM, BOTH = COMPILER | PROGRAM };

static const struct denied {
    int number, who;
    enum when when;
} denied[] = {
#define DENIED(number, who, when, words) {(int)(number), who, when},
#include "confine/denied.def"
#undef DENIED
};

/* ---- Instructions ----------------------------------------------------------------------------- */

static void add(struct filter *f, uint32_t code, uint32_t value, uint32_t if_true,
                uint32_t if_false)
{
    if (f->count < FILTER_MAX)
        f->code[f->count] =
            (struct sock_filter){(uint16_t)code, (uint8_t)if_true, (uint8_t)if_false, value};
    f->count++;
}

static void load(struct filter *f, size_t offset)
{
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void load_low(struct filter *f, size_t argument)
{
    load(f, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t));
}

static void end(struct filter *f, uint32_t action)
{
    add(f, BPF_RET | BPF_K, action, 0, 0);
}

static void end_if_equal(struct filter *f, uint32_t value, uint32_t action)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    end(f, action);
}

static void allow_own_number(struct filter *f)
{
    if (f->own_count < FILTER_OWN_MAX)
        f->own[f->own_count] = f->count;
    f->own_count++;
    end_if_equal(f, 0, SECCOMP_RET_ALLOW);
}

/* ---- Tests: code that ends with `deny`, or goes on to what allows it --------------------------- */

static void test_program(struct filter *f, const char *path, uint32_t deny)
{
    const uint64_t at = (uintptr_t)path;
    load_low(f, 0);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)at, 1, 0);
    end(f, deny);
    load(f, offsetof(struct seccomp_data, args) + sizeof(uint32_t));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(at >> 32), 1, 0);
    end(f, deny);
}

static void test_open_flags(struct filter *f, size_t argument, uint32_t deny)
{
    load_low(f, argument);
    add(f, BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1);
    end(f, deny);
    add(f, BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_ACCMODE, 0, 0);
    end_if_equal(f, O_TRUNC | O_RDONLY, deny);
    end_if_equal(f, O_TRUNC | O_ACCMODE, deny); /* 3: neither reads nor writes */
}

static void test_process(struct filter *f, bool zero_is_own, uint32_t deny)
{
    load_low(f, 0);
    if (zero_is_own)
        end_if_equal(f, 0, SECCOMP_RET_ALLOW);
    allow_own_number(f);
    end(f, deny);
}

static void test_death_signal(struct filter *f, uint32_t deny)
{
    load_low(f, 0);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, PR_SET_PDEATHSIG, 1, 0);
    end(f, SECCOMP_RET_ALLOW);
    load_low(f, 1);
    end_if_equal(f, SIGKILL, SECCOMP_RET_ALLOW);
    end(f, deny);
}

static void test_any_of(struct filter *f, size_t argument, const uint32_t *values, size_t count,
                        uint32_t deny)
{
    load_low(f, argument);
    for (size_t i = 0; i < count; i++)
        end_if_equal(f, values[i], deny);
}

static void test(struct filter *f, enum when when, const char *path, uint32_t deny)
{
    static const uint32_t owners[] = {F_SETOWN, F_SETSIG, 15 /* F_SETOWN_EX */};
    static const uint32_t input[] = {TIOCSTI, 0x541c /* TIOCLINUX */};
    static const uint32_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                       CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    switch (when) {
    case ALWAYS:
        end(f, deny);
        break;
    case OTHER_PROCESS:
    case OTHER_PROCESS_OR_0:
        test_process(f, when == OTHER_PROCESS_OR_0, deny);
        break;
    case OTHER_PROGRAM:
        test_program(f, path, deny);
        break;
    case NEW_NAMESPACE:
        load_low(f, 0);
        add(f, BPF_JMP | BPF_JSET | BPF_K, namespaces, 0, 1);
        end(f, deny);
        break;
    case DEATH_SIGNAL:
        test_death_signal(f, deny);
        break;
    case SIGNAL_OWNER:
        test_any_of(f, 1, owners, sizeof owners / sizeof owners[0], deny);
        break;
    case TERMINAL_INPUT:
        test_any_of(f, 1, input, sizeof input / sizeof input[0], deny);
        break;
    case STRANGE_OPEN:
    case STRANGE_OPEN_AT:
        test_open_flags(f, when == STRANGE_OPEN ? 1 : 2, deny);
        break;
    }
}

/* ---- The filter ------------------------------------------------------------------------------- */

/* What the system call's number alone decides. It is loaded when this ends. */
static void add_numbers(struct filter *f)
{
    static const int absent[] = {NR_openat2, NR_clone3}; /* libraries have older ways */
    load(f, offsetof(struct seccomp_data, arch));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0);
    end(f, SECCOMP_RET_KILL_PROCESS);
    load(f, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    add(f, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* x32 */
    end(f, SECCOMP_RET_KILL_PROCESS);
#endif
    add(f, BPF_JMP | BPF_JGT | BPF_K, NEWEST_SYSCALL, 0, 1);
    end(f, SECCOMP_RET_ERRNO | ENOSYS);
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        end_if_equal(f, (uint32_t)absent[i], SECCOMP_RET_ERRNO | ENOSYS);
}

void filter_make(struct filter *f, enum confine_role role, const char *path)
{
    const uint32_t deny =
        role == CONFINE_PROGRAM ? SECCOMP_RET_TRAP : SECCOMP_RET_ERRNO | (uint32_t)EPERM;
    f->count = f->own_count = 0;
    add_numbers(f);
    for (size_t i = 0; i < sizeof denied / sizeof denied[0]; i++) {
        if (!(denied[i].who & (int)role))
            continue;
        size_t jump = f->count;
        add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)denied[i].number, 0, 0);
        test(f, denied[i].when, path, deny);
        if (denied[i].when != ALWAYS)
            end(f, SECCOMP_RET_ALLOW);
        if (jump < FILTER_MAX)
            f->code[jump].jf = (uint8_t)(f->count - jump - 1);
    }
    end(f, SECCOMP_RET_ALLOW);
}

bool filter_enter(struct filter *f, pid_t self)
{
    const struct sock_fprog program = {.len = (unsigned short)f->count, .filter = f->code};
    if (f->count > FILTER_MAX || f->own_count > FILTER_OWN_MAX) {
        errno = E2BIG;
        return false;
    }
    for (size_t i = 0; i < f->own_count; i++)
        f->code[f->own[i]].k = (uint32_t)self;
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}
