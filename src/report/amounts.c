/* amounts.c - sums over operations and spaces. */
#include "report/amounts.h"

#include <string.h>

struct report_amounts report_amounts(const struct counters *c)
{
    uint64_t sums[ROLE_COUNT];
    counters_sum_roles(c, GROUP_ANY, sums);
    return (struct report_amounts){.sectors = sums[ROLE_SECTORS],
                                   .ideal_sectors = sums[ROLE_IDEAL_SECTORS],
                                   .transactions = sums[ROLE_TRANSACTIONS],
                                   .passes = sums[ROLE_PASSES],
                                   .ideal_passes = sums[ROLE_IDEAL_PASSES]};
}

double report_start_cycles(const struct arch *arch, uint64_t blocks, uint64_t warps)
{
    return ((double)blocks * (double)arch->block_launch_millicycles +
            (double)warps * (double)arch->warp_launch_millicycles) /
           1000;
}

double report_metric(const struct counters *c, const char *name)
{
    double value = 0;
    for (size_t i = 0; i < metric_count; i++)
        if (strcmp(metric_table[i].name, name) == 0 && !metric_table[i].value(c, &value))
            value = 0;
    return value;
}
