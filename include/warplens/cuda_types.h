/* cuda_types.h - CUDA's vector types, with CUDA's sizes and alignments. */
#ifndef WARPLENS_CUDA_TYPES_H
#define WARPLENS_CUDA_TYPES_H

#define WL_VECTOR_TYPES(type, name, align2, align4)                                                \
    typedef struct name##1                                                                         \
    {                                                                                              \
        type x;                                                                                    \
    }                                                                                              \
    name##1;                                                                                       \
    typedef struct __attribute__((aligned(align2))) name##2                                        \
    {                                                                                              \
        type x, y;                                                                                 \
    }                                                                                              \
    name##2;                                                                                       \
    typedef struct name##3                                                                         \
    {                                                                                              \
        type x, y, z;                                                                              \
    }                                                                                              \
    name##3;                                                                                       \
    typedef struct __attribute__((aligned(align4))) name##4                                        \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    }                                                                                              \
    name##4;                                                                                       \
    static inline name##1 make_##name##1(type x)                                                   \
    {                                                                                              \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##2 make_##name##2(type x, type y)                                           \
    {                                                                                              \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##3 make_##name##3(type x, type y, type z)                                   \
    {                                                                                              \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##4 make_##name##4(type x, type y, type z, type w)                           \
    {                                                                                              \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }

WL_VECTOR_TYPES(signed char, char, 2, 4)
WL_VECTOR_TYPES(unsigned char, uchar, 2, 4)
WL_VECTOR_TYPES(short, short, 4, 8)
WL_VECTOR_TYPES(unsigned short, ushort, 4, 8)
WL_VECTOR_TYPES(int, int, 8, 16)
WL_VECTOR_TYPES(unsigned, uint, 8, 16)
WL_VECTOR_TYPES(long long, longlong, 16, 16)
WL_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16)
WL_VECTOR_TYPES(long, long, 16, 16)
WL_VECTOR_TYPES(unsigned long, ulong, 16, 16)
WL_VECTOR_TYPES(float, float, 8, 16)
WL_VECTOR_TYPES(double, double, 16, 16)

typedef struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz)
    {
    }
    dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    template <class Index, class = typename Index::wl_index> /* of cuda_indices.h */
    dim3(const Index &v) : x(v.x), y(v.y), z(v.z)
    {
    }
#endif
} dim3;

static inline dim3 make_dim3(unsigned x, unsigned y, unsigned z)
{
#ifdef __cplusplus
    return dim3(x, y, z);
#else
    dim3 v = {x, y, z};
    return v;
#endif
}

#endif
