/* test_cu_noise.c - does the rewriter keep every newline, leave text without CUDA as it is, and stand
 * any bytes?
 */
#include "test_support.h"

#include <stdlib.h>
#include <string.h>

#include "cu/rewrite.h"

/* Everything the rewriter knows, with line markers and literals. */
static const char program[] =
    "# 1 \"a.cu\"\n# 1 \"/usr/include/x.h\" 1 3\nextern \"C\" { int x; }\n# 2 \"a.cu\" 2\n"
    "extern __wl_shared__ float s[];\n__wl_constant__ const float c[4] = {1, 2};\n"
    "extern __wl_device__ int e;\n__wl_device__ __wl_managed__ volatile int m, *n;\n"
    "template <typename T, int N = (3 > 2)>\n__wl_global__ void k(T *p,\n int n)\n{\n"
    "    __wl_shared__ T tile[N][N + 1];\n    const char *t = R\"x(<<<\n)x\";\n}\n"
    "__wl_host__ __wl_device__ float f(float x) { asm volatile(\"{ .reg .pred %%p, q; // "
    "a\\n\\t\"\n"
    "    R\"(setp.lt.f32 %%p|q, %1, 0f3F800000; @!q ld.shared.v2.f32 {%0, _}, [%2+4];\n}\n)\" : "
    "\"=f\"(\n"
    "    x), \"+r\"(a[R\"(\n)\"[0]]) : \"r\"(4) : \"memory\"); asm(\"\"); return x; }\n"
    "int main() {\n    k<float, 32><<<dim3(1, 2),\n        g<A<B<int>>>(3)>>>(p,\n        1);\n"
    "    (*f)[3].x->k<<<1, '\\''>>>(\"a\\\"\", 1'000, .5e+3);\n"
    "    k<<<1, 2>>>((k<<<1, 2>>>(3), 4));\n    a << b; operator<<<int>(x);\n}\n";

static size_t count_lines(const char *text, size_t length)
{
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

/* In memory of its own size, so that a read behind the end is seen. */
static void assert_stands(const char *text, size_t length)
{
    struct rewritten r;
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    if (cu_rewrite(copy, length, &r)) {
        assert_non_null(r.text);
        assert_int_equal(count_lines(r.text, r.length), count_lines(copy, length));
        assert_string_equal(r.error, "");
    } else {
        assert_null(r.text);
        assert_string_not_equal(r.error, "");
    }
    free(r.text);
    free(copy);
}

static void the_program_is_taken(void **state)
{
    (void)state;
    struct rewritten r;
    assert_true(cu_rewrite(program, sizeof program - 1, &r));
    assert_int_equal(count_lines(r.text, r.length), count_lines(program, sizeof program - 1));
    assert_null(strstr(r.text, "__wl_"));
    free(r.text);
}

/* Once rewritten there is nothing to rewrite. */
static void a_second_time_changes_nothing(void **state)
{
    (void)state;
    struct rewritten once, twice;
    assert_true(cu_rewrite(program, sizeof program - 1, &once));
    assert_true(cu_rewrite(once.text, once.length, &twice));
    assert_string_equal(twice.text, once.text);
    free(once.text);
    free(twice.text);
}

static void every_beginning_and_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof program; i++) {
        assert_stands(program, i);
        assert_stands(program + i, sizeof program - 1 - i);
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

/* Pieces of programs in any order, and bytes. */
static void any_pieces(void **state)
{
    (void)state;
    static const char *const pieces[] = {"<<<",
                                         ">>>",
                                         "<",
                                         ">",
                                         "(",
                                         ")",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         ";",
                                         ",",
                                         "::",
                                         "->",
                                         ".",
                                         "k",
                                         "T",
                                         "template ",
                                         "extern ",
                                         "__wl_shared__ ",
                                         "__wl_global__ ",
                                         "__wl_device__ ",
                                         "\"",
                                         "'",
                                         "R\"(",
                                         ")\"",
                                         "\n",
                                         "\n# 3 \"f\" 3\n",
                                         "/*",
                                         "//",
                                         "\\",
                                         "operator",
                                         "const ",
                                         "*",
                                         "=",
                                         "__attribute__((",
                                         "))",
                                         "asm",
                                         "__wl_device__ int f() { asm(\"",
                                         "ld.shared.v4.f32 {%0, _}, [%1 + ",
                                         "\" : \"=r\"(x), \"n\"(",
                                         "@!%%p mov.b32 ",
                                         ".reg .b32 t, ",
                                         "\xff",
                                         "0x1p",
                                         "struct ",
                                         "typedef ",
                                         "__noinline__ ",
                                         "#"};
    enum { CASES = 8000, PIECES_MAX = 40 };
    uint32_t seed = 7;
    for (int i = 0; i < CASES; i++) {
        char text[PIECES_MAX * 24];
        size_t length = 0;
        for (uint32_t n = next_random(&seed) % PIECES_MAX; n > 0; n--) {
            const char *piece = pieces[next_random(&seed) % (sizeof pieces / sizeof pieces[0])];
            memcpy(text + length, piece, strlen(piece));
            length += strlen(piece);
        }
        assert_stands(text, length);
    }
}

static void any_bytes(void **state)
{
    (void)state;
    uint32_t seed = 11;
    char text[256];
    for (int i = 0; i < 5000; i++) {
        size_t length = next_random(&seed) % sizeof text;
        for (size_t k = 0; k < length; k++)
            text[k] = (char)next_random(&seed);
        assert_stands(text, length);
    }
}

/* Work and stack stay small however a text is made: each is 128 KB. */
static void long_runs_of_one_piece(void **state)
{
    (void)state;
    static const char *const pieces[] = {"(",
                                         "k<<<",
                                         "k<<<1>>>((",
                                         "__wl_device__ ",
                                         "<",
                                         "__wl_shared__(",
                                         "a::",
                                         "extern __wl_shared__ ",
                                         "__wl_global__ k(){"};
    enum { BYTES = 1 << 17 };
    char *text = malloc(BYTES);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        size_t n = strlen(pieces[i]), length = 0;
        for (; length + n <= BYTES; length += n)
            memcpy(text + length, pieces[i], n);
        assert_stands(text, length);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_is_taken),
        cmocka_unit_test(a_second_time_changes_nothing),
        cmocka_unit_test(every_beginning_and_end),
        cmocka_unit_test(any_pieces),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(long_runs_of_one_piece),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
