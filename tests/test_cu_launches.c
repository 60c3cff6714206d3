/* test_cu_launches.c - does kernel<<<...>>>(...) become the call that it means, wherever it stands,
 * and is anything that looks like one left alone or refused?
 */
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu/rewrite.h"

struct example {
    const char *input, *output;
};

static void assert_rewrites(const char *input, const char *output)
{
    struct rewritten r;
    if (!cu_rewrite(input, strlen(input), &r))
        fail_msg("'%s': %s", input, r.error);
    assert_string_equal(r.text, output);
    assert_int_equal(r.length, strlen(output));
    free(r.text);
}

static void assert_all(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_rewrites(examples[i].input, examples[i].output);
}
#define ASSERT_ALL(examples) assert_all(examples, sizeof(examples) / sizeof(examples)[0])

/* The same kernel in front of each example. */
#define KERNEL_IN "__wl_global__ void k(int);"
#define KERNEL_OUT "__attribute__((noinline)) void k(int);"
#define TEMPLATE_IN "template <class T, int N> __wl_global__ void t(T *);"
#define TEMPLATE_OUT "template <class T, int N> __attribute__((noinline)) void t(T *);"
#define PLAIN                                                                                      \
    "__attribute__((always_inline, no_sanitize(\"thread\", \"coverage\"), no_sanitize_coverage))"
#define LAMBDA(name) "[=](auto &...wl_a) " PLAIN " { " name "(wl_a...); }"

static void a_kernel(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {KERNEL_IN "k<<<1, 32>>>(5);",
         KERNEL_OUT " ::wl::launch(::wl::config(1, 32), \"k\", k, 5);"},
        {KERNEL_IN "k<<<1, 32>>>();", KERNEL_OUT " ::wl::launch(::wl::config(1, 32), \"k\", k);"},
        {KERNEL_IN "k<<<g, b, 4 * n, stream>>>(a, b);",
         KERNEL_OUT " ::wl::launch(::wl::config(g, b, 4 * n, stream), \"k\", k, a, b);"},
        {KERNEL_IN "k <<< 1, 2 >>> ( 5 );",
         KERNEL_OUT " ::wl::launch(::wl::config( 1, 2 ), \"k\", k  ,  5 );"},
        {KERNEL_IN "k<<<dim3(1, 2), f(a > b, c[3])>>>(5);",
         KERNEL_OUT " ::wl::launch(::wl::config(dim3(1, 2), f(a > b, c[3])), \"k\", k, 5);"},
        {KERNEL_IN "k<<<A<B<int>>::x, n>>2>>>(5);",
         KERNEL_OUT " ::wl::launch(::wl::config(A<B<int>>::x, n>>2), \"k\", k, 5);"},
        {KERNEL_IN "if (x) k<<<1, 2>>>(f(1)); else k<<<3, 4>>>({1, 2});",
         KERNEL_OUT "if (x)  ::wl::launch(::wl::config(1, 2), \"k\", k, f(1)); "
                    "else  ::wl::launch(::wl::config(3, 4), \"k\", k, {1, 2});"},
        {KERNEL_IN "else ::a::k<<<1, 2>>>(5);",
         KERNEL_OUT "else  ::wl::launch(::wl::config(1, 2), \"::a::k\", ::a::k, 5);"},
        {KERNEL_IN "case 3:k<<<1, 2>>>(5);",
         KERNEL_OUT "case 3: ::wl::launch(::wl::config(1, 2), \"k\", k, 5);"},
        {KERNEL_IN "return k<<<1, 2>>>(5), 0;",
         KERNEL_OUT "return  ::wl::launch(::wl::config(1, 2), \"k\", k, 5), 0;"},
    };
    ASSERT_ALL(examples);
}

/* Lines stay: what was between tokens goes where the token behind it goes. */
static void lines(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {KERNEL_IN "k\n<<<1,\n 2\n>>>\n(\n5\n)\n;",
         KERNEL_OUT " ::wl::launch(::wl::config(1,\n 2\n), \"k\", k\n\n, \n5\n)\n;"},
        {KERNEL_IN "\n# 7 \"a.cu\" 3\nk<<<1,\n# 9 \"a.cu\"\n2>>>(5);", KERNEL_OUT
         "\n# 7 \"a.cu\" 3\n ::wl::launch(::wl::config(1,\n# 9 \"a.cu\"\n2), \"k\", k, 5);"},
    };
    ASSERT_ALL(examples);
}

