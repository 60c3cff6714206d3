/* addresses.h - where arrays lie in simulated memory. Whoever runs the same kernels elsewhere and wants
 * the same cache sets, banks and partitions (tools/cuda/) places its arrays alike.
 */
#ifndef WARPLENS_STREAM_ADDRESSES_H
#define WARPLENS_STREAM_ADDRESSES_H

#include <stdint.h>

/* The first array's address: a multiple of 256 bytes times 6, 7 and 8 partitions. */
#define DEVICE_BASE_ADDRESS 0x2a0000000ULL

/* An array begins at a multiple of ARRAY_ALIGN (256 bytes times 6, 7 and 8), behind a gap. */
enum { ARRAY_ALIGN = 84 * 1024, ARRAY_GAP = 4096 };

/* Offset of an array, from the first one's address, when `used` bytes are taken. */
static inline uint64_t array_offset(uint64_t used, uint64_t align)
{
    return (used + align - 1) / align * align;
}

#endif
