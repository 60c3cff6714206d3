/* test_output.c - does -o change the contents of a file and nothing else of it, and leave it alone when that fails? */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands/output.h"
#include "cli/options/options.h"
#include "test_support.h"

enum { STEPS = 16 };

/* What the system is asked for, and what it refuses. */
static struct {
    char steps[STEPS];
    size_t count;
    bool no_chown, no_room, no_sync;
} calls;

static void note(char step)
{
    assert_true(calls.count < STEPS - 1);
    calls.steps[calls.count++] = step;
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    note('r');
    return __real_rename(from, to);
}

int __wrap_fsync(int descriptor);
int __wrap_fsync(int descriptor)
{
    struct stat status;
    assert_int_equal(fstat(descriptor, &status), 0);
    note('s');
    errno = EIO;
    return calls.no_sync ? -1 : 0;
}

int __real_fchown(int descriptor, uid_t user, gid_t group);
int __wrap_fchown(int descriptor, uid_t user, gid_t group);
int __wrap_fchown(int descriptor, uid_t user, gid_t group)
{
    note('o');
    errno = EPERM;
    return calls.no_chown ? -1 : __real_fchown(descriptor, user, group);
}

int __real_posix_fallocate(int descriptor, off_t offset, off_t bytes);
int __wrap_posix_fallocate(int descriptor, off_t offset, off_t bytes);
int __wrap_posix_fallocate64(int descriptor, off_t offset, off_t bytes);
int __wrap_posix_fallocate(int descriptor, off_t offset, off_t bytes)
{
    note('f');
    return calls.no_room ? ENOSPC : __real_posix_fallocate(descriptor, offset, bytes);
}

/* Its name where offsets are of 64 bits by a macro. */
int __wrap_posix_fallocate64(int descriptor, off_t offset, off_t bytes)
{
    return __wrap_posix_fallocate(descriptor, offset, bytes);
}

static char root[] = "/tmp/test-output-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    memset(&calls, 0, sizeof calls);
    strcpy(root, "/tmp/test-output-XXXXXX");
    umask(022);
    return mkdtemp(root) == NULL || chdir(root) != 0;
}

static int tear_down(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return chdir("/") != 0 || system(command) != 0;
}

static void put(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

static void assert_holds(const char *path, const char *text)
{
    char found[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, text);
}

/* The files of the directory, hidden ones too. */
static void assert_files(size_t count)
{
    size_t found = 0;
    FILE *list = popen("ls -A | wc -l", "r");
    assert_non_null(list);
    assert_int_equal(fscanf(list, "%zu", &found), 1);
    pclose(list);
    assert_int_equal(found, count);
}

static struct stat status_of(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status;
}

static void write_new(const char *path)
{
    struct output output;
    assert_int_equal(output_try(path), EXIT_OK);
    memset(calls.steps, 0, sizeof calls.steps);
    calls.count = 0;
    assert_int_equal(output_open(&output, path), EXIT_OK);
    fputs("new\n", output.stream);
    assert_int_equal(output_close(&output), EXIT_OK);
}

static void new_files_have_the_usual_mode(void **state)
{
    (void)state;
    umask(027);
    write_new("file");
    assert_holds("file", "new\n");
    assert_int_equal(status_of("file").st_mode & 07777, 0640);
    assert_files(1);
}

static void it_is_on_the_disk_before_it_has_the_name(void **state)
{
    (void)state;
    put("file", "old\n", 0644);
    write_new("file");
    assert_string_equal(calls.steps, "sr");
}

static void mode_and_owner_stay(void **state)
{
    (void)state;
    put("file", "old\n", 0604);
    const bool may_chown = geteuid() == 0;
    if (may_chown)
        assert_int_equal(chown("file", 1234, 4321), 0);
    write_new("file");
    const struct stat status = status_of("file");
    assert_holds("file", "new\n");
    assert_int_equal(status.st_mode & 07777, 0604);
    assert_int_equal(status.st_uid, may_chown ? 1234 : geteuid());
    assert_int_equal(status.st_gid, may_chown ? 4321 : getegid());
    assert_files(1);
}

/* An owner that a new file cannot have: the old file is written. */
static void an_owner_stays_that_cannot_be_given(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    put("file", "old, and longer\n", 0606);
    assert_int_equal(chown("file", 1234, 4321), 0);
    const struct stat before = status_of("file");
    calls.no_chown = true;
    write_new("file");
    const struct stat status = status_of("file");
    assert_holds("file", "new\n");
    assert_int_equal(status.st_uid, 1234);
    assert_int_equal(status.st_ino, before.st_ino);
    assert_files(1);
}

static void all_names_stay(void **state)
{
    (void)state;
    put("file", "old\n", 0600);
    assert_int_equal(link("file", "other"), 0);
    write_new("other");
    assert_holds("file", "new\n");
    assert_int_equal(status_of("file").st_nlink, 2);
    assert_int_equal(status_of("file").st_mode & 07777, 0600);
    assert_files(2);
}

static void links_stay(void **state)
{
    (void)state;
    char absolute[64];
    assert_int_equal(mkdir("folder", 0755), 0);
    put("folder/file", "old\n", 0640);
    snprintf(absolute, sizeof absolute, "%s/folder/middle", root);
    assert_int_equal(symlink("file", "folder/middle"), 0);
    assert_int_equal(symlink(absolute, "link"), 0);
    write_new("link");
    assert_true(S_ISLNK(status_of("link").st_mode));
    assert_true(S_ISLNK(status_of("folder/middle").st_mode));
    assert_holds("folder/file", "new\n");
    assert_int_equal(status_of("folder/file").st_mode & 07777, 0640);
    assert_files(2);
}

static void a_link_to_nothing_leads_to_the_new_file(void **state)
{
    (void)state;
    assert_int_equal(symlink("later", "link"), 0);
    write_new("link");
    assert_true(S_ISLNK(status_of("link").st_mode));
    assert_holds("later", "new\n");
    assert_files(2);
}

static void a_circle_of_links_is_refused(void **state)
{
    struct output output;
    (void)state;
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    assert_int_equal(output_try("a"), EXIT_IO);
    assert_int_equal(output_open(&output, "a"), EXIT_IO);
    assert_files(2);
}

static void a_read_only_file_is_refused(void **state)
{
    struct output output;
    (void)state;
    put("file", "old\n", 0444);
    assert_int_equal(output_try("file"), EXIT_IO);
    assert_int_equal(output_open(&output, "file"), EXIT_IO);
    assert_holds("file", "old\n");
    assert_files(1);
}

static void what_is_given_up_leaves_nothing(void **state)
{
    struct output output;
    (void)state;
    put("file", "old\n", 0644);
    put("two", "old\n", 0644);
    assert_int_equal(link("two", "three"), 0);
    const char *const paths[] = {"file", "two", "none"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(output_open(&output, paths[i]), EXIT_OK);
        fputs("half", output.stream);
        output_discard(&output);
    }
    assert_holds("file", "old\n");
    assert_holds("two", "old\n");
    assert_files(3);
}

/* A full disk shows at the sync, or when room is taken for what is copied. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    struct output output;
    (void)state;
    put("file", "old\n", 0644);
    calls.no_sync = true;
    assert_int_equal(output_open(&output, "file"), EXIT_OK);
    fputs("new\n", output.stream);
    assert_int_equal(output_close(&output), EXIT_IO);
    assert_holds("file", "old\n");
    assert_int_equal(link("file", "other"), 0);
    calls.no_sync = false;
    calls.no_room = true;
    assert_int_equal(output_open(&output, "file"), EXIT_OK);
    fputs("new and longer\n", output.stream);
    assert_int_equal(output_close(&output), EXIT_IO);
    assert_holds("file", "old\n");
    assert_files(2);
}

/* A child writes half of a file and gets the signal. */
static void end_by_signal(const char *path, int number)
{
    struct output output;
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (output_open(&output, path) != EXIT_OK || fputs("half", output.stream) == EOF ||
            fflush(output.stream) != 0)
            _exit(1);
        raise(number);
        _exit(2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), number);
}

