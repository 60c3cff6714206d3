/* test_pool.c - do results come whole and in order from any number of processes, whatever the jobs'
 * lengths, and what of them is taken when one is refused or its process ends? */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool/pool.h"
#include "test_support.h"

enum { JOBS = 300, NONE = JOBS };

struct log {
    size_t taken, refused, killer; /* the last two: of a job; NONE */
};

/* Results of 0 to 100,000 bytes; every seventh takes longer than its neighbours. */
static size_t length_of(size_t job)
{
    return job * 7919 % 11 ? job % 5 : 100000;
}

static void run(void *context, size_t job, FILE *out)
{
    const struct log *log = context;
    if (job == log->killer)
        raise(SIGKILL);
    if (job % 7 == 0)
        usleep(300);
    for (size_t i = 0; i < length_of(job); i++)
        fputc((int)(job + i) & 0xff, out);
}

static bool take(void *context, size_t job, const char *result, size_t bytes)
{
    struct log *log = context;
    assert_int_equal(job, log->taken);
    if (job == log->refused)
        return false;
    assert_int_equal(bytes, length_of(job));
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal((unsigned char)result[i], (job + i) & 0xff);
    log->taken++;
    return true;
}

static size_t run_pool(size_t processes, size_t count, size_t refused, size_t killer)
{
    struct log log = {.refused = refused, .killer = killer};
    const struct pool_work work = {&log, count, run, take};
    size_t taken = pool_run(&work, processes);
    assert_int_equal(taken, log.taken);
    return taken;
}

static void test_results_in_order(void **state)
{
    (void)state;
    for (size_t processes = 1; processes <= 9; processes += 2)
        assert_int_equal(run_pool(processes, JOBS, NONE, NONE), JOBS);
    assert_int_equal(run_pool(4, 0, NONE, NONE), 0);
    assert_int_equal(run_pool(4, 1, NONE, NONE), 1);
    assert_int_equal(run_pool(1000, JOBS, NONE, NONE), JOBS);
}

static void test_refused(void **state)
{
    (void)state;
    for (size_t processes = 1; processes <= 4; processes++) {
        assert_int_equal(run_pool(processes, JOBS, 0, NONE), 0);
        assert_int_equal(run_pool(processes, JOBS, 123, NONE), 123);
    }
}

/* The jobs before the lost one are taken, none after it. */
static void test_lost_process(void **state)
{
    (void)state;
    assert_int_equal(run_pool(2, JOBS, NONE, 77), 77);
    assert_int_equal(run_pool(5, JOBS, NONE, 0), 0);
    assert_int_equal(run_pool(3, JOBS, NONE, JOBS - 1), JOBS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_in_order),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_lost_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
