/* test_result_memory.c - does a result keep what reports need and no more? All GPUs of warplens run one kernel; what
 * the heap holds afterwards is the results'.
 */
#include "test_support.h"

#include <malloc.h>

#include "gallery_list.h"
#include "models/models.h"
#include "session/gallery_source.h"
#include "session/session.h"

enum { GPUS_MAX = SESSION_GPUS_MAX, MOST_BYTES = 2 << 20, SIDE = 512 };

static struct session_gpu gpus[GPUS_MAX];
static struct result results[GPUS_MAX];

static size_t bytes_in_use(void)
{
    const struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}

/* Bytes that the results of a kernel keep, under the first `count` GPUs. */
static size_t run(size_t count, bool timeline)
{
    const struct gallery_kernel *kernel = gallery_find("transposeNaive");
    const struct gallery_args args = {.params = kernel->params, .values = {SIDE, SIDE}};
    struct gallery_run gallery = {kernel, &args};
    const struct session_request request = {
        .source = gallery_source(&gallery), .gpus = gpus, .gpu_count = count, .timeline = timeline};
    const size_t before = bytes_in_use();
    assert_null(session_run(&request, results));
    return bytes_in_use() - before;
}

static void a_result_keeps_less_than_2_mb(void **state)
{
    const size_t count = model_count;
    (void)state;
    assert_in_range(count, 16, GPUS_MAX);
    for (size_t i = 0; i < count; i++) {
        gpus[i].model = models[i];
        arch_from_model(models[i], &gpus[i].arch);
    }
    run(count, false); /* what stays for the program's life is there */
    results_free(results, count);
    for (int timeline = 0; timeline < 2; timeline++) {
        const size_t kept = run(count, timeline);
        for (size_t i = 0; i < count; i++)
            assert_in_range(results[i].usage->count, 1, USAGE_WINDOWS);
        const size_t windows = results[0].usage->count * sizeof results[0].usage->windows[0];
        print_message("%zu bytes a result, %s timeline\n", kept / count,
                      timeline ? "with a" : "without");
        assert_in_range(kept, windows, count * MOST_BYTES); /* windows: something is counted */
        const size_t all = bytes_in_use();
        results_free(results, count);
        assert_in_range(all - bytes_in_use(), kept * 9 / 10, kept * 11 / 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_keeps_less_than_2_mb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
