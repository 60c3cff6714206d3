/* cublas_lt.c - products of cuBLASLt, with what is done to each element behind them.
 * Descriptors: cublas_lt_descriptors.c.
 *
 * Rows behind rows (CUBLASLT_ORDER_ROW) are a matrix that lies transposed. GELU is the form with
 * the hyperbolic tangent [?]: cuBLAS's manual does not say which one it is.
 */
#include <math.h>
#include <stdlib.h>

#include "libraries/cublas_product.h"
#include "warplens/cublas_lt_types.h"

/* ---- Products --------------------------------------------------------------------------------- */

/* What becomes of each element of one product. */
struct epilogue {
    unsigned kind;
    const void *bias; /* of each row; NULL: none */
    cudaDataType_t bias_type;
    struct operand aux; /* what GELU is of: written by GELU_AUX, read by DGELU */
};

enum { WITH_AUX = 128 };

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
}

static double gelu_slope(double x)
{
    const double scale = sqrt(2 / acos(-1)), t = tanh(scale * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * scale * (1 + 3 * 0.044715 * x * x);
}

static double finish(const void *context, int i, int j, double value)
{
    const struct epilogue *e = context;
    const size_t place = e->aux.at ? cublas_place(&e->aux, i, j) : 0;
    if (e->bias)
        value += cublas_load(e->bias_type, e->bias, (size_t)i);
    if (e->kind & CUBLASLT_EPILOGUE_RELU)
        return value > 0 ? value : 0;
    if (e->kind == CUBLASLT_EPILOGUE_DGELU)
        return value * gelu_slope(cublas_load(e->aux.type, e->aux.at, place));
    if (!(e->kind & CUBLASLT_EPILOGUE_GELU))
        return value;
    if (e->aux.at)
        cublas_store(e->aux.type, (void *)(uintptr_t)e->aux.at, place, value);
    return gelu(value);
}

/* Sums over k of the rows of op(A), or of the columns of op(B). */
static cublasStatus_t sum_gradient(const struct product *p, const struct epilogue *e, void *bias)
{
    const bool of_a = e->kind == CUBLASLT_EPILOGUE_BGRADA;
    const int count = of_a ? p->m : p->n;
    const struct operand *x = of_a ? &p->a : &p->b;
    if (!wl_library_writes(p->function, "the bias", bias,
                           (size_t)count * cublas_size_of(e->bias_type)))
        return CUBLAS_STATUS_MAPPING_ERROR;
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int l = 0; l < p->k; l++)
            sum +=
                cublas_load(x->type, x->at, of_a ? cublas_place(x, i, l) : cublas_place(x, l, i));
        cublas_store(e->bias_type, bias, (size_t)i, sum);
    }
    return CUBLAS_STATUS_SUCCESS;
}

/* One of a batch: the epilogue's own arrays are looked at, and the product is made. */
static cublasStatus_t multiply_one(struct product *p, const cublasLtMatmulDescOpaque_t *desc,
                                   int index)
{
    struct epilogue e = {.kind = desc->epilogue,
                         .bias_type =
                             desc->bias_type < 0 ? p->d.type : (cudaDataType_t)desc->bias_type};
    const size_t bias_size = cublas_size_of(e.bias_type);
    char *bias = (char *)desc->bias + index * desc->bias_stride * (int64_t)bias_size;
    if (e.kind & (CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB)) {
        const cublasStatus_t status = sum_gradient(p, &e, bias);
        return status ? status : cublas_multiply(p);
    }
    if (e.kind & CUBLASLT_EPILOGUE_BIAS) {
        e.bias = bias;
        if (!wl_library_reads(p->function, "the bias", bias, (size_t)p->m * bias_size))
            return CUBLAS_STATUS_MAPPING_ERROR;
    }
    if (e.kind & WITH_AUX) {
        const int64_t offset = index * desc->aux_stride * (int64_t)cublas_size_of(p->d.type);
        e.aux =
            (struct operand){(char *)desc->aux + offset, p->d.type, (int)desc->aux_ld, CUBLAS_OP_N};
        const struct matrix aux = cublas_matrix_of("the epilogue's aux", &e.aux, p->m, p->n);
        if (aux.rows > aux.ld)
            return CUBLAS_STATUS_INVALID_VALUE;
        if (!(e.kind == CUBLASLT_EPILOGUE_DGELU ? cublas_reads(p->function, &aux, 1)
                                                : cublas_writes(p->function, &aux)))
            return CUBLAS_STATUS_MAPPING_ERROR;
    }
    p->finish = finish;
    p->context = &e;
    return cublas_multiply(p);
}

static cublasOperation_t transposed(int op, bool is_by_rows)
{
    return (op != CUBLAS_OP_N) == is_by_rows ? CUBLAS_OP_N : CUBLAS_OP_T;
}

static struct operand operand_of(const void *at, const cublasLtMatrixLayoutOpaque_t *layout, int op)
{
    return (struct operand){at, (cudaDataType_t)layout->type, (int)layout->ld,
                            transposed(op, layout->order == CUBLASLT_ORDER_ROW)};
}