static void a_template(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {TEMPLATE_IN "t<float, 32><<<1, 2>>>(p);",
         TEMPLATE_OUT " ::wl::launch_template(::wl::config(1, 2), ::wl_instance_name(\"t<float, "
                      "32>\", __PRETTY_FUNCTION__), " LAMBDA("t<float, 32>") ", p);"},
        {TEMPLATE_IN "t<<<1, 2>>>();",
         TEMPLATE_OUT " ::wl::launch_template(::wl::config(1, 2), \"t\", " LAMBDA("t") ");"},
        {TEMPLATE_IN "n::t<A<B<int>>, (a > b)> <<<1, 2>>>(p);",
         TEMPLATE_OUT " ::wl::launch_template(::wl::config(1, 2), "
                      "::wl_instance_name(\"n::t<A<B<int>>, (a>b)>\", __PRETTY_FUNCTION__), "
                      "[=](auto &...wl_a) " PLAIN " { n::t<A<B<int>>, (a > b)> (wl_a...); }, p);"},
        {TEMPLATE_IN "t<unsigned int, 1 << 3><<<1, 2>>>(p);", TEMPLATE_OUT
         " ::wl::launch_template(::wl::config(1, 2), ::wl_instance_name(\"t<unsigned int, 1<<3>\", "
         "__PRETTY_FUNCTION__), " LAMBDA("t<unsigned int, 1 << 3>") ", p);"},
        {TEMPLATE_IN "t<'\"'><<<1, 2>>>(p);", TEMPLATE_OUT
         " ::wl::launch_template(::wl::config(1, 2), ::wl_instance_name(\"t<'\\\"'>\", "
         "__PRETTY_FUNCTION__), " LAMBDA("t<'\"'>") ", p);"},
        {TEMPLATE_IN "A<T>::template t<T><<<1, 2>>>(p);", TEMPLATE_OUT
         " ::wl::launch_template(::wl::config(1, 2), ::wl_instance_name(\"A<T>::template t<T>\", "
         "__PRETTY_FUNCTION__), " LAMBDA("A<T>::template t<T>") ", p);"},
    };
    ASSERT_ALL(examples);
}

/* Two bodies of one name: which is meant depends on the arguments. A declaration is no body. */
static void overloads(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"__wl_global__ void k(int) {} __wl_global__ void k(float) {} k<<<1, 2>>>(5);",
         "__attribute__((noinline)) void k(int) {} __attribute__((noinline)) void k(float) {} "
         " ::wl::launch_template(::wl::config(1, 2), \"k\", " LAMBDA("k") ", 5);"},
        {"__wl_global__ void k(int); __wl_global__ void k(int) {} k<<<1, 2>>>(5);",
         "__attribute__((noinline)) void k(int); __attribute__((noinline)) void k(int) {} "
         " ::wl::launch(::wl::config(1, 2), \"k\", k, 5);"},
        {"__wl_global__ void k(int) {} void k(int n, int) { k<<<1, 2>>>(n); }",
         "__attribute__((noinline)) void k(int) {} void k(int n, int) { "
         " ::wl::launch_template(::wl::config(1, 2), \"k\", " LAMBDA("k") ", n); }"},
        {"__wl_global__ void k(int) {} struct s { void k(int, int); }; void f() { k<<<1, 2>>>(5); "
         "k(1); }",
         "__attribute__((noinline)) void k(int) {} struct s { void k(int, int); }; void f() { "
         " ::wl::launch(::wl::config(1, 2), \"k\", k, 5); k(1); }"},
    };
    ASSERT_ALL(examples);
}

/* A null pointer stands in the call: passed on it would be an integer. What may be several arguments stays as it
 * is. */
static void null_pointers(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {TEMPLATE_IN "t<int, 1><<<1, 2>>>(p, 0,\n__null, q);", TEMPLATE_OUT
         " ::wl::launch_template(::wl::config(1, 2), ::wl_instance_name(\"t<int, 1>\", "
         "__PRETTY_FUNCTION__), [=](auto &wl_a0, auto &wl_a3) " PLAIN
         " { t<int, 1>(wl_a0, 0, __null, wl_a3); }, p \n,  q);"},
        {TEMPLATE_IN "t<<<1, 2>>>(0);", TEMPLATE_OUT
         " ::wl::launch_template(::wl::config(1, 2), \"t\", [=]() " PLAIN " { t(0); });"},
        {TEMPLATE_IN "t<<<1, 2>>>(f(0), 0 + 1);",
         TEMPLATE_OUT " ::wl::launch_template(::wl::config(1, 2), \"t\", " LAMBDA("t") ", f(0), "
                                                                                       "0 + 1);"},
        {TEMPLATE_IN "t<<<1, 2>>>(f<1, 0, 2>(), 0);",
         TEMPLATE_OUT " ::wl::launch_template(::wl::config(1, 2), \"t\", " LAMBDA("t") ", f<1, 0, "
                                                                                       "2>(), 0);"},
        {TEMPLATE_IN "t<<<1, 2>>>(v..., 0);",
         TEMPLATE_OUT " ::wl::launch_template(::wl::config(1, 2), \"t\", " LAMBDA("t") ", v..., "
                                                                                       "0);"},
        {KERNEL_IN "k<<<1, 2>>>(0);", KERNEL_OUT " ::wl::launch(::wl::config(1, 2), \"k\", k, 0);"},
    };
    ASSERT_ALL(examples);
}

