// forms.h - wgmma.mma_async in inline PTX: a function for each shape, types and place of A.
//
// A form is a struct with the registers of D that a thread has, the bytes of an element of A and B, and two functions: A in shared memory
// by its descriptor, A in registers. Shape, scales and transposes stand in the instruction, so they are parameters of templates.
#pragma once
#include <cstdint>

// clang-format off
// The registers of D in braces, and the operands behind them.
#define L2 \
    "%0, %1"
#define L4 L2 \
    ", %2, %3"
#define L16 L4 \
    ", %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define L32 L16 \
    ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define L64 L32 \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47" \
    ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define L128 L64 \
    ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79" \
    ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95" \
    ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111" \
    ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define N2 "%2", "%3", "%4", "%5", "%6", "%7", "%8", "%9", "%10"
#define N4 "%4", "%5", "%6", "%7", "%8", "%9", "%10", "%11", "%12"
#define N16 "%16", "%17", "%18", "%19", "%20", "%21", "%22", "%23", "%24"
#define N32 "%32", "%33", "%34", "%35", "%36", "%37", "%38", "%39", "%40"
#define N64 "%64", "%65", "%66", "%67", "%68", "%69", "%70", "%71", "%72"
#define N128 "%128", "%129", "%130", "%131", "%132", "%133", "%134", "%135", "%136"

// Constraints of the registers of D.
#define O2(c, i) c(d[i]), c(d[i + 1])
#define O4(c, i) O2(c, i), O2(c, i + 2)
#define O16(c, i) O4(c, i), O4(c, i + 4), O4(c, i + 8), O4(c, i + 12)
#define O32(c, i) O16(c, i), O16(c, i + 16)
#define O64(c, i) O32(c, i), O32(c, i + 32)
#define O128(c, i) O64(c, i), O64(c, i + 64)

// What stands behind scale-d, as numbers of operands: halves have scales and transposes, other floats scales, integers nothing.
#define TAIL_HALF(sa, sb, ta, tb) ", " sa ", " sb ", " ta ", " tb
#define TAIL_HALF_REGISTERS(sa, sb, tb) ", " sa ", " sb ", " tb
#define TAIL_FLOAT(sa, sb, ta, tb) ", " sa ", " sb
#define TAIL_FLOAT_REGISTERS(sa, sb, tb) ", " sa ", " sb
#define TAIL_INTEGER(sa, sb, ta, tb) ""
#define TAIL_INTEGER_REGISTERS(sa, sb, tb) ""

#define FORM(name, columns, depth, types, bytes, result, type, letter, count, kind) \
    FORM_(name, columns, depth, types, bytes, result, type, letter, count, kind, L##count, O##count, N##count)
#define FORM_(...) FORM__(__VA_ARGS__)
#define FORM__(name, columns, depth, types, bytes, result, type, letter, count, kind, list, constraints, n0, n1, n2, n3, n4, n5, n6, n7, n8) \
    struct name { \
        enum { N = columns, K = depth, ELEMENT = bytes, RESULT = result, REGISTERS = count }; \
        typedef type Register; \
        template <int SA, int SB, int TA, int TB> \
        static __device__ __forceinline__ void from_shared(type (&d)[count], uint64_t a, uint64_t b, int adds) \
        { \
            asm volatile("{ .reg .pred p; setp.ne.b32 p, " n2 ", 0;\n" \
                         "wgmma.mma_async.sync.aligned.m64n" #columns "k" #depth "." types " {" list "}, " n0 ", " n1 ", p" \
                         TAIL_##kind(n3, n4, n5, n6) "; }" \
                         : constraints("+" letter, 0) \
                         : "l"(a), "l"(b), "r"(adds), "n"(SA), "n"(SB), "n"(TA), "n"(TB)); \
        } \
        template <int SA, int SB, int TB> \
        static __device__ __forceinline__ void from_registers(type (&d)[count], const uint32_t (&a)[4], uint64_t b, int adds) \
        { \
            asm volatile("{ .reg .pred p; setp.ne.b32 p, " n5 ", 0;\n" \
                         "wgmma.mma_async.sync.aligned.m64n" #columns "k" #depth "." types " {" list "}, {" n0 ", " n1 ", " n2 ", " n3 "}, " \
                         n4 ", p" TAIL_##kind##_REGISTERS(n6, n7, n8) "; }" \
                         : constraints("+" letter, 0) \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds), "n"(SA), "n"(SB), "n"(TB)); \
        } \
    };

FORM(f32_f16_8, 8, 16, "f32.f16.f16", 2, 4, float, "f", 4, HALF)
FORM(f32_f16_64, 64, 16, "f32.f16.f16", 2, 4, float, "f", 32, HALF)
FORM(f32_f16_128, 128, 16, "f32.f16.f16", 2, 4, float, "f", 64, HALF)
FORM(f32_f16_256, 256, 16, "f32.f16.f16", 2, 4, float, "f", 128, HALF)
FORM(f16_f16_8, 8, 16, "f16.f16.f16", 2, 2, uint32_t, "r", 2, HALF)
FORM(f16_f16_64, 64, 16, "f16.f16.f16", 2, 2, uint32_t, "r", 16, HALF)
FORM(f32_bf16_64, 64, 16, "f32.bf16.bf16", 2, 4, float, "f", 32, HALF)
FORM(f32_tf32_8, 8, 8, "f32.tf32.tf32", 4, 4, float, "f", 4, FLOAT)
FORM(f32_tf32_64, 64, 8, "f32.tf32.tf32", 4, 4, float, "f", 32, FLOAT)
FORM(f32_tf32_128, 128, 8, "f32.tf32.tf32", 4, 4, float, "f", 64, FLOAT)
FORM(f32_tf32_256, 256, 8, "f32.tf32.tf32", 4, 4, float, "f", 128, FLOAT)
FORM(f32_e4m3_8, 8, 32, "f32.e4m3.e4m3", 1, 4, float, "f", 4, FLOAT)
FORM(f32_e4m3_64, 64, 32, "f32.e4m3.e4m3", 1, 4, float, "f", 32, FLOAT)
FORM(f32_e4m3_128, 128, 32, "f32.e4m3.e4m3", 1, 4, float, "f", 64, FLOAT)
FORM(f32_e4m3_256, 256, 32, "f32.e4m3.e4m3", 1, 4, float, "f", 128, FLOAT)
FORM(f32_e5m2_e4m3_64, 64, 32, "f32.e5m2.e4m3", 1, 4, float, "f", 32, FLOAT)
FORM(f16_e5m2_64, 64, 32, "f16.e5m2.e5m2", 1, 2, uint32_t, "r", 16, FLOAT)
FORM(s32_s8_64, 64, 32, "s32.s8.s8", 1, 4, uint32_t, "r", 32, INTEGER)
FORM(s32_u8_s8_64, 64, 32, "s32.u8.s8", 1, 4, uint32_t, "r", 32, INTEGER)
FORM(s32_u8_128, 128, 32, "s32.u8.u8", 1, 4, uint32_t, "r", 64, INTEGER)
// clang-format on
