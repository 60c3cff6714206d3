/* matrix.cu - ldmatrix and stmatrix: "rows" are the addresses that lanes 0 to 7 (x1), 15 (x2) or 31 (x4)
 * give, in shared memory; the other lanes give 0, which the instruction does not look at. */
#include "fragments.h"

extern __shared__ __align__(1024) char shared[];

template <int n, bool transposed> __device__ void load_matrices(uint32_t address, uint32_t r[4])
{
#define LOAD(suffix)                                                                               \
    if constexpr (n == 1)                                                                          \
        asm volatile("ldmatrix.sync.aligned.m8n8.x1" suffix ".shared.b16 {%0}, [%1];"              \
                     : "=r"(r[0])                                                                  \
                     : "r"(address)                                                                \
                     : "memory");                                                                  \
    if constexpr (n == 2)                                                                          \
        asm volatile("ldmatrix.sync.aligned.m8n8.x2" suffix ".shared.b16 {%0, %1}, [%2];"          \
                     : "=r"(r[0]), "=r"(r[1])                                                      \
                     : "r"(address)                                                                \
                     : "memory");                                                                  \
    if constexpr (n == 4)                                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" suffix ".shared.b16 {%0, %1, %2, %3}, [%4];"      \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                                  \
                 : "r"(address)                                                                    \
                 : "memory")
    if constexpr (transposed) {
        LOAD(".trans");
    } else {
        LOAD("");
    }
#undef LOAD
}

template <int n, bool transposed> __device__ void store_matrices(uint32_t address, uint32_t r[4])
{
#define STORE(suffix)                                                                              \
    if constexpr (n == 1)                                                                          \
        asm volatile("stmatrix.sync.aligned.m8n8.x1" suffix ".shared.b16 [%1], {%0};" ::"r"(r[0]), \
                     "r"(address)                                                                  \
                     : "memory");                                                                  \
    if constexpr (n == 2)                                                                          \
        asm volatile("stmatrix.sync.aligned.m8n8.x2" suffix                                        \
                     ".shared.b16 [%2], {%0, %1};" ::"r"(r[0]),                                    \
                     "r"(r[1]), "r"(address)                                                       \
                     : "memory");                                                                  \
    if constexpr (n == 4)                                                                          \
    asm volatile("stmatrix.sync.aligned.m8n8.x4" suffix                                            \
                 ".shared.b16 [%4], {%0, %1, %2, %3};" ::"r"(r[0]),                                \
                 "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(address)                                     \
                 : "memory")
    if constexpr (transposed) {
        STORE(".trans");
    } else {
        STORE("");
    }
#undef STORE
}

/* Element (row, column) of matrix m, 16 bits, as it lies in shared memory. */
__device__ uint32_t element(const lanes &l, int m, int row, int column)
{
    return *(uint16_t *)(shared + l.a[8 * m + row] + 2 * column);
}

/* The register of matrix m that this lane should have: two elements of a row, or of a column. */
template <bool transposed> __device__ uint32_t fragment(const lanes &l, int m)
{
    int major = threadIdx.x / 4, minor = threadIdx.x % 4 * 2;
    if (transposed)
        return element(l, m, minor, major) | element(l, m, minor + 1, major) << 16;
    return element(l, m, major, minor) | element(l, m, major, minor + 1) << 16;
}

template <int n, bool transposed>
__global__ void measured_ldmatrix(const __grid_constant__ lanes l, uint32_t *errors, uint32_t *sink)
{
    uint32_t r[4] = {0, 0, 0, 0};
    if (errors)
        fill_shared(shared);
    load_matrices<n, transposed>(shared_address(shared) + l.a[threadIdx.x], r);
    if ((r[0] ^ r[1] ^ r[2] ^ r[3]) == NEVER)
        *sink = 1;
    if (errors)
        for (int m = 0; m < n; m++)
            count_error(errors, r[m] != fragment<transposed>(l, m));
}

/* Stored are registers that no fill holds; rows given twice may hold either. */
template <int n, bool transposed>
__global__ void measured_stmatrix(const __grid_constant__ lanes l, uint32_t *errors, uint32_t *)
{
    uint32_t r[4];
    for (int m = 0; m < n; m++)
        r[m] = scrambled(0x3000000 + 32 * m + threadIdx.x);
    if (errors)
        fill_shared(shared);
    store_matrices<n, transposed>(shared_address(shared) + l.a[threadIdx.x], r);
    if (errors == nullptr)
        return;
    __syncwarp();
    for (int m = 0; m < n; m++) {
        bool again = false;
        for (int row = 0; row < 8 * n; row++)
            for (int other = 0; other < 8 * n; other++)
                again |= row != other && l.a[row] < l.a[other] + 16 && l.a[other] < l.a[row] + 16;
        count_error(errors, !again && r[m] != fragment<transposed>(l, m));
    }
}

typedef void (*matrix_kernel)(const lanes, uint32_t *, uint32_t *);

template <int n> void execute_matrix(const pattern &p, const memory &m, matrix_kernel kernel)
{
    lanes l = {};
    lane_values(p, "rows", SHARED_BYTES - 16, l.a);
    if (p.lists.at("rows").size() != 8 * n)
        refuse(p, "8 rows for each matrix expected");
    launch(1, kernel, l, m.errors, (uint32_t *)m.target);
}

#define MATRIX(name, kernel, n, transposed)                                                        \
    table[name] = [](const pattern &p, const memory &m) {                                          \
        execute_matrix<n>(p, m, kernel<n, transposed>);                                            \
    }

void add_matrix_executors(executors &table)
{
    MATRIX("ldmatrix.x1", measured_ldmatrix, 1, false);
    MATRIX("ldmatrix.x2", measured_ldmatrix, 2, false);
    MATRIX("ldmatrix.x4", measured_ldmatrix, 4, false);
    MATRIX("ldmatrix.x1.trans", measured_ldmatrix, 1, true);
    MATRIX("ldmatrix.x2.trans", measured_ldmatrix, 2, true);
    MATRIX("ldmatrix.x4.trans", measured_ldmatrix, 4, true);
    MATRIX("stmatrix.x1", measured_stmatrix, 1, false);
    MATRIX("stmatrix.x2", measured_stmatrix, 2, false);
    MATRIX("stmatrix.x4", measured_stmatrix, 4, false);
    MATRIX("stmatrix.x1.trans", measured_stmatrix, 1, true);
    MATRIX("stmatrix.x2.trans", measured_stmatrix, 2, true);
    MATRIX("stmatrix.x4.trans", measured_stmatrix, 4, true);
}
