/* cooperative_groups.h - groups of threads: the grid, the block, tiles of a warp, the lanes that are together.
 */
#ifndef WARPLENS_COMPAT_COOPERATIVE_GROUPS_H
#define WARPLENS_COMPAT_COOPERATIVE_GROUPS_H
#pragma GCC system_header

#include "warplens/cuda.h"
#include "warplens/cuda_kernel.h"

namespace cooperative_groups
{

namespace detail
{

WL_INLINE unsigned block_rank()
{
    const uint3 t = threadIdx;
    const dim3 size = blockDim;
    return t.x + size.x * (t.y + size.y * t.z);
}
WL_INLINE unsigned block_threads()
{
    const dim3 size = blockDim;
    return size.x * size.y * size.z;
}
WL_INLINE unsigned lane()
{
    return block_rank() & 31;
}

/* The lane of the rank-th bit of a mask. */
WL_INLINE unsigned lane_of(unsigned mask, unsigned rank)
{
    for (; rank > 0 && mask; rank--)
        mask &= mask - 1;
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}
/* The bits of `votes` at the lanes of `mask`, moved together. */
WL_INLINE unsigned packed(unsigned votes, unsigned mask)
{
    unsigned result = 0;
    for (unsigned rank = 0; mask; mask &= mask - 1, rank++)
        result |= (votes >> __builtin_ctz(mask) & 1) << rank;
    return result;
}

/* A value of any size, 8 bytes at a time. */
template <class T>
WL_INLINE T shuffle(enum wl_shuffle mode, unsigned mask, T value, unsigned by, unsigned width)
{
    enum { WORDS = (sizeof(T) + 7) / 8 };
    uint64_t words[WORDS] = {0};
    __builtin_memcpy(words, &value, sizeof value);
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = wl_shuffle(mode, mask, words[i], by, width);
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}

/* Of a tile of several warps there are no shuffles and votes in CUDA either. */
template <unsigned Size> WL_INLINE void check_one_warp()
{
    static_assert(Size <= 32,
                  WL_REFUSED "a shuffle, vote or match of a tile of more than 32 threads "
                             "is not in CUDA: use cooperative_groups::reduce");
}

} // namespace detail

/* ---- Any group, as a function's parameter --------------------------------------------------------- */

class thread_group
{
  protected:
    unsigned mask_, size_, rank_; /* mask_: 0 for a block */
    WL_INLINE_MEMBER thread_group(unsigned mask, unsigned size, unsigned rank)
        : mask_(mask), size_(size), rank_(rank)
    {
    }
    friend thread_group tiled_partition(const thread_group &parent, unsigned size);

  public:
    WL_INLINE_MEMBER unsigned size() const
    {
        return size_;
    }
    WL_INLINE_MEMBER unsigned num_threads() const
    {
        return size_;
    }
    WL_INLINE_MEMBER unsigned thread_rank() const
    {
        return rank_;
    }
    WL_INLINE_MEMBER bool is_valid() const
    {
        return true;
    }
    WL_INLINE_MEMBER void sync() const
    {
        if (mask_)
            wl_syncwarp_mask(mask_);
        else
            wl_syncthreads();
    }
};

class thread_block : public thread_group
{
    WL_INLINE_MEMBER thread_block() : thread_group(0, detail::block_threads(), detail::block_rank())
    {
    }
    friend thread_block this_thread_block();

  public:
    WL_CONVERGENT static void sync() __asm__("wl_syncthreads");
    WL_INLINE_MEMBER static dim3 group_index()
    {
        return blockIdx;
    }
    WL_INLINE_MEMBER static dim3 thread_index()
    {
        return threadIdx;
    }
    WL_INLINE_MEMBER static dim3 group_dim()
    {
        return blockDim;
    }
    WL_INLINE_MEMBER static dim3 dim_threads()
    {
        return blockDim;
    }
};
WL_INLINE_MEMBER thread_block this_thread_block()
{
    return thread_block();
}

WL_INLINE_MEMBER thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    unsigned lane = detail::lane(), first = lane & ~(size - 1);
    unsigned mask = (size >= 32 ? 0xffffffffU : (1U << size) - 1) << first;
    return thread_group(mask, size, parent.thread_rank() % size);
}

/* ---- The grid --------------------------------------------------------------------------------------- */

class grid_group
{
    WL_INLINE_MEMBER grid_group()
    {
    }
    friend grid_group this_grid();

  public:
    WL_INLINE_MEMBER static unsigned long long block_rank()
    {
        const uint3 b = blockIdx;
        const dim3 grid = gridDim;
        return b.x + grid.x * (b.y + (unsigned long long)grid.y * b.z);
    }
    WL_INLINE_MEMBER static unsigned long long num_blocks()
    {
        const dim3 grid = gridDim;
        return (unsigned long long)grid.x * grid.y * grid.z;
    }
    WL_INLINE_MEMBER static unsigned long long thread_rank()
    {
        return block_rank() * detail::block_threads() + detail::block_rank();
    }
    WL_INLINE_MEMBER static unsigned long long num_threads()
    {
        return num_blocks() * detail::block_threads();
    }
    WL_INLINE_MEMBER static unsigned long long size()
    {
        return num_threads();
    }
    WL_INLINE_MEMBER static dim3 block_index()
    {
        return blockIdx;
    }
    WL_INLINE_MEMBER static dim3 group_dim()
    {
        return gridDim;
    }
    WL_INLINE_MEMBER static dim3 dim_blocks()
    {
        return gridDim;
    }
    /* Whether it can wait at a barrier: the launch is a cooperative one. */
    static bool is_valid() __asm__("wl_grid_is_valid");
    WL_CONVERGENT static void sync() __asm__("wl_grid_sync");
};
WL_INLINE_MEMBER grid_group this_grid()
{
    return grid_group();
}

