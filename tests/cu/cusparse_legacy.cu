// cusparse_legacy.cu - do cuSPARSE's functions with parameters in place of descriptors, and its incomplete factors, give what a
// plain computation gives?
#include "sparse_forms.h"

// The product of the incomplete factors is the matrix where that has entries; elsewhere it may be anything.
template <class T, class F, class Z> void factors(cusparseHandle_t handle, F factorize, Z zero_pivot)
{
    const int n = 12;
    matrix<T> a(n, n), lu(n, n);
    a.fill(3);
    for (int i = 0; i < n; i++)
        a(i, i) += T(16);
    const forms<T, int> f(a, 0);
    T *values = to_device(f.values);
    int *offsets = to_device(f.row_offsets), *columns = to_device(f.columns), pivot = 0;
    CHECK_SPARSE(factorize(n, (int)f.values.size(), values, offsets, columns));
    CHECK_SPARSE(zero_pivot(&pivot));
    CHECK_THAT(pivot == -1);
    const std::vector<T> found = back(values, f.values.size());
    bool dropped = false;
    for (size_t e = 0; e < found.size(); e++)
        lu(f.rows[e], f.columns[e]) = found[e];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            T sum(0);
            for (int k = 0; k <= i && k <= j; k++)
                sum += (k == i ? T(1) : lu(i, k)) * lu(k, j);
            CHECK_THAT(a(i, j) == T(0) || std::abs(sum - a(i, j)) < 1e-4);
            dropped |= a(i, j) == T(0) && sum != T(0);
        }
    CHECK_THAT(dropped); // or the pattern would show nothing
    CHECK_CALL(cudaMemset(values, 0, sizeof(T))); // the first pivot
    CHECK_SPARSE(factorize(n, (int)f.values.size(), values, offsets, columns));
    CHECK_THAT(zero_pivot(&pivot) == CUSPARSE_STATUS_ZERO_PIVOT && pivot == 0);
}

