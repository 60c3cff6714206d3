/* bench_kernels.h - host code that launches the kernels of bench_kernels.c, for the bench command. */
#ifndef WARPLENS_BENCH_KERNELS_H
#define WARPLENS_BENCH_KERNELS_H

/* A coalesced copy: 16,384 warp accesses a launch. */
void bench_trace_copy(int launches);
/* Read-modify-write of a volatile shared array: lockstep. */
void bench_trace_lockstep(int launches);
/* A sum in shared memory, and a product of matrices through 16x16 tiles of it: with barriers. */
void bench_trace_reduce(int launches);
void bench_trace_product(int launches);

#endif
