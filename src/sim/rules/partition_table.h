/* partition_table.h - the bytes that each DRAM partition moves, where addresses are not hashed over them. */
#ifndef WARPLENS_SIM_RULES_PARTITION_TABLE_H
#define WARPLENS_SIM_RULES_PARTITION_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct partition_bytes {
    uint64_t read, written;
};

struct partition_table {
    uint32_t count;       /* partitions; 0: hashed, nothing is kept */
    uint32_t block_count; /* the first blocks, which have rows of their own */
    /* Row 0: the whole kernel. Row 1 + i: block i. `count` values a row. */
    struct partition_bytes *rows;
};

static inline const struct partition_bytes *partitions_of_block(const struct partition_table *table,
                                                                uint32_t block)
{
    return table->rows + ((size_t)block + 1) * table->count;
}

#endif
