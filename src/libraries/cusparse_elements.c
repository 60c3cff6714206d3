/* cusparse_elements.c - cuSPARSE's arithmetic for its four types, from one text. */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/cusparse.h"

#define T float
#define TYPE CUDA_R_32F
#define OWN(x) s_##x
#define CONJ(v) (v)
#include "libraries/cusparse_elements.h"
#undef T
#undef TYPE
#undef OWN

#define T double
#define TYPE CUDA_R_64F
#define OWN(x) d_##x
#include "libraries/cusparse_elements.h"
#undef T
#undef TYPE
#undef OWN
#undef CONJ

#define T float _Complex
#define TYPE CUDA_C_32F
#define OWN(x) c_##x
#define CONJ(v) conjf(v)
#include "libraries/cusparse_elements.h"
#undef T
#undef TYPE
#undef OWN
#undef CONJ

#define T double _Complex
#define TYPE CUDA_C_64F
#define OWN(x) z_##x
#define CONJ(v) conj(v)
#include "libraries/cusparse_elements.h"

const struct element_ops *cusparse_elements(cudaDataType type)
{
    static const struct element_ops *const all[] = {&s_ops, &d_ops, &c_ops, &z_ops};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i]->type == type)
            return all[i];
    return NULL;
}

const struct element_ops *cusparse_elements_of(const char *function, cudaDataType compute,
                                               const cudaDataType *types, size_t count)
{
    const struct element_ops *ops = cusparse_elements(compute);
    for (size_t i = 0; ops && i < count; i++)
        if (types[i] != compute)
            ops = NULL;
    if (ops == NULL)
        cusparse_refuse(CUSPARSE_STATUS_NOT_SUPPORTED, function,
                        "the types of elements and of the computation must be the same, one of "
                        "CUDA_R_32F, CUDA_R_64F, CUDA_C_32F and CUDA_C_64F");
    return ops;
}
