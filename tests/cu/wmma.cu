// wmma.cu - nvcuda::wmma: products of all shapes and types, in both orders of memory, from global and shared memory, against plain
// arithmetic. Values are small integers, of which every order of summation is exact.
#include <mma.h>

#include "check.h"

using namespace nvcuda;

template <class T> struct stored {
    typedef T type;
};
template <> struct stored<wmma::precision::tf32> {
    typedef float type;
};

template <class T> __device__ T made(int value)
{
    return (T)(float)value;
}

__device__ __align__(32) char arena[49152];
constexpr int LD = 40; // elements of a row, or a column

template <class Layout> __host__ __device__ constexpr int at(int row, int column)
{
    return std::is_same<Layout, wmma::row_major>::value ? row * LD + column : column * LD + row;
}

template <int M, int N, int K, class T, class LA, class LB, class C>
__global__ void product(int *wrong, wmma::layout_t layout, bool shared)
{
    typedef typename stored<T>::type S;
    __shared__ __align__(32) S a_shared[32 * LD], b_shared[32 * LD];
    __shared__ __align__(32) C c_shared[32 * LD];
    S *a = shared ? a_shared : (S *)arena, *b = shared ? b_shared : (S *)(arena + 16384);
    C *c = shared ? c_shared : (C *)(arena + 32768);
    const bool by_rows = layout == wmma::mem_row_major;
    const int l = threadIdx.x;
    for (int i = l; i < M * K; i += 32)
        a[at<LA>(i / K, i % K)] = made<S>(i * 7 % 13);
    for (int i = l; i < K * N; i += 32)
        b[at<LB>(i / N, i % N)] = made<S>(i * 5 % 11);
    for (int i = l; i < M * N; i += 32)
        c[by_rows ? i / N * LD + i % N : i % N * LD + i / N] = made<C>(i * 3 % 17 - 8);
    __syncwarp();
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> fc, fd;
    wmma::load_matrix_sync(fa, a, LD);
    wmma::load_matrix_sync(fb, b, LD);
    wmma::load_matrix_sync(fc, c, LD, layout);
    wmma::fill_fragment(fd, made<C>(1));
    wmma::mma_sync(fd, fa, fb, fd);
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] = (C)((float)fc.x[i] * 2.0f + (float)fd.x[i]);
    __syncwarp();
    wmma::store_matrix_sync(c, fc, LD, layout);
    __syncwarp();
    for (int i = l; i < M * N; i += 32) {
        int sum = 2 * (i * 3 % 17 - 8) + 1;
        for (int k = 0; k < K; k++)
            sum += (i / N * K + k) * 7 % 13 * ((k * N + i % N) * 5 % 11);
        if ((float)c[by_rows ? i / N * LD + i % N : i % N * LD + i / N] != (float)sum)
            *wrong = 1;
    }
}

template <int M, int N, int K, class T, class LA, class LB, class C> static void check()
{
    static int *wrong;
    if (wrong == nullptr)
        CHECK_CALL(cudaMallocManaged(&wrong, sizeof *wrong));
    *wrong = 0;
    for (int i = 0; i < 4; i++)
        product<M, N, K, T, LA, LB, C>
            <<<1, 32>>>(wrong, i % 2 ? wmma::mem_col_major : wmma::mem_row_major, i / 2 == 0);
    CHECK_CALL(cudaDeviceSynchronize());
    if (*wrong)
        printf("m%dn%dk%d, elements of %d bytes to %d\n", M, N, K, (int)sizeof(typename stored<T>::type),
               (int)sizeof(C));
    CHECK_THAT(*wrong == 0);
}

template <int M, int N, int K, class T, class C> static void orders()
{
    check<M, N, K, T, wmma::row_major, wmma::row_major, C>();
    check<M, N, K, T, wmma::row_major, wmma::col_major, C>();
    check<M, N, K, T, wmma::col_major, wmma::row_major, C>();
    check<M, N, K, T, wmma::col_major, wmma::col_major, C>();
}
template <class T, class C> static void shapes()
{
    orders<16, 16, 16, T, C>();
    check<32, 8, 16, T, wmma::row_major, wmma::col_major, C>();
    check<32, 8, 16, T, wmma::col_major, wmma::row_major, C>();
    check<8, 32, 16, T, wmma::row_major, wmma::col_major, C>();
    check<8, 32, 16, T, wmma::col_major, wmma::row_major, C>();
}

// Sums of a grid of fragments, from one array to the next: a warp's tile of 32 x 32.
__global__ void tiles(const half *a, const half *b, float *c, int n)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(fa[i], a + (32 * blockIdx.y + 16 * i) * n + k, n);
            wmma::load_matrix_sync(fb[i], b + (32 * blockIdx.x + 16 * i) * n + k, n);
        }
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int j = 0; j < 2; j++)
                wmma::mma_sync(sum[i][j], fa[i], fb[j], sum[i][j]);
    }
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(c + (32 * blockIdx.y + 16 * i) * n + 32 * blockIdx.x + 16 * j, sum[i][j], n,
                                    wmma::mem_row_major);
}

static void check_tiles()
{
    const int n = 64;
    half *a, *b;
    float *c;
    CHECK_CALL(cudaMallocManaged(&a, n * n * sizeof *a));
    CHECK_CALL(cudaMallocManaged(&b, n * n * sizeof *b));
    CHECK_CALL(cudaMallocManaged(&c, n * n * sizeof *c));
    for (int i = 0; i < n * n; i++) {
        a[i] = __float2half((float)(i * 7 % 13 - 6));
        b[i] = __float2half((float)(i * 5 % 11 - 5));
    }
    tiles<<<dim3(n / 32, n / 32), 32>>>(a, b, c, n);
    CHECK_CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += __half2float(a[i * n + k]) * __half2float(b[j * n + k]);
            CHECK_THAT(c[i * n + j] == sum);
        }
}

int main()
{
    cudaDeviceProp device;
    CHECK_CALL(cudaGetDeviceProperties(&device, 0));
    const int arch = device.major * 10 + device.minor;
    static_assert(wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>::num_elements == 16, "");
    static_assert(wmma::fragment<wmma::accumulator, 8, 32, 16, float>::num_elements == 8, "");
    shapes<half, float>();
    orders<16, 16, 16, half, half>();
    check_tiles();
    if (arch >= 72) {
        shapes<unsigned char, int>();
        orders<16, 16, 16, signed char, int>();
    }
    if (arch >= 80) {
        shapes<__nv_bfloat16, float>();
        orders<16, 16, 8, wmma::precision::tf32, float>();
        orders<8, 8, 4, double, double>();
    }
    puts("PASSED");
}
