/* test_sim_threads.c - does a model with a thread for what lies beyond its SMs give the figures of one without? And of one
 * that answers every request at once, as it does while a block is watched? Random
 * kernels of streams, strides, random lines, stores, atomics and barriers, three launches each, of which L2 keeps what the one before left.
 * Usage: test_sim_threads [SEED].
 */
#include "test_support.h"

#include <stdlib.h>
#include <string.h>

#include "sim_feed.h"

enum { PARTS = 4, LAUNCHES = 3, KERNELS = 1 };

static uint64_t seed = 20261123;

static uint32_t random_below(uint64_t *random, uint32_t end)
{
    *random = *random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)((*random >> 33) % end);
}

static struct feed_part random_part(uint64_t *random)
{
    static const enum feed_shape shapes[] = {FEED_STREAM, FEED_STRIDED, FEED_RANDOM, FEED_STREAM,
                                             FEED_BARRIER};
    static const uint8_t ops[] = {OP_LOAD, OP_LOAD, OP_STORE, OP_ATOMIC};
    return (struct feed_part){.shape = shapes[random_below(random, 5)],
                              .op = ops[random_below(random, 4)],
                              .waits = random_below(random, 4) == 0,
                              .work = (uint16_t)(1 + random_below(random, 20)),
                              .base = 0x200000000ULL + ((uint64_t)random_below(random, 8) << 16),
                              .bytes = 1U << (14 + random_below(random, 8)),
                              .stride = 4 << random_below(random, 6)};
}

/* All figures of the launches. */
struct figures {
    struct counters counters[LAUNCHES];
    uint64_t ticks[LAUNCHES];
};

static void run(const struct arch *arch, uint64_t random, bool has_thread, bool watches,
                struct figures *figures)
{
    const struct sim_options options = {.has_thread = has_thread};
    struct feed *feed = malloc(sizeof *feed);
    assert_non_null(feed);
    feed_open(feed, arch, &options);
    for (uint32_t launch = 0; launch < LAUNCHES; launch++) {
        struct feed_part parts[PARTS];
        for (uint32_t i = 0; i < PARTS; i++)
            parts[i] = random_part(&random);
        const struct feed_kernel kernel = {.parts = parts,
                                           .part_count = PARTS,
                                           .rounds = 3,
                                           .blocks = 1 + random_below(&random, 150),
                                           .warps = 1 + random_below(&random, 8),
                                           .seed = random};
        if (watches && launch == 0)
            feed_watch(feed, &kernel, 0);
        else
            feed_run(feed, &kernel);
        const struct feed_result result = feed_total(feed);
        figures->counters[launch] = result.counters;
        figures->ticks[launch] = result.ticks;
    }
    feed_close(feed);
    free(feed);
}

static void check_gpu(const char *name, const struct arch *arch)
{
    static struct figures alone, with_thread, watched;
    for (uint64_t i = 0; i < KERNELS; i++) {
        run(arch, seed + i, false, false, &alone);
        run(arch, seed + i, true, false, &with_thread);
        run(arch, seed + i, false, true, &watched);
        if (memcmp(&alone, &with_thread, sizeof alone) != 0)
            fail_msg("%s, seed %llu: a thread changes the figures", name,
                     (unsigned long long)(seed + i));
        if (memcmp(&alone, &watched, sizeof alone) != 0)
            fail_msg("%s, seed %llu: answers at once change the figures", name,
                     (unsigned long long)(seed + i));
    }
}

static void neither_a_thread_nor_answers_at_once_change_a_figure(void **state)
{
    (void)state;
    feed_each_model(check_gpu);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_a_thread_nor_answers_at_once_change_a_figure)};
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