/* ---- The cluster ------------------------------------------------------------------------------------ */

/* A launch without clusters has clusters of one block. */
class cluster_group
{
    WL_INLINE_MEMBER cluster_group()
    {
    }
    friend cluster_group this_cluster();

  public:
    struct arrival_token {
    };
    WL_CONVERGENT static void sync() __asm__("wl_cluster_sync");
    WL_CONVERGENT static arrival_token barrier_arrive() __asm__("wl_cluster_arrive");
    WL_CONVERGENT static void barrier_wait() __asm__("wl_cluster_wait");
    WL_CONVERGENT static void barrier_wait(arrival_token &&) __asm__("wl_cluster_wait");
    WL_INLINE_MEMBER static unsigned query_shared_rank(const void *pointer)
    {
        return wl_cluster_rank_of(pointer);
    }
    template <class T>
    WL_INLINE_MEMBER static T *map_shared_rank(T *pointer, int rank,
                                               const char *file = __builtin_FILE(),
                                               int line = __builtin_LINE())
    {
        return (T *)wl_cluster_map((const void *)pointer, (unsigned)rank, file, line);
    }
    WL_INLINE_MEMBER static dim3 block_index()
    {
        return wl_cluster_dim3(WL_CLUSTER_BLOCK);
    }
    WL_INLINE_MEMBER static unsigned block_rank()
    {
        return wl_cluster_value(WL_CLUSTER_RANK);
    }
    WL_INLINE_MEMBER static dim3 dim_blocks()
    {
        return wl_cluster_dim3(WL_CLUSTER_DIM);
    }
    WL_INLINE_MEMBER static unsigned num_blocks()
    {
        return wl_cluster_value(WL_CLUSTER_BLOCKS);
    }
    WL_INLINE_MEMBER static dim3 thread_index()
    {
        const dim3 block = block_index(), size = blockDim;
        const uint3 t = threadIdx;
        return dim3(block.x * size.x + t.x, block.y * size.y + t.y, block.z * size.z + t.z);
    }
    WL_INLINE_MEMBER static dim3 dim_threads()
    {
        const dim3 blocks = dim_blocks(), size = blockDim;
        return dim3(blocks.x * size.x, blocks.y * size.y, blocks.z * size.z);
    }
    WL_INLINE_MEMBER static unsigned thread_rank()
    {
        return block_rank() * detail::block_threads() + detail::block_rank();
    }
    WL_INLINE_MEMBER static unsigned num_threads()
    {
        return num_blocks() * detail::block_threads();
    }
    WL_INLINE_MEMBER static unsigned size()
    {
        return num_threads();
    }
};
WL_INLINE_MEMBER cluster_group this_cluster()
{
    return cluster_group();
}

/* ---- Lanes that are together ---------------------------------------------------------------------- */

class coalesced_group : public thread_group
{
    unsigned parent_ = 0, parents_ = 1;

  public:
    WL_INLINE_MEMBER explicit coalesced_group(unsigned mask, unsigned parent = 0,
                                              unsigned parents = 1)
        : thread_group(mask, (unsigned)__builtin_popcount(mask),
                       (unsigned)__builtin_popcount(mask & ((1U << detail::lane()) - 1))),
          parent_(parent), parents_(parents)
    {
    }
    WL_INLINE_MEMBER unsigned meta_group_rank() const
    {
        return parent_;
    }
    WL_INLINE_MEMBER unsigned meta_group_size() const
    {
        return parents_;
    }
    WL_INLINE_MEMBER unsigned mask() const
    {
        return mask_;
    }
    WL_INLINE_MEMBER void sync() const
    {
        wl_syncwarp_mask(mask_);
    }
    template <class T> WL_INLINE_MEMBER T shfl(T value, unsigned rank) const
    {
        return detail::shuffle(WL_SHFL_IDX, mask_, value, detail::lane_of(mask_, rank % size_), 32);
    }
    template <class T> WL_INLINE_MEMBER T shfl_down(T value, unsigned by) const
    {
        return shfl(value, rank_ + by < size_ ? rank_ + by : rank_);
    }
    template <class T> WL_INLINE_MEMBER T shfl_up(T value, unsigned by) const
    {
        return shfl(value, by <= rank_ ? rank_ - by : rank_);
    }
    WL_INLINE_MEMBER unsigned ballot(int predicate) const
    {
        return detail::packed(wl_ballot(mask_, predicate), mask_);
    }
    WL_INLINE_MEMBER int any(int predicate) const
    {
        return wl_any(mask_, predicate);
    }
    WL_INLINE_MEMBER int all(int predicate) const
    {
        return wl_all(mask_, predicate);
    }
    template <class T> WL_INLINE_MEMBER unsigned match_any(T value) const
    {
        return detail::packed(wl_match_any(mask_, wl::bits_of(value)), mask_);
    }
};
WL_INLINE coalesced_group coalesced_threads()
{
    return coalesced_group(wl_activemask());
}

