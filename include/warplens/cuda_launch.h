/* cuda_launch.h - kernel<<<grid, block, bytes, stream>>>(arguments) as the rewriter writes it:
 *
 *     wl::launch(wl::config(grid, block, bytes, stream), "kernel", kernel, arguments...)
 *     wl::launch_template(wl::config(...), "kernel<T>", lambda that calls kernel<T>, arguments...)
 *
 * Arguments are converted when the launch is reached, kept, and given to each lane by value. What is
 * here is not instrumented: on a GPU parameters come without an access. The standard library's tuple
 * would be: its functions cannot be inlined where instrumentation is off.
 *
 * A launch by a lane is kept, arguments and all, until the kernel that makes it has ended.
 */
#ifndef WARPLENS_CUDA_LAUNCH_H
#define WARPLENS_CUDA_LAUNCH_H
#pragma GCC system_header

namespace wl
{

struct config {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    WL_NOT_INSTRUMENTED config(dim3 grid_dim, dim3 block_dim, size_t bytes = 0,
                               cudaStream_t in_stream = nullptr)
        : grid(grid_dim), block(block_dim), shared_bytes(bytes), stream(in_stream)
    {
    }
};

template <class T> struct identity {
    typedef T type;
};
template <class T> using identity_t = typename identity<T>::type;

/* A lane's own copy of an argument: bit by bit, as a GPU gets it, without a constructor. */
template <class T> struct lane_copy {
    alignas(T) unsigned char bytes[sizeof(T)];
    WL_NOT_INSTRUMENTED explicit lane_copy(const void *from)
    {
        __builtin_memcpy(bytes, from, sizeof bytes);
    }
};

/* What has a constructor or destructor for copies is passed by its address (Itanium C++ ABI, section
 * 3.1.2.3), and whoever calls destroys it: passed as a reference it is not destroyed. */
template <class T>
using passed = std::conditional_t<std::is_trivially_copy_constructible<T>::value &&
                                      std::is_trivially_move_constructible<T>::value &&
                                      std::is_trivially_destructible<T>::value,
                                  T, T &>;

/* Bytes of an argument that is kept, with room for its alignment. */
template <class T> constexpr size_t kept_bytes = sizeof(T) + alignof(T);

/* Copies arguments behind `kept`, which has room for them, and points `pointers` to them. */
template <class... P>
WL_NOT_INSTRUMENTED inline void keep_arguments(char *at, const void *const *given,
                                               const void **pointers)
{
    const size_t sizes[] = {sizeof(P)..., 0}, alignments[] = {alignof(P)..., 1};
    for (size_t i = 0; i < sizeof...(P); i++) {
        at += (alignments[i] - reinterpret_cast<uintptr_t>(at) % alignments[i]) % alignments[i];
        wl_copy_bytes(at, given[i], sizes[i]);
        pointers[i] = at;
        at += sizes[i];
    }
}

template <class Indices, class... P> struct kernel_call;
template <size_t... I, class... P> struct kernel_call<std::index_sequence<I...>, P...> {
    struct all {
        void (*kernel)(passed<P>...);
        const void *const *arguments;
    };
    WL_NOT_INSTRUMENTED static void call(const all *all, lane_copy<P>... own)
    {
        all->kernel(reinterpret_cast<P &>(own.bytes)...);
    }
    WL_NOT_INSTRUMENTED static void run(const void *data)
    {
        const all *all = static_cast<const struct all *>(data);
        call(all, lane_copy<P>(all->arguments[I])...);
    }
    struct kept {
        struct all all;
        const void *arguments[sizeof...(P) + 1];
        char bytes[(kept_bytes<P> + ... + 1)];
    };
    WL_NOT_INSTRUMENTED static void *keep(const all *all)
    {
        struct kept *kept = static_cast<struct kept *>(__builtin_malloc(sizeof(struct kept)));
        if (kept == nullptr)
            return nullptr;
        kept->all = {all->kernel, kept->arguments};
        keep_arguments<P...>(kept->bytes, all->arguments, kept->arguments);
        return kept;
    }
};

/* A kernel's parameters are constructed once, by whoever calls this, as nvcc's stub for it has them. */
template <class... P>
WL_NOT_INSTRUMENTED inline void launch(config how, const char *name, void (*kernel)(P...),
                                       identity_t<P>... given)
{
    typedef kernel_call<std::index_sequence_for<P...>, P...> call;
    const void *const arguments[] = {
        const_cast<const char *>(&reinterpret_cast<const volatile char &>(given))..., nullptr};
    const typename call::all all{reinterpret_cast<void (*)(passed<P>...)>(kernel), arguments};
    if (name[0] == '\0')
        name = wl_function_name(reinterpret_cast<const void *>(kernel));
    if (wl_in_kernel())
        wl_launch_later(name, call::run, call::keep(&all), how.grid, how.block, how.shared_bytes);
    else if (wl_captures(how.stream))
        wl_capture_launch(how.stream, name, call::run, call::keep(&all), how.grid, how.block,
                          how.shared_bytes);
    else
        wl_launch(name, call::run, &all, how.grid, how.block, how.shared_bytes);
}

/* The lambda's parameters are references: to a lane's own copies. */
template <class Lambda, class Indices, class... P> struct lambda_call;
template <class Lambda, size_t... I, class... P>
struct lambda_call<Lambda, std::index_sequence<I...>, P...> {
    struct all {
        const Lambda *lambda;
        const void *const *arguments;
    };
    WL_NOT_INSTRUMENTED static void call(const all *all, lane_copy<P>... own)
    {
        (*all->lambda)(reinterpret_cast<P &>(own.bytes)...);
    }
    WL_NOT_INSTRUMENTED static void run(const void *data)
    {
        const all *all = static_cast<const struct all *>(data);
        call(all, lane_copy<P>(all->arguments[I])...);
    }
    struct kept {
        struct all all;
        const void *arguments[sizeof...(P) + 1];
        alignas(Lambda) char lambda[sizeof(Lambda)];
        char bytes[(kept_bytes<P> + ... + 1)];
    };
    WL_NOT_INSTRUMENTED static void *keep(const all *all)
    {
        struct kept *kept = static_cast<struct kept *>(__builtin_malloc(sizeof(struct kept)));
        if (kept == nullptr)
            return nullptr;
        wl_copy_bytes(kept->lambda, all->lambda, sizeof(Lambda));
        kept->all = {reinterpret_cast<const Lambda *>(kept->lambda), kept->arguments};
        keep_arguments<P...>(kept->bytes, all->arguments, kept->arguments);
        return kept;
    }
};

template <class Lambda, class... P>
WL_NOT_INSTRUMENTED inline void launch_decayed(config how, const char *name, const Lambda &lambda,
                                               P... given)
{
    typedef lambda_call<Lambda, std::index_sequence_for<P...>, P...> call;
    const void *const arguments[] = {
        const_cast<const char *>(&reinterpret_cast<const volatile char &>(given))..., nullptr};
    const typename call::all all{&lambda, arguments};
    if (wl_in_kernel())
        wl_launch_later(name, call::run, call::keep(&all), how.grid, how.block, how.shared_bytes);
    else if (wl_captures(how.stream))
        wl_capture_launch(how.stream, name, call::run, call::keep(&all), how.grid, how.block,
                          how.shared_bytes);
    else
        wl_launch(name, call::run, &all, how.grid, how.block, how.shared_bytes);
}

template <class Lambda, class... P>
WL_NOT_INSTRUMENTED inline void launch_template(config how, const char *name, Lambda lambda,
                                                P &&...given)
{
    launch_decayed<Lambda, std::decay_t<P>...>(how, name, lambda, static_cast<P &&>(given)...);
}

/* cudaLaunchKernel: the arguments are an array of pointers to them. */
template <class... P, size_t... I>
WL_NOT_INSTRUMENTED inline void launch_pointers(config how, void (*kernel)(P...), void **given,
                                                std::index_sequence<I...>)
{
    launch(how, "", kernel, *static_cast<std::remove_cv_t<P> *>(given[I])...);
}

} // namespace wl

template <class... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes = 0, cudaStream_t stream = nullptr)
{
    wl::launch_pointers(wl::config(grid, block, shared_bytes, stream), kernel, arguments,
                        std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}

#endif
