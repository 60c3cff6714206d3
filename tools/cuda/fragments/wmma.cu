/* wmma.cu - loads and stores of wmma's fragments as nvcc makes them, m16n16k16: matrix a, b or the
 * accumulator, of half or float elements, row or column major, rows of "ld" elements from byte "at" on, in
 * shared memory or in the arenas. */
#include "fragments.h"

#include <cuda_fp16.h>
#include <mma.h>

#include <type_traits>

using namespace nvcuda;

extern __shared__ __align__(1024) char shared[];

template <bool in_shared> __device__ char *place(char *arena, uint32_t at)
{
    if constexpr (in_shared)
        return shared + at;
    else
        return arena + at;
}

/* The bits of an element, made so that a float or half of them is no NaN: a NaN may lose its bits. */
template <typename T> __device__ T small_number(uint32_t index)
{
    return (T)(float)(scrambled(index) % 2048);
}

template <typename T> __device__ void fill_matrix(T *matrix, uint32_t ld)
{
    for (uint32_t i = threadIdx.x; i < 16 * ld; i += 32)
        matrix[i] = small_number<T>(i);
    __syncwarp();
}

template <typename T> __device__ uint32_t bits(T value)
{
    if constexpr (sizeof(T) == 2)
        return __half_as_ushort(value);
    else
        return __float_as_uint(value);
}

/* Every element is as often in the warp's fragments as in the first and, for a and b, the second copy
 * that they hold: the sums agree. */
template <typename T, typename Fragment>
__device__ void check_fragment(const Fragment &f, uint32_t ld, uint32_t *errors)
{
    uint32_t held = 0, wanted = 0;
    for (int i = 0; i < f.num_elements; i++)
        held += scrambled(bits(f.x[i]));
    for (int i = threadIdx.x; i < 256; i += 32)
        wanted += scrambled(bits(small_number<T>(i / 16 * ld + i % 16)));
    wanted *= f.num_elements / 8;
    for (int lane = 16; lane > 0; lane /= 2) {
        held += __shfl_xor_sync(0xffffffff, held, lane);
        wanted += __shfl_xor_sync(0xffffffff, wanted, lane);
    }
    count_error(errors, held != wanted);
}

template <typename Fragment, bool in_shared, bool row, typename T>
__global__ void measured_wmma_load(char *arena, uint32_t at, uint32_t ld, uint32_t *errors, T *sink)
{
    Fragment f;
    T *matrix = (T *)place<in_shared>(arena, at);
    if (errors)
        fill_matrix(matrix, ld);
    if constexpr (std::is_same_v<typename Fragment::element_type, T> &&
                  Fragment::num_storage_elements == 8 &&
                  std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 16, 16, 16, T>>)
        wmma::load_matrix_sync(f, matrix, ld, row ? wmma::mem_row_major : wmma::mem_col_major);
    else
        wmma::load_matrix_sync(f, matrix, ld);
    uint32_t all = 0;
    for (int i = 0; i < f.num_elements; i++)
        all = all * 3 ^ bits(f.x[i]);
    if (all == NEVER)
        *sink = f.x[0];
    if (errors)
        check_fragment<T>(f, ld, errors);
}

template <typename T, bool in_shared, bool row>
__global__ void measured_wmma_store(char *arena, uint32_t at, uint32_t ld, uint32_t *errors, T *)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, T> f;
    T *matrix = (T *)place<in_shared>(arena, at);
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = (T)(float)(threadIdx.x * 8 + i + 1);
    wmma::store_matrix_sync(matrix, f, ld, row ? wmma::mem_row_major : wmma::mem_col_major);
    if (errors == nullptr)
        return;
    __syncwarp();
    uint32_t sum = 0;
    for (int i = threadIdx.x; i < 256; i += 32)
        sum += (uint32_t)(float)matrix[i / 16 * ld + i % 16];
    for (int lane = 16; lane > 0; lane /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, lane);
    count_error(errors, sum != 256 * 257 / 2);
}

template <typename T> using wmma_kernel = void (*)(char *, uint32_t, uint32_t, uint32_t *, T *);

template <typename T>
void execute_wmma(const pattern &p, const memory &m, wmma_kernel<T> kernel, bool in_shared)
{
    uint32_t at = (uint32_t)p.value("at", 0), ld = (uint32_t)p.value("ld", 16);
    uint64_t end = at + 16ULL * ld * sizeof(T);
    if (end > (in_shared ? SHARED_BYTES : TARGET_CHECKED) || at % 32 != 0)
        refuse(p, "beyond the memory of patterns, or not aligned to 32 bytes");
    launch(1, kernel, m.target, at, ld, m.errors, (T *)(m.target + TARGET_CHECKED));
}

#define WMMA(name, T, in_shared, ...)                                                              \
    table[name] = [](const pattern &p, const memory &m) {                                          \
        execute_wmma<T>(p, m, __VA_ARGS__, in_shared);                                             \
    }

template <bool in_shared> void add_space(executors &table, const std::string &space)
{
    using a_row = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
    using a_col = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major>;
    using b_row = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>;
    using b_col = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
    using c_half = wmma::fragment<wmma::accumulator, 16, 16, 16, half>;
    using c_float = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
#define LOAD(name, F, T, row)                                                                      \
    WMMA("wmma.load." name + space, T, in_shared, measured_wmma_load<F, in_shared, row, T>)
    LOAD("a.row.f16.", a_row, half, true);
    LOAD("a.col.f16.", a_col, half, false);
    LOAD("b.row.f16.", b_row, half, true);
    LOAD("b.col.f16.", b_col, half, false);
    LOAD("c.row.f16.", c_half, half, true);
    LOAD("c.col.f16.", c_half, half, false);
    LOAD("c.row.f32.", c_float, float, true);
    LOAD("c.col.f32.", c_float, float, false);
#undef LOAD
    WMMA("wmma.store.d.row.f16." + space, half, in_shared,
         measured_wmma_store<half, in_shared, true>);
    WMMA("wmma.store.d.col.f16." + space, half, in_shared,
         measured_wmma_store<half, in_shared, false>);
    WMMA("wmma.store.d.row.f32." + space, float, in_shared,
         measured_wmma_store<float, in_shared, true>);
    WMMA("wmma.store.d.col.f32." + space, float, in_shared,
         measured_wmma_store<float, in_shared, false>);
}

void add_wmma_executors(executors &table)
{
    add_space<true>(table, "shared");
    add_space<false>(table, "global");
}
