/* rounding.c - arithmetic that rounds towards zero, down or up (__fadd_rd and its relatives): the host's own, in that
 * mode. Compilers know no modes, so operands and results go through memory here.
 */
#include <fenv.h>
#include <math.h>

#include "tracer/engine.h"
#include "warplens/cuda_rounding.h"

#define ROUNDED(type, name, suffix)                                                                \
    WORK_COST_1 type name(enum wl_rounded what, enum wl_rounding how, type x, type y, type z)      \
    {                                                                                              \
        static const int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};                        \
        const volatile type a = x, b = y, c = z;                                                   \
        volatile type result;                                                                      \
        fesetround(modes[how]);                                                                    \
        switch (what) {                                                                            \
        case WL_ROUNDED_ADD:                                                                       \
            result = a + b;                                                                        \
            break;                                                                                 \
        case WL_ROUNDED_SUB:                                                                       \
            result = a - b;                                                                        \
            break;                                                                                 \
        case WL_ROUNDED_MUL:                                                                       \
            result = a * b;                                                                        \
            break;                                                                                 \
        case WL_ROUNDED_DIV:                                                                       \
            result = a / b;                                                                        \
            break;                                                                                 \
        case WL_ROUNDED_SQRT:                                                                      \
            result = sqrt##suffix(a);                                                              \
            break;                                                                                 \
        case WL_ROUNDED_FMA:                                                                       \
            result = fma##suffix(a, b, c);                                                         \
            break;                                                                                 \
        }                                                                                          \
        fesetround(FE_TONEAREST);                                                                  \
        return result;                                                                             \
    }
ROUNDED(float, wl_rounded_float, f)
ROUNDED(double, wl_rounded_double, )

WORK_COST_1 float wl_rounded_narrow(enum wl_rounding how, double x)
{
    static const int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    const volatile double a = x;
    fesetround(modes[how]);
    volatile float result = (float)a;
    fesetround(FE_TONEAREST);
    return result;
}