static void a_signal_leaves_nothing(void **state)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGXCPU};
    (void)state;
    put("file", "old\n", 0644);
    put("two", "old\n", 0644);
    assert_int_equal(link("two", "three"), 0);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        end_by_signal("file", numbers[i]);
        end_by_signal("two", numbers[i]);
        end_by_signal("none", numbers[i]);
    }
    assert_holds("file", "old\n");
    assert_holds("two", "old\n");
    assert_files(3);
}

static void what_is_no_file_is_written_directly(void **state)
{
    char text[8] = "";
    (void)state;
    assert_int_equal(mkfifo("fifo", 0600), 0);
    int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    write_new("fifo");
    assert_int_equal(read(reader, text, sizeof text - 1), 4);
    assert_string_equal(text, "new\n");
    close(reader);
    assert_true(S_ISFIFO(status_of("fifo").st_mode));
    write_new("/dev/null");
    assert_true(S_ISCHR(status_of("/dev/null").st_mode));
    assert_string_equal(calls.steps, "");
    assert_files(1);
}

/* Standard output in a file: what was there stays. */
static void standard_output_by_name_is_not_replaced(void **state)
{
    static const char *const names[] = {"/dev/stdout", "/proc/self/fd/1"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        put("file", "", 0644);
        const struct stat before = status_of("file");
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0) {
            int file = open("file", O_WRONLY);
            struct output output;
            if (dup2(file, STDOUT_FILENO) < 0 || output_open(&output, names[i]) != EXIT_OK)
                _exit(1);
            fputs("new\n", output.stream);
            _exit(output_close(&output));
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        assert_holds("file", "new\n");
        assert_int_equal(status_of("file").st_ino, before.st_ino);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(new_files_have_the_usual_mode),
        TEST(it_is_on_the_disk_before_it_has_the_name),
        TEST(mode_and_owner_stay),
        TEST(an_owner_stays_that_cannot_be_given),
        TEST(all_names_stay),
        TEST(links_stay),
        TEST(a_link_to_nothing_leads_to_the_new_file),
        TEST(a_circle_of_links_is_refused),
        TEST(a_read_only_file_is_refused),
        TEST(what_is_given_up_leaves_nothing),
        TEST(a_full_disk_leaves_the_old_file),
        TEST(a_signal_leaves_nothing),
        TEST(what_is_no_file_is_written_directly),
        TEST(standard_output_by_name_is_not_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
