// cublas.cu - do cuBLAS's functions give what a plain computation gives, for sizes, transpositions and leading
// dimensions by chance? An argument is the seed; without one it is fixed.
#include <cmath>
#include <complex>
#include <type_traits>
#include <vector>

#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "check.h"

#define CHECK_BLAS(call) CHECK_THAT((call) == CUBLAS_STATUS_SUCCESS)

static unsigned long long state = 20240611;
static int pick(int least, int most)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return least + (int)((state >> 33) % (unsigned)(most - least + 1));
}
template <class T> struct is_complex : std::false_type {};
template <class R> struct is_complex<std::complex<R>> : std::true_type {};
template <class T> T number()
{
    if constexpr (is_complex<T>::value)
        return T(pick(-8, 8) / (typename T::value_type)4, pick(-8, 8) / (typename T::value_type)4);
    else
        return (T)(pick(-8, 8) / 4.0);
}
template <class T> T conjugate(T x)
{
    if constexpr (is_complex<T>::value)
        return std::conj(x);
    else
        return x;
}

// An array on both sides; the numbers are small quarters, so that sums in float are exact.
template <class T> struct both {
    std::vector<T> host;
    T *device;
    explicit both(size_t n) : host(n ? n : 1)
    {
        for (T &x : host)
            x = number<T>();
        CHECK_CALL(cudaMalloc(&device, host.size() * sizeof(T)));
        CHECK_CALL(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~both() { cudaFree(device); }
    std::vector<T> back() const
    {
        std::vector<T> result(host.size());
        CHECK_CALL(cudaMemcpy(result.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return result;
    }
    void same() const
    {
        std::vector<T> result = back();
        for (size_t i = 0; i < host.size(); i++)
            CHECK_THAT(std::abs(result[i] - host[i]) <= 1e-5 * (1 + std::abs(host[i])));
    }
};

static cuComplex *pun(std::complex<float> *x) { return (cuComplex *)x; }
static const cuComplex *pun(const std::complex<float> *x) { return (const cuComplex *)x; }
static cuDoubleComplex *pun(std::complex<double> *x) { return (cuDoubleComplex *)x; }
static const cuDoubleComplex *pun(const std::complex<double> *x) { return (const cuDoubleComplex *)x; }
static float *pun(float *x) { return x; }
static const float *pun(const float *x) { return x; }
static double *pun(double *x) { return x; }
static const double *pun(const double *x) { return x; }

// call<T>(cublasSgemm, cublasDgemm, ...): that of the type.
template <class T, class S, class D, class C, class Z> auto of_type(S s, D d, C c, Z z)
{
    if constexpr (std::is_same_v<T, float>)
        return s;
    else if constexpr (std::is_same_v<T, double>)
        return d;
    else if constexpr (std::is_same_v<T, std::complex<float>>)
        return c;
    else
        return z;
}
#define OF(name) of_type<T>(cublasS##name, cublasD##name, cublasC##name, cublasZ##name)

static cublasHandle_t handle;

template <class T> T at(const std::vector<T> &a, int ld, cublasOperation_t op, int i, int j)
{
    T x = op == CUBLAS_OP_N ? a[i + (size_t)j * ld] : a[j + (size_t)i * ld];
    return op == CUBLAS_OP_C ? conjugate(x) : x;
}
static int place(int i, int n, int inc) { return inc > 0 ? i * inc : (i - n + 1) * inc; }

template <class T> void products(cublasOperation_t ta, cublasOperation_t tb)
{
    const int m = pick(1, 20), n = pick(1, 20), k = pick(0, 20);
    const int lda = (ta ? k : m) + pick(1, 3), ldb = (tb ? n : k) + pick(1, 3), ldc = m + pick(0, 3);
    const int batches = pick(1, 3);
    const long long sa = lda * (ta ? m : k) + 5, sb = ldb * (tb ? k : n) + 3, sc = ldc * n + 2;
    both<T> a(sa * batches), b(sb * batches), c(sc * batches);
    const T alpha = number<T>(), beta = pick(0, 2) ? number<T>() : T(0);
    for (int z = 0; z < batches; z++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                T sum = 0;
                std::vector<T> az(a.host.begin() + z * sa, a.host.end()), bz(b.host.begin() + z * sb, b.host.end());
                for (int l = 0; l < k; l++)
                    sum += at(az, lda, ta, i, l) * at(bz, ldb, tb, l, j);
                T &to = c.host[z * sc + i + j * ldc];
                to = alpha * sum + beta * to;
            }
    CHECK_BLAS(OF(gemmStridedBatched)(handle, ta, tb, m, n, k, pun(&alpha), pun(a.device), lda, sa, pun(b.device),
                                      ldb, sb, pun(&beta), pun(c.device), ldc, sc, batches));
    c.same();
}

template <class T> void vectors()
{
    const int n = pick(1, 50), incx = pick(0, 1) ? pick(1, 3) : -pick(1, 3), incy = pick(1, 3);
    both<T> x(n * 3), y(n * 3);
    const T alpha = number<T>();
    T sum = 0;
    for (int i = 0; i < n; i++)
        y.host[place(i, n, incy)] += alpha * x.host[place(i, n, incx)];
    CHECK_BLAS(OF(axpy)(handle, n, pun(&alpha), pun(x.device), incx, pun(y.device), incy));
    y.same();
    for (int i = 0; i < n; i++)
        sum += conjugate(x.host[place(i, n, incx)]) * y.host[place(i, n, incy)];
    T result;
    CHECK_BLAS(of_type<T>(cublasSdot, cublasDdot, cublasCdotc, cublasZdotc)(handle, n, pun(x.device), incx,
                                                                           pun(y.device), incy, pun(&result)));
    CHECK_THAT(std::abs(result - sum) <= 1e-5 * (1 + std::abs(sum)));
    for (int i = 0; i < n; i++)
        std::swap(x.host[place(i, n, incx)], y.host[place(i, n, incy)]);
    CHECK_BLAS(OF(swap)(handle, n, pun(x.device), incx, pun(y.device), incy));
    x.same();
    y.same();
    for (int i = 0; i < n; i++)
        y.host[i * incy] *= alpha;
    CHECK_BLAS(OF(scal)(handle, n, pun(&alpha), pun(y.device), incy));
    y.same();
}

template <class T> void reductions()
{
    const int n = pick(1, 50), inc = pick(1, 3);
    both<T> x(n * inc);
    double squares = 0, sum = 0, most = -1, least = 1e30;
    int largest = 0, smallest = 0;
    for (int i = 0; i < n; i++) {
        const std::complex<double> v(x.host[i * inc]);
        const double size = std::abs(v.real()) + std::abs(v.imag());
        squares += std::norm(v);
        sum += size;
        if (size > most)
            most = size, largest = i + 1;
        if (size < least)
            least = size, smallest = i + 1;
    }
    decltype(std::abs(T())) norm, absolutes;
    int index;
    CHECK_BLAS(of_type<T>(cublasSnrm2, cublasDnrm2, cublasScnrm2, cublasDznrm2)(handle, n, pun(x.device), inc, &norm));
    CHECK_BLAS(of_type<T>(cublasSasum, cublasDasum, cublasScasum, cublasDzasum)(handle, n, pun(x.device), inc,
                                                                               &absolutes));
    CHECK_THAT(std::abs(norm - std::sqrt(squares)) < 1e-5 * (1 + norm) && std::abs(absolutes - sum) < 1e-4);
    CHECK_BLAS(of_type<T>(cublasIsamax, cublasIdamax, cublasIcamax, cublasIzamax)(handle, n, pun(x.device), inc,
                                                                                 &index));
    CHECK_THAT(index == largest);
    CHECK_BLAS(of_type<T>(cublasIsamin, cublasIdamin, cublasIcamin, cublasIzamin)(handle, n, pun(x.device), inc,
                                                                                 &index));
    CHECK_THAT(index == smallest);
}

template <class T> void matrix_vector(cublasOperation_t trans)
{
    const int m = pick(1, 20), n = pick(1, 20), lda = m + pick(0, 3), incx = -pick(1, 2), incy = pick(1, 2);
    const int results = trans ? n : m, terms = trans ? m : n;
    both<T> a(lda * n), x(terms * 2), y(results * 2);
    const T alpha = number<T>(), beta = number<T>();
    for (int i = 0; i < results; i++) {
        T sum = 0;
        for (int k = 0; k < terms; k++)
            sum += at(a.host, lda, trans, i, k) * x.host[place(k, terms, incx)];
        T &to = y.host[place(i, results, incy)];
        to = alpha * sum + beta * to;
    }
    CHECK_BLAS(OF(gemv)(handle, trans, m, n, pun(&alpha), pun(a.device), lda, pun(x.device), incx, pun(&beta),
                        pun(y.device), incy));
    y.same();
    both<T> u(m), v(n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            a.host[i + j * lda] += alpha * u.host[i] * conjugate(v.host[j]);
    CHECK_BLAS(of_type<T>(cublasSger, cublasDger, cublasCgerc, cublasZgerc)(
        handle, m, n, pun(&alpha), pun(u.device), 1, pun(v.device), 1, pun(a.device), lda));
    a.same();
}

// The whole of a matrix whose triangle is stored; and one that is a triangle, with a strong diagonal.
template <class T> std::vector<T> mirrored(const both<T> &a, int n, int ld, bool upper)
{
    std::vector<T> whole(n * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            whole[i + j * n] = (i == j || (i < j) == upper) ? a.host[i + j * ld] : a.host[j + i * ld];
    return whole;
}
template <class T> std::vector<T> cut(const both<T> &a, int n, int ld, bool upper, bool unit)
{
    std::vector<T> whole(n * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            whole[i + j * n] = i == j ? (unit ? T(1) : a.host[i + j * ld]) : (i < j) == upper ? a.host[i + j * ld] : T(0);
    return whole;
}

template <class T> void symmetric(bool left, bool upper, cublasOperation_t trans)
{
    const int m = pick(1, 12), n = pick(1, 12), order = left ? m : n, lda = order + 1, ldb = m + 2, ldc = m + 1;
    const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const T alpha = number<T>(), beta = number<T>();
    both<T> a(lda * order), b(ldb * n), c(ldc * n);
    const std::vector<T> whole = mirrored(a, order, lda, upper);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            T sum = 0;
            for (int k = 0; k < order; k++)
                sum += left ? whole[i + k * order] * b.host[k + j * ldb] : b.host[i + k * ldb] * whole[k + j * order];
            c.host[i + j * ldc] = alpha * sum + beta * c.host[i + j * ldc];
        }
    CHECK_BLAS(OF(symm)(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, fill, m, n, pun(&alpha), pun(a.device),
                        lda, pun(b.device), ldb, pun(&beta), pun(c.device), ldc));
    c.same();
    const int k = pick(1, 12), rows = trans ? k : n, ldr = rows + 1;
    both<T> r(ldr * (trans ? n : k)), s(n * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (i == j || (i < j) == upper) {
                T sum = 0;
                for (int l = 0; l < k; l++)
                    sum += at(r.host, ldr, trans, i, l) * at(r.host, ldr, trans, j, l);
                s.host[i + j * n] = alpha * sum + beta * s.host[i + j * n];
            }
    CHECK_BLAS(OF(syrk)(handle, fill, trans, n, k, pun(&alpha), pun(r.device), ldr, pun(&beta), pun(s.device), n));
    s.same();
}

template <class T> void triangles(bool left, bool upper, cublasOperation_t op, bool unit)
{
    const int m = pick(1, 8), n = pick(1, 8), order = left ? m : n, lda = order + 1, ldb = m + 1;
    const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const cublasSideMode_t side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    const cublasDiagType_t diag = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    both<T> a(lda * order), b(ldb * n), c(m * n);
    for (T &x : a.host)
        x *= (T)0.25;
    for (int i = 0; i < order; i++)
        a.host[i + i * lda] = T(2 + i % 2);
    CHECK_CALL(cudaMemcpy(a.device, a.host.data(), a.host.size() * sizeof(T), cudaMemcpyHostToDevice));
    const std::vector<T> whole = cut(a, order, lda, upper, unit);
    const T alpha = number<T>() + T(3), inverse = T(1) / alpha;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            T sum = 0;
            for (int k = 0; k < order; k++)
                sum += left ? at(whole, order, op, i, k) * b.host[k + j * ldb] : b.host[i + k * ldb] * at(whole, order, op, k, j);
            c.host[i + j * m] = alpha * sum;
        }
    CHECK_BLAS(OF(trmm)(handle, side, fill, op, diag, m, n, pun(&alpha), pun(a.device), lda, pun(b.device), ldb,
                        pun(c.device), m));
    c.same();
    // What solves it is what was multiplied.
    CHECK_BLAS(OF(trsm)(handle, side, fill, op, diag, m, n, pun(&inverse), pun(a.device), lda, pun(c.device), m));
    const std::vector<T> solved = c.back();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            CHECK_THAT(std::abs(solved[i + j * m] - b.host[i + j * ldb]) < 2e-3);
    if (!left)
        return;
    both<T> x(m);
    for (int i = 0; i < m; i++)
        x.host[i] = c.host[i] * inverse;
    CHECK_CALL(cudaMemcpy(x.device, b.device, m * sizeof(T), cudaMemcpyDeviceToDevice));
    CHECK_BLAS(OF(trmv)(handle, fill, op, diag, m, pun(a.device), lda, pun(x.device), 1));
    x.same();
    CHECK_BLAS(OF(trsv)(handle, fill, op, diag, m, pun(a.device), lda, pun(x.device), 1));
    const std::vector<T> alone = x.back();
    for (int i = 0; i < m; i++)
        CHECK_THAT(std::abs(alone[i] - b.host[i]) < 2e-3);
}

template <class T> void sums(cublasOperation_t ta, cublasOperation_t tb)
{
    const int m = pick(1, 20), n = pick(1, 20), lda = (ta ? n : m) + 1, ldb = (tb ? n : m) + 2;
    both<T> a(lda * (ta ? m : n)), b(ldb * (tb ? m : n)), c(m * n), x(n);
    const T alpha = number<T>(), beta = number<T>();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            c.host[i + j * m] = alpha * at(a.host, lda, ta, i, j) + beta * at(b.host, ldb, tb, i, j);
    CHECK_BLAS(OF(geam)(handle, ta, tb, m, n, pun(&alpha), pun(a.device), lda, pun(&beta), pun(b.device), ldb,
                        pun(c.device), m));
    c.same();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            c.host[i + j * m] *= x.host[j];
    CHECK_BLAS(OF(dgmm)(handle, CUBLAS_SIDE_RIGHT, m, n, pun(c.device), m, pun(x.device), 1, pun(c.device), m));
    c.same();
}

// P A = L U of two matrices, and of one without a pivot in its second column.
template <class T> void factors(bool pivoting)
{
    const int n = pick(3, 9), ld = n + pick(0, 2), count = 3;
    const size_t size = (size_t)ld * n;
    both<T> a(size * count);
    both<int> pivots(n * count), info(count);
    T *of[count], **device;
    for (int i = 0; i < n; i++) {
        for (int b = 0; b < count && !pivoting; b++)
            a.host[b * size + i * ld + i] += T(32); // or small pivots make large errors
        a.host[2 * size + ld + i] = T(0);
    }
    CHECK_CALL(cudaMemcpy(a.device, a.host.data(), size * count * sizeof(T), cudaMemcpyHostToDevice));
    for (int b = 0; b < count; b++)
        of[b] = a.device + b * size;
    CHECK_CALL(cudaMalloc(&device, sizeof of));
    CHECK_CALL(cudaMemcpy(device, of, sizeof of, cudaMemcpyHostToDevice));
    CHECK_BLAS(OF(getrfBatched)(handle, n, (decltype(pun(of[0])) *)device, ld, pivoting ? pivots.device : nullptr,
                                info.device, count));
    const std::vector<T> lu = a.back();
    const std::vector<int> rows = pivots.back(), found = info.back();
    CHECK_THAT(found[0] == 0 && found[1] == 0 && found[2] == 2);
    for (int b = 0; b < 2; b++) {
        T *wanted = &a.host[b * size];
        for (int k = 0; k < n && pivoting; k++)
            for (int j = 0; j < n; j++)
                std::swap(wanted[k + j * ld], wanted[rows[b * n + k] - 1 + j * ld]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                T sum(0);
                for (int k = 0; k <= i && k <= j; k++)
                    sum += (k == i ? T(1) : lu[b * size + i + k * ld]) * lu[b * size + k + j * ld];
                CHECK_THAT(std::abs(sum - wanted[i + j * ld]) < 1e-4);
                CHECK_THAT(!pivoting || i <= j || std::abs(lu[b * size + i + j * ld]) < 1.0001);
            }
    }
    CHECK_CALL(cudaFree(device));
}

template <class T> void all()
{
    for (int i = 0; i < 6; i++)
        factors<T>(i % 2);
    static const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    for (int round = 0; round < 4; round++) {
        vectors<T>();
        reductions<T>();
        for (cublasOperation_t a : operations) {
            matrix_vector<T>(a);
            for (cublasOperation_t b : operations) {
                products<T>(a, b);
                sums<T>(a, b);
            }
            for (int way = 0; way < 8; way++)
                triangles<T>(way & 1, way & 2, a, way & 4);
        }
        for (int way = 0; way < 8; way++)
            symmetric<T>(way & 1, way & 2, way & 4 ? CUBLAS_OP_T : CUBLAS_OP_N);
    }
}

static void half_precision()
{
    const int n = 7;
    std::vector<__half> a(n * n), b(n * n), c(n * n);
    float wanted[n * n], alpha = 2, beta = 0;
    for (int i = 0; i < n * n; i++)
        a[i] = __float2half(number<float>()), b[i] = __float2half(number<float>());
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            wanted[i + j * n] = 0;
            for (int k = 0; k < n; k++)
                wanted[i + j * n] += 2 * __half2float(a[i + k * n]) * __half2float(b[k + j * n]);
        }
    __half *da, *db, *dc;
    float *df;
    const size_t bytes = n * n * sizeof(__half);
    CHECK_CALL(cudaMalloc(&da, bytes));
    CHECK_CALL(cudaMalloc(&db, bytes));
    CHECK_CALL(cudaMalloc(&dc, bytes));
    CHECK_CALL(cudaMalloc(&df, 2 * bytes));
    CHECK_BLAS(cublasSetMatrix(n, n, sizeof(__half), a.data(), n, da, n));
    CHECK_BLAS(cublasSetVector(n * n, sizeof(__half), b.data(), 1, db, 1));
    CHECK_BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, da, CUDA_R_16F, n, db, CUDA_R_16F, n,
                            &beta, df, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    const __half two = __float2half(2), none = __float2half(0);
    CHECK_BLAS(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &two, da, n, db, n, &none, dc, n));
    float wide[n * n];
    CHECK_BLAS(cublasGetMatrix(n, n, sizeof(float), df, n, wide, n));
    CHECK_BLAS(cublasGetMatrix(n, n, sizeof(__half), dc, n, c.data(), n));
    for (int i = 0; i < n * n; i++)
        CHECK_THAT(wide[i] == wanted[i] && __half2float(c[i]) == __half2float(__float2half(wanted[i])));
}

__global__ void add(float *x, const float *more)
{
    x[threadIdx.x] += more[threadIdx.x] + *more;
}

// What a library writes is written, in either pointer mode; what it cannot reach is told.
static void memory()
{
    float *x, *y, *sum, one = 1, alpha = 2;
    float ones[32], result[32];
    for (float &v : ones)
        v = one;
    CHECK_CALL(cudaMalloc(&x, sizeof ones));
    CHECK_CALL(cudaMalloc(&y, sizeof ones));
    CHECK_CALL(cudaMalloc(&sum, 33 * sizeof(float)));
    CHECK_BLAS(cublasSetVector(32, sizeof(float), ones, 1, x, 1));
    CHECK_BLAS(cublasScopy(handle, 32, x, 1, y, 1));
    CHECK_BLAS(cublasScopy(handle, 32, x, 1, sum + 1, 1));
    CHECK_BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK_BLAS(cublasSasum(handle, 32, x, 1, sum));
    CHECK_BLAS(cublasSaxpy(handle, 32, sum, x, 1, y, 1));
    CHECK_THAT(cublasSaxpy(handle, 32, &alpha, x, 1, y, 1) == CUBLAS_STATUS_MAPPING_ERROR);
    CHECK_BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CHECK_THAT(cublasSaxpy(handle, 32, &alpha, ones, 1, y, 1) == CUBLAS_STATUS_MAPPING_ERROR);
    CHECK_THAT(cublasSaxpy(handle, 33, &alpha, x, 1, y, 1) == CUBLAS_STATUS_MAPPING_ERROR);
    CHECK_THAT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, x, 3, x, 4, &one, y, 4) ==
               CUBLAS_STATUS_INVALID_VALUE);
    CHECK_THAT(cublasSdot(nullptr, 4, x, 1, y, 1, result) == CUBLAS_STATUS_NOT_INITIALIZED);
    add<<<1, 32>>>(y, sum);
    CHECK_BLAS(cublasGetVector(32, sizeof(float), y, 1, result, 1));
    CHECK_THAT(result[0] == 33 + 64 && result[31] == 33 + 33);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        state = strtoull(argv[1], NULL, 10);
    printf("seed %llu\n", state);
    CHECK_BLAS(cublasCreate(&handle));
    all<float>();
    all<double>();
    all<std::complex<float>>();
    all<std::complex<double>>();
    half_precision();
    memory();
    int version, runtime;
    CHECK_BLAS(cublasGetVersion_v2(handle, &version));
    CHECK_CALL(cudaRuntimeGetVersion(&runtime));
    CHECK_THAT(version == CUBLAS_VERSION && (int)cublasGetCudartVersion() == runtime);
    CHECK_BLAS(cublasDestroy(handle));
    CHECK_THAT(!strcmp(cublasGetStatusName(CUBLAS_STATUS_MAPPING_ERROR), "CUBLAS_STATUS_MAPPING_ERROR"));
    printf("PASSED\n");
}
