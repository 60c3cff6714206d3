/* reductions.cu - red.global.add and atom.global.add of the target arena, single words and vectors of f32
 * (sm_90), at "addr", by the lanes "lanes". */
#include "fragments.h"

enum type { F32, F32_2, F32_4, U32, U64, F16_4 };

template <type kind> __device__ void reduce(char *p)
{
    if constexpr (kind == F32)
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(p), "f"(1.f) : "memory");
    if constexpr (kind == F32_2)
        asm volatile("red.global.add.v2.f32 [%0], {%1, %1};" ::"l"(p), "f"(1.f) : "memory");
    if constexpr (kind == F32_4)
        asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(p), "f"(1.f) : "memory");
    if constexpr (kind == U32)
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(1) : "memory");
    if constexpr (kind == U64)
        asm volatile("red.global.add.u64 [%0], %1;" ::"l"(p), "l"(1ULL) : "memory");
    if constexpr (kind == F16_4)
        asm volatile("red.global.add.noftz.v4.f16x2 [%0], {%1, %1, %1, %1};" ::"l"(p),
                     "r"(0x3c003c00)
                     : "memory");
}

/* What was there, somehow put together. */
template <type kind> __device__ uint32_t fetch_and_add(char *p)
{
    float f[4] = {0, 0, 0, 0};
    uint32_t r[4] = {0, 0, 0, 0};
    uint64_t wide = 0;
    if constexpr (kind == F32)
        asm volatile("atom.global.add.f32 %0, [%1], %2;"
                     : "=f"(f[0])
                     : "l"(p), "f"(1.f)
                     : "memory");
    if constexpr (kind == F32_2)
        asm volatile("atom.global.v2.f32.add {%0, %1}, [%2], {%3, %3};"
                     : "=f"(f[0]), "=f"(f[1])
                     : "l"(p), "f"(1.f)
                     : "memory");
    if constexpr (kind == F32_4)
        asm volatile("atom.global.v4.f32.add {%0, %1, %2, %3}, [%4], {%5, %5, %5, %5};"
                     : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
                     : "l"(p), "f"(1.f)
                     : "memory");
    if constexpr (kind == U32)
        asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r[0]) : "l"(p), "r"(1) : "memory");
    if constexpr (kind == U64)
        asm volatile("atom.global.add.u64 %0, [%1], %2;"
                     : "=l"(wide)
                     : "l"(p), "l"(1ULL)
                     : "memory");
    if constexpr (kind == F16_4)
        asm volatile("atom.global.v4.f16x2.add.noftz {%0, %1, %2, %3}, [%4], {%5, %5, %5, %5};"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "l"(p), "r"(0x3c003c00)
                     : "memory");
    return __float_as_uint(f[0] + f[1] + f[2] + f[3]) + r[0] + r[1] + r[2] + r[3] + (uint32_t)wide;
}

template <type kind, bool fetches>
__global__ void measured_reduction(const __grid_constant__ lanes l, char *target)
{
    if (l.active >> threadIdx.x & 1) {
        char *p = target + l.a[threadIdx.x];
        if constexpr (!fetches)
            reduce<kind>(p);
        else if (fetch_and_add<kind>(p) == NEVER)
            *p = 1;
    }
}

template <type kind> __host__ __device__ constexpr uint32_t width()
{
    return kind == F32 || kind == U32 ? 4 : kind == F32_2 || kind == U64 ? 8 : 16;
}

/* Memory was 0 before: a word holds how many lanes cover it. */
template <type kind>
__global__ void check_reduction(const __grid_constant__ lanes l, const char *target,
                                uint32_t *errors)
{
    const char halves[] = "\x00\x00\x00\x3c\x00\x40\x00\x42\x00\x44";
    for (uint32_t w = threadIdx.x; w < TARGET_CHECKED / 4; w += 32) {
        uint32_t lanes_there = 0, value = ((const uint32_t *)target)[w], wanted;
        for (int i = 0; i < 32; i++)
            lanes_there += l.active >> i & 1 && w >= l.a[i] / 4 && w < (l.a[i] + width<kind>()) / 4;
        if (kind == U32)
            wanted = lanes_there;
        else if (kind == U64)
            wanted = w % 2 == 0 ? lanes_there : 0;
        else if (kind == F16_4 && lanes_there <= 4)
            wanted = 0x10001 * (uint32_t)((uint8_t)halves[2 * lanes_there + 1] << 8);
        else if (kind == F16_4)
            wanted = value;
        else
            wanted = __float_as_uint((float)lanes_there);
        count_error(errors, value != wanted);
    }
}

template <type kind, bool fetches> void execute_reduction(const pattern &p, const memory &m)
{
    lanes l = {};
    lane_values(p, "addr", TARGET_CHECKED - width<kind>(), l.a);
    l.active = active_lanes(p);
    if (m.errors != nullptr)
        CHECK(cudaMemset(m.target, 0, TARGET_CHECKED));
    launch(1, measured_reduction<kind, fetches>, l, m.target);
    if (m.errors != nullptr)
        launch(1, check_reduction<kind>, l, (const char *)m.target, m.errors);
}

template <type kind> void add_type(executors &table, const std::string &name)
{
    table["red.global.add." + name] = execute_reduction<kind, false>;
    table["atom.global.add." + name] = execute_reduction<kind, true>;
}

void add_reduction_executors(executors &table)
{
    add_type<F32>(table, "f32");
    add_type<F32_2>(table, "v2.f32");
    add_type<F32_4>(table, "v4.f32");
    add_type<U32>(table, "u32");
    add_type<U64>(table, "u64");
    add_type<F16_4>(table, "v4.f16x2");
}
