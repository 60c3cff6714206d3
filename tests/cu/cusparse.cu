// cusparse.cu - do cuSPARSE's functions give what a plain computation with dense matrices gives, for forms, index types,
// bases, operations and leading dimensions by chance?
#include "sparse_forms.h"

template <class T, class I> cusparseSpMatDescr_t describe(const matrix<T> &a, int form, int base)
{
    const forms<T, I> f(a, base);
    const cusparseIndexType_t type = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    const cusparseIndexBase_t from = base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    const int64_t nnz = (int64_t)f.values.size();
    cusparseSpMatDescr_t made;
    if (form == 0)
        CHECK_SPARSE(cusparseCreateCsr(&made, a.rows, a.columns, nnz, to_device(f.row_offsets),
                                       to_device(f.columns), to_device(f.values), type, type, from,
                                       type_of<T>()));
    else if (form == 1)
        CHECK_SPARSE(cusparseCreateCsc(&made, a.rows, a.columns, nnz, to_device(f.column_offsets),
                                       to_device(f.csc_rows), to_device(f.csc_values), type, type,
                                       from, type_of<T>()));
    else
        CHECK_SPARSE(cusparseCreateCoo(&made, a.rows, a.columns, nnz, to_device(f.rows),
                                       to_device(f.columns), to_device(f.values), type, from,
                                       type_of<T>()));
    return made;
}

static cusparseOperation_t operation()
{
    return (cusparseOperation_t)pick(0, 2);
}

