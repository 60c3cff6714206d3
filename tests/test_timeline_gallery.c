/* test_timeline_gallery.c - does the recorder leave every counter as it is, in small runs of the whole
 * gallery?
 */
#include "test_support.h"

#include <string.h>

#include "gallery_list.h"
#include "models/models.h"
#include "session/gallery_source.h"
#include "session/session.h"

/* The most that a parameter gets in a small run. */
static long long most_of(const char *param)
{
    static const struct {
        const char *param;
        long long most;
    } cases[] = {{"width", 64}, {"height", 64},   {"nx", 64},
                 {"ny", 64},    {"kilobytes", 8}, {"blocks", 16}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(param, cases[i].param) == 0)
            return cases[i].most;
    return 2048;
}

static struct gallery_args small_args(const struct gallery_kernel *kernel)
{
    struct gallery_args args = {.params = kernel->params};
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++) {
        const struct gallery_param *param = &kernel->params[i];
        const long long most = most_of(param->name);
        args.values[i] = param->value <= most ? param->value
                         : param->min > most  ? param->min
                                              : most;
    }
    return args;
}

/* NULL, or why not: not every GPU can run every kernel. */
static const char *run_small(const struct gallery_kernel *kernel, const struct session_gpu *gpu,
                             bool timeline, struct result *result)
{
    struct gallery_args args = small_args(kernel);
    struct gallery_run run = {kernel, &args};
    const struct session_request request = {
        .source = gallery_source(&run), .gpus = gpu, .gpu_count = 1, .timeline = timeline};
    return session_run(&request, result);
}

/* Whether the GPU runs it. */
static bool check_same(const struct gallery_kernel *kernel, const struct session_gpu *gpu)
{
    struct result with, without;
    if (run_small(kernel, gpu, false, &without)) {
        assert_non_null(run_small(kernel, gpu, true, &with));
        return false;
    }
    assert_null(run_small(kernel, gpu, true, &with));
    assert_null(without.timeline);
    assert_true(with.timeline->count > 0);
    if (memcmp(&with.total, &without.total, sizeof with.total) != 0)
        fail_msg("%s on %s: the recorder changes a counter", kernel->name, gpu->model->name);
    results_free(&with, 1);
    results_free(&without, 1);
    return true;
}

static void the_recorder_changes_no_counter(void **state)
{
    (void)state;
    static const char *const names[] = {"gtx280", "h200"};
    for (size_t g = 0; g < sizeof names / sizeof names[0]; g++) {
        struct session_gpu gpu = {.model = models_find(names[g])};
        size_t run = 0, all = 0;
        arch_from_model(gpu.model, &gpu.arch);
        for (size_t t = 0; t < gallery_topic_count; t++)
            for (size_t i = 0; i < gallery_topics[t]->count; i++, all++)
                run += check_same(&gallery_topics[t]->kernels[i], &gpu);
        assert_true(g == 0 ? run > all / 2 : run == all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recorder_changes_no_counter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
