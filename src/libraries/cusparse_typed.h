/* cusparse_typed.h - cuSPARSE's functions of the legacy interface for one type: T, TYPE and NAME(x) are the includer's
 * (cusparse_typed.c). They say what a generic one is told by descriptors.
 */
static cusparseStatus_t NAME(product)(cusparseHandle_t handle, const char *function,
                                      cusparseOperation_t op_a, cusparseOperation_t op_b, int m,
                                      int n, int k, int nnz, const T *alpha,
                                      const cusparseMatDescr_t descr, const T *values,
                                      const int *offsets, const int *columns, const T *b, int ldb,
                                      const T *beta, T *c, int ldc)
{
    const struct typed_product p = {function, TYPE,    op_a, op_b, m, n,   k,     nnz, values,
                                    offsets,  columns, b,    ldb,  c, ldc, alpha, beta};
    return multiply(handle, descr, &p);
}

cusparseStatus_t NAME(csrmm2)(cusparseHandle_t handle, cusparseOperation_t op_a,
                              cusparseOperation_t op_b, int m, int n, int k, int nnz,
                              const T *alpha, const cusparseMatDescr_t descr, const T *values,
                              const int *offsets, const int *columns, const T *b, int ldb,
                              const T *beta, T *c, int ldc)
{
    return NAME(product)(handle, TEXT(NAME(csrmm2)), op_a, op_b, m, n, k, nnz, alpha, descr, values,
                         offsets, columns, b, ldb, beta, c, ldc);
}

cusparseStatus_t NAME(csrmm)(cusparseHandle_t handle, cusparseOperation_t op, int m, int n, int k,
                             int nnz, const T *alpha, const cusparseMatDescr_t descr,
                             const T *values, const int *offsets, const int *columns, const T *b,
                             int ldb, const T *beta, T *c, int ldc)
{
    return NAME(product)(handle, TEXT(NAME(csrmm)), op, CUSPARSE_OPERATION_NON_TRANSPOSE, m, n, k,
                         nnz, alpha, descr, values, offsets, columns, b, ldb, beta, c, ldc);
}

cusparseStatus_t NAME(csrmv)(cusparseHandle_t handle, cusparseOperation_t op, int m, int n, int nnz,
                             const T *alpha, const cusparseMatDescr_t descr, const T *values,
                             const int *offsets, const int *columns, const T *x, const T *beta,
                             T *y)
{
    const bool across = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    return NAME(product)(handle, TEXT(NAME(csrmv)), op, CUSPARSE_OPERATION_NON_TRANSPOSE, m, 1, n,
                         nnz, alpha, descr, values, offsets, columns, x, across ? m : n, beta, y,
                         across ? n : m);
}

cusparseStatus_t NAME(nnz)(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                           const cusparseMatDescr_t descr, const T *a, int lda, int *counts,
                           int *total)
{
    const struct cusparseDnMatDescr dense = dense_matrix(m, n, lda, a, TYPE);
    return count(handle, TEXT(NAME(nnz)), descr, direction, &dense, counts, total);
}

cusparseStatus_t NAME(dense2csr)(cusparseHandle_t handle, int m, int n,
                                 const cusparseMatDescr_t descr, const T *a, int lda,
                                 const int *counts, T *values, int *offsets, int *columns)
{
    (void)counts;
    const struct cusparseDnMatDescr dense = dense_matrix(m, n, lda, a, TYPE);
    struct cusparseSpMatDescr csr =
        sparse(CUSPARSE_FORMAT_CSR, descr, m, n, 0, values, offsets, columns, TYPE);
    return to_sparse(handle, TEXT(NAME(dense2csr)), descr, &dense, &csr);
}

cusparseStatus_t NAME(dense2csc)(cusparseHandle_t handle, int m, int n,
                                 const cusparseMatDescr_t descr, const T *a, int lda,
                                 const int *counts, T *values, int *rows, int *offsets)
{
    (void)counts;
    const struct cusparseDnMatDescr dense = dense_matrix(m, n, lda, a, TYPE);
    struct cusparseSpMatDescr csc =
        sparse(CUSPARSE_FORMAT_CSC, descr, m, n, 0, values, offsets, rows, TYPE);
    return to_sparse(handle, TEXT(NAME(dense2csc)), descr, &dense, &csc);
}

cusparseStatus_t NAME(csr2dense)(cusparseHandle_t handle, int m, int n,
                                 const cusparseMatDescr_t descr, const T *values,
                                 const int *offsets, const int *columns, T *a, int lda)
{
    const struct cusparseDnMatDescr dense = dense_matrix(m, n, lda, a, TYPE);
    return expand(handle, TEXT(NAME(csr2dense)), CUSPARSE_FORMAT_CSR, descr, values, offsets,
                  columns, &dense);
}

cusparseStatus_t NAME(csc2dense)(cusparseHandle_t handle, int m, int n,
                                 const cusparseMatDescr_t descr, const T *values, const int *rows,
                                 const int *offsets, T *a, int lda)
{
    const struct cusparseDnMatDescr dense = dense_matrix(m, n, lda, a, TYPE);
    return expand(handle, TEXT(NAME(csc2dense)), CUSPARSE_FORMAT_CSC, descr, values, offsets, rows,
                  &dense);
}

cusparseStatus_t NAME(csr2csc)(cusparseHandle_t handle, int m, int n, int nnz, const T *csr_values,
                               const int *csr_offsets, const int *csr_columns, T *csc_values,
                               int *csc_rows, int *csc_offsets, cusparseAction_t action,
                               cusparseIndexBase_t base)
{
    struct cusparseMatDescr general = {.base = base};
    const struct cusparseSpMatDescr csr = sparse(CUSPARSE_FORMAT_CSR, &general, m, n, nnz,
                                                 csr_values, csr_offsets, csr_columns, TYPE);
    return cusparse_transpose(handle, TEXT(NAME(csr2csc)), &csr, action == CUSPARSE_ACTION_NUMERIC,
                              csc_values, csc_rows, csc_offsets);
}

cusparseStatus_t NAME(csrilu02_bufferSize)(cusparseHandle_t handle, int m, int nnz,
                                           const cusparseMatDescr_t descr, T *values,
                                           const int *offsets, const int *columns,
                                           csrilu02Info_t info, int *bytes)
{
    (void)handle, (void)m, (void)nnz, (void)descr, (void)values, (void)offsets, (void)columns;
    (void)info;
    *bytes = WORKSPACE_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t NAME(csrilu02_analysis)(cusparseHandle_t handle, int m, int nnz,
                                         const cusparseMatDescr_t descr, const T *values,
                                         const int *offsets, const int *columns,
                                         csrilu02Info_t info, cusparseSolvePolicy_t policy,
                                         void *buffer)
{
    (void)handle, (void)m, (void)nnz, (void)descr, (void)values, (void)offsets, (void)columns;
    (void)info, (void)policy, (void)buffer;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t NAME(csrilu02)(cusparseHandle_t handle, int m, int nnz,
                                const cusparseMatDescr_t descr, T *values, const int *offsets,
                                const int *columns, csrilu02Info_t info,
                                cusparseSolvePolicy_t policy, void *buffer)
{
    (void)policy, (void)buffer;
    const struct cusparseSpMatDescr csr =
        sparse(CUSPARSE_FORMAT_CSR, descr, m, m, nnz, values, offsets, columns, TYPE);
    return factor(handle, TEXT(NAME(csrilu02)), descr, &csr, info);
}
