// sparse_forms.h - matrices by chance and what their sparse forms must be, for the programs that check cuSPARSE.
#pragma once
#include <complex>
#include <cmath>
#include <type_traits>
#include <vector>

#include <cusparse.h>

#include "check.h"

#define CHECK_SPARSE(call) CHECK_THAT((call) == CUSPARSE_STATUS_SUCCESS)

static unsigned long long state = 20240611;
static int pick(int least, int most)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return least + (int)((state >> 33) % (unsigned)(most - least + 1));
}
template <class T> struct is_complex : std::false_type {
};
template <class R> struct is_complex<std::complex<R>> : std::true_type {
};
template <class T> T number()
{
    if constexpr (is_complex<T>::value)
        return T(pick(1, 8) / (typename T::value_type)4, pick(-8, 8) / (typename T::value_type)4);
    else
        return (T)(pick(1, 8) / 4.0);
}
template <class T> T conjugate(T x)
{
    if constexpr (is_complex<T>::value)
        return std::conj(x);
    else
        return x;
}
template <class T> constexpr cudaDataType type_of()
{
    return std::is_same_v<T, float>                 ? CUDA_R_32F
           : std::is_same_v<T, double>              ? CUDA_R_64F
           : std::is_same_v<T, std::complex<float>> ? CUDA_C_32F
                                                    : CUDA_C_64F;
}

// The numbers are small quarters, so that sums in float are exact.
template <class T> T *to_device(const std::vector<T> &host)
{
    T *device;
    CHECK_CALL(cudaMalloc(&device, (host.size() + 1) * sizeof(T)));
    CHECK_CALL(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}
template <class T> std::vector<T> back(const T *device, size_t count)
{
    std::vector<T> host(count);
    CHECK_CALL(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}
template <class T> void same(const std::vector<T> &a, const std::vector<T> &b)
{
    CHECK_THAT(a.size() == b.size());
    for (size_t i = 0; i < a.size(); i++)
        CHECK_THAT(a[i] == b[i]);
}

// Element (i, j) of rows x columns, column by column; about a third of them are no zeros.
template <class T> struct matrix {
    int rows, columns;
    std::vector<T> at;
    matrix(int m, int n) : rows(m), columns(n), at((size_t)m * n)
    {
    }
    T &operator()(int i, int j)
    {
        return at[i + (size_t)j * rows];
    }
    T operator()(int i, int j) const
    {
        return at[i + (size_t)j * rows];
    }
    void fill(int one_of)
    {
        for (T &x : at)
            x = pick(1, one_of) == 1 ? number<T>() : T(0);
    }
};
template <class T> T element(const matrix<T> &a, cusparseOperation_t op, int i, int j)
{
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? a(i, j)
           : op == CUSPARSE_OPERATION_TRANSPOSE   ? a(j, i)
                                                  : conjugate(a(j, i));
}

// What the forms of a matrix must be.
template <class T, class I> struct forms {
    std::vector<I> rows, columns, row_offsets, csc_rows, column_offsets;
    std::vector<T> values, csc_values;
    forms(const matrix<T> &a, int base)
    {
        row_offsets.push_back(base);
        for (int i = 0; i < a.rows; i++) {
            for (int j = 0; j < a.columns; j++)
                if (a(i, j) != T(0)) {
                    rows.push_back(i + base);
                    columns.push_back(j + base);
                    values.push_back(a(i, j));
                }
            row_offsets.push_back((I)values.size() + base);
        }
        column_offsets.push_back(base);
        for (int j = 0; j < a.columns; j++) {
            for (int i = 0; i < a.rows; i++)
                if (a(i, j) != T(0)) {
                    csc_rows.push_back(i + base);
                    csc_values.push_back(a(i, j));
                }
            column_offsets.push_back((I)csc_values.size() + base);
        }
    }
};
