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

uint8_t result_part_word(const struct result_part *part)
{
    const struct counters *c = part->counters;
    const uint64_t of_word[WORD_COUNT] = {[WORD_COPY] = c->async_copies,
                                          [WORD_BULK_LOAD] = c->bulk_loads,
                                          [WORD_BULK_STORE] = c->bulk_stores,
                                          [WORD_BULK_REDUCTION] = c->bulk_reductions};
    for (uint8_t word = WORD_COPY; word < WORD_COUNT; word++)
        if (of_word[word] && of_word[word] == c->warp_accesses)
            return word;
    return part->op;
}

const char *result_part_op(const struct result_part *part)
{
    return mem_op_names[result_part_word(part)];
}

void results_free(struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        release(&results[i]);
}
