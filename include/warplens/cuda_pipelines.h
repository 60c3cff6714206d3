/* cuda_pipelines.h - cuda::pipeline and cuda::memcpy_async. A pipeline of a thread is its groups of cp.async; one of a block, of which
 * all threads are producers and consumers, has the block's barrier where a stage is waited for; one whose threads are either has two barriers
 * a stage, for those who fill it and those who use it. What the hardware reads and writes of the barriers in its shared state is not
 * traced.
 */
#ifndef WARPLENS_CUDA_PIPELINES_H
#define WARPLENS_CUDA_PIPELINES_H
#pragma GCC system_header

#include "warplens/cuda_barrier.h"
#include "warplens/cuda_copies.h"

namespace cuda
{

enum class async_contract_fulfillment { none, async };
enum class pipeline_role { producer, consumer };
template <thread_scope Scope> class pipeline;

/* Of a stage, by which its consumers know that it is filled, and its producers that it is free. */
struct pipeline_stage {
    wl_detail::block_barrier filled, freed;
};

/* As large as it is there: two barriers a stage, and how many use it. */
template <thread_scope Scope, uint8_t Stages> class pipeline_shared_state
{
    pipeline_stage stages_[Stages];
    unsigned long long unused_;
    template <class Group, thread_scope Of, uint8_t Count>
    friend pipeline<Of> wl_make_pipeline(const Group &, pipeline_shared_state<Of, Count> *, bool);

  public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;
};

template <thread_scope Scope> class pipeline
{
    /* Of threads that only produce or only consume; nullptr where all do both. */
    pipeline_stage *shared_ = nullptr;
    static_assert(Scope == thread_scope_block || Scope == thread_scope_thread, WL_REFUSED
                  "a pipeline of more threads than a block's (cuda::pipeline) cannot run under "
                  "warplens: use cuda::thread_scope_block");
    static constexpr bool of_block = Scope == thread_scope_block;
    unsigned stages_, head_ = 0, tail_ = 0, released_ = 0;

    WL_INLINE_MEMBER explicit pipeline(unsigned stages) : stages_(stages)
    {
    }
    WL_INLINE_MEMBER pipeline_stage &stage(unsigned use) const
    {
        return shared_[use % stages_];
    }
    WL_INLINE_MEMBER bool parity(unsigned use) const
    {
        return use / stages_ & 1;
    }
    friend pipeline<thread_scope_thread> make_pipeline();
    template <class Group, thread_scope Of, uint8_t Count>
    friend pipeline<Of> wl_make_pipeline(const Group &, pipeline_shared_state<Of, Count> *, bool);
    template <class Group, thread_scope Of, uint8_t Stages>
    friend pipeline<Of> make_pipeline(const Group &, pipeline_shared_state<Of, Stages> *);
    template <uint8_t Prior>
    friend void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &);

  public:
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    WL_INLINE_MEMBER bool quit()
    {
        return true;
    }
    /* A stage is free when all threads have released what was in it. */
    WL_INLINE_MEMBER void producer_acquire()
    {
        if (shared_ && head_ >= stages_)
            stage(head_).freed.wait_parity(parity(head_ - stages_));
        else if (of_block && head_ >= stages_)
            wl_syncthreads();
    }
    /* Who only produces waits for its copies here: the hardware arrives for it when they are there. */
    WL_INLINE_MEMBER void producer_commit()
    {
        wl::copy_commit();
        if (shared_) {
            wl::copy_wait(0);
            stage(head_).filled.arrive();
        }
        head_++;
    }
    WL_INLINE_MEMBER void consumer_wait()
    {
        if (shared_) {
            stage(tail_).filled.wait_parity(parity(tail_));
            return;
        }
        if (of_block || head_ != tail_) {
            const unsigned left = head_ - tail_ - 1;
            wl::copy_wait(of_block || left < 8 ? left : 8);
            if (!of_block)
                tail_++;
        }
        if (of_block)
            wl_syncthreads();
    }
    WL_INLINE_MEMBER void consumer_release()
    {
        if (shared_)
            stage(tail_).freed.arrive();
        if (of_block)
            tail_++;
    }
    template <class Duration> WL_INLINE_MEMBER bool consumer_wait_for(const Duration &)
    {
        consumer_wait();
        return true;
    }
    template <class Time> WL_INLINE_MEMBER bool consumer_wait_until(const Time &)
    {
        consumer_wait();
        return true;
    }
};

WL_INLINE_MEMBER pipeline<thread_scope_thread> make_pipeline()
{
    return pipeline<thread_scope_thread>(0);
}

template <class Group, thread_scope Scope, uint8_t Stages>
WL_INLINE_MEMBER pipeline<Scope> make_pipeline(const Group &group,
                                               pipeline_shared_state<Scope, Stages> *)
{
    const dim3 threads = blockDim;
    if (Scope == thread_scope_block && group.size() != threads.x * threads.y * threads.z)
        wl_refuse("a cuda::pipeline of fewer threads than the block has cannot run under warplens: "
                  "make one of the whole block");
    wl_syncthreads();
    return pipeline<Scope>(Stages);
}

