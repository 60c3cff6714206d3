/* cublas_numbers.c - elements of cuBLAS's real types, taken and kept as numbers of double: half precision and bfloat16 are
 * rounded to the nearest, ties to even.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "libraries/cublas_product.h"

static double half_to(uint16_t half)
{
    const int exponent = half >> 10 & 31, mantissa = half & 0x3ff;
    const double sign = half & 0x8000 ? -1 : 1;
    if (exponent == 31)
        return mantissa ? (double)NAN : sign * (double)INFINITY;
    return sign * ldexp(exponent ? mantissa + 1024 : mantissa, (exponent ? exponent : 1) - 25);
}

/* To the nearest, ties to even. */
static uint16_t half_from(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value);
    int exponent;
    if (isnan(value))
        return 0x7fff;
    if (size >= 65520)
        return sign | 0x7c00;
    frexp(size, &exponent); /* size < 2^exponent */
    if (exponent < -13)
        exponent = -13; /* subnormal: in units of 2^-24 */
    const unsigned units = (unsigned)rint(ldexp(size, 11 - exponent));
    if (units < 1024) /* a carry to 1024 is the smallest normal number */
        return (uint16_t)(sign | units);
    return (uint16_t)(sign | (((unsigned)(exponent + 13) << 10) + units));
}

static float brain_to(uint16_t brain)
{
    const uint32_t bits = (uint32_t)brain << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint16_t brain_from(double value)
{
    const float nearest = (float)value;
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    if (isnan(value))
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

size_t cublas_size_of(cudaDataType_t type)
{
    switch (type) {
    case CUDA_R_64F:
        return 8;
    case CUDA_R_32F:
    case CUDA_R_32I:
        return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_8I:
    case CUDA_R_8U:
        return 1;
    default:
        return 0;
    }
}

double cublas_load(cudaDataType_t type, const void *array, size_t i)
{
    switch (type) {
    case CUDA_R_64F:
        return ((const double *)array)[i];
    case CUDA_R_32F:
        return (double)((const float *)array)[i];
    case CUDA_R_16F:
        return half_to(((const uint16_t *)array)[i]);
    case CUDA_R_16BF:
        return (double)brain_to(((const uint16_t *)array)[i]);
    case CUDA_R_32I:
        return ((const int32_t *)array)[i];
    case CUDA_R_8I:
        return ((const int8_t *)array)[i];
    default:
        return ((const uint8_t *)array)[i];
    }
}

void cublas_store(cudaDataType_t type, void *array, size_t i, double value)
{
    if (type == CUDA_R_64F)
        ((double *)array)[i] = value;
    else if (type == CUDA_R_32F)
        ((float *)array)[i] = (float)value;
    else if (type == CUDA_R_16F)
        ((uint16_t *)array)[i] = half_from(value);
    else if (type == CUDA_R_16BF)
        ((uint16_t *)array)[i] = brain_from(value);
    else if (type == CUDA_R_32I)
        ((int32_t *)array)[i] = (int32_t)(uint32_t)(int64_t)value;
    else
        ((int8_t *)array)[i] = (int8_t)fmax(-128, fmin(127, value));
}
