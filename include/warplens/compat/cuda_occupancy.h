/* cuda_occupancy.h - here for headers that include it and call nothing of it (Thrust); cuda_runtime.h has the occupancy of
 * a kernel. */
#ifndef WARPLENS_COMPAT_CUDA_OCCUPANCY_H
#define WARPLENS_COMPAT_CUDA_OCCUPANCY_H
#endif
