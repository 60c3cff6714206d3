/* cuda_texture.h - CUDA arrays and texture objects in C++: tex2D<float4>(object, x, y) and its relatives.
 *
 * A fetch is a call of the runtime's, and what is made of the sixteen bytes that it returns: the place of the call
 * goes along, as that of an inlined one is here.
 */
#ifndef WARPLENS_CUDA_TEXTURE_H
#define WARPLENS_CUDA_TEXTURE_H
#pragma GCC system_header

#include "warplens/cuda_texture_calls.h"

namespace wl
{

/* What a type of texels is: the type of its channels, how many, their kind. */
template <class T> struct channels;
#define WL_CHANNELS_OF(type, channel, number, kind)                                                \
    template <> struct channels<type> {                                                            \
        typedef channel element;                                                                   \
        static constexpr int count = number;                                                       \
        static constexpr cudaChannelFormatKind format = cudaChannelFormatKind##kind;               \
    };
#define WL_CHANNELS(type, name, kind)                                                              \
    WL_CHANNELS_OF(type, type, 1, kind)                                                            \
    WL_CHANNELS_OF(name##1, type, 1, kind)                                                         \
    WL_CHANNELS_OF(name##2, type, 2, kind)                                                         \
    WL_CHANNELS_OF(name##4, type, 4, kind)
WL_CHANNELS(signed char, char, Signed)
WL_CHANNELS(unsigned char, uchar, Unsigned)
WL_CHANNELS(short, short, Signed)
WL_CHANNELS(unsigned short, ushort, Unsigned)
WL_CHANNELS(int, int, Signed)
WL_CHANNELS(unsigned, uint, Unsigned)
WL_CHANNELS(float, float, Float)
WL_CHANNELS_OF(char, char, 1, Signed)
#undef WL_CHANNELS
#undef WL_CHANNELS_OF

/* A channel of a texel: 32 bits, of which a shorter integer has the low ones. */
template <class E> WL_INLINE E channel_of(const wl_texel &texel, int i)
{
    const uint32_t word = (uint32_t)((i < 2 ? texel.low : texel.high) >> 32 * (i & 1));
    if constexpr (std::is_same<E, float>::value)
        return __builtin_bit_cast(float, word);
    else
        return (E)word;
}

template <class T> WL_INLINE T texel_as(const wl_texel &texel)
{
    typedef channels<T> type;
    typedef typename type::element element;
    if constexpr (std::is_arithmetic<T>::value)
        return channel_of<element>(texel, 0);
    else if constexpr (type::count == 1)
        return T{channel_of<element>(texel, 0)};
    else if constexpr (type::count == 2)
        return T{channel_of<element>(texel, 0), channel_of<element>(texel, 1)};
    else
        return T{channel_of<element>(texel, 0), channel_of<element>(texel, 1),
                 channel_of<element>(texel, 2), channel_of<element>(texel, 3)};
}

inline cudaError_t allocate_array(const char *names, cudaArray_t *array,
                                  const cudaChannelFormatDesc *desc, size_t width,
                                  size_t height = 0, unsigned flags = 0)
{
    return wl_malloc_array(array, desc, cudaExtent{width, height, 0}, flags, names);
}
inline cudaError_t allocate_array_3d(const char *names, cudaArray_t *array,
                                     const cudaChannelFormatDesc *desc, cudaExtent extent,
                                     unsigned flags = 0)
{
    return wl_malloc_array(array, desc, extent, flags, names);
}

} // namespace wl

#define cudaMallocArray(...) ::wl::allocate_array(#__VA_ARGS__, __VA_ARGS__)
#define cudaMalloc3DArray(...) ::wl::allocate_array_3d(#__VA_ARGS__, __VA_ARGS__)

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind)
{
    return wl_channel_desc(x, y, z, w, kind);
}
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef wl::channels<T> type;
    const int bits = 8 * sizeof(typename type::element);
    return wl_channel_desc(bits, type::count > 1 ? bits : 0, type::count > 2 ? bits : 0,
                           type::count > 2 ? bits : 0, type::format);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return wl_channel_desc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

/* ---- Fetches: as a value, and through a pointer --------------------------------------------------- */

#define WL_CALLED_AT int line = __builtin_LINE(), const char *file = __builtin_FILE()
#define WL_ARGUMENTS(...) __VA_ARGS__
#define WL_FETCH(name, parameters, arguments, call)                                                \
    template <class T>                                                                             \
    WL_INLINE_MEMBER T name(cudaTextureObject_t object, WL_ARGUMENTS parameters, WL_CALLED_AT)     \
    {                                                                                              \
        return wl::texel_as<T>(call);                                                              \
    }                                                                                              \
    template <class T>                                                                             \
    WL_INLINE_MEMBER void name(T *to, cudaTextureObject_t object, WL_ARGUMENTS parameters,         \
                               WL_CALLED_AT)                                                       \
    {                                                                                              \
        *to = name<T>(object, WL_ARGUMENTS arguments, line, file);                                 \
    }
#define WL_FETCH_SHAPE(name, shape, parameters, arguments, x, y, z, layer)                         \
    WL_FETCH(name, parameters, arguments,                                                          \
             wl_texture_fetch(object, WL_SHAPE_##shape, x, y, z, layer, file, line))

WL_FETCH(tex1Dfetch, (int x), (x), wl_texture_fetch_linear(object, x, file, line))
WL_FETCH_SHAPE(tex1D, 1D, (float x), (x), x, 0, 0, 0)
WL_FETCH_SHAPE(tex2D, 2D, (float x, float y), (x, y), x, y, 0, 0)
WL_FETCH_SHAPE(tex3D, 3D, (float x, float y, float z), (x, y, z), x, y, z, 0)
WL_FETCH_SHAPE(tex1DLayered, 1D_LAYERED, (float x, int layer), (x, layer), x, 0, 0, layer)
WL_FETCH_SHAPE(tex2DLayered, 2D_LAYERED, (float x, float y, int layer), (x, y, layer), x, y, 0,
               layer)
WL_FETCH_SHAPE(texCubemap, CUBE, (float x, float y, float z), (x, y, z), x, y, z, 0)
WL_FETCH_SHAPE(texCubemapLayered, CUBE_LAYERED, (float x, float y, float z, int layer),
               (x, y, z, layer), x, y, z, layer)
/* There is one level: that of any number. */
WL_FETCH_SHAPE(tex1DLod, 1D, (float x, float level), (x, level), x, 0, 0, 0)
WL_FETCH_SHAPE(tex2DLod, 2D, (float x, float y, float level), (x, y, level), x, y, 0, 0)
WL_FETCH_SHAPE(tex1DLayeredLod, 1D_LAYERED, (float x, int layer, float level), (x, layer, level), x,
               0, 0, layer)
WL_FETCH_SHAPE(tex2DLayeredLod, 2D_LAYERED, (float x, float y, int layer, float level),
               (x, y, layer, level), x, y, 0, layer)
WL_FETCH_SHAPE(texCubemapLod, CUBE, (float x, float y, float z, float level), (x, y, z, level), x,
               y, z, 0)
WL_FETCH_SHAPE(tex3DLod, 3D, (float x, float y, float z, float level), (x, y, z, level), x, y, z, 0)

template <class T>
WL_INLINE_MEMBER T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0,
                               WL_CALLED_AT)
{
    return wl::texel_as<T>(wl_texture_gather(object, x, y, channel, file, line));
}
template <class T>
WL_INLINE_MEMBER void tex2Dgather(T *to, cudaTextureObject_t object, float x, float y,
                                  int channel = 0, WL_CALLED_AT)
{
    *to = tex2Dgather<T>(object, x, y, channel, line, file);
}

#undef WL_FETCH
#undef WL_FETCH_SHAPE

#endif
