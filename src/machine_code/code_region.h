/* code_region.h - places in the code that no branch is between which a GPU takes. */
#ifndef WARPLENS_MACHINE_CODE_CODE_REGION_H
#define WARPLENS_MACHINE_CODE_CODE_REGION_H

#include <stdint.h>

/* The region's number in its function, and the function's, from 1 on; function 0: the code does not tell. */
struct code_region {
    uint32_t function, region;
};

#endif
