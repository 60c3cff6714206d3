/* amounts.c - sums over operations and spaces. */
#include "report/amounts.h"

#include <string.h>

struct report_amounts report_amounts(const struct counters *c)
{
    return (struct report_amounts){
        .sectors = c->global_load_sectors + c->global_store_sectors + c->global_atomic_sectors +
                   c->read_only_load_sectors + c->local_load_sectors + c->local_store_sectors,
        .ideal_sectors = c->global_load_ideal_sectors + c->global_store_ideal_sectors +
                         c->global_atomic_ideal_sectors + c->read_only_load_ideal_sectors +
                         c->local_load_ideal_sectors + c->local_store_ideal_sectors,
        .transactions = c->global_load_transactions + c->global_store_transactions +
                        c->global_atomic_transactions,
        .passes = c->shared_load_passes + c->shared_store_passes + c->shared_atomic_passes +
                  c->constant_load_passes,
        .ideal_passes = c->shared_load_ideal_passes + c->shared_store_ideal_passes +
                        c->shared_atomic_ideal_passes + c->constant_load_ideal_passes,
    };
}

double report_metric(const struct counters *c, const char *name)
{
    double value = 0;
    for (size_t i = 0; i < metric_count; i++)
        if (strcmp(metric_table[i].name, name) == 0 && !metric_table[i].value(c, &value))
            value = 0;
    return value;
}