/* Whether layouts fit each other and are of types that there are. */
static cublasStatus_t check(const cublasLtMatmulDescOpaque_t *desc,
                            const cublasLtMatrixLayoutOpaque_t *const layouts[4], int *k)
{
    const cublasLtMatrixLayoutOpaque_t *a = layouts[0], *b = layouts[1];
    const bool plain_a = desc->transa == CUBLAS_OP_N, plain_b = desc->transb == CUBLAS_OP_N;
    const uint64_t m = plain_a ? a->rows : a->columns, n = plain_b ? b->columns : b->rows;
    const uint64_t terms = plain_a ? a->columns : a->rows;
    for (int i = 0; i < 4; i++) {
        const cublasLtMatrixLayoutOpaque_t *l = layouts[i];
        if (l->rows > INT32_MAX || l->columns > INT32_MAX || l->ld < 1 || l->ld > INT32_MAX ||
            l->batch_count != layouts[3]->batch_count || l->batch_count < 0)
            return CUBLAS_STATUS_INVALID_VALUE;
        if (cublas_size_of((cudaDataType_t)l->type) == 0 || l->order > CUBLASLT_ORDER_ROW ||
            (i >= 2 && (l->rows != m || l->columns != n)))
            return i >= 2 && (l->rows != m || l->columns != n) ? CUBLAS_STATUS_INVALID_VALUE
                                                               : CUBLAS_STATUS_NOT_SUPPORTED;
    }
    *k = (int)terms;
    return terms == (plain_b ? b->rows : b->columns) ? CUBLAS_STATUS_SUCCESS
                                                     : CUBLAS_STATUS_INVALID_VALUE;
}

EXPORTED(cublasStatus_t, cublasLtMatmulAlgoGetHeuristic, cublasLtHandle_t handle,
         cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
         cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference,
         int requested, cublasLtMatmulHeuristicResult_t results[], int *returned)
{
    int k;
    (void)preference;
    if (handle == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (requested < 1 || desc == NULL || !a || !b || !c || !d)
        return CUBLAS_STATUS_INVALID_VALUE;
    *returned = 0;
    const cublasStatus_t status =
        check(desc, (const cublasLtMatrixLayoutOpaque_t *const[]){a, b, c, d}, &k);
    if (status)
        return status;
    results[0] = (cublasLtMatmulHeuristicResult_t){.wavesCount = 1};
    *returned = 1;
    return CUBLAS_STATUS_SUCCESS;
}

static const void *behind(const void *first, const cublasLtMatrixLayoutOpaque_t *layout, int index)
{
    return (const char *)first +
           index * layout->batch_stride * (int64_t)cublas_size_of((cudaDataType_t)layout->type);
}

EXPORTED(cublasStatus_t, cublasLtMatmul, cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
         const void *alpha, const void *a, cublasLtMatrixLayout_t a_layout, const void *b,
         cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
         cublasLtMatrixLayout_t c_layout, void *d, cublasLtMatrixLayout_t d_layout,
         const cublasLtMatmulAlgo_t *algorithm, void *workspace, size_t workspace_bytes,
         cudaStream_t stream)
{
    const cublasLtMatrixLayoutOpaque_t *const layouts[] = {a_layout, b_layout, c_layout, d_layout};
    int k;
    (void)algorithm;
    (void)workspace;
    (void)workspace_bytes;
    if (handle == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (desc == NULL || !a_layout || !b_layout || !c_layout || !d_layout || !alpha || !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    struct cublasContext own = {.stream = stream,
                                .pointer_mode = (cublasPointerMode_t)desc->pointer_mode};
    const cublasStatus_t begun = cublas_begin(&own, "cublasLtMatmul");
    const cublasStatus_t possible = begun ? begun : check(desc, layouts, &k);
    if (possible)
        return possible;
    const cudaDataType_t scalar = (cudaDataType_t)desc->scale_type;
    if (!cublas_has_scalars(&own, "cublasLtMatmul", (const void *const[]){alpha, beta, NULL},
                            cublas_size_of(scalar)))
        return CUBLAS_STATUS_MAPPING_ERROR;
    const cudaDataType_t sums = cublas_scalar_type((cublasComputeType_t)desc->compute);
    for (int i = 0; i < d_layout->batch_count; i++) {
        struct product p = {.function = "cublasLtMatmul",
                            .m = (int)d_layout->rows,
                            .n = (int)d_layout->columns,
                            .k = k,
                            .a = operand_of(behind(a, a_layout, i), a_layout, desc->transa),
                            .b = operand_of(behind(b, b_layout, i), b_layout, desc->transb),
                            .c = operand_of(behind(c, c_layout, i), c_layout, CUBLAS_OP_N),
                            .d = operand_of(behind(d, d_layout, i), d_layout, CUBLAS_OP_N),
                            .alpha = cublas_load(scalar, alpha, 0),
                            .beta = cublas_load(scalar, beta, 0),
                            .in_double = sums == CUDA_R_64F || sums == CUDA_R_32I};
        const cublasStatus_t status = multiply_one(&p, desc, i);
        if (status)
            return status;
    }
    return CUBLAS_STATUS_SUCCESS;
}
