/* access_patterns.cu - executes single warp accesses on a real GPU, one launch each, for a profiler to
 * count. Reads expressions (the language of `warplens explain`) from a file, a line each, and makes
 * exactly that access: one block of one warp, one instruction, fixed by inline PTX.
 *
 *     access_patterns EXPRESSIONS        tools/cuda/measure_patterns.sh runs it under ncu
 *
 * Global addresses are offsets from a base that is a multiple of 1 GiB, so that what the cache does by
 * address bits is the same as for the address in the expression.
 */
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "expression/expression.h"
}

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "access_patterns: %s: %s\n", #call, cudaGetErrorString(error_));       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const uint64_t GIB = 1ULL << 30;
static const int SHARED_BYTES = 64 * 1024;

struct lanes {
    uint64_t addr[32];
};

/* One instruction of each operation, space and width. Loads return what they got: the assembler drops
 * a load whose result nobody looks at, volatile or not. */
#define LOAD(space, suffix, type, constraint, p_constraint, p)                                     \
    do {                                                                                           \
        type v;                                                                                    \
        asm volatile("ld." space suffix " %0, [%1];" : constraint(v) : p_constraint(p) : "memory"); \
        return v;                                                                                  \
    } while (0)
#define STORE(space, suffix, constraint, p_constraint, p)                                          \
    asm volatile("st." space suffix " [%0], %1;" ::p_constraint(p), constraint : "memory")

#define ACCESS_FUNCTIONS(name, space, pointer, p_constraint)                                       \
    template <int width> __device__ uint64_t load_##name(pointer p)                                \
    {                                                                                              \
        if constexpr (width == 1)                                                                  \
            LOAD(space, ".u8", uint16_t, "=h", p_constraint, p);                                   \
        if constexpr (width == 2)                                                                  \
            LOAD(space, ".u16", uint16_t, "=h", p_constraint, p);                                  \
        if constexpr (width == 4)                                                                  \
            LOAD(space, ".u32", uint32_t, "=r", p_constraint, p);                                  \
        if constexpr (width == 8)                                                                  \
            LOAD(space, ".u64", uint64_t, "=l", p_constraint, p);                                  \
        if constexpr (width == 16) {                                                               \
            uint32_t a, b, c, d;                                                                   \
            asm volatile("ld." space ".v4.u32 {%0, %1, %2, %3}, [%4];"                             \
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                      \
                         : p_constraint(p)                                                         \
                         : "memory");                                                              \
            return a ^ b ^ c ^ d;                                                                  \
        }                                                                                          \
    }                                                                                              \
    template <int width> __device__ void store_##name(pointer p)                                   \
    {                                                                                              \
        if constexpr (width == 1)                                                                  \
            STORE(space, ".u8", "h"((uint16_t)1), p_constraint, p);                                \
        if constexpr (width == 2)                                                                  \
            STORE(space, ".u16", "h"((uint16_t)1), p_constraint, p);                               \
        if constexpr (width == 4)                                                                  \
            STORE(space, ".u32", "r"(1), p_constraint, p);                                         \
        if constexpr (width == 8)                                                                  \
            STORE(space, ".u64", "l"(1ULL), p_constraint, p);                                      \
        if constexpr (width == 16)                                                                 \
            asm volatile("st." space ".v4.u32 [%0], {%1, %1, %1, %1};" ::p_constraint(p), "r"(1)   \
                         : "memory");                                                              \
    }                                                                                              \
    template <int width> __device__ void exchange_##name(pointer p)                                \
    {                                                                                              \
        uint64_t v8;                                                                               \
        uint32_t v4;                                                                               \
        if constexpr (width == 4)                                                                  \
            asm volatile("atom." space ".exch.b32 %0, [%1], 1;"                                    \
                         : "=r"(v4)                                                                \
                         : p_constraint(p)                                                         \
                         : "memory");                                                              \
        if constexpr (width == 8)                                                                  \
            asm volatile("atom." space ".exch.b64 %0, [%1], 1;"                                    \
                         : "=l"(v8)                                                                \
                         : p_constraint(p)                                                         \
                         : "memory");                                                              \
    }
