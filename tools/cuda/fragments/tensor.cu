/* tensor.cu - cp.async.bulk.tensor of 1 to 3 dimensions, by one lane: tensor.load into shared memory at
 * "at_shared", tensor.store out of it. "element" bytes each (1, 2, 4, 8); "dims", "box" and "at" with the
 * innermost first, in elements; "pitch" the bytes between neighbours of the further dimensions; "base" the
 * tensor's address in its arena; "swizzle" 0, 32, 64 or 128; "promote" 0, 64, 128 or 256. */
#include "fragments.h"

#include <cuda.h>

extern __shared__ __align__(1024) char shared[];

struct tile {
    uint32_t element, rank, base, at_shared, swizzle;
    uint32_t dims[3], box[3], pitch[3];
    int32_t at[3];
    uint32_t bytes, row; /* of the box, of each of its rows */
    uint32_t shared_pitch;
};

/* Where byte `offset` of the tile's dense layout lies: rows of a swizzled tile have the swizzle's width,
 * and the copy engine swaps 16-byte pieces by the number of their 128-byte line. */
__device__ uint32_t swizzled(const tile &t, uint32_t offset)
{
    uint32_t address = t.at_shared + offset / t.row * t.shared_pitch + offset % t.row;
    return address ^ ((address >> 7 & (t.swizzle / 16 - 1)) << 4) * (t.swizzle != 0);
}

/* The address in the arena of an element of the box, or -1 outside the tensor. */
__device__ int64_t element_address(const tile &t, uint32_t index)
{
    int64_t address = t.base;
    for (uint32_t d = 0; d < t.rank; d++) {
        int32_t c = t.at[d] + (int32_t)(index % t.box[d]);
        index /= t.box[d];
        if (c < 0 || c >= (int32_t)t.dims[d])
            return -1;
        address += (int64_t)c * t.pitch[d];
    }
    return address;
}

__device__ uint8_t byte_of(uint32_t word, uint32_t address)
{
    return (uint8_t)(word >> 8 * (address & 3));
}

__device__ void check_load(const tile &t, uint32_t *errors)
{
    for (uint32_t i = threadIdx.x; i < t.bytes; i += 32) {
        int64_t from = element_address(t, i / t.element);
        uint32_t address = (uint32_t)from + i % t.element;
        uint8_t wanted = from < 0 ? 0 : byte_of(source_word(address / 4), address);
        count_error(errors, (uint8_t)shared[swizzled(t, i)] != wanted);
    }
}

template <int rank>
__device__ void load_tile(const CUtensorMap *map, const tile &t, uint32_t barrier)
{
    uint32_t to = shared_address(shared) + t.at_shared;
    if constexpr (rank == 1)
        asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile."
                     "mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(to),
                     "l"(map), "r"(t.at[0]), "r"(barrier)
                     : "memory");
    if constexpr (rank == 2)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
                     "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                     "l"(map), "r"(t.at[0]), "r"(t.at[1]), "r"(barrier)
                     : "memory");
    if constexpr (rank == 3)
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile."
                     "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
                     "l"(map), "r"(t.at[0]), "r"(t.at[1]), "r"(t.at[2]), "r"(barrier)
                     : "memory");
}

template <int rank>
__global__ void measured_tensor_load(const __grid_constant__ CUtensorMap map,
                                     const __grid_constant__ tile t, uint32_t *errors)
{
    uint32_t barrier = shared_address(shared) + SHARED_BYTES;
    if (errors)
        fill_shared(shared);
    if (threadIdx.x == 0)
        barrier_init(barrier);
    __syncwarp();
    asm volatile("fence.proxy.async;" ::: "memory");
    if (threadIdx.x == 0) {
        barrier_expect(barrier, t.bytes);
        load_tile<rank>(&map, t, barrier);
        bool came = barrier_wait(barrier);
        if (errors)
            count_error(errors, !came);
    }
    __syncwarp();
    if (errors)
        check_load(t, errors);
}

template <int rank>
__global__ void measured_tensor_store(const __grid_constant__ CUtensorMap map,
                                      const __grid_constant__ tile t, uint32_t *errors)
{
    if (errors)
        fill_shared(shared);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncwarp();
    if (threadIdx.x != 0)
        return;
    uint32_t from = shared_address(shared) + t.at_shared;
    if constexpr (rank == 1)
        asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group "
                     "[%0, {%1}], [%2];" ::"l"(&map),
                     "r"(t.at[0]), "r"(from)
                     : "memory");
    if constexpr (rank == 2)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                     "[%0, {%1, %2}], [%3];" ::"l"(&map),
                     "r"(t.at[0]), "r"(t.at[1]), "r"(from)
                     : "memory");
    if constexpr (rank == 3)
        asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group "
                     "[%0, {%1, %2, %3}], [%4];" ::"l"(&map),
                     "r"(t.at[0]), "r"(t.at[1]), "r"(t.at[2]), "r"(from)
                     : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

/* The tile arrived, and as many bytes changed as it has inside (a few may change to themselves). */
__global__ void check_store(const __grid_constant__ tile t, const char *target, uint32_t *errors)
{
    for (uint32_t i = threadIdx.x; i < t.bytes; i += 32) {
        int64_t to = element_address(t, i / t.element);
        uint32_t from = swizzled(t, i);
        if (to >= 0)
            count_error(errors, (uint8_t)target[to + i % t.element] !=
                                    byte_of(shared_word(from / 4), from));
    }
}

__global__ void count_changed(const char *target, uint32_t *changed)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < TARGET_CHECKED && (uint8_t)target[i] != byte_of(target_word(i / 4), i))
        atomicAdd(changed, 1);
}

/* ---- The host's side. */

