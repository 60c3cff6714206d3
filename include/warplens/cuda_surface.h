/* cuda_surface.h - surfaces in C++, objects and references: surf2Dread<float>(object, x * sizeof(float), y).
 *
 * An element of any type of 1, 2, 4, 8 or 16 bytes goes through registers, as texels do.
 */
#ifndef WARPLENS_CUDA_SURFACE_H
#define WARPLENS_CUDA_SURFACE_H
#pragma GCC system_header

#include "warplens/cuda_texture_reference.h"

template <class T, int type = cudaSurfaceType1D> struct wl_surface : surfaceReference {
    wl_surface() : surfaceReference()
    {
    }
};

template <class T, int type>
inline cudaError_t cudaBindSurfaceToArray(const wl_surface<T, type> &reference,
                                          cudaArray_const_t array)
{
    return wl_bind_surface(&reference, array);
}
template <class T, int type>
inline cudaError_t cudaBindSurfaceToArray(const wl_surface<T, type> &reference,
                                          cudaArray_const_t array, const cudaChannelFormatDesc &)
{
    return wl_bind_surface(&reference, array);
}

namespace wl
{

template <class T> WL_INLINE unsigned surface_how(cudaSurfaceBoundaryMode mode)
{
    static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                  "an element of a surface has 1, 2, 4, 8 or 16 bytes");
    return WL_SURFACE_HOW(__builtin_ctz((unsigned)sizeof(T)), mode);
}
template <class T> WL_INLINE T element_as(const wl_texel &texel)
{
    T value;
    __builtin_memcpy(&value, &texel, sizeof value);
    return value;
}
template <class T> WL_INLINE wl_texel element_bits(const T &value)
{
    wl_texel texel = {0, 0};
    __builtin_memcpy(&texel, &value, sizeof value);
    return texel;
}

} // namespace wl

/* What names a surface: an object, or a reference with its type of surface. */
#define WL_SURFACE(name, type, parameters, arguments, x, y, z)                                     \
    WL_SURFACE_OF(name, cudaSurfaceObject_t object, object, object, parameters, arguments, x, y,   \
                  z, class T)                                                                      \
    WL_SURFACE_OF(name, WL_ARGUMENTS(const wl_surface<S, type> &reference), reference,             \
                  wl_surface_of(&reference), parameters, arguments, x, y, z, class T, class S)
#define WL_SURFACE_OF(name, named, it, object, parameters, arguments, x, y, z, ...)                \
    template <__VA_ARGS__>                                                                         \
    WL_INLINE_MEMBER T name##read(named, WL_ARGUMENTS parameters,                                  \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,             \
                                  WL_CALLED_AT)                                                    \
    {                                                                                              \
        return wl::element_as<T>(                                                                  \
            wl_surface_read(object, wl::surface_how<T>(mode), x, y, z, line, file));               \
    }                                                                                              \
    template <__VA_ARGS__>                                                                         \
    WL_INLINE_MEMBER void name##read(T *to, named, WL_ARGUMENTS parameters,                        \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,          \
                                     WL_CALLED_AT)                                                 \
    {                                                                                              \
        *to = name##read<T>(it, WL_ARGUMENTS arguments, mode, line, file);                         \
    }                                                                                              \
    template <__VA_ARGS__>                                                                         \
    WL_INLINE_MEMBER void name##write(T value, named, WL_ARGUMENTS parameters,                     \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,         \
                                      WL_CALLED_AT)                                                \
    {                                                                                              \
        wl_surface_write(object, wl::surface_how<T>(mode), x, y, z, line, file,                    \
                         wl::element_bits(value));                                                 \
    }

WL_SURFACE(surf1D, cudaSurfaceType1D, (int x), (x), x, 0, 0)
WL_SURFACE(surf2D, cudaSurfaceType2D, (int x, int y), (x, y), x, y, 0)
WL_SURFACE(surf3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z), x, y, z)
WL_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, (int x, int layer), (x, layer), x, 0, layer)
WL_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), (x, y, layer), x, y,
           layer)
WL_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, (int x, int y, int face), (x, y, face), x, y, face)

#undef WL_SURFACE
#undef WL_SURFACE_OF
#undef WL_CALLED_AT
#undef WL_ARGUMENTS

#endif
