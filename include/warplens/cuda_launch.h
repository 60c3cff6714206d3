/* cuda_launch.h - kernel<<<grid, block, bytes, stream>>>(arguments) as the rewriter writes it:
 *
 *     wl::launch(wl::config(grid, block, bytes, stream), "kernel", kernel, arguments...)
 *     wl::launch_template(wl::config(...), "kernel<T>", lambda that calls kernel<T>, arguments...)
 *
 * Arguments are converted when the launch is reached, kept, and given to each lane by value. What is
 * here is not instrumented: on a GPU parameters come without an access. The standard library's tuple
 * would be: its functions cannot be inlined where instrumentation is off.
 */
#ifndef WARPLENS_CUDA_LAUNCH_H
#define WARPLENS_CUDA_LAUNCH_H
#pragma GCC system_header

#define WL_LAMBDA_PLAIN WL_NOT_INSTRUMENTED

namespace wl
{

struct config {
    dim3 grid, block;
    size_t shared_bytes;
    WL_NOT_INSTRUMENTED config(dim3 grid_dim, dim3 block_dim, size_t bytes = 0,
                               cudaStream_t stream = nullptr)
        : grid(grid_dim), block(block_dim), shared_bytes(bytes)
    {
        (void)stream;
    }
};

template <class T> struct identity {
    typedef T type;
};
template <class T> using identity_t = typename identity<T>::type;

template <size_t I, class T> struct kept {
    T value;
};
template <class Indices, class... T> struct kept_list;
template <size_t... I, class... T>
struct kept_list<std::index_sequence<I...>, T...> : kept<I, T>... {
};

template <class Indices, class... P> struct kernel_call;
template <size_t... I, class... P> struct kernel_call<std::index_sequence<I...>, P...> {
    typedef kept_list<std::index_sequence<I...>, P...> arguments;
    struct all {
        void (*kernel)(P...);
        arguments *list;
    };
    WL_NOT_INSTRUMENTED static void run(const void *data)
    {
        const all *call = static_cast<const all *>(data);
        call->kernel(static_cast<kept<I, P> *>(call->list)->value...);
    }
};

template <class... P>
WL_NOT_INSTRUMENTED inline void launch(config how, const char *name, void (*kernel)(P...),
                                       identity_t<P>... given)
{
    typedef kernel_call<std::index_sequence_for<P...>, P...> call;
    typename call::arguments list{{static_cast<P &&>(given)}...};
    typename call::all all{kernel, &list};
    if (name[0] == '\0')
        name = wl_function_name(reinterpret_cast<const void *>(kernel));
    wl_launch(name, call::run, &all, how.grid, how.block, how.shared_bytes);
}

/* The lambda's parameters are references: to a copy of the list for each lane. */
template <class Lambda, class Indices, class... P> struct lambda_call;
template <class Lambda, size_t... I, class... P>
struct lambda_call<Lambda, std::index_sequence<I...>, P...> {
    typedef kept_list<std::index_sequence<I...>, P...> arguments;
    struct all {
        const Lambda *lambda;
        const arguments *list;
    };
    WL_NOT_INSTRUMENTED static void run(const void *data)
    {
        const all *call = static_cast<const all *>(data);
        arguments own(*call->list);
        (*call->lambda)(static_cast<kept<I, P> &>(own).value...);
    }
};

template <class Lambda, class... P>
WL_NOT_INSTRUMENTED inline void launch_template(config how, const char *name, Lambda lambda,
                                                P &&...given)
{
    typedef lambda_call<Lambda, std::index_sequence_for<P...>, std::decay_t<P>...> call;
    const typename call::arguments list{{static_cast<P &&>(given)}...};
    const typename call::all all{&lambda, &list};
    wl_launch(name, call::run, &all, how.grid, how.block, how.shared_bytes);
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
