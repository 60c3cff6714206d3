/* result.c - a result owns its arrays; what was run it shares with the run's other results. */
#include "result/result.h"

#include <stdlib.h>

static void release(struct result *result)
{
    free(result->sites);
    free(result->sums);
    free(result->partitions.rows);
    free(result->usage);
    free(result->timeline);
    free(result->lines);
    free(result->arrays);
    free(result->accesses);
    free(result->launches);
    run_info_release(result->info);
    *result = (struct result){0};
}

const char *result_part_op(const struct result_part *part)
{
    const bool copies = part->op == OP_LOAD && part->counters->async_copies;
    return copies && part->counters->global_load_requests == 0 ? "copy" : mem_op_names[part->op];
}

void results_free(struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        release(&results[i]);
}
