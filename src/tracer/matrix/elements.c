/* elements.c - see elements.h.
 *
 * tf32 has the upper 19 bits of a float: the others are left out. The bytes of 8-bit floats: OCP 8-bit Floating Point Specification (OFP8), 1.0.
 */
#include "tracer/matrix/elements.h"

#include <math.h>
#include <string.h>

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Halves below 2^-14 have no exponent: they are multiples of 2^-24. */
static float half_value(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;
    if (rest >= 0x7c00)
        return float_of(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest < 0x400)
        return (sign ? -1.0F : 1.0F) * (float)rest * 0x1p-24F;
    return float_of(sign | ((rest << 13) + 0x38000000));
}

/* Rounded to nearest, ties to even. */
static uint16_t half_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000)
        return 0x7fff;
    if (bits >= 0x477ff000) /* halfway from the largest half to the one that would follow */
        return sign | 0x7c00;
    if (bits < 0x38800000)
        return (uint16_t)(sign | (uint16_t)lrintf(float_of(bits) * 0x1p24F));
    bits += 0xfff + (bits >> 13 & 1);
    return (uint16_t)(sign | (uint16_t)((bits - 0x38000000) >> 13));
}

/* Without infinities: what would be one and NaN is a number, but for the last. Below 2^-6 they are multiples of 2^-9. */
static float e4m3_value(uint8_t byte)
{
    enum { MANTISSA_BITS = 3, REST = 0x7f, BIAS = 7 };
    const int rest = byte & REST, exponent = rest >> MANTISSA_BITS, mantissa = rest & 7;
    const float size = rest == REST ? NAN
                       : exponent   ? ldexpf((float)(8 + mantissa), exponent - BIAS - MANTISSA_BITS)
                                    : (float)mantissa * 0x1p-9F;
    return byte >> 7 ? -size : size;
}

unsigned element_bytes(enum wl_element type)
{
    switch (type) {
    case WL_F64:
        return 8;
    case WL_F16:
    case WL_BF16:
        return 2;
    case WL_S8:
    case WL_U8:
    case WL_E4M3:
    case WL_E5M2:
        return 1;
    default:
        return 4;
    }
}

double element_read(enum wl_element type, const void *at)
{
    uint64_t bits = 0;
    memcpy(&bits, at, element_bytes(type));
    double value;
    switch (type) {
    case WL_F16:
        return half_value((uint16_t)bits);
    case WL_BF16:
        return float_of((uint32_t)bits << 16);
    case WL_TF32:
        return float_of((uint32_t)bits & 0xffffe000);
    case WL_F32:
        return float_of((uint32_t)bits);
    case WL_S8:
        return (int8_t)bits;
    case WL_U8:
        return (uint8_t)bits;
    case WL_S32:
        return (int32_t)bits;
    case WL_E4M3:
        return e4m3_value((uint8_t)bits);
    case WL_E5M2: /* the upper half of a half */
        return half_value((uint16_t)(bits << 8));
    default:
        memcpy(&value, &bits, sizeof value);
        return value;
    }
}

void element_write(enum wl_element type, void *at, double value)
{
    if (type == WL_F64) {
        memcpy(at, &value, sizeof value);
    } else if (type == WL_F16) {
        const uint16_t half = half_of((float)value);
        memcpy(at, &half, sizeof half);
    } else if (type == WL_S32) {
        const int32_t integer = (int32_t)value;
        memcpy(at, &integer, sizeof integer);
    } else {
        const float single = (float)value;
        memcpy(at, &single, sizeof single);
    }
}
