/* cublas_product.h - products of matrices whose types may differ: cublasGemmEx and its relatives (cublas_mixed.c),
 * cublasLtMatmul (cublas_lt.c).
 */
#ifndef WARPLENS_LIBRARIES_CUBLAS_PRODUCT_H
#define WARPLENS_LIBRARIES_CUBLAS_PRODUCT_H

#include "libraries/cublas.h"

/* Bytes of an element; 0: a type that is not there. */
size_t cublas_size_of(cudaDataType_t type);
/* Element i of an array, and back: rounded once; of 8 bits held within what they can be. */
double cublas_load(cudaDataType_t type, const void *array, size_t i);
void cublas_store(cudaDataType_t type, void *array, size_t i, double value);

/* A matrix as it lies, column by column, and whether it is meant as it lies or transposed. */
struct operand {
    const void *at;
    cudaDataType_t type;
    int ld; /* elements from column to column */
    cublasOperation_t op;
};

/* d = finish(alpha a b + beta c): m x n, of k terms; c is not read where beta is 0. */
struct product {
    const char *function;
    int m, n, k;
    struct operand a, b, c, d;
    double alpha, beta;
    bool in_double; /* sums; otherwise in float */
    double (*finish)(const void *context, int i, int j, double value); /* NULL: nothing */
    const void *context;
};

/* The place of an element, in elements of the operand. */
size_t cublas_place(const struct operand *x, int i, int j);
/* The matrix in memory of an operand that is rows x columns. */
struct matrix cublas_matrix_of(const char *what, const struct operand *x, int rows, int columns);
/* Checks the arrays and multiplies. */
cublasStatus_t cublas_multiply(const struct product *p);
/* The type of alpha and beta. */
cudaDataType_t cublas_scalar_type(cublasComputeType_t compute);

#endif
