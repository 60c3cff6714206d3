/* test_cu_qualifiers.c - does each of CUDA's qualifiers become the storage class and attributes that
 * its declaration needs, and is what cannot run refused where it is used?
 */
#include "test_support.h"

#include <stdlib.h>
#include <string.h>

#include "cu/rewrite.h"
#include "cu/unroll.h"

struct example {
    const char *input, *output;
};

static void assert_all(const struct example *examples, size_t count)
{
    struct rewritten r;
    for (size_t i = 0; i < count; i++) {
        if (!cu_rewrite(examples[i].input, strlen(examples[i].input), &r))
            fail_msg("'%s': %s", examples[i].input, r.error);
        assert_string_equal(r.text, examples[i].output);
        free(r.text);
    }
}
#define ASSERT_ALL(examples) assert_all(examples, sizeof(examples) / sizeof(examples)[0])

#define SHARED "static thread_local __attribute__((aligned(1024)))"
#define DYNAMIC " __asm__(\"warplens_dynamic_shared\")"
#define NAMED(n, name) " const int wl_named_" n " = wl_name_dynamic_shared(\"" name "\");"
#define REFERENCE(n, name)                                                                         \
    " wl_shared_" n " &" name " = *(wl_shared_" n " *)wl_dynamic_shared(\"" name "\");"
#define IN(section) "__attribute__((section(\"" section "\"), aligned(256), used))"
#define NOINLINE "__attribute__((noinline))"

static void static_shared(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"{ __wl_shared__ float s[32], t, *u; }", "{ " SHARED " float s[32], t, *u; }"},
        {"volatile __wl_shared__ T s[N][N + 1];", "volatile " SHARED " T s[N][N + 1];"},
        {"__wl_shared__ volatile struct { int a; } s;", SHARED " volatile struct { int a; } s;"},
        {"static __wl_shared__ int s;", " " SHARED " int s;"},
        {"__wl_shared__ alignas(16) float s[4];", " alignas(16)" SHARED " float s[4];"},
        {"static __wl_shared__ alignas(alignof(T)) T s;", "  alignas(alignof(T))" SHARED " T s;"},
        {"float __wl_shared__ s[4];", "float " SHARED " s[4];"},
        {"__wl_device__ __wl_shared__ int s;", SHARED "  int s;"},
        {"case 1: __wl_shared__ int s;", "case 1: " SHARED " int s;"},
    };
    ASSERT_ALL(examples);
}

static void dynamic_shared(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"extern __wl_shared__ float s[];",
         " extern __thread float s[]" DYNAMIC ";" NAMED("1", "s")},
        {"{ __wl_shared__ extern volatile T s[]; }",
         "{ typedef  volatile T wl_shared_1[];" REFERENCE("1", "s") " }"},
        {"namespace a::b { extern \"C\" { void f() { extern __wl_shared__ "
         "__attribute__((aligned(16))) A<B, C> s[][4], *t; } extern __wl_shared__ int u[]; } }",
         "namespace a::b { extern \"C\" { void f() {  typedef __attribute__((aligned(16))) A<B, C> "
         "wl_shared_1[][4], *wl_shared_2;" REFERENCE("1", "s")
             REFERENCE("2", "t") " }  extern __thread int u[]" DYNAMIC ";" NAMED("1", "u") " } }"},
        {"extern volatile __wl_shared__ __attribute__((aligned(16))) float4 s[][4];",
         " volatile extern __thread __attribute__((aligned(16))) float4 s[][4]" DYNAMIC
         ";" NAMED("1", "s")},
        {"extern __wl_shared__ int s[] __attribute__((aligned(8)));",
         " extern __thread int s[]" DYNAMIC " __attribute__((aligned(8)));" NAMED("1", "s")},
        {"extern __wl_shared__ int a[], b[]; extern __wl_shared__ int c[];",
         " extern __thread int a[]" DYNAMIC ", b[]" DYNAMIC
         ";" NAMED("1", "a") "  extern __thread int c[]" DYNAMIC ";" NAMED("2", "c")},
        {"extern __wl_shared__ struct S s;",
         " extern __thread struct S s" DYNAMIC ";" NAMED("1", "s")},
    };
    ASSERT_ALL(examples);
}

