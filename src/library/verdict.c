/* verdict.c - a verdict as reports have it, for programs. */
#include "library/library.h"

static void fill(struct warplens_verdict *verdict, const struct verdict *v)
{
    const struct result_part *accesses = v->accesses;
    *verdict = (struct warplens_verdict){.sentence = v->sentence,
                                         .limiter = v->is_timed ? usage_name(v->limiter) : NULL,
                                         .share = v->is_timed ? v->share : 0,
                                         .figure = v->figure,
                                         .value = v->value};
    if (accesses == NULL)
        return;
    verdict->file = accesses->file;
    verdict->line = accesses->line;
    verdict->space = (enum warplens_space)accesses->space;
    verdict->op = (enum warplens_op)accesses->op;
    verdict->array = accesses->array;
}

bool warplens_get_verdict(struct warplens_run *run, size_t gpu, struct warplens_verdict *verdict)
{
    if (verdict == NULL || !library_is_in(run, LIBRARY_DONE, "give a verdict") ||
        !library_has_gpu(run, gpu))
        return false;
    fill(verdict, &run->counts[gpu].verdict);
    return true;
}