/* ---- Tiles of a warp, and of several ---------------------------------------------------------------- */

/* What warps of a tile exchange their values by on GPUs; here they do it without memory that is traced. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    unsigned char bytes[MaxBlockSize];
};
template <unsigned MaxBlockSize>
WL_INLINE_MEMBER thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return this_thread_block();
}

template <unsigned Size, class Parent = void> class thread_block_tile : public thread_group
{
    static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads, or whole warps: 64, 128, 256, 512");
    /* One of several warps has none: it waits at the block's barrier. */
    WL_INLINE_MEMBER static unsigned tile_mask()
    {
        return Size > 32 ? 0
                         : (Size == 32 ? 0xffffffffU : (1U << (Size & 31)) - 1)
                               << (detail::lane() & ~(Size - 1));
    }

  public:
    WL_INLINE_MEMBER thread_block_tile()
        : thread_group(tile_mask(), Size, detail::block_rank() % Size)
    {
    }
    template <class Other>
    WL_INLINE_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &)
        : thread_group(tile_mask(), Size, detail::block_rank() % Size)
    {
    }
    WL_INLINE_MEMBER static constexpr unsigned size()
    {
        return Size;
    }
    WL_INLINE_MEMBER static constexpr unsigned num_threads()
    {
        return Size;
    }
    WL_INLINE_MEMBER unsigned mask() const
    {
        return mask_;
    }
    WL_INLINE_MEMBER unsigned meta_group_rank() const
    {
        return detail::block_rank() / Size;
    }
    WL_INLINE_MEMBER unsigned meta_group_size() const
    {
        return (detail::block_threads() + Size - 1) / Size;
    }
    WL_INLINE_MEMBER void sync() const
    {
        thread_group::sync();
    }
    template <class T> WL_INLINE_MEMBER T shfl(T value, unsigned rank) const
    {
        detail::check_one_warp<Size>();
        return detail::shuffle(WL_SHFL_IDX, mask_, value, rank, Size);
    }
    template <class T> WL_INLINE_MEMBER T shfl_down(T value, unsigned by) const
    {
        detail::check_one_warp<Size>();
        return detail::shuffle(WL_SHFL_DOWN, mask_, value, by, Size);
    }
    template <class T> WL_INLINE_MEMBER T shfl_up(T value, unsigned by) const
    {
        detail::check_one_warp<Size>();
        return detail::shuffle(WL_SHFL_UP, mask_, value, by, Size);
    }
    template <class T> WL_INLINE_MEMBER T shfl_xor(T value, unsigned by) const
    {
        detail::check_one_warp<Size>();
        return detail::shuffle(WL_SHFL_XOR, mask_, value, by, Size);
    }
    WL_INLINE_MEMBER unsigned ballot(int predicate) const
    {
        detail::check_one_warp<Size>();
        return detail::packed(wl_ballot(mask_, predicate), mask_);
    }
    WL_INLINE_MEMBER int any(int predicate) const
    {
        detail::check_one_warp<Size>();
        return wl_any(mask_, predicate);
    }
    WL_INLINE_MEMBER int all(int predicate) const
    {
        detail::check_one_warp<Size>();
        return wl_all(mask_, predicate);
    }
    template <class T> WL_INLINE_MEMBER unsigned match_any(T value) const
    {
        detail::check_one_warp<Size>();
        return detail::packed(wl_match_any(mask_, wl::bits_of(value)), mask_);
    }
    template <class T> WL_INLINE_MEMBER unsigned match_all(T value, int &all) const
    {
        detail::check_one_warp<Size>();
        unsigned same = wl_match_all(mask_, wl::bits_of(value));
        all = same != 0;
        return detail::packed(same, mask_);
    }
};
template <unsigned Size, class Parent>
WL_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<Size, Parent>();
}

/* ---- Groups made of groups, and what is the same for all -------------------------------------------- */

template <class Group> WL_INLINE coalesced_group binary_partition(const Group &group, bool side)
{
    unsigned yes = wl_ballot(group.mask(), side);
    return coalesced_group(side ? yes : group.mask() & ~yes, side ? 0 : 1, 2);
}
template <class Group, class Label>
WL_INLINE coalesced_group labeled_partition(const Group &group, Label label)
{
    return coalesced_group(wl_match_any(group.mask(), (uint64_t)label));
}

template <class Group> WL_INLINE void sync(const Group &group)
{
    group.sync();
}
template <class Group> WL_INLINE unsigned thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <class Group> WL_INLINE unsigned group_size(const Group &group)
{
    return group.size();
}

} // namespace cooperative_groups
#endif