/* Of the whole block, whose threads either produce or consume. */
template <class Group, thread_scope Scope, uint8_t Stages>
WL_INLINE_MEMBER pipeline<Scope>
wl_make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, bool produces)
{
    pipeline<Scope> made = make_pipeline(group, state);
    const unsigned producers = (unsigned)wl_syncthreads_count(produces);
    if (producers == 0 || producers == group.size())
        wl_refuse("a cuda::pipeline without a producer or without a consumer cannot run under "
                  "warplens: make one in which all threads are both");
    if (group.thread_rank() == 0)
        for (pipeline_stage &stage : state->stages_) {
            init(&stage.filled, producers);
            init(&stage.freed, group.size() - producers);
        }
    wl_syncthreads();
    made.shared_ = state->stages_;
    return made;
}
template <class Group, thread_scope Scope, uint8_t Stages>
WL_INLINE_MEMBER pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, pipeline_role role)
{
    return wl_make_pipeline(group, state, role == pipeline_role::producer);
}
template <class Group, thread_scope Scope, uint8_t Stages>
WL_INLINE_MEMBER pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, size_t producers)
{
    return wl_make_pipeline(group, state, group.thread_rank() < producers);
}

template <uint8_t Prior>
WL_INLINE_MEMBER void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &pipe)
{
    wl::copy_wait(Prior < 8 ? Prior : 8);
    pipe.tail_ = pipe.head_ - Prior;
}

/* ---- memcpy_async --------------------------------------------------------------------------------------- */

namespace wl_detail
{

template <class Size> struct size_align {
    static constexpr size_t align = 1;
};
template <size_t Alignment> struct size_align<aligned_size_t<Alignment>> {
    static constexpr size_t align = Alignment;
};

/* The words are as large as the type or the size is aligned, 16 bytes at most. */
template <class T, class Size, class Group>
WL_INLINE async_contract_fulfillment copy(const Group &group, T *to, const T *from, Size size,
                                          int line, const char *file)
{
    static_assert(::std::is_trivially_copyable<T>::value,
                  "memcpy_async requires a trivially copyable type");
    constexpr size_t of_size = size_align<Size>::align;
    constexpr size_t align = alignof(T) < of_size ? of_size : alignof(T);
    ::wl::copy_by_group<(align > 16 ? 16 : align)>(group, (char *)to, (const char *)from,
                                                   (size_t)size, line, file);
    return ::wl::has_async_copies && align >= 4 ? async_contract_fulfillment::async
                                                : async_contract_fulfillment::none;
}

template <thread_scope Scope> WL_INLINE void bind(pipeline<Scope> &)
{
}
template <thread_scope Scope, class Completion>
WL_INLINE void bind(barrier<Scope, Completion> &barrier)
{
    if constexpr (::wl::has_async_copies)
        wl_copy_at_barrier(&barrier);
}

template <class Sync> struct is_sync : ::std::false_type {
};
template <thread_scope Scope> struct is_sync<pipeline<Scope>> : ::std::true_type {
};
template <thread_scope Scope, class Completion>
struct is_sync<barrier<Scope, Completion>> : ::std::true_type {
};
template <class Sync>
using when_sync = ::std::enable_if_t<is_sync<Sync>::value, async_contract_fulfillment>;

} // namespace wl_detail

template <class Group, class T, class Size, class Sync>
WL_INLINE_MEMBER wl_detail::when_sync<Sync> memcpy_async(const Group &group, T *to, const T *from,
                                                         Size size, Sync &sync, WL_COPY_PLACE)
{
    wl_detail::bind(sync);
    return wl_detail::copy(group, to, from, size, line, file);
}
template <class T, class Size, class Sync>
WL_INLINE_MEMBER wl_detail::when_sync<Sync> memcpy_async(T *to, const T *from, Size size,
                                                         Sync &sync, WL_COPY_PLACE)
{
    wl_detail::bind(sync);
    return wl_detail::copy(::wl::single_thread(), to, from, size, line, file);
}
template <class Group, class Size, class Sync>
WL_INLINE_MEMBER wl_detail::when_sync<Sync>
memcpy_async(const Group &group, void *to, const void *from, Size size, Sync &sync, WL_COPY_PLACE)
{
    return memcpy_async(group, (char *)to, (const char *)from, size, sync, line, file);
}
template <class Size, class Sync>
WL_INLINE_MEMBER wl_detail::when_sync<Sync> memcpy_async(void *to, const void *from, Size size,
                                                         Sync &sync, WL_COPY_PLACE)
{
    return memcpy_async((char *)to, (const char *)from, size, sync, line, file);
}

} // namespace cuda
#endif