// The functions with parameters in place of descriptors.
static void legacy(cusparseHandle_t handle)
{
    cusparseMatDescr_t descr;
    CHECK_SPARSE(cusparseCreateMatDescr(&descr));
    CHECK_SPARSE(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
    CHECK_THAT(cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ONE);
    const int m = 9, n = 5, k = 12;
    matrix<double> a(m, k), b(k, n), c(m, n);
    a.fill(3);
    b.fill(1);
    const forms<double, int> f(a, 1);
    const int nnz = (int)f.values.size();
    std::vector<int> counts(m);
    for (int i = 0; i < m; i++)
        counts[i] = f.row_offsets[i + 1] - f.row_offsets[i];
    int *device_counts = to_device(counts), total = 0;
    double *dense = to_device(a.at), *values, *device_c = to_device(c.at);
    int *offsets, *columns;
    CHECK_CALL(cudaMalloc(&values, nnz * sizeof(double)));
    CHECK_CALL(cudaMalloc(&offsets, (m + 1) * sizeof(int)));
    CHECK_CALL(cudaMalloc(&columns, nnz * sizeof(int)));
    CHECK_CALL(cudaMemset(device_counts, 0, m * sizeof(int)));
    CHECK_SPARSE(cusparseDnnz(handle, CUSPARSE_DIRECTION_ROW, m, k, descr, dense, m, device_counts, &total));
    CHECK_THAT(total == nnz);
    same(back(device_counts, m), counts);
    CHECK_SPARSE(cusparseDdense2csr(handle, m, k, descr, dense, m, device_counts, values, offsets, columns));
    same(back(offsets, m + 1), f.row_offsets);
    same(back(columns, nnz), f.columns);
    same(back(values, nnz), f.values);
    const double alpha = 2, beta = 0;
    CHECK_SPARSE(cusparseDcsrmm(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, m, n, k, nnz, &alpha, descr,
                                values, offsets, columns, to_device(b.at), k, &beta, device_c, m));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < k; l++)
                c(i, j) += 2 * a(i, l) * b(l, j);
    same(back(device_c, c.at.size()), c.at);
    std::vector<double> x(m), y(k);
    for (double &v : x)
        v = number<double>();
    double *device_y = to_device(y);
    CHECK_SPARSE(cusparseDcsrmv(handle, CUSPARSE_OPERATION_TRANSPOSE, m, k, nnz, &alpha, descr, values,
                                offsets, columns, to_device(x), &beta, device_y));
    for (int j = 0; j < k; j++)
        for (int i = 0; i < m; i++)
            y[j] += 2 * a(i, j) * x[i];
    same(back(device_y, k), y);

    // To CSC by both functions, and rows of entries from offsets and back.
    int *csc_rows = to_device(std::vector<int>(nnz)), *csc_offsets = to_device(std::vector<int>(k + 1));
    double *csc_values = to_device(std::vector<double>(nnz));
    CHECK_SPARSE(cusparseCsr2cscEx2(handle, m, k, nnz, values, offsets, columns, csc_values, csc_offsets,
                                    csc_rows, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC,
                                    CUSPARSE_INDEX_BASE_ONE, CUSPARSE_CSR2CSC_ALG1, nullptr));
    same(back(csc_rows, nnz), f.csc_rows);
    same(back(csc_offsets, k + 1), f.column_offsets);
    same(back(csc_values, nnz), f.csc_values);
    CHECK_CALL(cudaMemset(csc_values, 0, nnz * sizeof(double)));
    CHECK_SPARSE(cusparseDcsr2csc(handle, m, k, nnz, values, offsets, columns, csc_values, csc_rows,
                                  csc_offsets, CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_INDEX_BASE_ONE));
    same(back(csc_values, nnz), std::vector<double>(nnz));
    CHECK_SPARSE(cusparseXcsr2coo(handle, offsets, nnz, m, csc_rows, CUSPARSE_INDEX_BASE_ONE));
    same(back(csc_rows, nnz), f.rows);
    CHECK_CALL(cudaMemset(offsets, 0, (m + 1) * sizeof(int)));
    CHECK_SPARSE(cusparseXcoo2csr(handle, csc_rows, nnz, m, offsets, CUSPARSE_INDEX_BASE_ONE));
    same(back(offsets, m + 1), f.row_offsets);
    CHECK_CALL(cudaMemset(dense, 1, m * k * sizeof(double)));
    CHECK_SPARSE(cusparseDcsr2dense(handle, m, k, descr, values, offsets, columns, dense, m));
    same(back(dense, a.at.size()), a.at);

    // Only whole matrices; an index outside is no access outside.
    CHECK_SPARSE(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
    CHECK_THAT(cusparseDcsrmv(handle, CUSPARSE_OPERATION_TRANSPOSE, m, k, nnz, &alpha, descr, values,
                              offsets, columns, device_y, &beta, device_y) ==
               CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    CHECK_SPARSE(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_GENERAL));
    CHECK_CALL(cudaMemset(columns, 0, sizeof(int))); // 1 is the first one
    CHECK_THAT(cusparseDcsr2dense(handle, m, k, descr, values, offsets, columns, dense, m) ==
               CUSPARSE_STATUS_EXECUTION_FAILED);
    CHECK_SPARSE(cusparseDestroyMatDescr(descr));
}

__global__ void nothing(int *p)
{
    *p = 1;
}

int main()
{
    cusparseHandle_t handle;
    CHECK_SPARSE(cusparseCreate(&handle));
    legacy(handle);

    cusparseMatDescr_t descr;
    csrilu02Info_t info;
    CHECK_SPARSE(cusparseCreateMatDescr(&descr));
    CHECK_SPARSE(cusparseCreateCsrilu02Info(&info));
    const auto zero_pivot = [&](int *at) { return cusparseXcsrilu02_zeroPivot(handle, info, at); };
    factors<double>(
        handle,
        [&](int n, int nnz, double *values, int *offsets, int *columns) {
            return cusparseDcsrilu02(handle, n, nnz, descr, values, offsets, columns, info,
                                     CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr);
        },
        zero_pivot);
    factors<float>(
        handle,
        [&](int n, int nnz, float *values, int *offsets, int *columns) {
            return cusparseScsrilu02(handle, n, nnz, descr, values, offsets, columns, info,
                                     CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr);
        },
        zero_pivot);
    CHECK_SPARSE(cusparseDestroyCsrilu02Info(info));
    CHECK_SPARSE(cusparseDestroy(handle));
    nothing<<<1, 1>>>(to_device(std::vector<int>(1)));
    CHECK_CALL(cudaDeviceSynchronize());
    printf("PASSED\n");
}