typedef CUresult (*encoder)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                            const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                            const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static encoder find_encoder()
{
    static void *function;
    cudaDriverEntryPointQueryResult found;
    if (function == nullptr) {
        CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                               cudaEnableDefault, &found));
        if (found != cudaDriverEntryPointSuccess)
            CHECK(cudaErrorSymbolNotFound);
    }
    return (encoder)function;
}

static void read_list(const pattern &p, const char *key, uint32_t rank, int64_t otherwise,
                      int64_t out[3])
{
    for (uint32_t d = 0; d < rank; d++)
        out[d] = otherwise;
    if (!p.has(key))
        return;
    if (p.lists.at(key).size() != rank)
        refuse(p, "as many numbers as dimensions expected");
    for (uint32_t d = 0; d < rank; d++)
        out[d] = p.lists.at(key)[d];
}

static tile tile_of(const pattern &p)
{
    tile t = {};
    int64_t dims[3], box[3], at[3];
    if (!p.has("dims") || p.lists.at("dims").size() > 3)
        refuse(p, "1 to 3 dims expected");
    t.rank = (uint32_t)p.lists.at("dims").size();
    t.bytes = t.element = (uint32_t)p.value("element", 2);
    t.base = (uint32_t)p.value("base", 0);
    t.at_shared = (uint32_t)p.value("at_shared", 0);
    t.swizzle = (uint32_t)p.value("swizzle", 0);
    read_list(p, "dims", t.rank, 1, dims);
    read_list(p, "box", t.rank, 1, box);
    read_list(p, "at", t.rank, 0, at);
    for (uint32_t d = 0; d < t.rank; d++) {
        t.dims[d] = (uint32_t)dims[d];
        t.box[d] = (uint32_t)box[d];
        t.at[d] = (int32_t)at[d];
        t.pitch[d] = d == 0 ? t.element : (uint32_t)p.lists.at("pitch").at(d - 1);
        t.bytes *= t.box[d];
    }
    t.row = t.element * t.box[0];
    t.shared_pitch = t.swizzle > t.row ? t.swizzle : t.row;
    if (t.bytes / t.row * t.shared_pitch + t.at_shared > SHARED_BYTES)
        refuse(p, "beyond the memory of patterns");
    return t;
}

static CUtensorMap encode(const pattern &p, const tile &t, char *arena)
{
    CUtensorMap map;
    cuuint64_t dims[3], pitch[2];
    cuuint32_t step[3] = {1, 1, 1};
    CUtensorMapDataType type = t.element == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                               : t.element == 2 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                               : t.element == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                                : CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    CUtensorMapSwizzle swizzle = t.swizzle == 0    ? CU_TENSOR_MAP_SWIZZLE_NONE
                                 : t.swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                 : t.swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                   : CU_TENSOR_MAP_SWIZZLE_128B;
    int64_t promote = p.value("promote", 0);
    CUtensorMapL2promotion promotion = promote == 0     ? CU_TENSOR_MAP_L2_PROMOTION_NONE
                                       : promote == 64  ? CU_TENSOR_MAP_L2_PROMOTION_L2_64B
                                       : promote == 128 ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B
                                                        : CU_TENSOR_MAP_L2_PROMOTION_L2_256B;
    for (uint32_t d = 0; d < t.rank; d++) {
        dims[d] = t.dims[d];
        if (d > 0)
            pitch[d - 1] = t.pitch[d];
    }
    if (find_encoder()(&map, type, t.rank, arena + t.base, dims, pitch, t.box, step,
                       CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        throw refused_by_driver();
    return map;
}

template <int rank>
void load_or_store(const CUtensorMap &map, const tile &t, const memory &m, bool store)
{
    if (store)
        launch(1, measured_tensor_store<rank>, map, t, m.errors);
    else
        launch(1, measured_tensor_load<rank>, map, t, m.errors);
}

static int64_t inside(const tile &t)
{
    int64_t bytes = t.element;
    for (uint32_t d = 0; d < t.rank; d++) {
        int64_t first = t.at[d] < 0 ? 0 : t.at[d], end = t.at[d] + (int64_t)t.box[d];
        end = end > t.dims[d] ? t.dims[d] : end;
        bytes *= end > first ? end - first : 0;
    }
    return bytes;
}

/* One byte in 256 has its old value by chance. */
static void check_target(const tile &t, const memory &m)
{
    uint32_t before, after;
    launch(1, check_store, t, (const char *)m.target, m.errors);
    CHECK(cudaMemcpy(&before, m.errors, sizeof before, cudaMemcpyDeviceToHost));
    count_changed<<<TARGET_CHECKED / 256, 256>>>(m.target, m.errors);
    CHECK(cudaMemcpy(&after, m.errors, sizeof after, cudaMemcpyDeviceToHost));
    int64_t missing = inside(t) - (after - before);
    uint32_t errors = before + (missing < 0 || missing > 16 + inside(t) / 32);
    CHECK(cudaMemcpy(m.errors, &errors, sizeof errors, cudaMemcpyHostToDevice));
}

template <bool store> void execute_tensor(const pattern &p, const memory &m)
{
    tile t = tile_of(p);
    CUtensorMap map = encode(p, t, store ? m.target : m.source);
    if (store)
        fill_target(m);
    if (t.rank == 1)
        load_or_store<1>(map, t, m, store);
    else if (t.rank == 2)
        load_or_store<2>(map, t, m, store);
    else
        load_or_store<3>(map, t, m, store);
    if (store && m.errors != nullptr)
        check_target(t, m);
}

void add_tensor_executors(executors &table)
{
    table["tensor.load"] = execute_tensor<false>;
    table["tensor.store"] = execute_tensor<true>;
}