static void variables(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"__wl_constant__ float c[4] = {1};",
         "static " IN("warplens_constant") " float c[4] = {1};"},
        {"static __wl_constant__ float c;", "static " IN("warplens_constant") " float c;"},
        {"const __wl_constant__ int c = 4;",
         "const static " IN("warplens_constant_const") " int c = 4;"},
        {"__wl_constant__ const char *c;", "static " IN("warplens_constant") " const char *c;"},
        {"__wl_constant__ char *const c = 0;",
         "static " IN("warplens_constant_const") " char *const c = 0;"},
        {"static constexpr __wl_device__ float d = 1;",
         "static constexpr " IN("warplens_device_const") " float d = 1;"},
        {"__wl_device__ A<int, (3 > 2)> d{1};",
         "static " IN("warplens_device") " A<int, (3 > 2)> d{1};"},
        {"__wl_device__ float (*f)(float) = g;",
         "static " IN("warplens_device") " float (*f)(float) = g;"},
        {"__wl_device__ __wl_managed__ int m;", "static " IN("warplens_managed") "  int m;"},
        {"__wl_device__ struct { int a; } d;",
         "static " IN("warplens_device") " struct { int a; } d;"},
        {"extern __wl_device__ int e; __wl_device__ int e = 3; __wl_device__ int f;",
         "extern " IN("warplens_device") " int e; " IN("warplens_device") " int e = 3; static " IN(
             "warplens_device") " int f;"},
    };
    ASSERT_ALL(examples);
}

static void functions(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"__wl_global__ void k();", NOINLINE " void k();"},
        {"extern \"C\" __wl_global__ void k(int a[]) {}",
         "extern \"C\" " NOINLINE " void k(int a[]) {}"},
        {"template <class T> static __wl_global__ void k(T) {}",
         "template <class T> static " NOINLINE " void k(T) {}"},
        {"__wl_host__ __wl_device__ int f(int x = 3);", "  int f(int x = 3);"},
        {"__wl_device__ __noinline__ int f();", NOINLINE "  int f();"},
        {"void f() __attribute__((__noinline__));", "void f() __attribute__((__noinline__));"},
        {"__wl_device__ T &operator[](int i) { return a[i]; }",
         " T &operator[](int i) { return a[i]; }"},
        {"struct S { __wl_device__ S(int x) : x(x) {} __wl_device__ ~S() {} };",
         "struct S {  S(int x) : x(x) {}  ~S() {} };"},
        {"auto f = [=] __wl_device__ (int i) { return i; };",
         "auto f = [=]  (int i) { return i; };"},
        {"auto f = [=] __wl_device__ { return 1; };", "auto f = [=]  { return 1; };"},
        {"typedef __wl_device__ int (*f)(int);", "typedef  int (*f)(int);"},
        {"__wl_device__ __attribute__((pure)) decltype(x) f();",
         " __attribute__((pure)) decltype(x) f();"},
    };
    ASSERT_ALL(examples);
}

static void assert_error(const char *input, const char *error)
{
    struct rewritten r;
    assert_false(cu_rewrite(input, strlen(input), &r));
    assert_string_equal(r.error, error);
}

static void what_cannot_run(void **state)
{
    (void)state;
    assert_error("# 3 \"a.cu\"\nint e = cudaMallocMipmappedArray();",
                 "a.cu:3: a mipmapped array (cudaMallocMipmappedArray) cannot run under warplens: "
                 "make a CUDA "
                 "array of the level that is read");
    assert_error(
        "# 3 \"a.cu\"\n__wl_device__ int f() { asm(\"x\"); }",
        "a.cu:3: the PTX instruction 'x' cannot run under warplens: it is none of those that "
        "are known; write it in CUDA C++");
}

/* The same words where they are something else, or not the user's. */
static void what_can_run(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"texture<float, 2> t;", "wl_texture<float, 2> t;"},
        {"static surface<void, 2> s; a.texture<3>(); my::texture<4> t;",
         "static wl_surface<void, 2> s; a.texture<3>(); my::texture<4> t;"},
        {"int texture = 3; bool b = texture < 4;", "int texture = 3; bool b = texture < 4;"},
        {"template <class T> class texture {}; texture<int> t;",
         "template <class T> class texture {}; texture<int> t;"},
        {"# 3 \"a.h\" 1 3\ntexture<int> t;", "# 3 \"a.h\" 1 3\ntexture<int> t;"},
        {"x.tex2DGrad(1); y->malloc(3);", "x.tex2DGrad(1); y->malloc(3);"},
        {"int main() { p = malloc(3); asm(\"nop\"); }",
         "int main() { p = malloc(3); asm(\"nop\"); }"},
        {"__wl_host__ __wl_device__ int f() { return *new int; }",
         "  int f() { return *new int; }"},
        {"__wl_device__ int f() { new (p) int; }", " int f() { new (p) int; }"},
        /* a type without a name, in template arguments, is no variable */
        {"struct d { __wl_device__ enable_if_t<is_a<A (*)[], B (*)[]>, void> operator()(A *p); };",
         "struct d {  enable_if_t<is_a<A (*)[], B (*)[]>, void> operator()(A *p); };"},
        {"__wl_device__ int f() { return *new int; }\n",
         " int f() { return *new int; }\nstatic const int wl_heap_is_used = ::wl_use_heap();"},
        {"# 3 \"a.h\" 1 3\ntex2DGrad(x);", "# 3 \"a.h\" 1 3\ntex2DGrad(x);"},
    };
    ASSERT_ALL(examples);
}

