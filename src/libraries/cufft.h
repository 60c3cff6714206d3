/* cufft.h - what the files of cuFFT share: cufft_plans.c has the plans, cufft.c the transforms. */
#ifndef WARPLENS_LIBRARIES_CUFFT_H
#define WARPLENS_LIBRARIES_CUFFT_H

#include <stdbool.h>

#include "warplens/cuda.h"
#include "warplens/cuda_libraries.h"
#include "warplens/cufft_host.h"

enum { CUFFT_RANK_MAX = 3 };

struct cufft_plan {
    bool used;
    cufftType type;
    int n[CUFFT_RANK_MAX]; /* the last one runs fastest; 1 in front of those that there are */
    int batch;             /* 0: it is created, and not made */
    cudaStream_t stream;
};

/* NULL when there is none. */
struct cufft_plan *cufft_plan(cufftHandle handle);
/* Elements of an array of the complex side, whose last dimension is halved where the other side is real; and of that. */
size_t cufft_complex_count(const struct cufft_plan *p);
size_t cufft_whole_count(const struct cufft_plan *p);
bool cufft_real_in(cufftType type);
bool cufft_real_out(cufftType type);

#endif
