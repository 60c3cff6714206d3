/* run.c - the life of a run: new, set up, begun, ended, freed. */
#include "library/library.h"

#include <stdarg.h>
#include <string.h>

#include "session/laws.h"
#include "models/models.h"

const char *warplens_version(void)
{
    return WARPLENS_VERSION;
}

struct warplens_run *warplens_run_new(void)
{
    return calloc(1, sizeof(struct warplens_run));
}

void warplens_run_free(struct warplens_run *run)
{
    if (run == NULL)
        return;
    library_push_free(run);
    library_counts_free(run);
    if (run->results && run->stage == LIBRARY_DONE)
        results_free(run->results, run->gpu_count);
    free(run->results);
    free(run);
}

const char *warplens_message(const struct warplens_run *run)
{
    return run ? run->message : "there is no run: no memory for it?";
}

bool library_fail(struct warplens_run *run, const char *format, ...)
{
    va_list arguments;
    if (run == NULL || run->stage == LIBRARY_FAILED)
        return false;
    va_start(arguments, format);
    vsnprintf(run->message, sizeof run->message, format, arguments);
    va_end(arguments);
    return false;
}

bool library_is_in(struct warplens_run *run, enum library_stage stage, const char *what)
{
    static const char *const is[] = {
        [LIBRARY_SETTING_UP] = "it has no accesses yet",
        [LIBRARY_TAKING] = "it is taking accesses until warplens_finish",
        [LIBRARY_DONE] = "it has its accesses already: make another run",
        [LIBRARY_FAILED] = "",
    };
    if (run && run->stage == stage)
        return true;
    return run && library_fail(run, "a run cannot %s now: %s", what, is[run->stage]);
}

bool library_has_gpu(struct warplens_run *run, size_t gpu)
{
    if (gpu < run->gpu_count)
        return true;
    return library_fail(run, "no GPU %zu: the run has %zu, numbered from 0", gpu, run->gpu_count);
}

/* ---- Settings ----------------------------------------------------------------------------------- */

bool warplens_set_rules_only(struct warplens_run *run, bool rules_only)
{
    if (!library_is_in(run, LIBRARY_SETTING_UP, "be set up"))
        return false;
    run->request.rules_only = rules_only;
    return true;
}

bool warplens_set_cold_launches(struct warplens_run *run, bool cold)
{
    if (!library_is_in(run, LIBRARY_SETTING_UP, "be set up"))
        return false;
    run->request.cold_launches = cold;
    return true;
}

bool warplens_set_registers(struct warplens_run *run, uint32_t registers)
{
    if (!library_is_in(run, LIBRARY_SETTING_UP, "be set up"))
        return false;
    if (registers > 255)
        return library_fail(run, "%u registers a thread: allowed are 1 to 255, or 0: unknown",
                            registers);
    run->request.registers_per_thread = registers;
    return true;
}

/* ---- The way to results ------------------------------------------------------------------------- */

bool library_begin(struct warplens_run *run)
{
    if (!library_is_in(run, LIBRARY_SETTING_UP, "take accesses"))
        return false;
    if (run->gpu_count == 0 && !warplens_add_gpu(run, "h200"))
        return false;
    for (size_t i = 0; i < run->gpu_count; i++) {
        const char *contradiction = arch_contradiction(&run->gpus[i].arch);
        if (contradiction)
            return library_fail(run, "%s: %s; `warplens gpus %s` shows what it has",
                                run->gpus[i].model->name, contradiction, run->gpus[i].model->name);
    }
    run->results = calloc(run->gpu_count, sizeof *run->results);
    if (run->results == NULL)
        return library_fail(run, "no memory for the results");
    run->request.gpus = run->gpus;
    run->request.gpu_count = run->gpu_count;
    return true;
}

static bool fail_for_good(struct warplens_run *run, const char *message)
{
    library_fail(run, "%s", message);
    run->stage = LIBRARY_FAILED;
    return false;
}

bool library_end(struct warplens_run *run, const char *error)
{
    char broken[LAWS_MESSAGE_BYTES];
    if (error)
        return fail_for_good(run, error);
    const struct run_fault *stop = run_info_stop(run->results[0].info);
    if (run->results[0].total.launches == 0 && stop) {
        library_fail(run, "no launch was complete: %s", stop->fault.text);
        results_free(run->results, run->gpu_count);
        run->stage = LIBRARY_FAILED;
        return false;
    }
    if (!laws_keep(run->results, run->gpu_count, broken))
        error = broken;
    else if (!library_count(run))
        error = "no memory for the counts of lines and arrays";
    if (error) {
        results_free(run->results, run->gpu_count);
        return fail_for_good(run, error);
    }
    run->stage = LIBRARY_DONE;
    return true;
}