ACCESS_FUNCTIONS(global, "global", char *, "l")
ACCESS_FUNCTIONS(shared, "shared", uint32_t, "r")

/* Memory never holds NEVER, so that its store is never made. */
static const uint64_t NEVER = 0x77;

template <int op, int width> __global__ void global_access(lanes l, uint32_t mask, char *base)
{
    char *p = base + l.addr[threadIdx.x];
    if (mask >> threadIdx.x & 1) {
        if constexpr (op == OP_LOAD) {
            if (load_global<width>(p) == NEVER)
                *base = 1;
        } else if constexpr (op == OP_STORE)
            store_global<width>(p);
        else
            exchange_global<width>(p);
    }
}

template <int op, int width> __global__ void shared_access(lanes l, uint32_t mask, char *base)
{
    uint32_t p = (uint32_t)l.addr[threadIdx.x];
    if (mask >> threadIdx.x & 1) {
        if constexpr (op == OP_LOAD) {
            if (load_shared<width>(p) == NEVER)
                *base = 1;
        } else if constexpr (op == OP_STORE)
            store_shared<width>(p);
        else
            exchange_shared<width>(p);
    }
}

typedef void (*kernel)(lanes, uint32_t, char *);

/* By operation (load, store, atomic) and log2 of the width. */
#define KERNELS(name, op) {name<op, 1>, name<op, 2>, name<op, 4>, name<op, 8>, name<op, 16>}
static const kernel global_kernels[3][5] = {
    KERNELS(global_access, OP_LOAD),
    KERNELS(global_access, OP_STORE),
    {nullptr, nullptr, global_access<OP_ATOMIC, 4>, global_access<OP_ATOMIC, 8>, nullptr},
};
static const kernel shared_kernels[3][5] = {
    KERNELS(shared_access, OP_LOAD),
    KERNELS(shared_access, OP_STORE),
    {nullptr, nullptr, shared_access<OP_ATOMIC, 4>, shared_access<OP_ATOMIC, 8>, nullptr},
};

/* The part of a 3 GiB allocation that begins at a multiple of 1 GiB. */
static char *allocate_arena()
{
    char *p;
    CHECK(cudaMalloc(&p, 3 * GIB));
    CHECK(cudaMemset(p, 0, 3 * GIB));
    return (char *)(((uintptr_t)p + GIB - 1) / GIB * GIB);
}

static kernel kernel_for(const warp_access &a, const char *text)
{
    int width_log2 = 0;
    while (1 << width_log2 < a.width)
        width_log2++;
    kernel k = nullptr;
    if (a.space == SPACE_GLOBAL)
        k = global_kernels[a.op][width_log2];
    else if (a.space == SPACE_SHARED)
        k = shared_kernels[a.op][width_log2];
    if (k == nullptr) {
        fprintf(stderr, "access_patterns: %s: global or shared, atomics of 4 or 8 bytes\n", text);
        exit(2);
    }
    return k;
}

static void execute(const char *text, char *arena)
{
    struct expression e;
    char error[256];
    if (!expression_parse(text, &e, error, sizeof error)) {
        fprintf(stderr, "access_patterns: %s: %s\n", text, error);
        exit(2);
    }
    lanes l;
    for (unsigned i = 0; i < 32; i++) {
        bool active = e.access.active >> i & 1;
        l.addr[i] = active ? (e.access.addr ? e.access.addr[i]
                                            : e.access.base + (uint64_t)e.access.stride * i)
                           : 0;
        if (l.addr[i] >= (e.access.space == SPACE_SHARED ? (uint64_t)SHARED_BYTES : GIB)) {
            fprintf(stderr, "access_patterns: %s: address beyond the arena\n", text);
            exit(2);
        }
    }
    kernel k = kernel_for(e.access, text);
    CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES));
    k<<<1, 32, SHARED_BYTES>>>(l, e.access.active, arena);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    char line[1024];
    FILE *file = argc == 2 ? fopen(argv[1], "r") : nullptr;
    if (file == nullptr) {
        fprintf(stderr, "usage: access_patterns EXPRESSIONS\n");
        return 2;
    }
    char *arena = allocate_arena();
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] && line[0] != '#')
            execute(line, arena);
    }
    fclose(file);
    return 0;
}
