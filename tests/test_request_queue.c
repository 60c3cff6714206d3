/* test_request_queue.c - are requests answered as if each were when it is asked, whoever answers and however late? And
 * are they answered by the end of the quantum after their own? Usage: test_request_queue [SEED].
 */
#include "small_gpu_ask.h"

#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 20000, QUANTUM = 300, LINES = 64, FILLS = 16 };

static uint64_t seed = 20261123;

/* What requests say, by number. */
struct answers {
    uint64_t place[REQUESTS], load[REQUESTS / 4];
    uint32_t fill[FILLS];
};

static uint32_t random_below(uint64_t *random, uint32_t end)
{
    *random = *random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)((*random >> 33) % end);
}

/* Request i: loads, stores and atomics of a few lines, four in a row for one load of a warp. Some fill a line of a
 * cache, some wait for that. */
static void fill_in(struct queued_request *q, uint64_t *random, uint32_t i, struct answers *answers)
{
    static const enum request_kind kinds[] = {REQUEST_LOAD, REQUEST_LOAD, REQUEST_STORE,
                                              REQUEST_ATOMIC, REQUEST_WAITS};
    const uint32_t line = random_below(random, LINES);
    *q = (struct queued_request){
        .request = {.line = line,
                    .sectors = (uint8_t)(1 + random_below(random, 15)),
                    .words = UINT32_MAX},
        .leaves = ticks_of_cycles(2 * i) + random_below(random, 256),
        .place = &answers->place[i],
        .load = &answers->load[i / 4],
        .kind = (uint8_t)kinds[random_below(random, 5)],
        .lanes = {.most = {(uint8_t)(1 + random_below(random, 3))}},
        .first = i % 4 == 0,
        .joins = random_below(random, 2),
    };
    if (q->kind == REQUEST_WAITS || (q->kind == REQUEST_LOAD && line % 2))
        q->fill = &answers->fill[line % FILLS];
    if (q->kind == REQUEST_LOAD && line % 3)
        q->gpc = &gpu.gpc;
}

static void check_known(const struct request_queue *queue, uint64_t before, uint32_t asked)
{
    for (uint32_t number = 1; number <= asked; number++)
        if (number <= before)
            assert_true(request_queue_knows(queue, number));
}

static void ask_all(struct answers *answers, bool at_once, bool thread)
{
    struct arch arch = small_gpu_arch(90);
    arch.gpcs = 1;
    arch.gpc_merge_loads = 4;
    arch.gpc_way_cycles = 100;
    uint64_t random = seed, before = 0;
    memset(answers, 0, sizeof *answers);
    small_gpu_open(&gpu, &arch);
    gpu.queue.at_once = at_once;
    if (thread)
        request_queue_start_thread(&gpu.queue);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        fill_in(request_queue_next(&gpu.queue), &random, i, answers);
        assert_int_equal(request_queue_ask(&gpu.queue), i + 1);
        if (at_once)
            assert_int_equal(gpu.queue.known, i + 1);
        if (i % 1999 == 0) /* an answer that is needed at once */
            request_queue_wait(&gpu.queue, i + 1);
        if (i % QUANTUM)
            continue;
        request_queue_end_quantum(&gpu.queue);
        assert_true(gpu.queue.known >= before);
        check_known(&gpu.queue, before, i + 1);
        before = i + 1;
    }
    request_queue_wait(&gpu.queue, REQUESTS);
    assert_int_equal(gpu.queue.known, REQUESTS);
    small_gpu_close(&gpu);
}

static void answers_do_not_depend_on_who_gives_them(void **state)
{
    (void)state;
    struct answers *at_once = malloc(3 * sizeof *at_once), *late = at_once + 1,
                   *thread = at_once + 2;
    assert_non_null(at_once);
    ask_all(at_once, true, false);
    ask_all(late, false, false);
    ask_all(thread, false, true);
    assert_memory_equal(late, at_once, sizeof *late);
    assert_memory_equal(thread, at_once, sizeof *thread);
    free(at_once);
}

/* Nobody answers a request before it is given or needed. */
static void a_request_is_not_known_before_it_is_answered(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    uint64_t place = 0;
    small_gpu_open(&gpu, &arch);
    gpu.queue.at_once = false;
    *request_queue_next(&gpu.queue) =
        (struct queued_request){.request = sectors_of(5, 1), .place = &place, .kind = REQUEST_LOAD};
    const uint32_t number = (uint32_t)request_queue_ask(&gpu.queue);
    assert_false(request_queue_knows(&gpu.queue, number));
    request_queue_end_quantum(&gpu.queue);
    assert_false(request_queue_knows(&gpu.queue, number));
    request_queue_end_quantum(&gpu.queue);
    assert_true(request_queue_knows(&gpu.queue, number));
    assert_int_equal(place, ticks_of_cycles(600));
    small_gpu_close(&gpu);
}

/* In whole cycles: one that has begun counts. */
static void a_line_on_its_way_is_there_when_its_fill_is(void **state)
{
    (void)state;
    assert_int_equal(request_fill_arrives(7, ticks_of_cycles(5)), ticks_of_cycles(7));
    assert_int_equal(request_fill_arrives(7, ticks_of_cycles(5) + 255), ticks_of_cycles(7));
    assert_int_equal(request_fill_arrives(7, ticks_of_cycles(7) + 3), ticks_of_cycles(7) + 3);
    assert_int_equal(request_fill_arrives(3, ticks_of_cycles(0xfffffffd)),
                     ticks_of_cycles(0x100000003));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_do_not_depend_on_who_gives_them),
        cmocka_unit_test(a_request_is_not_known_before_it_is_answered),
        cmocka_unit_test(a_line_on_its_way_is_there_when_its_fill_is),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
