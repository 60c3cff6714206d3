/* helper_math.h - operators and functions of vector types, by the names of the helper header of
 * NVIDIA's samples.
 */
#ifndef WARPLENS_COMPAT_HELPER_MATH_H
#define WARPLENS_COMPAT_HELPER_MATH_H
#pragma GCC system_header

#include "warplens/cuda.h"
#include "warplens/cuda_kernel.h"

typedef unsigned int uint;
typedef unsigned short ushort;

#define WL_OPERATOR(scalar, type, n, op, make)                                                     \
    WL_INLINE type operator op(type a, type b)                                                     \
    {                                                                                              \
        return make(a, b, op);                                                                     \
    }                                                                                              \
    WL_INLINE type operator op(type a, scalar b)                                                   \
    {                                                                                              \
        return make##_AB(a, b, op);                                                                \
    }                                                                                              \
    WL_INLINE type operator op(scalar a, type b)                                                   \
    {                                                                                              \
        return make##_BA(a, b, op);                                                                \
    }                                                                                              \
    WL_INLINE void operator op##=(type &a, type b)                                                 \
    {                                                                                              \
        a = a op b;                                                                                \
    }                                                                                              \
    WL_INLINE void operator op##=(type &a, scalar b)                                               \
    {                                                                                              \
        a = a op b;                                                                                \
    }
#define WL_2(a, b, op)                                                                             \
    {                                                                                              \
        a.x op b.x, a.y op b.y                                                                     \
    }
#define WL_2_AB(a, b, op)                                                                          \
    {                                                                                              \
        a.x op b, a.y op b                                                                         \
    }
#define WL_2_BA(a, b, op)                                                                          \
    {                                                                                              \
        a op b.x, a op b.y                                                                         \
    }
#define WL_3(a, b, op)                                                                             \
    {                                                                                              \
        a.x op b.x, a.y op b.y, a.z op b.z                                                         \
    }
#define WL_3_AB(a, b, op)                                                                          \
    {                                                                                              \
        a.x op b, a.y op b, a.z op b                                                               \
    }
#define WL_3_BA(a, b, op)                                                                          \
    {                                                                                              \
        a op b.x, a op b.y, a op b.z                                                               \
    }
#define WL_4(a, b, op)                                                                             \
    {                                                                                              \
        a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w                                             \
    }
#define WL_4_AB(a, b, op)                                                                          \
    {                                                                                              \
        a.x op b, a.y op b, a.z op b, a.w op b                                                     \
    }
#define WL_4_BA(a, b, op)                                                                          \
    {                                                                                              \
        a op b.x, a op b.y, a op b.z, a op b.w                                                     \
    }
#define WL_OPERATORS(scalar, name, op)                                                             \
    WL_OPERATOR(scalar, name##2, 2, op, WL_2)                                                      \
    WL_OPERATOR(scalar, name##3, 3, op, WL_3)                                                      \
    WL_OPERATOR(scalar, name##4, 4, op, WL_4)
WL_OPERATORS(float, float, +)
WL_OPERATORS(float, float, -)
WL_OPERATORS(float, float, *)
WL_OPERATORS(float, float, /)
WL_OPERATORS(int, int, +)
WL_OPERATORS(int, int, -)
WL_OPERATORS(int, int, *)
WL_OPERATORS(unsigned, uint, +)
WL_OPERATORS(unsigned, uint, -)
WL_OPERATORS(unsigned, uint, *)

WL_INLINE float2 operator-(float2 a)
{
    return {-a.x, -a.y};
}
WL_INLINE float3 operator-(float3 a)
{
    return {-a.x, -a.y, -a.z};
}
WL_INLINE float4 operator-(float4 a)
{
    return {-a.x, -a.y, -a.z, -a.w};
}

WL_INLINE float2 make_float2(float s)
{
    return {s, s};
}
WL_INLINE float2 make_float2(float3 a)
{
    return {a.x, a.y};
}
WL_INLINE float3 make_float3(float s)
{
    return {s, s, s};
}
WL_INLINE float3 make_float3(float2 a, float z = 0.0f)
{
    return {a.x, a.y, z};
}
WL_INLINE float3 make_float3(float4 a)
{
    return {a.x, a.y, a.z};
}
WL_INLINE float4 make_float4(float s)
{
    return {s, s, s, s};
}
WL_INLINE float4 make_float4(float3 a, float w = 0.0f)
{
    return {a.x, a.y, a.z, w};
}
WL_INLINE int2 make_int2(int s)
{
    return {s, s};
}
WL_INLINE int3 make_int3(int s)
{
    return {s, s, s};
}
WL_INLINE uint2 make_uint2(unsigned s)
{
    return {s, s};
}
WL_INLINE uint3 make_uint3(unsigned s)
{
    return {s, s, s};
}

WL_INLINE float dot(float2 a, float2 b)
{
    return a.x * b.x + a.y * b.y;
}
WL_INLINE float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
WL_INLINE float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
WL_INLINE float3 cross(float3 a, float3 b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
WL_INLINE float lerp(float a, float b, float t)
{
    return a + t * (b - a);
}
WL_INLINE float clamp(float v, float low, float high)
{
    return fmaxf(low, fminf(v, high));
}
WL_INLINE int clamp(int v, int low, int high)
{
    return max(low, min(v, high));
}
WL_INLINE unsigned clamp(unsigned v, unsigned low, unsigned high)
{
    return max(low, min(v, high));
}

#define WL_VECTOR_FUNCTIONS(type)                                                                  \
    WL_INLINE float length(type v)                                                                 \
    {                                                                                              \
        return sqrtf(dot(v, v));                                                                   \
    }                                                                                              \
    WL_INLINE type normalize(type v)                                                               \
    {                                                                                              \
        return v * rsqrtf(dot(v, v));                                                              \
    }                                                                                              \
    WL_INLINE type lerp(type a, type b, float t)                                                   \
    {                                                                                              \
        return a + t * (b - a);                                                                    \
    }
WL_VECTOR_FUNCTIONS(float2)
WL_VECTOR_FUNCTIONS(float3)
WL_VECTOR_FUNCTIONS(float4)
#undef WL_VECTOR_FUNCTIONS
WL_INLINE float3 reflect(float3 i, float3 n)
{
    return i - 2.0f * n * dot(n, i);
}
WL_INLINE float3 fabs(float3 v)
{
    return {fabsf(v.x), fabsf(v.y), fabsf(v.z)};
}
WL_INLINE float3 floorf(float3 v)
{
    return {floorf(v.x), floorf(v.y), floorf(v.z)};
}
WL_INLINE float3 fminf(float3 a, float3 b)
{
    return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)};
}
WL_INLINE float3 fmaxf(float3 a, float3 b)
{
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)};
}
WL_INLINE float3 clamp(float3 v, float3 low, float3 high)
{
    return fmaxf(low, fminf(v, high));
}

#endif
