/* fragments.h - what the files of fragment_patterns share: a pattern read from its line, the memory that
 * patterns address, and how a kernel says that the right data moved. Addresses and sizes are in bytes.
 *
 * Every kernel takes `errors`: null under a profiler, and then nothing is executed beside the pattern; else
 * shared memory is filled first, the pattern is executed, and the words that are wrong are counted there.
 */
#ifndef WARPLENS_FRAGMENTS_H
#define WARPLENS_FRAGMENTS_H

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "fragment_patterns: %s: %s\n", #call, cudaGetErrorString(error_));     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const uint32_t SHARED_BYTES = 64 * 1024; /* what patterns may address, 1024-byte aligned */
static const uint32_t BARRIER_BYTES = 1024;     /* behind it: the barrier of asynchronous copies */
static const uint32_t ARENA_BYTES = 16 * 1024 * 1024; /* global memory, aligned to its size */
static const uint32_t TARGET_CHECKED = 1024 * 1024;   /* the part of the target that is checked */
static const uint32_t NEVER = 0x6b43a9b5; /* no fill makes it: keeps a load from being dropped */

/* A line: the instruction's name, and lists of numbers by name; a key that is absent has no entry. */
struct pattern {
    int line;
    std::string text, name;
    std::map<std::string, std::vector<int64_t>> lists;

    bool has(const char *key) const
    {
        return lists.count(key) != 0;
    }
    int64_t value(const char *key, int64_t otherwise) const
    {
        return has(key) ? lists.at(key)[0] : otherwise;
    }
};

/* What a warp's lanes say: two addresses and a size each, and which lanes execute. */
struct lanes {
    uint32_t a[32], b[32], size[32];
    uint32_t active;
};

struct memory {
    char *source;     /* ARENA_BYTES, word i holds source_word(i) when checked */
    char *target;     /* ARENA_BYTES, word i holds target_word(i) when checked */
    uint32_t *errors; /* null: measure */
};

/* Executes a pattern; a name with other arguments than it needs ends the program. */
typedef void (*executor)(const pattern &p, const memory &m);
typedef std::map<std::string, executor> executors;

/* Thrown by an executor: the driver makes nothing of the pattern. */
struct refused_by_driver {
};

void add_matrix_executors(executors &table);
void add_wmma_executors(executors &table);
void add_copy_executors(executors &table);
void add_bulk_executors(executors &table);
void add_tensor_executors(executors &table);
void add_cluster_executors(executors &table);
void add_reduction_executors(executors &table);

/* One to 32 numbers of `key` as the lanes' values: one stands for all, others are absent lanes' zeros. */
void lane_values(const pattern &p, const char *key, uint32_t limit, uint32_t values[32]);
/* The bits of "lanes", or all lanes. */
uint32_t active_lanes(const pattern &p);
[[noreturn]] void refuse(const pattern &p, const char *why);
void fill_target(const memory &m);

template <typename... Arguments> void allow_shared(void (*kernel)(Arguments...))
{
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               SHARED_BYTES + BARRIER_BYTES));
}

template <typename... Arguments, typename... Given>
void launch(int blocks, void (*kernel)(Arguments...), Given... given)
{
    allow_shared(kernel);
    kernel<<<blocks, 32, SHARED_BYTES + BARRIER_BYTES>>>(given...);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

#ifdef __CUDACC__
__host__ __device__ inline uint32_t scrambled(uint32_t word)
{
    word = (word ^ word >> 15) * 0x2c1b3c6d;
    word = (word ^ word >> 12) * 0x297a2d39;
    return word ^ word >> 15;
}
__host__ __device__ inline uint32_t source_word(uint32_t word)
{
    return scrambled(word) | 1;
}
__host__ __device__ inline uint32_t target_word(uint32_t word)
{
    return scrambled(word + 0x1000000) | 1;
}
__host__ __device__ inline uint32_t shared_word(uint32_t word)
{
    return scrambled(word + 0x2000000) | 1;
}

__device__ inline uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ inline void fill_shared(char *shared)
{
    for (uint32_t w = threadIdx.x; w < SHARED_BYTES / 4; w += 32)
        ((uint32_t *)shared)[w] = shared_word(w);
    __syncwarp();
}

__device__ inline void count_error(uint32_t *errors, bool wrong)
{
    if (wrong)
        atomicAdd(errors, 1);
}

/* ---- The barrier of asynchronous copies, at `barrier` in shared memory. */

__device__ inline void barrier_init(uint32_t barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void barrier_expect(uint32_t barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

/* False when the bytes did not come within some 10 ms: a wrong count must not hang the GPU. */
__device__ inline bool barrier_wait(uint32_t barrier)
{
    for (int tries = 0; tries < 20000; tries++) {
        uint32_t done;
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0, 1000;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier)
                     : "memory");
        if (done)
            return true;
    }
    return false;
}
#endif

#endif