/* A kernel's address has no default arguments: a lambda calls it by its name. */
static void default_arguments(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"__wl_global__ void k(int, int = f(1)); n::k\n<<<1, 2>>>(5);",
         "__attribute__((noinline)) void k(int, int = f(1));  "
         "::wl::launch_defaults(::wl::config(1, "
         "2), \"n::k\", n::k\n, [=](auto &...wl_a) " PLAIN " { n :: k (wl_a...); }, 5);"},
        {"__wl_global__ void k(int, A<(x = 1)>); k<<<1, 2>>>(5);",
         "__attribute__((noinline)) void k(int, A<(x = 1)>);  ::wl::launch(::wl::config(1, 2), "
         "\"k\", k, 5);"},
    };
    ASSERT_ALL(examples);
}

/* `<< <` and `>> >`: what formatters of C++ make of them. */
static void chevrons_apart(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {KERNEL_IN "k << <1, 2 >> > (5);",
         KERNEL_OUT " ::wl::launch(::wl::config(1, 2 ), \"k\", k  , 5);"},
        {KERNEL_IN "k <<\n<1, n>>2, A<B<int>>::x >> >(5);",
         KERNEL_OUT " ::wl::launch(::wl::config(1, n>>2, A<B<int>>::x ), \"k\", k , 5);"},
    };
    ASSERT_ALL(examples);
}

/* What is launched is an expression; its kernel's name is not known here. */
static void function_pointers(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"f<<<1, 2>>>(5);", " ::wl::launch(::wl::config(1, 2), \"\", f, 5);"},
        {"(*f)<<<1, 2>>>(5);", " ::wl::launch(::wl::config(1, 2), \"\", (*f), 5);"},
        {"x = 3; fs[i][j]<<<1, 2>>>(5);",
         "x = 3;  ::wl::launch(::wl::config(1, 2), \"\", fs[i][j], 5);"},
        {"a.b->f<<<1, 2>>>(5);", " ::wl::launch(::wl::config(1, 2), \"\", a.b->f, 5);"},
        {"get(1)[2].f<<<1, 2>>>(5);", " ::wl::launch(::wl::config(1, 2), \"\", get(1)[2].f, 5);"},
        {"this->f<<<1, 2>>>(5);", " ::wl::launch(::wl::config(1, 2), \"\", this->f, 5);"},
        {"(void)f<<<1, 2>>>(5);", "(void) ::wl::launch(::wl::config(1, 2), \"\", f, 5);"},
    };
    ASSERT_ALL(examples);
}

static void launches_in_arguments(void **state)
{
    (void)state;
    assert_rewrites(KERNEL_IN "k<<<1, 2>>>((k<<<3, 4>>>(6), 5));",
                    KERNEL_OUT " ::wl::launch(::wl::config(1, 2), \"k\", k, ("
                               " ::wl::launch(::wl::config(3, 4), \"k\", k, 6), 5));");
}

static void left_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\"k<<<1, 2>>>(5)\"",
        "'<<<'",
        "R\"(k<<<1, 2>>>(5)\" )\"",
        "u8R\"x(k<<<1, )\" 2>>>(5))x\"",
        "L\"\\\"<<<\"",
        "// k<<<1, 2>>>(5)\n/* k<<<1 */",
        "operator<<<char>(a, b)",
        "a << b; c >> d; e >>= 3; x<A<B<int>>>::y;",
        "#pragma k<<<1, 2>>>(5)\n",
        "1'000'000 'a' 0x1p-3 1e+5f .5",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_rewrites(texts[i], texts[i]);
}

static void assert_error(const char *input, const char *error)
{
    struct rewritten r;
    assert_false(cu_rewrite(input, strlen(input), &r));
    assert_null(r.text);
    assert_string_equal(r.error, error);
}

static void refused(void **state)
{
    (void)state;
    assert_error("# 1 \"a.cu\"\n\n\n <<<1, 2>>>(5);",
                 "a.cu:3: <<< without a kernel before it: a launch is "
                 "kernel<<<grid, block>>>(arguments)");
    assert_error("# 5 \"d/a.cu\" 2\nk<<<1, 2(5);",
                 "d/a.cu:5: <<< without its >>>: a launch is kernel<<<grid, block>>>(arguments)");
    assert_error("# 5 \"a\\\"b.cu\"\nk<<<1, 2>>>;",
                 "a\"b.cu:5: a launch without arguments in parentheses: it is "
                 "kernel<<<grid, block>>>(arguments)");
    assert_error("k<<<k<<<1, 2>>>(5), 2>>>(5);",
                 "?:1: <<< without its >>>: a launch is kernel<<<grid, block>>>(arguments)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel),          cmocka_unit_test(lines),
        cmocka_unit_test(a_template),        cmocka_unit_test(overloads),
        cmocka_unit_test(function_pointers), cmocka_unit_test(launches_in_arguments),
        cmocka_unit_test(left_alone),        cmocka_unit_test(refused),
        cmocka_unit_test(null_pointers),     cmocka_unit_test(default_arguments),
        cmocka_unit_test(chevrons_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
