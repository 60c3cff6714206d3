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

/* clang still announces functions that are not instrumented: a kernel is the first function of its lane. */
#if defined(__clang__) && __has_attribute(disable_sanitizer_instrumentation)
#define WL_CALLS_KERNEL WL_NOT_INSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#else
#define WL_CALLS_KERNEL WL_NOT_INSTRUMENTED
#endif

namespace wl
{

struct config {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    uint64_t restricted = 0,
             constant = 0; /* parameters that are __restrict__ pointers; to what is const */
    WL_NOT_INSTRUMENTED config(dim3 grid_dim, dim3 block_dim, size_t bytes = 0,
                               cudaStream_t in_stream = nullptr)
        : grid(grid_dim), block(block_dim), shared_bytes(bytes), stream(in_stream)
    {
    }
    WL_NOT_INSTRUMENTED config restricts(uint64_t all, uint64_t to_const) const
    {
        config same = *this;
        same.restricted = all;
        same.constant = to_const;
        return same;
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

/* A large one that needs no constructor is copied where the kernel is called, and nowhere else: a lane's stack holds
 * one copy of the largest parameters that there are. */
template <class T> struct lane_view {
    T &bytes;
    WL_NOT_INSTRUMENTED explicit lane_view(const void *from) : bytes(*aligned(from))
    {
    }
    /* Arguments in memory are at multiples of 8: without knowing it clang copies twice. */
    WL_NOT_INSTRUMENTED static T *aligned(const void *from)
    {
#ifdef __x86_64__
        from = __builtin_assume_aligned(from, alignof(T) > 8 ? alignof(T) : 8);
#endif
        return static_cast<T *>(const_cast<void *>(from));
    }
};

/* What has a constructor or destructor for copies is passed by its address (Itanium C++ ABI, section
 * 3.1.2.3), and whoever calls destroys it: passed as a reference it is not destroyed. */
template <class T>
constexpr bool is_plain = std::is_trivially_copy_constructible<T>::value
    &&std::is_trivially_move_constructible<T>::value &&std::is_trivially_destructible<T>::value;
template <class T> using passed = std::conditional_t<is_plain<T>, T, T &>;
template <class T>
using lane_argument =
    std::conditional_t<is_plain<T> && (sizeof(T) > 1024), lane_view<T>, lane_copy<T>>;

/* What CUDA takes: more since sm_70. */
#if WARPLENS_CU >= 70
#define WL_PARAMETER_BYTES_MAX 32764
#define WL_PARAMETER_BYTES_TEXT "32764"
#else
#define WL_PARAMETER_BYTES_MAX 4096
#define WL_PARAMETER_BYTES_TEXT "4096"
#endif
template <class... P> constexpr size_t parameter_bytes()
{
    const size_t sizes[] = {sizeof(P)..., 0}, alignments[] = {alignof(P)..., 1};
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof...(P); i++)
        bytes = (bytes + alignments[i] - 1) / alignments[i] * alignments[i] + sizes[i];
    return bytes;
}
template <class... P> WL_NOT_INSTRUMENTED constexpr void check_parameters()
{
    static_assert(parameter_bytes<P...>() <= WL_PARAMETER_BYTES_MAX,
                  WL_REFUSED "a kernel with more than " WL_PARAMETER_BYTES_TEXT
                             " bytes of parameters, which CUDA does not launch on this GPU: pass "
                             "a pointer to an array of cudaMalloc");
}

/* Bytes of an argument that is kept, with room for its alignment. */
template <class T> constexpr size_t kept_bytes = sizeof(T) + (alignof(T) > 8 ? alignof(T) : 8);

/* What wl_launch_elements is told of a parameter of that type. A type that is only declared says nothing. */
template <class T> constexpr signed char log2_of_alignment()
{
    if constexpr (std::is_class<T>::value)
        return static_cast<signed char>(__builtin_ctzll(alignof(T)));
    return 0;
}
template <class T, class = void> struct element_log2 {
    static constexpr signed char value = std::is_pointer<T>::value ? 0 : -1;
};
template <class T> struct element_log2<T *, decltype(void(sizeof(T)))> {
    static constexpr signed char value = log2_of_alignment<T>();
};
template <class... P>
WL_NOT_INSTRUMENTED inline void tell_elements(const void *const *arguments, const config &how)
{
    const signed char log2[] = {element_log2<std::remove_cv_t<P>>::value..., 0};
    wl_launch_elements(arguments, log2, sizeof...(P), how.restricted, how.constant);
}

/* Copies arguments behind `kept`, which has room for them, and points `pointers` to them. */
template <class... P>
WL_NOT_INSTRUMENTED inline void keep_arguments(char *at, const void *const *given,
                                               const void **pointers)
{
    const size_t sizes[] = {sizeof(P)..., 0},
                 alignments[] = {(alignof(P) > 8 ? alignof(P) : 8)..., 1};
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
    WL_CALLS_KERNEL static void call(const all *all, lane_argument<P>... own)
    {
        WL_BEFORE_KERNEL();
        all->kernel(reinterpret_cast<P &>(own.bytes)...);
        WL_BEHIND_KERNEL();
    }
    WL_CALLS_KERNEL static void run(const void *data)
    {
        const all *all = static_cast<const struct all *>(data);
        call(all, lane_argument<P>(all->arguments[I])...);
    }
    struct kept {
        struct all all;
        const void *arguments[sizeof...(P) + 1];
        char bytes[(kept_bytes<P> + ... + 1)];
    };
    WL_NOT_INSTRUMENTED static void *keep(const all *all)
    {
        struct kept *kept = static_cast<struct kept *>(wl_host_bytes(sizeof(struct kept)));
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
    check_parameters<P...>();
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
    else {
        const size_t sizes[] = {sizeof(P)..., 0};
        wl_launch_arguments(reinterpret_cast<const void *>(kernel), arguments, sizes, sizeof...(P));
        tell_elements<P...>(arguments, how);
        wl_launch(name, call::run, &all, how.grid, how.block, how.shared_bytes);
    }
}

/* The lambda's parameters are references: to a lane's own copies. It is inlined: what it calls is called here. */
template <class Lambda, class Indices, class... P> struct lambda_call;
template <class Lambda, size_t... I, class... P>
struct lambda_call<Lambda, std::index_sequence<I...>, P...> {
    struct all {
        const Lambda *lambda;
        const void *const *arguments;
    };
    WL_CALLS_KERNEL static void call(const all *all, lane_argument<P>... own)
    {
        WL_BEFORE_KERNEL();
        (*all->lambda)(reinterpret_cast<P &>(own.bytes)...);
        WL_BEHIND_KERNEL();
    }
    WL_CALLS_KERNEL static void run(const void *data)
    {
        const all *all = static_cast<const struct all *>(data);
        call(all, lane_argument<P>(all->arguments[I])...);
    }
    struct kept {
        struct all all;
        const void *arguments[sizeof...(P) + 1];
        alignas(Lambda) char lambda[sizeof(Lambda)];
        char bytes[(kept_bytes<P> + ... + 1)];
    };
    WL_NOT_INSTRUMENTED static void *keep(const all *all)
    {
        struct kept *kept = static_cast<struct kept *>(wl_host_bytes(sizeof(struct kept)));
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
    check_parameters<P...>();
    typedef lambda_call<Lambda, std::index_sequence_for<P...>, P...> call;
    const void *const arguments[] = {
        const_cast<const char *>(&reinterpret_cast<const volatile char &>(given))..., &lambda};
    const typename call::all all{&lambda, arguments};
    if (wl_in_kernel())
        wl_launch_later(name, call::run, call::keep(&all), how.grid, how.block, how.shared_bytes);
    else if (wl_captures(how.stream))
        wl_capture_launch(how.stream, name, call::run, call::keep(&all), how.grid, how.block,
                          how.shared_bytes);
    else {
        /* Its type, and so `call`, says which kernel it calls, with the constants that it has captured. */
        const size_t sizes[] = {sizeof(P)..., std::is_empty<Lambda>::value ? 0 : sizeof(Lambda)};
        wl_launch_arguments(nullptr, arguments, sizes, sizeof...(P) + 1);
        tell_elements<P...>(arguments, how);
        wl_launch(name, call::run, &all, how.grid, how.block, how.shared_bytes);
    }
}

/* An argument's type as the kernel gets it: of `float *__restrict__ p` a float *. */
template <class T> struct without_restrict {
    typedef T type;
};
template <class T> struct without_restrict<T *__restrict__> {
    typedef T *type;
};
template <class T> using argument_t = typename without_restrict<std::decay_t<T>>::type;

template <class Lambda, class... P>
WL_NOT_INSTRUMENTED inline void launch_template(config how, const char *name, Lambda lambda,
                                                P &&...given)
{
    launch_decayed<Lambda, argument_t<P>...>(how, name, lambda, static_cast<P &&>(given)...);
}

/* A kernel with default arguments: the lambda, which calls it by its name, is for launches that leave some out. */
template <class Lambda, class... P>
WL_NOT_INSTRUMENTED inline void launch_defaults(config how, const char *name, void (*kernel)(P...),
                                                Lambda, identity_t<P>... given)
{
    launch<P...>(how, name, kernel, static_cast<P &&>(given)...);
}
template <class Lambda, class... P, class... Given>
WL_NOT_INSTRUMENTED inline std::enable_if_t<(sizeof...(Given) < sizeof...(P))>
launch_defaults(config how, const char *name, void (*)(P...), Lambda lambda, Given &&...given)
{
    launch_template(how, name, lambda, static_cast<Given &&>(given)...);
}

/* How a kernel is launched of which only the address is known, with pointers to its arguments. */
template <class... P> struct kernel_type {
    typedef kernel_call<std::index_sequence_for<P...>, P...> call;
    WL_NOT_INSTRUMENTED static void *keep(const void *kernel, const void *const *arguments)
    {
        const typename call::all all{
            reinterpret_cast<void (*)(passed<P>...)>(const_cast<void *>(kernel)), arguments};
        return call::keep(&all);
    }
};

/* The kernel, whose address means it from now on. The rewriter writes it where a program casts a kernel's name to a pointer
 * to void. */
template <class... P>
WL_NOT_INSTRUMENTED inline auto kernel_address(void (*kernel)(P...)) -> void (*)(P...)
{
    static const size_t sizes[] = {sizeof(P)..., 0};
    static const struct wl_kernel_type type = {kernel_type<P...>::call::run,
                                               kernel_type<P...>::keep, sizes, sizeof...(P)};
    check_parameters<P...>();
    wl_kernel_is(reinterpret_cast<const void *>(kernel), &type);
    return kernel;
}

} // namespace wl

template <class... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes = 0, cudaStream_t stream = nullptr)
{
    return cudaLaunchKernel(reinterpret_cast<const void *>(wl::kernel_address(kernel)), grid, block,
                            arguments, shared_bytes, stream);
}
template <class... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                               void **arguments, size_t shared_bytes = 0,
                                               cudaStream_t stream = nullptr)
{
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(wl::kernel_address(kernel)),
                                       grid, block, arguments, shared_bytes, stream);
}

template <class... P>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                       void **arguments)
{
    return cudaLaunchKernelExC(config, reinterpret_cast<const void *>(wl::kernel_address(kernel)),
                               arguments);
}
/* Its parameters' types are the kernel's, to which arguments are converted. */
template <class... P, class... Given>
WL_NOT_INSTRUMENTED inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                          void (*kernel)(P...), Given &&...given)
{
    const cudaError_t refused = wl_launch_config(config);
    if (refused != cudaSuccess)
        return refused;
    wl::launch<P...>(
        wl::config(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream), "",
        kernel, static_cast<Given &&>(given)...);
    return cudaPeekAtLastError();
}

#endif
