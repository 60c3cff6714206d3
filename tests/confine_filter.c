/* confine_filter.c - what does the filter of system calls decide, with this processor's numbers? Its program is carried
 * out here, call by call, and never given to the kernel: so an emulator without seccomp runs this as well
 * (tools/arm64.sh), and it does without cmocka, which is not there for arm64.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "confine/filter.h"
#include "confine/numbers.h"

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#define OTHER_ARCH AUDIT_ARCH_I386
#else
#define OWN_ARCH AUDIT_ARCH_AARCH64
#define OTHER_ARCH AUDIT_ARCH_ARM
#endif

enum { SELF = 4711, OTHER = 4712 };
static const char own_path[] = "/bin/own", other_path[] = "/bin/other";

/* Classic BPF, as far as the filter uses it; SECCOMP_RET_KILL_THREAD for what it does not. */
static uint32_t decide(const struct filter *f, const struct seccomp_data *call)
{
    uint32_t a = 0;
    for (size_t at = 0; at < f->count; at++) {
        const struct sock_filter *i = &f->code[at];
        bool jumps = true, is_true = false;
        switch (i->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            memcpy(&a, (const char *)call + i->k, sizeof a);
            jumps = false;
            break;
        case BPF_ALU | BPF_AND | BPF_K:
            a &= i->k;
            jumps = false;
            break;
        case BPF_RET | BPF_K:
            return i->k;
        case BPF_JMP | BPF_JEQ | BPF_K:
            is_true = a == i->k;
            break;
        case BPF_JMP | BPF_JGT | BPF_K:
            is_true = a > i->k;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            is_true = a >= i->k;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            is_true = (a & i->k) != 0;
            break;
        default:
            return SECCOMP_RET_KILL_THREAD;
        }
        if (jumps)
            at += is_true ? i->jt : i->jf;
    }
    return SECCOMP_RET_KILL_THREAD;
}

enum verdict { ALLOW, DENY, NO_SUCH };

#define POINTER(p) ((uint64_t)(uintptr_t)(p))
static const struct {
    const char *what;
    int number;
    uint64_t arguments[3];
    enum verdict program, compiler;
} calls[] = {
    {"write", SYS_write, {1}, ALLOW, ALLOW},
    {"mmap", SYS_mmap, {0}, ALLOW, ALLOW},
    {"exit_group", SYS_exit_group, {0}, ALLOW, ALLOW},
    {"socket", SYS_socket, {1, 1}, DENY, DENY},
    {"ptrace", SYS_ptrace, {0}, DENY, DENY},
    {"clone of a process", SYS_clone, {SIGCHLD}, DENY, ALLOW},
    {"clone into a namespace", SYS_clone, {SIGCHLD | 0x10000000}, DENY, DENY},
    {"clone3", NR_clone3, {0}, NO_SUCH, NO_SUCH},
    {"openat2", NR_openat2, {0}, NO_SUCH, NO_SUCH},
    {"execve of its own", SYS_execve, {POINTER(own_path)}, ALLOW, ALLOW},
    {"execve of another", SYS_execve, {POINTER(other_path)}, DENY, ALLOW},
    {"kill itself", SYS_kill, {SELF, SIGKILL}, ALLOW, ALLOW},
    {"kill another", SYS_kill, {OTHER, SIGKILL}, DENY, DENY},
    {"limits of its own", SYS_prlimit64, {0}, ALLOW, ALLOW},
    {"limits of another", SYS_prlimit64, {OTHER}, DENY, DENY},
    {"to die with warplens", SYS_prctl, {PR_SET_PDEATHSIG, SIGKILL}, ALLOW, ALLOW},
    {"to outlive warplens", SYS_prctl, {PR_SET_PDEATHSIG, 0}, DENY, ALLOW},
    {"a name", SYS_prctl, {PR_SET_NAME, 0}, ALLOW, ALLOW},
    {"to read", SYS_openat, {0, 0, O_RDONLY | O_CLOEXEC}, ALLOW, ALLOW},
    {"to write anew", SYS_openat, {0, 0, O_WRONLY | O_CREAT | O_TRUNC}, ALLOW, ALLOW},
    {"a folder", SYS_openat, {0, 0, O_RDONLY | O_DIRECTORY}, ALLOW, ALLOW},
    {"to truncate and read", SYS_openat, {0, 0, O_RDONLY | O_TRUNC}, DENY, DENY},
    {"a file without a name", SYS_openat, {0, 0, O_TMPFILE | O_RDWR}, DENY, DENY},
    {"the newest call known", NEWEST_SYSCALL, {0}, ALLOW, ALLOW},
    {"a later call", NEWEST_SYSCALL + 1, {0}, NO_SUCH, NO_SUCH},
#ifdef SYS_fork
    {"fork", SYS_fork, {0}, DENY, ALLOW},
    {"open to truncate and read", SYS_open, {0, O_RDONLY | O_TRUNC}, DENY, DENY},
#endif
};

static uint32_t action_of(enum verdict verdict, enum confine_role role)
{
    if (verdict == ALLOW)
        return SECCOMP_RET_ALLOW;
    if (verdict == NO_SUCH)
        return SECCOMP_RET_ERRNO | ENOSYS;
    return role == CONFINE_PROGRAM ? SECCOMP_RET_TRAP : SECCOMP_RET_ERRNO | EPERM;
}

/* 1 for a decision that is another. */
static int check(const struct filter *f, const char *what, const struct seccomp_data *call,
                 uint32_t expected)
{
    const uint32_t action = decide(f, call);
    if (action == expected)
        return 0;
    printf("FAILED: %s (system call %d): %#x, not %#x\n", what, call->nr, (unsigned)action,
           (unsigned)expected);
    return 1;
}

static int check_role(enum confine_role role)
{
    static struct filter filter;
    int failed = 0;
    filter_make(&filter, role, own_path);
    if (filter.count > FILTER_MAX || filter.own_count > FILTER_OWN_MAX)
        return printf("FAILED: the filter has no room\n"), 1;
    for (size_t i = 0; i < filter.own_count; i++)
        filter.code[filter.own[i]].k = SELF;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        struct seccomp_data call = {.nr = calls[i].number, .arch = OWN_ARCH};
        memcpy(call.args, calls[i].arguments, sizeof calls[i].arguments);
        const enum verdict verdict = role == CONFINE_PROGRAM ? calls[i].program : calls[i].compiler;
        failed += check(&filter, calls[i].what, &call, action_of(verdict, role));
        call.arch = OTHER_ARCH;
        failed += check(&filter, "32 bits", &call, SECCOMP_RET_KILL_PROCESS);
    }
    return failed;
}

int main(void)
{
    const int failed = check_role(CONFINE_PROGRAM) + check_role(CONFINE_COMPILER);
    printf("%zu system calls of programs and compilers, %d decided otherwise\n",
           sizeof calls / sizeof calls[0], failed);
    return failed != 0;
}