static void headers(void **state)
{
    (void)state;
    assert_string_equal(cu_rewrite_header_advice("cudnn.h"),
                        "cuDNN cannot run under warplens: a library's kernels are not in the "
                        "program: write the kernel out");
    assert_null(cu_rewrite_header_advice("my_thrust/sort.h"));
    assert_string_equal(cu_rewrite_header_advice("cub/cub.cuh"),
                        "CUB without its headers cannot run under warplens: install them "
                        "(libcub-dev on Debian and Ubuntu), or name their folder with -I "
                        "(include/cccl of a CUDA toolkit)");
}

static void library_calls(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"thrust::sort(a, b);", "thrust::sort(::wl::noted(\"thrust::sort\")->*a, b);"},
        {"x = 1 + ::thrust::reduce(v.begin(), f(thrust::count(p, q)));",
         "x = 1 + ::thrust::reduce(::wl::noted(\"thrust::reduce\")->*v.begin(), "
         "f(thrust::count(::wl::noted(\"thrust::count\")->*p, q)));"},
        {"thrust::plus<int>(); thrust::make_tuple(a); my::sort(a); thrust::sort; thrust::sort();",
         "thrust::plus<int>(); thrust::make_tuple(a); my::sort(a); thrust::sort; thrust::sort();"},
        {"# 3 \"sort.h\" 1 3\nthrust::sort(a, b);", "# 3 \"sort.h\" 1 3\nthrust::sort(a, b);"},
        {"__wl_device__ int f(){} void g() { thrust::sort(a, b); }",
         " int f(){} void g() { thrust::sort(::wl::noted(\"thrust::sort\")->*a, b); }"},
    };
    ASSERT_ALL(examples);
}

/* PTX of CUB's headers is read as the user's is; what cannot run is refused where it is reached. */
static void library_ptx(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"# 3 \"/x/cub/a.cuh\" 1 3\n__wl_device__ int f() { asm(\"membar.gl;\"); }",
         "# 3 \"/x/cub/a.cuh\" 1 3\n int f() { do { { ::wl_threadfence(); } } while (0); }"},
        {"# 3 \"/x/cuda/a.h\" 1 3\n__wl_device__ int f() { asm(\"odd.b32 %0;\" : \"=r\"(a)); }",
         "# 3 \"/x/cuda/a.h\" 1 3\n int f() { do { ::wl_refuse(\"the PTX instruction 'odd.b32' "
         "cannot run under warplens: it is none of those that are known; write it in CUDA C++\"); "
         "} while (0)  ; }"},
        {"# 3 \"/x/a.h\" 1 3\n__wl_device__ int f() { asm(\"odd\"); }",
         "# 3 \"/x/a.h\" 1 3\n int f() { asm(\"odd\"); }"},
        {"# 0 \"a.cu\"\n# 1 \"a.h\" 1\n__wl_device__ int f() { asm(\"odd;\"); asm(\"membar.gl;\"); "
         "}",
         "# 0 \"a.cu\"\n# 1 \"a.h\" 1\n int f() { do { ::wl_refuse(\"the PTX instruction 'odd' "
         "cannot run "
         "under warplens: it is none of those that are known; write it in CUDA C++\"); } while "
         "(0); "
         "do { { ::wl_threadfence(); } } while (0); }"},
    };
    ASSERT_ALL(examples);
    struct rewritten out;
    static const char own[] =
        "# 0 \"a.cu\"\n# 1 \"a.h\" 1\n# 7 \"a.cu\" 2\n__wl_device__ int f() { asm(\"odd;\"); }";
    assert_false(cu_rewrite(own, sizeof own - 1, &out));
    assert_memory_equal(out.error, "a.cu:7: the PTX instruction 'odd' cannot run", 43);
}

/* #pragma unroll within a line, from a macro, goes; one that is a line stays. */
static void pragmas_of_macros(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"void f() {\n    #pragma unroll\n    for (;;) ; }", "void f() {\n     \n    for (;;) ; }"},
        {"void f() { #pragma unroll (N) while (x) ; }", "void f() {    while (x) ; }"},
        {"void f() {\n#pragma unroll\nfor (;;) ; }", "void f() {\n#pragma unroll\nfor (;;) ; }"},
        {"void f() {\n #pragma odd\nfor (;;) ; }", "void f() {\n #pragma odd\nfor (;;) ; }"},
    };
    ASSERT_ALL(examples);
}

