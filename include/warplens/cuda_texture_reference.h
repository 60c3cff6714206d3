/* cuda_texture_reference.h - texture references of before CUDA 12, and surface references:
 *
 *     texture<float, 2, cudaReadModeElementType> image;      tex2D(image, x, y)
 *
 * The rewriter (src/cu/references.c) writes wl_texture there, since other names of the program may be `texture`.
 */
#ifndef WARPLENS_CUDA_TEXTURE_REFERENCE_H
#define WARPLENS_CUDA_TEXTURE_REFERENCE_H
#pragma GCC system_header

#include "warplens/cuda_texture.h"

enum {
    cudaTextureType1D = 1,
    cudaTextureType2D = 2,
    cudaTextureType3D = 3,
    cudaTextureTypeCubemap = 12,
    cudaTextureType1DLayered = 241,
    cudaTextureType2DLayered = 242,
    cudaTextureTypeCubemapLayered = 252,
    cudaSurfaceType1D = 1,
    cudaSurfaceType2D = 2,
    cudaSurfaceType3D = 3,
    cudaSurfaceTypeCubemap = 12,
    cudaSurfaceType1DLayered = 241,
    cudaSurfaceType2DLayered = 242,
    cudaSurfaceTypeCubemapLayered = 252
};

template <class T, int type = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct wl_texture : textureReference {
    wl_texture(int normalized_coordinates = 0,
               enum cudaTextureFilterMode filter = cudaFilterModePoint,
               enum cudaTextureAddressMode address = cudaAddressModeClamp,
               cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>())
        : textureReference()
    {
        normalized = normalized_coordinates;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = desc;
        wl_read_mode = mode;
    }
};

namespace wl
{

/* What a fetch from a reference gives: integers of up to 16 bits become floats where it says so. */
template <int count> struct floats;
template <> struct floats<1> {
    typedef float type;
};
template <> struct floats<2> {
    typedef float2 type;
};
template <> struct floats<4> {
    typedef float4 type;
};
template <class T, enum cudaTextureReadMode mode>
using fetched = std::conditional_t<mode == cudaReadModeElementType, T,
                                   typename floats<channels<T>::count>::type>;

inline cudaResourceDesc linear_memory(const void *pointer, const cudaChannelFormatDesc &desc,
                                      size_t bytes)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {const_cast<void *>(pointer), desc, bytes};
    return resource;
}
inline cudaResourceDesc pitched_memory(const void *pointer, const cudaChannelFormatDesc &desc,
                                       size_t width, size_t height, size_t pitch)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void *>(pointer), desc, width, height, pitch};
    return resource;
}

} // namespace wl

/* ---- Binding ------------------------------------------------------------------------------------ */

inline cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference,
                                   const void *pointer, const cudaChannelFormatDesc *desc,
                                   size_t bytes = UINT_MAX)
{
    const cudaResourceDesc resource = wl::linear_memory(pointer, *desc, bytes);
    return wl_bind_texture(offset, reference, &resource);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t *offset, const wl_texture<T, type, mode> &reference,
                                   const void *pointer, const cudaChannelFormatDesc &desc,
                                   size_t bytes = UINT_MAX)
{
    return cudaBindTexture(offset, static_cast<const textureReference *>(&reference), pointer,
                           &desc, bytes);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t *offset, const wl_texture<T, type, mode> &reference,
                                   const void *pointer, size_t bytes = UINT_MAX)
{
    return cudaBindTexture(offset, reference, pointer, reference.channelDesc, bytes);
}
inline cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *reference,
                                     const void *pointer, const cudaChannelFormatDesc *desc,
                                     size_t width, size_t height, size_t pitch)
{
    const cudaResourceDesc resource = wl::pitched_memory(pointer, *desc, width, height, pitch);
    return wl_bind_texture(offset, reference, &resource);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t *offset, const wl_texture<T, type, mode> &reference,
                                     const void *pointer, const cudaChannelFormatDesc &desc,
                                     size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, static_cast<const textureReference *>(&reference), pointer,
                             &desc, width, height, pitch);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t *offset, const wl_texture<T, type, mode> &reference,
                                     const void *pointer, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc, width, height,
                             pitch);
}
inline cudaError_t cudaBindTextureToArray(const textureReference *reference,
                                          cudaArray_const_t array, const cudaChannelFormatDesc *)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return wl_bind_texture(nullptr, reference, &resource);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const wl_texture<T, type, mode> &reference,
                                          cudaArray_const_t array, const cudaChannelFormatDesc &)
{
    return cudaBindTextureToArray(static_cast<const textureReference *>(&reference), array,
                                  nullptr);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const wl_texture<T, type, mode> &reference,
                                          cudaArray_const_t array)
{
    return cudaBindTextureToArray(static_cast<const textureReference *>(&reference), array,
                                  nullptr);
}
inline cudaError_t cudaUnbindTexture(const textureReference *reference)
{
    return wl_unbind_texture(reference);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const wl_texture<T, type, mode> &reference)
{
    return wl_unbind_texture(&reference);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureReference(const textureReference **found,
                                           const wl_texture<T, type, mode> *reference)
{
    *found = reference;
    return cudaSuccess;
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const wl_texture<T, type, mode> &)
{
    *offset = 0;
    return cudaSuccess;
}

/* ---- Fetches ------------------------------------------------------------------------------------ */

#define WL_FETCH(name, type, parameters, call)                                                     \
    template <class T, enum cudaTextureReadMode mode>                                              \
    WL_INLINE_MEMBER wl::fetched<T, mode> name(const wl_texture<T, type, mode> &reference,         \
                                               WL_ARGUMENTS parameters, WL_CALLED_AT)              \
    {                                                                                              \
        const cudaTextureObject_t object = wl_texture_of(&reference);                              \
        return wl::texel_as<wl::fetched<T, mode>>(call);                                           \
    }
#define WL_FETCH_SHAPE(name, type, shape, parameters, x, y, z, layer)                              \
    WL_FETCH(name, type, parameters,                                                               \
             wl_texture_fetch(object, WL_SHAPE_##shape, x, y, z, layer, file, line))

WL_FETCH(tex1Dfetch, cudaTextureType1D, (int x), wl_texture_fetch_linear(object, x, file, line))
WL_FETCH_SHAPE(tex1D, cudaTextureType1D, 1D, (float x), x, 0, 0, 0)
WL_FETCH_SHAPE(tex2D, cudaTextureType2D, 2D, (float x, float y), x, y, 0, 0)
WL_FETCH_SHAPE(tex3D, cudaTextureType3D, 3D, (float x, float y, float z), x, y, z, 0)
WL_FETCH_SHAPE(tex1DLayered, cudaTextureType1DLayered, 1D_LAYERED, (float x, int layer), x, 0, 0,
               layer)
WL_FETCH_SHAPE(tex2DLayered, cudaTextureType2DLayered, 2D_LAYERED, (float x, float y, int layer), x,
               y, 0, layer)
WL_FETCH_SHAPE(texCubemap, cudaTextureTypeCubemap, CUBE, (float x, float y, float z), x, y, z, 0)

#undef WL_FETCH
#undef WL_FETCH_SHAPE

#endif
