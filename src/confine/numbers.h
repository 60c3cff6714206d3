/* numbers.h - what headers older than the kernel lack. System calls from 424 on have one number on all
 * machines. */
#ifndef WARPLENS_CONFINE_NUMBERS_H
#define WARPLENS_CONFINE_NUMBERS_H

#include <stdint.h>
#include <sys/syscall.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "confinement knows x86-64 and aarch64"
#endif

/* The newest call that was looked at; later ones do not exist for what is confined. */
enum { NEWEST_SYSCALL = 462 };

#define NR_pidfd_send_signal 424
#define NR_io_uring_setup 425
#define NR_io_uring_enter 426
#define NR_io_uring_register 427
#define NR_open_tree 428
#define NR_move_mount 429
#define NR_fsopen 430
#define NR_fsconfig 431
#define NR_fsmount 432
#define NR_fspick 433
#define NR_pidfd_open 434
#define NR_clone3 435
#define NR_close_range 436
#define NR_openat2 437
#define NR_pidfd_getfd 438
#define NR_process_madvise 440
#define NR_mount_setattr 442
#define NR_quotactl_fd 443
#define NR_landlock_create_ruleset 444
#define NR_landlock_add_rule 445
#define NR_landlock_restrict_self 446
#define NR_memfd_secret 447
#define NR_process_mrelease 448
#define NR_set_mempolicy_home_node 450
#define NR_fchmodat2 452

/* ---- Landlock, <linux/landlock.h> of Linux 6.12 -------------------------------------------------- */

struct landlock_ruleset {
    uint64_t files, net, scoped; /* what is refused but for rules */
};
struct landlock_path_rule {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));
enum { LANDLOCK_ASK_VERSION = 1, LANDLOCK_PATH_RULE = 1 };

enum landlock_file_right {
    MAY_EXECUTE = 1 << 0,
    MAY_WRITE = 1 << 1,
    MAY_READ = 1 << 2,
    MAY_LIST = 1 << 3,
    MAY_REMOVE_FILE = 1 << 5,
    MAY_MAKE_FILE = 1 << 8,
    MAY_TRUNCATE = 1 << 14, /* from version 3 on */
};
/* The rights on files that a version of Landlock knows. */
enum { RIGHTS_V1 = 0x1fff, RIGHTS_V2 = 0x3fff, RIGHTS_V3 = 0x7fff, RIGHTS_V5 = 0xffff };
enum { NET_V4 = 3 };    /* to bind and to connect TCP */
enum { SCOPED_V6 = 3 }; /* abstract sockets and signals of other processes */

#endif
