/* cuda_library_calls.h - the functions of a library that computes on the host, as programs call them: at once, or kept as
 * nodes of a graph where the handle's stream is captured.
 *
 * A node makes the call again, with its arguments and the handle's pointer mode of then. What the library would have read
 * on the host during the call is kept by value: scalars in host pointer mode, and what descriptors say.
 */
#ifndef WARPLENS_CUDA_LIBRARY_CALLS_H
#define WARPLENS_CUDA_LIBRARY_CALLS_H
#pragma GCC system_header

#include "warplens/cuda_libraries.h"

namespace wl
{

/* What calls need of a library, by its type of handles: WL_LIBRARY. */
template <class Handle> struct library;

/* A pointer, and room for what it points to. */
template <size_t CAPACITY> struct library_pointee {
    const void *at;
    size_t bytes;
    bool is_kept;
    alignas(16) char copy[CAPACITY];

    WL_NOT_INSTRUMENTED library_pointee(const void *pointer, size_t size)
        : at(pointer), bytes(size), is_kept(false)
    {
        static_assert(sizeof(*this) % 16 == 0, "kept behind each other");
    }
    WL_NOT_INSTRUMENTED void keep()
    {
        is_kept = at && bytes > 0 && bytes <= CAPACITY;
        if (is_kept)
            __builtin_memcpy(copy, at, bytes);
    }
    template <class T> WL_NOT_INSTRUMENTED operator T *() const
    {
        return static_cast<T *>(const_cast<void *>(is_kept ? copy : at));
    }
};

/* Arguments that are more than their value. */
struct scalar : library_pointee<16> {
    template <class T>
    WL_NOT_INSTRUMENTED explicit scalar(const T *number) : library_pointee(number, sizeof(T))
    {
    }
    WL_NOT_INSTRUMENTED scalar(const void *number, size_t size) : library_pointee(number, size)
    {
    }
};
struct descriptor : library_pointee<WL_LIBRARY_DESCRIPTOR_BYTES> {
    WL_NOT_INSTRUMENTED explicit descriptor(const void *opaque)
        : library_pointee(opaque, WL_LIBRARY_DESCRIPTOR_BYTES)
    {
    }
};
template <class T> struct result {
    T *at;
    WL_NOT_INSTRUMENTED explicit result(T *pointer) : at(pointer)
    {
    }
    WL_NOT_INSTRUMENTED operator T *() const
    {
        return at;
    }
};

template <class T> constexpr bool is_result = false;
template <class T> constexpr bool is_result<result<T>> = true;

template <class T> WL_INLINE_MEMBER void keep_argument(T &, bool)
{
}
WL_INLINE_MEMBER void keep_argument(scalar &number, bool is_on_host)
{
    if (is_on_host)
        number.keep();
}
WL_INLINE_MEMBER void keep_argument(descriptor &opaque, bool)
{
    opaque.keep();
}

template <class Call> WL_NOT_INSTRUMENTED inline void run_library_call(const void *call)
{
    (*static_cast<const Call *>(call))();
}

template <class Status, class Handle, class... P> struct library_function {
    Status (*function)(Handle, P...);
    const char *name;
    Handle handle;

    template <class... A> WL_NOT_INSTRUMENTED Status operator()(A... arguments) const
    {
        cudaStream_t stream = nullptr;
        library<Handle>::get_stream(handle, &stream);
        return wl_library_captures(stream) ? keep(stream, arguments...)
                                           : function(handle, arguments...);
    }

    /* A result on the host would have to be there when the call ends. */
    template <class... A> WL_NOT_INSTRUMENTED Status keep(cudaStream_t stream, A... arguments) const
    {
        auto mode = library<Handle>::on_host;
        library<Handle>::get_mode(handle, &mode);
        const bool is_on_host = mode == library<Handle>::on_host;
        if (is_on_host && (is_result<A> || ...)) {
            wl_library_refuse_result(name);
            return library<Handle>::not_supported;
        }
        (keep_argument(arguments, is_on_host), ...);
        const auto call = node(mode, arguments...);
        static_assert(sizeof call <= WL_LIBRARY_CALL_BYTES_MAX, "more than a node keeps");
        return wl_library_keep(name, stream, run_library_call<decltype(call)>, &call, sizeof call)
                   ? Status()
                   : library<Handle>::no_memory;
    }

    /* With a handle of its own: the program may change or destroy its own before the graph is launched. */
    template <class Mode, class... A> WL_NOT_INSTRUMENTED auto node(Mode mode, A... arguments) const
    {
        return [run = function, name = name, mode, arguments...] {
            Handle own = nullptr;
            Status status = library<Handle>::create(&own);
            if (status == Status()) {
                library<Handle>::set_mode(own, mode);
                status = run(own, arguments...);
                library<Handle>::destroy(own);
            }
            wl_library_answered(name, static_cast<int>(status));
        };
    }
};
template <class Status, class Handle, class... P>
library_function(Status (*)(Handle, P...), const char *, Handle)
    -> library_function<Status, Handle, P...>;

} // namespace wl

/* A library by the beginnings of its functions' names and of its constants'. */
#define WL_LIBRARY(name, NAME)                                                                     \
    template <> struct wl::library<name##Handle_t> {                                               \
        static constexpr auto create = name##Create;                                               \
        static constexpr auto destroy = name##Destroy;                                             \
        static constexpr auto get_stream = name##GetStream;                                        \
        static constexpr auto get_mode = name##GetPointerMode;                                     \
        static constexpr auto set_mode = name##SetPointerMode;                                     \
        static constexpr auto on_host = NAME##_POINTER_MODE_HOST;                                  \
        static constexpr auto no_memory = NAME##_STATUS_ALLOC_FAILED;                              \
        static constexpr auto not_supported = NAME##_STATUS_NOT_SUPPORTED;                         \
    };

/* A function of C, and the one of that name that programs call. `names` are its arguments behind the handle, in
 * parentheses, with wl::scalar(), wl::descriptor() and wl::result() where they are such. */
#define WL_LIBRARY_FUNCTION(status, handle_type, name, names, ...)                                 \
    namespace wl                                                                                   \
    {                                                                                              \
    namespace in_c                                                                                 \
    {                                                                                              \
    extern "C" status name(handle_type handle, __VA_ARGS__);                                       \
    }                                                                                              \
    }                                                                                              \
    inline status name(handle_type handle, __VA_ARGS__)                                            \
    {                                                                                              \
        return wl::library_function{wl::in_c::name, #name, handle} names;                          \
    }

#endif
