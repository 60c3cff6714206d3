/* cuda_libraries.h - what warplens's own forms of CUDA's libraries (warplens/compat/cublas_v2.h and others) share:
 * they are functions of the host over device memory, counted by name, and not traced.
 */
#ifndef WARPLENS_CUDA_LIBRARIES_H
#define WARPLENS_CUDA_LIBRARIES_H
#ifdef __cplusplus
#pragma GCC system_header
#endif

#include <stdbool.h>
#include <stddef.h>

#include "warplens/cuda_runtime_calls.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts a call, for the report. */
void wl_library_call(const char *name);
/* Whether a library may compute now, at once: not in a stream that is captured, which is refused with a line. */
bool wl_library_may_run(const char *name, cudaStream_t stream);
/* Whether the stream is captured, so that calls are kept (cuda_library_calls.h). */
bool wl_library_captures(cudaStream_t stream);
/* Keeps a call, of at most so many bytes, as a node of the graph; false: no memory. */
enum { WL_LIBRARY_CALL_BYTES_MAX = 1024 };
bool wl_library_keep(const char *name, cudaStream_t stream, void (*run)(const void *call),
                     const void *call, size_t bytes);
/* Refuses a call that cannot be kept, since its result is to be on the host. */
void wl_library_refuse_result(const char *name);
/* What a kept call has answered when its node ran: other than 0, it is refused with a line. */
void wl_library_answered(const char *name, int status);
/* What there is of each descriptor that calls keep a copy of. */
enum { WL_LIBRARY_DESCRIPTOR_BYTES = 96 };
/* Whether bytes that the function reads or writes lie in an array on the device; refuses the call otherwise, with
 * a line that says which argument it was. What is written counts as written from then on. */
bool wl_library_reads(const char *function, const char *what, const void *pointer, size_t bytes);
bool wl_library_writes(const char *function, const char *what, void *pointer, size_t bytes);

/* Memory on the device that a library's own code on the host may touch; NULL: there is no room. */
void *wl_library_allocate(const char *name, size_t bytes);
/* A copy of a library's between whatever memory. */
void wl_library_copy(void *to, const void *from, size_t bytes);
/* Between these the host may touch memory on the device: what it writes counts as written. */
void wl_library_enter(void);
void wl_library_leave(void);

#ifdef __cplusplus
}

namespace wl
{

struct library_scope {
    WL_NOT_INSTRUMENTED library_scope()
    {
        wl_library_enter();
    }
    WL_NOT_INSTRUMENTED ~library_scope()
    {
        wl_library_leave();
    }
};

/* A call of a library that the host runs, noted: noted("name")->*argument is the argument. */
struct noted : library_scope {
    WL_NOT_INSTRUMENTED explicit noted(const char *name)
    {
        wl_library_call(name);
    }
};
template <class T> WL_INLINE_MEMBER T &&operator->*(const noted &, T &&argument)
{
    return static_cast<T &&>(argument);
}

} // namespace wl
#endif
#endif
