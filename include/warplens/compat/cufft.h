/* cufft.h - cuFFT, computed by the host and not traced. */
#ifndef WARPLENS_COMPAT_CUFFT_H
#define WARPLENS_COMPAT_CUFFT_H
#pragma GCC system_header
#define _CUFFT_H_ /* by which programs see that it is there */

#include "cuComplex.h"
#include "warplens/cuda.h"
#include "warplens/cufft_host.h"

#define CUFFTAPI
#define CUFFT_VERSION 11000

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

inline cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out,
                                int direction)
{
    return wl_cufft("cufftExecC2C", plan, CUFFT_C2C, in, out, direction);
}
inline cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                                int direction)
{
    return wl_cufft("cufftExecZ2Z", plan, CUFFT_Z2Z, in, out, direction);
}
inline cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
    return wl_cufft("cufftExecR2C", plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
inline cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return wl_cufft("cufftExecD2Z", plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
inline cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
    return wl_cufft("cufftExecC2R", plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
inline cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return wl_cufft("cufftExecZ2D", plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

#endif
