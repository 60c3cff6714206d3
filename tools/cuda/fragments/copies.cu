/* copies.cu - cp.async: "src" are the lanes' addresses in the source arena, "dst" those in shared memory,
 * "bytes" how much is read of each (the rest is zeros; absent: the form without that operand), "lanes" the
 * bits of the lanes that execute. */
#include "fragments.h"

extern __shared__ __align__(1024) char shared[];

enum hint { HINT_NONE, HINT_64, HINT_128, HINT_256 };

#define COPY(cache, hint_text, width_text)                                                         \
    do {                                                                                           \
        if constexpr (sized)                                                                       \
            asm volatile("cp.async." cache ".shared.global" hint_text " [%0], [%1], " width_text   \
                         ", %2;" ::"r"(to),                                                        \
                         "l"(from), "r"(bytes)                                                     \
                         : "memory");                                                              \
        else                                                                                       \
            asm volatile("cp.async." cache ".shared.global" hint_text " [%0], [%1], " width_text   \
                         ";" ::"r"(to),                                                            \
                         "l"(from)                                                                 \
                         : "memory");                                                              \
    } while (0)

#define COPY_HINTED(cache, width_text)                                                             \
    do {                                                                                           \
        if constexpr (hinted == HINT_NONE)                                                         \
            COPY(cache, "", width_text);                                                           \
        if constexpr (hinted == HINT_64)                                                           \
            COPY(cache, ".L2::64B", width_text);                                                   \
        if constexpr (hinted == HINT_128)                                                          \
            COPY(cache, ".L2::128B", width_text);                                                  \
        if constexpr (hinted == HINT_256)                                                          \
            COPY(cache, ".L2::256B", width_text);                                                  \
    } while (0)

template <bool bypass, int width, bool sized, hint hinted>
__device__ void copy_async(uint32_t to, const char *from, uint32_t bytes)
{
    if constexpr (bypass)
        COPY_HINTED("cg", "16");
    else if constexpr (width == 4)
        COPY_HINTED("ca", "4");
    else if constexpr (width == 8)
        COPY_HINTED("ca", "8");
    else
        COPY_HINTED("ca", "16");
}

/* Is this word of shared memory what a lane copied there, or untouched when none did? */
__device__ bool word_right(const lanes &l, uint32_t width, uint32_t word, uint32_t value)
{
    bool covered = false;
    for (int i = 0; i < 32; i++) {
        uint32_t offset = 4 * word - l.b[i];
        if (!(l.active >> i & 1) || 4 * word < l.b[i] || offset >= width)
            continue;
        covered = true;
        if (value == (offset < l.size[i] ? source_word((l.a[i] + offset) / 4) : 0))
            return true;
    }
    return !covered && value == shared_word(word);
}

template <bool bypass, int width, bool sized, hint hinted>
__global__ void measured_cp_async(const __grid_constant__ lanes l, const char *source,
                                  uint32_t *errors)
{
    if (errors)
        fill_shared(shared);
    uint32_t to = shared_address(shared) + l.b[threadIdx.x], bytes = l.size[threadIdx.x];
    const char *from = source + l.a[threadIdx.x];
    if (l.active >> threadIdx.x & 1)
        copy_async<bypass, width, sized, hinted>(to, from, bytes);
    asm volatile("cp.async.wait_all;" ::: "memory");
    if (errors == nullptr)
        return;
    __syncwarp();
    for (uint32_t w = threadIdx.x; w < SHARED_BYTES / 4; w += 32)
        count_error(errors, !word_right(l, width, w, ((uint32_t *)shared)[w]));
}

template <bool bypass, int width, hint hinted> void execute_copy(const pattern &p, const memory &m)
{
    lanes l = {};
    lane_values(p, "src", ARENA_BYTES - width, l.a);
    lane_values(p, "dst", SHARED_BYTES - width, l.b);
    l.active = active_lanes(p);
    for (int i = 0; i < 32; i++)
        l.size[i] = width;
    if (!p.has("bytes")) {
        launch(1, measured_cp_async<bypass, width, false, hinted>, l, (const char *)m.source,
               m.errors);
    } else if constexpr (hinted == HINT_NONE) {
        lane_values(p, "bytes", width, l.size);
        launch(1, measured_cp_async<bypass, width, true, hinted>, l, (const char *)m.source,
               m.errors);
    } else
        refuse(p, "bytes or a hint");
}

template <bool bypass, int width> void add_width(executors &table, const std::string &name)
{
    table[name] = execute_copy<bypass, width, HINT_NONE>;
    table[name + ".L2::64B"] = execute_copy<bypass, width, HINT_64>;
    table[name + ".L2::128B"] = execute_copy<bypass, width, HINT_128>;
    table[name + ".L2::256B"] = execute_copy<bypass, width, HINT_256>;
}

void add_copy_executors(executors &table)
{
    add_width<false, 4>(table, "cp.async.ca.4");
    add_width<false, 8>(table, "cp.async.ca.8");
    add_width<false, 16>(table, "cp.async.ca.16");
    add_width<true, 16>(table, "cp.async.cg.16");
}
