/* run_on.h - a source of a test's own, run on one GPU, in time. */
#ifndef WARPLENS_TESTS_RUN_ON_H
#define WARPLENS_TESTS_RUN_ON_H

#include "models/models.h"
#include "session/session.h"
#include "test_support.h"

/* Its message, or NULL, when `result` is to be freed. */
static inline const char *run_on(const char *gpu, struct trace_source source, struct result *result)
{
    struct session_gpu of = {.model = models_find(gpu)};
    arch_from_model(of.model, &of.arch);
    const struct session_request request = {.source = source, .gpus = &of, .gpu_count = 1};
    return session_run(&request, result);
}

/* All that an H200 counts. */
static inline struct counters counters_on_h200(struct trace_source source)
{
    struct result result;
    assert_null(run_on("h200", source, &result));
    const struct counters c = result.total;
    results_free(&result, 1);
    return c;
}

#endif