template <class T, class I> void vectors_and_matrices(cusparseHandle_t handle)
{
    const int m = pick(1, 40), k = pick(1, 40), n = pick(1, 6);
    matrix<T> a(m, k);
    a.fill(3);
    cusparseSpMatDescr_t sparse = describe<T, I>(a, pick(0, 2), pick(0, 1));
    const cusparseOperation_t op = operation(), op_b = operation();
    const bool across = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool b_across = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int inner = across ? m : k, outer = across ? k : m;
    matrix<T> b(b_across ? n : inner, b_across ? inner : n), c(outer, n), wanted(outer, n);
    b.fill(1);
    c.fill(1);
    const T alpha = number<T>(), beta = pick(0, 1) ? number<T>() : T(0);
    for (int i = 0; i < outer; i++)
        for (int j = 0; j < n; j++) {
            T sum(0);
            for (int l = 0; l < inner; l++)
                sum += element(a, op, i, l) * element(b, op_b, l, j);
            wanted(i, j) = alpha * sum + beta * c(i, j);
        }
    if (beta == T(0))
        c.at.assign(c.at.size(), T(NAN)); // is not read
    // C lies row by row, with a gap.
    const int ld = n + pick(0, 3);
    std::vector<T> gaps((size_t)outer * ld, T(7));
    for (int i = 0; i < outer; i++)
        for (int j = 0; j < n; j++)
            gaps[(size_t)i * ld + j] = c(i, j);
    T *device_c = to_device(gaps);
    cusparseDnMatDescr_t dense_b, dense_c;
    CHECK_SPARSE(cusparseCreateDnMat(&dense_b, b.rows, b.columns, b.rows, to_device(b.at),
                                     type_of<T>(), CUSPARSE_ORDER_COL));
    CHECK_SPARSE(cusparseCreateDnMat(&dense_c, outer, n, ld, device_c, type_of<T>(),
                                     CUSPARSE_ORDER_ROW));
    size_t bytes = 0;
    CHECK_SPARSE(cusparseSpMM_bufferSize(handle, op, op_b, &alpha, sparse, dense_b, &beta, dense_c,
                                         type_of<T>(), CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    CHECK_THAT(bytes > 0);
    CHECK_SPARSE(cusparseSpMM(handle, op, op_b, &alpha, sparse, dense_b, &beta, dense_c,
                              type_of<T>(), CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
    for (int i = 0; i < outer; i++)
        for (int j = 0; j < ld; j++)
            gaps[(size_t)i * ld + j] = j < n ? wanted(i, j) : T(7);
    same(back(device_c, gaps.size()), gaps);

    // The first column of all as vectors, with scalars on the device.
    std::vector<T> x(inner), y(outer), first(outer);
    for (int l = 0; l < inner; l++)
        x[l] = element(b, op_b, l, 0);
    for (int i = 0; i < outer; i++) {
        y[i] = beta == T(0) ? T(NAN) : c(i, 0);
        first[i] = wanted(i, 0);
    }
    T *device_y = to_device(y);
    cusparseDnVecDescr_t vector_x, vector_y;
    CHECK_SPARSE(cusparseCreateDnVec(&vector_x, inner, to_device(x), type_of<T>()));
    CHECK_SPARSE(cusparseCreateDnVec(&vector_y, outer, device_y, type_of<T>()));
    CHECK_SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
    const T *device_alpha = to_device(std::vector<T>{alpha}), *device_beta = to_device(std::vector<T>{beta});
    CHECK_SPARSE(cusparseSpMV_preprocess(handle, op, device_alpha, sparse, vector_x, device_beta, vector_y,
                                         type_of<T>(), CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    CHECK_SPARSE(cusparseSpMV(handle, op, device_alpha, sparse, vector_x, device_beta, vector_y,
                              type_of<T>(), CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    CHECK_SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
    same(back(device_y, outer), first);

    // A vector of another length is refused.
    if (inner != outer)
        CHECK_THAT(cusparseSpMV(handle, op, &alpha, sparse, vector_y, &beta, vector_x, type_of<T>(),
                                CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
    CHECK_SPARSE(cusparseDestroyDnVec(vector_x));
    CHECK_SPARSE(cusparseDestroyDnVec(vector_y));
    CHECK_SPARSE(cusparseDestroyDnMat(dense_b));
    CHECK_SPARSE(cusparseDestroyDnMat(dense_c));
    CHECK_SPARSE(cusparseDestroySpMat(sparse));
}

template <class T, class I> void conversions(cusparseHandle_t handle)
{
    const int m = pick(1, 30), n = pick(1, 30), base = pick(0, 1), form = pick(0, 2);
    const cusparseIndexType_t type = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    const cusparseIndexBase_t from = base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    matrix<T> a(m, n);
    a.fill(3);
    const forms<T, I> f(a, base);
    const size_t nnz = f.values.size();
    cusparseDnMatDescr_t dense, again;
    cusparseSpMatDescr_t sparse;
    I *offsets, *indices;
    T *values, *elements = to_device(std::vector<T>((size_t)m * n, T(5)));
    CHECK_CALL(cudaMalloc(&offsets, (m + n + nnz + 1) * sizeof(I)));
    CHECK_SPARSE(cusparseCreateDnMat(&dense, m, n, m, to_device(a.at), type_of<T>(),
                                     CUSPARSE_ORDER_COL));
    if (form == 0)
        CHECK_SPARSE(cusparseCreateCsr(&sparse, m, n, 0, offsets, nullptr, nullptr, type, type,
                                       from, type_of<T>()));
    else if (form == 1)
        CHECK_SPARSE(cusparseCreateCsc(&sparse, m, n, 0, offsets, nullptr, nullptr, type, type,
                                       from, type_of<T>()));
    else
        CHECK_SPARSE(cusparseCreateCoo(&sparse, m, n, 0, nullptr, nullptr, nullptr, type, from,
                                       type_of<T>()));
    int64_t rows, columns, found;
    CHECK_SPARSE(cusparseDenseToSparse_analysis(handle, dense, sparse,
                                                CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    CHECK_SPARSE(cusparseSpMatGetSize(sparse, &rows, &columns, &found));
    CHECK_THAT(rows == m && columns == n && found == (int64_t)nnz);
    CHECK_CALL(cudaMalloc(&indices, (nnz + 1) * sizeof(I)));
    CHECK_CALL(cudaMalloc(&values, (nnz + 1) * sizeof(T)));
    CHECK_SPARSE(form == 0   ? cusparseCsrSetPointers(sparse, offsets, indices, values)
                 : form == 1 ? cusparseCscSetPointers(sparse, offsets, indices, values)
                             : cusparseCooSetPointers(sparse, offsets, indices, values));
    CHECK_SPARSE(cusparseDenseToSparse_convert(handle, dense, sparse,
                                               CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    const std::vector<I> &wanted =
        form == 0 ? f.row_offsets : form == 1 ? f.column_offsets : f.rows;
    same(back(offsets, wanted.size()), wanted);
    same(back(indices, nnz), form == 1 ? f.csc_rows : f.columns);
    same(back(values, nnz), form == 1 ? f.csc_values : f.values);

    CHECK_SPARSE(cusparseCreateDnMat(&again, m, n, m, elements, type_of<T>(), CUSPARSE_ORDER_COL));
    CHECK_SPARSE(cusparseSparseToDense(handle, sparse, again, CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                       nullptr));
    same(back(elements, a.at.size()), a.at);
}

template <class T> void sparse_vectors(cusparseHandle_t handle)
{
    const std::vector<int> indices = {1, 4, 5, 9};
    std::vector<T> x, y(10), sum, scattered;
    for (int i = 0; i < 4; i++)
        x.push_back(number<T>());
    for (T &v : y)
        v = number<T>();
    T *device_x = to_device(x), *device_y = to_device(y), result, dot(0);
    const T alpha = number<T>(), beta = number<T>();
    cusparseSpVecDescr_t sparse;
    cusparseDnVecDescr_t dense;
    CHECK_SPARSE(cusparseCreateSpVec(&sparse, 10, 4, to_device(indices), device_x,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type_of<T>()));
    CHECK_SPARSE(cusparseCreateDnVec(&dense, 10, device_y, type_of<T>()));
    for (int i = 0; i < 4; i++)
        dot += conjugate(x[i]) * y[indices[i]];
    CHECK_SPARSE(cusparseSpVV(handle, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, sparse, dense,
                              &result, type_of<T>(), nullptr));
    CHECK_THAT(result == dot);
    CHECK_SPARSE(cusparseAxpby(handle, &alpha, sparse, &beta, dense));
    for (T &v : y)
        v = beta * v;
    for (int i = 0; i < 4; i++)
        y[indices[i]] += alpha * x[i];
    same(back(device_y, 10), y);
    CHECK_SPARSE(cusparseGather(handle, dense, sparse));
    for (int i = 0; i < 4; i++)
        x[i] = y[indices[i]];
    same(back(device_x, 4), x);
    CHECK_CALL(cudaMemset(device_y, 0, 10 * sizeof(T)));
    CHECK_SPARSE(cusparseScatter(handle, sparse, dense));
    scattered.resize(10);
    for (int i = 0; i < 4; i++)
        scattered[indices[i]] = x[i];
    same(back(device_y, 10), scattered);
}

// A triangle with powers of two on the diagonal times what its solution must be, for exact results.
template <class T> void triangles(cusparseHandle_t handle)
{
    for (int which = 0; which < 12; which++) {
        const cusparseFillMode_t fill = (cusparseFillMode_t)(which & 1);
        const cusparseDiagType_t diagonal = (cusparseDiagType_t)(which >> 1 & 1);
        const cusparseOperation_t op = (cusparseOperation_t)(which / 4);
        const int n = 7;
        matrix<T> a(n, n), triangle(n, n);
        a.fill(2);
        for (int i = 0; i < n; i++)
            a(i, i) = T(i % 2 ? 2.0 : 0.5);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (fill == CUSPARSE_FILL_MODE_LOWER ? j <= i : j >= i)
                    triangle(i, j) = i == j && diagonal == CUSPARSE_DIAG_TYPE_UNIT ? T(1) : a(i, j);
        std::vector<T> x(n), y(n);
        for (T &v : y)
            v = number<T>();
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i] += element(triangle, op, i, j) * y[j];
        cusparseSpMatDescr_t sparse = describe<T, int>(a, 0, which & 1);
        CHECK_SPARSE(cusparseSpMatSetAttribute(sparse, CUSPARSE_SPMAT_FILL_MODE, (void *)&fill, sizeof fill));
        CHECK_SPARSE(cusparseSpMatSetAttribute(sparse, CUSPARSE_SPMAT_DIAG_TYPE, (void *)&diagonal,
                                               sizeof diagonal));
        T *device_y = to_device(std::vector<T>(n));
        cusparseDnVecDescr_t from, to;
        cusparseSpSVDescr_t descriptor;
        const T alpha(2);
        CHECK_SPARSE(cusparseCreateDnVec(&from, n, to_device(x), type_of<T>()));
        CHECK_SPARSE(cusparseCreateDnVec(&to, n, device_y, type_of<T>()));
        CHECK_SPARSE(cusparseSpSV_createDescr(&descriptor));
        CHECK_SPARSE(cusparseSpSV_analysis(handle, op, &alpha, sparse, from, to, type_of<T>(),
                                           CUSPARSE_SPSV_ALG_DEFAULT, descriptor, nullptr));
        CHECK_SPARSE(cusparseSpSV_solve(handle, op, &alpha, sparse, from, to, type_of<T>(),
                                        CUSPARSE_SPSV_ALG_DEFAULT, descriptor));
        for (T &v : y)
            v = T(2) * v;
        const std::vector<T> found = back(device_y, n);
        for (int i = 0; i < n; i++)
            CHECK_THAT(found[i] == y[i]);
        CHECK_SPARSE(cusparseSpSV_destroyDescr(descriptor));
    }
}

__global__ void nothing(int *p)
{
    *p = 1;
}

int main()
{
    cusparseHandle_t handle;
    CHECK_SPARSE(cusparseCreate(&handle));
    for (int i = 0; i < 40; i++) {
        vectors_and_matrices<float, int>(handle);
        vectors_and_matrices<double, int64_t>(handle);
        vectors_and_matrices<std::complex<float>, int64_t>(handle);
        vectors_and_matrices<std::complex<double>, int>(handle);
        conversions<float, int64_t>(handle);
        conversions<std::complex<double>, int>(handle);
    }
    sparse_vectors<float>(handle);
    sparse_vectors<std::complex<double>>(handle);
    triangles<double>(handle);
    triangles<std::complex<double>>(handle);
    CHECK_SPARSE(cusparseDestroy(handle));
    CHECK_THAT(cusparseDestroy(nullptr) == CUSPARSE_STATUS_NOT_INITIALIZED);
    nothing<<<1, 1>>>(to_device(std::vector<int>(1)));
    CHECK_CALL(cudaDeviceSynchronize());
    printf("PASSED\n");
}