static void unrolled_loops(void **state)
{
    (void)state;
    static const char text[] = "#pragma unroll\n# 1 \"/x/cub/a.cuh\" 1\n#pragma unroll \nx\n"
                               "#pragma unroll 1\n# 2 \"/x/cub/a.cu\"\n#pragma unroll";
    size_t length;
    char *result = unroll_libraries(text, sizeof text - 1, &length);
    assert_string_equal(result, "#pragma unroll\n# 1 \"/x/cub/a.cuh\" 1\n#pragma GCC unroll 64\n"
                                "x\n#pragma unroll 1\n# 2 \"/x/cub/a.cu\"\n#pragma unroll");
    assert_int_equal(length, strlen(result));
    free(result);
}

static void loops_that_stay_as_they_are(void **state)
{
    (void)state;
    char text[] =
        "#pragma unroll 16\n#pragma unroll (8)\n#pragma unroll N8\n#pragma unroll\n# 1 \"a.h\" 1 "
        "3\n"
        "#pragma unroll 4\n# 2 \"/x/cub/a.cuh\"\n#pragma unroll 4\n# 2 \"a.cu\"\n#pragma unroll 4";
    unroll_not_by_number(text, sizeof text - 1);
    assert_string_equal(text,
                        "#pragma unroll 1 \n#pragma unroll (1)\n#pragma unroll N8\n#pragma unroll\n"
                        "# 1 \"a.h\" 1 3\n#pragma unroll 4\n# 2 \"/x/cub/a.cuh\"\n"
                        "#pragma unroll 4\n# 2 \"a.cu\"\n#pragma unroll 1");
}

#define FACTOR                                                                                     \
    "static const struct { const char *file; unsigned long first, last, times; } wl_unroll_"
#define IN_SECTION " __attribute__((section(\"wl_unrolls\"), used, aligned(32))) = {\"a.cu\", "

/* #pragma unroll N is a variable behind the text; without a number, or in a system's header, it is none. */
static void factors_of_loops(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"# 1 \"x/a.cu\"\nvoid f() {\n#pragma unroll 4\n  for (;\n;) ; }",
         "# 1 \"x/a.cu\"\nvoid f() {\n#pragma unroll 4\n  for (;\n;) ; }\n" FACTOR "1" IN_SECTION
         "3, 4, 4};"},
        {"# 1 \"a.cu\"\n#pragma unroll (2)\ndo {\n} while (x);\n#pragma unroll 1\n# 9 "
         "\"a.cu\"\nwhile (y) ;",
         "# 1 \"a.cu\"\n#pragma unroll (2)\ndo {\n} while (x);\n#pragma unroll 1\n# 9 "
         "\"a.cu\"\nwhile (y) ;\n" FACTOR "1" IN_SECTION "3, 3, 2}; " FACTOR "2" IN_SECTION
         "9, 9, 1};"},
        {"#pragma unroll N\nfor (;;) ;", "#pragma unroll N\nfor (;;) ;"},
        {"#pragma unroll 2 3\nfor (;;) ;", "#pragma unroll 2 3\nfor (;;) ;"},
        {"#pragma unroll 99999\nfor (;;) ;", "#pragma unroll 99999\nfor (;;) ;"},
        {"#pragma unroll 2\nint x;\nfor (;;) ;", "#pragma unroll 2\nint x;\nfor (;;) ;"},
        {"#pragma unroll 2\nfor", "#pragma unroll 2\nfor"},
        {"#pragma unroll 2\ndo x; while (1);", "#pragma unroll 2\ndo x; while (1);"},
        {"# 1 \"a.h\" 1 3\n#pragma unroll 2\nfor (;;) ;",
         "# 1 \"a.h\" 1 3\n#pragma unroll 2\nfor (;;) ;"},
    };
    ASSERT_ALL(examples);
}

static void names_of_libraries(void **state)
{
    (void)state;
    assert_string_equal(cu_rewrite_name_advice("cublasFoo bar", 9),
                        "cublasFoo is not among what warplens has of cuBLAS "
                        "(warplens/cublas_functions.def lists that): write a kernel for it");
    assert_string_equal(cu_rewrite_name_advice("cudaFoo(", 7),
                        "cudaFoo is not among what warplens has of the CUDA runtime "
                        "(warplens/cuda_runtime_calls.h lists that): do without it");
    assert_null(cu_rewrite_name_advice("cublas", 6));
    assert_null(cu_rewrite_name_advice("myCublasFoo", 11));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_shared),    cmocka_unit_test(dynamic_shared),
        cmocka_unit_test(variables),        cmocka_unit_test(functions),
        cmocka_unit_test(what_cannot_run),  cmocka_unit_test(what_can_run),
        cmocka_unit_test(headers),          cmocka_unit_test(library_calls),
        cmocka_unit_test(library_ptx),      cmocka_unit_test(pragmas_of_macros),
        cmocka_unit_test(factors_of_loops), cmocka_unit_test(loops_that_stay_as_they_are),
        cmocka_unit_test(unrolled_loops),   cmocka_unit_test(names_of_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
